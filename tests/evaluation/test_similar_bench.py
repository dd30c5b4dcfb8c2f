from __future__ import annotations

from pathlib import Path

from tplcrawl.evaluation.similar_bench import index_measures, made_pages


def test_made_pages_are_the_same_again_and_all_different() -> None:
    pages = [page.key for _, page in made_pages(300)]
    assert pages == [page.key for _, page in made_pages(300)]
    assert len(set(pages)) == 300


def test_an_index_is_measured(tmp_path: Path) -> None:
    told = index_measures(tmp_path, 400, queries=10)
    assert told["pages"] == 400
    assert told["bytes_per_page"] > 100
    # A page is found by itself, and its like; the index would hold anything else for nothing.
    assert told["recall_at_10"] > 0.9
