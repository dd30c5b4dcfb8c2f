"""A small shop: pages of one template, with what makes wrappers hard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tplcrawl.wrappers.learning import Page, learn
from tplcrawl.wrappers.library import page_of
from tplcrawl.wrappers.wrapper import Wrapper

NAMES = "ash birch cedar dune elm fir grove heath iris juniper kelp larch maple".split()


def product(number: int, *, changed: bool = False) -> bytes:
    """A product: rows of its table come and go, and it may have reviews or not."""
    name = f"{NAMES[number % 13].title()} {number}"
    rows = [("Pages", str(300 + number)), ("ISBN", f"978-{number:04d}"), ("Weight", f"{number} kg")]
    if number % 3 == 0:
        rows.insert(0, ("Edition", f"Edition {number}"))
    if number % 4 == 1:
        rows.reverse()
    table = "".join(f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in rows)
    reviews = "".join(
        f"<li><b class=who>user{number}{i}</b><p>Review {i} of {name}</p></li>"
        for i in range(number % 5)
    )
    authors = "".join(
        f"<a href=/a/{number}{i}>Author {number}{i}</a>, " for i in range(1 + number % 3)
    )
    banner = "<div class=banner>Sale of the week</div>" if number % 2 else ""
    price = "cost" if changed else "price"
    menu = "".join(f"<li><a href=/m/{i}>Menu {i}</a></li>" for i in range(9) if i != number % 9)
    return f"""<!doctype html><html><head><title>{name} | Shop</title></head><body>
    <nav><ul>{menu}</ul></nav>{banner}
    <div id=main><h1 itemprop=name>{name}</h1>
    <p class=by>by {authors}</p>
    <span class="{price}">${number}.50</span>
    <p><b>Publisher:</b> House {number % 7}<br><b>Date:</b> May {1 + number % 20}, 2020</p>
    <table class=specs>{table}</table><ul class=reviews>{reviews}</ul></div>
    <footer>About us, {number % 3} stores</footer></body></html>""".encode()


MakePages = Callable[..., list[Page]]


def make_pages(numbers: range, **given: Any) -> list[Page]:
    """Parsed products."""
    return [
        page_of(f"http://shop.test/p/{number}.html", product(number, **given), "utf-8")
        for number in numbers
    ]


@pytest.fixture(scope="session")
def pages() -> MakePages:
    """Makes parsed products."""
    return make_pages


@pytest.fixture(scope="session")
def notes() -> Callable[[int], list[Page]]:
    """Makes pages of another template of the shop."""

    def note(number: int) -> Page:
        body = f"<section><article><h2>Note {number}</h2><em>by someone {number}</em></article>"
        return page_of(f"http://shop.test/note/{number}", body.encode(), "utf-8")

    return lambda count: [note(number) for number in range(count)]


@pytest.fixture(scope="session")
def shop() -> Wrapper:
    """The wrapper of the products."""
    return learn("t1", make_pages(range(10)))


@pytest.fixture(scope="session")
def shop_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Products as files."""
    folder = tmp_path_factory.mktemp("site") / "shop.test"
    folder.mkdir()
    for number in range(24):
        (folder / f"{number:02d}.html").write_bytes(product(number))
    return folder
