"""What users can meet is documented, under the name that it has in the code."""

from __future__ import annotations

import argparse
import re
from dataclasses import fields
from pathlib import Path

import pytest

from tplcrawl.clustering.methods import METHODS
from tplcrawl.commands import parser
from tplcrawl.crawl import failures, media, meta
from tplcrawl.crawl.items import PageItem
from tplcrawl.crawl.options import PREFIX, Options
from tplcrawl.crawl.site import SiteSpider
from tplcrawl.page.limits import Limits
from tplcrawl.planning import aims
from tplcrawl.reports.templates import TemplateRow
from tplcrawl.sharing import queue
from tplcrawl.store import urls

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "tplcrawl").rglob("*.py"))


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_every_setting_with_its_default() -> None:
    table = text_of("docs/settings.md")
    for field in fields(Options):
        row = re.search(rf"^\| `{PREFIX}{field.name.upper()}` \| ([^|]*) \|", table, re.M)
        assert row, field.name
        if field.default is not None:
            assert row[1] == f"`{field.default}`"


def test_no_setting_that_does_not_exist() -> None:
    names = {PREFIX + field.name.upper() for field in fields(Options)}
    for file in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        named = set(re.findall(rf"{PREFIX}[A-Z][A-Z_]+", file.read_text(encoding="utf-8")))
        assert named <= names, file


def test_every_argument_of_the_spider() -> None:
    known = SiteSpider.__init__.__code__.co_varnames[1 : SiteSpider.__init__.__code__.co_argcount]
    for name in known:
        assert f"| `-a {name}=" in text_of("docs/settings.md"), name


def test_every_meta_key() -> None:
    keys = {value for value in vars(meta).values() if str(value).startswith("tplcrawl_")}
    assert keys
    for key in keys:
        assert f"| `{key}` |" in text_of("docs/settings.md")


def test_every_stat() -> None:
    source = "".join(file.read_text(encoding="utf-8") for file in SOURCES)
    names = set(re.findall(r'\.count\(f?"([a-z_/]+)', source))
    names |= set(re.findall(r'"tplcrawl/([a-z_/]+)"', source))
    assert len(names) > 5
    for name in names:
        shown = {"failed/": "failed/<reason>", "cut/": "cut/<limit>"}.get(name, name)
        if name != "failed/error":
            assert f"| `tplcrawl/{shown}` |" in text_of("docs/settings.md"), name


def test_every_limit() -> None:
    for field in fields(Limits):
        assert f"| `{field.name}` |" in text_of("docs/reliability.md"), field.name


def test_every_reason() -> None:
    reasons = {words for _, words in failures._WORDS} | set(urls.SPIDER_REASONS)
    reasons |= {failures.ROBOTS, failures.NOT_HTML, failures.OFFSITE, failures.IGNORED}
    reasons |= {failures.PRIVATE}
    reasons |= {aims.BUDGET, aims.SAMPLES, aims.LIKE, failures.SATURATED}
    reasons |= {failures.LOST, failures.LOOP, media.SKIPPED, queue.ELSEWHERE, queue.LOST}
    for reason in reasons:
        assert f"`{reason}`" in text_of("docs/outputs.md"), reason


def test_every_method() -> None:
    for name in METHODS:
        assert f"`{name}`" in text_of("docs/methods.md"), name


def test_every_field_of_templates_and_items() -> None:
    row = TemplateRow("t1", 1, [1], 1).as_dict()
    for name in [*row, *PageItem.fields]:
        assert f"`{name}`" in text_of("docs/outputs.md"), name


OUTPUTS = ["pages.py", "coverage.py", "samples.py"]
OUTPUTS += sorted(
    f"sections/{path.name}" for path in (ROOT / "tplcrawl/reports/sections").glob("[a-z]*.py")
)


@pytest.mark.parametrize("file", OUTPUTS)
def test_every_field_of_the_other_outputs(file: str) -> None:
    source = (ROOT / "tplcrawl" / "reports" / file).read_text(encoding="utf-8")
    names = set(re.findall(r'^ +(?:\{)?"([a-z_]+)": ', source, re.M))
    assert names
    for name in names:
        assert f"`{name}`" in text_of("docs/outputs.md"), name


def commands(top: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found = {}
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, part in action.choices.items():
                found[name] = part
                found |= {f"{name} {more}": one for more, one in commands(part).items()}
    return found


def test_every_command_has_help_and_examples_and_is_in_the_changelog() -> None:
    found = commands(parser())
    assert {"report", "sample", "bench crawl"} <= set(found)
    for name, command in found.items():
        assert command.epilog is not None
        assert f"tplcrawl {name}" in command.epilog
        assert f"`tplcrawl {name}" in text_of("CHANGELOG.md"), name
        for action in command._actions:
            assert action.help or action.nargs == "A...", (name, action)


def test_links_between_the_documents_lead_somewhere() -> None:
    for file in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text(encoding="utf-8")):
            assert (file.parent / target).exists(), (file, target)
