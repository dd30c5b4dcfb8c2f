from __future__ import annotations

import re
from zlib import crc32

from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.fingerprints.class_paths import body_classes, class_paths, classes
from tplcrawl.outline import Outline
from tplcrawl.page.profile import profile_of


def hashed(texts: list[str]) -> list[int]:
    return sorted({crc32(text.encode("utf-8", "surrogatepass")) for text in texts})


def folded(outline: Outline, index: int) -> list[str]:
    return ["." + re.sub("[0-9]+", "#", name) for name in outline.classes(index)]


@given(st.data())
def test_classes_count_with_the_tag_path_of_their_own_element(
    outlines: st.SearchStrategy[Outline], data: st.DataObject
) -> None:
    outline = data.draw(outlines)
    indices = range(len(outline.steps))
    pairs = [outline.path(i) + name for i in indices for name in folded(outline, i)]
    assert class_paths(outline).tolist() == hashed(pairs)
    names = [name for i in indices for name in folded(outline, i)]
    assert classes(outline).tolist() == hashed(names)
    of_body = [name for i in indices if outline.tags[i] == "body" for name in folded(outline, i)]
    assert body_classes(outline).tolist() == hashed(of_body)


def page(number: int) -> Outline:
    body = (
        f"<html class=js><body class='single postid-{number}'><div class='card big' id=c{number}>"
        f"<p class=item-{number * 37}>{number}</p></div></body></html>"
    )
    return profile_of("http://a.com/", body.encode(), None).outline


def test_numbers_in_classes_make_no_page_unlike_the_others() -> None:
    one, two = page(7), page(1234)
    assert one.steps != two.steps
    for kind in (class_paths, classes, body_classes):
        assert kind(one).tolist() == kind(two).tolist()
    assert len(body_classes(one)) == 2


def test_a_class_above_does_not_change_the_paths_below() -> None:
    bodies = [b"<body class=%s><p class=x>y" % name for name in (b"about", b"contact")]
    one, two = (profile_of("http://a.com/", body, None).outline for body in bodies)
    common = set(class_paths(one).tolist()) & set(class_paths(two).tolist())
    assert common == {crc32(b"/html/body/p.x")}
