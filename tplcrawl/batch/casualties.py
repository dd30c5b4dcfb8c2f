"""Pages that kill whoever reads them: a fault of the parser in C, or more memory than there is.

A part that a process died of is read again in a process of its own, which notes each page before it
reads it. The page at which that one dies twice is left out and told of; others are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.parts import Part
from tplcrawl.batch.pool import Outcome, Task, alone, in_order
from tplcrawl.errors import WorkerDied
from tplcrawl.page.limits import DEADLY

_SURE = 2
"""Deaths at one page that are no accident: a process may also be killed by somebody, or for want of
memory that others took."""


@dataclass(frozen=True, slots=True)
class Watched:
    """The pages of *part*, one at a time: it is known on disk at which one a reader dies."""

    part: Part
    note: Path
    """The file where the number of the page is noted that is read now."""
    without: frozenset[int] = frozenset()
    """The numbers of pages that are left out."""
    left_out: list[str] = field(default_factory=list)
    """Their URLs, as they come."""

    def documents(self, losses: Losses) -> Iterator[Document]:
        """Those that are not left out."""
        documents = self.part.documents(losses)
        for number in count():
            self.note.write_text(str(number), encoding="ascii")
            document = next(documents, None)
            if document is None:
                return
            if number in self.without:
                losses.add(DEADLY)
                self.left_out.append(document.url)
            else:
                yield document


def watch(read: Callable[[Watched], None], part: Part, note: Path) -> None:
    """Let other processes, which may die of it, *read* the pages of *part*, until one comes to the
    end. Pages are left out until then, if need be. O(deaths · pages)."""
    deaths = Counter[int]()
    while True:
        without = frozenset(page for page, times in deaths.items() if times >= _SURE)
        note.unlink(missing_ok=True)
        try:
            alone(read, Watched(part, note, without))
        except WorkerDied:
            # Where there is none, or it is left out already, it is not the page that kills.
            page = int(note.read_text(encoding="ascii")) if note.exists() else None
            if page is None or page in without:
                raise
            deaths[page] += 1
        else:
            note.unlink()
            return


def survivors(
    work: Callable[[Task], Outcome], tasks: Sequence[Task], jobs: int
) -> Iterator[Outcome]:
    """What :func:`~tplcrawl.batch.pool.in_order` gives, where *work* knows of a task that it was
    begun: when another process has died, the rest is begun again, as long as that gets on."""
    done, before = 0, -1
    while done < len(tasks):
        try:
            for outcome in in_order(work, tasks[done:], jobs):
                yield outcome
                done += 1
        except WorkerDied:
            if done == before:
                raise
            before = done
