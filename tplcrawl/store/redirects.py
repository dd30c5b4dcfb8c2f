"""Where redirected URLs led at last."""

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
