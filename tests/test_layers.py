from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import tplcrawl

ROOT = Path(tplcrawl.__file__).parent
MODULES = {
    ".".join(("tplcrawl", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in sorted(ROOT.rglob("*.py"))
}
LINES = 300
SCRAPY = ("scrapy", "twisted", "itemadapter", "itemloaders")
SCRAPY_SIDE = ("crawl", "commands")
BASE = {"", "errors", "records", "outline", "queries", "words"}
"""Modules that everything may use; the first is the package itself."""
CORE = BASE | {"page", "fingerprints", "similarity"}


@cache
def imports_of(module: str) -> tuple[str, ...]:
    """The names of all modules that *module* imports, anywhere in it."""
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            source = ".".join([*(above if node.level else []), *filter(None, [node.module])])
            # What is imported may be a module of a package.
            below = {f"{source}.{alias.name}" for alias in node.names}
            found.update(below & set(MODULES) or {source})
            found.update({source} if below - set(MODULES) else ())
    return tuple(sorted(found))


def part_of(module: str) -> str:
    """The package, or the module, that stands directly below ours."""
    return module.partition(".")[2].partition(".")[0]


def own_imports(module: str) -> Iterator[str]:
    return (name for name in imports_of(module) if name.split(".")[0] == "tplcrawl")


def modules_of(*parts: str) -> list[str]:
    return [module for module in MODULES if part_of(module) in parts]


def test_the_modules_and_their_imports_are_found() -> None:
    assert {"tplcrawl", "tplcrawl.page.walk", "tplcrawl.crawl.session"} <= set(MODULES)
    assert "tplcrawl.outline" in imports_of("tplcrawl.page.walk")
    assert "tplcrawl.fingerprints.lzw" in imports_of("tplcrawl.page.profile")
    assert "scrapy" in imports_of("tplcrawl.crawl.session")


@pytest.mark.parametrize(
    "module", [module for module in MODULES if part_of(module) not in SCRAPY_SIDE]
)
def test_scrapy_is_imported_by_its_own_side_only(module: str) -> None:
    assert not [name for name in imports_of(module) if name.split(".")[0] in SCRAPY]


@pytest.mark.parametrize("module", modules_of("errors", "records", "outline", "queries", "words"))
def test_the_base_knows_nothing_else(module: str) -> None:
    assert not {part_of(name) for name in own_imports(module)} - BASE


@pytest.mark.parametrize("module", modules_of("page", "fingerprints", "similarity"))
def test_the_core_knows_no_collection_of_pages(module: str) -> None:
    assert not {part_of(name) for name in own_imports(module)} - CORE


@pytest.mark.parametrize("module", modules_of("clustering"))
def test_clustering_knows_no_store_no_report_and_no_crawl(module: str) -> None:
    assert not {part_of(name) for name in own_imports(module)} - CORE - {"clustering"}


@pytest.mark.parametrize("module", modules_of("store"))
def test_the_store_knows_records_only(module: str) -> None:
    assert not {part_of(name) for name in own_imports(module)} - BASE - {"store"}


@pytest.mark.parametrize("module", modules_of("reports", "batch", "wrappers"))
def test_what_comes_after_a_crawl_knows_no_crawl(module: str) -> None:
    assert not {part_of(name) for name in own_imports(module)} & {"crawl", "commands"}


def test_no_two_packages_depend_on_each_other() -> None:
    graph: dict[str, set[str]] = {}
    for module in MODULES:
        # The public names are imported when they are asked for.
        if module != "tplcrawl":
            below = graph.setdefault(part_of(module), set())
            below.update(part_of(name) for name in own_imports(module))
            below.discard(part_of(module))
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("module", MODULES)
def test_a_module_stays_short(module: str) -> None:
    lines = MODULES[module].read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LINES


def loaded_by(code: str) -> set[str]:
    """The top-level names of all modules that are loaded after *code*."""
    code += "\nimport sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8"
    )
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_importing_tplcrawl_imports_no_scrapy() -> None:
    loaded = loaded_by("import tplcrawl")
    assert "tplcrawl" in loaded
    assert not loaded & {*SCRAPY, "numpy", "lxml"}


def test_everything_but_the_crawl_works_without_scrapy() -> None:
    names = [module for module in MODULES if part_of(module) not in SCRAPY_SIDE]
    names = [name for name in names if not name.endswith("__main__")]
    loaded = loaded_by("import " + ", ".join(names))
    assert "numpy" in loaded
    assert not loaded & set(SCRAPY)


def test_the_add_on_is_there_for_those_who_ask() -> None:
    assert "scrapy" in loaded_by("import tplcrawl; tplcrawl.Addon")
    with pytest.raises(AttributeError, match="Nothing"):
        _ = tplcrawl.Nothing
