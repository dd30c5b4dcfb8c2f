from __future__ import annotations

import json
from collections import deque
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.evaluation.corpus import Corpus
from tplcrawl.evaluation.replay import labelled, replay
from tplcrawl.store.urls import State

PAGE, REDIRECT, IMAGE, NOTHING = range(4)
NODES = 8
WEBS = st.lists(
    st.tuples(
        st.sampled_from((PAGE, PAGE, PAGE, REDIRECT, IMAGE, NOTHING)),
        st.lists(st.integers(0, NODES - 1), min_size=1, max_size=4),
    ),
    min_size=NODES,
    max_size=NODES,
)


def pack(web: list[tuple[int, list[int]]], folder: Path) -> Corpus:
    """A site of pages that link to each other, redirects to the first of their links, images and
    links to nothing; ``/0`` is the start."""
    (folder / "f").mkdir(parents=True)
    answers: dict[str, dict[str, str]] = {}
    for node, (kind, links) in enumerate(web):
        if kind == REDIRECT:
            answers[f"/{node}"] = {"location": f"/{links[0]}"}
        elif kind == IMAGE:
            answers[f"/{node}"] = {"file": f"f/{node}", "type": "image/png"}
        elif kind == PAGE:
            answers[f"/{node}"] = {"file": f"f/{node}"}
        rows = "".join(f'<li><a href="/{link}">x</a></li>' for link in links)
        (folder / "f" / str(node)).write_text(f"<html><body><ul>{rows}</ul></body></html>")
    (folder / "site.json").write_text('{"start": "/0"}')
    (folder / "map.json").write_text(json.dumps(answers))
    (folder / "truth.tsv").write_text("".join(f"/{n}\tkind {n % 2}\n" for n in range(NODES - 2)))
    return Corpus.open(folder)


def breadth_first(web: list[tuple[int, list[int]]]) -> list[int]:
    """The pages in the order in which they are fetched."""

    def end(node: int) -> int | None:
        for _ in range(NODES):
            kind, links = web[node]
            if kind != REDIRECT:
                return node if kind == PAGE else None
            node = links[0]
        return None

    queue, seen = deque([0]), {0}
    found: list[int] = []
    while queue:
        node = end(queue.popleft())
        if node is None or node in found:
            continue
        seen.add(node)
        found.append(node)
        for link in web[node][1]:
            if link not in seen:
                seen.add(link)
                queue.append(link)
    return found


@settings(max_examples=40)
@given(WEBS, st.integers(1, NODES))
def test_pages_are_visited_breadth_first_until_there_are_enough(
    web: list[tuple[int, list[int]]], most: int
) -> None:
    with TemporaryDirectory() as folder:
        corpus = pack(web, Path(folder, "site"))
        # The store numbers URLs as they are discovered; when a page was written tells the order.
        with replay(corpus, Path(folder, "crawl"), most) as store:
            rows = store.database.rows("SELECT docid FROM page")
            urls = dict(store.urls.all())
            visited = [int(urlsplit(urls[docid]).path[1:]) for (docid,) in rows]
            expected = breadth_first(web)[:most]
            assert sorted(visited) == sorted(expected)
            assert store.urls.count(State.FETCHED) == len(expected)
            if len(expected) < most:
                assert store.urls.queued == 0
            site = labelled(corpus, store)
            assert list(site.pages.urls) == [urls[docid] for docid in store.pages.docids()]
            for url, template in zip(site.pages.urls, site.truth, strict=True):
                number = int(urlsplit(url).path[1:])
                assert template == (f"kind {number % 2}" if number < NODES - 2 else None)


def test_what_is_no_page_is_settled_for_what_it_is(tmp_path: Path) -> None:
    web = [(PAGE, [1, 2, 3, 4]), (REDIRECT, [5]), (IMAGE, [0]), (NOTHING, [0]), (REDIRECT, [0]),
           (PAGE, [0]), (PAGE, [0]), (PAGE, [0])]  # fmt: skip
    corpus = pack(web, tmp_path / "site")
    with replay(corpus, tmp_path / "crawl", 10) as store:
        ids = {urlsplit(url).path: id_ for id_, url in store.urls.all()}
        states = {path: store.urls.state(id_) for path, id_ in ids.items()}
        assert states == {
            "/0": State.FETCHED, "/1": State.REDIRECTED, "/2": State.FAILED, "/3": State.FAILED,
            "/4": State.REDIRECTED, "/5": State.FETCHED,
        }  # fmt: skip
        assert store.urls.get(ids["/5"]).place == store.urls.get(ids["/1"]).place
        assert store.site == "site"


def test_no_page_is_read_twice_for_a_redirect_to_it(tmp_path: Path) -> None:
    web = [(PAGE, [1, 2]), (REDIRECT, [0]), (REDIRECT, [0]), *[(NOTHING, [0])] * 5]
    with replay(pack(web, tmp_path / "site"), tmp_path / "crawl", 3) as store:
        assert len(store.pages) == 1
        assert len(list(store.pages.items())) == 1
