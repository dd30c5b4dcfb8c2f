"""A schematic picture of a page's structure: boxes where a browser would show boxes.

There is no style sheet and no text in an outline, so sizes are conventions; what is true is what
there is, in which order, and in what.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tplcrawl.outline import Outline
from tplcrawl.reports.drawing.blocks import Block, blocks_of, frame_of, own_leaves, thin

WIDTH, HEIGHT = 240, 320
"""Of the picture, in its own units; what is lower is cut off."""

OWN = 6
"""Of a page with fewer leaves beside the frame, the frame is drawn in full."""

_GAP, _LINE = 4, 5
_LEAST = 2.0
"""The width of what has no room."""
_FRAMED = frozenset(("header", "nav", "footer", "aside", "form", "table", "article", "fieldset"))
_COLUMNS = frozenset(("col", "column", "columns", "grid", "flex"))
_RAGGED = (1.0, 0.86, 0.94, 0.62)
"""Lines of text are of different lengths."""

_SPOKEN = {
    "header": "header", "nav": "navigation", "footer": "footer", "aside": "sidebar",
    "form": "form", "table": "table", "main": "main part", "article": "article", "ul": "list",
    "ol": "list", "dl": "list of terms", "heading": "heading", "image": "picture",
    "field": "field", "button": "button",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wireframe:
    """A picture, as an SVG path for each kind of mark."""

    height: int
    paths: dict[str, str]
    words: str
    """What it shows, for those who do not see it."""


@dataclass(slots=True)
class _Cell:
    """A block in the layout."""

    block: Block
    way: str
    """``column``, ``row``, ``grid`` or ``flow``."""
    first: int
    """The cells of its kids are from here …"""
    last: int = 0
    width: float = 0.0
    height: float = 0.0
    x: float = 0.0
    y: float = 0.0


def wireframes(outlines: Iterable[Outline]) -> list[Wireframe]:
    """Draw pages of one site. What most of them have, its frame, is drawn small."""
    pages = [blocks_of(outline) for outline in outlines]
    frame = frame_of(pages)
    nothing: frozenset[int] = frozenset()
    return [_draw(p, frame if own_leaves(p, frame) >= OWN else nothing) for p in pages]


def _draw(root: Block, frame: frozenset[int]) -> Wireframe:
    """Three passes over the blocks, none of them recursive: widths from the top down, heights from
    the bottom up, places from the top down. What is too high is drawn with less detail."""
    words = ""
    for most in (4, 3, 2):
        thin(root, frame, most)
        words = words or _spoken(root)
        cells = _cells(root)
        cells[0].width = WIDTH
        for cell in cells:
            _share_width(cell, cells[cell.first : cell.last])
        for cell in reversed(cells):
            cell.height = _height(cell, cells[cell.first : cell.last])
        if cells[0].height <= HEIGHT:
            break
    for cell in cells:
        _place(cell, cells[cell.first : cell.last])
    height = max(12, min(HEIGHT, round(cells[0].height)))
    return Wireframe(height, _paths(cells, height), words)


def _cells(root: Block) -> list[_Cell]:
    """All cells, kids of one behind each other, parents first."""
    cells = [_Cell(root, "", 0)]
    flows = [False]
    for at, cell in enumerate(cells):
        inside = flows[at] or cell.block.tag in ("nav", "header", "footer")
        cell.way = _way(cell.block, flows[at] or cell.block.tag in ("nav", "header"))
        cell.first = len(cells)
        cells.extend(_Cell(kid, "", 0) for kid in cell.block.kids)
        flows.extend(inside and cell.way != "row" for _ in cell.block.kids)
        cell.last = len(cells)
    return cells


def _way(block: Block, in_bar: bool) -> str:
    kids = block.kids
    if block.tag in ("tr", "row"):
        return "row"
    if len(kids) > 1 and all(kid.small for kid in kids):
        lists = block.tag in ("ul", "ol", "dl", "tbody", "table")
        if in_bar or not lists:
            return "flow"
    alike = [kid for kid in kids if kid.path == kids[-1].path]
    if len(alike) >= 3 and all(kid.pictured for kid in alike) and block.tag not in ("tbody",):
        return "grid"
    boxes = [kid for kid in kids if kid.kind in ("box", "text", "image")]
    if 2 <= len(boxes) == len(kids) <= 4:
        if any(kid.side for kid in kids):
            return "row"
        if sum(bool(kid.words & _COLUMNS) for kid in kids) >= 2:
            return "row"
    return "column"


def _pad(cell: _Cell) -> int:
    framed = cell.block.kind == "box" and cell.block.tag in _FRAMED
    return _GAP if framed and cell.width >= 4 * _GAP else 0


def _share_width(cell: _Cell, kids: Sequence[_Cell]) -> None:
    inner = cell.width - 2 * _pad(cell)
    if cell.way == "grid":
        across = _across(cell)
        for kid in kids:
            kid.width = max((inner - _GAP * (across - 1)) / across, _LEAST)
    elif cell.way == "row":
        weights = [1.0 if kid.block.side else 2.4 for kid in kids]
        if cell.block.tag == "tr" or not any(kid.block.side for kid in kids):
            weights = [1.0] * len(kids)
        whole = inner - _GAP * (len(kids) - 1)
        for kid, weight in zip(kids, weights, strict=True):
            kid.width = max(whole * weight / sum(weights), _LEAST)
    elif cell.way == "flow":
        for at, kid in enumerate(kids):
            kid.width = min(_natural(kid.block, at), inner)
    else:
        for kid in kids:
            kid.width = inner


def _across(cell: _Cell) -> int:
    return 4 if cell.width >= 180 else 3 if cell.width >= 100 else 2


def _natural(block: Block, at: int) -> float:
    if block.kind == "field":
        return 44.0
    if block.kind == "button":
        return 26.0
    return 26.0 * _RAGGED[at % 4] + (10 if block.kind == "box" else 0)


def _height(cell: _Cell, kids: Sequence[_Cell]) -> float:
    block = cell.block
    if not kids:
        if block.kind == "image":
            return 0.7 * cell.width if cell.width < 90 else 54.0
        return {"heading": 8.0, "field": 9.0, "button": 9.0, "rule": 3.0}.get(
            block.kind, float(_LINE * min(block.lines, 4))
        )
    more = _LINE if block.cut and cell.way == "column" else 0
    return _rows(cell, kids)[-1] + 2 * _pad(cell) + more


def _rows(cell: _Cell, kids: Sequence[_Cell], *, put: bool = False) -> tuple[float, ...]:
    """Set the kids in lines; return the height that they take. With *put*, give them places."""
    pad = _pad(cell)
    left, top, right = cell.x + pad, cell.y + pad, cell.x + cell.width - pad
    x, y, line = left, top, 0.0
    for kid in kids:
        if x > left and (cell.way == "column" or x + kid.width > right + 0.01):
            x, y, line = left, y + line + _GAP, 0.0
        if put:
            kid.x, kid.y = x, y
        x += kid.width + _GAP
        line = max(line, kid.height)
    return (y + line - top,)


def _place(cell: _Cell, kids: Sequence[_Cell]) -> None:
    _rows(cell, kids, put=True)


def _paths(cells: Sequence[_Cell], height: int) -> dict[str, str]:
    """The marks of all cells as path data, by kind."""
    marks: defaultdict[str, list[str]] = defaultdict(list)
    for cell in cells:
        if cell.y < height:
            _mark(cell, marks)
    return {kind: "".join(data) for kind, data in sorted(marks.items())}


def _mark(cell: _Cell, marks: defaultdict[str, list[str]]) -> None:
    block = cell.block
    x, y, w, h = round(cell.x), round(cell.y), max(round(cell.width), 1), max(round(cell.height), 1)
    if block.kind == "box":
        if block.tag in _FRAMED:
            marks["bar" if block.tag in ("header", "nav", "footer") else "box"].append(
                f"M{x} {y}h{w}v{h}h-{w}z"
            )
        if block.cut and cell.way == "column" and w >= 12:
            marks["more"].append(f"M{x + w // 2 - 6} {y + h - 2}h0m6 0h0m6 0h0")
    elif block.kind == "image":
        marks["image"].append(f"M{x} {y}h{w}v{h}h-{w}zl{w} {h}m0-{h}l-{w} {h}")
    elif block.kind in ("text", "link", "frame"):
        lines = max(1, min(block.lines, 4))
        for line in range(lines):
            long = w if lines == 1 else max(round(w * _RAGGED[line % 4]), 1)
            long = min(long, 200 if lines > 1 else 60)
            marks[block.kind].append(f"M{x} {y + 2 + line * _LINE}h{long}")
    elif block.kind == "heading":
        marks["heading"].append(f"M{x} {y + 4}h{min(w, 120)}")
    elif block.kind == "rule":
        marks["rule"].append(f"M{x} {y + 1}h{w}")
    else:
        wide = min(w, 90 if block.kind == "field" else 30)
        marks[block.kind].append(f"M{x} {y}h{wide}v8h-{wide}z")


def _spoken(root: Block) -> str:
    """The parts of a page in a few words, each once, in order."""
    found: dict[str, None] = {}
    for _, block in root.walk():
        word = _SPOKEN.get(block.tag if block.kind == "box" else block.kind)
        if word:
            found[word] = None
    return ", ".join(found) or "text"
