"""``lzw`` on Spark: distinct fingerprints, candidate pairs by what is left without one entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812

from tplcrawl.batch.spark.components import components
from tplcrawl.batch.spark.pages import PageTable
from tplcrawl.clustering.lzw import LINKED
from tplcrawl.fingerprints.lzw import Fingerprint

_KEYS = pa.schema({"key": pa.binary(), "node": pa.int32()})


def fingerprint_clusters(pages: PageTable) -> DataFrame:
    """The pages whose fingerprints chains of single edits connect. A fingerprint goes by its first
    page."""
    prints = pages.rows.groupBy("mark").agg(F.min("id").alias("node"))
    keys = prints.mapInArrow(_keys, "key binary, node int")
    # All with one key are at distance one of each other: a star connects them.
    hub = F.min("node").over(Window.partitionBy("key"))
    edges = keys.select(F.col("node").alias("a"), hub.alias("b"))
    stars = components(edges)
    cluster = F.coalesce("component", "node").alias("cluster")
    named = prints.join(stars, "node", "left").select("mark", cluster)
    return pages.rows.join(named, "mark").select(
        "id", "cluster", F.lit(1.0).alias("confidence"), F.lit(LINKED).alias("reason")
    )


def _keys(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        rows = [
            (key, row["node"]) for row in batch.to_pylist() for key in one_edit_keys(row["mark"])
        ]
        columns = [[key for key, _ in rows], [node for _, node in rows]]
        yield pa.record_batch(columns, schema=_KEYS)


def one_edit_keys(fingerprint: Fingerprint) -> Iterator[bytes]:
    """Two different fingerprints share one of these if and only if one edit makes the other of one
    (see :mod:`~tplcrawl.clustering.lzw_links`): length and place of the entry that is left out, and
    what is left. A fingerprint is also what is left of any that is an entry longer.

    >>> set(one_edit_keys(b"abc")) & set(one_edit_keys(b"abd"))
    {b'\\x03\\x02ab'}
    >>> bool(set(one_edit_keys(b"abc")) & set(one_edit_keys(b"ac")))
    True
    >>> bool(set(one_edit_keys(b"abc")) & set(one_edit_keys(b"acb")))
    False
    """
    length = len(fingerprint)
    for place in range(length):
        yield bytes((length, place)) + fingerprint[:place] + fingerprint[place + 1 :]
    for place in range(length + 1):
        yield bytes((length + 1, place)) + fingerprint
