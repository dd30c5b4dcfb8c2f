"""Pages of which nothing is read but their URL and their LZW fingerprint.

Some methods need no more. Nothing is parsed then, no link is followed back and nothing of a page
goes to disk but a line, so it costs little more than reading. What is known of a part is one file;
a part whose file is there has been read. To import numpy would take a worker as long as all else.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from tplcrawl.batch.documents import DOUBLE, Losses
from tplcrawl.batch.folders import survey_folder
from tplcrawl.batch.glances import Glance, glance, glance_at
from tplcrawl.batch.parts import Part
from tplcrawl.batch.pool import in_order
from tplcrawl.batch.progress import Clock, Progress
from tplcrawl.batch.spans import WarcSpan, cut_warc
from tplcrawl.batch.volumes import Volume
from tplcrawl.fingerprints.lzw import Fingerprint

SPAN = 16 * 1024 * 1024
"""Bytes of an archive that one part has."""
FILES = 5000
"""Files of a folder that one part has."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be skimmed."""

    parts: Sequence[Part | WarcSpan]
    key: str
    """Equal for the same parts of the same files."""
    losses: Losses = field(repr=False)


def plan_of(inputs: Iterable[Path]) -> Plan:
    """Cut *inputs*, archives and folders, into parts; no archive is read."""
    parts: list[Part | WarcSpan] = []
    losses = Losses()
    key = blake2b(b"skim", digest_size=8)
    for path in inputs:
        if path.is_dir():
            parts += survey_folder(path, losses, FILES)
        else:
            parts += cut_warc(path, SPAN)
            key.update(f"{path.stat().st_mtime_ns} ".encode())
    key.update(repr(parts).encode("utf-8", "surrogatepass"))
    return Plan(parts, key.hexdigest(), losses)


class Batch(NamedTuple):
    """The pages of a part whose URLs had not been seen before, a column for each fact."""

    urls: list[str]
    keys: list[int]
    """The identities of the URLs."""
    statuses: list[int]
    fingerprints: list[Fingerprint]
    """Equal ones are one object: there are a few for a hundred pages."""


@dataclass(slots=True)
class Skimmed:
    """The pages that were found, each URL once, a column for each fact."""

    urls: list[str] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    fingerprints: list[Fingerprint] = field(default_factory=list)
    losses: Losses = field(default_factory=Losses)

    def __len__(self) -> int:
        return len(self.urls)


def skim(
    folder: Path,
    plan: Plan,
    jobs: int,
    progress: Callable[[Progress], None] = lambda now: None,
    take: Callable[[Batch], None] = lambda batch: None,
) -> Skimmed:
    """Skim all parts of *plan* by *jobs* processes, leaving a file for each in *folder*. The
    outcome is the same for any number of them. *take* is given the pages as they come, in their
    order, while others are still read."""
    folder.mkdir(exist_ok=True)
    found = Skimmed()
    found.losses.counts.update(plan.losses.counts)
    same: dict[str, Fingerprint] = {}
    seen: set[int] = set()
    tasks = [(folder / f"{number}.pages", part) for number, part in enumerate(plan.parts)]
    clock = Clock(0, 0, len(tasks))
    before: tuple[Volume, int] | None = None
    for done, task in enumerate(in_order(_skim_part, tasks, jobs), 1):
        made, part = task
        pages = _PartPages.read(made)
        if isinstance(part, WarcSpan):
            if part.start != part.volume.start and before is not None and pages.first != before[1]:
                made.unlink()
                pages = _PartPages.read(_skim_part((made, part.after(before[1])))[0])
            before = part.volume, pages.next
        found.losses.counts.update(pages.losses)
        batch = _batch(pages, seen, same)
        if len(batch.urls) < len(pages.urls):
            found.losses.counts[DOUBLE] += len(pages.urls) - len(batch.urls)
        take(batch)
        found.urls += batch.urls
        found.statuses += batch.statuses
        found.fingerprints += batch.fingerprints
        progress(clock.now(len(batch.urls), done))
    return found


def _batch(pages: _PartPages, seen: set[int], same: dict[str, Fingerprint]) -> Batch:
    """Those of *pages* whose URLs come for the first time; *same* has every fingerprint once."""
    known = [same.setdefault(text, bytes.fromhex(text)) for text in pages.fingerprints]
    fresh = []
    for place, key in enumerate(pages.keys):
        if key not in seen:
            seen.add(key)
            fresh.append(place)
    return Batch(
        list(map(pages.urls.__getitem__, fresh)),
        list(map(pages.keys.__getitem__, fresh)),
        list(map(pages.statuses.__getitem__, fresh)),
        [known[pages.prints[place]] for place in fresh],
    )


@dataclass(frozen=True, slots=True)
class _PartPages:
    """The pages of a part, as they stand in its file: a line of JSON, the columns, the URLs."""

    first: int
    """Where its first record begins, and the first one after it."""
    next: int
    losses: dict[str, int]
    fingerprints: list[str]
    """All that there are, as hexadecimal numbers."""
    keys: array[int]
    statuses: array[int]
    prints: array[int]
    """The fingerprint of each page, by its place among them."""
    urls: list[str]

    @classmethod
    def of(cls, glances: Iterable[Glance], losses: Losses) -> _PartPages:
        """Those that *glances* has seen."""
        seen = list(glances)
        shown = [one.lzw for one in seen]
        numbers = {one: number for number, one in enumerate(dict.fromkeys(shown))}
        return cls(
            0, 0, losses.counts, [one.hex() for one in numbers],
            array("q", [one.key for one in seen]),
            array("q", [one.status for one in seen]),
            array("q", [numbers[one] for one in shown]),
            [one.url for one in seen],
        )  # fmt: skip

    @classmethod
    def read(cls, path: Path) -> _PartPages:
        head, columns = path.read_bytes().split(b"\n", 1)
        told = json.loads(head)
        count = told.pop("count")
        numbers = array("q", columns[: 24 * count])
        keys, statuses, prints = (numbers[at * count : (at + 1) * count] for at in range(3))
        urls = columns[24 * count :].decode().split("\n") if count else []
        return cls(**told, keys=keys, statuses=statuses, prints=prints, urls=urls)

    def write(self, path: Path) -> None:
        told = {
            "first": self.first, "next": self.next, "losses": self.losses,
            "fingerprints": self.fingerprints, "count": len(self.urls),
        }  # fmt: skip
        aside = path.with_suffix(".part")
        with aside.open("wb") as file:
            file.write(json.dumps(told).encode() + b"\n")
            for column in (self.keys, self.statuses, self.prints):
                file.write(column.tobytes())
            file.write("\n".join(self.urls).encode())
        aside.replace(path)


def _skim_part(task: tuple[Path, Part | WarcSpan]) -> tuple[Path, Part | WarcSpan]:
    """Leave in a file what is seen of each page of a part."""
    made, part = task
    if not made.exists():
        losses = Losses()
        if isinstance(part, WarcSpan):
            reader = part.read(glance, losses)
            pages = _PartPages.of(reader, losses)
            pages = replace(pages, first=reader.first, next=reader.next)
        else:
            seen = (glance_at(document, losses) for document in part.documents(losses))
            pages = _PartPages.of(filter(None, seen), losses)
        pages.write(made)
    return task
