"""The commands of the README do what it says, in a copy of the checkout."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tplcrawl.evaluation.sample.server import sample_server
from tplcrawl.evaluation.sample.site import SampleSite

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL = [
    line for block in re.findall(r"```sh\n(.*?)```", README, re.S) for line in block.splitlines()
]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the commands need, with this very environment as its ``.venv``."""
    copy = tmp_path / "checkout"
    copy.mkdir()
    for name in ("Makefile", "scrapy.cfg", "pyproject.toml"):
        shutil.copy2(ROOT / name, copy)
    for name in ("settings", "requirements"):
        shutil.copytree(ROOT / name, copy / name)
    (copy / ".venv").symlink_to(sys.prefix)
    return copy


def run(command: str, folder: Path) -> str:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.skipif(
    not (Path(sys.prefix) / ".installed").exists(), reason="this environment was not made by make"
)
def test_its_commands(checkout: Path) -> None:
    assert SHELL[:2] == ["make crawl URL=http://quotes.example/", "make test"]
    with sample_server(SampleSite()) as server:
        for line in SHELL:
            if line != "make test":
                run(line.replace("http://quotes.example/", server.url), checkout)
        pages = (checkout / "crawls" / "again" / "pages.jsonl").read_text().splitlines()
        assert len(pages) == 398


def test_the_sample_crawl_prints_its_score_and_leaves_the_files(tmp_path: Path) -> None:
    folder = tmp_path / "sample"
    shown = run(f"{sys.executable} -m tplcrawl sample -o {folder}", tmp_path)
    assert re.search(r"^398 pages, 14 templates → .*report\.html$", shown, re.M)
    assert "against the truth (14 templates): F1 1.000" in shown
    table = README.split("## What you get")[1]
    for file in re.findall(r"`([a-z]+\.(?:html|jsonl?|db))`", table):
        assert (folder / file).is_file(), file
    templates = json.loads((folder / "templates.json").read_text())["templates"]
    for template in templates:
        assert (folder / "streams" / f"{template['id']}.jsonl").is_file()
        assert (folder / "samples" / template["id"] / "manifest.jsonl").is_file()


def test_its_settings_are_those_of_the_reference() -> None:
    reference = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`TPLCRAWL_\w+` \| `[^`]+`) \|", README, re.M)
    assert rows
    for row in rows:
        assert f"| {row} |" in reference
