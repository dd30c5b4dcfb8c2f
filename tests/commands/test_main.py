"""The ``tplcrawl`` tool: help, version, wrong usage."""

from __future__ import annotations

import shlex
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl import __version__
from tplcrawl.commands import COMMANDS, main, parser

if TYPE_CHECKING:
    from tests.conftest import Launcher


def test_the_help_names_every_command(run_tplcrawl: Launcher) -> None:
    done = run_tplcrawl("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for name in COMMANDS:
        assert f" {name} " in done.stdout.replace("\n", " ")
    assert "scrapy crawl site" in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_examples_that_can_be_parsed(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main([name, "--help"])
    assert caught.value.code == 0
    out = capsys.readouterr().out
    lines = [line.strip() for line in out.partition("examples:\n")[2].splitlines()]
    examples = [line for line in lines if line.startswith("tplcrawl ")]
    assert examples
    for example in examples:
        words = shlex.split(example.partition(" | ")[0])[1:]
        assert words[0] == name
        parser().parse_args(words)


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"tplcrawl {__version__}\n"


def test_the_tool_is_installed() -> None:
    (script,) = entry_points(group="console_scripts", name="tplcrawl")
    assert script.load() is main
    tool = Path(sys.executable).with_name("tplcrawl")
    done = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"tplcrawl {__version__}\n"


@pytest.mark.parametrize(
    "words",
    [[], ["nonsense"], ["--nonsense"], ["report"], ["report", "a", "b"], ["sample", "--x"],
     ["bench"], ["bench", "nonsense"], ["bench", "crawl", "--pages", "many"]],
)  # fmt: skip
def test_wrong_usage_is_told_on_stderr(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "error: " in err.splitlines()[-1]
