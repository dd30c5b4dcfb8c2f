"""What a page says, in a few numbers: near-identical texts have near-identical ones."""

from __future__ import annotations

from heapq import nsmallest
from typing import Any
from zlib import crc32

import numpy as np
from lxml import etree

SIZE = 32
"""Words of a sketch: those with the smallest hashes, so a random sample that two pages share."""
_MOST = 65_536


def text_sketch(root: Any) -> bytes:
    """The sketch of the text below *root*, an lxml element; words with digits do not count, since
    they name this page, this visit or this day."""
    text: bytes = etree.tostring(root, method="text", encoding="utf-8", with_tail=False)[:_MOST]
    words = {word for word in text.split() if not any(48 <= byte <= 57 for byte in word)}
    return np.array(nsmallest(SIZE, set(map(crc32, words))), "<u4").tobytes()


def likeness(one: bytes, other: bytes) -> float:
    """About the share of words that two texts have in common (Jaccard, by their sketches).

    >>> likeness(b"", b""), likeness(bytes(8), bytes([1] * 8))
    (1.0, 0.0)
    """
    mine, yours = (set(np.frombuffer(sketch, "<u4").tolist()) for sketch in (one, other))
    sample = nsmallest(SIZE, mine | yours)
    return sum(word in mine and word in yours for word in sample) / len(sample) if sample else 1.0
