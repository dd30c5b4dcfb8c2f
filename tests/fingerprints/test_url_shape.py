from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.fingerprints.url_shape import stands_above, url_marks, url_shape

URLS = st.builds(
    lambda path, query: f"http://example.com/{path}{query}",
    st.lists(
        st.sampled_from(
            ["shop", "p-1", "2024", "a_b.html", "", "%C3%A9-7", "x.tar.gz", ".well-known"]
        ),
        max_size=5,
    ).map("/".join),
    st.lists(
        st.sampled_from(["id=7", "page2=3", "q", "q=", "a=b=c", "x=%3D1", "p1[2]=3", "id=7"]),
        max_size=4,
    ).map(lambda parts: "?" + "&".join(parts) if parts else ""),
)


@given(URLS, st.lists(st.integers(0, 999), min_size=20, max_size=20))
def test_urls_that_differ_in_numbers_only_have_one_shape(url: str, numbers: list[int]) -> None:
    rest = iter(numbers)
    other = re.sub(r"(?<![0-9A-F%])[0-9]+", lambda _: str(next(rest)), url)
    assert url_marks(other) == url_marks(url)
    assert url_shape(other).tolist() == url_shape(url).tolist()


@given(URLS)
def test_the_marks_of_a_path_name_each_segment_from_both_ends(url: str) -> None:
    marks = url_marks(url)
    path = url.partition("?")[0].removeprefix("http://example.com")
    segments = [s for s in path.split("/") if s]
    assert marks[0] == f"depth {len(segments)}"
    starts = [mark for mark in marks if mark.startswith("from start ")]
    ends = [mark for mark in marks if mark.startswith("from end ")]
    assert [int(mark.split(" ")[2]) for mark in starts] == list(range(len(segments)))
    assert [int(mark.split(" ")[2]) for mark in ends] == list(range(len(segments), 0, -1))
    names = [mark.split(" ", 3)[3] for mark in starts]
    assert names == [mark.split(" ", 3)[3] for mark in ends]
    assert not any(re.search("[0-9]", name) for name in names)
    assert ("folder" in marks) == path.endswith("/")


@pytest.mark.parametrize(
    ("url", "extension"),
    [
        ("http://a.com/x.html", "html"),
        ("http://a.com/x.tar.gz?y=z.php", "gz"),
        ("http://a.com/x.html/y", None),
        ("http://a.com/.html", None),
        ("http://a.com/v1.2/", None),
        ("http://a.com/x.", None),
        ("http://a.com/x.verylong", None),
        ("http://a.com/", None),
    ],
)
def test_an_extension_is_the_short_end_of_the_last_segment(url: str, extension: str | None) -> None:
    found = [mark for mark in url_marks(url) if mark.startswith("extension ")]
    assert found == ([] if extension is None else [f"extension {extension}"])


def test_no_url_has_no_shape_and_a_long_one_a_bounded_one() -> None:
    assert url_shape("").tolist() == []
    query = "&".join(f"{chr(97 + i % 26)}{chr(97 + i // 26)}=x" for i in range(300))
    parameters = [m for m in url_marks(f"http://a.com/?{query}") if m.startswith("parameter ")]
    assert len(parameters) == 20


@pytest.mark.parametrize(
    "url", ["http://a.com/%", "http://a.com/%FF?%FF=%", "http://a.com/\ud800?x"]
)
def test_broken_escapes_have_a_shape(url: str) -> None:
    assert len(url_shape(url)) > 2


@pytest.mark.parametrize(
    ("path", "above"),
    [
        ("shop", True),
        ("shop/", True),
        ("shop.html", True),
        ("shop/lamps.php", True),
        ("shop/lamps/blue", False),
        ("shop/lamp", False),
        ("shop/lamps?page=2", False),
        ("blog", False),
        ("", False),
    ],
)
def test_what_stands_above_a_page_has_the_start_of_its_path(path: str, above: bool) -> None:
    page = "http://a.test/shop/lamps/blue.html"
    assert stands_above(f"http://a.test/{path}", page) is above
    assert not stands_above(f"http://b.test/{path}", page)
