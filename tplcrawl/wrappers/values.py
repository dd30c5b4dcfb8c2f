"""What a text means: numbers, prices, dates, addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any
from urllib.parse import urljoin

TYPES = ("text", "number", "price", "date", "url", "image", "html")

_MOSTLY = 0.9
_NUMBER = re.compile(r"[-+]?\d{1,3}(?:([.,  '])\d{3})*(?:[.,]\d+)?|[-+]?\d+(?:[.,]\d+)?")
_GAPS = re.compile(r"[ ']")
_SYMBOLS = {
    "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW",
    "₺": "TRY", "₴": "UAH", "₪": "ILS", "฿": "THB", "₫": "VND", "zł": "PLN", "Kč": "CZK",
    "R$": "BRL", "US$": "USD", "C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD",
    "HK$": "HKD", "NZ$": "NZD", "S$": "SGD", "Fr.": "CHF",
}  # fmt: skip
"""Signs of currencies; where several share one, the one that is meant most often."""
_CODES = frozenset(
    "USD EUR GBP JPY INR RUB KRW TRY UAH ILS THB VND PLN CZK BRL CAD AUD HKD NZD SGD CHF SEK NOK "
    "DKK CNY MXN ZAR HUF RON BGN AED SAR IDR MYR PHP TWD ARS CLP COP PEN EGP NGN KES PKR".split()
)
_SIGN = "|".join(re.escape(sign) for sign in sorted(_SYMBOLS, key=len, reverse=True))
_PRICE = re.compile(
    rf"(?:(?P<before>{_SIGN}|[A-Z]{{3}})\s*(?P<a>{_NUMBER.pattern})"
    rf"|(?P<b>{_NUMBER.pattern})\s*(?P<after>{_SIGN}|[A-Z]{{3}}))"
)
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\d.*)?")
_SLASHED = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_MONTHS = {
    name[:length]: number
    for number, name in enumerate(
        "january february march april may june july august september october november "
        "december".split(), 1)
    for length in (3, 4, len(name))
}  # fmt: skip
_ADDRESS = re.compile(r"https?://[^\s/?#]+\S*").fullmatch
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|webp|avif|svg)(?:[?#]|$)", re.IGNORECASE).search
_WEEKDAY = r"(?:[A-Z][a-z]{2,8},? )?"
_WRITTEN = (
    re.compile(_WEEKDAY + r"(?P<m>[A-Za-z]{3,9})\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?,? (?P<y>\d{4})"),
    re.compile(
        _WEEKDAY + r"(?P<d>\d{1,2})(?:\.|st|nd|rd|th)?[ -](?P<m>[A-Za-z]{3,9})\.?,?[ -](?P<y>\d{4})"
    ),
    re.compile(r"(?P<m>[A-Za-z]{3,9})\.?,? (?P<y>\d{4})"),
)


def cleaned(text: str) -> str:
    """*text* in one line, no-break spaces being spaces.

    >>> cleaned(" a\\n\\xa0b ")
    'a b'
    """
    return " ".join(text.split())


def number(text: str) -> int | float | None:
    """The number that *text* is.

    >>> number("1,234.50"), number("1.234,50"), number("320"), number("12,5"), number("7 pages")
    (1234.5, 1234.5, 320, 12.5, None)
    """
    match = _NUMBER.fullmatch(text) if len(text) < 40 else None
    return _value(text) if match else None


def _value(text: str) -> int | float:
    if text.isdecimal():
        return int(text)
    text = _GAPS.sub("", text)
    at = max(text.rfind("."), text.rfind(","))
    if at >= 0:
        mark, after = text[at], len(text) - at - 1
        other = "," if mark == "." else "."
        # One mark with three digits behind it parts thousands, unless there is nothing to part.
        grouped = after == 3 and (text.count(mark) > 1 or text[:at].lstrip("+-") not in ("0", ""))
        if grouped and other not in text:
            return int(text.replace(mark, ""))
        text = text.replace(other, "").replace(mark, ".")
        return float(text)
    return int(text)


def price(text: str) -> dict[str, Any] | None:
    """The amount and currency that *text* is.

    >>> price("$1,299.00"), price("12,50 EUR"), price("12")
    ({'amount': 1299.0, 'currency': 'USD'}, {'amount': 12.5, 'currency': 'EUR'}, None)
    """
    match = _PRICE.fullmatch(text) if len(text) < 40 else None
    if match is None:
        return None
    sign = match["before"] or match["after"]
    if sign not in _SYMBOLS and sign not in _CODES:
        return None
    return {"amount": _value(match["a"] or match["b"]), "currency": _SYMBOLS.get(sign, sign)}


def day(text: str) -> str | None:
    """The date that *text* is, as ISO 8601. Of days and months in numbers, the month comes first
    with slashes, as nothing else is known.

    >>> day("May 25, 2010"), day("2010-05-25T10:00"), day("25.05.2010"), day("soon")
    ('2010-05-25', '2010-05-25', '2010-05-25', None)
    """
    if len(text) > 40 or not (text[-1:].isdigit() or text[:1].isdigit()):
        return None
    try:
        if match := _ISO.fullmatch(text):
            return date(*map(int, match.groups())).isoformat()
        if match := _SLASHED.fullmatch(text):
            first, mark, second, year = match[1], match[2], match[3], match[4]
            month, of = (second, first) if mark == "." or int(first) > 12 else (first, second)
            return date(int(year), int(month), int(of)).isoformat()
        for form in _WRITTEN:
            if match := form.fullmatch(text):
                words = match.groupdict()
                number = _MONTHS.get(words["m"].lower())
                if number is None:
                    return None
                made = date(int(words["y"]), number, int(words.get("d") or 1)).isoformat()
                return made if "d" in words else made[:7]
    except ValueError:
        return None
    return None


def address(text: str) -> str | None:
    """The address on the web that *text* is.

    >>> address("https://example.com/a.png"), address("see https://example.com/")
    ('https://example.com/a.png', None)
    """
    return text if _ADDRESS(text) else None


def picture(text: str) -> str | None:
    """The address of an image that *text* is, going by its name."""
    return text if _ADDRESS(text) and _PICTURE(text) else None


_READERS: dict[str, Callable[[str], Any]] = {
    "number": number,
    "price": price,
    "date": day,
    "image": picture,
    "url": address,
}


def typed(type_: str, text: str) -> Any:
    """What *text* means as a value of *type_*; ``None`` where it is no such value."""
    reader = _READERS.get(type_)
    return reader(text) if reader else text


def type_of(texts: Sequence[str]) -> str:
    """The type that nearly all of *texts* have.

    >>> type_of(["$1", "$2.50"]), type_of(["1", "b"]), type_of(["May 1, 2010", "June 2, 2011"])
    ('price', 'text', 'date')
    """
    for name, reader in _READERS.items():
        if texts and sum(reader(text) is not None for text in texts) >= _MOSTLY * len(texts):
            return name
    return "text"


def absolute(base: str, href: str) -> str:
    """*href* as seen from *base*."""
    try:
        return urljoin(base, href) if base else href
    except ValueError:
        return href
