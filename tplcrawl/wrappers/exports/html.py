"""Pages and what is in them, for tools that learn from examples or are asked in words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tplcrawl.wrappers.exports.bundle import Bundle, fresh_folder
from tplcrawl.wrappers.extraction import Extractor
from tplcrawl.wrappers.library import page_of


def write(target: Path, bundles: Sequence[Bundle]) -> None:
    """Write ``<template>/<docid>.html``, and ``manifest.jsonl`` with a line for each."""
    with fresh_folder(target) as folder:
        lines = []
        for bundle in bundles:
            extract = Extractor(bundle.wrapper)
            own = folder / bundle.wrapper.template
            own.mkdir()
            for sample in bundle.samples:
                (own / f"{sample.docid}.html").write_bytes(sample.body)
                page = page_of(sample.url, sample.body, sample.encoding)
                record = extract(page.root, page.url)
                lines.append(
                    {
                        "file": f"{bundle.wrapper.template}/{sample.docid}.html",
                        "url": sample.url,
                        "encoding": sample.encoding,
                        "template": bundle.wrapper.template,
                        "name": bundle.wrapper.name,
                        "record": record.values if record.misfit is None else None,
                    }
                )
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (folder / "manifest.jsonl").write_bytes(text.encode("utf-8", "replace"))
