from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from tests.made_clusters import Sample
from tplcrawl.clustering.bonds import OWN, bound
from tplcrawl.clustering.evidence import STRUCTURE
from tplcrawl.clustering.strays import LEAST
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import hash_set

CHROME = range(500, 506)
MANY = 60


def entries() -> Sample:
    made = Sample()
    for n in range(MANY):
        made.add([*CHROME, *range(100, 112), 1000 + n % 5], {1, 2})
    return made


def features(sample: Sample, row: int) -> Features:
    nothing = hash_set(())
    return Features(
        tag_paths=hash_set(sample.structure[row]),
        class_paths=nothing,
        classes=nothing,
        body=hash_set(sample.body[row]) if sample.body else nothing,
        url=hash_set(sample.url[row]),
        lzw=b"",
    )


def parts(sample: Sample) -> list[list[int]]:
    """What becomes of the pages behind the entries as a cluster; numbered from 0."""
    small = list(range(MANY, len(sample.structure)))
    clusters = [list(range(MANY)), small]
    evidence = sample.evidence()
    alike = evidence[STRUCTURE].similarities()
    found = bound(clusters, evidence, alike, lambda row: features(sample, row))
    assert found[0] == clusters[0]
    return [[row - MANY for row in part] for part in found[1:]]


def beside(*pages: Iterable[int], twice: bool = False) -> list[list[int]]:
    """Pages beside the entries, of which one each has the same, if it is there *twice*."""
    made = entries()
    for n, own in enumerate(pages):
        made.add([*CHROME, *own], {50 + n})
        made.structure[n] |= frozenset(own if twice else ())
    return parts(made)


def test_pages_that_only_lack_the_same_are_templates_of_their_own() -> None:
    """Catches that an about page, a contact form and an index are one template: what is their own
    is on no other page, so that they are alike by the chrome."""
    assert beside([700], [701, 702], []) == [[0], [1], [2]]


@pytest.mark.parametrize("kind", ["structure", "body", "url"])
def test_one_bond_is_enough(kind: str) -> None:
    """Catches that few pages of one plain template are let go, or that one kind is not asked."""
    made = entries()
    for n in range(3):
        structure = {*CHROME, *range(700 + n, 703 + n)} | ({800} if kind == "structure" else set())
        made.add(structure, {90} if kind == "url" else {50 + n})
    made.body = [frozenset({3})] * MANY
    made.body += [frozenset({60} if kind == "body" else {61 + n}) for n in range(3)]
    if kind == "structure":
        made.structure[MANY:] = [frozenset({*CHROME, 700 + n, 800}) for n in range(3)]
    assert parts(made) == [[0, 1, 2]]


def test_what_many_others_have_is_no_bond() -> None:
    made = entries()
    for n in range(MANY // 3):
        made.structure[n] |= {800}
    for n in range(2):
        made.add([*CHROME, 800, 700 + n], {50 + n})
    assert parts(made) == [[0], [1]]


def test_pages_that_two_by_two_have_something_in_common_stay() -> None:
    """Catches that pages of a varied template are each alone because one page was swallowed."""
    assert beside([700, 701], [701, 702], [702, 703], [710]) == [[0, 1, 2], [3]]


def test_many_plain_pages_need_no_bond() -> None:
    """Plain text has no markup of its own, be there a table here and a list there."""
    few, many = ([[700 + n] for n in range(count)] for count in (LEAST - 1, LEAST))
    assert len(beside(*few)) == LEAST - 1
    assert len(beside(*many)) == 1


def views(count: int, *, own: int) -> list[list[int]]:
    """Pages that each have so many elements of their own."""
    return [[*range(10_000 * n, 10_000 * n + own)] for n in range(1, count + 1)]


def test_views_of_a_program_of_which_each_has_much_of_its_own_are_no_template() -> None:
    """Catches that thirty pages of as many forms are one template, since they are more than few."""
    assert len(beside(*views(LEAST + 5, own=OWN), twice=True)) == LEAST + 5
    assert len(beside(*views(LEAST + 5, own=OWN - 3), twice=True)) == 1


def test_many_pages_that_are_alike_but_for_what_is_rare_are_one_template() -> None:
    """Catches that the classes of a reference, half of its pages, fall apart: what they have in
    common is on too many other pages for a bond, and each has members of its own."""
    made = entries()
    for n, own in enumerate(views(MANY // 2, own=OWN)):
        made.structure[n] |= {*own, *range(200, 212)}
        made.add([*CHROME, *own, *range(200, 212)], {50 + n})
    assert len(parts(made)) == 1


def test_many_pages_have_a_part_in_common() -> None:
    """Catches that one class in a hundred holds two page types together; a plain page stays."""
    pages = [[*page, 700] for page in views(LEAST, own=2)] + views(1, own=OWN + 40)
    pages[-1].append(700)
    pages += [[*range(800, 830)], [*range(800, 830), 701], []]
    expected = [[*range(LEAST), LEAST + 3], [LEAST], [LEAST + 1, LEAST + 2]]
    assert beside(*pages, twice=True) == expected


@pytest.mark.parametrize("count", [9, 2 * LEAST])
def test_no_page_is_lost_or_told_twice(count: int) -> None:
    chance = np.random.default_rng(3)
    for _ in range(20):
        pages = [chance.integers(700, 730, chance.integers(0, 14)).tolist() for _ in range(count)]
        found = beside(*pages)
        assert sorted(row for part in found for row in part) == list(range(count))
        assert found == sorted(found)
