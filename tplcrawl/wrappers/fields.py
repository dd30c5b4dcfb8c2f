"""What a wrapper says of one leaf of a template: its field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tplcrawl.wrappers.affixes import affixes
from tplcrawl.wrappers.drafts import Draft, count
from tplcrawl.wrappers.leaves import Leaf
from tplcrawl.wrappers.naming import name_of, unique
from tplcrawl.wrappers.skeleton import Part
from tplcrawl.wrappers.surroundings import Surroundings
from tplcrawl.wrappers.values import cleaned, type_of
from tplcrawl.wrappers.wrapper import Field, Rule

EXAMPLES = 3
_LONGEST_EXAMPLE = 200


def field_of(draft: Draft, name: str, source: str, around: Surroundings, pages: int) -> Field:
    """The field *name* of the pages' own values, of all *pages*."""
    texts = [text for value in draft.values if value for text in value.split("\n")]
    leaf = draft.leaf
    prefix, suffix = ("", "") if leaf.target.kind != "text" else affixes(texts)
    type_ = _type(leaf, texts, prefix, suffix)
    return Field(
        name,
        Rule(leaf.part.path(), leaf.target),
        type_,
        draft.many,
        count(draft.values) / pages,
        draft.derived or around.low(leaf, [v for v in draft.values if v], pages),
        prefix,
        suffix,
        source,
        _examples(texts),
        _elsewhere(draft),
    )


def _elsewhere(draft: Draft) -> tuple[Rule, ...]:
    """Where else the value is found: from a landmark, or in another place."""
    detour = draft.leaf.part.detour()
    found = [] if detour is None else [Rule(detour, draft.leaf.target)]
    found += [Rule(other.part.path(), other.target) for other in draft.others[:2]]
    return tuple(found)


def _type(leaf: Leaf, texts: Sequence[str], prefix: str, suffix: str) -> str:
    if leaf.target.kind == "html":
        return "html"
    if leaf.target.name in ("href", "src", "data-src"):
        return "url" if leaf.target.name == "href" else "image"
    return type_of([text[len(prefix) : len(text) - len(suffix)] for text in texts])


def row_fields(top: Part, leaves: Sequence[Leaf], most: int) -> list[Field]:
    """The fields of the rows of a list, *most* at the most."""
    rows = len(top.examples)
    taken: set[str] = set()
    seen: set[tuple[str, ...]] = set()
    fields: list[Field] = []
    for leaf in leaves:
        texts = [cleaned(text) for own in leaf.values for text in own]
        key = tuple(texts)
        if key in seen or len(fields) >= most:
            continue
        seen.add(key)
        name, source = name_of(leaf, lambda part: 1)
        many = leaf.part.lists > 1
        prefix, suffix = ("", "") if leaf.target.kind != "text" else affixes(texts)
        fields.append(
            Field(
                unique(name, taken),
                Rule(leaf.part.path(top), leaf.target),
                _type(leaf, texts, prefix, suffix),
                many,
                min(1.0, leaf.present / rows),
                prefix=prefix,
                suffix=suffix,
                named_by=source,
                examples=_examples(texts),
            )
        )
    return fields


def _examples(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text[:_LONGEST_EXAMPLE] for text in dict.fromkeys(texts))[:EXAMPLES]
