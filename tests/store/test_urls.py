from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from w3lib.url import canonicalize_url

from tplcrawl.store.database import Database
from tplcrawl.store.keys import _canonical, plain_key, url_key
from tplcrawl.store.redirects import ends, sources
from tplcrawl.store.urls import Discovery, Place, QueuedUrl, State, Urls

Identity = tuple[str, frozenset[str]]

PARAMETERS = ("x=1", "x=2", "y=%C3%A9", "z")
SPELLINGS = st.tuples(
    st.sampled_from("abcd"), st.lists(st.sampled_from(PARAMETERS), max_size=3, unique=True)
)
"""A path and the parts of a query, whose order does not count."""

SKIPS = st.sampled_from([None, None, None, "denied", "depth", "trap"])
REASONS = st.sampled_from([None, "timeout", "dns", "not html", "it's gone"])
STATUSES = st.sampled_from([None, 200, 301, 404, 500, 503])
PLACES = st.builds(
    Place,
    st.none() | st.integers(1, 9),
    st.none() | st.sampled_from(["1", "1.2.3"]),
    st.none() | st.integers(1, 9),
)


def url_of(spelling: tuple[str, list[str]]) -> str:
    path, parameters = spelling
    return f"http://a.com/{path}" + ("?" + "&".join(parameters) if parameters else "")


def identity_of(spelling: tuple[str, list[str]]) -> Identity:
    return spelling[0], frozenset(spelling[1])


SAID = st.sampled_from([b"", b"blue", b"bluelamp"])


@dataclass
class Row:
    """What the model remembers of one URL."""

    id: int
    url: str
    depth: int
    place: Place
    state: State
    reason: str | None = None
    status: int | None = None
    target: int | None = None
    tries: int = 0
    words: bytes = b""

    @property
    def queued(self) -> QueuedUrl:
        return QueuedUrl(self.id, self.url, self.depth, self.place, self.tries, self.words)


class UrlsMachine(RuleBasedStateMachine):
    """The table of URLs against a dict of rows, with a cache that is always too small."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.rows: dict[Identity, Row] = {}
        self.by_id: dict[int, Row] = {}

    @initialize()
    def open(self) -> None:
        self.database = Database(self.folder)
        self.urls = Urls(self.database, remember=2)

    def teardown(self) -> None:
        self.database.close()
        shutil.rmtree(self.folder)

    @rule()
    def reopen(self) -> None:
        self.database.close()
        self.open()

    @rule(found=st.lists(st.tuples(SPELLINGS, st.integers(0, 5), PLACES, SKIPS, SAID), max_size=5))
    def discover(
        self, found: list[tuple[tuple[str, list[str]], int, Place, str | None, bytes]]
    ) -> None:
        discoveries, expected = [], []
        for spelling, depth, place, skip, words in found:
            url, identity = url_of(spelling), identity_of(spelling)
            discoveries.append(Discovery(url, depth, place, skip, words))
            if identity not in self.rows:
                state = State.SKIPPED if skip else State.QUEUED
                row = Row(len(self.rows) + 1, url, depth, place, state, skip, words=words)
                self.rows[identity] = self.by_id[row.id] = row
            expected.append(self.rows[identity].id)
        assert self.urls.discover(discoveries) == expected

    @rule(spellings=st.lists(SPELLINGS, max_size=5))
    def known(self, spellings: list[tuple[str, list[str]]]) -> None:
        expected = {
            url_of(one): self.rows[identity_of(one)].id
            for one in spellings
            if identity_of(one) in self.rows
        }
        assert self.urls.known([url_of(one) for one in spellings]) == expected

    def some_row(self, data: st.DataObject) -> Row:
        return self.by_id[data.draw(st.integers(1, len(self.by_id)))]

    @precondition(lambda self: self.rows)
    @rule(data=st.data(), state=st.sampled_from(State), reason=REASONS, status=STATUSES)
    def settle(
        self, data: st.DataObject, state: State, reason: str | None, status: int | None
    ) -> None:
        row = self.some_row(data)
        target = self.some_row(data).id if state is State.REDIRECTED else None
        self.urls.settle(row.id, state, reason=reason, status=status, target=target)
        row.state, row.reason, row.status, row.target = state, reason, status, target

    @precondition(lambda self: self.rows)
    @rule(data=st.data())
    def requeue(self, data: st.DataObject) -> None:
        row = self.some_row(data)
        self.urls.requeue(row.id)
        row.tries += 1
        row.state, row.reason, row.status, row.target = State.QUEUED, None, None, None

    @rule(
        reasons=st.sets(st.sampled_from(["timeout", "dns"])),
        denied=st.sets(st.sampled_from("abcd")),
        most=st.integers(0, 5),
    )
    def retry(self, reasons: set[str], denied: set[str], most: int) -> None:
        def skip(url: str, depth: int) -> str | None:
            return "denied" if url[13] in denied else "depth" if depth > most else None

        told = [*self.urls.retry(reasons), *self.urls.unskip(skip)]
        found = []
        for row in self.rows.values():
            again = False
            if row.state is State.FAILED:
                again = row.reason in reasons or (row.status or 0) >= 500
            elif row.state is State.SKIPPED:
                again = row.reason in ("denied", "depth") and skip(row.url, row.depth) is None
            if again:
                row.state, row.reason = State.QUEUED, None
                row.status = None
                found.append(row.id)
        assert sorted(told) == sorted(found)

    @precondition(lambda self: self.rows)
    @rule(data=st.data(), location=st.integers(1, 9), positions=st.sampled_from(["2", "2.1"]))
    def adopt(self, data: st.DataObject, location: int, positions: str) -> None:
        rows = [self.some_row(data) for _ in range(2)]
        self.urls.adopt({row.id: (1, location, positions) for row in rows})
        for row in rows:
            if row.place.location is None:
                row.place = Place(location, positions, 1)

    @rule(after=st.integers(0, 20), most=st.integers(1, 4))
    def waiting(self, after: int, most: int) -> None:
        expected = [
            row.queued for row in self.rows.values() if row.state is State.QUEUED and row.id > after
        ]
        assert self.urls.waiting(after, most) == expected[:most]

    @invariant()
    def same(self) -> None:
        rows = list(self.rows.values())
        states = Counter(row.state for row in rows)
        assert self.urls.queued == states[State.QUEUED]
        assert self.urls.counts() == {state: states[state] for state in State}
        assert list(self.urls.all()) == [(row.id, row.url) for row in rows]
        assert [self.urls.get(row.id) for row in rows] == [row.queued for row in rows]
        assert [self.urls.state(row.id) for row in rows] == [row.state for row in rows]

    @invariant()
    def same_without_pages(self) -> None:
        rows = list(self.rows.values())
        lost = [row for row in rows if row.state in (State.SKIPPED, State.FAILED)]
        held = [row for row in rows if row.state is State.HELD]
        assert list(self.urls.without_page()) == [(row.url, row.reason) for row in lost]
        assert list(self.urls.without_page(most=1)) == [(r.url, r.reason) for r in lost[:1]]
        reasons = Counter(row.reason for row in lost + held if row.reason is not None)
        expected = sorted(reasons.items(), key=lambda one: (-one[1], one[0]))
        assert list(self.urls.reasons().items()) == expected
        gone = (State.FETCHED, State.REDIRECTED)
        assert list(self.urls.unfetched()) == [
            (row.url, row.depth, row.place, row.reason, row.state)
            for row in rows
            if row.state not in gone
        ]

    @invariant()
    def same_fetched(self) -> None:
        rows = list(self.rows.values())
        judged = sorted(self.urls.judged(), key=lambda one: one[0].id)
        assert judged == [
            (row.queued, row.state, row.status)
            for row in rows
            if row.state in (State.FETCHED, State.FAILED, State.REDIRECTED)
        ]
        led_by: dict[int | None, str] = {}
        for row in rows:
            if row.state is State.REDIRECTED:
                led_by.setdefault(row.target, row.url)
        assert sources(self.database) == led_by
        led = [row.id for row in rows if row.state is State.REDIRECTED]
        assert ends(self.database) == {id_: self.urls.end_of(id_) for id_ in led}


UrlsMachine.TestCase.settings = settings(deadline=None, max_examples=40, stateful_step_count=25)
TestUrls = UrlsMachine.TestCase


def test_more_urls_than_one_query_takes_are_found_again(tmp_path: Path) -> None:
    database = Database(tmp_path)
    many = [f"http://a.com/{i}" for i in range(2500)]
    ids = Urls(database).discover([Discovery(url, 0) for url in many])
    assert ids == list(range(1, 2501))
    afresh = Urls(database, remember=7)
    assert afresh.known([*reversed(many), "http://a.com/none"]) == dict(zip(many, ids, strict=True))
    assert afresh.discover([Discovery("http://a.com/new", 1)]) == [2501]
    database.close()


def test_there_is_no_url_without_an_id(tmp_path: Path) -> None:
    database = Database(tmp_path)
    with pytest.raises(KeyError):
        Urls(database).get(1)
    database.close()


WORDS = st.text("abcé ü/&=+?#%\u2028", min_size=1, max_size=6)
QUERIES = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4)


def query_of(parts: list[tuple[str, str]], escape: Callable[[str], str]) -> str:
    return "&".join(f"{escape(name)}={escape(value)}" for name, value in parts)


def lower(text: str) -> str:
    """Every byte escaped, in lower case."""
    return "".join(f"%{byte:02x}" for byte in text.encode())


def usual(text: str) -> str:
    return quote(text, safe="")


@settings(deadline=None, max_examples=100)
@given(QUERIES, st.data())
def test_order_and_spelling_of_the_query_do_not_count(
    parts: list[tuple[str, str]], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(parts))
    one = f"http://a.com/p?{query_of(parts, usual)}"
    other = f"http://A.com/p?{query_of(shuffled, lower)}#top"
    assert url_key(one) == url_key(other)


@settings(deadline=None, max_examples=100)
@given(QUERIES, QUERIES, WORDS, WORDS)
def test_other_paths_and_other_queries_are_other_urls(
    one: list[tuple[str, str]], two: list[tuple[str, str]], path: str, other: str
) -> None:
    same = sorted(one) == sorted(two) and path == other
    keys = {
        url_key(f"http://a.com/{usual(path)}?{query_of(one, usual)}"),
        url_key(f"http://a.com/{usual(other)}?{query_of(two, usual)}"),
    }
    assert len(keys) == (1 if same else 2)


def test_keys_are_those_that_earlier_runs_have_stored() -> None:
    """Another number here means another ``schema.VERSION``."""
    assert url_key("http://a.com/é?b=1&a=2") == -8383480432318149668


@given(SPELLINGS.map(url_of) | st.text("ab/.%?&=#~é: ", max_size=20).map("http://a.com/".__add__))
def test_the_identity_of_a_plain_url_is_the_same(url: str) -> None:
    assert plain_key(url) in (None, url_key(url))
    assert plain_key("http://a.com/b-1/c.html") is not None


def test_urls_that_are_no_longer_all_in_memory_are_looked_for(tmp_path: Path) -> None:
    """A new store remembers all of its URLs until they are too many."""
    database = Database(tmp_path)
    urls = Urls(database, remember=5)
    found = [Discovery(f"http://a.com/{n}?x=1&y=2", 0) for n in range(12)]
    for start in range(0, 12, 3):
        assert urls.discover(found[start : start + 3]) == [start + 1, start + 2, start + 3]
        again = [Discovery(f"http://a.com/{n}?y=2&x=1", 0) for n in range(start + 3)]
        assert urls.discover(again) == list(range(1, start + 4))
    assert urls.count(State.QUEUED) == urls.queued == 12
    urls.settle_fetched({3: 200, 5: 404})
    urls.settle_fetched({3: 203})
    assert (urls.count(State.QUEUED), urls.queued, urls.state(3)) == (10, 10, State.FETCHED)
    database.close()


@given(
    st.builds(
        "{}{}/{}".format,
        st.sampled_from(["http://", "https://"]),
        st.sampled_from(["a.com", "a-b.c", "x" * 64, "a..b", "A.com", "127.0.0.1", "a.com:8"]),
        st.lists(
            st.sampled_from(
                ["a", "/", "//", ".", "..", "/.", "~", "%41", "%E9", "%e9", "%20", "%2F", "%3B",
                 "é", "?", "&", "=", "a=1", "b=2", "a-b=3", "&a=", "+", ";", ":", "(", "#", " "]
            ),
            max_size=8,
        ).map("".join),
    )
)  # fmt: skip
@settings(max_examples=500)
def test_a_plain_url_is_its_own_canonical_form(url: str) -> None:
    """Whatever the short way takes for plain, the long way makes the same of it."""
    assert _canonical(url) == canonicalize_url(url)
