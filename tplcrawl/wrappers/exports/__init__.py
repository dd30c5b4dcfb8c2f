"""Wrappers and samples as other tools take them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import cast

from tplcrawl.wrappers.exports.bundle import Bundle

EXPORTS = ("json", "web-poet", "scrapely", "html")
"""What can be exported: ``json`` is what is always written."""


def export(kind: str, folder: Path, bundles: Sequence[Bundle]) -> Path:
    """Write an export below *folder*, in the place of an earlier one; return where."""
    module = import_module(f"{__name__}.{kind.replace('-', '_')}")
    write = cast("Callable[[Path, Sequence[Bundle]], None]", module.write)
    target = folder / "exports" / kind
    write(target, bundles)
    return target
