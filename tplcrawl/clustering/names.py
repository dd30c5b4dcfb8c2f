"""Short names for templates, for people."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import count

from tplcrawl.queries import parameters

_WORD = re.compile(r"[^\W\d_]{2,}")
_ENDING = re.compile(r"(?<=[^/])\.[a-z]{1,6}$")
FILLERS = frozenset(("index", "html", "htm", "php", "asp", "aspx", "jsp", "cgi", "www", "page"))
"""Words of URLs that say nothing of what a page is."""

SHORTEST = 3
"""Letters of a name that is no word of a path: ``id`` and ``q`` say nothing."""


def template_title(
    pattern: str, word: str | None, part: str | None, pages: int, common: Collection[str] = ()
) -> str:
    """The name of a template: *word*, if its marks name it, else what its URL pattern suggests
    beside the *common* words of all templates, else the *part* of the page that it has for itself.

    >>> template_title("/shop/product/*", None, "main", 9), template_title("/", None, None, 1)
    ('product', 'home')
    >>> template_title("/x/*", "news-article", None, 3), template_title("/*", None, "story", 3)
    ('news-article', 'story')
    >>> template_title("/docs/*", None, "chapter", 3, {"docs"})
    'chapter'
    """
    if pages == 1 and re.fullmatch(r"/(index\.\w+)?", pattern):
        return "home"
    told = word or _from_pattern(pattern, common) or part or _from_pattern(pattern)
    return printable((told or "")[:40], "").strip() or "pages"


def common_words(patterns: Sequence[str]) -> frozenset[str]:
    """The words that the URLs of more than half of three templates or more have, all of the site's
    but the home page: they tell none of them from the others.

    >>> sorted(common_words(["/shop/*", "/shop/{n}/reviews/", "/shop/tag/*", "/blog/*", "/"]))
    ['shop']
    """
    own = [set(_words(pattern.partition("?")[0])) for pattern in patterns if pattern != "/"]
    counts = Counter(word for words in own for word in words)
    return frozenset(word for word, n in counts.items() if len(own) > 2 and 2 * n > len(own))


def stem(path: str) -> str:
    """*path* without the ending of its last segment, which says what wrote the page.

    >>> stem("/opac-search.pl"), stem("/v1.0/")
    ('/opac-search', '/v1.0/')
    """
    return _ENDING.sub("", path)


def printable(text: str, instead: str = "\ufffd") -> str:
    """*text* without what steers terminals.

    >>> printable("a\x1b[1m")
    'a\ufffd[1m'
    """
    return "".join(c if c.isprintable() else instead for c in text)


def _from_pattern(pattern: str, common: Collection[str] = ()) -> str | None:
    path, _, query = pattern.partition("?")
    plain = stem(path).replace("{n}", " ")
    # Behind what varies stands the end of somebody's title: ``/list/*@example.org``.
    before = "/".join(segment.partition("*")[0] for segment in plain.split("/"))
    for text in (before, plain):
        telling = [word for word in _words(text) if word not in common]
        if telling:
            return telling[-1][:30]
    names = [part.partition("=")[0] for part in parameters(query)]
    return next((name.lower()[:30] for name in names if len(name) >= SHORTEST), None)


def _words(text: str) -> list[str]:
    words: list[str] = [word.lower() for word in _WORD.findall(text)]
    return [word for word in words if word not in FILLERS]


def unique_names(names: Sequence[str], kept: Sequence[str | None] = ()) -> list[str]:
    """*names* with numbers where one comes again. Those that are *kept* stand instead, as they are.

    >>> unique_names(["tag", "tag", "post"])
    ['tag', 'tag-2', 'post']
    >>> unique_names(["tag", "post", "page"], [None, "tag", None])
    ['tag-2', 'tag', 'page']
    """
    fixed = kept or [None] * len(names)
    taken = {name for name in fixed if name is not None}
    unique = []
    forms: dict[str, Iterator[str]] = {}
    for name, old in zip(names, fixed, strict=True):
        if name not in forms:
            forms[name] = _forms(name)
        # What was taken stays taken: nobody looks twice at it.
        new = old or next(one for one in forms[name] if one not in taken)
        taken.add(new)
        unique.append(new)
    return unique


def _forms(name: str) -> Iterator[str]:
    yield name
    for number in count(2):
        yield f"{name}-{number}"
