from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import html

from tplcrawl.reports.html import report_html
from tplcrawl.reports.templates import TemplateRow

MakeRow = Callable[..., TemplateRow]

HOSTILE = [
    "</script><script>alert(1)</script>",
    "</style><style>@import 'http://evil.com/'",
    "</title><script src=//evil.com></script>",
    '" onmouseover="alert(1)" x=\'',
    "<!--",
    "<img src=x onerror=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt; &amp;",
    "]]>",
]


def numbers(site: str = "a.com", reason: str = "timeout") -> dict[str, Any]:
    return {
        "site": site,
        "funnel": {"discovered": 12345, "fetched": 2},
        "reasons": {reason: 6789},
    }


def elements(report: str) -> list[str]:
    """The names of all elements."""
    return [element.tag for element in html.document_fromstring(report).iter("*")]


@pytest.fixture(scope="session")
def plain(row: MakeRow) -> str:
    return report_html(numbers(), [row(1, 2)])


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_site_writes_is_text_and_nothing_else(row: MakeRow, plain: str, text: str) -> None:
    report = report_html(numbers(text, text), [row(1, 2, name=text, url=f"http://a.com/{text}")])
    assert elements(report) == elements(plain)
    tree = html.document_fromstring(report)
    assert tree.findtext(".//h1") == f"Templates of {text}"
    cells = [cell.text_content() for cell in tree.iter("td")]
    assert text in cells
    assert f"/{text}/*" in cells
    (link,) = tree.iter("a")
    assert link.text == link.get("href") == f"http://a.com/{text}"
    assert sorted(link.keys()) == ["href", "rel"]


@settings(deadline=None, max_examples=60)
@given(text=st.text(st.characters(exclude_categories=()), max_size=20))
@example(text="\0\x0b\x1b[31m\x85\ud800")
def test_any_text_makes_a_report_of_the_same_elements(row: MakeRow, plain: str, text: str) -> None:
    report = report_html(numbers(text, text), [row(1, 2, name=text, url=f"http://a.com/{text}")])
    assert "\0" not in report
    written = report.encode("utf-8", "replace").decode()
    assert elements(written) == elements(plain)


def test_the_report_needs_no_other_file(row: MakeRow) -> None:
    report = report_html(numbers(), [row(n, n, url=f"http://a.com/{n}") for n in range(1, 40)])
    tree = html.document_fromstring(report)
    assert [element.tag for element in tree.iter("*") if element.get("src")] == []
    linked = {element.tag for element in tree.iter("*") if element.get("href")}
    assert linked == {"a"}
    assert not {"script", "link", "iframe", "object", "embed", "base", "form"} & set(
        elements(report)
    )
    assert not re.search(r"@import|url\(", report)
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert "default-src 'none'" in policy


def test_numbers_are_for_people(row: MakeRow) -> None:
    template = row(7, 1234)
    template.share = 0.12345
    tree = html.document_fromstring(report_html(numbers(), [template]))
    text = tree.text_content()
    for number in ("12,345", "6,789", "1,234", "12.3%"):
        assert number in text
    assert tree.xpath("//tr/@id") == ["t7"]


def test_a_crawl_that_left_nothing_out_says_nothing_of_it(row: MakeRow) -> None:
    whole = {**numbers(), "reasons": {}}
    assert "Not fetched" not in report_html(whole, [row(1, 1)])
    assert "Not fetched" in report_html(numbers(), [row(1, 1)])
