"""``uxclust`` on Spark: pages grouped by their first location, groups merged by common paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812

from tplcrawl.batch.spark.components import components
from tplcrawl.batch.spark.pages import PageTable
from tplcrawl.clustering.groups import effective_cutoff
from tplcrawl.clustering.uxclust import LINKED, UNGROUPED, UXClust
from tplcrawl.fingerprints.features import Features

_PATHS = pa.schema({"node": pa.int32(), "size": pa.int32(), "path": pa.int64()})


def group_clusters(method: UXClust, pages: PageTable) -> DataFrame:
    """The pages of groups whose fingerprints chains of similarity connect. A group goes by its
    first page."""
    cutoff = effective_cutoff(method.cutoff, pages.count)
    rows = pages.rows.where("stratum is not null").select("id", "stratum")
    sizes = rows.groupBy("stratum").agg(F.count("*").alias("size"), F.min("id").alias("node"))
    groups = pages.tables.kept("groups", lambda: sizes.where(F.col("size") >= cutoff))
    members = rows.join(groups, "stratum")
    prints = pages.tables.kept("prints", lambda: _prints(method, pages, members))
    cluster = F.coalesce("component", "node").alias("cluster")
    merged = components(_alike(prints, method.similarity))
    named = groups.join(merged, "node", "left").select("stratum", cluster)
    known = F.col("cluster").isNotNull()
    return pages.rows.join(named, "stratum", "left").select(
        "id",
        "cluster",
        F.when(known, 1.0).otherwise(UNGROUPED.confidence).alias("confidence"),
        F.when(known, LINKED).otherwise(UNGROUPED.reason).alias("reason"),
    )


def _prints(method: UXClust, pages: PageTable, members: DataFrame) -> DataFrame:
    """The tag paths that occur on enough of a sample of each group's pages: ``node, path``."""
    order = F.row_number().over(Window.partitionBy("node").orderBy("id")) - 1
    most = method.samples
    spread = F.expr(f"transform(sequence(0, {most - 1}), i -> i * size div {most})")
    chosen = members.withColumn("place", order.cast("bigint")).where(
        (F.col("size") <= most) | F.array_contains(spread, F.col("place"))
    )
    sample = chosen.select("id", "node", F.least("size", F.lit(most)).cast("int").alias("size"))
    shown = pages.rows.select("id", "features").join(sample, "id")
    paths = shown.mapInArrow(_paths, "node int, size int, path bigint")
    counts = paths.groupBy("node", "size", "path").count()
    enough = F.col("count") >= F.lit(method.occurrence) * F.col("size") - 1e-6
    return counts.where(enough).select("node", "path")


def _paths(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for row in batch.to_pylist():
            paths = Features.decode(row["features"]).tag_paths.astype(np.int64)
            ends = [np.full(len(paths), row[name], np.int32) for name in ("node", "size")]
            yield pa.record_batch([*ends, paths], schema=_PATHS)


def _alike(prints: DataFrame, similarity: float) -> DataFrame:
    """The pairs of groups that share enough of their paths (paper 001, formula 3): ``a, b``.

    Sets that share n of their members share one of the first len - n + 1 in any one order: with the
    rarest paths first, few pairs are looked at in vain.
    """
    common = prints.groupBy("path").agg(F.count("*").alias("groups"))
    ordered = F.sort_array(F.collect_list(F.struct("groups", "path"))).path
    sets = prints.join(common, "path").groupBy("node").agg(ordered.alias("paths"))
    length = F.size("paths")
    needed = F.greatest(F.ceil(F.lit(similarity) * length - 1e-6).cast("int"), F.lit(1))
    first = F.slice("paths", F.lit(1), length - needed + 1)
    keys = sets.select("node", F.explode(first).alias("path"))
    left, right = keys.withColumnRenamed("node", "a"), keys.withColumnRenamed("node", "b")
    pairs = left.join(right, "path").where("a < b").select("a", "b").distinct()
    one = sets.select(F.col("node").alias("a"), F.col("paths").alias("a_paths"))
    two = sets.select(F.col("node").alias("b"), F.col("paths").alias("b_paths"))
    shared = F.size(F.array_intersect("a_paths", "b_paths"))
    longest = F.greatest(F.size("a_paths"), F.size("b_paths"))
    return (
        pairs.join(one, "a")
        .join(two, "b")
        .where(shared >= F.lit(similarity) * longest - 1e-6)
        .select("a", "b")
    )
