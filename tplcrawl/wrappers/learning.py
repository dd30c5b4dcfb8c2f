"""Pages of one template → its wrapper."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tplcrawl.wrappers.anatomy import Anatomy, anatomy
from tplcrawl.wrappers.drafts import Draft, drafts_of, show, simple
from tplcrawl.wrappers.fields import field_of, row_fields
from tplcrawl.wrappers.leaves import Leaf, leaves_of
from tplcrawl.wrappers.mixture import halves
from tplcrawl.wrappers.naming import name_of, unique
from tplcrawl.wrappers.nodes import tree_of
from tplcrawl.wrappers.prose import rich_parts, within
from tplcrawl.wrappers.skeleton import Part, skeleton
from tplcrawl.wrappers.stable import Stable
from tplcrawl.wrappers.steps import Path
from tplcrawl.wrappers.structured import names_of, structured
from tplcrawl.wrappers.surroundings import Surroundings
from tplcrawl.wrappers.wrapper import Field, Rows, Wrapper

LEARNT = 10
"""Pages that a wrapper is learnt from."""

MOST_FIELDS = 150
MOST_LISTS = 40
"""Of one wrapper: a page that has more is a dump of data, not a record."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page to learn from or to extract."""

    url: str
    root: Any
    """Its parsed tree."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What some pages teach."""

    wrapper: Wrapper
    skeletons: tuple[Anatomy, ...] = ()
    """One, or two if the pages are of two templates: then the wrapper is for the first."""


def learn(template: str, pages: Sequence[Page]) -> Wrapper:
    """The wrapper of *template*, from at most :data:`LEARNT` of *pages*."""
    return study(template, pages).wrapper


def study(template: str, pages: Sequence[Page]) -> Lesson:
    """The wrapper of *template*, from at most :data:`LEARNT` of *pages*, and their skeleton."""
    pages = pages[:LEARNT]
    urls = tuple(page.url for page in pages)
    if len(pages) < 2:
        warning = "one page was kept: what is template and what is data cannot be told apart"
        return Lesson(Wrapper(template, learned_from=urls, warnings=(warning,)))
    trees = [tree_of(page.root, number) for number, page in enumerate(pages)]
    cuts = sorted({cut for tree in trees for cut in tree.cuts})
    root = skeleton(trees, Stable(trees))
    parts = list(root.walk())
    apart = halves(parts, len(pages))
    if apart is not None:
        return _of_half(template, pages, *apart)
    rich = rich_parts(parts)
    leaves = {id(part): list(leaves_of(part, rich=id(part) in rich)) for part in parts}
    around = Surroundings(root, leaves)
    width = _widths(root, leaves)
    taken: set[str] = {"url"}
    shown = [part for part in parts if not (part.lists and within(part, rich))]
    drafts = drafts_of(shown, leaves, len(pages))
    show(drafts, around, len(pages))
    told = structured([page.root for page in pages])
    given, agreed = names_of([draft.values for draft in drafts], told)
    fields = _named(drafts, given, width, around, taken, len(pages))
    lists = _lists(shown, leaves, around, taken, len(pages))
    warnings = tuple(f"a sample is too large: its {cut} were cut" for cut in cuts)
    wrapper = Wrapper(
        template,
        fields=tuple(fields),
        lists=tuple(lists),
        learned_from=urls,
        structured=agreed,
        warnings=warnings,
    )
    return Lesson(wrapper, (anatomy(parts, leaves, urls),))


def _of_half(
    template: str, pages: Sequence[Page], larger: Sequence[int], smaller: Sequence[int]
) -> Lesson:
    """The wrapper of the larger part of samples that are of two templates."""
    lesson = study(template, [pages[number] for number in larger])
    other = study(template, [pages[number] for number in smaller])
    told = (
        f"two skeletons: {len(smaller)} of {len(pages)} samples, {pages[smaller[0]].url} among"
        " them, are of another template, and do not fit this wrapper"
    )
    wrapper = replace(lesson.wrapper, warnings=(*lesson.wrapper.warnings, told))
    return Lesson(wrapper, (*lesson.skeletons, *other.skeletons))


def _widths(root: Part, leaves: dict[int, list[Leaf]]) -> Any:
    """How many texts that vary there are in and below each part."""
    counts: Counter[int] = Counter()
    for part in reversed(list(root.walk())):
        counts[id(part)] += sum(
            len(leaf.distinct) > 1 and leaf.target.kind == "text" for leaf in leaves[id(part)]
        )
        if part.parent is not None:
            counts[id(part.parent)] += counts[id(part)]
    return lambda part: counts[id(part)]


def _named(
    drafts: Sequence[Draft],
    given: dict[int, tuple[str, str]],
    width: Any,
    around: Surroundings,
    taken: set[str],
    pages: int,
) -> list[Field]:
    fields = []
    # A name that the pages' own data gives goes to its field, whatever comes before it.
    given = {number: told for number, told in given.items() if told[0] not in taken}
    taken.update(name for name, _ in given.values())
    for number, draft in enumerate(drafts):
        if number in given:
            name, source = given[number]
            taken.discard(name)
        else:
            name, source = name_of(draft.leaf, width)
        made = field_of(draft, unique(name, taken), source, around, pages)
        if number in given and draft.leaf.part.step.tag != "meta":
            # The page itself says that this, as it stands, is data.
            made = replace(made, low=False, prefix="", suffix="")
        fields.append(made)
        if made.prefix or made.suffix:
            # Whoever compares with what the page shows wants it whole.
            whole = unique(f"{made.name}_text", taken)
            fields.append(replace(made, name=whole, type="text", prefix="", suffix=""))
    low = [field.low for field in fields]
    if sum(not one for one in low) > MOST_FIELDS:
        kept = 0
        for i, field in enumerate(fields):
            kept += not field.low
            if kept > MOST_FIELDS:
                fields[i] = replace(field, low=True)
    return fields


def _lists(
    parts: Sequence[Part],
    leaves: dict[int, list[Leaf]],
    around: Surroundings,
    taken: set[str],
    pages: int,
) -> list[Rows]:
    found: dict[Path, Rows] = {}
    inside: defaultdict[int, list[Leaf]] = defaultdict(list)
    tops: dict[int, Part] = {}
    for part in parts:
        if not part.lists:
            continue
        top = part
        while not (top.many and top.lists == 1):
            assert top.parent is not None
            top = top.parent
        tops[id(top)] = top
        inside[id(top)] += [leaf for leaf in leaves[id(part)] if len(leaf.distinct) > 1]
    for key, top in tops.items():
        if simple(top, leaves) or not inside[key]:
            continue
        own = row_fields(top, inside[key], MOST_LISTS)
        if own:
            path = top.path()
            low = around.low_list(top, inside[key])
            support = len({node.page for node in top.examples}) / pages
            known = found.get(path)
            if known is None:
                name = unique(around.list_name(top), taken)
            elif known.support < support:
                name = known.name
            else:
                continue
            found[path] = Rows(name, path, tuple(own), support, low)
    return list(found.values())[:MOST_LISTS]
