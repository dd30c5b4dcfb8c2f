"""A wrapper tried on pages that it was not learnt from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tplcrawl.wrappers.extraction import Extractor
from tplcrawl.wrappers.learning import Page
from tplcrawl.wrappers.wrapper import Field, Wrapper

FALLEN = 0.5
"""A field that is found on less than this part of its support is no field of the template."""


def checked(wrapper: Wrapper, pages: Sequence[Page]) -> Wrapper:
    """*wrapper*, knowing what of it holds on further *pages*: what is on all samples but not on all
    of these is not required, and what is hardly on any of these is low."""
    if not pages or not wrapper.fields:
        return wrapper
    extractor = Extractor(wrapper, low=True)
    found: Counter[str] = Counter()
    fitting = 0
    for page in pages:
        record = extractor(page.root, page.url)
        if record.misfit is None:
            fitting += 1
            found.update(name for name, value in record.values.items() if value)
    if not fitting:
        told = "none of the pages that it was tried on fits it"
        return replace(wrapper, checked_on=len(pages), warnings=(*wrapper.warnings, told))
    fields = tuple(
        _weighed(one, found[one.name], fitting, len(wrapper.learned_from)) for one in wrapper.fields
    )
    return replace(wrapper, fields=fields, checked_on=len(pages))


def _weighed(one: Field, found: int, pages: int, learnt: int) -> Field:
    support = (one.support * learnt + found) / (learnt + pages)
    fallen = found / pages < FALLEN * one.support
    return replace(one, support=support, low=one.low or fallen)
