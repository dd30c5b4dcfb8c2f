from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tplcrawl.wrappers.exports import export
from tplcrawl.wrappers.exports.bundle import Bundle, Sample
from tplcrawl.wrappers.exports.names import class_names, package_name
from tplcrawl.wrappers.wrapper import Wrapper


@pytest.fixture(scope="session")
def bundle(shop: Wrapper, shop_folder: Path) -> Bundle:
    files = sorted(shop_folder.iterdir())[:4]
    samples = [
        Sample(n, f"http://shop.test/p/{n}.html", file.read_bytes(), "utf-8")
        for n, file in enumerate(files)
    ]
    return Bundle(shop, tuple(samples))


def test_page_objects_pass_their_fixtures(bundle: Bundle, tmp_path: Path) -> None:
    pytest.importorskip("web_poet")
    folder = export("web-poet", tmp_path, [bundle])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout[-2000:]
    # Each field of each of the four pages is a test of its own.
    passed = int(done.stdout.split(" passed")[0].split()[-1])
    assert passed > 4 * len(bundle.wrapper.shown)


def test_page_objects_need_web_poet_alone_and_type_check(bundle: Bundle, tmp_path: Path) -> None:
    pytest.importorskip("web_poet")
    folder = export("web-poet", tmp_path, [bundle])
    (package,) = folder.glob("*_pages")
    imported = set()
    for path in package.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").split(".")[0])
            elif isinstance(node, ast.Import):
                imported.update(one.name.split(".")[0] for one in node.names)
    # attrs and parsel come with web-poet.
    foreign = imported - set(sys.stdlib_module_names) - {package.name}
    assert foreign == {"attrs", "parsel", "web_poet"}
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), package.name]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout


def test_a_page_object_that_is_wrong_fails_its_fixtures(bundle: Bundle, tmp_path: Path) -> None:
    pytest.importorskip("web_poet")
    folder = export("web-poet", tmp_path, [bundle])
    (code,) = folder.glob("*_pages/t1.py")
    code.write_text(code.read_text().replace('"ISBN"', '"Pages"'))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    assert done.returncode != 0


def test_an_export_takes_the_place_of_an_earlier_one(bundle: Bundle, tmp_path: Path) -> None:
    folder = export("html", tmp_path, [bundle])
    (folder / "left over").write_text("")
    assert export("html", tmp_path, [bundle]) == folder
    assert sorted(path.name for path in folder.iterdir()) == ["manifest.jsonl", "t1"]
    assert [path.name for path in (tmp_path / "exports").iterdir()] == ["html"]


def test_the_manifest_has_the_records(bundle: Bundle, tmp_path: Path) -> None:
    folder = export("html", tmp_path, [bundle])
    lines = [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]
    assert [line["record"]["isbn"] for line in lines] == [
        "978-0000",
        "978-0001",
        "978-0002",
        "978-0003",
    ]
    assert all((folder / line["file"]).read_bytes() for line in lines)


def test_scrapely_gets_annotated_pages(bundle: Bundle, tmp_path: Path) -> None:
    folder = export("scrapely", tmp_path, [bundle])
    told: dict[str, Any] = json.loads((folder / "t1.json").read_text())
    (template,) = told["templates"]
    assert set(template) == {"url", "headers", "body", "page_id", "encoding"}
    assert "data-scrapy-annotate" in template["body"]
    assert '"price"' in template["body"] or "&quot;price&quot;" in template["body"]


def test_names_in_code_are_names() -> None:
    names = class_names(
        [Wrapper("t1", "blog-post"), Wrapper("t2", "Blog post"), Wrapper("t3", "7")]
    )
    assert names == {"t1": "BlogPost", "t2": "BlogPostT2", "t3": "T37"}
    assert all(name.isidentifier() for name in names.values())
    assert package_name('x"; import os').isidentifier()
