"""Every command that reads a crawl, before a database that is damaged."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.commands import main
from tplcrawl.evaluation.sample.server import sample_answers
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.store.store import Store

if TYPE_CHECKING:
    from tests.conftest import Crawl, Serve, SiteCrawler


SITE = SampleSite(Sizes(categories=2, products=30, posts=10, threads=10, boards=1, users=5))


@pytest.fixture(scope="module")
def crawl(crawl_site: SiteCrawler, serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """A crawl; not to be changed."""
    with serve(sample_answers(SITE)) as web:
        return crawl_site(web.url, tmp_path_factory.mktemp("damaged") / "crawl")


COMMANDS = [
    ["report", "{bad}"], ["wrap", "{bad}"], ["extract", "{bad}"], ["diff", "{good}", "{bad}"],
    ["diff", "{bad}", "{good}"], ["merge", "{bad}", "{good}", "-o", "{new}"],
    ["cluster", "{bad}", "-o", "{new}"],
]  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: "-".join(words[:3]))
@pytest.mark.parametrize("hurt", ["file", "page"])
def test_a_damaged_database_is_told_in_one_line(
    crawl: Crawl,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    hurt: str,
) -> None:
    """Catches a traceback, and naming the wrong one of two crawls."""
    bad = tmp_path / "bad"
    shutil.copytree(crawl.folder, bad)
    if hurt == "file":
        content = bytearray((bad / "crawl.db").read_bytes())
        half = len(content) // 3
        content[half : 2 * half] = random.Random(1).randbytes(half)
        (bad / "crawl.db").write_bytes(content)
    else:
        with Store(bad) as store:
            for column in ("outline", "sightings"):
                half = f"substr({column}, 1, length({column}) / 2)"
                store.database.write(f"UPDATE page SET {column} = {half}")
            store.database.write("UPDATE body SET html = substr(html, 1, length(html) / 2)")
    paths = {"bad": bad, "good": crawl.folder, "new": tmp_path / "new"}
    code = main([word.format(**paths) for word in words])
    told = capsys.readouterr().err.splitlines()
    assert (code, len(told)) == (1, 1)
    assert told[0].startswith(f"tplcrawl: cannot use {bad}/crawl.db: ")
    assert told[0].endswith(f"; see tplcrawl repair {bad}")
