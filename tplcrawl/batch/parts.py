"""Inputs in parts that workers can profile: where pages are, never the pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

from tplcrawl.batch.addresses import page_url
from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.folders import folder_url, survey_folder
from tplcrawl.batch.volumes import volumes_of
from tplcrawl.batch.warc import survey_warc
from tplcrawl.page.site import Site

SIZE = 1000
"""Records or files of a part: small enough that work is spread evenly and little of it is lost when
a process dies, large enough that what a part costs by itself does not count."""


class Part(Protocol):
    """Some pages of an input."""

    def documents(self, losses: Losses) -> Iterator[Document]: ...


@dataclass(frozen=True, slots=True)
class Survey:
    """What inputs hold, before any page of them is profiled."""

    parts: Sequence[Part]
    origins: Sequence[str]
    """A URL of each host that has pages: all of them together are the site, so that links between
    them count wherever they stand."""
    key: str
    """Equal for the same parts of the same files."""
    losses: Losses = field(repr=False)

    @property
    def site(self) -> Site:
        """The site that all pages belong to."""
        return Site(self.origins)


def survey(inputs: Iterable[Path], see: Callable[[int], None] = lambda pages: None) -> Survey:
    """Look through *inputs*: archives, and folders of HTML. *see* is told how many pages were seen
    in archives so far."""
    site, origins, parts, losses = Site(()), list[str](), list[Part](), Losses()
    seen = 0
    known: set[tuple[str, ...]] = set()

    def host(url: str) -> None:
        nonlocal seen
        seen += 1
        see(seen)
        # What stands before the path of almost every page has been looked at.
        origin = tuple(url.split("/", 3)[:3])
        if origin not in known:
            normal = page_url(url)
            if normal is not None:
                known.add(origin)
                if site.add(normal):
                    origins.append(normal)

    key = blake2b(digest_size=8)
    for path in inputs:
        if path.is_dir():
            host(folder_url(path))
            parts += survey_folder(path, losses, SIZE)
        else:
            for volume in volumes_of(path):
                parts += survey_warc(volume, SIZE, host)
            told = path.stat()
            key.update(f"{told.st_size} {told.st_mtime_ns} ".encode())
    key.update(repr(parts).encode("utf-8", "surrogatepass"))
    return Survey(parts, origins, key.hexdigest(), losses)


def joined(surveys: Iterable[Survey]) -> Survey:
    """What :func:`survey` finds in all inputs, of what it found in each."""
    site, origins, parts, losses = Site(()), list[str](), list[Part](), Losses()
    key = blake2b(digest_size=8)
    for one in surveys:
        origins += filter(site.add, one.origins)
        parts += one.parts
        losses.counts.update(one.losses.counts)
        key.update(one.key.encode())
    return Survey(parts, origins, key.hexdigest(), losses)
