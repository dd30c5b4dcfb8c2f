"""Block waves, seen while they last: one page for whatever is asked for.

When a crawl has ended, :mod:`tplcrawl.clustering.mismatches` looks at all pages at once. This is
the quick look at those that have just come, to do something about it in time.
"""

from __future__ import annotations

from tplcrawl.fingerprints.text_sketch import likeness

WAVE = 5
"""Answers, one after the other, that deny what was expected and say the same."""

_SAME_TEXT = 0.7
"""See :mod:`tplcrawl.clustering.mismatches`."""


class Waves:
    """Notes pages in the order in which they come. O(1) a page."""

    def __init__(self, known: bytes | None = None) -> None:
        self._text = b""
        self._length = 0
        self.known = known
        """What the site says in waves, once there was one."""
        self.count = 0
        """How many waves there were."""

    @property
    def on(self) -> bool:
        """Whether a wave lasts."""
        return self._length >= WAVE

    def note(self, text: bytes | None, *, denied: bool) -> bool:
        """A page came; *denied* is whether it is not what was expected, and *text* a sketch of what
        it says, or ``None`` for an answer that is a refusal by its status. Return whether it is
        part of a wave.

        >>> waves = Waves()
        >>> [waves.note(b"abcd", denied=True) for _ in range(6)]
        [False, False, False, False, True, True]
        >>> waves.note(b"efgh", denied=False), waves.note(b"abcd", denied=False), waves.count
        (False, True, 1)
        """
        if self.known is not None and _same(text, self.known):
            # It may be expected by now.
            self._length = max(self._length, WAVE)
            return True
        if self._length and _same(text, self._text):
            self._length += 1
        elif denied:
            self._text, self._length = text or b"", 1
        else:
            self._length = 0
        if self._length == WAVE:
            self.count += 1
            self.known = self._text
        return self.on


def _same(one: bytes | None, other: bytes) -> bool:
    if not one or not other:
        return not one and not other
    return likeness(one, other) >= _SAME_TEXT
