"""Made trees of elements, as rows that are easy to write and to draw."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from tplcrawl.outline import Outline

Rows = list[tuple[int, str]]
"""The depth and the step of each element in document order: its tag, and its classes if any."""

ROOT: Rows = [(0, "html")]


def rows_of(picks: Iterable[tuple[int, str]], root: Rows) -> Rows:
    """A tree below *root*: no element is more than one step deeper than the one before it."""
    rows = [*root]
    for pick, step in picks:
        rows.append((min(pick, rows[-1][0] + 1) if rows else 0, step))
    return rows


def drawn_trees(
    steps: st.SearchStrategy[str],
    *,
    deepest: int,
    most: int,
    least: int = 0,
    root: Rows | None = None,
) -> st.SearchStrategy[Rows]:
    """Trees of *least* to *most* elements, and of those of *root* above them."""
    picks = st.tuples(st.integers(1, deepest), steps)
    rows = st.lists(picks, min_size=least, max_size=most)
    return rows.map(lambda drawn: rows_of(drawn, root or []))


def outline_of(rows: Rows) -> Outline:
    """One path for each element: no two share one, as they would on a page."""
    parents = [
        max((i for i in range(index) if rows[i][0] == depth - 1), default=-1)
        for index, (depth, _) in enumerate(rows)
    ]
    steps = tuple(step for _, step in rows)
    return Outline(tuple(parents), steps, (False,) * len(rows), tuple(range(len(rows))))
