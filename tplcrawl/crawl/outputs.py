"""All the files of a crawl's directory, written from its store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scrapy.statscollectors import StatsCollector

from tplcrawl.crawl.streams import write_streams
from tplcrawl.planning.plan import Plan
from tplcrawl.recording import Recording
from tplcrawl.reports.accuracy import accuracy
from tplcrawl.reports.search import search
from tplcrawl.reports.written import Written
from tplcrawl.store.store import Store


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a crawl has come to."""

    written: Written
    pages: int = 0
    """Of this run and earlier ones."""
    fetched: int = 0
    """By this run."""
    found: int = 0
    """How many templates the last round found."""
    predictions: Mapping[str, Any] = field(default_factory=dict)
    """How good those were that were made before their pages came."""
    search: Mapping[str, Any] | None = None
    """What was found of what was looked for."""


def tell(stats: StatsCollector, outcome: Outcome) -> None:
    """Put into *stats* what is known when a crawl has ended."""
    told = outcome.predictions
    stats.set_value("tplcrawl/templates", outcome.found)
    stats.set_value("tplcrawl/predicted", told.get("predicted", 0))
    stats.set_value("tplcrawl/predicted_right", told.get("right", 0))
    stats.set_value("tplcrawl/predicted_confidence", told.get("confidence", 0.0))


def finish(
    recording: Recording,
    plan: Plan | None,
    stopped: str,
    fetched: int,
    stream_format: str,
    exporters: Mapping[str, Any],
) -> Outcome:
    """Let the templates be those of all pages, and write all files; *fetched* is how many pages
    this run has added."""
    store = recording.store
    written = Written()
    if not store.empty:
        recording.refresh()
        store.set_meta("stopped", stopped)
        if plan is not None and (found := plan.sample.saturation()).fetches:
            store.set_meta("saturation", found.as_dict())
        written = write_outputs(store, stopped, stream_format, exporters)
    known = recording.model.templates
    return Outcome(written, len(recording), fetched, known, accuracy(store), search(store))


def write_outputs(
    store: Store, stopped: str, stream_format: str, exporters: Mapping[str, Any]
) -> Written:
    """Write the reports and the streams."""
    # What draws them is needed when a crawl ends, and would make it start later.
    from tplcrawl.reports.outputs import write_reports

    written = write_reports(store, stopped)
    names = {template.number: template.name for template in written.templates}
    write_streams(store, store.folder / "streams", names, stream_format, exporters)
    return written
