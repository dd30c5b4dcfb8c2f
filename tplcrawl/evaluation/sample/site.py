"""What the sample site consists of, and the template of each of its pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from tplcrawl.evaluation.sample.dice import Dice

SEED = 2013


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of everything there is. The defaults make some 400 pages."""

    categories: int = 8
    products: int = 160
    posts: int = 60
    threads: int = 70
    boards: int = 5
    users: int = 50
    authors: int = 4
    tags: int = 12
    menu: int = 0
    """Extra links in a menu on every page: for benchmarks."""


@dataclass(frozen=True, slots=True)
class SamplePage:
    """One page of the site."""

    path: str
    template: str
    """The truth: the page type that it is made from."""
    values: dict[str, Any] = field(repr=False)


def _slug(title: str) -> str:
    return title.lower().replace(" ", "-")


class SampleSite:
    """All pages of the site, made when they are asked for."""

    def __init__(self, sizes: Sizes = Sizes(), seed: int = SEED) -> None:
        self.sizes = sizes
        self._seed = seed
        self._templates = Environment(
            loader=PackageLoader("tplcrawl.evaluation.sample"),
            autoescape=True,
            undefined=StrictUndefined,
        )

    @cached_property
    def pages(self) -> dict[str, SamplePage]:
        """Every page by its path and query."""
        return {page.path: page for page in self._all_pages()}

    def truth(self) -> dict[str, str]:
        """The template of every page, by path and query."""
        return {path: page.template for path, page in self.pages.items()}

    def html(self, path: str) -> str | None:
        """The page at a path and query; ``None`` where there is none."""
        page = self.pages.get(path)
        if page is None:
            return None
        template = self._templates.get_template(f"{page.template}.html")
        return template.render(page.values, path=path, menu=self._menu, categories=self._categories)

    @cached_property
    def _menu(self) -> list[tuple[str, str]]:
        return [(p["path"], p["title"]) for p in self._products[: self.sizes.menu]]

    def _dice(self, *name: object) -> Dice:
        return Dice(self._seed, *name)

    @cached_property
    def _categories(self) -> list[dict[str, Any]]:
        made = []
        for i in range(self.sizes.categories):
            title = self._dice("category", i).title(1 + i % 2)
            made.append({"number": i, "title": title, "path": f"/shop/{_slug(title)}-{i}/"})
        return made

    @cached_property
    def _users(self) -> list[dict[str, Any]]:
        made = []
        for i in range(self.sizes.users):
            dice = self._dice("user", i)
            name = dice.words(2).replace(" ", "_")
            made.append({
                "name": name,
                "path": f"/forum/user/{i + 1}/",
                "joined": f"20{dice.between(10, 24)}-0{dice.between(1, 9)}-1{dice.roll(10)}",
                "signature": dice.words(5) if dice.chance(40) else None,
                "posts": dice.between(0, 900),
                "badges": [dice.words(1) for _ in range(dice.roll(4))],
            })  # fmt: skip
        return made

    @cached_property
    def _products(self) -> list[dict[str, Any]]:
        made: list[dict[str, Any]] = []
        for i in range(self.sizes.products):
            dice = self._dice("product", i)
            title = dice.title(3)
            price = dice.between(300, 90_000) / 100
            category = self._categories[i % len(self._categories)]
            made.append({
                "number": i + 1,
                "title": title,
                "path": f"/product/{_slug(title)}-{i + 1}.html",
                "category": category,
                "sku": f"SK-{dice.between(10_000, 99_999)}",
                "price": None if dice.chance(8) else price,
                "old_price": round(price * 1.2, 2) if dice.chance(25) else None,
                "stock": dice.between(0, 40),
                "brand": dice.title(1),
                "text": dice.paragraphs(1, 3),
                "images": dice.between(0, 4),
                "sizes": ["S", "M", "L"] if dice.chance(30) else [],
                "details": [
                    (dice.title(1), dice.words(2)) for _ in range(dice.between(2, 9))
                ] if dice.chance(70) else [],
                "reviews": [
                    {
                        "user": dice.pick(self._users),
                        "stars": dice.between(1, 5),
                        "text": dice.words(dice.between(8, 30)),
                    }
                    for _ in range(dice.between(1, 7))
                ] if dice.chance(55) else [],
                "related": dice.chance(60),
            })  # fmt: skip
        for i, product in enumerate(made):
            product["others"] = [made[(i * 7 + k * 13 + 1) % len(made)] for k in range(4)]
        return made

    @cached_property
    def _authors(self) -> list[dict[str, Any]]:
        made = []
        for i in range(self.sizes.authors):
            dice = self._dice("author", i)
            name = dice.title(2)
            made.append(
                {"name": name, "path": f"/blog/author/{_slug(name)}/", "bio": dice.words(30)}
            )
        return made

    @cached_property
    def _tags(self) -> list[dict[str, Any]]:
        words = [self._dice("tag", i).words(1) for i in range(self.sizes.tags)]
        return [{"name": w, "path": f"/blog/tag/{w}-{i}/"} for i, w in enumerate(words)]

    @cached_property
    def _posts(self) -> list[dict[str, Any]]:
        made = []
        for i in range(self.sizes.posts):
            dice = self._dice("post", i)
            title = dice.title(5)
            made.append({
                "title": title,
                "path": f"/blog/20{dice.between(18, 24)}/{_slug(title)}/",
                "author": dice.pick(self._authors),
                "tags": [
                    self._tags[(i * 5 + k * 7) % len(self._tags)] for k in range(dice.roll(4))
                ],
                "image": dice.chance(60),
                "text": dice.paragraphs(3, 9),
                "quote": dice.words(14) if dice.chance(30) else None,
                "list": [dice.words(4) for _ in range(4)] if dice.chance(35) else [],
                "code": dice.chance(20),
                "comments": [
                    {"user": dice.pick(self._users), "text": dice.words(dice.between(5, 40))}
                    for _ in range(dice.between(1, 9))
                ] if dice.chance(50) else [],
            })  # fmt: skip
        return made

    @cached_property
    def _boards(self) -> list[dict[str, Any]]:
        titles = [self._dice("board", i).title(2) for i in range(self.sizes.boards)]
        return [
            {"title": t, "path": f"/forum/board/{i + 1}-{_slug(t)}/", "about": t.lower()}
            for i, t in enumerate(titles)
        ]

    @cached_property
    def _threads(self) -> list[dict[str, Any]]:
        made = []
        for i in range(self.sizes.threads):
            dice = self._dice("thread", i)
            title = dice.words(5).capitalize()
            made.append({
                "title": title,
                "path": f"/forum/thread/{i + 1}/{_slug(title)}",
                "board": self._boards[i % len(self._boards)],
                "sticky": dice.chance(10),
                "locked": dice.chance(10),
                "poll": [
                    (dice.words(2), dice.roll(80)) for _ in range(4 if dice.chance(15) else 0)
                ],
                "posts": [
                    {
                        "user": dice.pick(self._users),
                        "text": dice.paragraphs(1, 3),
                        "quote": dice.words(12) if dice.chance(25) else None,
                    }
                    for _ in range(dice.between(1, 12))
                ],
            })  # fmt: skip
        return made

    def _all_pages(self) -> Iterator[SamplePage]:
        """Every page of every type."""
        yield SamplePage("/", "home", {"featured": self._products[:8], "posts": self._posts[:4]})
        for category in self._categories:
            own = [p for p in self._products if p["category"] is category]
            values = {"category": category}
            yield from self._paged(category["path"], "category", own, 12, values)
        for product in self._products:
            yield SamplePage(product["path"], "product", {"product": product})
        yield from self._paged("/blog/", "blog", self._posts, 10, {"title": "Blog"})
        for post in self._posts:
            yield SamplePage(post["path"], "post", {"post": post})
        for tag in self._tags:
            own = [post for post in self._posts if tag in post["tags"]]
            yield SamplePage(tag["path"], "tag", {"tag": tag, "posts": own})
        for author in self._authors:
            own = [post for post in self._posts if post["author"] is author]
            yield SamplePage(author["path"], "author", {"author": author, "posts": own})
        yield SamplePage("/forum/", "forum", {"boards": self._boards})
        for board in self._boards:
            own = [thread for thread in self._threads if thread["board"] is board]
            yield from self._paged(board["path"], "board", own, 10, {"board": board})
        for thread in self._threads:
            yield SamplePage(thread["path"], "thread", {"thread": thread})
        for user in self._users:
            yield SamplePage(user["path"], "user", {"user": user})
        for name in ("about", "terms", "privacy", "shipping", "returns", "press"):
            dice = self._dice("static", name)
            text = dice.paragraphs(2, 6)
            heads = [dice.title(3) for _ in range(dice.roll(3))]
            yield SamplePage(
                f"/{name}.html", "static", {"title": name.title(), "text": text, "heads": heads}
            )
        yield SamplePage("/contact.html", "contact", {})
        yield SamplePage("/cart", "cart", {})

    def _paged(
        self,
        path: str,
        template: str,
        entries: list[dict[str, Any]],
        size: int,
        values: dict[str, Any],
    ) -> Iterator[SamplePage]:
        last = max(1, -(-len(entries) // size))
        for number in range(1, last + 1):
            own = f"{path}?page={number}" if number > 1 else path
            yield SamplePage(
                own,
                template,
                {
                    **values,
                    "entries": entries[(number - 1) * size : number * size],
                    "number": number,
                    "pages": [
                        (n, f"{path}?page={n}" if n > 1 else path) for n in range(1, last + 1)
                    ],
                },
            )
