from __future__ import annotations

from encodings.aliases import aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.batch.documents import encoding_of
from tplcrawl.page.profile import profile_of

DECLARED = ("utf-8", "cp1252", "koi8-r", "shift_jis", "gb18030", "euc-kr")


@pytest.mark.parametrize(
    ("body", "told", "expected"),
    [
        ("é".encode(), None, "utf-8"),
        ("é".encode("latin-1"), None, "cp1252"),
        (b"plain", "text/html", "utf-8"),
        (b"", None, "utf-8"),
        ("é".encode(), "text/html; charset=koi8-r", "koi8-r"),
        ("é".encode(), 'text/html; charset="KOI8-R"', "koi8-r"),
        # ISO 8859-1 is what Windows-1252 is called in the web.
        (b"\x80", "text/html; charset=iso-8859-1", "cp1252"),
        (b'<meta charset="koi8-r">', None, "koi8-r"),
        (b'<meta http-equiv=content-type content="text/html; charset=koi8-r">', None, "koi8-r"),
        # The server is believed rather than the page.
        (b'<meta charset="koi8-r">', "text/html; charset=utf-8", "utf-8"),
        # What nobody knows was not said.
        (b'<meta charset="koi8-r">', "text/html; charset=nonsense", "koi8-r"),
        (b'<meta charset="nonsense">\xe9', None, "cp1252"),
        ("\ufeff<p>é".encode("utf-16-le"), None, "utf-16-le"),
        ("\ufeff<p>é".encode("utf-16-be"), None, "utf-16-be"),
    ],
)
def test_the_encoding_is_what_was_said_or_else_what_fits(
    body: bytes, told: str | None, expected: str
) -> None:
    assert encoding_of(body, told) == expected


def test_a_byte_order_mark_is_believed_rather_than_the_server() -> None:
    """As browsers and Scrapy have it, so that a page of an archive is seen as in a crawl."""
    body = "\ufeff<p>é</p>".encode()
    assert encoding_of(body, "text/html; charset=iso-8859-1").startswith("utf-8")


def test_a_page_that_can_be_read_so_far_is_not_in_utf_16() -> None:
    """HTML, 13.2.3.2: who finds such a word in single bytes does not follow it."""
    assert encoding_of(b"<html><meta charset=utf-16><p>text</p></html>") == "utf-8"


@pytest.mark.parametrize("name", sorted({*aliases.values(), "undefined", "idna", "punycode"}))
def test_no_name_of_an_encoding_stops_a_job(name: str) -> None:
    """Python has encodings that are none of text: a page may name them all the same."""
    body = b"<html><body><p>text</p></body></html>"
    for told, page in (
        (f"text/html; charset={name}", body),
        (None, f'<meta charset="{name}">'.encode() + body),
    ):
        profile = profile_of("", page, None, encoding=encoding_of(page, told))
        assert profile.outline.steps


@given(st.sampled_from(DECLARED), st.text("aé€жя漢字", max_size=40))
def test_what_a_page_says_of_its_encoding_gives_its_text_back(name: str, text: str) -> None:
    body = f'<meta charset="{name}"><p>'.encode() + text.encode(name, "ignore")
    kept = text.encode(name, "ignore").decode(name)
    assert body.decode(encoding_of(body)).endswith(f"<p>{kept}")


@given(
    st.text(st.characters(exclude_categories=["Cs"])).filter(lambda t: not t.startswith("\ufeff"))
)
def test_utf_8_needs_no_declaration(text: str) -> None:
    body = b"<p>" + text.encode()
    if b"charset" not in body:
        assert body.decode(encoding_of(body)) == f"<p>{text}"
