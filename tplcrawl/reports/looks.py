"""The templates of a crawl as two crawls compare them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tplcrawl.clustering.marks import classes_of
from tplcrawl.clustering.sampling import spread
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import Hashes, hash_set
from tplcrawl.outline import Outline
from tplcrawl.reports.crawl import Crawl
from tplcrawl.reports.templates import TemplateRow

SAMPLE = 20
"""Pages of a template that are compared."""


@dataclass(frozen=True, slots=True)
class Look:
    """One template of one crawl."""

    template: TemplateRow
    targets: frozenset[str] = field(repr=False)
    """Path and query of its pages: the host may be another one, as on a staging server."""
    structures: tuple[Hashes, ...] = field(repr=False)
    """Tag and class paths of some of its pages."""
    elements: dict[str, float] = field(repr=False)
    """The share of these pages that have an element of some tag and class."""
    outline: Outline = field(repr=False)
    """The structure of a typical page."""


def looks(crawl: Crawl) -> list[Look]:
    """The templates of a crawl, largest first."""
    urls = {page.docid: page.url for page in crawl.pages}
    return [_look(crawl, template, urls) for template in crawl.templates]


def _look(crawl: Crawl, template: TemplateRow, urls: dict[int, str]) -> Look:
    pages = crawl.store.pages
    chosen = spread(template.docids, SAMPLE)
    counts: Counter[str] = Counter()
    structures = []
    for docid in chosen:
        features = Features.decode(pages.features(docid))
        structures.append(hash_set({*features.tag_paths.tolist(), *features.class_paths.tolist()}))
        counts.update({str(mark) for mark in classes_of(pages.outline(docid))})
    return Look(
        template,
        frozenset(map(_target, (urls[docid] for docid in template.docids))),
        tuple(structures),
        {mark: count / len(chosen) for mark, count in counts.items()},
        pages.outline(template.typical),
    )


def _target(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}"
