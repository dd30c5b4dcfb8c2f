"""The map of pages as SVG paths."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tplcrawl.reports.sections.neighbourhood import PageMap

WIDTH, HEIGHT = 720, 440
_MARGIN = 34
_CELL = 36
"""Where most of a template's dots lie within so much, its name stands."""
_LETTER, _LINE = 7, 15
"""What a letter of a name takes."""
_TURN = math.pi * (3 - math.sqrt(5))
"""The golden angle: pages that would cover each other are set in a spiral, like seeds."""


@dataclass(frozen=True, slots=True)
class Dots:
    """The dots of one template: a path of points, and their pages in its order."""

    template: int | None
    path: str
    urls: tuple[str, ...]
    above: tuple[float, float]
    """A point above most of them."""


def dots(map_: PageMap) -> list[Dots]:
    """The dots of each template. Pages of equal structure stand at one place, so they are spread
    around it: as wide as there is room for, the same every time."""
    step = min(2.3, 0.32 * math.sqrt(WIDTH * HEIGHT / max(len(map_.pages), 1)))
    taken: defaultdict[tuple[int, int], int] = defaultdict(int)
    points: defaultdict[int | None, list[tuple[float, float]]] = defaultdict(list)
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
        points[template].append((left, top))
        urls[template].append(page.url)
    order = sorted(points, key=lambda one: (-len(points[one]), one or 0))
    return [
        Dots(
            one,
            "".join(f"M{left:.4g} {top:.4g}h0" for left, top in points[one]),
            tuple(urls[one]),
            _above(points[one]),
        )
        for one in order
    ]


def _above(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    cells: defaultdict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    for left, top in points:
        cells[int(left / _CELL), int(top / _CELL)].append((left, top))
    middle = max(cells.values(), key=len)
    x, y = (sum(one[i] for one in middle) / len(middle) for i in (0, 1))
    near = [top for left, top in points if abs(left - x) < _CELL and abs(top - y) < _CELL]
    return x, min(near) - 7


def labels(dots: Sequence[Dots], names: Mapping[int, str]) -> list[tuple[int, int, str]]:
    """The names of templates and the middles of their base lines on the map: those of the first
    *dots* before others, none upon another.

    >>> crowd = [Dots(1, "", (), (90.0, 50.0)), Dots(2, "", (), (95.0, 52.0))]
    >>> labels(crowd, {1: "post", 2: "list"})
    [(90, 50, 'post')]
    """
    found: list[tuple[int, int, str]] = []
    for one in dots:
        name = names.get(one.template or 0)
        if name is None:
            continue
        half = len(name) * _LETTER // 2
        x = round(min(max(one.above[0], half + 2), WIDTH - half - 2))
        y = round(max(one.above[1], _LINE))
        if all(
            abs(x - x2) > half + len(other) * _LETTER // 2 or abs(y - y2) > _LINE
            for x2, y2, other in found
        ):
            found.append((x, y, name))
    return found
