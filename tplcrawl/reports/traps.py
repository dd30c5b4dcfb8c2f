"""The traps that a crawl has met."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from tplcrawl.clustering.template_ids import template_name
from tplcrawl.clustering.traps import Corner, is_trap
from tplcrawl.store.store import Store


def traps_of(store: Store, contents: Mapping[int, int]) -> list[dict[str, Any]]:
    """Each trap with its location, its template, the pages that were fetched of it, the URLs that
    were found, and the last of the pages; the one with most URLs first. *contents* has a hash of
    what each page shows."""
    texts: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    last: dict[tuple[int, int], str] = {}
    for corner, docid, url in store.pages.looped():
        texts[corner].append(contents[docid])
        last[corner] = url
    paths, urls = store.locations.paths(), store.pages.corner_sizes() if texts else {}
    found = [
        {
            "location": paths[location],
            "template": template_name(template),
            "fetched": len(own),
            "urls": urls[location, template],
            "url": last[location, template],
        }
        for (location, template), own in sorted(texts.items())
        if is_trap(Corner(own, urls[location, template]))
    ]
    return sorted(found, key=lambda trap: -int(trap["urls"]))
