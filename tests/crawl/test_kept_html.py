"""What ``TPLCRAWL_SAVE_HTML`` keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tplcrawl.store.store import Store


@pytest.mark.parametrize(("mode", "kept"), [("samples", 12), ("all", 20), ("none", 0)])
def test_html_is_kept_as_asked(
    serve: Any, make_html: Any, crawl_site: Any, tmp_path: Path, mode: str, kept: int
) -> None:
    answers = {"/": make_html(*(f"/p/{n}" for n in range(20)), title="Home")}
    for n in range(20):
        body = f"<article><h1>Thing {n}</h1><b>{n}</b></article>" + "<p>long text</p>" * 500
        answers[f"/p/{n}"] = make_html(title=f"Thing {n}", body=body)
    with serve(answers) as web:
        crawl = crawl_site(web.url, tmp_path / "crawl", f"TPLCRAWL_SAVE_HTML={mode}")
    things = [page for page in crawl.pages if "/p/" in page["url"]]
    (template,) = {page["template"] for page in things}
    with Store(crawl.folder, write=False) as store:
        bodies = {docid: store.pages.body(docid) for docid in store.pages.bodies()}
        stored = store.database.value("SELECT max(length(html)) FROM body") or 0
    assert sum(page["docid"] in bodies for page in things) == kept
    assert stored < 1000  # of some 8,000 bytes
    samples = crawl.folder / "samples" / template
    if mode == "none":
        assert not samples.exists()
        return
    lines = crawl.lines(f"samples/{template}/manifest.jsonl")
    assert len(lines) == 10
    for line in lines:
        kept_body = bodies[line["docid"]]
        assert kept_body is not None
        assert (samples / line["file"]).read_bytes() == kept_body[0]
