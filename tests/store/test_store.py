from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.errors import ForeignStore, StoreError
from tplcrawl.records import Links
from tplcrawl.store.database import FILE
from tplcrawl.store.pages import Item
from tplcrawl.store.store import Store, fetch_all
from tplcrawl.store.urls import Discovery, Place, State
from tplcrawl.words import packed

Write = Callable[..., int]

URL = "http://a.com/"


def test_a_store_comes_back_as_it_was(tmp_path: Path, write: Write) -> None:
    with Store(tmp_path) as store:
        store.claim("a.com")
        store.last_template = 7
        store.set_meta("anything", {"b": [1, None], "a": "é\u2028"})
        write(store, URL, ["/b"], items=[Item("A", "{}")], body=(b"x", "utf-8"), template=1)
    for mode in (True, False):
        with Store(tmp_path, write=mode) as store:
            assert store.site == "a.com"
            assert store.last_template == 7
            assert store.meta("anything") == {"b": [1, None], "a": "é\u2028"}
            assert store.meta("nothing", "else") == "else"
            assert store.urls.counts()[State.QUEUED] == store.urls.queued == 1
            assert store.pages.templates() == [1]
            assert store.pages.body(1) == (b"x", "utf-8")
            assert not store.empty


def test_a_directory_is_for_one_site(tmp_path: Path, write: Write) -> None:
    with Store(tmp_path) as store:
        store.claim("a.com")
        store.claim("a.com")
        write(store, URL)
    with Store(tmp_path) as store:
        with pytest.raises(ForeignStore, match=r"a\.com, not of b\.com"):
            store.claim("b.com")
        assert store.site == "a.com"


def test_a_store_can_forget_its_templates(tmp_path: Path, write: Write) -> None:
    with Store(tmp_path) as store:
        for n in range(3):
            write(store, f"{URL}{n}", template=n or None)
        store.pages.set_aliases({3: 1})
        store.last_template = 3
        store.forget_templates()
    with Store(tmp_path) as store:
        assert store.pages.templates() == [None] * 3
        assert {row.assignment.confidence for row in store.pages.rows()} == {0}
        assert store.pages.aliases() == {}
        assert store.last_template == 0


# Commits


def test_what_waits_for_less_is_not_committed(tmp_path: Path, write: Write) -> None:
    with Store(tmp_path) as store:
        reader = Store(tmp_path, write=False)
        write(store, URL, ["/b"])
        store.commit(every=3600)
        assert len(reader.pages) == 0
        write(store, URL + "b")
        store.commit()
        assert len(reader.pages) == 2
        write(store, URL + "c")
        reader.close()
    with Store(tmp_path, write=False) as reader:
        assert len(reader.pages) == 3


def test_an_empty_crawl_leaves_nothing(tmp_path: Path) -> None:
    with Store(tmp_path / "crawls" / "a.com") as store:
        store.claim("a.com")
        store.urls.discover([Discovery(URL, 0)])
        store.locations.ids(["/html"])
        store.urls.settle(1, State.FAILED, reason="timeout")
        assert store.empty
    assert list(tmp_path.iterdir()) == []


def test_a_crawl_with_a_page_or_an_item_stays(tmp_path: Path, write: Write) -> None:
    with Store(tmp_path / "page") as store:
        write(store, URL)
    with Store(tmp_path / "item") as store:
        store.pages.add_items(0, [Item("A", "{}")])
    for name in ("page", "item"):
        with Store(tmp_path / name) as store:
            assert not store.empty


def test_reading_an_empty_crawl_takes_nothing_away(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.urls.discover([Discovery(URL, 0)])
    store.commit()
    with Store(tmp_path, write=False) as reader:
        assert reader.empty
    assert (tmp_path / FILE).is_file()
    store.close()


# Links

HREFS = st.lists(st.sampled_from([f"{URL}{n}" for n in "abcd"]), max_size=8)
SPOTS = st.tuples(st.sampled_from(["/html/a", "/html/p/a"]), st.integers(1, 3))


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(st.tuples(st.sampled_from("abcdef"), SPOTS), max_size=7), max_size=5),
    st.sets(st.sampled_from("abcdef")),
)
def test_each_url_is_discovered_once_where_it_was_first_seen(
    pages: list[list[tuple[str, tuple[str, int]]]], denied: set[str]
) -> None:
    """The oracle: a dict of first sightings."""

    def skip(url: str, depth: int) -> str | None:
        return f"at depth {depth}" if url[-1] in denied else None

    first: dict[str, tuple[int, str, str, int, int]] = {}
    locations: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        for docid, found in enumerate(pages, 1):
            links = Links(
                tuple(URL + name for name, _ in found),
                tuple(location for _, (location, _) in found),
                tuple((1, number) for _, (_, number) in found),
                (False,) * len(found),
                tuple(f"{name} from {docid}" for name, _ in found),
            )
            seen = store.see_links(docid, depth=docid, links=links, skip=skip)
            for name, (location, number) in found:
                locations.setdefault(location, len(locations) + 1)
                sighting = docid + 1, location, f"1.{number}", len(first) + 1, docid
                first.setdefault(URL + name, sighting)
            assert seen.targets.tolist() == [first[url][3] for url in links.urls]
            assert seen.locations.tolist() == [locations[path] for path in links.locations]
            assert seen.positions == links.positions
        for url, (_, _, _, id_, source) in first.items():
            assert store.urls.get(id_).words == packed(f"{url[-1]} from {source}")
        assert [one[:4] for one in store.urls.unfetched()] == [
            (url, depth, Place(locations[location], positions, source), skip(url, depth))
            for url, (depth, location, positions, _, source) in first.items()
        ]


def test_all_links_of_a_page_to_a_new_url_say_what_it_is(tmp_path: Path) -> None:
    """A picture without words comes before the name. Catches keeping the first link alone, and what
    another page says later."""
    urls = (URL + "lamp", URL + "lamp", URL + "chair")
    links = Links(urls, ("/a",) * 3, ((1,),) * 3, (False,) * 3, ("", "Blue lamp", ""))
    with Store(tmp_path) as store:
        for docid, said in enumerate([links, replace(links, said=("Late",) * 3)], 1):
            store.see_links(docid, 0, said, fetch_all)
        words = [url.words for url in store.urls.waiting(0, 9)]
    assert words == [packed("Blue lamp"), b""]


# Errors


def test_a_page_that_cannot_be_written_leaves_nothing(tmp_path: Path, write: Write) -> None:
    """The items are the last that is written: one that no database takes, after all the rest."""
    bad = Item("A", '"\ud800"')
    with Store(tmp_path) as store:
        write(store, URL, ["/b"])
        with pytest.raises(UnicodeError):
            write(store, URL + "b", ["/c", "/d"], items=[Item("A", "1"), bad], body=(b"x", "ascii"))
        store.urls.settle(2, State.FAILED, reason="error")
        write(store, URL + "e", ["/d", "/f"])
    with Store(tmp_path, write=False) as store:
        assert store.pages.item_count() == 0
        assert store.pages.bodies() == []
        assert [row.url for row in store.pages.rows()] == [URL, URL + "e"]
        urls = [url for _, url in store.urls.all()]
        assert URL + "c" not in urls
        assert sorted(set(urls)) == sorted(urls)
        names = dict(store.urls.all())
        assert [[names[id_] for id_ in seen.targets] for _, seen in store.pages.sightings()] == [
            [URL + "b"],
            [URL + "d", URL + "f"],
        ]


def test_a_broken_database_is_told_in_one_line_and_is_not_held(
    tmp_path: Path, write: Write
) -> None:
    with Store(tmp_path) as store:
        for n in range(40):
            write(store, f"{URL}{n}", [f"/{n}/{k}" for k in range(50)])
    path = tmp_path / FILE
    whole = path.read_bytes()
    for mode in (False, True):
        path.write_bytes(whole[:8192] + b"\0" * (len(whole) - 8192))
        with pytest.raises(StoreError, match=FILE):
            Store(tmp_path, write=mode)
    path.write_bytes(whole)
    with Store(tmp_path) as store:
        assert len(store.pages) == 40


def test_nothing_is_skipped_by_default() -> None:
    assert fetch_all(URL, 99) is None
