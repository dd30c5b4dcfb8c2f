"""``scrapy crawl`` as it is run in this project and outside of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Launcher, MakePage, ReadCrawl, Serve

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("project", ["default", "polite", "fast"])
def test_a_settings_folder_is_gentle_safe_or_fast(run_scrapy: Launcher, project: str) -> None:
    env = {"SCRAPY_PROJECT": project, "SCRAPY_SETTINGS_MODULE": ""}
    found = {}
    for name in ("ROBOTSTXT_OBEY", "TELNETCONSOLE_ENABLED", "DOWNLOAD_DELAY"):
        done = run_scrapy("settings", "--get", name, cwd=ROOT, env=env)
        assert done.returncode == 0, done.stderr
        found[name] = json.loads(done.stdout.strip().lower())
    assert found["ROBOTSTXT_OBEY"] is True
    assert found["TELNETCONSOLE_ENABLED"] is False
    assert (found["DOWNLOAD_DELAY"] > 0) == (project != "fast")


@pytest.mark.parametrize("project", ["default", "fast"])
def test_a_crawl_through_the_settings_folder(
    run_scrapy: Launcher,
    serve: Serve,
    make_html: MakePage,
    read_crawl: ReadCrawl,
    tmp_path: Path,
    project: str,
) -> None:
    page = make_html(*(f"/{number}" for number in range(30)))
    env = {"SCRAPY_PROJECT": project, "SCRAPY_SETTINGS_MODULE": ""}
    with serve(lambda target: page) as web:
        done = run_scrapy("crawl", "site", "-a", f"url={web.url}", "-s",
                          f"TPLCRAWL_DIR={tmp_path}/crawl", cwd=ROOT, env=env)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert len(read_crawl(tmp_path / "crawl").pages) == 31


def test_without_a_directory_a_crawl_is_kept_under_its_host(
    run_scrapy: Launcher, serve: Serve, make_html: MakePage, read_crawl: ReadCrawl, tmp_path: Path
) -> None:
    with serve({"/": make_html("/a"), "/a": make_html("/")}) as web:
        done = run_scrapy("crawl", "site", "-a", f"url=127.0.0.1:{web.port}", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    name = f"127.0.0.1_{web.port}"
    assert read_crawl(tmp_path / "crawls" / name).targets == ["/", "/a"]
    assert f"crawls/{name}/report.html" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["crawls"]


def test_files_and_other_schemes_are_never_fetched(
    run_scrapy: Launcher, serve: Serve, make_html: MakePage, read_crawl: ReadCrawl, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.html"
    secret.write_text("<title>secret</title>")
    table = {"/": make_html(f"file://{secret}", "data:text/html,secret", "ftp://127.0.0.1/secret")}
    with serve(table) as web:
        words = ("crawl", "site", "-a", f"url={web.url}", "-s", f"TPLCRAWL_DIR={tmp_path}/crawl")
        done = run_scrapy(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    crawl = read_crawl(tmp_path / "crawl")
    assert crawl.targets == ["/"]
    assert crawl.reasons == {}


def test_the_help_tells_of_the_site_spider(run_scrapy: Launcher, tmp_path: Path) -> None:
    done = run_scrapy("crawl", "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert "scrapy crawl site -a url=" in " ".join(done.stdout.split())


def test_pages_of_one_site_can_be_crawled_by_every_method(
    run_scrapy: Launcher, serve: Serve, make_html: MakePage, read_crawl: ReadCrawl, tmp_path: Path
) -> None:
    lists = {f"/l{n}": make_html(*(f"/i{n}{m}" for m in range(9))) for n in range(6)}
    items = {f"/i{n}{m}": make_html("/", body="<table><tr><td>x</table>")
             for n in range(6) for m in range(9)}  # fmt: skip
    table = {"/": make_html(*lists), **lists, **items}
    with serve(table) as web:
        for method in ("hybrid", "uxclust"):
            folder = tmp_path / method
            words = ["crawl", "site", "-a", f"url={web.url}", "-s", f"TPLCRAWL_DIR={folder}"]
            done = run_scrapy(*words, "-s", f"TPLCRAWL_METHOD={method}", "-s",
                              "TPLCRAWL_LOCATION=general")  # fmt: skip
            assert (done.returncode, done.stderr) == (0, "")
            crawl = read_crawl(folder)
            assert crawl.json("templates.json")["method"] == method
            kinds = {page["template"] for page in crawl.pages if "/i" in page["url"]}
            assert len(kinds) == 1
            assert None not in kinds
