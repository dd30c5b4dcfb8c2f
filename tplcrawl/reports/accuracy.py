"""How good the predictions of a crawl were: each was made before its page had come."""

from __future__ import annotations

from typing import Any

from tplcrawl.store.store import Store


def accuracy(store: Store) -> dict[str, Any]:
    """How many were made, how sure they were on average and how many were right; and how many were
    right of each tenth of confidence."""
    steps = store.figures.predictions()
    predicted = sum(made for _, made, _, _ in steps)
    return {
        "predicted": predicted,
        "right": sum(right for _, _, right, _ in steps),
        "confidence": round(sum(sure for *_, sure in steps) / max(predicted, 1), 4),
        "calibration": [
            {"confidence": confidence, "predicted": made, "right": right}
            for confidence, made, right, _ in steps
        ],
    }
