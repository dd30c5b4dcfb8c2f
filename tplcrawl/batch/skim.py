"""Pages of which nothing is read but their URL and their LZW fingerprint.

Some methods need no more. Nothing is parsed then, no link is followed back and nothing of a page
goes to disk but a line, so it costs little more than reading. What is known of a part is one file;
a part whose file is there has been read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.folders import survey_folder
from tplcrawl.batch.ingest import DOUBLE
from tplcrawl.batch.parts import Part
from tplcrawl.batch.pool import in_order
from tplcrawl.batch.spans import WarcSpan, cut_warc
from tplcrawl.batch.volumes import Volume
from tplcrawl.batch.workers import Clock, Progress
from tplcrawl.fingerprints.lzw import Fingerprint, fingerprint
from tplcrawl.page.urls import normal_url
from tplcrawl.store.keys import url_key

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


@dataclass(slots=True)
class Skimmed:
    """The pages that were found, each URL once, a column for each fact."""

    urls: list[str] = field(default_factory=list)
    keys: list[int] = field(default_factory=list)
    """The identities of the URLs."""
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
) -> Skimmed:
    """Skim all parts of *plan* by *jobs* processes, leaving a file for each in *folder*. The
    outcome is the same for any number of them."""
    folder.mkdir(exist_ok=True)
    found = Skimmed()
    found.losses.counts.update(plan.losses.counts)
    # Equal fingerprints are one object: there are a few for a hundred pages.
    same: dict[str, Fingerprint] = {}
    seen: set[int] = set()
    tasks = [(folder / f"{number}.lines", part) for number, part in enumerate(plan.parts)]
    clock = Clock(0, 0, len(tasks))
    before: tuple[Volume, int] | None = None
    for done, task in enumerate(in_order(_skim_part, tasks, jobs), 1):
        made, part = task
        head, lines = _lines(made)
        if isinstance(part, WarcSpan):
            if before is not None and before[0] == part.volume and head.first != before[1]:
                made.unlink()
                head, lines = _lines(_skim_part((made, part.after(before[1])))[0])
            before = part.volume, head.next
        found.losses.counts.update(head.losses)
        already = len(found)
        for line in lines:
            text, status, url = line.split(" ", 2)
            key = url_key(url)
            if key in seen:
                found.losses.add(DOUBLE)
                continue
            seen.add(key)
            found.urls.append(url)
            found.keys.append(key)
            found.statuses.append(int(status))
            known = same.get(text)
            if known is None:
                known = same[text] = bytes.fromhex(text)
            found.fingerprints.append(known)
        progress(clock.now(len(found) - already, done))
    return found


@dataclass(frozen=True, slots=True)
class _Head:
    """What is told of a part before its lines."""

    first: int
    next: int
    losses: dict[str, int]


def _lines(made: Path) -> tuple[_Head, list[str]]:
    head, *lines = made.read_text("utf-8").split("\n")[:-1]
    return _Head(**json.loads(head)), lines


def _skim_part(task: tuple[Path, Part | WarcSpan]) -> tuple[Path, Part | WarcSpan]:
    """Leave in a file a line for each page of a part."""
    made, part = task
    if not made.exists():
        losses = Losses()
        if isinstance(part, WarcSpan):
            reader = part.read(losses)
            lines = list(_skimmed(reader, losses))
            head = _Head(reader.first, reader.next, losses.counts)
        else:
            lines = list(_skimmed(part.documents(losses), losses))
            head = _Head(0, 0, losses.counts)
        told = json.dumps({"first": head.first, "next": head.next, "losses": head.losses})
        aside = made.with_suffix(".part")
        aside.write_text("\n".join([told, *lines, ""]), "utf-8")
        aside.replace(made)
    return task


def _skimmed(documents: Iterable[Document], losses: Losses) -> Iterator[str]:
    for document in documents:
        try:
            url = normal_url(document.url)
        except ValueError:
            url = None
        if url is None:
            losses.add("no http URL")
            continue
        yield f"{fingerprint(document.body).hex()} {document.status} {url}"
