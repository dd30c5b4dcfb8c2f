from __future__ import annotations

from zlib import crc32

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.fingerprints.tag_paths import hash_set, path_hashes, tag_paths
from tplcrawl.outline import Outline


def hashed(texts: list[str]) -> list[int]:
    return [crc32(text.encode("utf-8", "surrogatepass")) for text in texts]


@given(st.data())
def test_a_tag_path_is_the_hash_of_its_text(
    outlines: st.SearchStrategy[Outline], data: st.DataObject
) -> None:
    outline = data.draw(outlines)
    paths = [outline.path(index) for index in range(len(outline.steps))]
    assert path_hashes(outline) == hashed(paths)
    assert tag_paths(outline).tolist() == sorted(set(hashed(paths)))


@given(st.lists(st.integers(0, 2**32 - 1) | st.sampled_from([0, 1, 2**31, 2**32 - 1])))
def test_a_hash_set_is_sorted_and_holds_each_hash_once(hashes: list[int]) -> None:
    found = hash_set(hashes)
    assert found.dtype == np.uint32
    assert found.tolist() == sorted(set(hashes))
    assert hash_set(iter(hashes[::-1])).tobytes() == found.tobytes()
