"""``tplcrawl diff`` of crawls that kept other pages' HTML."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.ingest import ingest
from tplcrawl.clustering.methods import make_method
from tplcrawl.commands import main
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.recording import Recording
from tplcrawl.store.store import Store

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl with wrappers, all HTML kept; not to be changed."""
    folder = tmp_path_factory.mktemp("crawls") / "old"
    site = SampleSite(Sizes(categories=4, products=60, posts=40, threads=30, boards=2, users=20))
    documents = [
        Document(f"http://a.com{path}", (site.html(path) or "").encode(), "utf-8")
        for path in site.pages
    ]
    with Store(folder) as store:
        ingest(store, documents, Losses(), save_html=True)
    Recording(folder, None, make_method("hybrid"), save_html="all").close()
    assert main(["wrap", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("kept", ["the same", "others", "a third", "a tenth", "of some", "none"])
def test_nothing_changed_so_no_alarm_is_raised(
    old: Path, tmp_path: Path, capsys: Capture, kept: str
) -> None:
    """Catches taking chance for change: what is optional, and what another sample of the pages
    lacks."""
    new = tmp_path / "new"
    shutil.copytree(old, new)
    draw = random.Random(7)
    with Store(new) as store:
        templates = dict(zip(store.pages.docids(), store.pages.templates(), strict=True))
        gone = {
            "the same": lambda docid: False,
            "others": lambda docid: docid % 2,
            "a third": lambda docid: draw.random() < 2 / 3,
            "a tenth": lambda docid: draw.random() < 9 / 10,
            "of some": lambda docid: (templates[docid] or 0) % 2,
            "none": lambda docid: True,
        }[kept]
        store.pages.drop_bodies([docid for docid in store.pages.bodies() if gone(docid)])
    code = main(["diff", str(old), str(new), "--fail-on", "any"])
    assert (code, capsys.readouterr().err) == (0, "")
