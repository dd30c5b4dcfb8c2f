"""Pages that are not what was expected of their URLs, and what that means.

What words mean is nothing to go by: sites excuse themselves in any language. What tells is whether
other URLs of the page's template were expected to be of it, whether the same text came under other
URLs, and in which order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from tplcrawl.clustering.waves import SAME_TEXT, is_wave
from tplcrawl.fingerprints.text_sketch import likeness
from tplcrawl.records import Prediction

SOFT_404, REDIRECT, BLOCK, LOGIN = "soft-404", "redirect", "block", "login"

DOUBTFUL = 0.5
"""How sure a prediction must be to be denied."""

COPIES = 3
"""Pages with one text that make it an excuse."""
_VARIETY = 3
"""The pages with one text for each structure and title among them, or for each sketch of a text:
short pages, whose texts are mostly the site's, vary more in both."""
_LEARNT = 3
"""The pages of a template that are as expected, for each denial, from which on it is none that
nobody knew."""
_SHARE = 3
"""The denials of a template, for each excuse among them, from which on it is one that the site
really has, and some of its pages are just alike. And the excuses for each page that showed the same
before anything was expected, from which on that is one, too."""


def denies(expected: Prediction | None, template: int | None) -> bool:
    """Whether a page of *template* is not what was *expected*."""
    if expected is None or expected.confidence < DOUBTFUL:
        return False
    return expected.template != template


@dataclass(frozen=True, slots=True)
class Denial:
    """A page that is not of the template that was expected."""

    docid: int
    arrival: int
    """Its place in the order in which pages came."""
    given: int | None
    content: int = 0
    """A hash of its structure and of its title without words of its URL: pages that show the same
    have the same."""
    form: Hashable = None
    """What its URL looks like."""
    text: bytes = b""
    """A sketch of its text; empty where it was no denial yet when it came, and templates have been
    found anew since."""
    password: bool = False
    """Whether it asks for a password."""
    stands: bool = False
    """Whether it is what was expected after all, by all that the crawl has seen in the end."""
    copied: bool = False
    """Whether it is one of :data:`COPIES` pages of the same bytes, none of which is its own."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A page that denies nothing."""

    docid: int
    arrival: int
    form: Hashable
    """What its URL looks like."""


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The pages that are as expected: when those of each template came."""

    proper: Mapping[int | None, Sequence[int]]
    contents: Mapping[int, Sequence[Shown]]
    """For each content, the pages that show it and deny nothing."""
    forms: Mapping[Hashable, Set[int | None]]
    """For each form of URLs, the templates that such URLs rightly lead to."""
    asking: Mapping[int, bool] = field(default_factory=dict)
    """For every page, whether it asks for a password."""


def classify(denials: Sequence[Denial], pages: Arrivals) -> dict[int, str]:
    """The kind of each mismatch, by docid; those that only show a template nobody knew have none.

    O(d) for d denials, times the number of different texts.
    """
    groups: defaultdict[int | None, list[Denial]] = defaultdict(list)
    for denial in sorted(denials, key=lambda one: one.arrival):
        groups[denial.given].append(denial)
    kinds: dict[int, str] = {}
    for given, group in sorted(groups.items(), key=lambda one: (one[0] is None, one[0] or 0)):
        for excuse in map(_told_apart, _excuses(group)):
            contents = {one.content for one in excuse}
            texts = {one.text for one in excuse if one.text} or contents
            if len(excuse) < max(COPIES, _VARIETY * min(len(contents), len(texts))):
                continue
            copied = 2 * sum(one.copied for one in excuse) > len(excuse)
            if _SHARE * len(excuse) < len(group) and not copied:
                continue
            earlier, learnt = _alike(excuse, pages)
            kind = LOGIN if _is_wall(excuse, pages.asking) else _kind_of_excuse(excuse, learnt)
            stands = 2 * sum(one.stands for one in excuse) > len(excuse)
            if stands and (kind != BLOCK or earlier):
                continue
            usual = not copied and len(pages.proper.get(given, ())) > _LEARNT * len(excuse)
            if usual and not _under_many_urls(given, excuse, learnt, pages):
                continue
            early = earlier if _SHARE * len(earlier) <= len(excuse) else []
            kinds.update((one.docid, kind) for one in excuse)
            kinds.update((one.docid, kind) for one in [*early, *learnt])
    return kinds


def or_walls(
    kind: str, pages: Set[int], contents: Mapping[int, int], asking: Mapping[int, bool]
) -> dict[int, str]:
    """Of *pages* that are of *kind*, those that ask for a password are login walls. *contents* has
    what each shows; *asking* tells of all pages whether they ask for one, as on some sites every
    page does."""
    others = [asks for docid, asks in asking.items() if docid not in pages]
    framed = 2 * sum(others) > len(others)
    votes: defaultdict[int, list[bool]] = defaultdict(list)
    for docid in sorted(pages & asking.keys()):
        votes[contents[docid]].append(asking[docid] and not framed)
    walls = {content for content, told in votes.items() if 2 * sum(told) > len(told)}
    return {docid: LOGIN if contents[docid] in walls else kind for docid in sorted(pages)}


def _excuses(group: Sequence[Denial]) -> list[list[Denial]]:
    """Those of *group* that say the same under different URLs."""
    texts: list[tuple[bytes, list[Denial]]] = []
    silent: list[Denial] = []
    for denial in group:
        if not denial.text:
            silent.append(denial)
            continue
        for text, same in texts:
            if likeness(text, denial.text) >= SAME_TEXT:
                same.append(denial)
                break
        else:
            texts.append((denial.text, [denial]))
    found = [same for _, same in texts if len(same) >= COPIES]
    by_content = {one.content: same for same in reversed(found) for one in same}
    only = found[0] if len(found) == 1 and 2 * len(found[0]) >= len(group) - len(silent) else None
    few = [one for _, same in texts if len(same) < COPIES for one in same]
    for denial in [*silent, *few]:
        joined = by_content.get(denial.content)
        if joined is None and denial.copied:
            joined = by_content[denial.content] = []
            found.append(joined)
        elif joined is None and not denial.text:
            # It was taken for what was expected when it came, and is not any more.
            joined = only
        if joined is not None:
            joined.append(denial)
    return [sorted(same, key=lambda one: one.arrival) for same in found]


def _told_apart(excuse: Sequence[Denial]) -> list[Denial]:
    """*excuse* without pages that show what no other of it does, and stand rightly, so that their
    text is mostly the site's, or have no text to tell by."""
    counts = Counter(one.content for one in excuse)
    return [one for one in excuse if counts[one.content] > 1 or (one.text and not one.stands)]


def _alike(excuse: Sequence[Denial], pages: Arrivals) -> tuple[list[Shown], list[Shown]]:
    """The pages with the same content that deny nothing: those that came before and were right, and
    those that came when it was expected already. What a wave begins with may deny nothing either:
    little was expected of it."""
    contents = sorted({one.content for one in excuse})
    shown = [one for content in contents for one in pages.contents.get(content, ())]
    if is_wave(_came(excuse, shown)):
        return [], shown
    first = excuse[0].arrival
    earlier = [one for one in shown if one.arrival < first]
    return earlier, [one for one in shown if one.arrival > first]


def _under_many_urls(
    given: int | None, excuse: Sequence[Denial], learnt: Sequence[Shown], pages: Arrivals
) -> bool:
    """Whether most URLs with an excuse look like URLs that lead elsewhere, or like no others."""
    forms = [*(one.form for one in excuse), *(one.form for one in learnt)]
    return 2 * sum(pages.forms.get(form) != {given} for form in forms) > len(forms)


def _is_wall(excuse: Sequence[Denial], asking: Mapping[int, bool]) -> bool:
    """Whether it asks for a password, and others do not: on some sites every page does."""
    inside = {one.docid for one in excuse}
    own = [one.password for one in excuse]
    others = [asks for docid, asks in asking.items() if docid not in inside]
    return 2 * sum(own) > len(own) and 2 * sum(others) <= len(others)


def _kind_of_excuse(excuse: Sequence[Denial], learnt: Sequence[Shown]) -> str:
    return BLOCK if is_wave(_came(excuse, learnt)) else SOFT_404


def _came(excuse: Sequence[Denial], shown: Sequence[Shown]) -> list[int]:
    return [*(one.arrival for one in excuse), *(one.arrival for one in shown)]
