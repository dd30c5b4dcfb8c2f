from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.fingerprints.class_paths import body_classes, class_paths, classes
from tplcrawl.fingerprints.features import Features, features_of
from tplcrawl.fingerprints.tag_paths import hash_set, tag_paths
from tplcrawl.fingerprints.url_shape import url_shape
from tplcrawl.outline import Outline

LZW = st.binary(max_size=25)
SETS = st.lists(st.integers(0, 2**32 - 1), max_size=6).map(hash_set)


def plain(features: Features) -> list[Any]:
    values = [getattr(features, field.name) for field in fields(features)]
    return [one if isinstance(one, bytes) else one.tolist() for one in values]


@given(st.data(), LZW)
def test_the_features_are_those_that_are_defined_one_by_one(
    outlines: st.SearchStrategy[Outline], data: st.DataObject, lzw: bytes
) -> None:
    outline = data.draw(outlines)
    url = "http://example.com/shop/p-12.html?id=7"
    one_by_one = Features(
        tag_paths=tag_paths(outline),
        class_paths=class_paths(outline),
        classes=classes(outline),
        body=body_classes(outline),
        url=url_shape(url),
        lzw=lzw,
    )
    assert plain(features_of(url, outline, lzw)) == plain(one_by_one)


@given(st.builds(Features, SETS, SETS, SETS, SETS, SETS, LZW))
def test_features_come_back_from_their_bytes(features: Features) -> None:
    blob = features.encode()
    back = Features.decode(blob)
    assert plain(back) == plain(features)
    assert all(
        getattr(back, field.name).dtype == np.uint32
        for field in fields(back)
        if field.name != "lzw"
    )
    assert back.encode() == blob
    numbers = sum(len(one) for one in plain(features)[:5])
    assert len(blob) == 20 + 4 * numbers + len(features.lzw)


def test_a_page_without_a_url_and_without_elements_has_features() -> None:
    features = features_of("", Outline((), (), (), ()), b"")
    assert plain(Features.decode(features.encode())) == [[], [], [], [], [], b""]
