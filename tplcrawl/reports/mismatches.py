"""The mismatches of a crawl: which of its pages deny what was expected of them, and how."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence

from tplcrawl.clustering.mismatches import DOUBTFUL, Arrivals, Denial, Shown, classify
from tplcrawl.fingerprints.url_shape import url_form
from tplcrawl.records import Prediction
from tplcrawl.store.pages import PageRow
from tplcrawl.store.store import Store
from tplcrawl.store.urls import Place


def mismatches_of(
    store: Store,
    pages: Sequence[PageRow],
    expect: Callable[[str, Place], Prediction | None],
    contents: Mapping[int, int],
) -> dict[int, str]:
    """The kind of each mismatch among *pages*, all of a crawl's, by docid. *contents* has a hash of
    what each of them shows."""
    current = store.pages.aliases()
    rows = {page.docid: page for page in pages}
    shown: defaultdict[int, list[Shown]] = defaultdict(list)
    forms: defaultdict[Hashable, set[int | None]] = defaultdict(set)
    denials: list[Denial] = []
    proper: defaultdict[int | None, list[int]] = defaultdict(list)
    for docid, arrival, told, noted in store.pages.denials():
        page = rows[docid]
        template = page.assignment.template
        # The first pages came before anything could be expected of them.
        told = told or expect(page.url, store.urls.get(docid).place)
        form = url_form(page.url)
        if told is None or told.confidence < DOUBTFUL:
            shown[contents[docid]].append(Shown(docid, arrival, form))
            continue
        expected = current.get(told.template, told.template)
        if expected == template:
            proper[template].append(arrival)
            forms[form].add(template)
            shown[contents[docid]].append(Shown(docid, arrival, form))
            continue
        text, password = (noted[1:], bool(noted[0])) if noted else (b"", False)
        denials.append(
            Denial(
                docid,
                arrival,
                expected,
                told.confidence,
                template,
                contents[docid],
                form,
                text,
                password,
            )
        )

    return classify(denials, Arrivals(proper, shown, forms))
