"""``samples/<id>/``: pages that stand for a template."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence, Set
from pathlib import Path

import numpy as np

from tplcrawl.clustering.sampling import spread
from tplcrawl.reports.examples import representatives
from tplcrawl.reports.files import whole_file, write_lines
from tplcrawl.reports.templates import TemplateRow
from tplcrawl.store.store import Store

LINKING = 2_000
"""Pages whose links are looked through for those that lead to samples."""

_OURS = re.compile(r"t\d+").fullmatch
"""Names of our folders; whatever else somebody keeps there stays."""


def write_samples(store: Store, folder: Path, templates: Sequence[TemplateRow]) -> None:
    """Write the kept HTML of each template: the medoid first, then what differs most from those
    before it. Folders of templates that are no more are taken away."""
    kept = set(store.pages.bodies())
    wanted = {}
    for template in templates:
        docids = [docid for docid in template.docids if docid in kept]
        if docids:
            wanted[template.id] = docids
    if folder.is_dir():
        for old in sorted(folder.iterdir()):
            if old.name not in wanted and _OURS(old.name):
                shutil.rmtree(old, ignore_errors=True)
    chosen = {name: representatives(store, docids) for name, docids in wanted.items()}
    locations = _inbound(store, {docid for own in chosen.values() for docid, _ in own})
    for name, own in chosen.items():
        _write_template(store, folder / name, own, locations)


def _inbound(store: Store, docids: Set[int]) -> dict[int, set[str]]:
    """The locations of links to each of some pages, on at most :data:`LINKING` pages."""
    wanted = np.array(sorted(docids), np.uint32)
    found: dict[int, set[str]] = {docid: set() for docid in docids}
    paths = store.locations.paths()
    for source, links in store.pages.sightings(spread(store.pages.docids(), LINKING)):
        for at in np.flatnonzero(np.isin(links.targets, wanted)).tolist():
            if links.targets[at] != source:
                found[int(links.targets[at])].add(paths[int(links.locations[at])])
    return found


def _write_template(
    store: Store,
    folder: Path,
    chosen: Sequence[tuple[int, str]],
    locations: Mapping[int, Set[str]],
) -> None:
    names = {f"{docid}.html" for docid, _ in chosen}
    for docid, _ in chosen:
        body = store.pages.body(docid)
        if body is not None:
            with whole_file(folder / f"{docid}.html") as file:
                file.write(body[0])
    rows = {row.docid: row for row in store.pages.rows([docid for docid, _ in chosen])}
    write_lines(
        folder / "manifest.jsonl",
        (
            {
                "docid": docid,
                "file": f"{docid}.html",
                "url": rows[docid].url,
                "location": rows[docid].location,
                "locations": sorted({*locations[docid], *_known(rows[docid].location)}),
                "confidence": rows[docid].assignment.confidence,
                "role": role,
            }
            for docid, role in chosen
        ),
    )
    for old in folder.glob("*.html"):
        if old.name not in names:
            old.unlink()


def _known(location: str | None) -> tuple[str, ...]:
    """The location by which a page was found, unless it is a start page: a redirect may have led
    to it from there."""
    return () if location is None else (location,)
