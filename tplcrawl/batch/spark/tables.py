"""Tables that a job keeps in its directory, and ranks that do not depend on partitions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812 (as everybody calls it)

_BUCKET = 1 << 16
_ROWS = 8
"""Rows of a row group: one may hold a whole part's pages."""


class Tables:
    """The tables of one job: Parquet files below *folder*, which all machines see."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark = spark
        self._root = f"file://{folder.resolve()}"
        self._folder = folder
        spark.sparkContext.setCheckpointDir(f"{self._root}/checkpoints")

    def kept(self, name: str, make: Callable[[], DataFrame], *, wide: bool = False) -> DataFrame:
        """The table called *name*: as it is there, or made first. *wide* ones have large rows."""
        path = f"{self._root}/{name}"
        if not (self._folder / name / "_SUCCESS").is_file():
            writer = make().write.mode("overwrite")
            if wide:
                writer = writer.option("parquet.block.row.count.limit", _ROWS)
            writer.parquet(path)
        return self.spark.read.parquet(path)


def ranked(frame: DataFrame, name: str, order: str, bucket: str | None = None) -> DataFrame:
    """*frame* with a column *name* that numbers its rows from 0 by the column *order*, within
    *bucket* after *bucket*, a column too; by default, buckets are ranges of *order*.

    Only a number for each bucket comes to the driver: what no other way of sorting all rows does
    without one task that sees them all.
    """
    own: Column = F.col(bucket) if bucket else F.floor(F.col(order) / _BUCKET).cast("int")
    within = frame.withColumn("_bucket", own)
    sizes = sorted((row[0], row[1]) for row in within.groupBy("_bucket").count().collect())
    starts = accumulate((size for _, size in sizes), initial=0)
    rows = [(one, start) for (one, _), start in zip(sizes, starts, strict=False)]
    if not rows:
        return frame.withColumn(name, F.lit(0))
    offsets = frame.sparkSession.createDataFrame(rows, "_bucket int, _start long")
    place = F.row_number().over(Window.partitionBy("_bucket").orderBy(order))
    return (
        within.join(F.broadcast(offsets), "_bucket")
        .withColumn(name, (F.col("_start") + place - 1).cast("int"))
        .drop("_bucket", "_start")
    )
