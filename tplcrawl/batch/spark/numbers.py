"""Numbers of URLs and locations, given as a store gives them that absorbs part after part."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from pyspark import Broadcast
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from tplcrawl.batch.spark.tables import Tables, ranked
from tplcrawl.store.locations import MOST, OTHER
from tplcrawl.store.sightings import SightingTable

LocationIds = dict[str, int]


def numbered(tables: Tables, profiles: DataFrame) -> DataFrame:
    """For each part, the ids of its URLs in its own order of discovery, and which of its pages are
    the first of their URL: a row ``part, ids, own``."""
    urls = profiles.select("part", F.posexplode("keys").alias("place", "key"))
    first = F.min(F.struct("part", "place")).alias("first")
    fresh = urls.groupBy("key").agg(first).select("key", "first.part", "first.place")
    ids = tables.kept("urls", lambda: ranked(fresh, "id", "place", "part").select("key", "id"))
    columns = F.sort_array(F.collect_list(F.struct("place", (F.col("id") + 1).alias("id"))))
    numbers = urls.join(ids, "key").groupBy("part").agg(columns.id.alias("ids"))
    shown = F.expr("transform(pages, one -> element_at(ids, one.number))")
    pages = profiles.join(numbers, "part").select("part", F.explode(shown).alias("id"))
    firsts = pages.groupBy("id").agg(F.min("part").alias("part"))
    own = firsts.groupBy("part").agg(F.collect_list("id").alias("own"))
    return tables.kept("numbers", lambda: numbers.join(own, "part"), wide=True)


def location_ids(profiles: DataFrame) -> LocationIds:
    """The number of every location. There are at most :data:`~tplcrawl.store.locations.MOST`."""
    paths = profiles.select("part", F.posexplode("locations").alias("place", "location"))
    first = F.min(F.struct("part", "place")).alias("first")
    rows = paths.groupBy("location.path").agg(first).orderBy("first").limit(MOST).collect()
    return {row[0]: number for number, row in enumerate(rows, 1)}


def renumbered(
    batch: pa.RecordBatch, locations: Broadcast[LocationIds]
) -> Iterator[list[tuple[int, SightingTable]]]:
    """The pages of each part that are the first of their URL, in order of discovery, with their
    links by the ids of :func:`numbered` and :func:`location_ids`."""
    other = locations.value.get(OTHER, MOST + 1)
    for row in batch.to_pylist():
        ids = np.array([0, *row["ids"]], np.uint32)
        own = set(row["own"])
        places = np.zeros(max((one["id"] for one in row["locations"]), default=0) + 1, np.uint32)
        for one in row["locations"]:
            places[one["id"]] = locations.value.get(one["path"], other)
        pages = [(int(ids[page["number"]]), page["sightings"]) for page in row["pages"]]
        yield [
            (id_, SightingTable.decode(blob).renumbered(ids, places))
            for id_, blob in sorted(pages)
            if id_ in own
        ]


def linked(profiles: DataFrame, numbers: DataFrame) -> DataFrame:
    """What :func:`renumbered` needs of each part, and nothing more."""
    shown = F.expr("transform(pages, one -> struct(one.number, one.sightings))")
    return profiles.select("part", "locations", shown.alias("pages")).join(numbers, "part")
