"""A small shop with a place that goes on for ever, of each sort: what a crawl makes of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import Crawl, Serve, SiteCrawler

WORDS = (
    "amber birch coral dune ember fjord grove heath inlet knoll larch moor oak pine reed".split()
)
PRODUCTS = {f"/item/{n}-{WORDS[n % 15]}-{WORDS[n * 7 % 13]}.html": n for n in range(120)}
SHELVES = [f"/shelf/{name}/" for name in WORDS[:6]]
SIZE = 20

Rest = Callable[[str, Mapping[str, str]], str | None]
"""What a trap answers to a path and its parameters."""


def framed(title: str, body: str, links: str = "", root: str = "/") -> str:
    menu = "".join(f'<li><a href="{root}{shelf[1:]}">{shelf[7:-1]}</a>' for shelf in SHELVES)
    return (
        f"<!doctype html><html><head><title>{title} | Shop</title></head><body>"
        f"<header><ul class=menu><li><a href={root}>Home</a>{menu}</ul></header>{links}{body}"
        "<footer><p>All rights reserved</footer></body></html>"
    )


def page_of(path: str, links: str = "", root: str = "/") -> str | None:
    """A page of the honest shop, with *links* before what it says."""
    if path == "/":
        news = "".join(
            f"<article><h2><a href={root}{p[1:]}>{p}</a></h2>" for p in list(PRODUCTS)[:4]
        )
        return framed("Welcome", f"<main class=home><h1>News</h1>{news}</main>", links, root)
    if path in SHELVES:
        number = SHELVES.index(path)
        own = [p for p, n in PRODUCTS.items() if n % len(SHELVES) == number]
        return framed(path[7:-1], listed(own, root), links, root)
    if path in PRODUCTS:
        dice = random.Random(path)
        facts = "".join(f"<tr><th>{dice.choice(WORDS)}<td>{n}" for n in range(dice.randint(2, 6)))
        text = "".join(f"<p>{' '.join(dice.choices(WORDS, k=12))}" for _ in range(2))
        body = f"<main class=item><h1>{path[6:-5]}</h1><table>{facts}</table>{text}</main>"
        return framed(path[6:-5], body, links if root != "/" else "", root)
    return None


def listed(products: list[str], root: str = "/") -> str:
    items = "".join(f"<div class=card><a href={root}{p[1:]}>{p[6:-5]}</a></div>" for p in products)
    return f"<main class=shelf><h1>Shelf</h1><section>{items}</section></main>"


def calendar(path: str, given: Mapping[str, str]) -> str | None:
    """Each month leads to the ones around it, and nothing happens in any."""
    if path == "/events/":
        month = int(given.get("month", "0"))
        near = "".join(f"<a href=/events/?month={month + n}>month</a>" for n in (-1, 1, 12))
        days = "".join(f"<td>{day}" for day in range(30))
        return framed(f"Month {month}", f"<nav>{near}</nav><table class=month><tr>{days}</table>")
    return page_of(path, "<p><a href=/events/>Events</a>" if path == "/" else "")


def facets(path: str, given: Mapping[str, str]) -> str | None:
    """Filters in every combination, of which each shows a few of the known in its own words."""
    if path not in SHELVES:
        return page_of(path)
    choices = "".join(
        f"<a href='{path}?{urlencode({**given, name: str(value)})}'>{name} {value}</a>"
        for name in ("color", "size", "brand", "price")
        for value in range(5)
    )
    aside = f"<aside class=facets>{choices}</aside>"
    if not given:
        return page_of(path, aside)
    number = SHELVES.index(path)
    own = [p for p, n in PRODUCTS.items() if n % len(SHELVES) == number]
    some = random.Random(str(sorted(given.items()))).sample(own, 6)
    title = " ".join(f"{name} {WORDS[int(value)]}" for name, value in given.items())
    return framed(f"{path[7:-1]} {title}", listed(some), aside)


def sessions(path: str, given: Mapping[str, str]) -> str | None:
    """Every page links to all others under a session of its own."""
    inside = path.startswith("/s-")
    session, _, rest = path[3:].partition("/") if inside else ("", "", path[1:])
    made = random.Random(f"{session} {rest}").randbytes(4).hex()
    return page_of(f"/{rest}", root=f"/s-{made}/")


def sorts(path: str, given: Mapping[str, str]) -> str | None:
    """One list in every order, on pages of any length, as a grid or a table."""
    if path not in SHELVES:
        return page_of(path)
    choices = "".join(
        f"<a href='{path}?{urlencode({**given, name: value})}'>{value}</a>"
        for name, values in (
            ("sort", ("name", "price", "age", "rank")),
            ("way", ("up", "down")),
            ("show", ("12", "24", "48")),
            ("view", ("grid", "list")),
        )
        for value in values
    )
    return page_of(path, f"<div class=sorting>{choices}</div>")


def mirrors(path: str, given: Mapping[str, str]) -> str | None:
    """A folder that contains itself, for its links are relative and the server does not mind."""
    folders = path.split("/")
    while len(folders) > 3 and folders[1] == "docs" and folders[2] == "docs":
        del folders[1]
    inner = "/".join(folders)
    if inner.startswith("/docs/"):
        name = inner[6:] or "index"
        if name not in ("index", *WORDS[:8]):
            return None
        links = "".join(f"<li><a href=docs/{word}>{word}</a>" for word in WORDS[:8])
        return framed(f"Manual of {name}", f"<div class=manual><ol>{links}</ol><p>{name}</div>")
    return page_of(path, "<p><a href=/docs/>Manual</a>" if path == "/" else "")


def maze(path: str, given: Mapping[str, str]) -> str | None:
    """Made-up texts without end, to keep crawlers busy; no two of them lead to the same."""
    if path.startswith("/tales/"):
        dice = random.Random(path)
        text = "".join(
            f"<p>{' '.join(dice.choices(WORDS, k=20))}" for _ in range(dice.randint(2, 5))
        )
        ways = ["-".join(dice.choices(WORDS, k=6)) for _ in range(dice.randint(3, 8))]
        links = "".join(f"<li><a href=/tales/{way}>{way[:9]}</a>" for way in ways)
        return framed(f"On {path[7:]}", f"<article class=tale>{text}<ul>{links}</ul></article>")
    return page_of(path, "<p><a href=/tales/oak>Tales</a>" if path == "/" else "")


def searches(path: str, given: Mapping[str, str]) -> str | None:
    """Each search suggests more of them, of other words."""
    if path == "/search/":
        sought = given.get("q", "").split()
        dice = random.Random(str(sought))
        hits = [p for p, n in PRODUCTS.items() if n % 15 == len(sought[0])] if sought else []
        more = [" ".join([*sought, word][-3:]) for word in dice.sample(WORDS, 5)]
        aside = "".join(f"<a href='/search/?{urlencode({'q': one})}'>{one}</a>" for one in more)
        return framed(f"Search: {' '.join(sought)}", f"<nav class=more>{aside}</nav>{listed(hits)}")
    return page_of(path, "<p><a href='/search/?q=oak'>Search</a>" if path == "/" else "")


def crawl_of(
    rest: Rest, serve: Serve, crawl_site: SiteCrawler, folder: Path, **given: int
) -> Crawl:
    def answer(target: str) -> Answer | None:
        parts = urlsplit(target)
        html = rest(parts.path, dict(parse_qsl(parts.query)))
        return None if html is None else Answer(html.encode())

    with serve(answer) as web:
        budget = () if given else (f"TPLCRAWL_MAX_PAGES_PER_TEMPLATE={SIZE}",)
        return crawl_site(web.url, folder, *budget, **given)


TRAPS: list[tuple[Rest, str]] = [
    (calendar, "/events/?month="),
    (facets, "?"),
    (sessions, "/s-"),
    (sorts, "?"),
    (mirrors, "/docs/docs/"),
    (maze, "/tales/"),
    (searches, "/search/?q="),
]


@pytest.mark.parametrize(("rest", "part"), TRAPS)
def test_a_budget_caps_a_trap_and_the_rest_is_found(
    rest: Rest, part: str, serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """Items are found behind it, and it is left after a few times its budget."""
    crawl = crawl_of(rest, serve, crawl_site, tmp_path)
    caught = [target for target in crawl.targets if part in target]
    items = [target for target in crawl.targets if "/item/" in target]
    assert len(crawl.pages) <= 8 * SIZE
    assert len(items) >= SIZE * 0.7
    if rest is not sessions:
        assert len(caught) <= 2.5 * SIZE


@pytest.mark.parametrize(("rest", "part"), TRAPS)
def test_a_trap_is_named(
    rest: Rest, part: str, serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    crawl = crawl_of(rest, serve, crawl_site, tmp_path, max_pages=600)
    traps = crawl.coverage["traps"]
    assert traps
    assert all(part in trap["url"] for trap in traps)
    assert [one["section"] for one in crawl.coverage["findings"]].count("traps") == 1


def test_a_shop_without_traps_has_none(
    serve: Serve, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    crawl = crawl_of(lambda path, _: page_of(path), serve, crawl_site, tmp_path, max_pages=400)
    assert len(crawl.pages) == len(PRODUCTS) + len(SHELVES) + 1
    assert not crawl.coverage["traps"]
