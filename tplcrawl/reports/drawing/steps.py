"""How something grew while pages came, as an SVG path."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH, HEIGHT = 560, 180


def steps(curve: Sequence[tuple[int, int]], pages: int) -> str:
    """How much there was after how many pages, as a path of steps.

    >>> steps([(1, 1), (5, 2)], 10)
    'M0 180H56V90H280V0H560'
    """
    whole = max([1, *(found for _, found in curve)])
    path = [f"M0 {HEIGHT}"]
    for page, found in curve:
        x = WIDTH * page / max(pages, 1)
        path.append(f"H{x:.4g}V{HEIGHT - HEIGHT * found / whole:.4g}")
    return "".join([*path, f"H{WIDTH}"])
