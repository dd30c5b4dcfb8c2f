"""What a model reads of pages, from a store."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tplcrawl import shelf as shelves
from tplcrawl.batch.documents import Document
from tplcrawl.batch.ingest import add_document
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.recollection import pages_of
from tplcrawl.shelf import Spots, StoreShelf
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery, State

CLEANER = Cleaner(Site(["http://a.com/"]))


def add(store: Store, path: str, *links: str) -> int:
    body = "".join(f"<p><a href={link}>x</a></p>" for link in links)
    document = Document(f"http://a.com{path}", body.encode(), "utf-8")
    docid = store.urls.discover([Discovery(document.url, 0)])[0]
    add_document(store, docid, document, CLEANER)
    return docid


def test_positions_are_those_of_all_pages_that_are_there(tmp_path: Path) -> None:
    """They are read once for many questions, but anew when pages have come."""
    with Store(tmp_path) as store:
        shelf = StoreShelf(store)
        one, two = add(store, "/1", "/2", "/1"), add(store, "/2", "/2", "/x", "/1")
        found = shelf.stands([one, two]).positions
        assert [len(spots) for spots in found] == [1, 1], "a page's own links do not count"
        assert found[0].tolist() != found[1].tolist(), "the third link and the first"
        swapped = [shelf.stands([docid]).positions[0].tolist() for docid in (two, one)]
        assert swapped == [spots.tolist() for spots in reversed(found)]
        three = add(store, "/3", "/2", "/3", "/1")
        later = shelf.stands([one, two, three]).positions
        assert [spots.tolist() for spots in later[:2]] == [spots.tolist() for spots in found]
        assert not len(later[2])
        add(store, "/4", "/3")
        assert shelf.stands([three]).positions[0].tolist() == found[1].tolist()
        fresh = StoreShelf(store).stands([three, two, one]).positions
        assert [a.tolist() for a in fresh] == [
            a.tolist() for a in shelf.stands([three, two, one]).positions
        ]


def test_links_to_what_was_redirected_are_links_to_the_page(tmp_path: Path) -> None:
    """A site whose links all lack a slash. Catches that nothing is known of links there, and that a
    page's own links count for it when they are redirected."""
    with Store(tmp_path) as store:
        one = add(store, "/1/", "/2", "/1")
        two = add(store, "/2/", "/2", "/1")
        unslashed = [Discovery(f"http://a.com/{n}", 0) for n in (1, 2)]
        for asked, end in zip(store.urls.discover(unslashed), (one, two), strict=True):
            store.urls.settle(asked, State.REDIRECTED, target=end)
        spots = StoreShelf(store).stands([one, two]).positions
        assert [len(found) for found in spots] == [1, 1]
        locations = pages_of(store).inbound.locations_by_page(2)
        assert [len(found) for found in locations] == [1, 1]


def test_an_entry_of_a_menu_is_no_row_of_a_list_however_few_pages_it_leads_to() -> None:
    """A tracker with a few projects, each with a page of files that all of its pages link to.
    Catches that files, documents and forums are linked from nowhere, and become one template."""
    entry, row, usual = 1, 2, 3
    links = [
        (source, target, spot)
        for spot, targets, times in (
            (entry, range(1, 6), 5),
            (row, range(11, 18), 1),
            (usual, range(21, 29), 1),
        )
        for target in targets
        for source in range(100, 100 + times)
    ]
    sources, targets, spots = np.array(links, np.uint32).T
    found = Spots(np.unique(sources).astype(np.int64), sources, targets, spots, spots * 0)
    led = found.leading_to(range(1, 401)).positions
    assert [docid for docid, own in enumerate(led, 1) if entry in own] == [1, 2, 3, 4, 5]
    assert not any(row in own for own in led), "each from one page: nothing tells it from a row"
    assert sum(usual in own for own in led) == 8, "2 % of the pages"
    few = found.leading_to(range(11, 51)).positions
    assert sum(row in own for own in few) == 7, "of few pages, these are many"


def test_columns_are_the_same_whatever_the_row(tmp_path: Path) -> None:
    """Two lists of books and their authors. Catches that a column is no place, that rows are
    columns, and that links in a text stand in any."""
    with Store(tmp_path) as store:
        books = [add(store, f"/book/{n}") for n in range(12)]
        authors = [add(store, f"/author/{n}") for n in range(12)]
        for half in range(2):
            rows = "".join(
                f"<tr><td><a href=/book/{n}>b</a><td>is by<td><a href=/author/{n}>a</a>"
                for n in range(6 * half, 6 * half + 6)
            )
            text = "<p>See " + ", or ".join(f"<a href=/book/{n}>this</a>" for n in range(12))
            body = f"<ul><li><a href=/book/1>x</a></ul><table>{rows}</table>{text}"
            docid = store.urls.discover([Discovery(f"http://a.com/list/{half}", 0)])[0]
            document = Document(f"http://a.com/list/{half}", body.encode(), "utf-8")
            add_document(store, docid, document, CLEANER)
        columns = [own.tolist() for own in StoreShelf(store).stands([*books, *authors]).columns]
        assert columns == [columns[0]] * 12 + [columns[12]] * 12
        assert len(columns[0]) == len(columns[12]) == 1
        assert columns[0] != columns[12]


def test_what_is_kept_of_pages_is_what_a_new_shelf_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a crawl goes on, other pages are the ones that tell where links stand. Catches links of
    pages that tell no longer, and pages that are read again."""
    monkeypatch.setattr(shelves, "SOURCES", 5)
    asked: list[int] = []
    with Store(tmp_path) as store:
        read = store.pages.sightings
        monkeypatch.setattr(
            store.pages, "sightings", lambda docids: asked.extend(docids) or read(docids)
        )
        shelf = StoreShelf(store)
        docids: list[int] = []
        for number in range(23):
            links = [f"/{(number * step) % 23}/" for step in (1, 3, 7, 7 + number % 2)]
            docids.append(add(store, f"/{number}/", *links, f"/{number + 1}"))
            unslashed = store.urls.discover([Discovery(f"http://a.com/{number}", 0)])[0]
            store.urls.settle(unslashed, State.REDIRECTED, target=docids[-1])
            if number % 3 == 1:
                asked.clear()
                found = [spots.tolist() for spots in shelf.stands(docids).positions]
                assert len(asked) == len(set(asked)) <= 5
                if 1 < number < 5:
                    assert asked == sorted(docids[2:]), "the others were read before"
                fresh = StoreShelf(store).stands(docids).positions
                assert found == [spots.tolist() for spots in fresh]
                assert any(found)
