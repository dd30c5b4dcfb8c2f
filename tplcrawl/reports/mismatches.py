"""The mismatches of a crawl: which of its pages deny what was expected of them, and how."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable

from tplcrawl.clustering.mismatches import DOUBTFUL, Arrivals, Denial, classify
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.url_shape import url_forms
from tplcrawl.recording import taught
from tplcrawl.similarity.sets import jaccard
from tplcrawl.store.store import Store


def mismatches_of(store: Store) -> dict[int, str]:
    """The kind of each mismatch, by docid."""
    expect, current = taught(store), store.pages.aliases()
    pages = {docid: (url, place, given) for docid, url, place, given in store.pages.briefs()}
    shown = dict(store.pages.contents())
    contents: defaultdict[int, list[tuple[Hashable, int]]] = defaultdict(list)
    denials: list[Denial] = []
    proper: defaultdict[int | None, list[int]] = defaultdict(list)
    samples: dict[int | None, int] = {}
    for docid, arrival, told, noted in store.pages.denials():
        url, place, given = pages[docid]
        samples.setdefault(given.template, docid)
        # The first pages came before anything could be expected of them.
        told = told or expect(url, place)
        form = url_forms(url)[0]
        if place.location is None:
            contents[shown[docid]].append((form, arrival))
        if told is None or told.confidence < DOUBTFUL:
            continue
        expected = current.get(told.template, told.template)
        if expected == given.template:
            proper[given.template].append(arrival)
            contents[shown[docid]].append((form, arrival))
            continue
        text, password = (noted[1:], bool(noted[0])) if noted else (b"", False)
        denials.append(
            Denial(
                docid,
                arrival,
                expected,
                told.confidence,
                given.template,
                shown[docid],
                form,
                text,
                password,
            )
        )

    def alike(one: int, other: int) -> float:
        if one not in samples or other not in samples:
            return 0.0
        first, second = (
            Features.decode(store.pages.features(samples[template])) for template in (one, other)
        )
        return jaccard(first.tag_paths, second.tag_paths)

    return classify(denials, Arrivals(proper, contents), alike)
