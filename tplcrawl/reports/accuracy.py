"""How good the predictions of a crawl were: each was made before its page had come."""

from __future__ import annotations

from typing import Any

from tplcrawl.store.store import Store


def accuracy(store: Store) -> dict[str, Any]:
    """How many were made and how many were right, in all and for each tenth of confidence."""
    steps = store.figures.predictions()
    return {
        "predicted": sum(made for _, made, _ in steps),
        "right": sum(right for _, _, right in steps),
        "calibration": [
            {"confidence": confidence, "predicted": made, "right": right}
            for confidence, made, right in steps
        ],
    }
