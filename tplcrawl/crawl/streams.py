"""``streams/``: the items of each template as one file, written by Scrapy's own exporters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from scrapy.exporters import BaseItemExporter
from scrapy.utils.misc import load_object

from tplcrawl.clustering.template_ids import template_name
from tplcrawl.errors import UsageError
from tplcrawl.reports.files import whole_file, write_json
from tplcrawl.reports.formulas import formula_safe
from tplcrawl.store.pages import PAGE_ITEM
from tplcrawl.store.store import Store

UNASSIGNED = "unassigned"
_SUFFIXES = {"jsonlines": "jsonl", "jl": "jsonl"}
_OURS = re.compile(rf"(t\d+|{UNASSIGNED})\.[^.]+").fullmatch
"""Names that streams have had; whatever else somebody keeps there stays."""

Exporter = Callable[..., BaseItemExporter]
"""A class of exporters: made with a file and keyword arguments."""


def exporter_class(format_: str, exporters: Mapping[str, Any]) -> Exporter:
    """The exporter that Scrapy's settings name for a format."""
    path = exporters.get(format_)
    if not path:
        known = ", ".join(sorted(name for name, one in exporters.items() if one))
        raise UsageError(f"TPLCRAWL_STREAM_FORMAT cannot be {format_!r}; there are: {known}")
    exporter: Exporter = load_object(path)
    return exporter


def write_streams(
    store: Store, folder: Path, names: Mapping[int, str], format_: str, exporters: Mapping[str, Any]
) -> None:
    """Write every item to the stream of its page's template, once. Streams of templates that are
    no more are taken away."""
    exporter = exporter_class(format_, exporters)
    suffix = _SUFFIXES.get(format_, format_)
    entries = []
    for template, rows in groupby(store.pages.items(), itemgetter(0)):
        stream = template_name(template) if template is not None else UNASSIGNED
        file = f"{stream}.{suffix}"
        count = _write(folder / file, exporter, format_, template, rows, store)
        name = names.get(template) if template is not None else None
        entries.append({"template": stream, "name": name, "file": file, "items": count})
    write_json(folder / "index.json", {"format": format_, "streams": entries})
    wanted = {entry["file"] for entry in entries} | {"index.json"}
    for old in folder.iterdir():
        if old.is_file() and old.name not in wanted and _OURS(old.name):
            old.unlink()


def _write(
    path: Path,
    exporter: Exporter,
    format_: str,
    template: int | None,
    rows: Iterable[tuple[int | None, dict[str, Any], str]],
    store: Store,
) -> int:
    arguments: dict[str, Any] = {}
    if format_ == "csv":
        arguments["fields_to_export"] = list(map(formula_safe, store.pages.item_fields(template)))
    count = 0
    with whole_file(path) as file:
        writer: BaseItemExporter = exporter(file, **arguments)
        writer.start_exporting()
        for item in _ready(rows, template, csv=format_ == "csv"):
            writer.export_item(item)
            count += 1
        writer.finish_exporting()
    return count


def _ready(
    rows: Iterable[tuple[int | None, dict[str, Any], str]], template: int | None, *, csv: bool
) -> Iterator[dict[str, Any]]:
    for _, item, kind in rows:
        if kind == PAGE_ITEM:
            item["template"] = template_name(template) if template is not None else None
        yield formula_safe(item) if csv else item
