"""Annotated templates for scrapely: ``{"templates": [{url, headers, body, page_id, encoding}]}``.

An annotated element carries ``data-scrapy-annotate`` with the name of its field; scrapely matches
the markup around it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lxml import etree

from tplcrawl.wrappers.exports.bundle import Bundle, Sample, fresh_folder
from tplcrawl.wrappers.library import page_of
from tplcrawl.wrappers.steps import xpath
from tplcrawl.wrappers.wrapper import Wrapper


def write(target: Path, bundles: Sequence[Bundle]) -> None:
    """Write a file for each template, that ``Scraper.fromfile`` reads."""
    with fresh_folder(target) as folder:
        for bundle in bundles:
            templates = [_annotated(bundle.wrapper, sample) for sample in bundle.samples[:1]]
            text = json.dumps({"templates": templates}, ensure_ascii=False)
            path = folder / f"{bundle.wrapper.template}.json"
            path.write_bytes(text.encode("utf-8", "replace"))


def _annotated(wrapper: Wrapper, sample: Sample) -> dict[str, Any]:
    root = page_of(sample.url, sample.body, sample.encoding).root
    notes: dict[Any, dict[str, str]] = {}
    for one in wrapper.shown:
        found = root.getroottree().xpath(xpath(one.rule.path))
        if found:
            kind = "content" if one.rule.target.kind != "attribute" else one.rule.target.name
            notes.setdefault(found[0], {}).setdefault(kind, one.name)
    for element, own in notes.items():
        told = {"variant": 0, "generated": False, "annotations": own}
        element.set("data-scrapy-annotate", json.dumps(told, ensure_ascii=False))
    return {
        "url": sample.url,
        "headers": {},
        "body": etree.tostring(root, method="html", encoding="unicode"),
        "page_id": str(sample.docid),
        "encoding": "utf-8",
    }
