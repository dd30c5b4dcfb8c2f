from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.made_clusters import Sample
from tplcrawl.clustering.furniture import OF_ONE
from tplcrawl.clustering.strays import LEAST, let_go

CHROME, ENTRY, OTHER = range(500, 506), range(100, 112), range(900, 912)


def entries(count: int) -> Sample:
    """So many pages of a reference, with some content of their own."""
    made = Sample()
    for n in range(count):
        made.add([*CHROME, *ENTRY, 1000 + n % 5], {1, 2, 3, 10 + n % 4})
    return made


def parts(sample: Sample, clustered: int) -> list[list[int]]:
    """What becomes of a cluster of the first pages, beside one of other pages."""
    for n in range(20):
        sample.add([*range(700, 720), 3000 + n % 3], {7, 8})
    evidence = sample.evidence()
    similarities = {kind: one.similarities() for kind, one in evidence.items()}
    whole = [list(range(clustered)), list(range(clustered, len(sample.structure)))]
    return let_go(whole, evidence, similarities)


def beside(structure: Iterable[int], url: Iterable[int], entry_pages: int = 30) -> list[list[int]]:
    """What becomes of a cluster of entries and one more page."""
    made = entries(entry_pages)
    made.add(structure, url)
    return parts(made, entry_pages + 1)[:2]


def test_a_home_page_among_entries_is_let_go() -> None:
    """Catches that single pages stay in the cluster that took them in."""
    assert beside([*CHROME, *OTHER], {9}) == [list(range(30)), [30]]


@pytest.mark.parametrize("url", [{1, 2, 3, 10}, {1, 2, 3}])
def test_an_odd_page_whose_url_is_like_the_others_stays(url: set[int]) -> None:
    """It is a variant. Catches going by looks alone, of which merging has judged."""
    assert beside([*CHROME, *OTHER], url)[0] == list(range(31))


def test_a_page_that_has_what_the_others_have_stays() -> None:
    """Much content of one's own makes no other template."""
    much = [*CHROME, *ENTRY, *OTHER, *range(910, 960)]
    assert beside(much, {9})[0] == list(range(31))
    little = list(ENTRY)[: len(ENTRY) - OF_ONE + 1]
    assert beside([*CHROME, *little, *OTHER], {9})[0] == list(range(31))


def test_a_few_pages_do_not_show_what_is_usual() -> None:
    few = LEAST - 2
    assert beside([*CHROME, *OTHER], {9}, few)[0] == list(range(few + 1))
    assert beside([*CHROME, *OTHER], {9}, few + 1)[1] == [few + 1]
