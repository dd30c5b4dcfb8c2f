from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from tplcrawl.fingerprints.features import features_of
from tplcrawl.page.profile import profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.records import Assignment, Prediction
from tplcrawl.reports.templates import TemplateRow
from tplcrawl.store.pages import Item
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Discovery


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The store of a crawl of a.com."""
    with Store(tmp_path / "crawl") as store:
        store.claim("a.com")
        store.set_meta("method", "by the test")
        yield store


@pytest.fixture(scope="session")
def write() -> Callable[..., int]:
    """Writes a page with its HTML into a store; returns its docid."""
    cleaner = Cleaner(Site(["http://a.com/"]))

    def add(
        store: Store,
        url: str,
        template: int | None = None,
        *,
        html: str = "<p>",
        links: Sequence[str] = (),
        confidence: float = 0.5,
        predicted: Prediction | None = None,
        items: Iterable[Item] = (),
        depth: int = 0,
        keep: bool = True,
    ) -> int:
        docid = store.urls.discover([Discovery(url, depth)])[0]
        rows = "".join(f'<a href="{link}">x</a>' for link in links)
        body = f"<html><body>{rows}{html}".encode("utf-8", "replace")
        profile = profile_of(url, body, cleaner)
        store.add_page(
            docid,
            depth=depth,
            status=200,
            profile=profile,
            features=features_of(url, profile.outline, profile.lzw).encode(),
            assignment=Assignment(template, confidence if template else 0.0, "by the test"),
            predicted=predicted,
            items=items,
            body=(body, "utf-8") if keep else None,
        )
        return docid

    return add


@pytest.fixture(scope="session")
def row() -> Callable[..., TemplateRow]:
    """Makes a template as the outputs tell of it."""

    def make(
        number: int, pages: int, name: str = "page", url: str = "http://a.com/"
    ) -> TemplateRow:
        return TemplateRow(
            id=f"t{number}",
            number=number,
            name=name,
            docids=list(range(pages)),
            url_pattern=f"/{name}/*",
            sample_urls=[url],
        )

    return make
