from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.folders import check_folder, survey_folder
from tplcrawl.batch.ingest import ingest
from tplcrawl.errors import InputError
from tplcrawl.page.urls import normal_url
from tplcrawl.store.store import Store

Fill = Callable[..., Path]
MakePage = Callable[..., bytes]

HTML = b"<!doctype html><html><body><p>text</p></body></html>"
NAMES = st.text(" #?%;=+&aé~'\"<>|:@\\*[]^`,!$()\n\t\u2028\ud83d漢", min_size=1, max_size=6).map(
    lambda name: os.fsdecode(name.encode("utf-8", "replace"))
) | st.binary(min_size=1, max_size=5).map(
    lambda name: os.fsdecode(name.replace(b"/", b"").replace(b"\0", b"") or b"\xff")
)
VISIBLE = NAMES.filter(lambda name: not name.startswith("."))


def read_folder(folder: Path, losses: Losses) -> Iterator[Document]:
    """The pages of all parts."""
    for part in survey_folder(folder, losses, 2):
        yield from part.documents(losses)


def targets(folder: Path, losses: Losses | None = None) -> list[str]:
    """The path of every page's URL."""
    return [urlsplit(one.url).path for one in read_folder(folder, losses or Losses())]


@settings(max_examples=60)
@given(st.sets(st.tuples(VISIBLE, VISIBLE), min_size=1, max_size=4))
def test_every_name_is_a_url_of_its_own(names: set[tuple[str, str]]) -> None:
    with TemporaryDirectory() as made:
        folder = Path(made)
        paths = [Path(a, f"{b}.html") for a, b in names]
        for path in paths:
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_bytes(HTML)
        losses = Losses()
        documents = list(read_folder(folder, losses))
        found = [unquote_to_bytes(urlsplit(one.url).path) for one in documents]
        assert sorted(found) == sorted(b"/" + os.fsencode(path) for path in paths)
        with Store(folder / "crawl") as store:
            ingest(store, documents, losses, save_html=False)
            assert len(store.pages) == len(paths)
        assert not losses.counts


@settings(max_examples=60)
@given(VISIBLE)
def test_every_folder_is_a_host(name: str) -> None:
    with TemporaryDirectory() as made:
        folder = Path(made, name)
        folder.mkdir()
        (folder / "a.html").write_bytes(HTML)
        (document,) = read_folder(folder, Losses())
        assert normal_url(document.url) is not None
        assert urlsplit(document.url).path == "/a.html"


def test_files_are_read_in_the_order_of_their_names(fill: Fill) -> None:
    names = ["z.html", "b/2.html", "a.html", "b/10.html", "b/a/1.html", "B.html"]
    folder = fill(dict.fromkeys(names, HTML))
    expected = ["/B.html", "/a.html", "/z.html", "/b/10.html", "/b/2.html", "/b/a/1.html"]
    assert targets(folder) == expected


def test_a_file_is_a_page_by_its_name_or_by_how_it_begins(fill: Fill) -> None:
    folder = fill(
        {
            "fragment.html": b"<p>no more than this</p>",
            "CAPITALS.HTM": b"text",
            "x.xhtml": b"<p>x",
            "doctype": b"\xef\xbb\xbf \r\n<!DOCTYPE HTML><p>x",
            "root": b"<HTML lang=en><p>x",
            "comment": b"<!-- " + b"saved " * 20 + b"--><html>",
            "xml": b'<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">',
            "index.php?id=7": HTML,
            "notes.txt": b"a text about the <p> tag",
            "late.txt": b"x" * 600 + b"<html>",
            "data.json": b'{"page": 1}',
            "image.png": b"\x89PNG\r\n",
            "empty.html": b"",
            "blank.html": b" \r\n\t\n",
            "empty": b"",
        }
    )
    assert {unquote_to_bytes(path).decode() for path in targets(folder)} == {
        "/fragment.html", "/CAPITALS.HTM", "/x.xhtml", "/doctype", "/root", "/comment", "/xml",
        "/index.php?id=7",
    }  # fmt: skip


def test_a_page_is_read_to_its_end(fill: Fill) -> None:
    body = HTML + b"<p>more</p>" * 1000
    (document,) = read_folder(fill({"a.html": body}), Losses())
    assert document.body == body


def test_hidden_files_and_what_is_in_hidden_folders_are_left_out(fill: Fill) -> None:
    folder = fill(dict.fromkeys(["a.html", ".b.html", ".trash/c.html", "d/.e/f.html"], HTML))
    losses = Losses()
    assert targets(folder, losses) == ["/a.html"]
    assert losses.counts == {"hidden": 3}


def test_what_is_no_page_is_counted(fill: Fill) -> None:
    """Catches a folder whose other files are passed over in silence."""
    folder = fill(
        {"a.html": HTML, "b.png": b"\x89PNG", "c.css": b"p {}", "d.html": b" \n", "e": b""}
    )
    os.mkfifo(folder / "f.html")
    losses = Losses()
    assert targets(folder, losses) == ["/a.html"]
    assert losses.counts == {"not HTML": 2, "empty file": 2, "no regular file": 1}


def test_a_file_without_end_is_cut(fill: Fill) -> None:
    """Catches reading a file of any size into memory."""
    folder = fill({"a.html": HTML, "b.html": HTML})
    with (folder / "a.html").open("r+b") as file:
        file.truncate(1 << 36)
    losses = Losses()
    bodies = [one.body for one in read_folder(folder, losses)]
    assert [len(body) for body in bodies] == [64 * 1024 * 1024, len(HTML)]
    assert losses.counts == {"file cut to 64 MiB": 1}


def test_links_of_the_file_system_do_not_lead_astray(fill: Fill) -> None:
    folder = fill({"a/page.html": HTML})
    (folder / "a" / "up").symlink_to(folder, target_is_directory=True)
    (folder / "self").symlink_to("self")
    (folder / "gone.html").symlink_to("nowhere.html")
    (folder / "copy.html").symlink_to("a/page.html")
    losses = Losses()
    assert targets(folder, losses) == ["/copy.html", "/a/page.html"]
    assert losses.counts.total() == 3
    assert losses.counts["unreadable: No such file or directory"] == 1
    assert losses.counts["link to a directory"] == 1


def test_a_pipe_is_no_page(fill: Fill) -> None:
    """Whoever opens one waits for its writer."""
    folder = fill({"b.html": HTML})
    os.mkfifo(folder / "a.html")
    code = (
        "from pathlib import Path; from tplcrawl.batch.documents import Losses;"
        "from tplcrawl.batch.folders import survey_folder; losses = Losses();"
        f"(part,) = survey_folder(Path({str(folder)!r}), losses, 9);"
        "assert len(list(part.documents(losses))) == 1"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        try:
            assert process.wait(10) == 0
        except subprocess.TimeoutExpired:
            process.kill()
            pytest.fail("it waits for somebody to write to the pipe")


@contextmanager
def deep_folder(folder: Path) -> Iterator[None]:
    """A page in a folder below *folder* whose path is longer than the system takes."""
    top = os.open(folder, os.O_RDONLY)
    try:
        for _ in range(20):
            os.mkdir("d" * 250, dir_fd=top)
            below = os.open("d" * 250, os.O_RDONLY, dir_fd=top)
            os.close(top)
            top = below
        with open("a.html", "wb", opener=lambda name, flags: os.open(name, flags, dir_fd=top)) as f:
            f.write(HTML)
        yield
    finally:
        os.close(top)
        shutil.rmtree(folder / ("d" * 250))


def test_a_folder_that_cannot_be_read_is_counted(fill: Fill) -> None:
    folder = fill({"a.html": HTML})
    losses = Losses()
    with deep_folder(folder):
        assert targets(folder, losses) == ["/a.html"]
    assert losses.counts.total() == 1


def test_a_folder_that_is_called_like_a_page_is_a_folder(fill: Fill) -> None:
    assert targets(fill({"a.html/b.html": HTML})) == ["/a.html/b.html"]


def test_links_between_files_are_sightings_with_locations(fill: Fill, page: MakePage) -> None:
    folder = fill(
        {
            "index.html": page(
                "sub%20folder/b.html", "/a.html", "nowhere.html", "http://else.com/"
            ),
            "a.html": page("sub folder/../index.html#top"),
            "sub folder/b.html": page("../a.html", "../index.html", "b.html"),
        }
    )
    losses = Losses()
    with Store(folder.parent / "crawl") as store:
        ingest(store, read_folder(folder, losses), losses, save_html=False)
        names = {id_: urlsplit(url).path for id_, url in store.urls.all()}
        locations = store.locations.paths()
        seen = {
            (names[docid], names[target], locations[location])
            for docid, links in store.pages.sightings()
            for target, location in zip(
                links.targets.tolist(), links.locations.tolist(), strict=True
            )
        }
        placed = {url: place.location for _, url, place, _ in store.pages.briefs()}
    place = "/html/body/ul/li/a"
    assert not losses.counts
    assert seen == {
        ("/index.html", "/sub%20folder/b.html", place),
        ("/index.html", "/a.html", place),
        ("/index.html", "/nowhere.html", place),
        ("/a.html", "/index.html", place),
        ("/sub%20folder/b.html", "/a.html", place),
        ("/sub%20folder/b.html", "/index.html", place),
        ("/sub%20folder/b.html", "/sub%20folder/b.html", place),
    }
    assert {locations.get(one or 0) for one in placed.values()} == {place}


def test_two_folders_of_different_names_are_two_hosts(fill: Fill, page: MakePage) -> None:
    one = fill({"a.html": page("b.html")}, "one")
    two = fill({"a.html": page()}, "Two Pages")
    urls = [document.url for folder in (one, two) for document in read_folder(folder, Losses())]
    assert urls == ["http://one/a.html", "http://two-pages/a.html"]


def test_what_is_no_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none"):
        check_folder(tmp_path / "none")
    check_folder(tmp_path)
