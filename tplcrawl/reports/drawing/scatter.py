"""The map of pages as SVG paths."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

from tplcrawl.reports.sections.neighbourhood import PageMap

WIDTH, HEIGHT = 720, 440
_MARGIN = 34
_TURN = math.pi * (3 - math.sqrt(5))
"""The golden angle: pages that would cover each other are set in a spiral, like seeds."""


@dataclass(frozen=True, slots=True)
class Dots:
    """The dots of one template: a path of points, and their pages in its order."""

    template: int | None
    path: str
    urls: tuple[str, ...]


def dots(map_: PageMap) -> list[Dots]:
    """The dots of each template. Pages of equal structure stand at one place, so they are spread
    around it: as wide as there is room for, the same every time."""
    step = min(2.3, 0.32 * math.sqrt(WIDTH * HEIGHT / max(len(map_.pages), 1)))
    taken: defaultdict[tuple[int, int], int] = defaultdict(int)
    points: defaultdict[int | None, list[str]] = defaultdict(list)
    urls: defaultdict[int | None, list[str]] = defaultdict(list)
    for page, (x, y) in zip(map_.pages, map_.places.tolist(), strict=True):
        left = _MARGIN + x * (WIDTH - 2 * _MARGIN)
        top = _MARGIN + y * (HEIGHT - 2 * _MARGIN)
        place = round(left / step), round(top / step)
        number = taken[place]
        taken[place] += 1
        radius, angle = step * math.sqrt(number), number * _TURN
        left = min(max(left + radius * math.cos(angle), 3), WIDTH - 3)
        top = min(max(top + radius * math.sin(angle), 3), HEIGHT - 3)
        template = page.assignment.template
        points[template].append(f"M{left:.4g} {top:.4g}h0")
        urls[template].append(page.url)
    order = sorted(points, key=lambda one: (-len(points[one]), one or 0))
    return [Dots(one, "".join(points[one]), tuple(urls[one])) for one in order]
