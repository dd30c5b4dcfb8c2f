"""What pages say of themselves in JSON-LD, microdata, RDFa and Open Graph: names and values for
free, to name fields by and to check them with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Any

from lxml import etree

from tplcrawl.wrappers.values import TYPES, address, cleaned, typed

SYNTAXES = ("json-ld", "microdata", "rdfa", "opengraph")
"""In the order in which their names are taken."""

AGREE = 0.6
"""The share of pages with both on which a field and a property must have the same value."""

_ANY = etree.XPath(
    "boolean(//script[@type='application/ld+json'] | //*[@itemscope] | //*[@typeof]"
    " | //meta[starts-with(@property, 'og:')])"
)
_MOST = 2000
"""Properties of one page that are looked at."""

_WRAPPING = frozenset(("name", "@value", "value", "@id", "text"))
"""Keys that say nothing of what is below them: ``author.name`` is an author."""

_NOT_RDFA = ("http://www.w3.org/1999/xhtml/vocab#", "http://ogp.me/ns")
"""What RDFa makes of HTML's own attributes, such as roles of elements, and of Open Graph, which is
told as such."""

Told = dict[tuple[str, str], list[list[str]]]
"""For each syntax and property, the values on each page."""


def available() -> bool:
    """Whether structured data can be read here."""
    try:
        import extruct  # noqa: F401
    except ImportError:
        return False
    return True


def has_any(root: Any) -> bool:
    """Whether a page has structured data at all."""
    return bool(_ANY(root))


def structured(roots: Sequence[Any]) -> Told:
    """What the pages with these trees say, by property."""
    told: Told = defaultdict(lambda: [[] for _ in roots])
    for number, root in enumerate(roots):
        for syntax, name, value in _properties(root):
            if value not in told[syntax, name][number]:
                told[syntax, name][number].append(value)
    return dict(told)


def _properties(root: Any) -> Iterator[tuple[str, str, str]]:
    if not has_any(root) or not available():
        return
    import extruct

    page = etree.tostring(root, encoding="unicode", method="html")
    found = extruct.extract(page, syntaxes=list(SYNTAXES), uniform=True, errors="ignore")
    left = _MOST
    for syntax in SYNTAXES:
        for name, value in _flat(found.get(syntax) or []):
            left -= 1
            if left < 0:
                return
            yield syntax, name, value


def _flat(items: Any) -> Iterator[tuple[str, str]]:
    """Every text and number below *items*, with the last key above it that says something."""
    stack: list[tuple[str, Any]] = [("", items)]
    while stack:
        name, value = stack.pop()
        if isinstance(value, dict):
            for key, inner in reversed(list(value.items())):
                key = str(key)
                if key in ("@type", "@context") or key.startswith(_NOT_RDFA):
                    continue
                keep = name if key in _WRAPPING and name else _short(key)
                if keep == "@id":
                    continue
                stack.append((keep, inner))
        elif isinstance(value, list | tuple):
            stack.extend((name, inner) for inner in reversed(value))
        elif isinstance(value, str | int | float) and not isinstance(value, bool) and name:
            text = cleaned(str(value))
            if text:
                yield name, text


def _short(key: str) -> str:
    return key.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]


def same(field: str, told: str) -> bool:
    """Whether a text on a page and a value in its data are one: the text, whatever its spaces and
    entities; an address, if one of them leaves out its beginning; or what the text means.

    >>> same("Salt &amp; Co.", "Salt&Co."), same("//a.b/c.png", "http://a.b/c.png"), same("a", "b")
    (True, True, False)
    """
    if field == told or _bare(field) == _bare(told):
        return True
    if field[:1] == "/" and address(told):
        return told.endswith(field)
    for kind in TYPES:
        mine = typed(kind, field)
        if kind in ("number", "date") and mine is not None and mine == typed(kind, told):
            return True
        if kind == "price" and isinstance(mine, dict) and mine["amount"] == typed("number", told):
            return True
    return False


def _bare(text: str) -> str:
    return "".join(unescape(text).split())


def agreement(values: Sequence[str | None], told: Sequence[Sequence[str]]) -> tuple[int, int]:
    """On how many pages a field has a value of a property, of how many that have both."""
    agreed = both = 0
    for value, given in zip(values, told, strict=True):
        if value is not None and given:
            both += 1
            agreed += any(same(text, one) for text in value.split("\n") for one in given)
    return agreed, both


def names_of(
    fields: Sequence[Sequence[str | None]], told: Told
) -> tuple[dict[int, tuple[str, str]], dict[str, Any]]:
    """For each of *fields*, given as values by page, the property that it agrees with and its
    syntax; and a summary of the agreement. A property names one field only, the best and first."""
    names: dict[int, tuple[str, str]] = {}
    summary: dict[str, dict[str, Any]] = {}
    for (syntax, name), given in told.items():
        having = sum(map(bool, given))
        best: tuple[float, int, int, int] | None = None
        for number, values in enumerate(fields):
            agreed, both = agreement(values, given)
            if both >= 2 and agreed >= AGREE * both:
                rank = (agreed, -both, -number, both)
                best = max(best, rank) if best is not None else rank
        varies = len({text for texts in given for text in texts}) > 1
        if varies and having >= 2:
            own = summary.setdefault(syntax, {"properties": 0, "found": 0, "agreement": {}})
            own["properties"] += 1
            if best is not None:
                own["found"] += 1
                own["agreement"][name] = round(best[0] / best[3], 3)
        if best is not None and name.isidentifier() and -best[2] not in names:
            names[-best[2]] = (name, syntax)
    return names, summary
