from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    sync_playwright,
)

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
            typical=0,
            url_pattern=f"/{name}/*",
            sample_urls=[url],
        )

    return make


CHROMIUM = "/usr/bin/chromium"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A real browser, which asks the network for nothing by itself."""
    if not Path(CHROMIUM).exists():
        pytest.skip(f"there is no {CHROMIUM}: install Debian's package chromium")
    quiet = ("background-networking", "component-update", "sync")
    options = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*options, *(f"--disable-{one}" for one in quiet)]
        )
        yield browser
        browser.close()


@dataclass
class Sight:
    """A page in the browser, and whatever went wrong there."""

    page: Page
    errors: list[str]
    """Errors and warnings of scripts and of the console."""
    requests: list[str]
    """What the page asked for, but for itself."""

    def check(self) -> None:
        """Nothing went wrong, and nothing was asked for."""
        assert self.errors == []
        assert self.requests == []

    @property
    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        found: int = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        return found


@pytest.fixture
def show(chromium: Browser) -> Iterator[Callable[..., Sight]]:
    """Opens a file in the browser."""
    contexts: list[BrowserContext] = []

    def open_file(target: Path | str, **options: Any) -> Sight:
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        sight = Sight(page, [], [])
        url = target if isinstance(target, str) else target.absolute().as_uri()

        def asked(request: Request) -> None:
            if request.url.partition("#")[0] != url.partition("#")[0]:
                sight.requests.append(request.url)

        def told(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                sight.errors.append(message.text)

        page.on("request", asked)
        page.on("console", told)
        page.on("pageerror", lambda error: sight.errors.append(str(error)))
        page.goto(url)
        return sight

    yield open_file
    for context in contexts:
        context.close()
