from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.page.sessions import clean_path, clean_query

TOKEN = "0123456789abcdef0123456789abcdef"
PARTS = st.sampled_from(
    [
        "id=7",
        "sid=12",
        "s=shoes",
        "session=spring",
        "page",
        "q=%C3%A9",
        "a=b=c",
        "",
        "sids=" + TOKEN,
        "cfids=1",
        "x=phpsessid=1",
        "key=" + TOKEN,
    ]
)
SESSIONS = st.sampled_from(
    [
        f"PHPSESSID={TOKEN}",
        "phpsessid=x",
        "jsessionid=1A2B.node3",
        "CFID=1",
        "cftoken=2",
        "ASPSESSIONIDQQABCDEF=X",
        "ASP.NET_SessionId=y",
        "osCsid=1",
        "zenid=",
        "PHPSESSION",
        f"sid={TOKEN}",
        f"s={TOKEN}",
        f"session={TOKEN}",
    ]
)
TRACKING = st.sampled_from(["utm_source=x", "UTM_Campaign=y", "gclid=1", "fbclid", "_ga=2.1"])
SEGMENTS = st.sampled_from(["", "shop", "p-12.html", "a;v=1", "(x)", "(S)", "sid=1", "a(S(b))"])


@given(st.lists(st.tuples(PARTS | SESSIONS | TRACKING, st.booleans())), st.booleans())
def test_a_query_loses_its_session_ids_and_nothing_else(
    parts: list[tuple[str, bool]], tracking: bool
) -> None:
    query = "&".join(part for part, _ in parts)
    cleaned = clean_query(query, tracking=tracking)
    assert clean_query(cleaned, tracking=tracking) == cleaned
    assert clean_query(clean_query(query), tracking=tracking) == cleaned
    rest = iter(query.split("&"))
    assert all(part in rest for part in cleaned.split("&") if cleaned)


@given(st.lists(PARTS), st.lists(st.tuples(st.integers(0, 8), SESSIONS), max_size=3))
def test_a_session_id_makes_no_new_query(kept: list[str], added: list[tuple[int, str]]) -> None:
    parts = list(kept)
    for at, session in added:
        parts.insert(at, session)
    assert clean_query("&".join(parts)) == "&".join(kept)


@given(st.lists(PARTS), st.lists(st.tuples(st.integers(0, 8), TRACKING), max_size=3))
def test_tracking_parameters_go_only_where_that_is_wanted(
    kept: list[str], added: list[tuple[int, str]]
) -> None:
    parts = list(kept)
    for at, name in added:
        parts.insert(at, name)
    assert clean_query("&".join(parts), tracking=True) == "&".join(kept)
    assert clean_query("&".join(parts)) == "&".join(parts)


@given(
    st.lists(SEGMENTS, min_size=1, max_size=4),
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.sampled_from(
                [";jsessionid=1A2B.x", ";JSESSIONID=", ";sid=12", ";phpsessid=a;sid=b"]
            ),
        ),
        max_size=2,
    ),
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from(["(S(lit3py55))", "(A(x)S(y)F(z))"])),
        max_size=2,
    ),
)
def test_a_session_id_makes_no_new_path(
    segments: list[str], parameters: list[tuple[int, str]], cookieless: list[tuple[int, str]]
) -> None:
    marked = list(segments)
    for at, parameter in parameters:
        marked[at % len(marked)] += parameter
    for at, segment in cookieless:
        marked.insert(at % len(marked), segment)
    path = "/" + "/".join(segments)
    assert clean_path("/" + "/".join(marked)) == path
    assert clean_path(path) == path


@pytest.mark.parametrize(
    "path", ["/a;b=1", "/(S(x))", "/a(S(x))/b", "/(s(x))/b", "/(S(x)/b", "/wiki/Foo_(film)/x", "/;"]
)
def test_paths_that_only_look_like_it_stay(path: str) -> None:
    assert clean_path(path) == path
