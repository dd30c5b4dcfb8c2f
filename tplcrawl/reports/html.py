"""HTML in the look of tplcrawl: one self-contained file that opens from disk.

Everything that comes from pages is escaped; scripts and styles are let in by their hashes alone,
and nothing is asked for from anywhere.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tplcrawl.clustering.names import printable
from tplcrawl.reports.pointers import pointer, resolve
from tplcrawl.reports.wording import plural

COLOURS = 400
"""Templates that have a colour of their own; later ones share them."""

CLIPPED = 160
"""Characters of a text that are shown; the rest is not needed to tell what it is."""


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("tplcrawl.reports", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(clip=clip, link=web_link, noun=plural)
    return environment


def render(name: str, numbers: dict[str, Any], *, live: bool = False, **values: Any) -> str:
    """The page *name* about *numbers*. With *live*, its script may ask the server that it came
    from for news."""

    def shown(*path: str | int, form: str = "") -> Markup:
        """A number with the place where it stands in *numbers*; the first step may be a pointer."""
        start = str(path[0]) if str(path[0]).startswith("/") else ""
        where = start + pointer(path[1:] if start else path)
        text = figure(resolve(numbers, where), form)
        mark = Markup(' data-f="{}"').format(form) if form else ""
        return Markup('<span data-k="{}"{}>{}</span>').format(where, mark, text)

    style = _asset("report.css") + colours(values.pop("coloured", 0))
    script = _asset("report.js")
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        f"{'connect-src ' + chr(39) + 'self' + chr(39) + '; ' if live else ''}base-uri 'none'; "
        "form-action 'none'"
    )
    page = _environment().get_template(name)
    return page.render(
        numbers=numbers,
        n=shown,
        policy=policy,
        style=Markup(style),
        script=Markup(script),
        live=live,
        **values,
    ).replace("\0", "\ufffd")


def figure(value: float | str | None, form: str = "") -> str:
    """A number for people; *form* ``%`` for shares, ``.`` for values between 0 and 1.

    >>> figure(12345), figure(0.1234, "%"), figure(0.5, "."), figure(None)
    ('12,345', '12.3%', '0.50', '–')
    """
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if form == "%":
        return f"{value:.1%}"
    return f"{value:.2f}" if form == "." else f"{value:,}"


def clip(text: str, most: int = CLIPPED) -> str:
    """*text* in one short line, without what turns or steers text.

    >>> clip("a\u202eb" + "c" * 9, 6)
    'a\ufffdbcc…'
    """
    text = printable(text)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def web_link(url: str) -> str:
    """*url*, if a browser may follow it from a report; else nothing.

    >>> web_link("https://a.com/"), web_link("javascript:alert(1)")
    ('https://a.com/', '')
    """
    return url if url.lower().startswith(("http://", "https://")) else ""


def colours(count: int) -> str:
    """A rule for each template's colour: hues a golden angle apart, of like lightness, so that
    each can be told from white and from black."""
    rules = []
    for number in range(min(count, COLOURS)):
        hue = (255 + 137.508 * number) % 360
        light, chroma = ((62, 0.15), (55, 0.11), (68, 0.12))[number // 9 % 3]
        rules.append(f".c{number}{{--c:oklch({light}% {chroma} {hue:.0f})}}")
    return "".join(rules)


@cache
def _asset(name: str) -> str:
    return files("tplcrawl.reports").joinpath("page", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """How a Content Security Policy names a script or style."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
