from __future__ import annotations

import numpy as np
import pytest

from tests.made_clusters import Sample
from tplcrawl.clustering.places import Places

EACH = 60


def places(sample: Sample) -> tuple[float, bool]:
    """How far the places of links to the first pages differ from those of the next ones, and
    whether they are entries of a menu."""
    members = np.arange(2 * EACH)
    flags = (members < EACH)[None, :]
    found, turned = (Places.of(members, ones, sample.evidence()) for ones in (flags, ~flags))
    assert turned.apart == pytest.approx(found.apart)
    assert turned.entries == found.entries
    return float(found.apart[0]), bool(found.entries[0])


def apart(sample: Sample) -> float:
    return places(sample)[0]


def linked(*, lists: tuple[int, int], rows: tuple[int, int], menus: tuple[int, ...] = ()) -> Sample:
    """Pages of two parts, linked from rows of two lists, or from an entry of a menu each; and pages
    that are linked from elsewhere, by which places say something."""
    made = Sample()
    for n in range(2 * EACH):
        part = int(n >= EACH)
        row = 1000 * (part + 1) + n % rows[part]
        made.add([1], [part], [lists[part]], [menus[part] if menus else row])
    for n in range(EACH):
        made.add([2], [7], [77], [7000 + n % 6])
    return made


def test_rows_of_a_list_tell_nothing() -> None:
    """Catches that parts are taken for pages of different places because their lists, which stand
    in one place on all pages, are of different lengths."""
    assert apart(linked(lists=(10, 10), rows=(10, 30))) < 0.15


def test_entries_of_one_menu_tell_as_much_as_those_of_two() -> None:
    """Catches that the place of the menu, which is the same, takes from what its entries say."""
    tabs = places(linked(lists=(10, 10), rows=(1, 1), menus=(5, 6)))
    assert tabs == places(linked(lists=(10, 11), rows=(1, 1), menus=(5, 6)))
    assert tabs[0] > 0.9
    assert tabs[1]
    assert places(linked(lists=(10, 10), rows=(1, 1), menus=(5, 5))) == (pytest.approx(0), False)


def test_both_parts_must_have_an_entry() -> None:
    """Catches that pages of a list are taken for another entry of the menu: only links to the first
    part stand in one place."""
    assert not places(linked(lists=(10, 11), rows=(1, 20)))[1]
    assert places(linked(lists=(10, 11), rows=(1, 1)))[1]


def test_rows_take_nothing_from_what_the_lists_say() -> None:
    """Catches that positions of which each is another page's count half, whatever they say."""
    assert apart(linked(lists=(10, 11), rows=(10, 10))) > 0.9


def test_rare_coincidences_count_as_none() -> None:
    """Parts with nothing in common whose pages have next to nothing in common, either."""
    made = Sample()
    for n in range(2 * EACH):
        made.add([1], [0], [10], [100 + n // 2])
    for _ in range(EACH):
        made.add([2], [7], [77], [77])
    assert apart(made) < 0.1
