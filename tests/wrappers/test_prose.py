"""Descriptions with markup of their own are one value; what is data stays apart."""

from __future__ import annotations

from typing import Any

from tplcrawl.wrappers.extraction import Extractor
from tplcrawl.wrappers.learning import learn
from tplcrawl.wrappers.library import page_of

WORDS = "These are words that somebody wrote about it and that one reads from start to end. " * 2


def article(number: int) -> Any:
    parts = [f"<p>{WORDS} {number}</p>", f"<h2>Why <i>{number}</i></h2>", "<p>More &amp; more</p>",
             "<ul><li>one<li>two</ul>", f"<blockquote>{WORDS}</blockquote>"]  # fmt: skip
    chosen = [part for i, part in enumerate(parts) if i != number % 5 or i == 0]
    body = (
        f"<h1>Title {number}</h1><div class=text>{''.join(chosen)}</div>"
        f"<table><tr><th>Size</th><td>{number} cm</td></tr></table>"
    )
    return page_of(f"http://a/{number}", body.encode(), "utf-8")


def test_rich_text_is_one_value_with_its_markup() -> None:
    wrapper = learn("t1", [article(number) for number in range(8)])
    (text,) = [one for one in wrapper.shown if one.type == "html"]
    assert text.name == "text"
    assert not text.many
    record = Extractor(wrapper)(article(13).root, "http://a/13")
    assert record.values["text"].startswith("These are words")
    assert "More & more" in record.values["text"]
    assert "<" not in record.values["text"]
    assert record.typed["text"].startswith("<p>These are words")
    assert "<h2>Why <i>13</i></h2>" in record.typed["text"]
    assert "More &amp; more" in record.typed["text"]
    assert record.values["size"] == "13 cm"
    # Its paragraphs are no list beside it.
    assert not [rows for rows in wrapper.lists if not rows.low]
    assert not [one for one in wrapper.shown if one.many]


def test_a_page_without_it_has_none() -> None:
    wrapper = learn("t1", [article(number) for number in range(8)])
    page = page_of("http://a/", b"<h1>Title 9</h1><table><tr><th>Size<td>9 cm</table>", "utf-8")
    record = Extractor(wrapper)(page.root, page.url)
    assert record.values.get("text") is None
    assert record.typed.get("text") is None


def test_a_menu_is_no_rich_text() -> None:
    made = []
    for number in range(6):
        links = "".join(f"<p><a href=/{i}>A page of ours, number {i + number}</a></p>"
                        for i in range(9))  # fmt: skip
        body = f"<h1>Title {number}</h1><div>{links}</div>"
        made.append(page_of("http://a/", body.encode(), "utf-8"))
    assert not [one for one in learn("t1", made).fields if one.type == "html"]
