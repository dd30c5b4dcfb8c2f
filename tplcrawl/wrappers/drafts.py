"""Fields in the making: what varies, and which of it says what another one says already."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tplcrawl.wrappers.labels import MARKS
from tplcrawl.wrappers.leaves import Leaf
from tplcrawl.wrappers.skeleton import Part
from tplcrawl.wrappers.steps import Path, Target
from tplcrawl.wrappers.surroundings import Surroundings
from tplcrawl.wrappers.values import cleaned

_LETTERS = 4
"""Letters that must stand around a value for a text to be made of it."""

_NEAR = 3
"""Steps from a label to its value."""


@dataclass(eq=False, slots=True)
class Draft:
    """A leaf that varies, on its way to a field."""

    leaf: Leaf
    values: list[str | None]
    """For each page, its value."""
    others: list[Leaf] = field(default_factory=list)
    """Leaves with the same values."""
    many: bool = False
    derived: bool = False
    """Whether it is the template's words around the value of another one."""


def drafts_of(parts: Sequence[Part], leaves: dict[int, list[Leaf]], pages: int) -> list[Draft]:
    """The leaves that vary from page to page, those with the same values taken together. What was
    laid over each other twice, from the root and from a landmark, is one list: the fuller one."""
    drafts: list[Draft] = []
    placed: dict[tuple[Path, Target], Draft] = {}
    same: dict[tuple[str | None, ...], Draft] = {}
    for part in parts:
        if part.lists > (1 if part.many else 0):
            continue
        if part.lists and not simple(part, leaves):
            continue
        for leaf in leaves[id(part)]:
            if part.lists and leaf.target.kind != "text":
                continue
            values = _by_page(leaf, pages)
            if not _varies(values):
                continue
            key = tuple(values)
            if not part.lists and key in same:
                same[key].others.append(leaf)
                continue
            draft = Draft(leaf, values, [], many=part.lists > 0)
            if not part.lists:
                same.setdefault(key, draft)
            else:
                known = placed.setdefault((part.path(), leaf.target), draft)
                if known is not draft:
                    if count(values) > count(known.values):
                        known.leaf, known.values = leaf, values
                    continue
            drafts.append(draft)
    return folded(drafts)


def show(drafts: Sequence[Draft], around: Surroundings, pages: int) -> None:
    """Of the places that have the same values, take one that is not of the surroundings: a title
    stands in menus and in the page's head as well."""
    for draft in drafts:
        values = [value for value in draft.values if value]
        if draft.many or not around.low(draft.leaf, values, pages):
            continue
        for number, leaf in enumerate(draft.others):
            if not around.low(leaf, values, pages) and _by_page(leaf, pages) == draft.values:
                draft.leaf, draft.others[number] = leaf, draft.leaf
                break


def simple(part: Part, leaves: dict[int, list[Leaf]]) -> bool:
    """Whether the rows of a list are nothing but one text each."""
    if not part.many or part.parts:
        return False
    return sum(leaf.target.kind == "text" for leaf in leaves[id(part)]) == 1


def _by_page(leaf: Leaf, pages: int) -> list[str | None]:
    found: list[list[str]] = [[] for _ in range(pages)]
    for node, texts in zip(leaf.part.examples, leaf.values, strict=True):
        found[node.page] += map(cleaned, texts)
    return ["\n".join(filter(None, texts)) or None for texts in found]


def count(values: Sequence[str | None]) -> int:
    """On how many pages there is a value."""
    return sum(value is not None for value in values)


def _varies(values: Sequence[str | None]) -> bool:
    return len({value for value in values if value}) > 1


def folded(drafts: Sequence[Draft]) -> list[Draft]:
    """*drafts* without those that agree with another one wherever they are, which become places
    where to look for its value; with those told that are made of another one's values. O(n²)."""
    kept: list[Draft] = []
    plain = [d for d in drafts if not d.many and not d.leaf.minor]
    ranked = sorted(
        plain, key=lambda d: (-sum(v is not None for v in d.values), d.leaf.target.kind != "text")
    )
    gone: set[int] = set()
    for draft in ranked:
        other = next((one for one in kept if _agree(draft, one)), None)
        if other is None:
            kept.append(draft)
        else:
            other.others.append(draft.leaf)
            gone.add(id(draft))
    for draft in _joined(kept):
        gone.add(id(draft))
    for draft in kept:
        draft.derived = _is_derived(draft, kept)
    return [draft for draft in drafts if id(draft) not in gone]


def _joined(drafts: Sequence[Draft]) -> Iterator[Draft]:
    """Give each of *drafts* the values of the one that is called like it and stands elsewhere, if
    every page has either the one or the other; yield those that are no longer needed."""
    called: dict[object, Draft] = {}
    for draft in drafts:
        key = _called(draft)
        first = called.setdefault(key, draft) if key is not None else draft
        if first is not draft and all(
            (mine is None) != (its is None)
            for mine, its in zip(draft.values, first.values, strict=True)
        ):
            first.values = [
                its if mine is None else mine
                for mine, its in zip(draft.values, first.values, strict=True)
            ]
            first.others.insert(0, draft.leaf)
            yield draft


def _called(draft: Draft) -> object:
    """The label of *draft*, and what lies between them."""
    leaf = draft.leaf
    if leaf.target.label is not None:
        return leaf.target.label
    between = []
    for step in reversed(leaf.part.path()[-_NEAR:]):
        between.append((step.tag, leaf.target))
        if step.label is not None:
            return step.label, tuple(between)
    return None


def _agree(draft: Draft, other: Draft) -> bool:
    """Whether *draft* has the values of *other*, where it has any."""
    if (draft.leaf.target.kind == "attribute") != (other.leaf.target.kind == "attribute"):
        return False
    seen: set[str] = set()
    for mine, its in zip(draft.values, other.values, strict=True):
        if mine is not None:
            if mine != its:
                return False
            seen.add(mine)
    return len(seen) >= 2


def _is_derived(draft: Draft, others: Sequence[Draft]) -> bool:
    """Whether each value of *draft* is the same words with a value of another field among them."""
    texts = [value for value in draft.values if value is not None]
    start = os.path.commonprefix(texts)
    end = os.path.commonprefix([text[len(start) :][::-1] for text in texts])[::-1]
    around = start + end
    if sum(c.isalpha() for c in around) < _LETTERS or start.rstrip()[-1:] in MARKS:
        return False
    if draft.leaf.target.kind == "attribute" or draft.leaf.target.label is not None:
        return False
    cores = [
        None if value is None else value[len(start) : len(value) - len(end)].strip()
        for value in draft.values
    ]
    if any(core == "" for core in cores):
        return False
    for other in others:
        if (
            other is not draft
            and all(
                core is None or (value is not None and core in value and len(core) > 1)
                for core, value in zip(cores, other.values, strict=True)
            )
            and _length(other) <= _length(draft)
        ):
            return True
    return False


def _length(draft: Draft) -> float:
    texts = [value for value in draft.values if value is not None]
    return sum(map(len, texts)) / len(texts)
