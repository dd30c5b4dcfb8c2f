"""What ``cluster`` and ``merge`` have in common: the templates of the pages that are in a store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tplcrawl.batch.aside import MADE_HERE, RESULT
from tplcrawl.clustering.base import Method
from tplcrawl.commands.parsing import print_json
from tplcrawl.commands.printer import Printer
from tplcrawl.errors import InputError, JobError, UsageError
from tplcrawl.recording import Recording
from tplcrawl.reports.templates import TemplateRow
from tplcrawl.reports.terminal import print_summary
from tplcrawl.reports.wording import counted
from tplcrawl.store.database import FILE
from tplcrawl.store.store import Store


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in so many pages."""

    templates: Sequence[TemplateRow]
    pages: int
    compared: int
    """Of which it was learned."""

    def tell(self, folder: Path, file: str, *, as_json: bool) -> None:
        """Print it; *file* is what to look at in *folder*, which is whole: what is printed may not
        be taken."""
        if as_json:
            print_json(json.loads((folder / "templates.json").read_text("utf-8")))
            return
        console = Printer()
        print_summary(console, self.templates)
        note = f", learned from {self.compared:,} of them" if self.compared < self.pages else ""
        count = counted(len(self.templates), "template")
        print(f"\n{counted(self.pages, 'page')}{note}, {count} → {folder / file}")


def write_clusters(
    folder: Path,
    method: Method,
    *,
    stopped: str,
    positional: bool,
    by_host: bool = False,
    save_html: str = "samples",
) -> Found:
    """Cluster what is in *folder*, and write all files there; *stopped* is why other URLs have no
    page."""
    with Store(folder, write=False) as store:
        if method.needs_links and not store.pages.any_inbound():
            raise InputError(f"{method.name} needs links between the pages; this input has none")
    # This finds the templates of the pages that are there.
    recording = Recording(
        folder, None, method, positional=positional, by_host=by_host, save_html=save_html
    )
    try:
        return write_found(recording.store, stopped)
    finally:
        recording.close()


def write_found(store: Store, stopped: str) -> Found:
    """Write all files of a store whose pages have their templates."""
    # Skimmed pages have no streams, and Scrapy takes longer to import than ten thousand to skim.
    from scrapy.settings import default_settings

    from tplcrawl.crawl.outputs import write_outputs

    store.set_meta(MADE_HERE, True)
    store.set_meta("stopped", stopped)
    written = write_outputs(store, stopped, "jsonl", default_settings.FEED_EXPORTERS_BASE)
    return Found(written.templates, len(store.pages), int(str(store.meta("learned_from"))))


def check_room(folder: Path, inputs: Sequence[Path]) -> None:
    """Refuse to touch anything but an earlier result of these commands, or to read what is
    written."""
    own = folder.resolve()
    if folder.exists() and any(own in (path.resolve(), *path.resolve().parents) for path in inputs):
        raise UsageError("the result must go to another directory than the input")
    if any(path.is_dir() and path.resolve() in own.parents for path in inputs):
        raise UsageError("the result must not go into the input, of which it would be a part")
    if (folder / FILE).is_file():
        with Store(folder, write=False) as store:
            if not store.meta(MADE_HERE):
                raise JobError(f"{folder} holds a crawl; it is not overwritten")
        return
    for name in RESULT:
        if (folder / name).exists():
            raise JobError(f"{folder} holds {name}, but no result; it is not overwritten")
