"""Which wrapper a page is for, and what it makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.template_ids import template_name
from tplcrawl.errors import InputError
from tplcrawl.fingerprints.features import features_of
from tplcrawl.page.profile import profile_of
from tplcrawl.records import Assignment
from tplcrawl.store.store import Store
from tplcrawl.wrappers.extraction import Extractor, Record
from tplcrawl.wrappers.fitting import Fitting
from tplcrawl.wrappers.learning import Page
from tplcrawl.wrappers.library import kept_page, page_of
from tplcrawl.wrappers.wrapper import Wrapper


class Asked(Protocol):
    """What knows the template of any page."""

    def ask(self, page: Arrival) -> Assignment: ...


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one page."""

    page: str
    """As it was asked for."""
    template: str | None
    record: dict[str, Any] | None
    typed: dict[str, Any] = field(default_factory=dict)
    problem: str | None = None
    """Why there is no record, if there is none."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        told = {
            "page": self.page,
            "template": self.template,
            "record": self.record,
            "typed": self.typed,
        }
        return told if self.problem is None else {**told, "problem": self.problem}


class Answers:
    """Extracts the pages of a crawl, and others like them."""

    def __init__(self, store: Store, wrappers: Mapping[str, Wrapper], *, low: bool) -> None:
        self.store = store
        self._wrappers = wrappers
        self._aliases = {
            template_name(old): template_name(new) for old, new in store.pages.aliases().items()
        }
        self._fitting = Fitting(wrappers, low=low)
        self._extractor = cache(lambda name: Extractor(wrappers[name], low=low))

    def wrapper(self, template: str) -> Wrapper:
        """The wrapper of a template, by its id now or before it was merged."""
        return self._wrappers[self._known(template) or template]

    def _known(self, template: str) -> str | None:
        if template in self._wrappers:
            return template
        former = (old for old, new in sorted(self._aliases.items()) if new == template)
        return next((old for old in former if old in self._wrappers), None)

    def of_crawl(self) -> Iterator[Answer]:
        """Every page whose HTML was kept, in order of discovery."""
        templates = dict(zip(self.store.pages.docids(), self.store.pages.templates(), strict=True))
        for docid in self.store.pages.bodies():
            page = kept_page(self.store, docid)
            if page is not None:
                yield self._answer(page.url, page, templates.get(docid))

    def of_page(self, name: str, docid: int) -> Answer:
        """One page of the crawl."""
        page = kept_page(self.store, docid)
        if page is None:
            raise InputError(f"the HTML of {name} was not kept: crawl with TPLCRAWL_SAVE_HTML=all")
        (row,) = self.store.pages.rows([docid])
        return self._answer(name, page, row.assignment.template)

    def of_body(self, name: str, body: bytes, encoding: str, model: Asked) -> Answer:
        """A page that need not be of the crawl; *model* says of which template it is."""
        profile = profile_of("", body, None, encoding=encoding)
        features = features_of(profile.canonical, profile.outline, profile.lzw)
        given = model.ask(Arrival(features, profile.outline))
        page = page_of(profile.canonical, body, encoding)
        return self._answer(name, page, given.template)

    def _answer(self, name: str, page: Page, number: int | None) -> Answer:
        if number is None:
            return self._guessed(name, page)
        template = template_name(number)
        known = self._known(template)
        if known is None:
            return Answer(name, template, None, problem="its template has no wrapper")
        record = self._extractor(known)(page.root, page.url)
        return _answer(name, template, record)

    def _guessed(self, name: str, page: Page) -> Answer:
        """A page without a template, by the wrapper that finds nearly all it must in it."""
        best = self._fitting.best(page.root, page.url)
        if best is None:
            return Answer(name, None, None, problem="of none of the templates")
        return _answer(name, *best)


def _answer(name: str, template: str, record: Record) -> Answer:
    if record.misfit is not None:
        return Answer(name, template, None, problem=f"does not fit its wrapper: {record.misfit}")
    return Answer(name, template, record.values, record.typed)
