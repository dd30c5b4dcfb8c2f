"""``tplcrawl bench``: quality and classification."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from tplcrawl.commands import main
from tplcrawl.commands.bench_quality import BEGIN, END
from tplcrawl.evaluation.quality import names
from tplcrawl.evaluation.sample.site import SampleSite, Sizes

if TYPE_CHECKING:
    from tests.conftest import Launcher

Capture = pytest.CaptureFixture[str]

SIZES = Sizes(categories=2, products=25, posts=12, threads=10, boards=1, users=8, tags=3)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A packed site; not to be changed."""
    folder = tmp_path_factory.mktemp("packed") / "shop"
    (folder / "f").mkdir(parents=True)
    site = SampleSite(SIZES)
    answers: dict[str, dict[str, str]] = {"/old": {"location": "/"}}
    for number, path in enumerate(site.pages):
        answers[path] = {"file": f"f/{number}.html"}
        (folder / "f" / f"{number}.html").write_text(site.html(path) or "", encoding="utf-8")
    (folder / "site.json").write_text('{"start": "/"}')
    (folder / "map.json").write_text(json.dumps(answers))
    rows = [f"{path}\t{name}\n" for path, name in site.truth().items()]
    (folder / "truth.tsv").write_text("".join(rows))
    return folder


def printed(capsys: Capture, *words: str | Path) -> Any:
    """What a benchmark prints for machines."""
    capsys.readouterr()
    assert main(["bench", *map(str, words), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.count("\n") == 1
    return json.loads(out)


def told(capsys: Capture, code: int, *words: str | Path) -> str:
    """The one line that a benchmark says when it fails with *code*."""
    capsys.readouterr()
    assert main(["bench", *map(str, words)]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"tplcrawl: [^\n]+\n", err), err
    return err


def test_mismatches_prints_what_is_told_of_each_fault(shop: Path, capsys: Capture) -> None:
    rows = printed(capsys, "mismatches", shop, "--pages", "90", "--faults", "bare,wave")
    assert [(row["site"], row["fault"]) for row in rows] == [
        ("shop", "nothing"), ("shop", "bare"), ("shop", "wave")
    ]  # fmt: skip
    nothing, bare, wave = rows
    assert nothing["planted"] == nothing["others"] == 0
    assert bare["planted"] >= bare["seen"] >= bare["called"]
    assert wave["planted"] > 20
    assert "no fault 'nought'" in told(capsys, 2, "mismatches", shop, "--faults", "nought")
    assert "--pages" in told(capsys, 2, "mismatches", shop, "--pages", "0")


def test_a_site_that_cannot_be_reached_is_told(shop: Path, tmp_path: Path, capsys: Capture) -> None:
    """Catches a traceback where the start page is none."""
    site = tmp_path / "shop"
    shutil.copytree(shop, site)
    (site / "site.json").write_text('{"start": "/nowhere"}')
    assert "/nowhere" in told(capsys, 1, "mismatches", site, "--faults", "bare")


def test_quality_prints_a_row_for_each_site_and_method(shop: Path, capsys: Capture) -> None:
    rows = printed(capsys, "quality", shop, shop, "--methods", "md5,hybrid", "--pages", "50")
    assert [(row["site"], row["method"]) for row in rows] == [
        ("shop", "md5"), ("shop", "hybrid"), ("shop", "md5"), ("shop", "hybrid")
    ]  # fmt: skip
    for row in rows:
        assert row["pages"] == row["learned_from"] == 50
        assert row["assigned"] == 1
        assert 0 <= row["precision"] <= 1
    md5, hybrid = rows[:2]
    assert md5["f1"] < hybrid["f1"] > 0.9
    assert md5["precision"] == 1


def test_quality_prints_tables_for_people(shop: Path, capsys: Capture) -> None:
    words = ["bench", "quality", str(shop), "--methods", "hybrid,md5", "--pages", "30"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    heads = [line.split() for line in lines if line.startswith(("site", "method"))]
    assert [head[0] for head in heads] == ["site", "method"]
    assert "F1" in heads[0]
    assert re.fullmatch(r"shop: hybrid [+-]\d\.\d{3} against md5", lines[-1])


def test_parameters_reach_the_methods(shop: Path, capsys: Capture) -> None:
    words = ("quality", shop, "--methods", "hybrid", "--pages", "50", "--set", "learn=20")
    (row,) = printed(capsys, *words)
    assert (row["pages"], row["learned_from"]) == (50, 20)


def test_by_default_every_method_is_measured(shop: Path, capsys: Capture) -> None:
    rows = printed(capsys, "quality", shop, "--pages", "15")
    assert [row["method"] for row in rows] == names()


def test_a_sweep_writes_curves_and_their_numbers(
    shop: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "new" / "curves"
    words = ("quality", shop, "--methods", "common-paths", "--pages", "50", "-o", out)
    rows = printed(capsys, *words, "--sweep", "similarity=0:1:0.5")
    assert json.loads((out / "common-paths-similarity.json").read_text()) == rows
    assert [row["similarity"] for row in rows] == [0, 0.5, 1]
    assert (rows[0]["recall"], rows[0]["clusters"]) == (1, 1)
    assert rows[2]["precision"] > rows[0]["precision"]
    root = ElementTree.parse(out / "common-paths-similarity.svg").getroot()
    lines = [one.get("points", "").split() for one in root.iter(f"{SVG}polyline")]
    assert [len(line) for line in lines] == [3] * 4
    assert {path.name for path in out.iterdir()} == {
        "common-paths-similarity.json", "common-paths-similarity.svg"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("method", "sweep"),
    [("uxclust", "samples=1:3:2"), ("uxclust", "cutoff=2:4:2"), ("lzw", "split=3:17:14"),
     ("hybrid", "learn=10:20:10")],
)  # fmt: skip
def test_parameters_that_count_something_can_be_swept(
    shop: Path, tmp_path: Path, capsys: Capture, method: str, sweep: str
) -> None:
    """Paper 001, figures 7 and 8, move the cut-off and the sample."""
    words = ("quality", shop, "--methods", method, "--pages", "20", "-o", tmp_path)
    assert len(printed(capsys, *words, "--sweep", sweep)) == 2


def test_tables_are_written_between_the_marks_of_a_file_and_nowhere_else(
    shop: Path, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "notes.md"
    before, after = "# Títle\r\n\ntext ", " end\n<!-- quality: other -->\n"
    words = ("quality", shop, "--methods", "hybrid,md5", "--pages", "30", "--into", file)
    file.write_bytes(f"{before}{BEGIN}{END}{after}".encode())
    for _ in range(2):
        rows = printed(capsys, *words)
        text = file.read_bytes().decode()
        assert text.startswith(before + BEGIN)
        assert text.endswith(END + after)
        inside = text.removeprefix(before + BEGIN).removesuffix(END + after)
        tables = re.split(r"\n\n", inside.strip())
        assert tables[1].splitlines()[0] == "| site | hybrid | md5 |"
        scores = [f"{row['f1']:.2f}" for row in rows]
        assert tables[1].splitlines()[2] == f"| shop | {scores[0]} | {scores[1]} |"
        assert [line.split()[1] for line in tables[3].splitlines()[2:]] == ["hybrid", "md5"]
        for table in (tables[1], tables[3]):
            assert len({line.count("|") for line in table.splitlines()}) == 1
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    "content",
    [None, b"no marks", f"only {BEGIN}".encode(), f"only {END}".encode(),
     f"{END} the wrong way {BEGIN}".encode(), f"caf\xe9 {BEGIN} {END}".encode("latin-1")],
    ids=["no file", "none", "begin", "end", "wrong way", "not UTF-8"],
)  # fmt: skip
def test_a_file_without_marks_stays_as_it_is(
    shop: Path, tmp_path: Path, capsys: Capture, content: bytes | None
) -> None:
    file = tmp_path / "notes.md"
    if content is not None:
        file.write_bytes(content)
    told(capsys, 2, "quality", shop, "--methods", "md5", "--pages", "5", "--into", file)
    assert (file.read_bytes() if file.exists() else None) == content


def test_classify_prints_a_row_for_each_site_and_method(shop: Path, capsys: Capture) -> None:
    words = ("classify", shop, "--methods", "md5,common-paths", "--pages", "60", "--examples", "3")
    rows = printed(capsys, *words)
    assert [(row["site"], row["method"]) for row in rows] == [
        ("shop", "md5"), ("shop", "common-paths")
    ]  # fmt: skip
    for row in rows:
        assert row["pages"] == 60
        assert row["templates"] > 5
        assert 0 < row["accuracy"] <= 1
    md5, common = rows
    assert md5["recall"] < common["recall"] > 0.5


def test_classify_prints_a_table_for_people(shop: Path, capsys: Capture) -> None:
    assert main(["bench", "classify", str(shop), "--methods", "md5", "--pages", "20"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.split()[:2] == ["site", "method"]
    assert row.split()[:2] == ["shop", "md5"]


WRONG: dict[str, tuple[str, ...]] = {
    "method": ("quality", "SITE", "--methods", "magic"),
    "parameter": ("quality", "SITE", "--set", "magic=1"),
    "value": ("quality", "SITE", "--methods", "hybrid", "--set", "learn=many"),
    "pages": ("quality", "SITE", "--pages", "0"),
    "sweep": ("quality", "SITE", "--sweep", "similarity"),
    "parameter of a sweep": ("quality", "SITE", "--methods", "md5", "--sweep", "magic=0:1:1"),
    "value of a sweep": ("quality", "SITE", "--methods", "paths", "--sweep", "similarity=1:2:1"),
    "step of a sweep": ("quality", "SITE", "--methods", "paths", "--sweep", "similarity=0:1:inf"),
    "no site to measure": ("quality", "SITE/swde"),
    "method that cannot be taught": ("classify", "SITE", "--methods", "hybrid"),
    "examples": ("classify", "SITE", "--examples", "0"),
    "pages to classify": ("classify", "SITE", "--pages", "-1"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_usage_is_told_in_one_line(
    shop: Path, tmp_path: Path, capsys: Capture, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told(capsys, 2, *(word.replace("SITE", str(shop)) for word in WRONG[name]))
    assert not list(tmp_path.iterdir())


@pytest.fixture
def broken(shop: Path, tmp_path: Path) -> Callable[[str], Path]:
    """A packed site of which something is missing."""

    def broken(part: str) -> Path:
        folder = tmp_path / "broken"
        shutil.copytree(shop, folder)
        if part == "start":
            (folder / "site.json").write_text("{}")
        else:
            (folder / part).unlink()
        return folder

    return broken


@pytest.mark.parametrize("bench", ["quality", "classify"])
@pytest.mark.parametrize("part", ["site.json", "map.json", "truth.tsv", "f/0.html", "start"])
def test_a_site_that_is_not_whole_is_told_in_one_line(
    broken: Callable[[str], Path], capsys: Capture, bench: str, part: str
) -> None:
    assert part in told(capsys, 1, bench, broken(part), "--methods", "md5", "--pages", "5")


def test_online_tells_how_templates_came_to_be(shop: Path, capsys: Capture) -> None:
    (row,) = printed(capsys, "online", shop)
    assert row["pages"] == len(SampleSite(SIZES).pages)
    assert row["online"] == row["batch"] > 0.9
    for share in ("arrival", "moved", "known", "sure", "right_sure", "right_others", "off", "cost"):
        assert 0 <= row[share] <= 1
    assert row["early"]
    assert row["right_sure"] > 0.9
    assert "at least 1" in told(capsys, 2, "online", shop, "--pages", 0)


def test_speed_measures_pages_and_growth(shop: Path, capsys: Capture) -> None:
    found = printed(capsys, "speed", shop, "--pages", 20, "--most", 200)
    (row,) = found["pages"]
    assert (row["site"], row["pages"]) == ("shop", 20)
    assert all(row[step] > 0 for step in ("parse_ms", "walk", "profile", "features", "lzw"))
    sizes: dict[str, list[int]] = {}
    for one in found["growth"]:
        sizes.setdefault(one["what"], []).append(one["size"])
    assert set(map(tuple, sizes.values())) == {(50, 100, 200)}
    assert [one["f1"] for one in found["growth"] if one["what"] == "hybrid"][-1] > 0.99
    assert "at least" in told(capsys, 2, "speed", "--most", -1)


def test_the_speed_of_several_sites_is_summed_up(shop: Path, capsys: Capture) -> None:
    *sites, every = printed(capsys, "speed", shop, shop, "--pages", 9, "--most", 0)["pages"]
    assert (len(sites), every["site"], every["pages"]) == (2, "all", 18)
    for step in ("parse_ms", "walk", "profile", "features", "lzw"):
        low, high = sorted(site[step] for site in sites)
        assert low <= every[step] <= high


def test_the_report_of_a_made_crawl_is_measured(capsys: Capture, run_tplcrawl: Launcher) -> None:
    # In a process of its own: the most memory of this one is that of all its tests.
    done = run_tplcrawl("bench", "report", "--pages", "400", "--templates", "12", "--json")
    (row,) = json.loads(done.stdout)
    assert row["pages"] == 400
    assert row["cpu_s"] > 0
    assert 20 < row["peak_mb"] < 500
    assert 50 < row["html_kb"] < 3000
    assert told(capsys, 2, "report", "--pages", 0)


def test_a_long_crawl_is_watched_to_its_end(capsys: Capture) -> None:
    rows = printed(capsys, "soak", "--pages", "60", "--stages", "2")
    assert [row["pages"] for row in rows][-1] == 60
    assert all(row["memory_mb"] > 10 and row["open_files"] > 3 for row in rows)
    told(capsys, 2, "soak", "--pages", "1", "--stages", "2")


def test_budgets_and_searches_of_a_site(shop: Path, capsys: Capture) -> None:
    (spent,) = printed(capsys, "budget", shop, "--pages-per-template", "5")
    assert (spent["site"], spent["pages"]) == ("shop", len(SampleSite(SIZES).pages))
    assert spent["share"] == spent["fetches"] / spent["pages"] < 1
    assert spent["found"] == 1
    assert spent["drawn"] > 0
    (search,) = printed(capsys, "budget", shop, "--like")
    assert search["template"] == "product"
    assert search["reachable"] == SIZES.products
    assert search["recall"] == 1
    assert search["oracle"] >= SIZES.products
    assert search["ratio"] == search["fetches"] / search["oracle"] >= search["until"] >= 1
    assert search["fetches"] >= search["informed"] >= SIZES.products
    assert search["fetches"] - search["after"] >= search["reachable"]


def test_a_budget_of_nothing_is_refused(shop: Path, capsys: Capture) -> None:
    assert "pages-per-template" in told(capsys, 2, "budget", shop, "--pages-per-template", "0")
