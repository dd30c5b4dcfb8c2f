"""Pages as a map: near each other where their structure is alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.sampling import stratified
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes
from tplcrawl.reports.crawl import Crawl
from tplcrawl.similarity.layout import landmark_layout
from tplcrawl.similarity.sets import SetTable, entropy_weights
from tplcrawl.store.pages import PageRow

SHOWN = 5000
"""Pages on the map, chosen fairly among the templates."""

JUDGED = 1000
"""Pages whose nearest neighbour is looked for."""

LANDMARKS = 200
"""Pages that all others are placed by."""


@dataclass(frozen=True, slots=True)
class PageMap:
    """Some pages and where they stand; coordinates from 0 to 1."""

    pages: tuple[PageRow, ...] = field(repr=False)
    places: npt.NDArray[np.float64] = field(repr=False)
    judged: int
    """Pages, of templates of at least two, whose nearest other page was looked for."""
    agree: int
    """Those of them whose nearest page is of the same template."""
    by_template: dict[str, tuple[int, int]] = field(repr=False)
    """The same for each template: judged, agree."""

    def numbers(self) -> dict[str, Any]:
        """What is told of it in ``coverage.json``."""
        return {
            "shown": len(self.pages),
            "judged": self.judged,
            "agree": self.agree,
        }


def page_map(crawl: Crawl) -> PageMap:
    """Choose pages, place them, and see whether neighbours are of one template."""
    pages = tuple(_choose(crawl.pages, SHOWN))
    sets = [_structure(crawl, page) for page in pages]
    keys = [one.tobytes() for one in sets]
    first = {key: at for at, key in reversed(list(enumerate(keys)))}
    distinct = sorted(first.values())
    table = SetTable.of([sets[at] for at in distinct])
    weights = entropy_weights(table.frequencies())
    strata = [pages[at].assignment.template for at in distinct]
    landmarks = stratified(strata, [pages[at].url for at in distinct], LANDMARKS)
    alike = table.weighted_jaccard(weights, np.array(landmarks, np.int64))
    places = landmark_layout(1.0 - alike.astype(np.float64), landmarks)
    row = {keys[at]: number for number, at in enumerate(distinct)}
    rows = np.array([row[key] for key in keys], np.int64)
    judged = _agreement(crawl, list(pages), rows, table, weights)
    return PageMap(
        pages,
        places[rows] if len(pages) else np.empty((0, 2)),
        sum(number for number, _ in judged.values()),
        sum(agree for _, agree in judged.values()),
        judged,
    )


def _choose(pages: tuple[PageRow, ...] | list[PageRow], most: int) -> list[PageRow]:
    chosen = stratified(
        [one.assignment.template for one in pages], [one.url for one in pages], most
    )
    return [pages[at] for at in chosen]


def _structure(crawl: Crawl, page: PageRow) -> Hashes:
    features = Features.decode(crawl.store.pages.features(page.docid))
    return np.union1d(features.tag_paths, features.class_paths)


def _agreement(
    crawl: Crawl,
    pages: list[PageRow],
    rows: npt.NDArray[np.int64],
    table: SetTable,
    weights: npt.NDArray[np.float32],
) -> dict[str, tuple[int, int]]:
    """For each template of at least two pages, how many of its pages were judged, and how many of
    these are nearest to another page of it. Where several pages are equally near, most decide."""
    several = {template.number: template.id for template in crawl.templates if template.pages > 1}
    known = [at for at, page in enumerate(pages) if page.assignment.template in several]
    strata = [pages[at].assignment.template for at in known]
    chosen = [known[at] for at in stratified(strata, [pages[at].url for at in known], JUDGED)]
    own = rows[chosen]
    used, at = np.unique(own, return_inverse=True)
    part = SetTable(table.rows[used], table.members)
    alike = part.weighted_jaccard(weights)[np.ix_(at, at)] if len(used) else np.empty((0, 0))
    np.fill_diagonal(alike, -1.0)
    numbers = np.array([pages[one].assignment.template for one in chosen], np.int64)
    same = numbers[:, None] == numbers[None, :]
    found: dict[str, tuple[int, int]] = {}
    order = np.argsort(numbers, kind="stable").tolist()
    for number, group in groupby(order, key=lambda one: int(numbers[one])):
        members = list(group)
        if len(members) > 1:
            near = alike[members] >= alike[members].max(axis=1)[:, None] - 1e-6
            agree = 2 * (near & same[members]).sum(axis=1) >= near.sum(axis=1)
            found[several[number]] = (len(members), int(agree.sum()))
    return found
