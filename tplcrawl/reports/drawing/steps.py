"""The discovery curve as an SVG path."""

from __future__ import annotations

from typing import Any

WIDTH, HEIGHT = 560, 180


def steps(discovery: dict[str, Any], pages: int) -> str:
    """How many templates had been met after how many pages, as a path of steps.

    >>> steps({"curve": [{"page": 1}, {"page": 5}], "found": 2}, 10)
    'M0 180H56V90H280V0H560'
    """
    found = max(discovery["found"], 1)
    path = [f"M0 {HEIGHT}"]
    for number, one in enumerate(discovery["curve"], 1):
        x = WIDTH * one["page"] / max(pages, 1)
        path.append(f"H{x:.4g}V{HEIGHT - HEIGHT * number / found:.4g}")
    return "".join([*path, f"H{WIDTH}"])
