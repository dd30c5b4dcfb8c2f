"""Pages pass in the order in which they were asked for, whichever answer comes first.

With many requests under way, answers come in any order. Ids are given to URLs in the order of
discovery, and everything else follows from that order: so the pages are taken in one after the
other, and two crawls of one site are equal to the byte.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from twisted.internet.defer import Deferred


class Turnstile:
    """Lets ids through in the order in which they entered. Amortised O(1) an id."""

    def __init__(self) -> None:
        self._order: deque[int] = deque()
        self._inside: set[int] = set()
        self._waiting: dict[int, Deferred[None]] = {}

    def __len__(self) -> int:
        """How many have entered and not left."""
        return len(self._inside)

    def __contains__(self, id_: int) -> bool:
        return id_ in self._inside

    def enter(self, id_: int) -> None:
        """*id_* takes its place at the end of the line."""
        self._order.append(id_)
        self._inside.add(id_)

    def give_place(self, id_: int, other: int) -> None:
        """*id_*, whose turn it is, leaves its place to *other*."""
        if id_ != other:
            self._order.appendleft(other)
            self._inside.add(other)
            self.leave(id_)

    def turn(self, id_: int) -> Deferred[None]:
        """Fires when everybody before *id_* has left."""
        turn: Deferred[None] = Deferred()
        if self._order and self._order[0] == id_:
            turn.callback(None)
        else:
            self._waiting[id_] = turn
        return turn

    def leave(self, id_: int, meanwhile: Callable[[], object] = lambda: None) -> None:
        """*id_* is through, or will never come. What is to be done *meanwhile* is done before it is
        anybody's turn. Does nothing more the second time."""
        inside = id_ in self._inside
        self._inside.discard(id_)
        self._waiting.pop(id_, None)
        meanwhile()
        if not inside:
            return
        while self._order and self._order[0] not in self._inside:
            self._order.popleft()
        if self._order and (turn := self._waiting.pop(self._order[0], None)):
            turn.callback(None)

    def everybody(self) -> list[int]:
        """Those who entered and have not left, in order."""
        return [id_ for id_ in self._order if id_ in self._inside]

    def abandoned(self) -> list[int]:
        """Those who entered and do not wait for their turn."""
        return [id_ for id_ in self._order if self.walks(id_)]

    def walks(self, id_: int) -> bool:
        """Whether *id_* has entered, and neither left nor come to wait for its turn."""
        return id_ in self._inside and id_ not in self._waiting
