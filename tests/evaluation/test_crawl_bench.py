from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tplcrawl.errors import JobError
from tplcrawl.evaluation.crawl_bench import VARIANTS, command, measure

HOLD = "held = bytearray(200 << 20)\nfor i in range(0, len(held), 4096): held[i] = 1"


def test_memory_is_measured_in_bytes() -> None:
    usage = measure([sys.executable, "-c", HOLD], os.environ)
    assert 200 << 20 <= usage.rss < 20 << 30
    assert usage.cpu > 0


def test_a_crawl_that_fails_is_not_measured() -> None:
    with pytest.raises(JobError, match="failed"):
        measure([sys.executable, "-c", "raise SystemExit(3)"], os.environ)


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_variants_crawl_the_same_pages_of_the_same_site(variant: str, tmp_path: Path) -> None:
    words = command(variant, "http://127.0.0.1:1/", 77, tmp_path)
    assert "url=http://127.0.0.1:1/" in words
    assert f"TPLCRAWL_DIR={tmp_path}" in words
    assert ("max_pages=77" in words) != ("CLOSESPIDER_PAGECOUNT=77" in words)
    assert ("ADDONS={}" in words) == (variant == "stock")
