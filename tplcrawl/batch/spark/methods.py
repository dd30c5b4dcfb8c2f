"""The methods that the engine runs: from the table of pages to a cluster for each.

Each answers with a row ``id, cluster, confidence, reason`` for every page, and with how many pages
it has compared. Equal clusters are one template, and ``null`` is none.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from tplcrawl.batch.spark.fingerprints import fingerprint_clusters
from tplcrawl.batch.spark.groups import group_clusters
from tplcrawl.batch.spark.learning import learnt
from tplcrawl.batch.spark.pages import PageTable
from tplcrawl.clustering.base import Method
from tplcrawl.clustering.hybrid import Hybrid
from tplcrawl.clustering.lzw import LZW
from tplcrawl.clustering.md5 import MD5
from tplcrawl.clustering.uxclust import UXClust
from tplcrawl.errors import UsageError

Found = tuple[DataFrame, int]


def check_method(method: Method) -> None:
    """Say if *method* does not run here."""
    if not isinstance(method, Hybrid | UXClust | LZW | MD5):
        raise UsageError(
            f"{method.name} does not run on Spark: hybrid, uxclust, lzw, md5 and mdh5 do"
        )


def clusters_of(method: Method, pages: PageTable) -> Found:
    """The clusters that *method* finds."""
    if isinstance(method, Hybrid):
        return learnt(method, pages)
    if isinstance(method, UXClust):
        return group_clusters(method, pages), pages.count
    if isinstance(method, LZW):
        return fingerprint_clusters(pages), pages.count
    assert isinstance(method, MD5)
    reason = F.lit(method.reason).alias("reason")
    same = pages.rows.select("id", F.col("mark").alias("cluster"), F.lit(1.0).alias("confidence"))
    return same.withColumn("reason", reason), pages.count
