"""Made bodies of HTML, and the outlines of pages that have them."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tplcrawl.outline import Outline
from tplcrawl.page.profile import profile_of

_PARTS = ["<p>a</p>", "<br>", "<div><b>x</b></div>", "<div class=a><div><i>y</i></div></div>", ""]


def bodies(parts: Sequence[str], most: int) -> st.SearchStrategy[str]:
    """Bodies of up to so many *parts*."""
    return st.lists(st.sampled_from(parts), max_size=most).map("".join)


BODIES = bodies(_PARTS, 6)
SITES = st.lists(BODIES, max_size=8)


def html(body: str, head: str = "<title>t</title>") -> bytes:
    """A page."""
    return f"<html><head>{head}</head><body>{body}</body></html>".encode()


def outline_of(body: str, head: str = "<title>t</title>") -> Outline:
    """The outline of the page that has this body."""
    return profile_of("http://a.com/", html(body, head), None).outline
