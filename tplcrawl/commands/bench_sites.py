"""The packed sites that a benchmark crawls."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tplcrawl.errors import UsageError
from tplcrawl.evaluation.corpus import Corpus

_UNLINKED = "swde"
"""Pages without links, for wrappers alone; it lies among the others where all are named at once."""


def linked_sites(folders: Sequence[Path]) -> list[Corpus]:
    """The sites in *folders* that have links."""
    found = [Corpus.open(folder) for folder in folders if folder.name != _UNLINKED]
    if not found:
        raise UsageError(f"{_UNLINKED} has no links: there is no site to measure")
    return found
