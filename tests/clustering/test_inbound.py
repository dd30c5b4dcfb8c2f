from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.clustering import inbound
from tplcrawl.clustering.inbound import Inbound, InboundCounter

Link = tuple[int, int, bool]
Crawl = list[tuple[int, list[Link]]]

PAGES = st.sampled_from([1, 2, 3, 4, 70_000, 2**32 - 1])
LOCATIONS = st.sampled_from([1, 2, 3, 200_001])
LINKS = st.lists(st.tuples(PAGES, LOCATIONS, st.booleans()), max_size=12)
CRAWLS = st.lists(st.tuples(PAGES, LINKS), max_size=8)


def add(counter: InboundCounter, source: int, links: list[Link]) -> None:
    counter.add(
        source,
        np.array([link[0] for link in links], np.uint32),
        np.array([link[1] for link in links], np.uint32),
        np.array([link[2] for link in links], bool),
    )


def expected(crawl: Crawl) -> dict[Link, int]:
    """The slow and obvious count: each distinct link of a page once, none to itself."""
    counts: Counter[Link] = Counter()
    for source, links in crawl:
        counts.update({link for link in links if link[0] != source})
    return dict(counts)


def rows(found: Inbound) -> list[tuple[Link, int]]:
    columns = (found.pages.tolist(), found.locations.tolist(), found.prose.tolist())
    return list(zip(zip(*columns, strict=True), found.counts.tolist(), strict=True))


@pytest.mark.parametrize("flush", [0, 3, 10, 1 << 19])
@settings(deadline=None, max_examples=60)
@given(crawl=CRAWLS, look=st.sets(st.integers(0, 7)))
def test_counts_are_those_of_a_counter(flush: int, crawl: Crawl, look: set[int]) -> None:
    """Whenever the pending links are counted, and however often somebody looks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inbound, "_FLUSH", flush)
        counter = InboundCounter()
        for number, (source, links) in enumerate(crawl):
            add(counter, source, links)
            if number in look:
                assert dict(rows(counter.result())) == expected(crawl[: number + 1])
        found = rows(counter.result())
    assert found == sorted(expected(crawl).items())
    for page in (0, 1, 2, 70_000, 2**32 - 1):
        known = sorted({location for (target, location, _) in expected(crawl) if target == page})
        assert counter.locations_of(page).tolist() == known


@settings(deadline=None, max_examples=60)
@given(crawl=CRAWLS, ends=st.dictionaries(PAGES, PAGES, max_size=4))
def test_links_to_what_led_elsewhere_are_links_to_its_end(
    crawl: Crawl, ends: dict[int, int]
) -> None:
    """Each once, in the order of pages. Catches that rows of one page stay apart or unsorted, which
    would hide locations."""
    counter = InboundCounter()
    for source, links in crawl:
        add(counter, source, links)
    counts: Counter[Link] = Counter()
    for (page, location, prose), count in expected(crawl).items():
        counts[ends.get(page, page), location, prose] += count
    assert rows(counter.result().moved(ends)) == sorted(counts.items())


def test_links_that_wait_to_be_counted_are_not_known_yet() -> None:
    counter = InboundCounter()
    add(counter, 1, [(2, 5, False)])
    assert counter.locations_of(2).tolist() == []
    counter.result()
    add(counter, 1, [(2, 6, False)])
    assert counter.locations_of(2).tolist() == [5]


@settings(deadline=None, max_examples=100)
@given(CRAWLS, st.sets(PAGES))
def test_of_pages_keeps_the_links_to_those_pages_under_their_new_numbers(
    crawl: Crawl, chosen: set[int]
) -> None:
    counter = InboundCounter()
    for source, links in crawl:
        add(counter, source, links)
    docids = sorted(chosen)
    part = counter.result().of_pages(np.array(docids, np.int64))
    numbers = {docid: number for number, docid in enumerate(docids)}
    counts = expected(crawl)
    assert rows(part) == [
        ((numbers[page], location, prose), counts[page, location, prose])
        for page, location, prose in sorted(counts)
        if page in numbers
    ]
    locations = defaultdict(set)
    for page, location, _ in counts:
        locations[page].add(location)
    by_page = part.locations_by_page(len(docids))
    assert [found.tolist() for found in by_page] == [sorted(locations[d]) for d in docids]
