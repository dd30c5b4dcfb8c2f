from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.clustering.continuations import FEWEST, joined
from tplcrawl.clustering.evidence import LOCATION, STRUCTURE, URL
from tplcrawl.clustering.pairs import Pairs
from tplcrawl.fingerprints.url_shape import continued

SITE = "http://a.com"


def similarities(sizes: Sequence[int], across: float) -> dict[str, Pairs]:
    """Of pages in clusters of these *sizes*: 0.9 inside, *across* between; all that is known of
    them without a look speaks against."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    same = owner[:, None] == owner[None, :]
    looks = np.where(same, 0.9, across).astype(np.float32)
    hearsay = np.where(same, 0.9, 0.0).astype(np.float32)
    np.fill_diagonal(looks, 1)
    np.fill_diagonal(hearsay, 1)
    alike = {STRUCTURE: looks, "classes": looks, URL: hearsay, LOCATION: hearsay}
    return {kind: Pairs.of_all(values) for kind, values in alike.items()}


def parts(first: Sequence[str], second: Sequence[str], across: float = 0.7) -> list[list[int]]:
    """What becomes of two clusters of pages with these paths."""
    urls = [SITE + path for path in (*first, *second)]
    clusters = [list(range(len(first))), list(range(len(first), len(urls)))]
    return joined(clusters, urls, similarities([len(first), len(second)], across))


LISTS = [f"/tag/{name}/" for name in "abcdefgh"]
SECOND = [f"{path}page/{n}/" for path in LISTS for n in (2, 3)]
WHOLE, APART = [list(range(24))], [list(range(8)), list(range(8, 24))]


def test_pages_of_lists_are_joined_with_the_first_ones() -> None:
    assert parts(LISTS, SECOND) == WHOLE
    assert parts(SECOND, LISTS) == WHOLE


def test_what_does_not_look_like_what_it_continues_stays_apart() -> None:
    """Editing version 3 of an article."""
    assert parts(LISTS, SECOND, across=0.2) == APART


def test_items_of_a_list_are_no_pages_of_it() -> None:
    """Their numbers do not come again."""
    items = [f"{path}review/{at + 100}/" for at, path in enumerate(LISTS + LISTS)]
    assert parts(LISTS, items) == APART


def test_a_single_list_continues_nothing() -> None:
    """The items of one list have its URL and a number, too; that many lists go on so is a rule."""
    few = LISTS[: FEWEST - 1]
    second = [f"{path}page/{n}/" for path in few for n in (2, 3, 4, 5)]
    assert parts(LISTS, second) == APART
    assert parts(LISTS, [*second, f"{LISTS[-1]}page/2/"]) == [list(range(25))]


def test_what_continues_pages_of_several_templates_is_no_continuation_of_one() -> None:
    urls = [SITE + path for path in (*LISTS, *(f"/post/{name}/" for name in "abcdefgh"))]
    urls += [f"{url}page/{n}/" for url in urls for n in (2, 3)]
    clusters = [list(range(8)), list(range(8, 16)), list(range(16, 48))]
    assert joined(clusters, urls, similarities([8, 8, 32], 0.7)) == clusters


def test_in_a_sample_some_of_what_is_continued_may_be_missing() -> None:
    gone = [f"/tag/gone-{at}/page/2/" for at in range(30)]
    assert parts(LISTS, [*SECOND, *gone]) == [list(range(54))]
    more = [f"/tag/gone-{at}/page/2/" for at in range(70)]
    assert len(parts(LISTS, [*SECOND, *more])) == 2


@pytest.mark.parametrize(
    ("url", "base"),
    [("/blog?tag=x&page=2", "/blog?tag=x"), ("/blog?page=2", "/blog"), ("/t?id=7&at=20", "/t?id=7"),
     ("/wiki/A?version=3", "/wiki/A"), ("/a/p2", "/a"), ("/a/p2", "/a/"), ("/a/page/2/", "/a/"),
     ("/a/2", "/a"), ("/a-2.html", "/a.html"), ("/a2.html", "/a.html"), ("/a/index2.html", "/a/"),
     ("/a/page-2.html", "/a/"), ("/a/page-2.html", "/a.html")],
)  # fmt: skip
def test_a_url_continues_the_one_without_its_number(url: str, base: str) -> None:
    assert SITE + base in [told for _, told in continued(SITE + url)]


@pytest.mark.parametrize(
    "url", ["/", "/a", "/a/", "/a.html", "/2024/a", "/a?b=c", "/a?b=2c", "/a2?b"]
)
def test_a_url_without_a_number_of_its_own_continues_none(url: str) -> None:
    assert list(continued(SITE + url)) == []


@given(st.text(alphabet="a1/?=&-.", max_size=30))
def test_a_number_is_taken_out_of_any_url(path: str) -> None:
    for number, base in continued(f"{SITE}/{path}"):
        assert number.isdecimal()
        assert number in path
        assert base != f"{SITE}/{path}"
        assert len(base) <= len(f"{SITE}/{path}") + 1


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40), st.data())
def test_what_comes_out_is_a_coarser_partition(labels: list[int], data: st.DataObject) -> None:
    path = st.sampled_from([*LISTS, *SECOND, "/", "/page/2/", "/tag/a/7"])
    urls = [SITE + data.draw(path) for _ in labels]
    clusters = [[i for i, one in enumerate(labels) if one == own] for own in sorted(set(labels))]
    owner = np.array(labels)
    alike = np.where(owner[:, None] == owner[None, :], 0.9, 0.8).astype(np.float32)
    np.fill_diagonal(alike, 1)
    found = joined(clusters, urls, {STRUCTURE: alike})
    assert sorted(row for part in found for row in part) == list(range(len(labels)))
    assert found == sorted(found)
    for part in clusters:
        assert sum(set(part) <= set(whole) for whole in found) == 1
