"""Short names for templates, for people."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, count

_GENERAL_TYPES = frozenset(
    """
    BreadcrumbList ContactPoint EntryPoint ImageObject ItemList ListItem Organization Person
    PostalAddress PropertyValueSpecification SearchAction ReadAction SiteNavigationElement
    WebPage WebSite
    """.split()
)
"""Types that describe the site or a part of a page, not what kind of page it is."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_FILLERS = frozenset(("index", "html", "htm", "php", "asp", "aspx", "jsp", "cgi", "www", "page"))


def template_title(pattern: str, json_ld: Sequence[str], pages: int) -> str:
    """The name that a template's URL pattern and JSON-LD suggest; *json_ld* has a line of types
    for each of its pages.

    >>> template_title("/shop/product/*", [], 9), template_title("/", [], 1)
    ('product', 'home')
    >>> template_title("/x/*", ["BreadcrumbList NewsArticle"] * 3, 3)
    'news-article'
    """
    return printable(_title(pattern, json_ld, pages), "").strip() or "pages"


def printable(text: str, instead: str = "\ufffd") -> str:
    """*text* without what steers terminals.

    >>> printable("a\x1b[1m")
    'a�[1m'
    """
    return "".join(c if c.isprintable() else instead for c in text)


def _title(pattern: str, json_ld: Sequence[str], pages: int) -> str:
    if pages == 1 and re.fullmatch(r"/(index\.\w+)?", pattern):
        return "home"
    types = Counter(kind for line in json_ld for kind in set(line.split()) - _GENERAL_TYPES)
    if types:
        kind, times = min(types.items(), key=lambda one: (-one[1], one[0]))
        if times >= len(json_ld) / 2:
            return _kebab(kind)
    path, _, query = pattern.partition("?")
    words: list[str] = [word.lower() for word in _WORD.findall(path.replace("{n}", " "))]
    telling = [word for word in words if word not in _FILLERS]
    if telling:
        return telling[-1][:30]
    names = [part.partition("=")[0] for part in query.split("&") if part]
    return names[0].lower()[:30] if names else "pages"


def unique_names(names: Sequence[str]) -> list[str]:
    """*names* with numbers where one comes again.

    >>> unique_names(["tag", "tag", "post"])
    ['tag', 'tag-2', 'post']
    """
    taken: set[str] = set()
    unique = []
    for name in names:
        numbered = (f"{name}-{number}" for number in count(2))
        new = next(one for one in chain([name], numbered) if one not in taken)
        taken.add(new)
        unique.append(new)
    return unique


def _kebab(kind: str) -> str:
    kind = kind.rsplit("/", 1)[-1]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", kind).lower()[:40]
