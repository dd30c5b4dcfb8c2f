"""The pages of an input and the links between them, recovered from the input itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
from pyspark import Broadcast
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from tplcrawl.batch.spark.numbers import LocationIds, linked, location_ids, numbered, renumbered
from tplcrawl.batch.spark.tables import Tables, ranked
from tplcrawl.clustering.pages import Stands
from tplcrawl.shelf import SOURCES, Spots
from tplcrawl.store.sightings import SightingTable

_LINKS = "target int, location int, source int, place int, positions string"


@dataclass(frozen=True, slots=True)
class PageTable:
    """All pages, each once, under the ids that the local engine gives them."""

    tables: Tables
    rows: DataFrame
    """``id, part, url, draw, mark, features``, the ``locations`` that lead to the page, and its
    ``stratum``: where it was first linked from, ``null`` for nowhere."""
    count: int
    profiles: DataFrame
    numbers: DataFrame

    @classmethod
    def of(cls, tables: Tables, profiles: DataFrame, *, positional: bool) -> PageTable:
        numbers = numbered(tables, profiles)
        rows = tables.kept("pages", lambda: _rows(profiles, numbers, positional=positional))
        return cls(tables, rows, rows.count(), profiles, numbers)

    @property
    def any_inbound(self) -> bool:
        """Whether any page was found by a link."""
        return not self.rows.where("stratum is not null").isEmpty()

    def spread(self, most: int) -> list[int]:
        """The ids of at most *most* pages, evenly spread over their order."""
        count = self.count
        wanted = list(range(count)) if count <= most else [i * count // most for i in range(most)]
        places = ranked(self.rows.select("id"), "place", "id")
        return sorted(row[0] for row in places.where(F.col("place").isin(wanted)).collect())

    def stands(self, ids: Sequence[int]) -> Stands:
        """Where links to each of *ids* stand on some of the pages."""
        spark = self.tables.spark
        sources = frozenset(self.spread(SOURCES))
        parts = self.rows.where(F.col("id").isin(list(sources))).select("part").distinct()
        told = linked(self.profiles, self.numbers).join(parts, "part")
        known = spark.sparkContext.broadcast(location_ids(self.profiles))
        links = told.mapInArrow(partial(_chosen, sources, known), "id int, sightings binary")
        shown = sorted((row["id"], bytes(row["sightings"])) for row in links.collect())
        return Spots.of((id_, SightingTable.decode(blob)) for id_, blob in shown).leading_to(ids)


def _rows(profiles: DataFrame, numbers: DataFrame, *, positional: bool) -> DataFrame:
    known = profiles.sparkSession.sparkContext.broadcast(location_ids(profiles))
    links = linked(profiles, numbers).mapInArrow(partial(_links, known), _LINKS)
    inbound = links.groupBy("target").agg(
        F.sort_array(F.collect_set("location")).alias("locations"),
        F.min(F.struct("source", "place", "location", "positions")).alias("first"),
    )
    shown = F.expr(
        "filter(transform(pages, one -> struct(element_at(ids, one.number) as id, one.url,"
        " one.draw, one.mark, one.features)), one -> array_contains(own, one.id))"
    )
    pages = profiles.join(numbers, "part").select("part", F.explode(shown).alias("one"))
    stratum = F.concat_ws(" ", *(["first.location"] + ["first.positions"] * positional))
    return (
        pages.select("part", "one.*")
        .join(inbound, F.col("id") == F.col("target"), "left")
        .withColumn("stratum", F.when(F.col("first").isNotNull(), stratum))
        .drop("target", "first")
    )


def _links(
    known: Broadcast[LocationIds], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Of each part, the first link to every URL from each location."""
    for batch in batches:
        for pages in renumbered(batch, known):
            if not pages:
                continue
            links = SightingTable.joined([table for _, table in pages])
            sources = np.repeat([id_ for id_, _ in pages], [len(table) for _, table in pages])
            others = np.flatnonzero(links.targets != sources)
            pairs = links.targets[others].astype(np.int64) << 32 | links.locations[others]
            first = others[np.unique(pairs, return_index=True)[1]]
            positions = links.positions
            yield pa.record_batch(
                {
                    "target": links.targets[first].astype(np.int32),
                    "location": links.locations[first].astype(np.int32),
                    "source": sources[first].astype(np.int32),
                    "place": first.astype(np.int32),
                    "positions": [".".join(map(str, positions[row])) for row in first.tolist()],
                }
            )


def _chosen(
    sources: frozenset[int],
    known: Broadcast[LocationIds],
    batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """The links of some pages."""
    schema = pa.schema({"id": pa.int32(), "sightings": pa.binary()})
    for batch in batches:
        for pages in renumbered(batch, known):
            rows = [(id_, table.encode()) for id_, table in pages if id_ in sources]
            columns = [[id_ for id_, _ in rows], [blob for _, blob in rows]]
            yield pa.record_batch(columns, schema=schema)
