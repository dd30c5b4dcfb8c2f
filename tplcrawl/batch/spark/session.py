"""The Spark session that a job runs in, and what goes wrong there, in one line."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError, Py4JNetworkError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tplcrawl.errors import JobError, WorkerDied

_SETTINGS = {
    "spark.app.name": "tplcrawl",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "64",
    "spark.log.level": "ERROR",
}
"""Few rows at once go to Python: one of them may hold a whole part's pages."""

_OWN = re.compile(r"^tplcrawl\.errors\.\w+: (.+)$", re.MULTILINE)


@contextmanager
def session(master: str | None) -> Iterator[SparkSession]:
    """A session on *master*; where that is ``None``, on the one that ``spark-submit`` was told."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise JobError("Spark needs Java 17 or newer, and there is none here")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.config(
        "spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower()
    )
    for name, value in _SETTINGS.items():
        builder = builder.config(name, value)
    if master is not None:
        builder = builder.master(master)
    spark: SparkSession | None = None
    try:
        spark = builder.getOrCreate()
        yield spark
    except (Py4JError, PySparkException) as error:
        own = _OWN.search(str(error))
        if own is not None:
            raise JobError(own[1]) from None
        line = next(filter(None, map(str.strip, str(error).splitlines())), type(error).__name__)
        if spark is None:
            raise JobError(f"Spark on {master}: {line}") from None
        raise WorkerDied(f"Spark: {line}; the same command goes on from here") from None
    finally:
        if spark is not None:
            _stop(spark)


def _stop(spark: SparkSession) -> None:
    try:
        spark.stop()
    except (Py4JError, Py4JNetworkError, ConnectionError):
        # It is gone already, which is why we are here.
        return
