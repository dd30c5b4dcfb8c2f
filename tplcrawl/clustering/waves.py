"""Block waves: one page for whatever is asked for, as long as they last.

:class:`Waves` is the quick look at pages that have just come, to do something about it in time.
When a crawl has ended, :func:`waves_of` looks at all pages at once: a wave may have been so long,
or have come so early, that its page was expected soon.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence

from tplcrawl.clustering.likes import Seen
from tplcrawl.fingerprints.text_sketch import likeness

WAVE = 5
"""Answers, one after the other, that deny what was expected and say the same."""

SAME_TEXT = 0.7
"""The likeness of texts that are one but for what a URL puts into them."""
_SHARE = 0.7
"""The share of a block page among all pages while it lasts."""
_UNRELATED = 2
"""Templates to which URLs like those of a wave lead at other times."""


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


def is_wave(came: Sequence[int]) -> bool:
    """Whether hardly any other page came between those that *came* then."""
    return len(came) >= _SHARE * (max(came) - min(came) + 1)


def waves_of(pages: Sequence[Seen], alike: Sequence[Sequence[Seen]] = ()) -> list[Seen]:
    """The pages that showed one thing at one time and never else, under URLs whose likes mostly
    lead elsewhere, to several templates. A page type has URLs of its own, or comes when it likes.
    Those that are called *alike* show one thing if they have one title."""
    shown: defaultdict[int, list[Seen]] = defaultdict(list)
    leads: defaultdict[Hashable, Counter[int | None]] = defaultdict(Counter)
    for page in pages:
        shown[page.excuse].append(page)
        for clue in page.clues:
            leads[clue][page.given] += 1
    titled = [same for same in alike if len({page.title for page in same}) == 1]
    return [
        page
        for same in (*shown.values(), *titled)
        if len(same) >= WAVE
        and is_wave([page.arrival for page in same])
        and _under_unrelated(same, leads)
        for page in same
    ]


def _under_unrelated(same: Sequence[Seen], leads: Mapping[Hashable, Counter[int | None]]) -> bool:
    """Whether the likes of most of the *same* pages lead to several other templates, those of one
    form or, as a wave may outlast all URLs of a form, at one place."""
    own = Counter((clue, page.given) for page in same for clue in page.clues)
    elsewhere: Counter[int] = Counter()
    for page in same:
        for clue in page.clues:
            others = Counter({t: n for t, n in leads[clue].items() if t not in (None, page.given)})
            most = max(others, key=others.__getitem__, default=None)
            if most is not None and others[most] > leads[clue][page.given] - own[clue, page.given]:
                elsewhere[most] += 1
                break
    return len(elsewhere) >= _UNRELATED and 2 * elsewhere.total() > len(same)


def _same(one: bytes | None, other: bytes) -> bool:
    if not one or not other:
        return not one and not other
    return likeness(one, other) >= SAME_TEXT
