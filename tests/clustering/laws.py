"""What holds for many methods; each test file says for which parameters and pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from tests.clustering.made_bodies import outline_of
from tests.clustering.made_sites import NO_FEATURES, arrival, labels_of, parts_of, site_of
from tests.made_trees import Rows
from tests.made_trees import outline_of as tree_outline
from tplcrawl.clustering.base import Method
from tplcrawl.clustering.linked import Linked
from tplcrawl.clustering.pages import Pages
from tplcrawl.outline import Outline

R = TypeVar("R")


def seen_by(method: Linked[R], outlines: Iterable[Outline]) -> list[R]:
    """What *method* compares of pages without features."""
    return [method.represent(NO_FEATURES, outline) for outline in outlines]


def seen_of_trees(method: Linked[R], trees: Iterable[Rows]) -> list[R]:
    """What *method* compares of pages that are these trees."""
    return seen_by(method, [tree_outline(rows) for rows in trees])


def lawful_similarity(method: Linked[R], a: R, b: R) -> float:
    """How alike two pages are: the same either way, within bounds, and 1 for a page and itself."""
    found = method.similarity(a, b)
    assert found == method.similarity(b, a)
    assert 0 <= found <= 1
    assert method.similarity(a, a) == 1
    return found


def check_order(method: Method, site: Pages, order: Sequence[int]) -> None:
    """In *order*, the pages of *site* have the clusters that they have as they stand; clusters are
    numbered as they come."""
    moved = replace(
        site,
        features=[site.features[i] for i in order],
        outlines=[site.outlines[i] for i in order],
    )
    one, other = (labels_of(method.cluster(pages)) for pages in (site, moved))
    for labels in (one, other):
        assert list(dict.fromkeys(labels)) == list(range(len(set(labels))))
    assert parts_of(other, order) == parts_of(one)


def check_all_pairs(method: Linked[R], outlines: Sequence[Outline], order: Sequence[int]) -> None:
    """The links are those that comparing all pairs finds, and so are the clusters in any order."""
    seen = seen_by(method, outlines)
    assert set(method.links(seen)) == set(Linked.links(method, seen))
    check_order(method, site_of(outlines), order)


def check_later_pages(method: Method) -> None:
    """A later page is of the template whose pages it is like but for repetition; one like none is
    of none."""
    lists, posts = "<ul><li><a>x</a></li></ul>", "<div><p>a</p><i>b</i></div><hr>"
    found = method.cluster(site_of([outline_of(body) for body in (lists, posts, lists * 2)]))
    assert labels_of(found) == [0, 1, 0]
    later = [arrival(outline_of(body)) for body in (posts * 2, "<table></table>")]
    assert [found.classifier.assign(one).template for one in later] == [1, None]
