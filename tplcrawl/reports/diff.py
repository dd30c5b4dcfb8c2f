"""The comparison of two crawls, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tplcrawl.reports.comparison import Pair
from tplcrawl.reports.drawing.wireframe import wireframes
from tplcrawl.reports.html import render

PICTURED = 60
"""Templates that are shown before and after."""


def diff_html(pairs: Sequence[Pair], numbers: dict[str, Any]) -> str:
    """The comparison as one self-contained file."""
    shown = [pair for pair in pairs if pair.states][:PICTURED]
    before = [pair.old.outline for pair in shown if pair.old]
    after = [pair.new.outline for pair in shown if pair.new]
    old, new = iter(wireframes(before)), iter(wireframes(after))
    pictures = [(next(old) if p.old else None, next(new) if p.new else None) for p in shown]
    return render("diff.html.j2", numbers, pictures=pictures)
