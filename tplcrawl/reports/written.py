"""What the files of a crawl say, for those who tell of it when they are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tplcrawl.reports.templates import TemplateRow


@dataclass(frozen=True, slots=True)
class Written:
    """What the files say that is told on a terminal too."""

    templates: Sequence[TemplateRow] = ()
    numbers: Mapping[str, Any] = field(default_factory=dict)
    """The content of ``coverage.json``."""
