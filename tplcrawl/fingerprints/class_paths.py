"""Tag paths qualified by the CSS classes of their last element, and the classes alone.

A class counts with the path of its own element only. Content systems write page ids into classes,
often into the body's (``postid-1234``, ``page-about``): if a path carried the classes of all
elements above, one such class would make every path of the page unlike any other page's. Digits
are folded, so that ``item-17`` and ``item-18`` are one.
"""

from __future__ import annotations

from zlib import crc32

from tplcrawl.fingerprints.steps import step_parts
from tplcrawl.fingerprints.tag_paths import Hashes, hash_set, path_hashes
from tplcrawl.outline import Outline


def class_paths(outline: Outline) -> Hashes:
    """The set of (tag path, class) pairs of a page. O(distinct paths)."""
    return hash_set(
        crc32(name, path)
        for path, step in zip(path_hashes(outline), outline.steps, strict=True)
        for name in step_parts(step).classes
    )


def classes(outline: Outline) -> Hashes:
    """The set of class tokens of a page."""
    return hash_set(h for step in outline.steps for h in step_parts(step).class_hashes)


def body_classes(outline: Outline) -> Hashes:
    """The classes of the page's ``body``: on some sites they name its template."""
    return hash_set(
        h
        for step in outline.steps
        if step.startswith("body ")
        for h in step_parts(step).class_hashes
    )
