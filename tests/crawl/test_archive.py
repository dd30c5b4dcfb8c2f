"""A crawl's pages as a WARC archive: what is in it, after whatever happened."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from warcio.archiveiterator import ArchiveIterator

from tplcrawl.batch.documents import Losses
from tplcrawl.batch.warc import read_warc
from tplcrawl.commands import main
from tplcrawl.evaluation.sample.server import sample_answers
from tplcrawl.evaluation.sample.site import SampleSite, Sizes

if TYPE_CHECKING:
    from tests.conftest import Crawl, ReadCrawl, Serve, SiteCrawler, Web

SITE = SampleSite(Sizes(categories=3, products=36, posts=14, threads=14, boards=2, users=10))


@pytest.fixture(scope="module")
def web(serve: Serve) -> Iterator[Web]:
    with serve(sample_answers(SITE)) as server:
        yield server


def urls(path: Path) -> list[str]:
    """The URLs of an archive, as somebody else's reader finds them."""
    with path.open("rb") as file:
        return [
            record.rec_headers["WARC-Target-URI"]
            for record in ArchiveIterator(file)
            if record.rec_type == "response"
        ]


def check(path: Path, crawl: Crawl) -> None:
    """Every page of the crawl, once."""
    assert Counter(urls(path)) == Counter(page["url"] for page in crawl.pages)
    losses = Losses()
    documents = list(read_warc(path, losses))
    assert len(documents) == len(crawl.pages)
    assert not losses.counts


def test_the_archive_of_a_crawl_has_its_pages_and_its_templates(
    web: Web, crawl_site: SiteCrawler, read_crawl: ReadCrawl, tmp_path: Path
) -> None:
    path = tmp_path / "pages" / "site.warc.gz"
    crawl = crawl_site(web.url, tmp_path / "crawl", f"TPLCRAWL_WARC={path}")
    check(path, crawl)
    assert main(["cluster", str(path), "-o", str(tmp_path / "again")]) == 0
    assert read_crawl(tmp_path / "again").partition == crawl.partition


@pytest.mark.parametrize("requests", [1, 30, 80])
def test_a_crawl_that_was_killed_leaves_a_readable_archive_and_goes_on_in_it(
    web: Web, crawl_site: SiteCrawler, tmp_path: Path, requests: int
) -> None:
    path, folder = tmp_path / "site.warc.gz", tmp_path / "crawl"
    setting = f"TPLCRAWL_WARC={path}"
    stopped = crawl_site.stopped(web, folder, requests, signal.SIGKILL, setting)
    assert stopped == -signal.SIGKILL
    if path.exists():
        # As a kill between two writes would.
        with path.open("ab") as file:
            file.write(path.read_bytes()[:100])
        urls_before = [document.url for document in read_warc(path, Losses())]
        assert len(urls_before) == len(set(urls_before))
    check(path, crawl_site(web.url, folder, setting))


def test_a_file_of_somebody_else_is_left_alone(
    web: Web, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    path = tmp_path / "site.warc.gz"
    path.write_bytes(b"something else")
    crawl = crawl_site(web.url, tmp_path / "crawl", f"TPLCRAWL_WARC={path}", code=1)
    assert "is there already" in crawl.err
    assert path.read_bytes() == b"something else"
    crawl = crawl_site(web.url, tmp_path / "crawl", "TPLCRAWL_WARC=site.zip", code=2)
    assert ".warc.gz" in crawl.err
