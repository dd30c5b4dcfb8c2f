"""Words as numbers: what a link says and what its page is called can be compared by them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from zlib import crc32

MOST = 8
"""Words of a link that are kept: four bytes each, of every URL."""

# Scripts in which no spaces stand between words: Thai to Myanmar, Khmer, kana and ideographs.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"([{_UNSPACED}]+)|(?:(?![{_UNSPACED}])[^\W_])+")


def words_of(text: str) -> Iterator[int]:
    """The words and numbers of *text*, in their order; of a script without spaces, each two
    characters that follow one another.

    >>> list(words_of("Blue lamp")) == list(words_of("(blue_LAMP)"))
    True
    >>> len(list(words_of("台灣創用CC計畫")))
    5
    """
    for token in _TOKEN.finditer(text.lower()):
        word = token[0]
        parts = [word]
        if token[1] is not None and len(word) > 2:
            parts = [word[at : at + 2] for at in range(len(word) - 1)]
        for part in parts:
            yield crc32(part.encode("utf-8", "replace"))


def packed(text: str) -> bytes:
    """The first :data:`MOST` different words of *text*.

    >>> unpacked(packed("one two One")) == set(words_of("two one"))
    True
    """
    words = islice(dict.fromkeys(islice(words_of(text), 4 * MOST)), MOST)
    return b"".join(word.to_bytes(4, "little") for word in words)


def unpacked(words: bytes) -> frozenset[int]:
    """What :func:`packed` has packed."""
    ends = range(4, len(words) + 1, 4)
    return frozenset(int.from_bytes(words[end - 4 : end], "little") for end in ends)
