"""The line on the terminal, on a real one."""

from __future__ import annotations

import os
import re
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.evaluation.serving import Answer

if TYPE_CHECKING:
    from tests.conftest import Launcher, MakePage, Serve

End = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize("wanted", [True, False])
def test_a_terminal_shows_the_progress_if_that_is_wanted(
    run_scrapy: Launcher, serve: Serve, make_html: MakePage, end: End, tmp_path: Path, wanted: bool
) -> None:
    master, slave = os.openpty()
    shown = bytearray()

    def read() -> None:
        try:
            while data := os.read(master, 4096):
                shown.extend(data)
        except OSError:  # what a terminal says when nobody holds its other end
            pass

    reader = threading.Thread(target=read)
    reader.start()
    page = make_html(*(f"/{number}" for number in range(6)))

    def answer(target: str) -> Answer | None:
        time.sleep(0.3)
        return page

    try:
        with serve(answer) as web:
            words = ["crawl", "site", "-a", f"url={web.url}", "-s", f"TPLCRAWL_PROGRESS={wanted}"]
            words += ["-s", f"TPLCRAWL_DIR={tmp_path}/crawl", "-s", "CONCURRENT_REQUESTS=1"]
            with run_scrapy.start(*words, stderr=slave) as process:
                os.close(slave)
                done = end(process)
    finally:
        reader.join()
        os.close(master)
    assert done.returncode == 0
    lines = re.findall(rb"(\d+) pages . (\d+) templates . (\d+) queued . [\d.]+/s", bytes(
        shown.replace("·".encode(), b".")))  # fmt: skip
    assert "pages ·" not in done.stdout
    if not wanted:
        assert bytes(shown) == b""
        return
    counts = [int(pages) for pages, _, _ in lines]
    assert len(counts) > 1
    assert counts == sorted(counts)
    assert bytes(shown).endswith(b"\r\x1b[K"), "the line is taken away in the end"
