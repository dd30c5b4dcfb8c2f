"""What the URLs of one template look like, in one line."""

from __future__ import annotations

import os.path
import re
from collections import Counter
from collections.abc import Sequence
from urllib.parse import unquote

from tplcrawl.queries import pairs, path_and_query, separator_of

_DIGITS = re.compile(r"\d+")
_MOSTLY = 0.9


def url_pattern(urls: Sequence[str]) -> str:
    """Describe *urls* by their path and query: ``*`` stands for what varies, ``{n}`` for a number.

    >>> url_pattern(["http://a.com/p/7.html", "http://a.com/p/12.html"])
    '/p/{n}.html'
    >>> url_pattern(["http://a.com/tag/red/?page=2", "http://a.com/tag/blue/?page=3"])
    '/tag/*/?page={n}'
    >>> url_pattern(["http://a.com/?p=x;a=log;h=1", "http://a.com/?p=y;a=log;h=2"])
    '/?p=*;a=log;h={n}'
    """
    split = list(map(path_and_query, urls))
    paths = [unquote(path or "/").split("/")[1:] for path, _ in split]
    lengths = Counter(map(len, paths))
    if not lengths:
        return ""
    usual, count = max(lengths.items(), key=lambda one: (one[1], -one[0]))
    if count < _MOSTLY * len(paths):
        usual = min(lengths)
    segments = [_common([path[i] for path in paths if len(path) >= usual]) for i in range(usual)]
    if count < _MOSTLY * len(paths):
        while segments and ("*" in segments[-1] or not segments[-1]):
            segments.pop()
        segments.append("**")
    pattern = "/" + "/".join(segments)
    between = ";" if any(separator_of(query) == ";" for _, query in split) else "&"
    return pattern + _query_pattern([dict(pairs(query)) for _, query in split], between)


def _query_pattern(queries: Sequence[dict[str, str]], between: str) -> str:
    names = Counter(name for query in queries for name in query)
    places = Counter[str]()
    for query in queries:
        places.update({name: place for place, name in enumerate(query)})
    usual = sorted(names, key=lambda name: (places[name] / names[name], name))
    kept = [name for name in usual if names[name] >= _MOSTLY * len(queries)]
    parts = [f"{name}={_common([q[name] for q in queries if name in q])}" for name in kept[:6]]
    return "?" + between.join(parts) if parts else ""


def _common(texts: Sequence[str]) -> str:
    """One text for all of *texts*."""
    distinct = sorted(set(texts))
    if len(distinct) == 1:
        return distinct[0]
    folded = {_DIGITS.sub("{n}", text) for text in distinct}
    if len(folded) == 1:
        return folded.pop()
    start = os.path.commonprefix(distinct)
    end = os.path.commonprefix([text[len(start) :][::-1] for text in distinct])[::-1]
    start = start if re.search(r"[\W_]$", start) else re.sub(r"[^\W_]+$", "", start)
    end = end if re.match(r"[\W_]", end) else re.sub(r"^[^\W_]+", "", end)
    return f"{start}*{end}"
