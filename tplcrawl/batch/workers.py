"""Parts of an input profiled by several processes, each part into a store of its own.

A worker is told where pages are and leaves a store on disk; nothing of a page goes through a pipe.
The stores are absorbed in the order of the parts, so the outcome is the same for any number of
workers, and a few of them for each worker wait on disk. What is there of a run that was killed is
not done again; what it had begun is read with care, for it may have died of that.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from tplcrawl.batch.casualties import Watched, survivors, watch
from tplcrawl.batch.documents import DOUBLE, Losses
from tplcrawl.batch.ingest import leave_out, site_name, take_in
from tplcrawl.batch.parts import Part, Survey
from tplcrawl.batch.progress import Clock, Progress
from tplcrawl.page.limits import DEADLY
from tplcrawl.page.site import Site
from tplcrawl.store.database import FILE
from tplcrawl.store.merging import absorb
from tplcrawl.store.placing import place_anew
from tplcrawl.store.store import Store

PARTS = "parts"
"""The folder of the stores that are still to be absorbed, each called by its part's number."""

_LOSSES = "losses.json"
_ABSORBED = "absorbed"


def profile_parts(
    folder: Path,
    found: Survey,
    jobs: int,
    *,
    save_html: bool,
    progress: Callable[[Progress], None] = lambda now: None,
) -> Losses:
    """Let *folder* hold a store of all pages of *found*; return what could not be used."""
    scratch = folder / PARTS
    with Store(folder) as store:
        losses = Losses()
        losses.counts.update(dict(store.meta(_LOSSES, {})))  # type: ignore[call-overload]
        first = int(str(store.meta(_ABSORBED, 0)))
        scratch.mkdir(exist_ok=True)
        works = [(scratch / str(n), part) for n, part in enumerate(found.parts)][first:]
        clock = Clock(len(store.pages), first, len(found.parts))
        work = _Profiling(tuple(found.origins), save_html)
        for done, (made, told) in enumerate(survivors(work, works, jobs), first + 1):
            losses.counts.update(told)
            pages = _absorbed(store, made, losses)
            store.set_meta(_ABSORBED, done)
            store.set_meta(_LOSSES, losses.counts)
            store.commit()
            shutil.rmtree(made)
            progress(clock.now(pages, done))
        losses.counts.update(found.losses.counts)
        store.lost = losses.counts
        store.claim(site_name(found.site))
        place_anew(store)
        # A run that was killed later may have begun to give them.
        store.forget_templates()
    shutil.rmtree(scratch)
    return losses


def _absorbed(store: Store, made: Path, losses: Losses) -> int:
    """Take the pages of one part in; return how many there were."""
    if not (made / FILE).is_file():
        return 0
    with Store(made, write=False) as part:
        doubled = absorb(store, part)
        if doubled:
            losses.counts[DOUBLE] += doubled
        return len(part.pages) - doubled


@dataclass(frozen=True, slots=True)
class _Profiling:
    """What a worker does with a part."""

    origins: Sequence[str]
    """Of the site that all pages are of."""
    save_html: bool

    def __call__(self, task: tuple[Path, Part]) -> tuple[Path, dict[str, int]]:
        """Leave a store of the part's pages; where it is there already, it is whole."""
        made, part = task
        profile_part(made, part, self.origins, save_html=self.save_html)
        told: dict[str, int] = json.loads((made / _LOSSES).read_text(encoding="utf-8"))
        return made, told


def profile_part(made: Path, part: Part, origins: Sequence[str], *, save_html: bool) -> None:
    """Leave in *made* a store of the pages of *part*; where it is there already, it is whole. Where
    a process died while it made one, it is made with care."""
    if made.is_dir():
        return
    aside = made.with_suffix(".part")
    read = partial(_read, aside, tuple(origins), save_html)
    if aside.is_dir():
        watch(read, part, made.with_suffix(".page"))
    else:
        read(part)
    aside.replace(made)


def _read(aside: Path, origins: Sequence[str], save_html: bool, part: Part | Watched) -> None:
    """Leave in *aside* a store of the pages of *part*, and what could not be used."""
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    losses = Losses()
    with Store(aside, passing=True) as store:
        documents, site = part.documents(losses), _site(origins)
        if isinstance(part, Watched):
            take_in(store, documents, losses, site, save_html=save_html, together=1)
            leave_out(store, part.left_out, DEADLY)
        else:
            take_in(store, documents, losses, site, save_html=save_html)
    (aside / _LOSSES).write_text(json.dumps(losses.counts), encoding="utf-8")


@lru_cache(maxsize=1)
def _site(origins: Sequence[str]) -> Site:
    return Site(origins)
