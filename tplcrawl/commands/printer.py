"""Where tables are printed."""

from __future__ import annotations

import os
from typing import Any

from rich.console import Console

from tplcrawl.reports.terminal import UNCUT


class Printer(Console):
    """A console that says it when nobody reads what is printed; Rich would end the process. What is
    not printed on a terminal is not cut to the width of one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if not self.is_terminal and "COLUMNS" not in os.environ:
            self.width = UNCUT

    def on_broken_pipe(self) -> None:
        raise
