from __future__ import annotations

import pytest
from hypothesis import strategies as st

from tplcrawl.outline import Outline

_TAGS = st.sampled_from(["html", "body", "body2", "div", "p", "a", "o:p", "divp", "é", "\ud800"])
_CLASSES = st.lists(
    st.sampled_from(["card", "item-7", "item-8", "7", "item-07x8", "é٣", "\udfff", "a/b", ".x"]),
    max_size=3,
)


@st.composite
def _outlines(draw: st.DrawFn) -> Outline:
    size = draw(st.integers(0, 12))
    parents = tuple(draw(st.integers(-1, i - 1)) for i in range(size))
    steps = tuple(" ".join([draw(_TAGS), *draw(_CLASSES)]) for _ in range(size))
    texts = tuple(draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    return Outline(parents, steps, texts, tuple(range(size)))


@pytest.fixture(scope="session")
def outlines() -> st.SearchStrategy[Outline]:
    """Outlines of any shape."""
    return _outlines()
