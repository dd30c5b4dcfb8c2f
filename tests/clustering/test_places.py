from __future__ import annotations

import numpy as np
import pytest

from tests.made_clusters import Sample
from tplcrawl.clustering.places import elsewhere, entries

EACH = 60


def apart(sample: Sample) -> float:
    """How far the places of links to the first pages differ from those of the next ones."""
    members = np.arange(2 * EACH)
    flags = (members < EACH)[None, :]
    found = elsewhere(members, flags, sample.evidence())
    assert elsewhere(members, ~flags, sample.evidence()) == pytest.approx(found)
    return float(found[0])


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


def test_entries_of_a_menu_tell_as_much_as_places_without_positions() -> None:
    tabs = apart(linked(lists=(10, 10), rows=(1, 1), menus=(5, 6)))
    assert 0.7 < tabs < apart(linked(lists=(10, 11), rows=(1, 1), menus=(5, 6)))
    assert apart(linked(lists=(10, 10), rows=(1, 1), menus=(5, 5))) == pytest.approx(0)


def test_entries_of_menus_are_told_from_lists() -> None:
    """Catches that pages of a list are taken for an entry of a menu, since links to others stand in
    one."""

    def told(sample: Sample) -> bool:
        members = np.arange(2 * EACH)
        flags = (members < EACH)[None, :]
        found = entries(members, flags, ~flags, sample.evidence())
        assert entries(members, ~flags, flags, sample.evidence()) == found
        return bool(found[0])

    assert told(linked(lists=(10, 10), rows=(1, 1), menus=(5, 6)))
    assert told(linked(lists=(10, 11), rows=(1, 1)))
    assert not told(linked(lists=(10, 10), rows=(1, 1), menus=(5, 5)))
    assert not told(linked(lists=(10, 11), rows=(1, 20)))


def test_columns_of_a_table_tell_what_its_rows_do_not() -> None:
    """Catches that books and their authors, linked from one table, stand in one place."""
    for columns, least, most in (((1, 2), 0.7, 1), ((1, 1), 0, 0.15), ((), 0, 0.15)):
        made = linked(lists=(10, 10), rows=(20, 20))
        parts = np.repeat([0, 1, 2], EACH)
        made.column = [frozenset([columns[n]] if columns and n < 2 else ()) for n in parts]
        assert least <= apart(made) <= most


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
