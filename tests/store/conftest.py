from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import pytest

from tplcrawl.fingerprints.features import features_of
from tplcrawl.page.profile import profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.records import Assignment, Prediction, Profile
from tplcrawl.store.pages import Item
from tplcrawl.store.store import SkipReason, Store, fetch_all
from tplcrawl.store.urls import Discovery


@pytest.fixture(scope="session")
def page() -> Callable[..., Profile]:
    """Makes the profile of a page with a list of links."""
    cleaner = Cleaner(Site(["http://a.com/"]))

    def make(url: str, links: Sequence[str] = (), head: str = "") -> Profile:
        rows = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
        body = f"<html><head>{head}</head><body><ul>{rows}</ul></body></html>"
        return profile_of(url, body.encode(), cleaner)

    return make


@pytest.fixture(scope="session")
def write(page: Callable[..., Profile]) -> Callable[..., int]:
    """Writes a page into a store; returns its docid."""

    def add(
        store: Store,
        url: str,
        links: Sequence[str] = (),
        *,
        head: str = "",
        template: int | None = None,
        items: Iterable[Item] = (),
        body: tuple[bytes, str] | None = None,
        predicted: Prediction | None = None,
        depth: int = 0,
        status: int = 200,
        skip: SkipReason = fetch_all,
    ) -> int:
        docid = store.urls.discover([Discovery(url, depth)])[0]
        profile = page(url, links, head)
        store.add_page(
            docid,
            depth=depth,
            status=status,
            profile=profile,
            features=features_of(url, profile.outline, profile.lzw).encode(),
            assignment=Assignment(template, 0.75 if template else 0.0, "by the test"),
            predicted=predicted,
            items=items,
            body=body,
            skip=skip,
        )
        return docid

    return add
