from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.ingest import ingest
from tplcrawl.batch.warc import read_warc
from tplcrawl.errors import InputError
from tplcrawl.store.store import Store

if TYPE_CHECKING:
    from tests.batch.conftest import Archive

MakeArchive = Callable[..., "Archive"]

PAGE = "<!doctype html><html><body><p>é page</p></body></html>".encode()
LARGEST = 64 * 1024 * 1024


def chunked(body: bytes) -> bytes:
    parts = [body[at : at + 17] for at in range(0, len(body), 17)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in [*parts, b""])


def read(path: Path) -> tuple[list[Document], Losses]:
    losses = Losses()
    return list(read_warc(path, losses)), losses


def page_of(number: int) -> bytes:
    rows = "".join(f"<p>{number} {number * row * 7919 % 1000}</p>" for row in range(40))
    return f"<html><body>{rows}</body></html>".encode()


@pytest.fixture(params=[True, False], ids=["compressed", "plain"])
def ten(request: pytest.FixtureRequest, archive: MakeArchive, tmp_path: Path) -> Archive:
    """An archive of ten pages."""
    made = archive(tmp_path / "ten.warc", gzip=request.param)
    for number in range(10):
        made.add(f"http://a.com/{number}", page_of(number))
    return made


def test_all_pages_are_read_in_order(ten: Archive) -> None:
    documents, losses = read(ten.write())
    assert [(one.url, one.body) for one in documents] == [
        (f"http://a.com/{number}", page_of(number)) for number in range(10)
    ]
    assert {(one.status, one.encoding) for one in documents} == {(200, "utf-8")}
    assert not losses.counts


DEFLATE = zlib.compressobj(wbits=-15)
WAYS: dict[str, tuple[dict[str, str], bytes]] = {
    "identity": ({"Content-Encoding": "identity"}, PAGE),
    "chunked": ({"Transfer-Encoding": "chunked"}, chunked(PAGE)),
    "gzip": ({"Content-Encoding": "gzip"}, gzip.compress(PAGE)),
    "x-gzip": ({"Content-Encoding": "x-gzip"}, gzip.compress(PAGE)),
    "deflate": ({"Content-Encoding": "deflate"}, zlib.compress(PAGE)),
    "raw deflate": ({"Content-Encoding": "deflate"}, DEFLATE.compress(PAGE) + DEFLATE.flush()),
    "chunked gzip": (
        {"Transfer-Encoding": "chunked", "Content-Encoding": "gzip"},
        chunked(gzip.compress(PAGE)),
    ),
    # Many who write archives keep the headers of what they have decoded.
    "decoded gzip": ({"Content-Encoding": "gzip", "Content-Length": "20"}, PAGE),
    "decoded br": ({"Content-Encoding": "br"}, PAGE),
    "decoded chunks": ({"Transfer-Encoding": "chunked"}, PAGE),
    "decoded chunks of gzip": (
        {"Transfer-Encoding": "chunked", "Content-Encoding": "gzip"}, gzip.compress(PAGE),
    ),
    "gzip in two members": (
        {"Content-Encoding": "gzip"}, gzip.compress(PAGE[:20]) + gzip.compress(PAGE[20:]),
    ),
}  # fmt: skip


def test_text_that_is_not_packed_as_its_headers_say_is_a_page(
    archive: MakeArchive, tmp_path: Path
) -> None:
    """Catches taking for packed what begins with a byte order mark, a blank or a word."""
    made = archive(tmp_path / "a.warc.gz")
    bodies = [b"\xef\xbb\xbf" + PAGE, b"\x00\x20" + PAGE, b"hello " + PAGE]
    for number, body in enumerate(bodies):
        headers = {"Content-Type": "text/html", "Content-Encoding": "gzip"}
        made.add(f"http://a.com/{number}", body, headers)
    documents, losses = read(made.write())
    assert ([one.body for one in documents], losses.counts) == (bodies, {})


def test_a_page_whose_packed_bytes_end_early_is_counted(
    archive: MakeArchive, tmp_path: Path
) -> None:
    """Catches taking half a page for a whole one, in silence."""
    made = archive(tmp_path / "a.warc.gz")
    for coding, body in (
        ("gzip", gzip.compress(page_of(1))),
        ("deflate", zlib.compress(page_of(1))),
    ):
        headers = {"Content-Type": "text/html", "Content-Encoding": coding}
        made.add(f"http://a.com/{coding}", body[:-60], headers)
    headers = {"Content-Type": "text/html", "Transfer-Encoding": "chunked"}
    made.add("http://a.com/chunks", chunked(page_of(1))[:-60], headers)
    documents, losses = read(made.write())
    assert [page_of(1).startswith(one.body) and one.body != page_of(1) for one in documents] == [
        True
    ] * 3
    assert losses.counts == {"truncated record": 3}


@pytest.mark.parametrize("way", WAYS)
def test_a_payload_is_decoded_as_its_headers_say_if_it_can_be(
    way: str, archive: MakeArchive, tmp_path: Path
) -> None:
    """And the pages after it are there, whatever became of it."""
    made = archive(tmp_path / "a.warc.gz")
    headers, payload = WAYS[way]
    made.add("http://a.com/a", payload, {"Content-Type": "text/html; charset=utf-8", **headers})
    made.add("http://a.com/b", PAGE)
    documents, losses = read(made.write())
    assert documents == [Document(f"http://a.com/{name}", PAGE, "utf-8") for name in "ab"]
    assert not losses.counts


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "utf-8", "none", "gzip, br"])
def test_a_payload_that_cannot_be_decoded_does_not_hide_the_next(
    coding: str, archive: MakeArchive, tmp_path: Path
) -> None:
    made = archive(tmp_path / "a.warc.gz")
    made.add("http://a.com/1", PAGE)
    headers = {"Content-Type": "text/html", "Content-Encoding": coding}
    made.add("http://a.com/2", gzip.compress(PAGE)[:30] + b"\xff\xff no more of it", headers)
    made.add("http://a.com/3", PAGE)
    documents, losses = read(made.write())
    assert [one.url for one in documents if one.body == PAGE] == [
        "http://a.com/1", "http://a.com/3"
    ]  # fmt: skip
    assert len(documents) + losses.counts.total() == 3


def test_only_answers_that_are_pages_are_read(archive: MakeArchive, tmp_path: Path) -> None:
    made = archive(tmp_path / "a.warc.gz")
    page = {"Content-Type": "TEXT/HTML;charset=utf-8"}
    made.add("http://a.com/", b"GET", {}, kind="request")
    made.add("http://a.com/", PAGE, page)
    made.add("http://a.com/partial", PAGE, page, status="206 Partial Content")
    made.add("http://a.com/moved", PAGE, {**page, "Location": "/"}, status="301 Moved")
    made.add("http://a.com/gone", PAGE, page, status="404 Not Found")
    made.add("http://a.com/error", PAGE, page, status="500 Oh")
    made.add("http://a.com/a.png", b"\x89PNG", {"Content-Type": "image/png"})
    made.add("http://a.com/a.txt", PAGE, {"Content-Type": "text/plain"})
    made.add("http://a.com/htmlx", PAGE, {"Content-Type": "text/htmlx"})
    made.add("http://a.com/untold", PAGE, {})
    made.add("http://a.com/x", PAGE, {"Content-Type": "application/xhtml+xml"})
    made.add("dns:a.com", b"1.2.3.4", {"Content-Type": "text/dns"}, kind="resource")
    made.add("dns:a.com", PAGE, {"Content-Type": "text/html"}, kind="resource")
    made.add("https://a.com/saved", PAGE, {"Content-Type": "text/html"}, kind="resource")
    made.add("http://a.com/again", b"", page, kind="revisit")
    made.add("urn:notes", PAGE, {"Content-Type": "text/html"}, kind="metadata")
    documents, losses = read(made.write())
    assert [(one.url, one.status) for one in documents] == [
        ("http://a.com/", 200),
        ("http://a.com/partial", 206),
        ("http://a.com/x", 200),
        ("https://a.com/saved", 200),
    ]
    assert {one.body for one in documents} == {PAGE}
    assert losses.counts == {
        "not HTML": 3, "no content type": 1, "no http URL": 2, "revisit record": 1,
        "status 301": 1, "status 404": 1, "status 500": 1,
    }  # fmt: skip


def record_of(head: bytes, body: bytes = PAGE, warc: bytes = b"") -> bytes:
    """A record as others may write it."""
    content = head + body
    lines = (
        b"WARC/1.0", b"WARC-Type: response", b"WARC-Date: 2026-01-01T00:00:00Z",
        b"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>",
        warc or b"WARC-Target-URI: http://a.com/\r\nContent-Type: application/http",
        b"Content-Length: %d" % len(content), b"", content, b"", b"",
    )  # fmt: skip
    return gzip.compress(b"\r\n".join(lines))


TOLD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
ODD: dict[str, tuple[bytes, bytes]] = {
    "lines without CR": (b"HTTP/1.1 200 OK\nX: y\nContent-Type: text/html;charset=utf-8\n\n", b""),
    "an end without CR": (b"HTTP/1.1 200 OK\r\nContent-Type: text/html;charset=utf-8\n\n", b""),
    "HTTP/2": (b"HTTP/2 200\r\ncontent-type:text/html;charset=utf-8\r\n\r\n", b""),
    "shouted": (b"HTTP/1.1 200 OK\r\nCONTENT-TYPE : TEXT/HTML;CHARSET=UTF-8\r\n\r\n", b""),
    "a list of types": (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html, text/html; charset=utf-8\r\n\r\n", b"",
    ),
    "no semicolon": (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html charset=utf-8\r\n\r\n", b"",
    ),
    "a shouted URL": (
        TOLD, b"WARC-Target-URI: HTTP://A.COM/\r\nContent-Type: application/http; msgtype=response",
    ),
    "brackets": (TOLD, b"WARC-Target-URI: <http://a.com/>\r\nContent-Type: application/http"),
    "a type of another case": (
        TOLD, b"WARC-Target-URI: http://a.com/\r\ncontent-type: Application/HTTP;msgtype=response",
    ),
    "a record without a type": (TOLD, b"WARC-Target-URI: http://a.com/"),
}  # fmt: skip


@pytest.mark.parametrize("way", ODD)
def test_a_page_that_was_archived_in_another_way_is_one(way: str, tmp_path: Path) -> None:
    """Catches looking for headers, types and URLs only as one program writes them."""
    file = tmp_path / "a.warc.gz"
    head, warc = ODD[way]
    file.write_bytes(record_of(head, warc=warc))
    losses = Losses()
    with Store(tmp_path / "crawl") as store:
        documents = list(read_warc(file, losses))
        ingest(store, documents, losses, save_html=False)
        assert [url for _, url, _, _ in store.pages.briefs()] == ["http://a.com/"]
    assert [(one.body, one.encoding) for one in documents] == [(PAGE, "utf-8")]
    assert not losses.counts


def test_a_body_with_empty_lines_does_not_end_the_headers_late(tmp_path: Path) -> None:
    """Catches taking the first empty line with CR for the end of headers that have none."""
    file = tmp_path / "a.warc.gz"
    head = b"HTTP/1.1 200 OK\nContent-Type: text/html; charset=utf-8\n\n"
    body = b"<p>one\r\n\r\ntwo</p>\n\n"
    file.write_bytes(record_of(head, body) + record_of(TOLD, body))
    assert [one.body for one in read(file)[0]] == [body, body]


def test_headers_may_be_longer_than_what_is_read_of_a_page_at_first(
    archive: MakeArchive, tmp_path: Path
) -> None:
    """Cookies and policies fill kilobytes; the type may stand behind them."""
    made = archive(tmp_path / "a.warc.gz")
    for number in range(2):
        long = {f"X-{n}": "x" * 500 for n in range(50)}
        body = PAGE + bytes(40_000)
        made.add(f"http://a.com/{number}", body, {**long, "content-TYPE": " text/html "})
    documents, losses = read(made.write())
    assert [one.body for one in documents] == [PAGE + bytes(40_000)] * 2
    assert not losses.counts


def test_the_charset_is_the_servers_or_the_pages(archive: MakeArchive, tmp_path: Path) -> None:
    made = archive(tmp_path / "a.warc.gz")
    russian = "<p>жук</p>".encode("koi8-r")
    made.add("http://a.com/1", russian, {"Content-Type": "text/html; charset=koi8-r"})
    made.add("http://a.com/2", b"<meta charset=koi8-r>" + russian, {"Content-Type": "text/html"})
    made.add("http://a.com/3", b"<p>\xe9</p>", {"Content-Type": "text/html"})
    made.add("http://a.com/4", russian, {"Content-Type": "text/html;charset=koi8-r"},
             kind="resource")  # fmt: skip
    documents, _ = read(made.write())
    assert [one.encoding for one in documents] == ["koi8-r", "koi8-r", "cp1252", "koi8-r"]


def cuts(made: Archive) -> list[int]:
    """Where an archive may break off: in headers, in bodies, and near the ends of records."""
    size = len(made.content)
    inside = [made.ends[0] + n for n in (1, 9, 60, 200, 400)]
    near = [made.ends[4] + n for n in (-40, -9, -5)]
    return sorted({n for n in (*inside, *near, size // 3, size // 2, size - 20) if 3 < n < size})


def test_what_an_archive_that_broke_off_still_has_is_read(ten: Archive) -> None:
    """Only the last page may be incomplete, none is made up, none before the break is missing."""
    for cut in cuts(ten):
        documents, _ = read(ten.write(ten.content[:cut]))
        whole = sum(end <= cut for end in ten.ends)
        assert len(documents) in (whole, whole + 1)
        for number, document in enumerate(documents):
            assert document.url == f"http://a.com/{number}"
            if number < whole:
                assert document.body == page_of(number)
            else:
                assert page_of(number).startswith(document.body)


def test_an_archive_that_broke_off_is_counted(ten: Archive) -> None:
    """Readers end in silence there, so lengths must be compared."""
    silent = []
    for cut in cuts(ten):
        documents, losses = read(ten.write(ten.content[:cut]))
        begun = sum(end < cut for end in [0, *ten.ends])
        bodies = [document.body for document in documents]
        if bodies != [page_of(number) for number in range(begun)] and not losses.counts:
            silent.append(cut)
    assert not silent


def test_a_whole_archive_that_ends_between_two_records_lost_nothing(ten: Archive) -> None:
    for end in (ten.ends[0], ten.ends[4]):
        documents, losses = read(ten.write(ten.content[:end]))
        assert len(documents) == ten.ends.index(end) + 1
        assert not losses.counts


@pytest.mark.parametrize("members", [1, 3])
def test_an_archive_that_is_compressed_as_a_whole_is_told_from_one_that_broke_off(
    archive: MakeArchive, tmp_path: Path, members: int
) -> None:
    """Catches looking for the last record where it would stand in an archive that is not."""
    plain = archive(tmp_path / "plain.warc", gzip=False)
    for number in range(10):
        plain.add(f"http://a.com/{number}", page_of(number))
    content = plain.content
    each = len(content) // members + 1
    parts = [gzip.compress(content[at : at + each]) for at in range(0, len(content), each)]
    whole = tmp_path / "whole.warc.gz"
    whole.write_bytes(b"".join(parts))
    documents, losses = read(whole)
    assert (len(documents), dict(losses.counts)) == (10, {})
    whole.write_bytes(whole.read_bytes()[:-9])
    documents, losses = read(whole)
    assert sum(losses.counts.values()) == 1


def test_what_stands_before_damage_is_read_and_the_loss_counted(ten: Archive) -> None:
    at = ten.ends[4]
    damaged = ten.content[:at] + b"\xff" * 200 + ten.content[at + 200 :]
    documents, losses = read(ten.write(damaged))
    assert [one.body for one in documents[:5]] == [page_of(number) for number in range(5)]
    assert losses.counts.total() >= 1


def test_a_record_that_was_cut_when_it_was_fetched_is_counted(
    archive: MakeArchive, tmp_path: Path
) -> None:
    made = archive(tmp_path / "a.warc.gz")
    made.add("http://a.com/", PAGE, warc={"WARC-Truncated": "length"})
    documents, losses = read(made.write())
    assert [one.body for one in documents] == [PAGE]
    assert losses.counts == {"truncated record": 1}


def test_a_page_that_is_cut_for_its_size_is_counted(archive: MakeArchive, tmp_path: Path) -> None:
    made = archive(tmp_path / "a.warc.gz")
    made.add("http://a.com/large", b"<html>" + bytes(LARGEST))
    made.add("http://a.com/next", PAGE)
    documents, losses = read(made.write())
    assert all(len(one.body) <= LARGEST for one in documents)
    assert documents[-1].body == PAGE
    assert losses.counts.total() == 1


@pytest.mark.parametrize(
    "content",
    [b"this is a text\n" * 100, b"\x89PNG\r\n\x1a\n" + bytes(500), gzip.compress(b"text\n" * 99),
     PAGE, b"WAR"],
    ids=["text", "image", "compressed text", "page", "short"],
)  # fmt: skip
def test_what_is_no_archive_is_told_in_one_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "not.warc"
    file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read(file)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_archive_that_cannot_be_opened_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.warc"):
        read(tmp_path / "none.warc")


@pytest.mark.parametrize(
    "url",
    ["http://[bad/", "http://a.com:99999/", "http://a.com:port/", "http:///path",
     "http://\u2100.com/", "http://a.com/\udcff"],
)  # fmt: skip
def test_an_address_that_is_none_is_counted_and_the_next_page_read(
    url: str, tmp_path: Path
) -> None:
    losses = Losses()
    documents = [Document(url, PAGE, "utf-8"), Document("http://a.com/", PAGE, "utf-8")]
    with Store(tmp_path) as store:
        ingest(store, documents, losses, save_html=False)
        assert [url for _, url, _, _ in store.pages.briefs()][-1] == "http://a.com/"
        assert len(store.pages) + losses.counts.total() == 2


def test_an_address_of_an_archive_may_be_none(archive: MakeArchive, tmp_path: Path) -> None:
    made = archive(tmp_path / "a.warc.gz")
    for url in (
        "http://[bad/", "http://a.com:99999/x", "<http://a.com/in-brackets>", "http://a.com/<b>",
    ):  # fmt: skip
        made.add(url, PAGE)
    losses = Losses()
    with Store(tmp_path / "crawl") as store:
        ingest(store, read_warc(made.write(), losses), losses, save_html=False)
        urls = [url for _, url, _, _ in store.pages.briefs()]
    assert urls == ["http://a.com/in-brackets", "http://a.com/%3Cb%3E"]
    assert losses.counts.total() == 2
