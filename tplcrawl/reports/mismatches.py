"""The mismatches of a crawl: which of its pages deny what was expected of them, and how."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable

from tplcrawl.clustering.mismatches import DOUBTFUL, Arrivals, Denial, Shown, classify
from tplcrawl.fingerprints.url_shape import url_forms
from tplcrawl.recording import taught
from tplcrawl.store.store import Store


def mismatches_of(store: Store) -> dict[int, str]:
    """The kind of each mismatch, by docid."""
    expect, current = taught(store), store.pages.aliases()
    pages = {docid: (url, place, given) for docid, url, place, given in store.pages.briefs()}
    shown = dict(store.pages.contents())
    contents: defaultdict[int, list[Shown]] = defaultdict(list)
    forms: defaultdict[Hashable, set[int | None]] = defaultdict(set)
    denials: list[Denial] = []
    proper: defaultdict[int | None, list[int]] = defaultdict(list)
    for docid, arrival, told, noted in store.pages.denials():
        url, place, given = pages[docid]
        # The first pages came before anything could be expected of them.
        told = told or expect(url, place)
        form = url_forms(url)[0]
        if told is None or told.confidence < DOUBTFUL:
            contents[shown[docid]].append(Shown(docid, arrival, form))
            continue
        expected = current.get(told.template, told.template)
        if expected == given.template:
            proper[given.template].append(arrival)
            forms[form].add(given.template)
            contents[shown[docid]].append(Shown(docid, arrival, form))
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

    return classify(denials, Arrivals(proper, contents, forms))
