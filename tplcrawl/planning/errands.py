"""What URLs are fetched for."""

from __future__ import annotations

from dataclasses import dataclass

from tplcrawl.planning.yields import Kind
from tplcrawl.store.urls import Place

NEEDED, UNKNOWN, HUB, RANDOM = "needed", "unknown", "hub", "random"
"""Why a URL is fetched: pages of its template are needed, nothing is expected of it, it leads to
what is needed, or it was drawn."""


@dataclass(frozen=True, slots=True)
class Errand:
    """What a URL that is under way is fetched for."""

    place: Place
    kind: Kind
    why: str
    doubt: float = 0.0
    """How likely it is that something else comes, where that is what it is fetched for."""
