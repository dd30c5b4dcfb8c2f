"""What is fuzzed: for each target, what must hold of any bytes whatsoever.

``make fuzz`` drives them with coverage (``python -m tests.fuzz``); ``test_fuzz.py`` with Hypothesis
and with every input that ever broke one of them (``crashes/``).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urljoin, urlsplit

import numpy as np

from tests.fuzz.plain_tokens import plain_tags
from tplcrawl.batch.documents import Losses
from tplcrawl.batch.warc import read_warc
from tplcrawl.errors import InputError
from tplcrawl.fingerprints.features import Features, features_of
from tplcrawl.fingerprints.lzw import compress, fingerprint, raw_tags
from tplcrawl.outline import Outline
from tplcrawl.page.guard import guarded
from tplcrawl.page.limits import DEFAULT, Limits
from tplcrawl.page.profile import profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner, normal_url
from tplcrawl.store.sightings import SightingTable
from tplcrawl.wrappers.extraction import Extractor
from tplcrawl.wrappers.learning import learn
from tplcrawl.wrappers.library import page_of
from tplcrawl.wrappers.wrapper import Wrapper

URL = "http://example.com/a/b?c"
_ENCODINGS = ("utf-8", "cp1252", "utf-16", "gb18030", "cp932", "utf-7", "bogus", "koi8-r")
_SMALL = Limits(body=3000, attributes=3, depth=6, elements=40, links=5, url=60, classes=20)
_UNREADABLE = (zlib.error, ValueError, IndexError)


def walk(data: bytes) -> None:
    """Any page has one sound profile, within the limits, that comes back from the disk."""
    encoding, body = _ENCODINGS[(data or b"\0")[0] % len(_ENCODINGS)], data[1:]
    for limits in (DEFAULT, _SMALL):
        cleaner = Cleaner(Site([URL]), limits=limits)
        found = profile_of(URL, body, cleaner, encoding=encoding, limits=limits)
        assert found == profile_of(URL, body, cleaner, encoding=encoding, limits=limits)
        outline, links = found.outline, found.links
        assert max(outline.depths) < limits.depth
        assert len(outline.sequence) <= limits.elements
        assert len(links) <= limits.links
        assert max(map(len, links.urls), default=0) <= limits.url
        assert set(outline.sequence) == set(range(len(outline.steps)))
        assert Outline.decode(outline.encode()) == outline
        for sighting in links.sightings(1):
            assert sighting.location.count("/") == len(sighting.positions)
            assert sighting.url.startswith(("http://example.com/", "https://example.com/"))
            assert normal_url(sighting.url) == sighting.url
        table = SightingTable.of(range(len(links)), range(len(links)), links.prose, links.positions)
        assert SightingTable.decode(table.encode()).positions == links.positions
        features = features_of(URL, outline, found.lzw)
        assert features.encode() == Features.decode(features.encode()).encode()
        safe, _ = guarded(body, limits)
        assert len(safe) <= limits.body + 2 * len(body)


def tokenizer(data: bytes) -> None:
    """What is read of a page's beginning is what stands in the whole of it."""
    whole = plain_tags(data)
    assert list(raw_tags(data)) == whole
    assert list(islice(raw_tags(data), 3)) == whole[:3]
    assert fingerprint(data) == compress(whole)


def urls(data: bytes) -> None:
    """A link is cleaned to what the long way gives, in normal form, or to nothing."""
    page, base, *hrefs = [*data.decode("utf-8", "surrogateescape").split("\n"), ""]
    site = Site([URL])
    try:
        at = normal_url(urljoin(URL, page)) or URL
    except ValueError:
        at = URL
    for encoding in ("utf-8", "cp1252"):
        found = Cleaner(site).clean(hrefs, at, base, encoding)
        assert found == Cleaner(site).clean(hrefs, at, base, encoding)
        for href, url in zip(hrefs, found, strict=True):
            assert [url] == Cleaner(site).clean([href], at, base, encoding)
            if url:
                assert url.isascii()
                assert url.isprintable()
                assert len(url) <= DEFAULT.url
                assert site.covers(urlsplit(url))
                assert normal_url(url) == url


def warc(data: bytes) -> None:
    """An archive is read as far as it goes, whatever it is."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.warc"
        path.write_bytes(data)
        losses = Losses()
        with suppress(InputError):
            for document in read_warc(path, losses):
                assert document.url.startswith(("http://", "https://"))
                document.body.decode(document.encoding, "replace")


def blobs(data: bytes) -> None:
    """A blob is what it says, or it is refused."""
    for blob in (data, zlib.compress(data, 0)):
        try:
            outline = Outline.decode(blob)
        except _UNREADABLE:
            pass
        else:
            assert all(outline.path(index) for index in range(len(outline.steps)))
            assert all(index < len(outline.steps) for index in outline.sequence)
            assert len(outline.depths) == len(outline.steps) == len(outline.texts)
            features_of(URL, outline, b"")
        try:
            features = Features.decode(blob)
        except _UNREADABLE:
            pass
        else:
            assert features.encode() == blob
        try:
            table = SightingTable.decode(blob)
        except _UNREADABLE:
            pass
        else:
            assert len(table.positions) == len(table.spots()) == len(table)
            again = SightingTable.decode(table.encode())
            assert all(
                map(np.array_equal, (again.targets, again.steps), (table.targets, table.steps))
            )


def wrappers(data: bytes) -> None:
    """A wrapper is learnt of any pages, survives its file, and reads any page."""
    parts = data.split(b"\0", 2)
    pages = [page_of(f"{URL}={n}", part, "utf-8") for n, part in enumerate([*parts, parts[0]])]
    wrapper = learn("t1", pages[:-1])
    told = json.loads(json.dumps(wrapper.as_dict()))
    assert json.loads(json.dumps(Wrapper.of(told).as_dict())) == told
    for page in pages:
        record = Extractor(wrapper, low=True)(page.root, page.url)
        json.dumps([record.values, record.typed])
    with suppress(ValueError, RecursionError, InputError):
        Wrapper.of(json.loads(data))


TARGETS: dict[str, Callable[[bytes], None]] = {
    "walk": walk,
    "tokenizer": tokenizer,
    "urls": urls,
    "warc": warc,
    "blobs": blobs,
    "wrappers": wrappers,
}
