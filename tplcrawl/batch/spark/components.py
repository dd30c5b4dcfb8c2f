"""Connected components of a graph that no machine holds whole."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812


def components(edges: DataFrame) -> DataFrame:
    """The least node of the component of each node of *edges*, ``a`` and ``b``: a row
    ``node, component`` for all but the least ones themselves.

    Large star and small star in turn (Kiveris et al., Connected Components in MapReduce and Beyond,
    2014): every node's larger neighbours are linked to its least one, then its smaller ones, until
    each component is one star. O(log² n) rounds, each a few shuffles of the edges; every round is
    checkpointed, so that plans stay short and a lost machine costs one round.
    """
    small = edges.select(F.greatest("a", "b").alias("a"), F.least("a", "b").alias("b"))
    small = small.where("a != b").distinct().checkpoint()
    before = None
    while (now := _print(small)) != before:
        before = now
        small = _small_star(_large_star(small)).checkpoint()
    return small.select(F.col("a").alias("node"), F.col("b").alias("component"))


def _large_star(edges: DataFrame) -> DataFrame:
    both = edges.union(edges.select("b", "a"))
    least = both.groupBy("a").agg(F.least("a", F.min("b")).alias("least"))
    return (
        both.where("b > a")
        .join(least, "a")
        .select(F.col("b").alias("a"), F.col("least").alias("b"))
        .distinct()
    )


def _small_star(edges: DataFrame) -> DataFrame:
    """*edges* lead from larger nodes to smaller ones."""
    least = edges.groupBy("a").agg(F.min("b").alias("least"))
    moved = edges.join(least, "a").select(F.col("b").alias("a"), F.col("least").alias("b"))
    return moved.where("a != b").union(least.select("a", F.col("least").alias("b"))).distinct()


def _print(edges: DataFrame) -> tuple[int, int]:
    """Differs for different sets of edges."""
    mixed = F.sum(F.xxhash64("a", "b").cast("decimal(38, 0)"))
    count, total = edges.agg(F.count("*"), mixed).first() or (0, 0)
    return int(count), int(total or 0)
