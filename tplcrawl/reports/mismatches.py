"""The mismatches of a crawl: which of its pages deny what was expected of them, and how."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from urllib.parse import unquote

from tplcrawl.clustering.faces import faces_of
from tplcrawl.clustering.likes import Seen
from tplcrawl.clustering.mismatches import (
    BLOCK,
    COPIES,
    DOUBTFUL,
    REDIRECT,
    SOFT_404,
    Arrivals,
    Denial,
    Shown,
    classify,
    or_walls,
)
from tplcrawl.clustering.misnomers import Called, misnomers
from tplcrawl.clustering.rebuilt import rebuilt
from tplcrawl.clustering.refrains import called_alike, refrains
from tplcrawl.clustering.sampling import spread
from tplcrawl.clustering.waves import is_wave, waves_of
from tplcrawl.fingerprints.url_shape import url_form
from tplcrawl.records import Prediction
from tplcrawl.store.arrivals import arrivals
from tplcrawl.store.looks import Looks
from tplcrawl.store.pages import PageRow
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Place
from tplcrawl.words import unpacked, words_of

_SAMPLE = 300
"""Pages that tell what every page links to."""
_EVERYWHERE = 0.5
"""The share of pages from which on a link is on every page."""


def mismatches_of(
    store: Store,
    pages: Sequence[PageRow],
    expect: Callable[[str, Place], Prediction | None],
    looks: Mapping[int, Looks],
) -> dict[int, str]:
    """The kind of each mismatch among *pages*, all of a crawl's, by docid. *looks* has what each
    of them shows."""
    current = store.pages.aliases()
    rows = {page.docid: page for page in pages}
    likely: dict[int, tuple[Prediction | None, Prediction | None]] = {}
    forms_of = {page.docid: url_form(page.url) for page in pages}
    seen: list[Seen] = []
    links = _Links(store)
    notes = list(arrivals(store.database))
    shown_by = Counter(shown.content for shown in looks.values())
    same_bytes = Counter(shown.digest for shown in looks.values())
    place_of = _places(pages, looks)
    clues = {one.docid: _clues(forms_of[one.docid], one.place, rows) for one in notes}
    unmet = misnomers(lambda: map(_called, store.pages.callings()), clues)
    for docid, arrival, place, *_ in notes:
        page = rows[docid]
        given = page.assignment.template
        before = _certain(page.predicted, current)
        after = before
        # What was expected, and shows what no other page does, needs no second look.
        if before is None or before.template != given or shown_by[looks[docid].content] > 1:
            after = _certain(expect(page.url, place), current)
        # The first pages came before anything could be expected of them.
        likely[docid] = before if page.predicted else after, after
        last = after or likely[docid][0]
        expected = last.template if last else None
        linked = docid in links.everywhere
        content, excuse, digest, named, *parts = looks[docid]
        seen.append(
            Seen(
                docid, arrival, content, excuse, digest, given, expected, place_of[docid],
                place.source, clues[docid], linked, named,
                frozenset() if linked else unmet.get(docid, frozenset()), *parts,
            )
        )  # fmt: skip
    faces = faces_of(seen, links.of)

    shown: defaultdict[int, list[Shown]] = defaultdict(list)
    forms: defaultdict[Hashable, set[int | None]] = defaultdict(set)
    denials: list[Denial] = []
    proper: defaultdict[int | None, list[int]] = defaultdict(list)
    for docid, arrival, _, asks, text in notes:
        template, form = rows[docid].assignment.template, forms_of[docid]
        before, after = likely[docid]
        denies = before is not None and before.template != template
        if docid in faces.moved or (denies and docid in faces.owned):
            continue
        if denies or docid in faces.stray:
            stray = docid in faces.stray
            copied = stray and same_bytes[looks[docid].digest] >= COPIES
            stands = not stray and after is not None and after.template == template
            denials.append(
                Denial(
                    docid, arrival, template, looks[docid].excuse, form, text, asks, stands, copied
                )
            )
        else:
            shown[looks[docid].excuse].append(Shown(docid, arrival, form))
            if before is not None:
                proper[template].append(arrival)
                forms[form].add(template)
    asking = {one.docid: one.asks for one in notes}
    kinds = classify(denials, Arrivals(proper, shown, forms, asking))
    contents = {docid: looks[docid].content for docid in faces.moved}
    alike = called_alike(seen)
    said = refrains(alike, seen, faces.moved | faces.owned)
    waves = [one for one in said if is_wave([page.arrival for page in one])]
    waves.append(waves_of(seen, alike))
    excuses = {page.docid: page.excuse for one in (*said, *waves) for page in one}
    blocked = {page.docid for one in waves for page in one}
    return {
        **rebuilt(seen),
        **kinds,
        **or_walls(REDIRECT, faces.moved, contents, asking),
        **or_walls(SOFT_404, excuses.keys() - blocked, excuses, asking),
        **or_walls(BLOCK, blocked, excuses, asking),
    }


def _clues(form: Hashable, place: Place, rows: Mapping[int, PageRow]) -> list[Hashable]:
    """What a URL has in common with its likes; a start page has none."""
    if place.location is None:
        return []
    source = rows.get(place.source) if place.source is not None else None
    return [form, (source.assignment.template if source else None, place.location)]


def _called(row: tuple[int, bytes, str, str, str]) -> Called:
    """A page that a link with words led to, by words."""
    docid, words, url, title, canonical = row
    asked = unpacked(words).union(words_of(unquote(url)))
    return Called(docid, asked, set(words_of(f"{title} {unquote(canonical)}")))


def _places(pages: Sequence[PageRow], looks: Mapping[int, Looks]) -> dict[int, str]:
    """The URL of each page; without its parameters, unless most pages of that path show something
    else with each."""
    own: defaultdict[str, list[PageRow]] = defaultdict(list)
    for page in pages:
        own[page.url.partition("?")[0]].append(page)
    places: dict[int, str] = {}
    for bare, same in own.items():
        told_apart = 2 * len({looks[page.docid].content for page in same}) > len(same) > 1
        places.update((page.docid, page.url if told_apart else bare) for page in same)
    return places


def _certain(told: Prediction | None, current: Mapping[int, int]) -> Prediction | None:
    """A prediction as templates go now; ``None`` for a doubtful one."""
    if told is None or told.confidence < DOUBTFUL:
        return None
    now = current.get(told.template)
    return Prediction(now, told.confidence) if now is not None else told


class _Links:
    """What pages link to, but for what is linked to everywhere."""

    def __init__(self, store: Store) -> None:
        self._pages = store.pages
        sample = spread(store.pages.docids(), _SAMPLE)
        counts = Counter(target for own in self._all(sample) for target in own[1])
        least = _EVERYWHERE * len(sample)
        self.everywhere = {target for target, count in counts.items() if count > least}
        """What most pages link to."""

    def of(self, docids: Sequence[int]) -> dict[int, Set[int]]:
        """What each of *docids* links to."""
        return {docid: own - self.everywhere for docid, own in self._all(docids)}

    def _all(self, docids: Sequence[int]) -> Iterator[tuple[int, Set[int]]]:
        for docid, links in self._pages.sightings(docids):
            yield docid, frozenset(links.targets.tolist())
