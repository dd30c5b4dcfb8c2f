"""What becomes of templates while a crawl goes on: are they known early, do they last, are they
those that clustering everything at once finds, how sure may one be of them, what do they cost?"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tplcrawl.clustering.base import Arrival, Classifier, Clustering, Method
from tplcrawl.clustering.methods import make_method
from tplcrawl.clustering.pages import Pages
from tplcrawl.evaluation.corpus import ROOT, Corpus
from tplcrawl.evaluation.metrics import rounded, score
from tplcrawl.evaluation.replay import fetched
from tplcrawl.page.profile import profile_of
from tplcrawl.page.site import Site
from tplcrawl.page.urls import Cleaner
from tplcrawl.recollection import pages_of
from tplcrawl.recording import Recording
from tplcrawl.records import Assignment

EARLY = 300
"""Pages after which a crawl should know the templates that matter."""

MATTERING = 0.95
"""The share of the pages that those hold."""

SURE = 0.9
"""Assignments with at least this confidence should be right nine times in ten."""


@dataclass(frozen=True, slots=True)
class Course:
    """How the templates of one site came to be."""

    site: str
    pages: int
    online: float
    """F1 in the end."""
    batch: float
    """F1 of clustering all pages at once."""
    arrival: float
    """F1 of the templates that pages were given first; what was merged since is one."""
    moved: float
    """Share of the pages whose template is another than the first that they were given."""
    known: float
    """Share of the pages that are of a template which was known after :data:`EARLY` pages."""
    early: bool
    """Whether those that hold :data:`MATTERING` of the pages were known then."""
    sure: float
    """Share of the assignments with a confidence of :data:`SURE` or more."""
    right_sure: float
    """Share of those that are of their template's most frequent true one."""
    right_others: float
    """The same of the other assignments."""
    off: float
    """By how much confidence and the share of right ones differ, on average over tenths; without
    pages that are like no other: they are right by themselves."""
    cost: float
    """Share of clustering in the CPU time of reading, storing and clustering; without fetching."""

    def as_dict(self) -> dict[str, Any]:
        """The measures by name, rounded."""
        return rounded(asdict(self))


@dataclass(slots=True)
class _Story:
    """What was seen of the templates while the crawl went on."""

    first: dict[int, int] = field(default_factory=dict)
    """Each page's first template."""
    early: set[int] = field(default_factory=set)
    """The templates after :data:`EARLY` pages."""

    def read(self, recording: Recording) -> None:
        """Take notes after templates were found anew."""
        for page, template in recording.model.templates_of_pages():
            if template is not None:
                self.first.setdefault(page, template)
                if len(recording) <= EARLY:
                    self.early.add(template)


def course(corpus: Corpus, most: int, method: str = "hybrid") -> Course:
    """Crawl the first *most* pages of *corpus*, assigning each as it comes."""
    timed = Timed(make_method(method))
    story = _Story()
    with TemporaryDirectory() as folder:
        recording = Recording(Path(folder), corpus.name, timed, save_html="none")
        try:
            began = time.process_time()
            for docid, assigned, found in _arrivals(corpus, recording, most):
                if assigned.template is not None:
                    story.first.setdefault(docid, assigned.template)
                if found:
                    story.read(recording)
            recording.refresh()
            story.read(recording)
            whole = time.process_time() - began
            spent = timed.seconds
            store = recording.store
            rows = list(store.pages.rows())
            aliases = store.pages.aliases()
            at_once = timed.method.cluster(pages_of(store)).assignments
        finally:
            recording.close()
    truth = [corpus.template_of(row.url) for row in rows]
    given = [row.assignment for row in rows]
    first = [_current(story.first.get(row.docid), aliases) for row in rows]
    now = [one.template for one in given]
    early = {_current(template, aliases) for template in story.early}
    sizes = Counter(template for template in now if template is not None)
    right = _right(given, truth)
    sure = [one.confidence >= SURE for one in given]
    return Course(
        site=corpus.name,
        pages=len(rows),
        online=_f1(now, truth),
        batch=_f1([one.template for one in at_once], truth),
        arrival=_f1(first, truth),
        moved=_mean([a != b for a, b in zip(first, now, strict=True)]),
        known=_mean([template in early for template in now]),
        early=all(template in early for template in _mattering(sizes)),
        sure=_mean(sure),
        right_sure=_mean([r for r, s in zip(right, sure, strict=True) if s and r is not None]),
        right_others=_mean(
            [r for r, s in zip(right, sure, strict=True) if not s and r is not None]
        ),
        off=_off(
            (one.confidence, r)
            for one, r in zip(given, right, strict=True)
            if r is not None and one.template is not None and sizes[one.template] > 1
        ),
        cost=spent / whole if whole else 0.0,
    )


def _arrivals(
    corpus: Corpus, recording: Recording, most: int
) -> Iterator[tuple[int, Assignment, bool]]:
    """Each page as it was assigned on its way in, and whether templates were then found anew."""
    cleaner = Cleaner(Site([ROOT]))
    for page in fetched(corpus, recording.store, most):
        url = recording.store.urls.get(page.docid).url
        profile = profile_of(url, page.document.body, cleaner, encoding=page.document.encoding)
        arrived = recording.arrive(page.docid, profile, page.place)
        found = recording.write(arrived, depth=page.depth, status=page.document.status)
        yield page.docid, arrived.assignment, found


def _current(template: int | None, aliases: Mapping[int, int]) -> int | None:
    return None if template is None else aliases.get(template, template)


def _f1(templates: Sequence[int | None], truth: Sequence[str | None]) -> float:
    known = [i for i, name in enumerate(truth) if name is not None]
    return score([templates[i] for i in known], [truth[i] for i in known]).f1


def _right(given: Sequence[Assignment], truth: Sequence[str | None]) -> list[bool | None]:
    """Whether each page is of its template's most frequent true one; ``None`` where the truth is
    not known."""
    counts: dict[int | None, Counter[str]] = {}
    for one, name in zip(given, truth, strict=True):
        if name is not None:
            counts.setdefault(one.template, Counter())[name] += 1
    return [
        None if name is None else name == counts[one.template].most_common(1)[0][0]
        for one, name in zip(given, truth, strict=True)
    ]


def _off(judged: Iterable[tuple[float, bool]]) -> float:
    """See :attr:`Course.off`."""
    tenths: dict[int, float] = {}
    count = 0
    for confidence, right in judged:
        tenth = min(int(confidence * 10), 9)
        tenths[tenth] = tenths.get(tenth, 0.0) + right - confidence
        count += 1
    return sum(map(abs, tenths.values())) / count if count else 0.0


def _mattering(sizes: Counter[int]) -> Iterator[int]:
    """The largest templates, as many as hold :data:`MATTERING` of the pages."""
    total, held = sum(sizes.values()), 0
    for template, size in sorted(sizes.items(), key=lambda one: (-one[1], one[0])):
        if held >= MATTERING * total:
            return
        held += size
        yield template


def _mean(values: Sequence[bool | None]) -> float:
    return sum(map(bool, values)) / len(values) if values else 0.0


class Timed(Method):
    """A method whose CPU time is counted, its classifier's too."""

    def __init__(self, method: Method) -> None:
        self.method = method
        self.seconds = 0.0

    @property
    def name(self) -> str:  # type: ignore[override]
        """What users call it."""
        return self.method.name

    def parameters(self) -> dict[str, Any]:
        return self.method.parameters()

    def cluster(self, pages: Pages) -> Clustering:
        began = time.process_time()
        found = self.method.cluster(pages)
        self.seconds += time.process_time() - began
        classifier = _TimedClassifier(found.classifier, self)
        return Clustering(found.assignments, classifier, found.learned_from)


class _TimedClassifier(Classifier):
    def __init__(self, classifier: Classifier, timed: Timed) -> None:
        self._classifier = classifier
        self._timed = timed

    def assign(self, page: Arrival) -> Assignment:
        began = time.process_time()
        given = self._classifier.assign(page)
        self._timed.seconds += time.process_time() - began
        return given
