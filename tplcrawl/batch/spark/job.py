"""A clustering on Spark, from inputs to a store with templates."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from tplcrawl.batch.documents import Losses
from tplcrawl.batch.parts import Survey
from tplcrawl.batch.spark.methods import clusters_of
from tplcrawl.batch.spark.pages import PageTable
from tplcrawl.batch.spark.profiles import Profiler
from tplcrawl.batch.spark.tables import Tables, ranked
from tplcrawl.batch.workers import profile_parts
from tplcrawl.bodies import Bodies
from tplcrawl.clustering.base import Method
from tplcrawl.errors import InputError
from tplcrawl.records import Assignment
from tplcrawl.store.store import Store

FOLDER = "engine"


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be found in some inputs, and how."""

    found: Survey
    method: Method
    positional: bool
    save_html: str

    @property
    def key(self) -> str:
        """Equal for the same job."""
        told = (self.found.key, self.method.name, self.method.parameters(), self.positional)
        text = json.dumps([*told, self.save_html], sort_keys=True)
        return blake2b(text.encode(), digest_size=8).hexdigest()

    def run(self, spark: SparkSession, folder: Path) -> Losses:
        """Leave in *folder* a store of all pages, with their templates; return what could not be
        used. *folder* is seen by all machines."""
        tables = Tables(spark, folder / FOLDER)
        profiler = Profiler(
            folder.resolve(),
            spark.sparkContext.applicationId,
            self.found.origins,
            self.method,
            self.save_html != "none",
        )
        profiles = tables.kept(
            "profiles", lambda: profiler.profiles(spark, self.found.parts), wide=True
        )
        pages = PageTable.of(tables, profiles, positional=self.positional)
        if not pages.count:
            return self.found.losses
        if self.method.needs_links and not pages.any_inbound:
            raise InputError(
                f"{self.method.name} needs links between the pages; this input has none"
            )
        clusters, learned_from = clusters_of(self.method, pages)
        assigned = _named(tables, tables.kept("clusters", lambda: clusters))
        losses = profile_parts(folder, self.found, 1, save_html=profiler.save_html)
        with Store(folder) as store:
            self._keep(store, assigned, learned_from)
        shutil.rmtree(folder / FOLDER)
        return losses

    def _keep(self, store: Store, assigned: DataFrame, learned_from: int) -> None:
        """Write what was found."""
        store.set_meta("method", self.method.name)
        store.set_meta("parameters", self.method.parameters())
        store.set_meta("positional", self.positional)
        store.set_meta("by_host", False)
        store.set_meta("learned_from", learned_from)
        rows = assigned.orderBy("id").toLocalIterator()
        store.pages.assign_many(
            (row["id"], Assignment(row["template"], row["confidence"], row["reason"]))
            for row in rows
        )
        templates = dict(zip(store.pages.docids(), store.pages.templates(), strict=True))
        store.last_template = max(filter(None, templates.values()), default=0)
        Bodies(store, self.save_html).thin(templates.items(), spare=0)


def _named(tables: Tables, clusters: DataFrame) -> DataFrame:
    """Every page's assignment, templates being numbered by their first pages."""
    firsts = clusters.where("cluster is not null").groupBy("cluster")
    numbered = ranked(firsts.agg(F.min("id").alias("first")), "place", "first")
    names = numbered.select("cluster", (F.col("place") + 1).alias("template"))
    return tables.kept(
        "assignments",
        lambda: clusters.join(names, "cluster", "left").drop("cluster"),
    )
