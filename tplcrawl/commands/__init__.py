"""The command line, thin."""

from __future__ import annotations


def main() -> int:
    """The ``tplcrawl`` command."""
    return 0
