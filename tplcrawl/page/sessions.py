"""Session ids and tracking parameters, taken out of URLs.

Paper 001, section 4.1: "a URL cleaning procedure, which removes forced session id tokens, such as
phpsessid, cfid, aspsessionid". A site that puts them into links gives every page a new URL on
every visit.
"""

from __future__ import annotations

import re

from tplcrawl.queries import parameters, separator_of

_SESSION = re.compile(
    r"(?:phpsess(?:id|ion)|jsessionid|aspsessionid\w*|asp\.net_sessionid|cfid|cftoken"
    r"|oscsid|xtcsid|modsid|zenid|sessionid|session_id|sessid|gxsessionid)",
    re.IGNORECASE,
)
_MAYBE_SESSION = re.compile(r"(?:s|sid|ssid|csid|sess|session|nsid|xid)", re.IGNORECASE)
"""Names that also carry honest values (``sid=12`` is a story): the value decides."""

_TOKEN = re.compile(r"(?=\w*\d)(?=\w*[a-z])[0-9a-z_]{20,}", re.IGNORECASE)

_TRACKING = re.compile(
    r"(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid"
    r"|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|vero_id|oly_enc_id|oly_anon_id)",
    re.IGNORECASE,
)

_PATH_PARAMETER = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/;?]*", re.IGNORECASE)
_COOKIELESS = re.compile(r"/\((?:[A-Z]\([^)/]*\))+\)(?=/)")
"""ASP.NET keeps cookieless state in a path segment: ``/(S(lit3py55t21z5v55vlm25s55))/``."""


def clean_path(path: str) -> str:
    """Return *path* without session ids.

    >>> clean_path("/shop;jsessionid=1A2B/cart")
    '/shop/cart'
    >>> clean_path("/(S(lit3py55t21z5v55vlm25s55))/page.aspx")
    '/page.aspx'
    """
    if ";" in path:
        path = _PATH_PARAMETER.sub("", path)
    if "/(" in path:
        path = _COOKIELESS.sub("", path)
    return path


def clean_query(query: str, *, tracking: bool = False) -> str:
    """Return *query* without session ids and, with *tracking*, without tracking parameters.

    >>> clean_query("id=7&PHPSESSID=0123456789abcdef0123456789abcdef")
    'id=7'
    >>> clean_query("sid=12&s=shoes")
    'sid=12&s=shoes'
    >>> clean_query("p=1&utm_source=x", tracking=True)
    'p=1'
    """
    kept = [
        part
        for part in parameters(query)
        if not _is_session(part) and not (tracking and _TRACKING.fullmatch(_name(part)))
    ]
    return separator_of(query).join(kept)


def _name(part: str) -> str:
    return part.partition("=")[0]


def _is_session(part: str) -> bool:
    name, _, value = part.partition("=")
    if _SESSION.fullmatch(name):
        return True
    return bool(_MAYBE_SESSION.fullmatch(name) and _TOKEN.fullmatch(value))
