"""Names in generated code."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from tplcrawl.wrappers.wrapper import Wrapper


def class_name(wrapper: Wrapper) -> str:
    """The stem of a template's classes.

    >>> class_name(Wrapper("t3", "blog-posting"))
    'BlogPosting'
    """
    words = re.findall(r"[A-Za-z0-9]+", wrapper.name)
    stem = "".join(word[:1].upper() + word[1:] for word in words)
    return stem if stem[:1].isalpha() else f"T{wrapper.template[1:]}{stem}"


def class_names(wrappers: Iterable[Wrapper]) -> dict[str, str]:
    """The stem of each template's classes, no two the same."""
    found: dict[str, str] = {}
    for wrapper in wrappers:
        stem = class_name(wrapper)
        if stem.lower() in {name.lower() for name in found.values()}:
            stem += f"T{wrapper.template[1:]}"
        found[wrapper.template] = stem
    return found


def package_name(site: str) -> str:
    """A package for the page objects of a site.

    >>> package_name("www.example.com:8080, b.org")
    'www_example_com_8080_pages'
    """
    host = site.partition(",")[0].strip().lower()
    stem = re.sub(r"[^a-z0-9]+", "_", host).strip("_") or "site"
    return f"site_{stem}_pages" if stem[0].isdigit() else f"{stem}_pages"


def url_patterns(wrapper: Wrapper) -> list[str]:
    """Patterns for ``handle_urls``: the hosts of the samples with the path of the template.

    >>> url_patterns(Wrapper("t1", url_pattern="/p/{n}.html?x=*", learned_from=("http://a.b/p/1",)))
    ['a.b/p/*.html']
    """
    path = wrapper.url_pattern.partition("?")[0].replace("{n}", "*").replace("**", "*") or "/"
    hosts = sorted({urlsplit(url).netloc.rpartition("@")[2] for url in wrapper.learned_from})
    return [f"{host}{path}" for host in hosts if host]
