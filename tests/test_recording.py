from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import ClassVar

import pytest

from tplcrawl.bodies import KEPT_BODIES
from tplcrawl.clustering.base import Arrival, Classifier, Clustering, Method
from tplcrawl.clustering.model import FIRST_ROUND
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.uxclust import UXClust
from tplcrawl.errors import ForeignStore, StoreLocked
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.page.profile import profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.recollection import link_of, recalled
from tplcrawl.recording import Recording
from tplcrawl.records import Assignment
from tplcrawl.store.pages import Item
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery

ORIGIN = "http://a.com"


class ByName(Method):
    """Pages are of one template when so many first letters of their paths are the same."""

    name: ClassVar[str] = "by name"

    def __init__(self, letters: int = 1) -> None:
        self.letters = letters

    def cluster(self, pages: Pages) -> Clustering:
        kinds = [url.removeprefix(f"{ORIGIN}/")[: self.letters] for url in pages.urls]
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
        given = tuple(Assignment(numbers[kind], 1.0, "by its name") for kind in kinds)
        return Clustering(given, _ByFirstLocation(), len(pages))


class _ByFirstLocation(Classifier):
    def assign(self, page: Arrival) -> Assignment:
        return Assignment(None, 0.0, f"from {page.first_location}")


class Crawler:
    """Takes pages out of a site breadth first, as a crawl does, and stops when it is told to."""

    def __init__(self, answer: Callable[[str], str | None], recording: Recording) -> None:
        self.answer = answer
        self.recording = recording
        self.cleaner = Cleaner(Site([ORIGIN]))
        recording.store.urls.discover([Discovery(f"{ORIGIN}/", 0)])

    def pages(self) -> Iterator[int]:
        """Write page after page; their docids."""
        store = self.recording.store
        while queued := store.urls.waiting(0, 1):
            (page,) = queued
            html = self.answer(page.url.removeprefix(ORIGIN))
            assert html is not None, page.url
            body = html.encode()
            profile = profile_of(page.url, body, self.cleaner)
            arrived = self.recording.arrive(page.id, profile, page.place)
            self.recording.write(
                arrived,
                depth=page.depth,
                status=200,
                predicted=self.recording.predict(page.url, page.place),
                items=[Item("A", str(page.id))],
                body=(body, "utf-8"),
            )
            yield page.id

    def run(self, most: int | None = None) -> None:
        """Write at most so many pages."""
        for count, _ in enumerate(self.pages(), 1):
            if count == most:
                break


@pytest.fixture(scope="module")
def answer() -> Callable[[str], str | None]:
    """The pages of a small sample site."""
    sizes = Sizes(categories=3, products=50, posts=20, threads=15, boards=2, users=12, tags=4)
    return SampleSite(sizes).html


def star(kinds: Sequence[str]) -> Callable[[str], str | None]:
    """A site whose home page links to a page of each of *kinds*."""
    names = [f"/{kind}{number}" for number, kind in enumerate(kinds)]
    home = "".join(f"<a href={name}>x</a>" for name in names)
    return {"/": home, **{name: f"<p>{name}" for name in names}}.get


def partition(assignments: dict[int, int | None]) -> set[frozenset[int]]:
    groups: dict[int, set[int]] = {}
    for docid, template in assignments.items():
        if template is not None:
            groups.setdefault(template, set()).add(docid)
    return set(map(frozenset, groups.values()))


def written(folder: Path) -> dict[int, int | None]:
    """The template of each page in the store."""
    with Store(folder, write=False) as store:
        return {row.docid: row.assignment.template for row in store.pages.rows()}


def dump(folder: Path) -> list[str]:
    """The whole database in SQL."""
    with closing(sqlite3.connect(folder / "crawl.db")) as db:
        return list(db.iterdump())


def test_a_recording_goes_on_where_it_was(
    tmp_path: Path, answer: Callable[[str], str | None]
) -> None:
    """Assignments, predictions and links are the same after it was closed and opened again."""
    recording = Recording(tmp_path, "a.com", UXClust())
    Crawler(answer, recording).run(100)
    recording.round()
    before = list(recording.store.pages.rows())
    places = [(url, place) for url, _, place, _, _ in recording.store.urls.unfetched()]
    told = [recording.predict(*spot) for spot in places]
    seen = recording.model.inbound.result()
    assert len(set(filter(None, told))) > 1
    recording.close()

    again = Recording(tmp_path, "a.com", UXClust())
    assert len(again) == 100
    assert list(again.store.pages.rows()) == before
    assert dict(again.model.templates_of_pages()) == written(tmp_path)
    assert [again.predict(*spot) for spot in places] == told
    links = again.model.inbound.result()
    for column in ("pages", "locations", "prose", "counts"):
        assert getattr(links, column).tolist() == getattr(seen, column).tolist()
    again.close()
    assert {row.docid: row.assignment.template for row in before} == written(tmp_path)


def test_a_model_is_recalled_from_a_store_that_is_only_read(
    tmp_path: Path, answer: Callable[[str], str | None]
) -> None:
    recording = Recording(tmp_path, "a.com", UXClust(cutoff=2, samples=3), positional=True)
    Crawler(answer, recording).run()
    recording.round()
    templates = dict(recording.model.templates_of_pages())
    places = [(url, place) for _, url, place, _ in recording.store.pages.briefs()]
    told = [recording.predict(*spot) for spot in places]
    recording.close()
    with Store(tmp_path, write=False) as store:
        model = recalled(store)
        assert dict(model.templates_of_pages()) == templates
        assert [model.predict(link_of(*spot, positional=True)) for spot in places] == told
        assert vars(model.method) == vars(UXClust(cutoff=2, samples=3))


@pytest.mark.parametrize("stops", [(10,), (60,), (3, 27, 28, 70)])
def test_many_runs_end_as_one(
    tmp_path: Path, answer: Callable[[str], str | None], stops: tuple[int, ...]
) -> None:
    whole = Recording(tmp_path / "whole", "a.com", UXClust())
    Crawler(answer, whole).run()
    whole.round()
    count = len(whole)
    done = 0
    for stop in (*stops, count):
        part = Recording(tmp_path / "parts", "a.com", UXClust())
        assert len(part) == done
        Crawler(answer, part).run(stop - done)
        done = stop
        if stop == count:
            part.round()
            assert list(part.store.urls.all()) == list(whole.store.urls.all())
            assert list(part.store.pages.items()) != []
            items = [sorted(str(i) for _, i, _ in r.store.pages.items()) for r in (part, whole)]
            assert items[0] == items[1]
        part.close()
    whole.close()
    one, other = written(tmp_path / "whole"), written(tmp_path / "parts")
    assert list(one) == list(other)
    assert partition(one) == partition(other)
    assert len(partition(one)) > 3


def test_templates_are_found_anew_when_it_is_time(tmp_path: Path) -> None:
    recording = Recording(tmp_path, "a.com", ByName())
    crawler = Crawler(star("ab" * 60), recording)
    known = {}
    for docid in crawler.pages():
        known[docid] = dict(recording.model.templates_of_pages())
        stored = [row.assignment.template for row in recording.store.pages.rows()]
        assert stored == list(known[docid].values())
    assert set(known[FIRST_ROUND - 1].values()) == {None}
    for size in (25, 33, 41, 49, 57, 65, 73, 81):
        assert None not in known[size].values()
        assert known[size + 1][size + 1] is None
    recording.close()


def test_ids_are_the_same_over_runs_and_none_is_given_twice(tmp_path: Path) -> None:
    """Templates that one run merges are known to the next one by their heirs."""
    answer = star(["aa", "ab", "ba", "bb"] * 10)
    method = ByName(2)
    recording = Recording(tmp_path, "a.com", method)
    Crawler(answer, recording).run()
    recording.round()
    first = dict(recording.model.templates_of_pages())
    assert sorted(set(first.values()), key=str) == [1, 2, 3, 4, 5]
    recording.close()

    recording = Recording(tmp_path, "a.com", ByName(1))
    merged = dict(recording.model.templates_of_pages())
    aliases = recording.store.pages.aliases()
    assert aliases == {3: 2, 5: 4}
    assert merged == {d: aliases.get(t, t) if t else t for d, t in first.items()}
    told = recording.predict(f"{ORIGIN}/ab99", recording.store.urls.get(2).place)
    assert told is not None
    assert told.template in (2, 4)
    recording.close()

    recording = Recording(tmp_path, "a.com", ByName(2))
    split = dict(recording.model.templates_of_pages())
    assert partition(split) == partition(first)
    assert set(split.values()) == {1, 2, 4, 6, 7}
    assert recording.store.last_template == 7
    recording.close()
    assert written(tmp_path) == split


def kept(recording: Recording) -> Counter[int]:
    """How many pages of each template have their HTML kept."""
    templates = dict(recording.model.templates_of_pages())
    own = (templates[docid] for docid in recording.store.pages.bodies())
    return Counter(template for template in own if template is not None)


def test_the_html_of_some_pages_of_each_template_is_kept(tmp_path: Path) -> None:
    answer = star("a" * 150 + "b" * 5)
    for save_html in ("samples", "all", "none"):
        folder = tmp_path / save_html
        recording = Recording(folder, "a.com", ByName(), save_html=save_html)
        for _ in Crawler(answer, recording).pages():
            if save_html == "samples":
                assert max(kept(recording).values(), default=0) <= 3 * KEPT_BODIES
        recording.refresh()
        bodies = recording.store.pages.bodies()
        if save_html == "samples":
            templates = dict(recording.model.templates_of_pages())
            assert set(kept(recording)) == set(templates.values())
            assert kept(recording)[templates[2] or 0] == KEPT_BODIES
            body = recording.store.pages.body(bodies[1])
            assert body is not None
            assert body[0].decode() == answer(f"/a{bodies[1] - 2}")
        else:
            assert len(bodies) == (156 if save_html == "all" else 0)
        recording.close()


def test_positions_count_only_where_they_are_meant_to(tmp_path: Path) -> None:
    """One list: one location in general, as many as links by position."""
    for positional in (False, True):
        folder = tmp_path / str(positional)
        recording = Recording(folder, "a.com", ByName(), positional=positional)
        Crawler(star("ab" * 20), recording).run()
        recording.round()
        place = recording.store.urls.get(2).place
        told = recording.predict("http://a.com/other/page.html", place)
        home, a, b = (dict(recording.model.templates_of_pages())[docid] for docid in (1, 2, 3))
        assert len({home, a, b}) == 3
        assert told is not None
        assert told.template == (a if positional else b)
        recording.close()


def test_another_sites_directory_is_left_as_it_is(tmp_path: Path) -> None:
    recording = Recording(tmp_path, "a.com", ByName())
    Crawler(star("ab"), recording).run()
    with pytest.raises(StoreLocked):
        Recording(tmp_path, "a.com", ByName())
    recording.round()
    recording.close()
    before = dump(tmp_path)
    with pytest.raises(ForeignStore):
        Recording(tmp_path, "b.com", ByName())
    assert dump(tmp_path) == before
    Recording(tmp_path, "a.com", ByName()).close()


def test_a_crawl_that_waits_for_its_first_page_is_not_thrown_away_by_another(
    tmp_path: Path,
) -> None:
    """It was killed when its URLs were known, but no page had come."""
    store = Store(tmp_path)
    store.claim("a.com")
    store.urls.discover([Discovery(f"{ORIGIN}/", 0)])
    store.database.close()
    with pytest.raises(ForeignStore):
        Recording(tmp_path, "b.com", ByName())
    with Store(tmp_path, write=False) as store:
        assert list(store.urls.all()) == [(1, f"{ORIGIN}/")]


def test_a_recording_of_nothing_leaves_nothing(tmp_path: Path) -> None:
    recording = Recording(tmp_path / "crawl", "a.com", ByName())
    assert recording.model.templates == len(recording) == 0
    recording.close()
    assert list(tmp_path.iterdir()) == []
