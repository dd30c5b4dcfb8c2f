from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.page.profile import profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.store.sightings import SightingTable

IDS = st.integers(0, 2**32 - 1)
SIGHTINGS = st.lists(st.tuples(IDS, IDS, st.booleans(), st.lists(IDS, max_size=40).map(tuple)))

Row = tuple[int, int, bool, tuple[int, ...]]


def table_of(rows: list[Row]) -> SightingTable:
    return SightingTable.of(
        np.array([row[0] for row in rows], np.uint32),
        np.array([row[1] for row in rows], np.uint32),
        np.array([row[2] for row in rows], bool),
        tuple(row[3] for row in rows),
    )


def rows_of(table: SightingTable) -> list[Row]:
    columns = (table.targets.tolist(), table.locations.tolist(), table.prose.tolist())
    return list(zip(*columns, table.positions, strict=True))


@settings(deadline=None, max_examples=200)
@given(SIGHTINGS, st.booleans())
def test_a_table_comes_back_as_it_was_packed_or_not(rows: list[Row], packed: bool) -> None:
    table = SightingTable.decode(table_of(rows).encode(packed=packed))
    assert rows_of(table) == rows
    assert len(table) == len(rows)


def test_a_page_of_twenty_thousand_deep_links_comes_back() -> None:
    rows: list[Row] = [(i, i % 7, i % 3 == 0, (1,) * 40 + (i,)) for i in range(20_000)]
    assert rows_of(SightingTable.decode(table_of(rows).encode())) == rows


def test_the_same_links_make_the_same_bytes() -> None:
    rows = [(3, 1, True, (1, 2)), (2**32 - 1, 2, False, ())]
    assert table_of(rows).encode() == table_of(list(rows)).encode()


def test_a_sighting_takes_at_most_ten_bytes_on_a_site_with_menus() -> None:
    site = SampleSite(Sizes(menu=165, products=400, posts=20, threads=20, users=20))
    origin = "http://a.com"
    cleaner = Cleaner(Site([origin + "/"]))
    urls: dict[str, int] = {}
    locations: dict[str, int] = {}
    size = count = 0
    for path in list(site.pages)[:120]:
        html = site.html(path)
        assert html is not None
        links = profile_of(origin + path, html.encode(), cleaner).links
        table = table_of(
            [
                (
                    urls.setdefault(sighting.url, len(urls) + 1),
                    locations.setdefault(sighting.location, len(locations) + 1),
                    sighting.prose,
                    sighting.positions,
                )
                for sighting in links.sightings(1)
            ]
        )
        size += len(table.encode())
        count += len(table)
    assert count > 20_000
    assert size <= 10 * count
