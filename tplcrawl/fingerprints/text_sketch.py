"""What a page says, in a few numbers: near-identical texts have near-identical ones."""

from __future__ import annotations

import re
from collections.abc import Set
from heapq import nsmallest
from typing import Any
from urllib.parse import unquote
from zlib import crc32

import numpy as np
from lxml import etree

SIZE = 32
"""Words of a sketch: those with the smallest hashes, so a random sample that two pages share."""
_MOST = 65_536
_TEXTS = etree.XPath(".//text()[not(parent::script or parent::style)]", smart_strings=False)
_DIGIT = re.compile("[0-9]")
_WORD = re.compile(r"[^\W\d_]+")


def text_sketch(root: Any, url: str = "") -> bytes:
    """The sketch of the text below *root*, an lxml element. Words with digits do not count, since
    they name this page, this visit or this day; nor do those of its *url* and its title, which
    excuses repeat."""
    text = " ".join(_TEXTS(root))[:_MOST]
    title = root.findtext(".//title") or ""
    asked = set(_WORD.findall(f"{unquote(url)} {title[:_MOST]}".lower()))
    words = {
        word for word in set(text.split()) if not _DIGIT.search(word) and not _names(word, asked)
    }
    hashes = {crc32(word.encode("utf-8", "replace")) for word in words}
    return np.array(nsmallest(SIZE, hashes), "<u4").tobytes()


def _names(word: str, asked: Set[str]) -> bool:
    """Whether *word* has nothing but words that were *asked* for."""
    parts = _WORD.findall(word.lower())
    return bool(parts) and asked >= set(parts)


def likeness(one: bytes, other: bytes) -> float:
    """About the share of words that two texts have in common (Jaccard, by their sketches).

    >>> likeness(b"", b""), likeness(bytes(8), bytes([1] * 8))
    (1.0, 0.0)
    """
    mine, yours = (set(np.frombuffer(sketch, "<u4").tolist()) for sketch in (one, other))
    sample = nsmallest(SIZE, mine | yours)
    return sum(word in mine and word in yours for word in sample) / len(sample) if sample else 1.0
