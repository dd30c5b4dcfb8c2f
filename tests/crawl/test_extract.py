from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def answers(make_html: Any) -> dict[str, Any]:
    made = {"/": make_html(*(f"/p/{n}" for n in range(12)), title="Home")}
    for n in range(12):
        body = f"<h1>Thing {n}</h1><b class=price>${n}.00</b><i class=sku>SKU-{n}</i>"
        made[f"/p/{n}"] = make_html(title=f"Thing {n}", body=body)
    return made


def test_streams_carry_records_by_earlier_wrappers(
    serve: Any, make_html: Any, crawl_site: Any, run_tplcrawl: Any, tmp_path: Path
) -> None:
    with serve(answers(make_html)) as web:
        first = crawl_site(web.url, tmp_path / "first")
        assert run_tplcrawl("wrap", str(first.folder)).returncode == 0
        again = crawl_site(web.url, tmp_path / "again", f"TPLCRAWL_EXTRACT={first.folder}")
    records = [item for item in again.items if "sku" in item]
    assert sorted(record["sku"] for record in records) == sorted(f"SKU-{n}" for n in range(12))
    assert all(record["price"] == f"${record['sku'][4:]}.00" for record in records)
    assert json.dumps(records)


def test_a_directory_without_wrappers_is_wrong_usage(
    serve: Any, make_html: Any, crawl_site: Any, tmp_path: Path
) -> None:
    with serve(answers(make_html)) as web:
        crawl = crawl_site(
            web.url, tmp_path / "crawl", f"TPLCRAWL_EXTRACT={tmp_path}", code=2, load=False
        )
    assert "TPLCRAWL_EXTRACT" in crawl.err
