"""Archives of several hosts, from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.commands import main

if TYPE_CHECKING:
    from tests.batch.conftest import Archive


@pytest.mark.parametrize("method", ["hybrid", "lzw"])
def test_hosts_are_clustered_by_themselves_unless_told_otherwise(
    method: str, archive: Callable[..., Archive], page: Callable[..., bytes], tmp_path: Path
) -> None:
    """Names, reasons and nearest templates stay within a host, too."""
    made = archive(tmp_path / "a.warc.gz")
    for n in range(12):
        for host in ("a.com", "www.a.com", "b.com"):
            made.add(f"http://{host}/{host[0]}{n}", page(f"/{host[0]}{(n + 1) % 12}"))
    path = str(made.write())
    hosts: dict[bool, list[set[str]]] = {}
    for across in (False, True):
        out = tmp_path / str(across)
        words = ["cluster", path, "-o", str(out), "--method", method]
        assert main([*words, *(["--across-hosts"] if across else [])]) == 0
        found: dict[str, set[str]] = {}
        for line in (out / "pages.jsonl").read_text("utf-8").splitlines():
            told = json.loads(line)
            host = told["url"].split("/")[2].removeprefix("www.")
            found.setdefault(told["template"], set()).add(host)
        hosts[across] = list(found.values())
    assert hosts[False] == [{"a.com"}, {"b.com"}]
    assert hosts[True] == [{"a.com", "b.com"}]
