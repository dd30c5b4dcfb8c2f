"""Sound inputs of each target, to begin with."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tplcrawl.fingerprints.features import features_of
from tplcrawl.outline import Outline
from tplcrawl.store.sightings import SightingTable

_PAGES = (
    b"<!doctype html><html lang=en><head><title>A &amp; b</title><base href='/x/'>"
    b"<link rel='next canonical' href='?p=2'><meta http-equiv=refresh content='0;url=/r'></head>"
    b"<body class='a b'><ul><li class=x><a href=/p/1>one</a> and more<li><a href='../2'>2</a></ul>"
    b"<script>if (a<b) '<p>'</script><!-- <b> --><p>It costs <b>$9.50</b>, since May 1, 2020",
    b"<html><body><h1 itemprop=name>Name</h1><table><tr><th>Size</th><td>12 kg</td></tr></table>"
    b"<dl><dt>By</dt><dd>Somebody</dd></dl><svg><a href=/s>x</a></svg><iframe src=//e.test>",
)
_LINKS = "\n".join((
    "/a/b", "/x/", "/p;jsessionid=1A2B/q?sid=12&s=x#top", "//example.com:80/../a/./b",
    "http://me@EXAMPLE.com/%41%zz", "?a=1&utm_source=x", "é/ü?ß=%E9", "javascript:x",
    "(S(lit3py55t21z5v55vlm25s55))/x",
    "http://[::1]/", "http://2130706433/", "data:,x", "http:\\\\example.com\\x", " /sp ace\t",
)).encode()  # fmt: skip


def _record(headers: bytes, body: bytes) -> bytes:
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + headers + b"\r\n" + body
    return (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.com/\r\n"
        b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
        % (len(http), http)
    )


def _blobs() -> list[bytes]:
    outline = Outline((-1, 0, 1), ("html", "body a", "p b c"), (False, True, True), (0, 1, 2, 2))
    table = SightingTable.of([1, 2, 300], [1, 1, 2], [True, False, True], [(1, 2), (1, 3), (1,)])
    numbers = np.array([3, 4, -1, 0, 1, 0, 1, 2, 2], "<i4").tobytes()
    raw = numbers + b"\0\1\1html\nbody a\np b c"
    features = features_of("http://example.com/a/1", outline, b"\0\0\1").encode()
    return [outline.encode(), table.encode(), raw, features]


SEEDS: dict[str, Callable[[], list[bytes]]] = {
    "walk": lambda: [bytes([number]) + page for number in range(3) for page in _PAGES],
    "tokenizer": lambda: [*_PAGES, b"<a =<b ='>'></title <!--x--!><p/><title><b></TITLE\n><p>"],
    "urls": lambda: [_LINKS],
    "warc": lambda: [
        _record(b"", _PAGES[0]) * 2,
        _record(b"Transfer-Encoding: chunked\r\n", b"3\r\n<p>\r\n2;x=y\r\nab\r\n0\r\n\r\n"),
        _record(b"Content-Encoding: gzip, deflate, br, zstd\r\n", _PAGES[1]),
    ],
    "blobs": _blobs,
    "wrappers": lambda: [b"\0".join((*_PAGES, _PAGES[1].replace(b"12", b"99")))],
}
