"""``hybrid`` on Spark: learnt from a bounded sample, in one place; assigned wherever pages are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

import numpy as np
import pyarrow as pa
from pyspark import Broadcast
from pyspark.sql import DataFrame, Row, Window
from pyspark.sql import functions as F  # noqa: N812

from tplcrawl.batch.spark.pages import PageTable
from tplcrawl.clustering.base import Arrival, Classifier
from tplcrawl.clustering.hybrid import Hybrid
from tplcrawl.clustering.inbound import Inbound
from tplcrawl.clustering.pages import Pages
from tplcrawl.clustering.representatives import Representatives
from tplcrawl.clustering.sampling import shares
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import NO_OUTLINE
from tplcrawl.records import Assignment

ASSIGNED = "id int, cluster int, confidence double, reason string"


Model = tuple[Classifier, dict[int, Assignment]]


def learnt(method: Hybrid, pages: PageTable) -> tuple[DataFrame, int]:
    """The clusters of all *pages*, and from how many of them they were learnt."""
    columns = ("id", "url", "stratum", "locations", "features")
    chosen = pages.rows.where(F.col("id").isin(_sample(pages, method.learn))).select(*columns)
    sample = sorted(chosen.collect(), key=lambda row: row["id"])
    found = method.cluster(_seen(sample, pages))
    ids = [row["id"] for row in sample]
    model: Model = found.classifier, dict(zip(ids, found.assignments, strict=True))
    spread = pages.tables.spark.sparkContext.broadcast(model)
    shown = pages.rows.select("id", "locations", "features")
    return shown.mapInArrow(partial(_assigned, spread), ASSIGNED), found.learned_from


def _sample(pages: PageTable, most: int) -> list[int]:
    """The pages that :func:`~tplcrawl.clustering.sampling.stratified` chooses. Only the sizes of
    the strata come here, and the ids that are chosen."""
    rows = pages.rows.select("id", "draw", F.coalesce("stratum", F.lit("")).alias("stratum"))
    if pages.count <= most:
        return [row[0] for row in rows.select("id").collect()]
    sizes = rows.groupBy("stratum").agg(F.count("*").alias("size"), F.min("id").alias("first"))
    order = sorted(sizes.collect(), key=lambda row: (row["size"], row["first"]))
    given = zip(order, shares((row["size"] for row in order), most), strict=True)
    quotas = [(row["stratum"], share) for row, share in given if share]
    share = F.broadcast(pages.tables.spark.createDataFrame(quotas, "stratum string, share int"))
    place = F.row_number().over(Window.partitionBy("stratum").orderBy("draw", "id"))
    drawn = rows.join(share, "stratum").withColumn("place", place).where("place <= share")
    return [row[0] for row in drawn.select("id").collect()]


def _seen(sample: list[Row], pages: PageTable) -> Pages:
    """The sample as the method sees it."""
    places = [row["locations"] or [] for row in sample]
    targets = np.repeat(np.arange(len(sample)), [len(one) for one in places])
    locations = np.array([location for one in places for location in one], np.int64)
    ids = [row["id"] for row in sample]
    return Pages(
        urls=[row["url"] for row in sample],
        features=[Features.decode(bytes(row["features"])) for row in sample],
        outlines=[NO_OUTLINE] * len(sample),
        inbound=Inbound(
            targets, locations, np.zeros(len(targets), bool), np.ones(len(targets), np.int64)
        ),
        first_locations=[row["stratum"] for row in sample],
        stands=lambda chosen: pages.stands([ids[one] for one in chosen]),
    )


def _assigned(
    model: Broadcast[Model], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """The assignments of pages, by a model that was learnt from some of them."""
    classifier, known = model.value
    assert isinstance(classifier, Representatives)
    for batch in batches:
        rows = batch.to_pylist()
        given = classifier.assign_all(map(_arrival, (r for r in rows if r["id"] not in known)))
        found = [known[row["id"]] if row["id"] in known else next(given) for row in rows]
        yield pa.record_batch(
            {
                "id": pa.array([row["id"] for row in rows], pa.int32()),
                "cluster": pa.array([one.template for one in found], pa.int32()),
                "confidence": pa.array([one.confidence for one in found], pa.float64()),
                "reason": pa.array([one.reason for one in found], pa.string()),
            }
        )


def _arrival(row: dict[str, object]) -> Arrival:
    locations = np.array(row["locations"] or (), np.uint32)
    return Arrival(Features.decode(row["features"]), NO_OUTLINE, None, locations)  # type: ignore[arg-type]
