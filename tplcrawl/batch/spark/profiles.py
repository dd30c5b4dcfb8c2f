"""Inputs into profiles: one row for each part, made where the part is read."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession

from tplcrawl.batch.parts import Part, Survey, joined, survey
from tplcrawl.batch.workers import PARTS, profile_part
from tplcrawl.clustering.base import Method
from tplcrawl.clustering.lzw import LZW
from tplcrawl.clustering.md5 import MD5
from tplcrawl.clustering.sampling import draw
from tplcrawl.fingerprints.features import Features
from tplcrawl.store.database import FILE
from tplcrawl.store.store import Store

_TASKS = 10_000
_ROW = pa.schema(
    {
        "part": pa.int32(),
        "keys": pa.list_(pa.int64()),
        "locations": pa.list_(pa.struct({"id": pa.int32(), "path": pa.string()})),
        "pages": pa.list_(
            pa.struct(
                {
                    "number": pa.int32(),
                    "url": pa.string(),
                    "draw": pa.binary(),
                    "mark": pa.binary(),
                    "features": pa.binary(),
                    "sightings": pa.binary(),
                }
            )
        ),
    }
)
_COLUMNS = (
    "part int, keys array<bigint>, locations array<struct<id: int, path: string>>,"
    " pages array<struct<number: int, url: string, draw: binary, mark: binary,"
    " features: binary, sightings: binary>>"
)
"""A part's URLs by their keys, in its own order of discovery; its locations by its own numbers; its
pages by their place among the URLs."""


def survey_all(spark: SparkSession, inputs: Sequence[Path]) -> Survey:
    """What *inputs* hold, each looked through by a task of its own."""
    paths = spark.sparkContext.parallelize([str(path.resolve()) for path in inputs], len(inputs))
    return joined(pickle.loads(one) for one in paths.map(_surveyed).toLocalIterator())


def _surveyed(path: str) -> bytes:
    return pickle.dumps(survey([Path(path)]))


@dataclass(frozen=True, slots=True)
class Profiler:
    """What a task needs to know to profile parts."""

    folder: Path
    """Where the parts' stores go: all machines see it."""
    job: str
    origins: Sequence[str]
    method: Method
    save_html: bool

    def profiles(self, spark: SparkSession, parts: Sequence[Part]) -> DataFrame:
        """The table of profiles, in any order."""
        rows = [(number, pickle.dumps(part)) for number, part in enumerate(parts)]
        spread = spark.sparkContext.parallelize(rows, min(len(rows), _TASKS))
        frame = spark.createDataFrame(spread, "part int, told binary")
        return frame.mapInArrow(partial(_profiled, self), _COLUMNS)

    def row(self, number: int, part: Part) -> dict[str, Any]:
        """Profile one part, which leaves its store in the directory."""
        made = self.folder / PARTS / str(number)
        if not made.is_dir():
            task = TaskContext.get()
            # A task may run twice at once, where one is thought to be lost.
            own = made.with_name(f"{number}-{self.job}-{task.taskAttemptId() if task else 0}")
            own.parent.mkdir(parents=True, exist_ok=True)
            profile_part(own, part, self.origins, save_html=self.save_html)
            try:
                own.replace(made)
            except OSError:
                shutil.rmtree(own)
        if not (made / FILE).is_file():
            return {"part": number, "keys": [], "locations": [], "pages": []}
        with Store(made, write=False) as store:
            return {"part": number, **_facts(store, self.method)}


def _profiled(profiler: Profiler, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for told in batch.to_pylist():
            row = profiler.row(told["part"], pickle.loads(told["told"]))
            yield pa.RecordBatch.from_pylist([row], _ROW)


def _facts(store: Store, method: Method) -> dict[str, Any]:
    urls = dict(store.urls.all())
    sightings = {docid: table.encode() for docid, table in store.pages.sightings()}
    return {
        "keys": list(store.urls.keys()),
        # In the order in which a store that absorbs this one numbers them.
        "locations": [{"id": id_, "path": path} for id_, path in store.locations.paths().items()],
        "pages": [
            {
                "number": docid,
                "url": urls[docid],
                "draw": draw(urls[docid]),
                "mark": _mark(store, method, docid),
                "features": store.pages.features(docid),
                "sightings": sightings[docid],
            }
            for docid in store.pages.docids()
        ],
    }


def _mark(store: Store, method: Method, docid: int) -> bytes | None:
    """What alone decides of a page's template, for methods where something does."""
    if isinstance(method, MD5):
        return method.digest(store.pages.outline(docid))
    if isinstance(method, LZW):
        return Features.decode(store.pages.features(docid)).lzw
    return None
