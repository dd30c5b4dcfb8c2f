"""A URL's path and query, and the parameters of that, between ``&`` or, as older programs write
them and HTML 4.01 (appendix B.2.2) has it, between ``;``."""

from __future__ import annotations

import re
from urllib.parse import unquote_plus, urlsplit

_PLAIN = re.compile(r"https?://[\w.:-]+(/[^?#\s]*)?(?:\?([^#\s]*))?", re.ASCII).fullmatch


def path_and_query(url: str) -> tuple[str, str]:
    """The path and the query of *url*, which nearly always are plain to see.

    >>> path_and_query("http://a.com/b?c=d"), path_and_query("HTTP://a.com#b")
    (('/b', 'c=d'), ('', ''))
    """
    plain = _PLAIN(url)
    if plain is not None:
        return plain[1] or "", plain[2] or ""
    parts = urlsplit(url)
    return parts.path, parts.query


def separator_of(query: str) -> str:
    """What stands between the parameters of *query*.

    >>> separator_of("p=a;a=commit"), separator_of("q=hello;you"), separator_of("a=1;b=2&c=3")
    (';', '&', '&')
    """
    if ";" not in query or "&" in query:
        return "&"
    return ";" if all("=" in part for part in query.split(";")) else "&"


def parameters(query: str) -> list[str]:
    """The parameters of *query*, names with their values.

    >>> parameters("p=a;a=commit"), parameters("q=hello;you"), parameters("")
    (['p=a', 'a=commit'], ['q=hello;you'], [])
    """
    return query.split(separator_of(query)) if query else []


def pairs(query: str) -> list[tuple[str, str]]:
    """The names and values of *query*'s parameters, unquoted; one without a value has an empty one.

    >>> pairs("q=a+b%21&new")
    [('q', 'a b!'), ('new', '')]
    """
    split = (part.partition("=") for part in parameters(query) if part)
    return [(unquote_plus(name), unquote_plus(value)) for name, _, value in split]
