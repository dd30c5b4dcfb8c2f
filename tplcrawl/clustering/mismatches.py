"""Pages that are not what was expected of their URLs, and what that means.

Nothing here looks at words: sites excuse themselves in any language. What tells is whether other
URLs of the page's template were expected to be of it, whether the same text came under other URLs,
and in which order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from tplcrawl.fingerprints.text_sketch import likeness

SOFT_404, REDIRECT, BLOCK, LOGIN = "soft-404", "redirect", "block", "login"
VARIANT, REDESIGN = "variant", "redesign"
KINDS = (SOFT_404, REDIRECT, BLOCK, LOGIN, VARIANT, REDESIGN)

DOUBTFUL = 0.5
"""How sure a prediction must be to be denied."""

_SAME_TEXT = 0.7
"""The likeness of texts that are one but for what a URL puts into them."""
_REPEATED = 3
"""Pages with one text that make it an excuse."""
_WAVE = 0.7
"""The share of a block page among all pages while it lasts."""
_SAME_PAGE = 0.6
"""The likeness in structure from which two templates show the same things."""


@dataclass(frozen=True, slots=True)
class Denial:
    """A page that is not of the template that was expected."""

    docid: int
    arrival: int
    """Its place in the order in which pages came."""
    expected: int
    confidence: float
    given: int | None
    content: int = 0
    """A hash of its structure and title: pages that show the same have the same."""
    form: Hashable = None
    """What its URL looks like."""
    text: bytes = b""
    """A sketch of its text; empty where it was no denial yet when it came, and templates have been
    found anew since."""
    password: bool = False
    """Whether it asks for a password."""


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The pages that are as expected: when those of each template came."""

    proper: Mapping[int | None, Sequence[int]]
    contents: Mapping[int, Sequence[tuple[Hashable, int]]]
    """For each content, the pages that rightly show it: the form of the URL, and when it came."""


def classify(
    denials: Sequence[Denial], pages: Arrivals, alike: Callable[[int, int], float]
) -> dict[int, str]:
    """The kind of each denial, by docid; those that only show a template nobody knew have none.
    *alike* says how much two templates have in common.

    O(d) for d denials, times the number of different texts.
    """
    groups: defaultdict[int | None, list[Denial]] = defaultdict(list)
    for denial in sorted(denials, key=lambda one: one.arrival):
        groups[denial.given].append(denial)
    kinds: dict[int, str] = {}
    for given, group in sorted(groups.items(), key=lambda one: (one[0] is None, one[0] or 0)):
        moved = {one.docid for one in group if _shown_elsewhere(one, group, pages)}
        kinds.update(dict.fromkeys(moved, REDIRECT))
        rest = [one for one in group if one.docid not in moved]
        for excuse in _excuses(rest):
            kind = _kind_of_excuse(excuse, pages)
            kinds.update((one.docid, kind) for one in excuse)
        rest = [one for one in rest if one.text and one.docid not in kinds]
        if given is not None and rest:
            kinds.update(_kinds_of_shape(given, rest, pages, alike))
    return kinds


def _shown_elsewhere(denial: Denial, group: Sequence[Denial], pages: Arrivals) -> bool:
    """Whether the same page stands under a URL of its own, which looks unlike those that deny, and
    was there before them: excuses are learnt to be expected in the end."""
    first = min(one.arrival for one in group if one.content == denial.content)
    before = {form for form, arrival in pages.contents.get(denial.content, ()) if arrival < first}
    return bool(denial.text) and not before <= {one.form for one in group}


def _excuses(group: Sequence[Denial]) -> list[list[Denial]]:
    """Those of *group* that say the same under different URLs."""
    texts: list[tuple[bytes, list[Denial]]] = []
    silent: list[Denial] = []
    for denial in group:
        if not denial.text:
            silent.append(denial)
            continue
        for text, same in texts:
            if likeness(text, denial.text) >= _SAME_TEXT:
                same.append(denial)
                break
        else:
            texts.append((denial.text, [denial]))
    found = [same for _, same in texts if len(same) >= _REPEATED]
    if len(found) == 1 and 2 * len(found[0]) >= len(group) - len(silent):
        # Pages that were taken for what was expected when they came, and are not any more.
        found[0] += silent
    return found


def _kind_of_excuse(excuse: Sequence[Denial], pages: Arrivals) -> str:
    if 2 * sum(one.password for one in excuse) > len(excuse):
        return LOGIN
    came = [one.arrival for one in excuse]
    if len(excuse) >= _WAVE * (max(came) - min(came) + 1):
        return BLOCK
    return SOFT_404


def _kinds_of_shape(
    given: int,
    group: Sequence[Denial],
    pages: Arrivals,
    alike: Callable[[int, int], float],
) -> dict[int, str]:
    """A template with texts of its own, which is like the one that was expected."""
    expected, count = Counter(one.expected for one in group).most_common(1)[0]
    if count < _REPEATED or alike(given, expected) < _SAME_PAGE:
        return {}
    own = [one for one in group if one.expected == expected]
    usual = pages.proper.get(expected, ())
    later = sum(arrival > own[0].arrival for arrival in usual)
    kind = VARIANT if later else REDESIGN if usual else None
    return {one.docid: kind for one in own} if kind else {}
