"""How good the predictions of a crawl were: each was made before its page had come."""

from __future__ import annotations

from typing import Any

from tplcrawl.store.store import Store

_STEPS = 10


def accuracy(store: Store) -> dict[str, Any]:
    """How many were made and how many were right, in all and for each tenth of confidence."""
    current = store.pages.aliases()
    given = dict(zip(store.pages.docids(), store.pages.templates(), strict=True))
    asked, right = [0] * _STEPS, [0] * _STEPS
    for docid, _, told, _ in store.pages.denials():
        if told is None or given[docid] is None:
            continue
        step = min(int(told.confidence * _STEPS), _STEPS - 1)
        asked[step] += 1
        right[step] += current.get(told.template, told.template) == given[docid]
    made = sum(asked)
    return {
        "predicted": made,
        "right": sum(right),
        "calibration": [
            {"confidence": step / _STEPS, "predicted": asked[step], "right": right[step]}
            for step in range(_STEPS)
            if asked[step]
        ],
    }
