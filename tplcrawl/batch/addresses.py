"""The URLs of pages that somebody else has fetched."""

from __future__ import annotations

from tplcrawl.page.sessions import clean_query
from tplcrawl.page.urls import normal_url
from tplcrawl.store.keys import PLAIN


def page_url(url: str) -> str | None:
    """The form under which a page is known; ``None`` where there is none. Most need no repair, and
    to see that costs a tenth."""
    plain = PLAIN(url)
    if plain is not None and (not plain[1] or clean_query(plain[1]) == plain[1]):
        return url
    try:
        return normal_url(url)
    except ValueError:
        return None
