"""What URLs of one kind have in common: segments, words, parameters, each with its place.

URLs are no proof of a template, but many sites name it in them somewhere: in the first segment, the
last, an extension, a parameter. Which of these carries information is for the site to say (each is
weighted by how it is spread over the site's pages).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote, urlsplit
from zlib import crc32

from tplcrawl.fingerprints.tag_paths import Hashes, hash_set
from tplcrawl.queries import pairs, parameters, separator_of

_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+")
_WORD_OR_NUMBER = re.compile(r"#|[^\W_]+")
_NUMBERED = re.compile(r"(.*?)(\d+)(\.\w{1,5})?/?")
_EXTENSION = re.compile(r"[^.].*\.(\w{1,5})$")


def url_marks(url: str) -> list[str]:
    """The marks of *url*, digits folded.

    >>> url_marks("http://a.com/shop/p-12.html?id=7")
    ['depth 2', 'from start 0 shop', 'from end 2 shop', 'word 0 shop', 'from start 1 p-#.html', \
'from end 1 p-#.html', 'word 1 p', 'word 1 html', 'extension html', 'parameter id', \
'value id=#']
    """
    parts = urlsplit(url)
    segments = [s for s in _DIGITS.sub("#", unquote(parts.path)).split("/") if s]
    marks = [f"depth {len(segments)}"]
    for i, segment in enumerate(segments):
        marks.append(f"from start {i} {segment}")
        marks.append(f"from end {len(segments) - i} {segment}")
        marks.extend(f"word {i} {word}" for word in _WORD.findall(segment))
    extension = _EXTENSION.match(segments[-1]) if segments else None
    if extension:
        marks.append(f"extension {extension[1]}")
    if parts.path.endswith("/"):
        marks.append("folder")
    for name, value in pairs(parts.query)[:20]:
        marks.append(f"parameter {_DIGITS.sub('#', name)}")
        marks.append(f"value {_DIGITS.sub('#', name)}={_DIGITS.sub('#', value)}")
    return marks


def url_forms(url: str) -> tuple[tuple[str, ...], ...]:
    """What *url* looks like, seen from different sides, digits folded: as a whole, its folder, its
    name, how that begins, how it ends, what it stands in, its last parameter (of those without a
    number, if there are any: ``?a=commit;h=1f2e``), and its second folder: behind a language, a
    user or a project stands what it is about. URLs of one kind share some of these.

    >>> url_forms("http://a.com/shop/p-12.html?id=7")[:2]
    (('3', 'shop', 'html', 'id'), ('/shop', 'html', 'id'))
    >>> url_forms("http://a.com/shop/p-12.html?id=7")[2:5]
    (('p-#.html', 'id=#'), ('shop', 'p', 'html'), ('#', 'html'))
    >>> url_forms("http://a.com/shop/p-12.html?id=7")[5:]
    (('shop', 'html', 'id'), ('id=#', 'html'), ('', 'html', 'id'))
    """
    folders, name, extension, given, names = _parts(url)
    values = " ".join([part[:40] for part in sorted(given)]) if given else ""
    words = _WORD_OR_NUMBER.findall(name)
    return (
        (folders.depth, folders.first, extension, names),
        (folders.path, extension, names),
        (name, values),
        (folders.first, words[0] if len(words) > 1 else "", extension),
        tuple(words[-2:] if extension else words[-1:]),
        (folders.last, extension, names),
        (_telling(given) if given else folders.last, extension),
        (folders.second, extension, names),
    )


def url_form(url: str) -> tuple[str, ...]:
    """The first of :func:`url_forms`: *url* as a whole.

    >>> url_form("http://a.com/shop/p-12.html?id=7")
    ('3', 'shop', 'html', 'id')
    """
    folders, _, extension, _, names = _parts(url)
    return folders.depth, folders.first, extension, names


def url_build(url: str) -> tuple[str, ...]:
    """*url* as a whole, with its second folder.

    >>> url_build("http://a.com/en/shop/p-12.html?id=7")
    ('4', 'en', 'shop', 'html', 'id')
    """
    folders, _, extension, _, names = _parts(url)
    return folders.depth, folders.first, folders.second, extension, names


def stands_above(url: str, other: str) -> bool:
    """Whether the path of *other* begins with that of *url*: a list, maybe, and what it lists.

    >>> stands_above("http://a.com/blog.html", "http://a.com/blog/2024/one.html")
    True
    >>> stands_above("http://a.com/blog/?page=2", "http://a.com/blog/2024/one.html")
    False
    """
    site, _, path = url.partition("://")[2].partition("/")
    folder, _, name = path.removesuffix("/").rpartition("/")
    stem = name.partition(".")[0]
    start = f"{site}/{folder}/{stem}/" if folder else f"{site}/{stem}/"
    return "?" not in url and bool(stem) and other.partition("://")[2].startswith(start)


def continued(url: str) -> Iterator[tuple[str, str]]:
    """The URLs that *url* may continue, each with the number that *url* has and it has not: page 2
    of a list, version 3 of an article.

    >>> list(continued("http://a.com/blog?tag=x&page=2"))
    [('2', 'http://a.com/blog?tag=x')]
    >>> list(continued("http://a.com/blog-2.html"))[0]
    ('2', 'http://a.com/blog.html')
    >>> [base for _, base in continued("http://a.com/tag/x/page/2/")][2:]
    ['http://a.com/tag/x/', 'http://a.com/tag/x']
    """
    path, _, query = url.partition("?")
    given = parameters(query)
    for at in reversed(range(len(given))):
        value = given[at].partition("=")[2]
        if value.isdecimal():
            rest = separator_of(query).join(given[:at] + given[at + 1 :])
            yield value, f"{path}?{rest}" if rest else path
    numbered = None if query else _NUMBERED.fullmatch(path)
    if numbered is None:
        return
    before, number, ending = numbered.groups(default="")
    name = before.rstrip("-_.")
    stems = [name.removesuffix("/")]
    folder, _, word = stems[0].rpartition("/")
    if word and not _DIGITS.search(word):
        stems.append(folder)
    for stem in stems:
        for base in (f"{stem}{ending}", f"{stem}/", stem) if ending else (f"{stem}/", stem):
            yield number, base


def _telling(given: Sequence[str]) -> str:
    """The parameter that says most of what a page is."""
    return next((part for part in reversed(given) if "#" not in part), given[-1])


class _Folders(NamedTuple):
    """The folders of a URL's path."""

    depth: str
    path: str
    first: str
    second: str
    last: str


@lru_cache(maxsize=4096)
def _folders(path: str) -> _Folders:
    folders = path.split("/")
    first, second = [*folders[1:3], "", ""][:2]
    return _Folders(str(len(folders) + 1), path, first, second, folders[-1])


def _parts(url: str) -> tuple[_Folders, str, str, list[str], str]:
    """Digits folded: the folders, the name, its extension, the parameters and their names."""
    target = url.partition("://")[2].partition("/")[2]
    if "%" in target:
        target = unquote(target)
    path, _, query = _DIGITS.sub("#", target).partition("?")
    folder, _, name = f"/{path}".rpartition("/")
    _, dot, ending = name.rpartition(".")
    extension = ending if dot and len(ending) <= 5 else "" if name else "/"
    given = parameters(query)[:20] if query else []
    names = " ".join([part.partition("=")[0] for part in sorted(given)]) if given else ""
    return _folders(folder), name, extension, given, names


def url_shape(url: str) -> Hashes:
    """The set of *url*'s marks, hashed; nothing for a page without a URL."""
    try:
        marks = url_marks(url) if url else []
    except ValueError:
        marks = []
    return hash_set([crc32(mark.encode("utf-8", "surrogatepass")) for mark in marks])
