"""The templates of one crawl, as the beginning of the next."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tplcrawl.commands import main
from tplcrawl.errors import InputError
from tplcrawl.evaluation.sample.server import sample_answers
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.reports.models import read_model
from tplcrawl.saved_model import SavedModel, saved_in
from tplcrawl.store.store import Store

if TYPE_CHECKING:
    from tests.conftest import Crawl, Serve, SiteCrawler, Web

SITE = SampleSite(Sizes(categories=3, products=36, posts=14, threads=14, boards=2, users=10))


@pytest.fixture(scope="module")
def web(serve: Serve) -> Iterator[Web]:
    with serve(sample_answers(SITE)) as server:
        yield server


@pytest.fixture(scope="module")
def first(web: Web, crawl_site: SiteCrawler, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    return crawl_site(web.url, tmp_path_factory.mktemp("first") / "crawl")


@pytest.fixture(scope="module")
def file(first: Crawl) -> Path:
    made = first.folder.parent / "model.json"
    assert main(["model", str(first.folder), "-o", str(made)]) == 0
    return made


def names(crawl: Crawl) -> dict[str, str]:
    return {row["id"]: row["name"] for row in crawl.json("templates.json")["templates"]}


def templates(crawl: Crawl) -> dict[str, str | None]:
    return {target: page["template"] for target, page in crawl.by_target.items()}


def test_the_next_crawl_has_the_same_ids_and_predicts_from_the_first_page_on(
    first: Crawl, file: Path, web: Web, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    second = crawl_site(web.url, tmp_path / "second", f"TPLCRAWL_MODEL={file}")
    assert templates(second) == templates(first)
    assert names(second) == names(first)
    assert all(page["predicted"] for page in second.pages[1:])
    early = second.pages[1:20]
    assert sum(page["predicted"] == page["template"] for page in early) >= len(early) - 3
    assert sum(row["pages"] for row in second.json("templates.json")["templates"]) == len(
        second.pages
    )


def test_ids_of_what_was_not_there_are_kept_for_the_crawl_after_the_next(
    first: Crawl, web: Web, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    """The crawl between has no forum; a part that it finds anew must not get the forum's ids."""
    forum = {id_ for target, id_ in templates(first).items() if target.startswith("/forum/")}
    part = tmp_path / "part"
    crawl_site(web.url, part, f"TPLCRAWL_MODEL={first.folder}", deny="/forum/")
    last = crawl_site(web.url, tmp_path / "last", f"TPLCRAWL_MODEL={part}")
    assert templates(last) == templates(first)
    assert forum & set(templates(last).values())


def test_new_templates_get_new_ids(
    first: Crawl, web: Web, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    crawl_site(web.url, tmp_path / "shop", deny="/(blog|forum)/")
    shop = read_model(tmp_path / "shop")
    known = {row[1].removeprefix(web.url.rstrip("/")): f"t{row[0]}" for row in shop.rows}
    second = crawl_site(web.url, tmp_path / "second", f"TPLCRAWL_MODEL={tmp_path / 'shop'}")
    found = templates(second)
    moved = [target for target, id_ in known.items() if found[target] != id_]
    assert len(moved) <= len(known) // 10
    posts = {id_ for target, id_ in found.items() if target.startswith("/forum/thread/")}
    assert posts
    assert all(id_ is None or int(id_[1:]) > shop.last for id_ in posts)


def test_a_crawl_goes_on_with_the_model_that_it_began_with(
    first: Crawl, file: Path, web: Web, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    model = tmp_path / "model.json"
    model.write_bytes(file.read_bytes())
    folder = tmp_path / "crawl"
    crawl_site(web.url, folder, f"TPLCRAWL_MODEL={model}", max_pages=10)
    model.unlink()
    assert templates(crawl_site(web.url, folder)) == templates(first)


def test_a_model_comes_too_late_for_a_crawl_that_has_begun(
    file: Path, web: Web, crawl_site: SiteCrawler, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    crawl_site(web.url, folder, max_pages=3)
    told = crawl_site(web.url, folder, f"TPLCRAWL_MODEL={file}", code=1, load=False).err
    assert told == f"tplcrawl: the crawl in {folder} has begun without TPLCRAWL_MODEL\n"


def test_a_model_is_the_same_again(first: Crawl, file: Path) -> None:
    text = file.read_text()
    assert SavedModel.decode(text).encode() + "\n" == text
    assert read_model(first.folder).encode() + "\n" == text
    with Store(first.folder, write=False) as store:
        assert saved_in(store) is None


WRONG = [
    b"",
    b"no JSON",
    b"\xff\xfe",
    b"[" * 100_000,
    b"[1]",
    b'{"format": "something else"}',
    b'{"format": "tplcrawl model", "version": 99}',
    b'{"format": "tplcrawl model", "version": 1}',
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_something_else_is_told_in_one_line(number: int, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(WRONG[number])
    with pytest.raises(InputError, match=r"^cannot read the model .*model\.json: [^\n]+$"):
        read_model(path)


DAMAGE = [
    (0, 0), (0, 10**6), (0, "t1"), (1, None), (2, -1), (2, 10**6), (2, "/html"), (3, 7), (4, -1),
    (4, "t1"), (5, "?"), (5, None), (5, "AAAA"), (6, ""), (6, "AAAA"), (6, 5), (7, [[0]]),
    (7, [[10**6, 0, 1]]), (7, 3),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), DAMAGE)
def test_damage_is_found_before_anything_is_fetched(
    file: Path, tmp_path: Path, field: int, value: object
) -> None:
    model = json.loads(file.read_text())
    page = next(page for page in model["pages"] if None not in page and page[7])
    page[field] = value
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model))
    with pytest.raises(InputError, match="it is damaged"):
        read_model(path)
