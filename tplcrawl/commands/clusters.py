"""What ``cluster`` and ``merge`` have in common: the templates of the pages that are in a store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tplcrawl.batch.aside import MADE_HERE, RESULT
from tplcrawl.clustering.base import Method
from tplcrawl.commands.printer import Printer
from tplcrawl.errors import InputError, JobError, UsageError
from tplcrawl.recording import Recording
from tplcrawl.reports.templates import TemplateRow
from tplcrawl.reports.terminal import print_summary
from tplcrawl.reports.wording import counted
from tplcrawl.store.database import FILE
from tplcrawl.store.store import Store


def write_clusters(
    folder: Path,
    method: Method,
    *,
    shown: Path,
    stopped: str,
    positional: bool,
    by_host: bool = False,
    save_html: str = "samples",
    as_json: bool,
) -> str:
    """Cluster what is in *folder*, write all files there, and return what is to be said; *shown* is
    where they will be, and *stopped* why other URLs have no page."""
    with Store(folder, write=False) as store:
        if method.needs_links and not store.pages.any_inbound():
            raise InputError(f"{method.name} needs links between the pages; this input has none")
    # This finds the templates of the pages that are there.
    recording = Recording(
        folder, None, method, positional=positional, by_host=by_host, save_html=save_html
    )
    try:
        return write_found(recording.store, shown=shown, stopped=stopped, as_json=as_json)
    finally:
        recording.close()


def write_found(store: Store, *, shown: Path, stopped: str, as_json: bool) -> str:
    """Write all files of a store whose pages have their templates; return what is to be said."""
    # Skimmed pages have no streams, and Scrapy takes longer to import than ten thousand to skim.
    from scrapy.settings import default_settings

    from tplcrawl.crawl.outputs import write_outputs

    store.set_meta(MADE_HERE, True)
    store.set_meta("stopped", stopped)
    templates = write_outputs(store, stopped, "jsonl", default_settings.FEED_EXPORTERS_BASE)
    return tell_clusters(
        store.folder, templates, len(store.pages), int(str(store.meta("learned_from"))),
        shown=shown / "report.html", as_json=as_json,
    )  # fmt: skip


def tell_clusters(
    folder: Path,
    templates: Sequence[TemplateRow],
    pages: int,
    learned_from: int | None = None,
    *,
    shown: Path,
    as_json: bool,
) -> str:
    """What is to be said of the *templates* of so many *pages*; *shown* is the file to look at."""
    if as_json:
        found = json.loads((folder / "templates.json").read_text("utf-8"))
        return json.dumps(found, ensure_ascii=False) + "\n"
    console = Printer()
    with console.capture() as capture:
        print_summary(console, templates)
    compared = pages if learned_from is None else learned_from
    note = f", learned from {compared:,} of them" if compared < pages else ""
    return (
        f"{capture.get()}\n{counted(pages, 'page')}{note}, "
        f"{counted(len(templates), 'template')} → {shown}\n"
    )


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
