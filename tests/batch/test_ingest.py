from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.batch import ingest as ingesting
from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.ingest import add_document, copy_crawl, ingest
from tplcrawl.clustering.methods import make_method
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.recollection import pages_of
from tplcrawl.recording import Recording
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery

MakePage = Callable[..., bytes]

# Which page links to which, in order; the first is the start.
LINKS = {
    "/": ("/a", "/b", "/"),
    "/a": ("/", "/c", "/elsewhere"),
    "/b": ("/a", "/d", "/d"),
    "/c": ("/c", "/d"),
    "/d": (),
    "/alone": ("/alone", "/a"),
}


def documents_of(page: MakePage, order: Sequence[str]) -> list[Document]:
    return [Document(f"http://a.com{path}", page(*LINKS[path]), "utf-8") for path in order]


def take_in(store: Store, documents: Sequence[Document], *, save_html: bool = False) -> Losses:
    losses = Losses()
    ingest(store, documents, losses, save_html=save_html)
    return losses


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@settings(max_examples=25)
@given(st.permutations(list(LINKS)))
def test_in_any_order_every_page_is_placed_by_a_link_from_another(
    page: MakePage, order: list[str]
) -> None:
    """The page that has the first link may come after the one that it leads to."""
    inbound = {
        path: {one for one, links in LINKS.items() if one != path and path in links}
        for path in LINKS
    }
    with TemporaryDirectory() as folder, Store(Path(folder)) as store:
        losses = take_in(store, documents_of(page, order))
        names = {id_: urlsplit(url).path for id_, url in store.urls.all()}
        rows = store.database.rows("SELECT id, source, location, positions FROM url")
        found = {
            names[id_]: (source, location, positions) for id_, source, location, positions in rows
        }
        assert not losses.counts
        assert len(store.pages) == len(LINKS)
        assert store.urls.queued == 1, "the page that is linked to and not there"
        for path, sources in inbound.items():
            source, location, positions = found[path]
            assert (location is not None) == bool(sources)
            if sources:
                assert names[source] in sources
                number = LINKS[names[source]].index(path) + 1
                assert positions == f"1.1.1.{number}.1"


def test_the_order_of_a_crawl_gives_the_places_of_a_crawl(page: MakePage, tmp_path: Path) -> None:
    """Breadth first, the first sighting of each page is what a crawl would have noted."""
    order = ["/", "/a", "/b", "/c", "/d", "/alone"]
    with Store(tmp_path) as store:
        take_in(store, documents_of(page, order))
        names = {id_: urlsplit(url).path for id_, url in store.urls.all()}
        rows = store.database.rows("SELECT id, source FROM url")
        sources = {names[id_]: names.get(source) for id_, source in rows}
    assert sources == {
        "/": "/a", "/a": "/", "/b": "/", "/c": "/a", "/d": "/b", "/elsewhere": "/a", "/alone": None
    }  # fmt: skip


def test_a_url_that_comes_again_is_counted_and_the_first_page_stays(
    page: MakePage, tmp_path: Path
) -> None:
    spellings = ["http://a.com/x?a=1&b=2", "http://a.com/x?b=2&a=1", "HTTP://A.com:80/x?a=1&b=2#c"]
    documents = [
        Document(url, page(text=f"<p class=version-{n}>"), "utf-8")
        for n, url in enumerate(spellings)
    ]
    with Store(tmp_path) as store:
        losses = take_in(store, documents, save_html=True)
        assert losses.counts == {"URL seen before": 2}
        (docid,) = store.pages.docids()
        assert store.pages.body(docid) == (documents[0].body, "utf-8")


def test_what_is_no_page_of_the_web_is_counted(page: MakePage, tmp_path: Path) -> None:
    urls = ["ftp://a.com/", "file:///etc/passwd", "no URL", "http://a.com/"]
    with Store(tmp_path) as store:
        losses = take_in(store, [Document(url, page(), "utf-8") for url in urls])
        assert losses.counts == {"no http URL": 3}
        assert len(store.pages) == 1


def test_pages_of_several_hosts_link_to_each_other_whatever_comes_first(
    page: MakePage, tmp_path: Path
) -> None:
    """A host is part of the site from its first page on."""
    body = page("http://one.com/", "http://www.two.com/", "http://three.com/")
    urls = ["http://one.com/", "http://two.com/", "http://one.com/a"]
    with Store(tmp_path) as store:
        take_in(store, [Document(url, body, "utf-8") for url in urls])
        counts = [len(links) for _, links in store.pages.sightings()]
        assert store.site == "one.com, two.com"
    assert counts == [1, 2, 2]


def test_what_is_told_of_every_page_is_kept(page: MakePage, tmp_path: Path) -> None:
    body = page(head="<title>A title</title>")
    with Store(tmp_path) as store:
        take_in(store, [Document("http://a.com/", body, "utf-8", 206)])
        (row,) = store.pages.rows()
        assert (row.title, row.status, row.assignment.template) == ("A title", 206, None)
        ((template, item, kind),) = store.pages.items()
    assert (template, item["title"], item["url"], kind) == (
        None, "A title", "http://a.com/", "PageItem"
    )  # fmt: skip


def test_a_copy_has_all_pages_and_no_template(page: MakePage, tmp_path: Path) -> None:
    source, target = tmp_path / "crawl", tmp_path / "copy"
    with Store(source) as store:
        take_in(store, documents_of(page, list(LINKS)), save_html=True)
        store.set_meta("method", "hybrid")
    recording = Recording(source, None, make_method("hybrid"))
    recording.round()
    recording.close()
    before = files(source)
    copy_crawl(source, target)
    assert files(source) == before
    with Store(source, write=False) as old, Store(target, write=False) as new:
        assert any(old.pages.templates())
        assert not any(new.pages.templates())
        assert (new.last_template, new.pages.aliases()) == (0, {})
        for table in ("url", "page", "location", "body", "item"):
            rows = f"SELECT * FROM {table} ORDER BY 1, 2"
            assert list(new.database.rows(rows)) == list(old.database.rows(rows))
        one, other = pages_of(old), pages_of(new)
        assert (one.urls, one.first_locations) == (other.urls, other.first_locations)


def test_a_crawl_that_was_killed_is_copied_with_what_it_had_committed(
    page: MakePage, tmp_path: Path
) -> None:
    """Its log still lies beside it, and stays as it is."""
    source, killed = tmp_path / "crawl", tmp_path / "killed"
    with Store(source) as store:
        take_in(store, documents_of(page, list(LINKS)))
        store.commit()
        killed.mkdir()
        for name in ("crawl.db", "crawl.db-wal"):
            shutil.copyfile(source / name, killed / name)
    before = files(killed)
    copy_crawl(killed, tmp_path / "copy")
    after = files(killed)
    assert {name: after[name] for name in before} == before
    with Store(tmp_path / "copy", write=False) as copy:
        assert len(copy.pages) == len(LINKS)


@pytest.mark.parametrize("urls", [[], ["ftp://a.com/"]])
def test_without_a_page_nothing_is_left(page: MakePage, tmp_path: Path, urls: list[str]) -> None:
    with Store(tmp_path / "crawl") as store:
        take_in(store, [Document(url, page(), "utf-8") for url in urls])
    assert not (tmp_path / "crawl").exists()


def test_items_are_json(page: MakePage, tmp_path: Path) -> None:
    """Lone surrogates of a broken page do not break what is written of it."""
    body = b"<html><title>\xed\xa0\x80 \xff</title><body></body></html>"
    with Store(tmp_path) as store:
        take_in(store, [Document("http://a.com/", body, "utf-8")])
        ((_, item, _),) = store.pages.items()
    assert json.loads(json.dumps(item))["url"] == "http://a.com/"


TABLES = ("url", "location", "page", "assignment", "item")


def tables(store: Store) -> list[list[object]]:
    return [list(store.database.rows(f"SELECT * FROM {name} ORDER BY 1")) for name in TABLES]


@pytest.mark.parametrize("together", [1, 4, 100])
@pytest.mark.parametrize("passing", [True, False])
def test_pages_that_are_written_together_are_written_as_one_by_one(
    page: MakePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, together: int, passing: bool
) -> None:
    """Also one that a link has spelt in another way, which is how it is known then."""
    monkeypatch.setattr(ingesting, "_TOGETHER", together)
    documents = documents_of(page, list(LINKS))
    documents += [
        Document("http://a.com/q", page("/s?b=1&a=2", "/x?%41"), "utf-8"),
        Document("http://a.com/s?a=2&b=1", page("?c", "/a"), "utf-8", 203),
        Document("http://a.com/x?A", page("y"), "utf-8"),
    ]
    cleaner = Cleaner(Site(["http://a.com/"]))
    with Store(tmp_path / "one") as one, Store(tmp_path / "all", passing=passing) as all_:
        for document in documents:
            docid = one.urls.discover([Discovery(document.url, 0)])[0]
            add_document(one, docid, document, cleaner)
        ingesting.take_in(all_, documents, Losses(), Site(["http://a.com/"]), save_html=False)
        assert "http://a.com/s?b=1&a=2" in dict(all_.urls.all()).values()
        assert all_.urls.queued == one.urls.queued > 0
        links = [dict(store.pages.sightings()) for store in (one, all_)]
        assert {n: table.encode() for n, table in links[0].items()} == {
            n: table.encode() for n, table in links[1].items()
        }
        for store in (one, all_):
            store.database.write("UPDATE page SET sightings = ''")
        assert tables(one) == tables(all_)


def test_of_pages_that_are_written_together_all_are_or_none(
    page: MakePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = documents_of(page, list(LINKS))
    losses = Losses()
    with Store(tmp_path, passing=True) as store:
        site = Site(["http://a.com/"])
        ingesting.take_in(store, documents[:2], losses, site, save_html=True)
        before = tables(store)

        def broken(statuses: object) -> None:
            raise ZeroDivisionError

        with monkeypatch.context() as patch:
            patch.setattr(store.urls, "settle_fetched", broken)
            with pytest.raises(ZeroDivisionError):
                ingesting.take_in(store, documents[2:], losses, site, save_html=True)
        assert tables(store) == before
        ingesting.take_in(store, documents, losses, site, save_html=True)
        assert len(store.pages) == len(store.pages.bodies()) == len(LINKS)
        assert losses.counts == {"URL seen before": 2}
        assert store.urls.queued == 1
