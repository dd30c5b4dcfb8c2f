from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.fingerprints.features import Features
from tplcrawl.reports.examples import MOST, farthest_first, representatives
from tplcrawl.reports.samples import write_samples
from tplcrawl.reports.templates import template_rows
from tplcrawl.store.store import Store

Write = Callable[..., int]

URL = "http://a.com/"


def sample(store: Store, folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Write the samples; the manifest of each template."""
    write_samples(store, folder, template_rows(store, list(store.pages.rows())))
    found = {}
    for one in folder.iterdir():
        lines = (one / "manifest.jsonl").read_text(encoding="utf-8").split("\n")
        assert lines.pop() == ""
        found[one.name] = [json.loads(line) for line in lines]
        listed = [line["file"] for line in found[one.name]] + ["manifest.jsonl"]
        assert sorted(path.name for path in one.iterdir()) == sorted(listed)
    return found


def paths(store: Store, docid: int) -> set[int]:
    return set(Features.decode(store.pages.features(docid)).tag_paths.tolist())


def alike(store: Store, a: int, b: int) -> float:
    one, other = paths(store, a), paths(store, b)
    return len(one & other) / len(one | other)


def test_the_medoid_comes_first_then_what_differs_most(store: Store, write: Write) -> None:
    tags = ["b", "i", "u", "s", "em", "q", "tt"]
    for n in range(30):
        chosen = [tag for k, tag in enumerate(tags) if (n * 37 + 11) >> k & 1]
        write(store, f"{URL}{n}", 1, html="".join(f"<{t}>x</{t}>" for t in ["p", *chosen]))
    (manifest,) = sample(store, store.folder / "samples").values()
    docids = store.pages.docids()
    assert len(manifest) == MOST
    assert [line["role"] for line in manifest].count("medoid") == 1
    assert manifest[0]["role"] == "medoid"
    means = {a: sum(alike(store, a, b) for b in docids) for a in docids}
    order = [line["docid"] for line in manifest]
    assert means[order[0]] > max(means.values()) - 1e-4
    for n in range(1, MOST):
        nearest = {a: max(alike(store, a, b) for b in order[:n]) for a in docids}
        assert nearest[order[n]] < min(nearest[a] for a in docids if a not in order[:n]) + 1e-4


def test_outliers_are_marked(store: Store, write: Write) -> None:
    for n in range(8):
        write(store, f"{URL}{n}", 1, html="<ul><li><b>x</b><i>y</i><u>z</u></li></ul>")
    write(store, URL + "odd", 1, html="<table><tr><td><p><s>x<q>y<em>z")
    (manifest,) = sample(store, store.folder / "samples").values()
    assert {line["url"]: line["role"] for line in manifest[:2]} == {
        manifest[0]["url"]: "medoid",
        URL + "odd": "outlier",
    }
    assert {line["role"] for line in manifest[2:]} == {"diverse"}


def test_each_sample_tells_where_links_to_it_stand(store: Store, write: Write) -> None:
    for n in range(4):
        write(store, f"{URL}{n}", 1, links=[f"{URL}{m}" for m in range(4)])
    write(store, URL + "list", 2, html=f"<h1><a href={URL}2>x</a></h1>")
    manifest = sample(store, store.folder / "samples")["t1"]
    (menu,) = {path for line in manifest for path in line["locations"] if "h1" not in path}
    for line in manifest:
        own = [path for path in line["locations"] if path != menu]
        assert bool(own) == (line["url"] == URL + "2")
        assert menu in line["locations"]
    # Nothing but the page itself leads to the list.
    (alone,) = sample(store, store.folder / "samples")["t2"]
    assert alone["locations"] == []


def test_the_files_are_the_bytes_that_came_under_names_of_our_own(
    store: Store, write: Write
) -> None:
    urls = [
        URL + "..%2f..%2fetc/passwd",
        URL + "?x=/../../evil",
        URL + "con.html%00.exe",
        URL + "a" * 2000,
        URL + "é\u2028",
    ]
    for url in urls:
        write(store, url, 1, html=f"<p>{url}</p>")
    write(store, URL + "lost", 2, keep=False)
    write(store, URL + "unassigned", None)
    folder = store.folder / "samples"
    found = sample(store, folder)
    assert set(found) == {"t1"}
    assert sorted(line["file"] for line in found["t1"]) == [f"{n}.html" for n in range(1, 6)]
    for line in found["t1"]:
        body = store.pages.body(line["docid"])
        assert body is not None
        assert (folder / "t1" / line["file"]).read_bytes() == body[0]
        assert line["url"] == urls[line["docid"] - 1]
        assert line["confidence"] == 0.5
    assert sorted(path.name for path in store.folder.iterdir() if path.is_dir()) == ["samples"]


def test_what_is_no_more_is_taken_away(store: Store, write: Write) -> None:
    """A template that vanished, and pages that another round gave to another template."""
    for n in range(6):
        write(store, f"{URL}{n}", 1 + n % 2)
    folder = store.folder / "samples"
    assert set(sample(store, folder)) == {"t1", "t2"}
    for docid in (1, 2):
        assignment = next(iter(store.pages.rows([3]))).assignment
        store.pages.assign(docid, assignment)
    store.pages.drop_bodies([3])
    found = sample(store, folder)
    assert {name: sorted(one["docid"] for one in lines) for name, lines in found.items()} == {
        "t1": [1, 2, 5],
        "t2": [4, 6],
    }
    for docid in (4, 6):
        store.pages.assign(docid, assignment)
    (folder / "t1" / "notes.txt").write_text("mine")
    (folder / "mine").mkdir()
    write_samples(store, folder, template_rows(store, list(store.pages.rows())))
    assert sorted(one.name for one in folder.iterdir()) == ["mine", "t1"]
    assert (folder / "t1" / "notes.txt").read_text() == "mine"


def test_writing_again_gives_the_same_files(store: Store, write: Write) -> None:
    for n in range(25):
        write(store, f"{URL}{n}", 1, html="".join(f"<{t}>x" for t in "biuq"[n % 4 :]))
    folder = store.folder / "samples"
    first = sample(store, folder)
    before = {path.name: path.read_bytes() for path in folder.rglob("*.*")}
    assert sample(store, folder) == first
    shutil.rmtree(folder)
    assert sample(store, folder) == first
    assert {path.name: path.read_bytes() for path in folder.rglob("*.*")} == before


def test_a_single_page_stands_for_its_template(store: Store, write: Write) -> None:
    docid = write(store, URL, 1)
    assert representatives(store, [docid]) == [(docid, "medoid")]


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 12), st.integers(1, 15), st.randoms(use_true_random=False))
def test_farthest_first_is_greedy(count: int, most: int, chance: Any) -> None:
    alike = np.eye(count, dtype=np.float32)
    for i in range(count):
        for j in range(i):
            alike[i, j] = alike[j, i] = chance.randrange(8) / 8
    order = farthest_first(alike, most)
    assert len(set(order)) == len(order) == min(count, most)
    assert alike[order[0]].sum() == max(row.sum() for row in alike)
    for n in range(1, len(order)):
        nearest = [max(alike[i, j] for j in order[:n]) for i in range(count)]
        assert nearest[order[n]] == min(x for i, x in enumerate(nearest) if i not in order[:n])
