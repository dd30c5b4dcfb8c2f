from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.outline import Outline
from tplcrawl.records import Assignment, Links, Profile
from tplcrawl.store.merging import absorb
from tplcrawl.store.ordering import arrange
from tplcrawl.store.pages import Item
from tplcrawl.store.placing import place_anew
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery, Place, State

OUTLINE = Outline((-1,), ("html",), (True,), (0,))
NAMES = st.sampled_from("abcdefgh")
SITES = st.lists(st.tuples(NAMES, st.lists(NAMES, max_size=4)), max_size=12)
Site = Sequence[tuple[str, Sequence[str]]]


def url(name: str) -> str:
    return f"http://a.com/{name}"


def add(store: Store, name: str, links: Sequence[str], *, depth: int = 0) -> int:
    docid = store.urls.discover([Discovery(url(name), depth)])[0]
    if store.pages.has(docid):
        return docid
    told = Links(
        tuple(map(url, links)),
        tuple(f"/html/{one}" for one in links),
        tuple((1, n + 1) for n, _ in enumerate(links)),
        (False,) * len(links),
    )
    store.add_page(
        docid,
        depth=depth,
        status=200,
        profile=Profile(url(name), OUTLINE, b"", told, title=name),
        features=b"",
        assignment=Assignment(7, 1.0, "sure"),
        items=[Item("PageItem", json.dumps({"name": name}))],
        body=(name.encode(), "utf-8"),
    )
    return docid


def content(store: Store) -> dict[str, object]:
    """All that a store knows, by URLs."""
    names = dict(store.urls.all())
    paths = store.locations.paths()
    return {
        "urls": {
            (names[id_], state) for id_, state in store.database.rows("SELECT id, state FROM url")
        },
        "pages": {
            names[docid]: [
                (names[link.targets[i]], paths[link.locations[i]], link.positions[i])
                for i in range(len(link))
            ]
            for docid, link in store.pages.sightings()
        },
        "items": sorted(data for _, data in store.database.rows("SELECT docid, data FROM item")),
        "bodies": {names[docid]: store.pages.body(docid) for docid in store.pages.bodies()},
        "places": {
            names[docid]: (names[source], paths[location])
            for docid, source, location in store.database.rows(
                "SELECT id, source, location FROM url WHERE location IS NOT NULL"
            )
        },
    }


@settings(max_examples=60)
@given(site=SITES, data=st.data())
def test_parts_are_absorbed_as_if_one_had_seen_all(site: Site, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(site)), max_size=3)))
    with TemporaryDirectory() as folder, Store(Path(folder, "one")) as one:
        for name, links in site:
            add(one, name, links)
        place_anew(one)
        with Store(Path(folder, "all")) as merged:
            doubled = 0
            for start, end in zip([0, *cuts], [*cuts, len(site)], strict=True):
                with Store(Path(folder, f"part{start}-{end}")) as part:
                    for name, links in site[start:end]:
                        add(part, name, links)
                    doubled += absorb(merged, part)
            place_anew(merged)
            found, expected = content(merged), content(one)
            # Links of pages that were there already are known, and lead nowhere new.
            assert expected.pop("urls") <= found.pop("urls")  # type: ignore[operator]
            places = found.pop("places"), expected.pop("places")
            pages = {url(name) for name, _ in site}
            assert {n for n in places[0] if n in pages} == {n for n in places[1] if n in pages}
            assert found == expected
            assert set(merged.pages.templates()) <= {None}
            assert merged.urls.queued == merged.urls.count(State.QUEUED)


def why(name: str, own: int) -> str | None:
    return None if name == "queued" else name if name == "denied" else f"{name} {own}"


def test_what_is_most_certain_of_a_url_is_kept_and_where_it_is_nearest(tmp_path: Path) -> None:
    states = {
        "queued": State.QUEUED, "skipped": State.SKIPPED, "failed": State.FAILED,
        "held": State.HELD, "denied": State.SKIPPED,
    }  # fmt: skip
    said = b"far.", b"near"
    with Store(tmp_path / "a") as a, Store(tmp_path / "b") as b:
        location = a.locations.ids(["/html/x"])[0], b.locations.ids(["/y", "/html/z"])[1]
        for store, own, depth in ((a, 0, 5), (b, 1, 2)):
            page = add(store, f"start{own}", [])
            place = Place(location[own], "1", page)
            for one in states:
                for other in states:
                    name = (one, other)[own]
                    docid = store.urls.discover(
                        [Discovery(url(one + other), depth, place, words=said[own])]
                    )[0]
                    if name != "queued":
                        store.urls.settle(docid, states[name], reason=why(name, own))
        absorb(a, b)
        rows = {
            address.rpartition("/")[2]: rest
            for address, *rest in a.database.rows(
                "SELECT url, state, reason, depth, location, source, words FROM url"
                " WHERE location IS NOT NULL"
            )
        }
        near = a.locations.ids(["/html/z"])[0]
        start = a.urls.known([url("start1")])[url("start1")]
        order = ["failed", "skipped", "held", "queued", "denied"]
        for one in states:
            for other in states:
                best = min(one, other, key=order.index)
                state, reason, *rest = rows[one + other]
                assert state == states[best]
                own = 0 if best == one else 1
                assert reason == why(best, own)
                assert rest == [2, near, start, said[1]]


def test_items_of_no_page_are_all_kept(tmp_path: Path) -> None:
    with Store(tmp_path / "a") as a, Store(tmp_path / "b") as b:
        for store, names in ((a, "xy"), (b, "yz")):
            store.pages.add_items(0, [Item("K", json.dumps({"n": name})) for name in names])
        absorb(a, b)
        assert [data["n"] for _, data, _ in a.pages.items()] == ["x", "y", "y", "z"]


def test_a_redirect_still_leads_to_its_target(tmp_path: Path) -> None:
    with Store(tmp_path / "a") as a, Store(tmp_path / "b") as b:
        add(a, "first", [])
        add(b, "other", [])
        old, new = b.urls.discover([Discovery(url("old"), 0), Discovery(url("new"), 0)])
        b.urls.settle(old, State.REDIRECTED, target=new)
        absorb(a, b)
        moved = a.urls.known([url("old")])[url("old")]
        assert [one.url for one in a.urls.led_to(moved)] == [url("new")]


def test_what_links_say_of_new_urls_goes_with_them(tmp_path: Path) -> None:
    """Into another store, and into the one in which they are in the order of a crawl by one."""
    with Store(tmp_path / "a") as a, Store(tmp_path / "b") as b, Store(tmp_path / "c") as c:
        add(a, "first", ["x"])
        found = [Discovery(url("y"), 1, words=b"word"), Discovery(url("z"), 1)]
        b.urls.discover(found)
        absorb(a, b)
        arrange(c, a)
        for store in (a, c):
            words = {one.url: one.words for one in store.urls.waiting(0, 9)}
            assert words == {url("x"): b"", url("y"): b"word", url("z"): b""}


def test_nothing_is_written_where_something_goes_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "a") as a, Store(tmp_path / "b") as b:
        add(a, "a", ["b"])
        add(b, "c", ["d"])
        before = content(a)
        with monkeypatch.context() as patch:
            patch.setattr("tplcrawl.store.merging._items_of_no_page", None)
            with pytest.raises(TypeError):
                absorb(a, b)
        assert content(a) == before
        assert absorb(a, b) == 0
        assert len(a.pages) == 2
