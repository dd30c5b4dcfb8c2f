"""Records as files: JSON lines, CSV, Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tplcrawl.errors import UsageError
from tplcrawl.reports.files import whole_file, write_lines
from tplcrawl.reports.formulas import formula_safe
from tplcrawl.wrappers.wrapper import Wrapper

Rows = Sequence[Mapping[str, Any]]


def _jsonl(path: Path, rows: Rows, wrapper: Wrapper) -> None:
    write_lines(path, map(dict, rows))


def _csv(path: Path, rows: Rows, wrapper: Wrapper) -> None:
    columns = _columns(wrapper)
    with whole_file(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
        writer = csv.writer(text)
        writer.writerow(columns)
        for row in rows:
            flat = _flat(row, wrapper)
            writer.writerow([formula_safe(_cell(flat.get(name))) for name in columns])
        text.flush()
        text.detach()


def _parquet(path: Path, rows: Rows, wrapper: Wrapper) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise UsageError("Parquet needs: pip install 'tplcrawl[parquet]'") from None
    columns = _columns(wrapper)
    flat = [_flat(row, wrapper) for row in rows]
    numbers = {f"{one.name}.number" for one in wrapper.fields} | {
        f"{one.name}.amount" for one in wrapper.fields
    }
    many = {one.name for one in wrapper.fields if one.many}
    arrays = []
    for name in columns:
        values = [row.get(name) for row in flat]
        if name in numbers:
            arrays.append(pa.array([None if v is None else float(v) for v in values], pa.float64()))
        elif name in many:
            arrays.append(pa.array(values, pa.list_(pa.string())))
        else:
            texts = [None if v is None else _cell(v) for v in values]
            arrays.append(pa.array(texts, pa.string()))
    with whole_file(path) as file:
        parquet.write_table(pa.table(arrays, names=columns), file)


FORMATS: dict[str, Callable[[Path, Rows, Wrapper], None]] = {
    "jsonl": _jsonl,
    "csv": _csv,
    "parquet": _parquet,
}


def write_table(path: Path, rows: Iterable[Mapping[str, Any]], wrapper: Wrapper) -> None:
    """Write *rows*, each with ``url``, ``record`` and ``typed``, in the format of *path*'s name."""
    FORMATS[path.suffix[1:]](path, list(rows), wrapper)


def _columns(wrapper: Wrapper) -> list[str]:
    columns = ["url"]
    for one in wrapper.shown:
        columns.append(one.name)
        columns += [f"{one.name}.{part}" for part in _PARTS.get(one.type, ()) if not one.many]
    return columns + [rows.name for rows in wrapper.lists if not rows.low]


_PARTS = {
    "number": ("number",),
    "price": ("amount", "currency"),
    "date": ("date",),
    "html": ("html",),
}


def _flat(row: Mapping[str, Any], wrapper: Wrapper) -> dict[str, Any]:
    """A column for each value, and for each part of what it means."""
    flat = {"url": row["url"], **row["record"]}
    for one in wrapper.shown:
        meaning = row["typed"].get(one.name)
        if meaning is None or one.many:
            continue
        for part in _PARTS[one.type]:
            flat[f"{one.name}.{part}"] = meaning[part] if one.type == "price" else meaning
    return flat


def _cell(value: Any) -> Any:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else value
