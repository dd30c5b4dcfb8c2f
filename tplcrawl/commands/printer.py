"""Where tables are printed."""

from __future__ import annotations

from rich.console import Console


class Printer(Console):
    """A console that says it when nobody reads what is printed; Rich would end the process."""

    def on_broken_pipe(self) -> None:
        raise
