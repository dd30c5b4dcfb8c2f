"""Text that no spreadsheet takes for a formula."""

from __future__ import annotations

import re
from typing import Any

_FORMULA = re.compile(r"^[\s\0]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")


def formula_safe(value: Any) -> Any:
    """*value* so that no spreadsheet takes it for a formula.

    >>> formula_safe("=HYPERLINK(1)"), formula_safe("7"), formula_safe(-2)
    ("'=HYPERLINK(1)", '7', -2)
    """
    if isinstance(value, str) and _FORMULA.match(value):
        return f"'{value}"
    if isinstance(value, list):
        return [formula_safe(one) for one in value]
    if isinstance(value, dict):
        return {formula_safe(name): formula_safe(one) for name, one in value.items()}
    return value
