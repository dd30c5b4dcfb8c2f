from __future__ import annotations

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.clustering.url_patterns import url_pattern
from tplcrawl.fingerprints.url_shape import continued, url_forms, url_marks
from tplcrawl.page.sessions import clean_query
from tplcrawl.queries import pairs, parameters, separator_of

NAMES = st.text("ab%20+[]", min_size=1, max_size=5)
VALUES = st.text("xy1=+%25/:", max_size=6)
PAIRS = st.lists(st.builds("{}={}".format, NAMES, VALUES), min_size=1, max_size=5)


@given(PAIRS)
def test_pairs_are_those_of_the_standard_library(given_: list[str]) -> None:
    query = "&".join(given_)
    assert pairs(query) == parse_qsl(query, keep_blank_values=True)


@given(PAIRS)
def test_parameters_may_be_written_with_semicolons(given_: list[str]) -> None:
    old, new = ";".join(given_), "&".join(given_)
    assert parameters(old) == parameters(new) == given_
    assert pairs(old) == pairs(new)
    assert url_marks(f"http://a.com/x?{old}") == url_marks(f"http://a.com/x?{new}")
    assert url_forms(f"http://a.com/x?{old}") == url_forms(f"http://a.com/x?{new}")


@pytest.mark.parametrize("query", ["q=a;b", "q=;", ";", "a=1;b=2&c=3", "a=1;;b=2", "q=&lt;p"])
def test_a_semicolon_may_be_part_of_a_value(query: str) -> None:
    assert separator_of(query) == "&"


def test_what_is_made_of_such_a_query_is_written_as_it_was() -> None:
    assert clean_query("p=a;PHPSESSID=0123456789abcdef0123456789abcdef;a=log") == "p=a;a=log"
    assert ("2", "http://a.com/?p=a;a=log") in continued("http://a.com/?p=a;a=log;pg=2")
    urls = [f"http://a.com/?p=a;a=commit;h={n}" for n in (1, 2)]
    assert url_pattern(urls) == "/?p=a;a=commit;h={n}"
