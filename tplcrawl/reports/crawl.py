"""A crawl as its reports see it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tplcrawl.clustering.template_ids import template_name
from tplcrawl.recollection import taught
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
    """The URLs without a page."""

    urls: tuple[Missing, ...] = field(repr=False)
    """Every one, in order of discovery."""
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
        expect = taught(store)
        looks = dict(store.pages.looks())
        return cls(
            store,
            stopped,
            pages,
            templates,
            store.pages.aliases(),
            {docid: shown.content for docid, shown in looks.items()},
            mismatches_of(store, pages, expect, looks),
            _absent(store, stopped, expect),
        )

    def expected(self, page: PageRow) -> int | None:
        """The template that was predicted for a page, as it goes now."""
        if page.predicted is None:
            return None
        return self.aliases.get(page.predicted.template, page.predicted.template)


def _absent(
    store: Store, stopped: str, expect: Callable[[str, Place], Prediction | None]
) -> Absent:
    urls: list[Missing] = []
    counts: Counter[Fate] = Counter()
    examples: defaultdict[tuple[State, str], list[str]] = defaultdict(list)
    for url, depth, place, reason, state in store.urls.unfetched():
        prediction = expect(url, place)
        # A prediction may also be that no page will come of it.
        template = (prediction.template or None) if prediction else None
        urls.append(Missing(url, depth, state, reason, template))
        why = reason or stopped
        counts[state, why, template] += 1
        if len(examples[state, why]) < EXAMPLES:
            examples[state, why].append(url)
    return Absent(tuple(urls), counts, examples)


def named(template: int | None) -> str | None:
    """A template's id as it is written, if there is one."""
    return template_name(template) if template is not None else None
