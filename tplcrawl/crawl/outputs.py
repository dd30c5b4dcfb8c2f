"""All the files of a crawl's directory, written from its store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tplcrawl.crawl.streams import write_streams
from tplcrawl.reports.templates import TemplateRow
from tplcrawl.store.store import Store


def write_outputs(
    store: Store, stopped: str, stream_format: str, exporters: Mapping[str, Any]
) -> list[TemplateRow]:
    """Write the reports and the streams; return the templates."""
    # What draws them is needed when a crawl ends, and would make it start later.
    from tplcrawl.reports.outputs import write_reports

    templates = write_reports(store, stopped)
    names = {template.number: template.name for template in templates}
    write_streams(store, store.folder / "streams", names, stream_format, exporters)
    return templates
