"""A crawl that is killed at chosen points and at random ones. All of them: ``make long``."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.crawl.kills import SITE, answer, assert_equal, stored_ids, stored_items, stored_sightings

if TYPE_CHECKING:
    from tests.conftest import Crawl, Launcher, ReadCrawl, Serve, SiteCrawler, Web

End = Callable[..., subprocess.CompletedProcess[str]]
WAREHOUSE = Path(__file__).parents[1] / "projects" / "warehouse"
STUCK = 300
SOME = (
    "tplcrawl.store.pages:Pages.add_items:before:9",
    "tplcrawl.store.pages:Pages.set_aliases:before:2",
    "pathlib:Path.replace:before:7",
)
"""Inside of a page's transaction, of a re-clustering, and while files are replaced."""
ALL = (
    # between the fetch of a page and its transaction, and inside of that
    "tplcrawl.recording:Recording.arrive:after:2",
    "tplcrawl.recording:Recording.write:before:41",
    "tplcrawl.store.urls:Urls.discover:after:20",
    "tplcrawl.store.pages:Pages.assign:before:33",
    "tplcrawl.store.urls:Urls.settle:after:30",
    # around commits
    "tplcrawl.store.database:Database.commit:before:2",
    "tplcrawl.store.database:Database.commit:after:2",
    "tplcrawl.store.database:Database.commit:after:1",
    # in a re-clustering
    "tplcrawl.clustering.model:Model.round:before:1",
    "tplcrawl.clustering.model:Model.round:after:1",
    "tplcrawl.store.pages:Pages.assign_many:after:2",
    "tplcrawl.recording:Recording.round:after:2",
    # while files are replaced
    "pathlib:Path.replace:before:1",
    "pathlib:Path.replace:after:3",
    "pathlib:Path.replace:after:20",
    "tplcrawl.crawl.outputs:write_streams:before:1",
    # at close
    "tplcrawl.crawl.session:finish:before:1",
    "tplcrawl.crawl.session:finish:after:1",
    "tplcrawl.store.database:Database.close:before:1",
    "tplcrawl.store.database:Database.close:after:1",
)


@pytest.fixture(scope="module")
def web(serve: Serve) -> Iterator[Web]:
    with serve(answer) as server:
        yield server


@pytest.fixture(scope="module")
def whole(web: Web, crawl_site: SiteCrawler, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """A crawl that nothing has happened to."""
    return crawl_site(web.url, tmp_path_factory.mktemp("whole") / "crawl")


def check_remains(folder: Path, whole: Crawl) -> None:
    """What a death has left is sound: every id, link and item as in the crawl that was left alone,
    and none twice."""
    if (folder / "crawl.db").is_file() and (folder / "crawl.db").stat().st_size:
        sightings, ids = stored_sightings(whole.folder), stored_ids(whole.folder)
        assert stored_ids(folder).items() <= ids.items()
        assert set(stored_items(folder).values()) <= {1}
        assert stored_sightings(folder).items() <= sightings.items()


def check_end(found: Crawl, whole: Crawl) -> None:
    """The end is that of the crawl that was left alone, in every byte that matters."""
    assert_equal(found, whole)
    assert stored_ids(found.folder) == stored_ids(whole.folder)
    assert stored_sightings(found.folder) == stored_sightings(whole.folder)


@pytest.mark.parametrize(
    "point", [*SOME, *(pytest.param(point, marks=pytest.mark.long) for point in ALL)]
)
def test_death_at_a_chosen_point(
    whole: Crawl, web: Web, crawl_site: SiteCrawler, tmp_path: Path, point: str
) -> None:
    folder, env = tmp_path / "crawl", {"PYTHONPATH": str(WAREHOUSE)}
    deadly = ('EXTENSIONS={"warehouse.kills.Kill": 1}', f"KILL_AT={point}")
    crawl_site(web.url, folder, *deadly, env=env, code=-signal.SIGKILL, timeout=STUCK, load=False)
    check_remains(folder, whole)
    check_end(crawl_site(web.url, folder, timeout=STUCK), whole)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_death_at_random_moments_again_and_again(
    whole: Crawl, web: Web, crawl_site: SiteCrawler, end: End, tmp_path: Path, seed: int
) -> None:
    """Seven deaths a crawl; one of five crawls has a JOBDIR too."""
    chance, folder = random.Random(seed), tmp_path / "crawl"
    settings = [f"JOBDIR={tmp_path / 'job'}"] if seed == 0 else []
    deaths = 0
    while deaths < 7:
        web.forget()
        with crawl_site.start(web.url, folder, *settings) as process:
            wanted = chance.randrange(1, 24)
            while len(web.asked) < wanted and process.poll() is None:
                time.sleep(0.002)
            time.sleep(chance.random() * 0.3)
            process.kill()
            code = end(process, STUCK).returncode
        check_remains(folder, whole)
        if code == 0:
            assert_equal(type(whole)(folder), whole)
            return
        deaths += 1
    check_end(crawl_site(web.url, folder, *settings, timeout=STUCK), whole)


@pytest.mark.long
@pytest.mark.parametrize("job", [(), ("JOBDIR=job",)], ids=["plain", "jobdir"])
def test_death_of_somebody_elses_spider(
    web: Web, run_scrapy: Launcher, end: End, read_crawl: ReadCrawl, tmp_path: Path,
    job: tuple[str, ...],
) -> None:  # fmt: skip
    """Scrapy's own queue may lose pages then; what was recorded is sound, and the next whole run
    adds the rest: each page once, with its items of that run."""
    project = tmp_path / "project"
    shutil.copytree(WAREHOUSE, project, ignore=shutil.ignore_patterns("__pycache__"))
    env = {"SCRAPY_SETTINGS_MODULE": "warehouse.settings"}
    words = ["crawl", "catalogue", "-a", f"url={web.url}", "-s"]
    chance = random.Random(1)
    whole = run_scrapy(*words, "TPLCRAWL_DIR=whole", cwd=project, env=env)
    assert whole.returncode == 0, whole.stderr
    settings = [word for setting in job for word in ("-s", setting)]
    for requests in (6, 25, 12, 30):
        web.forget()
        with run_scrapy.start(
            *words, "TPLCRAWL_DIR=crawl", *settings, cwd=project, env=env
        ) as process:
            while len(web.asked) < requests and process.poll() is None:
                time.sleep(0.002)
            time.sleep(chance.random() * 0.5)
            process.kill()
            end(process, STUCK)
        check_sound(project / "crawl", project / "whole")
    last = run_scrapy(*words, "TPLCRAWL_DIR=crawl", cwd=project, env=env)
    assert last.returncode == 0, last.stderr
    found, wanted = read_crawl(project / "crawl"), read_crawl(project / "whole")
    assert Counter(found.targets) == Counter(wanted.targets)
    assert bag(found) == bag(wanted)


def bag(crawl: Crawl) -> Counter[str]:
    """The items of all streams, but for their templates."""
    items = ({**item, "template": None} for item in crawl.items)
    return Counter(json.dumps(item, sort_keys=True) for item in items)


def check_sound(folder: Path, whole: Path) -> None:
    """No page twice, and none that the whole crawl has not."""
    if (folder / "crawl.db").is_file() and (folder / "crawl.db").stat().st_size:
        ids = stored_ids(folder)
        assert len(set(ids.values())) == len(ids)
        assert stored_sightings(folder).keys() <= set(ids.values())
        assert ids.keys() <= stored_ids(whole).keys()


@pytest.mark.parametrize("pause", [pytest.param(0.05, marks=pytest.mark.long), 0.5])
def test_two_interrupts_leave_a_crawl_that_can_go_on(
    whole: Crawl,
    web: Web,
    crawl_site: SiteCrawler,
    end: End,
    read_crawl: ReadCrawl,
    tmp_path: Path,
    pause: float,
) -> None:
    folder = tmp_path / "crawl"
    web.forget()
    with crawl_site.start(web.url, folder) as process:
        web.wait(len(SITE.pages) // 3)
        process.send_signal(signal.SIGINT)
        time.sleep(pause)
        process.send_signal(signal.SIGINT)
        end(process, STUCK)
    check_remains(folder, whole)
    check_end(crawl_site(web.url, folder, timeout=STUCK), whole)
