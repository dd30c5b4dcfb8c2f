"""Where redirected URLs led at last, and what led to others."""

from __future__ import annotations

from tplcrawl.store.database import Database
from tplcrawl.store.urls import State


def ends(database: Database) -> dict[int, int]:
    """For each URL in *database* that was redirected, the one where that ended."""
    led: dict[int, int] = dict(
        database.rows("SELECT id, target FROM url WHERE state = ?", [int(State.REDIRECTED)])
    )
    found: dict[int, int] = {}
    for id_, end in led.items():
        seen = {id_}
        while end in led and end not in seen:
            seen.add(end)
            end = led[end]
        found[id_] = end
    return found


def sources(database: Database) -> dict[int, str]:
    """For each URL in *database* that another one redirected to, the first such."""
    found: dict[int, str] = {}
    for target, url in database.rows(
        "SELECT target, url FROM url WHERE state = ? ORDER BY id", [int(State.REDIRECTED)]
    ):
        found.setdefault(target, url)
    return found
