"""``templates.json``: the templates of a crawl, largest first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from tplcrawl.clustering.by_host import hosts_of
from tplcrawl.clustering.mark_table import MarkTable
from tplcrawl.clustering.marks import Mark, marks_of
from tplcrawl.clustering.names import common_words, printable, template_title, unique_names
from tplcrawl.clustering.sampling import spread
from tplcrawl.clustering.template_ids import template_name
from tplcrawl.clustering.url_patterns import url_pattern
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import NO_OUTLINE
from tplcrawl.reports.examples import typical
from tplcrawl.similarity.sets import jaccard
from tplcrawl.store.pages import PageRow
from tplcrawl.store.store import Store

_SAMPLE = 200
_SHOWN = 5
"""URLs that are shown of a template."""
_COHESION_SAMPLE = 10
_MARKED = 40
"""Pages of a template whose marks are looked at."""
_TOLD_APART = 500
"""Templates of a site that are compared with each other."""


@dataclass(slots=True)
class TemplateRow:
    """One template, as the outputs tell of it."""

    id: str
    number: int
    docids: list[int] = field(repr=False)
    typical: int
    """The page that is most like the others."""
    name: str = ""
    why: str = ""
    """What holds it together, and apart from the template most like it."""
    share: float = 0.0
    url_pattern: str = ""
    locations: list[str] = field(default_factory=list)
    """The locations that most often were the first to lead to its pages."""
    sample_urls: list[str] = field(default_factory=list)
    """Some of its pages, the typical one first."""
    cohesion: float = 1.0
    """How alike its pages are: mean Jaccard similarity of the tag paths of some of them."""
    confidence: float = 0.0
    """The mean confidence of its pages' assignments."""
    aliases: list[str] = field(default_factory=list)
    """Ids of templates that were merged into it."""
    nearest: str | None = None
    """The id of the template most like it."""

    @property
    def pages(self) -> int:
        return len(self.docids)

    def as_dict(self) -> dict[str, Any]:
        """The template's entry in ``templates.json``."""
        return {
            "id": self.id,
            "name": self.name,
            "why": self.why,
            "pages": self.pages,
            "share": self.share,
            "url_pattern": self.url_pattern,
            "locations": self.locations,
            "sample_urls": self.sample_urls,
            "cohesion": self.cohesion,
            "confidence": self.confidence,
            "aliases": self.aliases,
            "nearest": self.nearest,
        }


def template_rows(store: Store, pages: Sequence[PageRow]) -> list[TemplateRow]:
    """The templates of *pages*, all of a crawl's, largest first."""
    members: defaultdict[int, list[PageRow]] = defaultdict(list)
    for page in pages:
        if page.assignment.template is not None:
            members[page.assignment.template].append(page)
    aliases: defaultdict[int, list[int]] = defaultdict(list)
    for old, current in sorted(store.pages.aliases().items()):
        aliases[current].append(old)
    order = sorted(members, key=lambda number: (-len(members[number]), number))
    found = [_row(store, number, members[number], aliases[number], len(pages)) for number in order]
    # Templates of one site are told apart; comparing those of thousands of hosts would cost the
    # square of their number, and say nothing.
    sites: list[list[int]] = [list(range(len(found)))]
    if store.meta("by_host"):
        sites = list(hosts_of([members[number][0].url for number in order]).values())
    sites = [part for site in sites for part in _compared(site)]
    tables = [MarkTable([_marks(store, members[order[i]]) for i in site]) for site in sites]
    titles = [""] * len(found)
    for site, marks in zip(sites, tables, strict=True):
        common = common_words([found[i].url_pattern for i in site])
        for at, i in enumerate(site):
            named = marks.name(at), marks.part(at)
            title = template_title(found[i].url_pattern, *named, found[i].pages, common)
            same = [other for other, j in enumerate(site[:at]) if titles[j] == title]
            told = marks.told_from(at, same) if same else None
            titles[i] = printable(f"{title}-{told}", "") if told else title
    known = dict(store.meta("names", {}))  # type: ignore[call-overload]
    names = unique_names(titles, [known.get(str(number)) for number in order])
    for site, marks in zip(sites, tables, strict=True):
        own = [names[i] for i in site]
        for at, i in enumerate(site):
            nearest = marks.nearest(at)
            found[i].name = names[i]
            found[i].why = printable(marks.why(at, own))
            found[i].nearest = found[site[nearest]].id if nearest is not None else None
    return found


def _compared(site: list[int]) -> list[list[int]]:
    """The templates of a site that are told apart from each other: the largest, and each of the
    others by itself, for what it costs is the square of their number."""
    return [site[:_TOLD_APART], *([one] for one in site[_TOLD_APART:])]


def _marks(store: Store, pages: Sequence[PageRow]) -> list[dict[Mark, None]]:
    skimmed = store.skimmed
    return [
        marks_of(
            page.url,
            NO_OUTLINE if skimmed else store.pages.outline(page.docid),
            page.json_ld,
            page.title,
        )
        for page in spread(pages, _MARKED)
    ]


def _row(
    store: Store, number: int, pages: Sequence[PageRow], aliases: Sequence[int], total: int
) -> TemplateRow:
    sample = spread(pages, _SAMPLE)
    pattern = url_pattern([page.url for page in sample])
    locations = Counter(page.location for page in pages if page.location)
    common = sorted(locations.items(), key=lambda one: (-one[1], one[0]))[:5]
    docids = [page.docid for page in pages]
    shown = docids[0] if store.skimmed else typical(store, docids)
    first = pages[docids.index(shown)]
    others = spread([page for page in pages if page is not first], _SHOWN - 1)
    return TemplateRow(
        id=template_name(number),
        number=number,
        docids=docids,
        typical=shown,
        share=round(len(pages) / total, 4),
        url_pattern=pattern,
        locations=[path for path, _ in common],
        sample_urls=[page.url for page in (first, *others)],
        cohesion=_cohesion(store, spread(docids, _COHESION_SAMPLE)),
        confidence=round(sum(page.assignment.confidence for page in pages) / len(pages), 3),
        aliases=[template_name(old) for old in aliases],
    )


def _cohesion(store: Store, docids: Sequence[int]) -> float:
    if store.skimmed:
        return 1.0  # nobody has seen any
    paths = [Features.decode(store.pages.features(docid)).tag_paths for docid in docids]
    pairs = [jaccard(a, b) for a, b in combinations(paths, 2)]
    return round(sum(pairs) / len(pairs), 3) if pairs else 1.0


def templates_json(store: Store, rows: Sequence[TemplateRow]) -> dict[str, Any]:
    """The content of ``templates.json``."""
    return {
        "site": store.site,
        "method": store.meta("method"),
        "learned_from": store.meta("learned_from"),
        "templates": [row.as_dict() for row in rows],
    }
