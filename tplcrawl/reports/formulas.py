"""Text that a spreadsheet would run."""

from __future__ import annotations

import re
from typing import Any

_FORMULA = re.compile(r"^[\s\0]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")


def formula_safe(value: Any) -> Any:
    """*value* so that no spreadsheet takes it for a formula.

    >>> formula_safe("=HYPERLINK(1)"), formula_safe("7"), formula_safe(-2)
    ("'=HYPERLINK(1)", '7', -2)
    """
    if isinstance(value, str):
        # Most texts begin with a letter, which is told faster than by the pattern.
        return f"'{value}" if not value[:1].isalnum() and _FORMULA.match(value) else value
    if isinstance(value, list):
        return [formula_safe(one) for one in value]
    if isinstance(value, dict):
        return {formula_safe(name): formula_safe(one) for name, one in value.items()}
    return value
