"""A crawl as its reports see it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.template_ids import template_name
from tplcrawl.recording import taught
from tplcrawl.records import Prediction
from tplcrawl.reports.mismatches import mismatches_of
from tplcrawl.reports.templates import TemplateRow, template_rows
from tplcrawl.store.pages import PageRow
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Place, State


@dataclass(frozen=True, slots=True)
class Missing:
    """A URL that was discovered and of which there is no page."""

    url: str
    depth: int
    state: State
    reason: str | None
    """``None`` where it still waits."""
    expected: int | None
    """The template that its page is likely to be of."""


Fate = tuple[State, str, int | None]
"""A state, the reason for it, and the expected template."""

EXAMPLES = 3
"""URLs that are kept for each reason."""


@dataclass(frozen=True, slots=True)
class Absent:
    """The URLs without a page, in a few words."""

    expected: npt.NDArray[np.int32]
    """The expected template of each, in order of discovery; 0 for none."""
    counts: Counter[Fate]
    """How many have each fate. What waits has the reason for which the crawl stopped."""
    examples: Mapping[tuple[State, str], list[str]]
    """The first ones of each state and reason."""


@dataclass(frozen=True, slots=True)
class Crawl:
    """What every section of a report is computed from, read once."""

    store: Store
    stopped: str
    """Why the crawl ended, in the word of Scrapy's close reason."""
    pages: tuple[PageRow, ...] = field(repr=False)
    """All pages, in order of discovery."""
    templates: tuple[TemplateRow, ...]
    """Largest first."""
    aliases: dict[int, int]
    """Templates that were merged, and what they are now."""
    contents: Mapping[int, int] = field(repr=False)
    """A hash of what each page shows, by docid."""
    mismatches: Mapping[int, str] = field(repr=False)
    """The kinds of the pages that are not what was expected, by docid."""
    absent: Absent = field(repr=False)
    """What is known of the URLs without a page."""

    @classmethod
    def read(cls, store: Store, stopped: str) -> Crawl:
        """The crawl in *store*."""
        pages = tuple(store.pages.rows())
        templates = tuple(template_rows(store, pages))
        contents, expect = dict(store.pages.contents()), taught(store)
        return cls(
            store,
            stopped,
            pages,
            templates,
            store.pages.aliases(),
            contents,
            mismatches_of(store, pages, expect, contents),
            _absent(store, stopped, expect),
        )

    def expected(self, page: PageRow) -> int | None:
        """The template that was predicted for a page, as it goes now."""
        if page.predicted is None:
            return None
        return self.aliases.get(page.predicted.template, page.predicted.template)

    def missing(self) -> Iterator[Missing]:
        """Every URL without a page, in order of discovery."""
        likely = self.absent.expected.tolist()
        rows = zip(self.store.urls.unfetched(), likely, strict=True)
        for (url, depth, _, reason, state), template in rows:
            yield Missing(url, depth, state, reason, template or None)


def _absent(
    store: Store, stopped: str, expect: Callable[[str, Place], Prediction | None]
) -> Absent:
    likely: list[int] = []
    counts: Counter[Fate] = Counter()
    examples: defaultdict[tuple[State, str], list[str]] = defaultdict(list)
    for url, _, place, reason, state in store.urls.unfetched():
        prediction = expect(url, place)
        template = prediction.template if prediction else None
        likely.append(template or 0)
        why = reason or stopped
        counts[state, why, template] += 1
        if len(examples[state, why]) < EXAMPLES:
            examples[state, why].append(url)
    return Absent(np.array(likely, np.int32), counts, examples)


def named(template: int | None) -> str | None:
    """A template's id as it is written, if there is one."""
    return template_name(template) if template is not None else None
