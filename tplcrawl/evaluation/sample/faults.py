"""What goes wrong on real sites, planted into the sample site: truth for mismatches and traps."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from tplcrawl.evaluation.sample.dice import Dice
from tplcrawl.evaluation.sample.site import SEED, SampleSite

SOFT_404, REDIRECT, BLOCK = "soft-404", "redirect", "block"
VARIANT, REDESIGN = "variant", "redesign"
"""The kinds of faults, in the words of ``pages.jsonl``."""
CALENDAR, FACETS = "calendar", "facets"
"""The templates of the traps."""

_BLOCK = (
    "<!doctype html><html><head><title>One moment</title></head><body><div class=wall><h1>Are you"
    " a human?</h1><p>Too many requests. Reference {number}.</p><form><input name=answer><button>"
    "Go on</button></form></div></body></html>"
)
_FACETS = ("color", "size", "sort", "brand")


@dataclass(frozen=True, slots=True)
class Faults:
    """How much of what goes wrong."""

    soft_404: int = 0
    """Percent of products, posts and threads that are gone, and answer with an excuse."""
    redirect: int = 0
    """Percent of these that show the page of their category, blog or board instead."""
    block: tuple[int, int] = (0, 0)
    """The first request that is answered by a block page, and the first that is no more."""
    variant: int = 0
    """Percent of products that come in another structure."""
    redesign: int = 0
    """The first request from which on all products do."""
    calendar: bool = False
    """Months without an end."""
    facets: bool = False
    """Lists of each category in every combination of filters."""


class FaultySite:
    """The sample site with faults. What it answers depends on the number of the request alone."""

    def __init__(self, site: SampleSite, faults: Faults) -> None:
        self._site = site
        self._faults = faults
        self._asked = 0
        self.shown: dict[str, str] = {}
        """The fault that each path was answered with."""
        self.counts: Counter[str] = Counter()
        """The pages of each trap that were asked for."""

    def html(self, path: str) -> str | None:
        """The answer to the next request; ``None`` where there is no such page."""
        self._asked += 1
        first, last = self._faults.block
        if first <= self._asked < last and path != "/robots.txt":
            self.shown[path] = BLOCK
            return _BLOCK.format(number=self._asked * 7919)
        self.shown.pop(path, None)
        fault = self.fault(path)
        if 0 < self._faults.redesign <= self._asked and self._is_product(path):
            fault = REDESIGN
        if fault is not None:
            self.shown[path] = fault
        if fault == SOFT_404:
            return self._sorry(path)
        if fault in (VARIANT, REDESIGN):
            return self._rebuilt(path)
        html = self._trap(path) or self._site.html(self._elsewhere(path) if fault else path)
        return self._with_traps(html, path) if html else None

    def fault(self, path: str) -> str | None:
        """The fault of a path, but for blocks."""
        page = self._site.pages.get(path)
        if page is None or page.template not in ("product", "post", "thread"):
            return None
        roll = Dice(SEED, "fault", path).roll(100)
        if roll < self._faults.soft_404:
            return SOFT_404
        roll -= self._faults.soft_404
        if roll < self._faults.redirect:
            return REDIRECT
        roll -= self._faults.redirect
        return VARIANT if roll < self._faults.variant and page.template == "product" else None

    def _is_product(self, path: str) -> bool:
        page = self._site.pages.get(path)
        return page is not None and page.template == "product"

    def _elsewhere(self, path: str) -> str:
        values = self._site.pages[path].values
        if "product" in values:
            return str(values["product"]["category"]["path"])
        return "/blog/" if "post" in values else str(values["thread"]["board"]["path"])

    def _sorry(self, path: str) -> str:
        """The site's own frame around an excuse."""
        words = path.strip("/").replace("-", " ")
        return self._framed(
            f"<main class=sorry><h1>Oh no</h1><p>Nothing about {words} is here.</p></main>",
            f"Nothing about {words}",
        )

    def _rebuilt(self, path: str) -> str:
        """A product in another structure."""
        product = self._site.pages[path].values["product"]
        facts = "".join(f"<dt>{name}<dd>{value}" for name, value in product["details"])
        others = "".join(
            f'<figure><a href="{other["path"]}">{other["title"]}</a></figure>'
            for other in product["others"]
        )
        return self._framed(
            f"<main class=stage><header class=hero><h2>{product['title']}</h2>"
            f"<ul class=facts><li>{product['sku']}<li>{product['brand']}</ul></header>"
            f"<section class=tabs><details open><summary>About</summary>"
            f"<blockquote>{' '.join(product['text'])}</blockquote></details>"
            f"<details><summary>Facts</summary><dl>{facts}</dl></details></section>"
            f"<footer class=more>{others}</footer></main>",
            product["title"],
        )

    def _framed(self, main: str, title: str) -> str:
        frame = self._site.html("/contact.html") or ""
        before, _, rest = frame.partition("<main")
        _, _, after = rest.partition("</main>")
        head, _, rest = before.partition("<title>")
        return f"{head}<title>{title}{rest[rest.index('</title>') :]}{main}{after}"

    def _trap(self, path: str) -> str | None:
        parts = urlsplit(path)
        if self._faults.calendar and parts.path.startswith("/calendar/"):
            self.counts[CALENDAR] += 1
            number = int(parts.path.split("/")[2])
            days = "".join(f"<td>{day}</td>" for day in range(1, 31))
            near = "".join(f"<a href=/calendar/{number + n}/>month</a>" for n in (-1, 1, 2, 12))
            return (
                f"<!doctype html><title>Calendar</title><body><h1>Month {number}</h1><nav>{near}"
                f"</nav><table class=month><tr>{days}</table><p>No events.</p></body>"
            )
        if self._faults.facets and parts.query and "page=" not in parts.query:
            self.counts[FACETS] += 1
            return self._site.html(parts.path)
        return None

    def _with_traps(self, html: str, path: str) -> str:
        links = ""
        if self._faults.calendar and path == "/":
            links += "<p class=events><a href=/calendar/0/>Events</a></p>"
        parts = urlsplit(path)
        if self._faults.facets and parts.path.startswith("/shop/"):
            chosen = dict(parse_qsl(parts.query))
            for name in _FACETS:
                for value in range(4):
                    query = {**chosen, name: str(value)}
                    query.pop("page", None)
                    text = "&amp;".join(f"{n}={v}" for n, v in query.items())
                    links += f'<a class=facet href="{parts.path}?{text}">{name} {value}</a> '
            links = f"<aside class=facets>{links}</aside>"
        return html.replace("</body>", f"{links}</body>") if links else html
