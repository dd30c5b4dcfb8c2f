"""What stands around the values of a field on every page: ``by Jane Doe``, ``Pages: 320``."""

from __future__ import annotations

import os.path
import re
from collections.abc import Sequence

LEAST = 3
"""Different values that must share it."""

_ENDS = ":=|>»–—"
_FURTHER = re.compile(r"[^\W\d_]\s*[:=]\s").search
_TRIM = re.compile(r"\w+$")


def affixes(texts: Sequence[str]) -> tuple[str, str]:
    """What all of *texts* begin with and end with, if it is no part of the values: a mark parts it
    from them, or it stands before them and is made of words in small letters.

    >>> affixes(["Pages: 320", "Pages: 12", "Pages: 98"]), affixes(["by A B", "by C", "by D"])
    (('Pages: ', ''), ('by ', ''))
    >>> affixes(["Sony DSC-1", "Sony W2", "Sony H9"]), affixes(["$10", "$12", "$7"])
    (('', ''), ('', ''))
    >>> affixes(["Size: 1 | Age: 2", "Size: 3 | Age: 4", "Size: 5 | Age: 6"])
    ('', '')
    >>> affixes(["id-1", "id-2", "id-3"])
    ('', '')
    >>> affixes(["Red | Shop", "Blue | Shop", "Tan | Shop"])
    ('', ' | Shop')
    """
    distinct = list(dict.fromkeys(texts))
    if len(distinct) < LEAST:
        return "", ""
    start = _TRIM.sub("", os.path.commonprefix(distinct))
    if not _is_around(start.strip(), start.strip()[-1:]) or (
        start.strip()[-1:] not in _ENDS and not start[-1:].isspace()
    ):
        start = ""
    if start and all(map(_FURTHER, [text[len(start) :] for text in distinct])):
        # Several labels in one text: to take off the first says nothing of the others.
        start = ""
    rest = [text[len(start) :] for text in distinct]
    end = os.path.commonprefix([text[::-1] for text in rest])[::-1]
    end = re.sub(r"^\w+", "", end)
    if not _is_around(end.strip(), end.strip()[:1]) or end.strip().islower():
        end = ""
    if any(len(start) + len(end) >= len(text) for text in distinct):
        return "", ""
    return start, end


def bared(text: str, prefix: str, suffix: str) -> str:
    """*text* without what stands around its value; whole, if there is nothing else.

    >>> bared("Red | Shop", "", " | Shop"), bared(" | Shop", "", " | Shop")
    ('Red', ' | Shop')
    """
    bare = text.removeprefix(prefix).removesuffix(suffix).strip()
    return bare or text


def _is_around(words: str, mark: str) -> bool:
    if not any(c.isalpha() for c in words) or any(c.isdigit() for c in words):
        return False
    return mark in _ENDS or words.islower()
