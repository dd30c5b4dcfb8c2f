"""The engine of many machines: the same answers as the local one, whatever dies."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tplcrawl.commands import main
from tplcrawl.evaluation.sample.site import SampleSite, Sizes
from tplcrawl.fingerprints.lzw import Fingerprint

if TYPE_CHECKING:
    from tests.batch.conftest import Archive

pytest.importorskip("pyspark", reason="needs the extra spark")

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java")

SITE = SampleSite(Sizes(categories=2, products=24, posts=12, threads=8, boards=2, users=6, tags=2))
ARCHIVES = 6
SETTINGS = """
spark.ui.enabled false
spark.sql.shuffle.partitions 2
spark.default.parallelism 2
spark.driver.memory 512m
spark.executor.memory 512m
spark.driver.host 127.0.0.1
spark.driver.extraJavaOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData
spark.executor.extraJavaOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData
spark.sql.codegen.wholeStage false
spark.sql.codegen.factoryMode NO_CODEGEN
"""
"""Most of what small jobs cost is compiling, which is not worth its while for them."""
LZW = ("--across-hosts", "--method", "lzw", "--save-html", "all")
LOCAL = ("--engine", "spark", "--master", "local[2]")
HYBRID = ("--across-hosts", "--set", "learn=30")

Here = Callable[..., dict[str, bytes]]
Capture = pytest.CaptureFixture[str]
T = TypeVar("T")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Spark as it is set up here: small, and on loopback alone."""
    folder = tmp_path_factory.mktemp("spark")
    (folder / "spark-defaults.conf").write_text(SETTINGS)
    given = {
        "SPARK_CONF_DIR": str(folder),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder / "scratch"),
    }
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    yield given
    for name, value in before.items():
        os.environ.pop(name)
        if value is not None:
            os.environ[name] = value
    from pyspark import SparkContext

    if SparkContext._gateway is not None:
        gateway, SparkContext._gateway, SparkContext._jvm = SparkContext._gateway, None, None
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait(60)


@pytest.fixture(scope="module")
def inputs(archive: Callable[..., Archive], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The sample site under two hosts, its pages dealt out to archives, some of them twice: what
    pages are linked from stands in other archives, and so do links to another spelling."""
    folder = tmp_path_factory.mktemp("archives")
    made = [archive(folder / f"{n}.warc.gz") for n in range(ARCHIVES)]
    for number, target in enumerate(SITE.pages):
        html = (SITE.html(target) or "").replace(
            "</body>", '<a href="http://b.com/x?b=1&a=2">b</a></body>'
        )
        made[number * 7 % ARCHIVES].add(f"http://a.com{target}", html.encode(), None)
        if number % 9 == 0:
            made[(number * 7 + 1) % ARCHIVES].add(f"http://a.com{target}", html.encode(), None)
    made[2].add("http://b.com/x?a=2&b=1", (SITE.html("/") or "").encode(), None)
    return [one.write() for one in made]


@pytest.fixture(scope="module")
def here(inputs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Here:
    """What the local engine makes of the inputs."""
    known: dict[tuple[str, ...], dict[str, bytes]] = {}

    def cluster(*words: str) -> dict[str, bytes]:
        if words not in known:
            folder = tmp_path_factory.mktemp("here") / "out"
            assert main(["cluster", *map(str, inputs), "-o", str(folder), *words]) == 0
            known[words] = files(folder)
        return known[words]

    return cluster


def files(folder: Path) -> dict[str, bytes]:
    """All files of a result but the database, which also tells what was done when."""
    found = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    del found["crawl.db"]
    return found


@needs_java
@pytest.mark.parametrize(
    "words",
    [
        HYBRID,
        (
            "--across-hosts",
            "--method",
            "uxclust",
            "--set",
            "cutoff=2",
            "--positional",
            "--save-html",
            "samples",
        ),
    ],
    ids=["hybrid", "uxclust"],
)
@pytest.mark.usefixtures("environment")
def test_two_cores_find_what_the_local_engine_finds(
    words: tuple[str, ...], inputs: list[Path], here: Here, tmp_path: Path
) -> None:
    listed = tmp_path / "paths.txt"
    listed.write_text("\n".join([inputs[0].as_uri(), *map(str, inputs[1:])]))
    assert main(["cluster", str(listed), "-o", str(tmp_path / "out"), *words, *LOCAL]) == 0
    assert files(tmp_path / "out") == here(*words)
    assert {path.name for path in tmp_path.iterdir()} == {"out", "paths.txt"}


@needs_java
@pytest.mark.usefixtures("environment")
def test_components_are_those_of_the_graph() -> None:
    """Chains, stars, cycles and single edges, in an order that tells nothing."""
    chain = [(n, n + 1) for n in range(12)]
    star = [(100, n) for n in range(101, 120)]
    ring = [(200 + n, 200 + (n + 1) % 9) for n in range(9)]
    edges = [*chain, *star, *ring, (300, 301), (5, 5), (400, 400)]
    names = {
        node: number * 37 % 997 for number, node in enumerate(sorted({n for e in edges for n in e}))
    }
    graph = nx.Graph((names[a], names[b]) for a, b in edges)
    from tplcrawl.batch.spark.components import components
    from tplcrawl.batch.spark.session import session
    from tplcrawl.batch.spark.tables import Tables, ranked

    with session("local[2]") as spark, TemporaryDirectory() as folder:
        Tables(spark, Path(folder))
        found = components(spark.createDataFrame(list(graph.edges), "a int, b int")).collect()
        known = {row["node"]: row["component"] for row in found}
        for nodes in nx.connected_components(graph):
            assert {known.get(node, node) for node in nodes} == {min(nodes)}
        assert all(node != component for node, component in known.items())
        numbers = [7, 1 << 20, 3, 70_000, 65_536, 65_535]
        ranks = ranked(spark.createDataFrame([(n,) for n in numbers], "n int"), "rank", "n")
        assert dict(map(tuple, ranks.select("n", "rank").collect())) == {
            n: rank for rank, n in enumerate(sorted(numbers))
        }


Cluster = tuple[str, list["subprocess.Popen[bytes]"]]


@pytest.fixture
def cluster(environment: dict[str, str], tmp_path: Path) -> Iterator[Cluster]:
    """A master and two workers on loopback: its URL, and the workers' processes."""
    import pyspark

    launcher = Path(pyspark.__file__).parent / "bin" / "spark-class"
    log = tmp_path / "master.log"

    def start(kind: str, *words: str) -> subprocess.Popen[bytes]:
        with (tmp_path / f"{kind.lower()}.log").open("ab") as out:
            return subprocess.Popen(
                [launcher, f"org.apache.spark.deploy.{kind.lower()}.{kind}",
                 "--host", "127.0.0.1", "--port", "0", "--webui-port", "0", *words],
                env={**os.environ, **environment, "SPARK_DAEMON_MEMORY": "128m",
                     "SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"},
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
            )  # fmt: skip

    with ExitStack() as ends:
        ends.callback(end, start("Master"))
        url = awaited(lambda: re.search(r"spark://127\.0\.0\.1:\d+", log.read_text()))[0]
        workers = []
        for number in range(2):
            folder = str(tmp_path / f"work-{number}")
            words = ("--cores", "1", "--memory", "600m", "--work-dir", folder, url)
            workers.append(start("Worker", *words))
            ends.callback(end, workers[-1])
        awaited(lambda: log.read_text().count("Registering worker") == 2)
        yield url, workers


def awaited(look: Callable[[], T]) -> T:
    """What *look* sees as soon as it sees something."""
    until = time.monotonic() + 240
    while not (seen := look()):
        assert time.monotonic() < until
        time.sleep(0.05)
    return seen


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@needs_java
def test_a_cluster_that_loses_a_worker_finds_what_the_local_engine_finds(
    cluster: Cluster, inputs: list[Path], here: Here, tmp_path: Path
) -> None:
    """One of two workers is killed, with all that it has begun, while pages are read."""
    url, workers = cluster
    out = tmp_path / "out"
    words = [*LZW, "--engine", "spark", "--master", url]
    killed: list[bool] = []

    def kill() -> None:
        awaited(lambda: list(out.glob(".part-*/parts/*")))
        killed.append(not list(out.glob(".part-*/engine/profiles/_SUCCESS")))
        end(workers[0])

    killer = Thread(target=kill)
    killer.start()
    assert main(["cluster", *map(str, inputs), "-o", str(out), *words]) == 0
    killer.join()
    assert killed == [True]
    assert files(out) == here(*LZW)


@needs_java
@pytest.mark.usefixtures("environment")
def test_what_fails_on_the_engine_is_told_as_it_is_elsewhere(
    tmp_path: Path, capsys: Capture
) -> None:
    broken = tmp_path / "broken.warc.gz"
    broken.write_bytes(b"no archive")
    words = ["cluster", str(broken), "-o", str(tmp_path / "out")]
    assert main(words) == 1
    told = capsys.readouterr().err
    assert main([*words, *LOCAL]) == 1
    assert capsys.readouterr().err.endswith(told)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--engine", "spark", "--method", "style"], "style does not run on Spark: hybrid"),
        (["--engine", "spark", "--jobs", "2"], "--jobs is for the local engine"),
        (["--master", "local[2]"], "--master needs --engine spark"),
    ],
)
def test_what_the_engine_does_not_do_is_told(
    words: list[str], told: str, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["cluster", str(tmp_path), "-o", "out", *words]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.usefixtures("environment")
def test_nothing_to_read_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Catches a division by the number of its parts."""
    (tmp_path / "empty").mkdir()
    words = ["cluster", str(tmp_path / "empty"), "-o", str(tmp_path / "out")]
    assert main([*words, *LOCAL]) == 1
    assert f"no page of HTML in {tmp_path / 'empty'}" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_it_is_a_program_for_spark_submit(tmp_path: Path) -> None:
    module = [sys.executable, "-m", "tplcrawl.commands.submit"]
    pages = tmp_path / "pages"
    pages.mkdir()
    done = subprocess.run(
        [*module, str(pages), "-o", str(tmp_path / "out"), "--method", "style"],
        capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "style does not run on Spark" in done.stderr


ENTRIES = st.binary(max_size=5).map(lambda b: bytes(n % 3 for n in b))


@given(ENTRIES, ENTRIES)
def test_fingerprints_share_a_key_if_one_edit_makes_one_of_the_other(
    one: Fingerprint, other: Fingerprint
) -> None:
    from tplcrawl.batch.spark.fingerprints import one_edit_keys

    shared = set(one_edit_keys(one)) & set(one_edit_keys(other))
    assert bool(shared) == (Levenshtein.distance(one, other) <= 1)
