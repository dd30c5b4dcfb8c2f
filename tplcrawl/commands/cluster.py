"""``tplcrawl cluster``: the templates of pages that somebody else has fetched."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from rich.console import Console
from scrapy.settings import default_settings

from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.folders import check_folder, read_folder
from tplcrawl.batch.ingest import copy_crawl, ingest
from tplcrawl.batch.likeness import FOLDER as INDEX
from tplcrawl.batch.warc import read_warc
from tplcrawl.clustering.base import Method
from tplcrawl.clustering.methods import METHODS, make_method
from tplcrawl.commands.parsing import command_parser, parameter
from tplcrawl.crawl.outputs import write_outputs
from tplcrawl.errors import InputError, JobError, UsageError
from tplcrawl.recording import Recording
from tplcrawl.reports.templates import templates_json
from tplcrawl.reports.terminal import counted, print_summary
from tplcrawl.store.database import FILE
from tplcrawl.store.store import Store

_MADE_HERE = "clustered"
_WARC = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "cluster",
        "find the templates of pages in WARC archives, directories of HTML, or a crawl",
        run,
        "tplcrawl cluster archive.warc.gz -o clusters/archive",
        "tplcrawl cluster mirror/example.com -o clusters/example",
        "tplcrawl cluster crawls/example.com -o clusters/lzw --method lzw",
        "tplcrawl cluster pages/ -o clusters/strict --method common-paths --set similarity=0.9",
    )
    parser.add_argument(
        "inputs", nargs="+", type=Path, metavar="INPUT",
        help=".warc(.gz) files, directories of HTML, or one crawl's directory",
    )  # fmt: skip
    parser.add_argument(
        "-o", dest="dir", type=Path, metavar="DIR", required=True, help="where the result goes"
    )
    parser.add_argument(
        "--method", default="hybrid", metavar="NAME", help=f"one of {', '.join(METHODS)}"
    )
    parser.add_argument(
        "--set", dest="parameters", action="append", default=[], type=parameter,
        metavar="NAME=VALUE", help="a parameter of the method; may be given several times",
    )  # fmt: skip
    parser.add_argument(
        "--positional", action="store_true", help="group by positional locations, as paper 001 does"
    )
    parser.add_argument("--json", action="store_true", help="print the templates, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Read, cluster, write."""
    method = make_method(options.method, **dict(options.parameters))
    kinds = [_kind(path) for path in options.inputs]
    if "crawl" in kinds and len(kinds) > 1:
        raise UsageError("a crawl's directory must be the only input")
    _check_room(options.dir, options.inputs)
    losses = Losses()
    with _aside(options.dir) as folder:
        if kinds == ["crawl"]:
            copy_crawl(options.inputs[0], folder)
        else:
            with Store(folder) as store:
                inputs = zip(options.inputs, kinds, strict=True)
                documents = chain.from_iterable(_read(path, kind, losses) for path, kind in inputs)
                ingest(store, documents, losses, save_html=True, progress=_progress)
        _clear_progress()
        if not (folder / FILE).is_file():
            raise InputError(f"no page of HTML in {', '.join(map(str, options.inputs))}")
        told = _cluster(options, folder, method)
    sys.stdout.write(told)
    for reason, count in sorted(losses.counts.items()):
        print(f"tplcrawl: left out {count:,}: {reason}", file=sys.stderr)
    return 0


def _cluster(options: argparse.Namespace, folder: Path, method: Method) -> str:
    """Cluster what is in *folder*, write all files there, and return what is to be said."""
    with Store(folder, write=False) as store:
        if method.needs_links and not store.pages.any_inbound():
            raise InputError(f"{method.name} needs links between the pages; this input has none")
    # This finds the templates of the pages that are there.
    recording = Recording(folder, None, method, positional=options.positional, save_html="samples")
    try:
        store = recording.store
        store.set_meta(_MADE_HERE, True)
        store.set_meta("stopped", "not in the input")
        templates = write_outputs(
            store, "not in the input", "jsonl", default_settings.FEED_EXPORTERS_BASE
        )
        if options.json:
            return json.dumps(templates_json(store, templates), ensure_ascii=False) + "\n"
        console = Console()
        with console.capture() as capture:
            print_summary(console, templates)
        learned = recording.model.learned_from
        note = f", learned from {learned:,} of them" if learned < len(recording) else ""
        return (
            f"{capture.get()}\n{counted(len(recording), 'page')}{note}, "
            f"{counted(len(templates), 'template')} → {options.dir}/report.html\n"
        )
    finally:
        recording.close()


@contextmanager
def _aside(folder: Path) -> Iterator[Path]:
    """A directory beside *folder*, whose entries take the place of those there if all goes well."""
    folder = folder.resolve()
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        aside = Path(mkdtemp(prefix=".part-", dir=folder))
    except OSError as error:
        raise JobError(f"cannot use the directory {folder}: {error.strerror}") from None
    try:
        yield aside
        shutil.rmtree(folder / INDEX, ignore_errors=True)
        for entry in sorted(aside.iterdir()):
            old = folder / entry.name
            if old.is_dir():
                shutil.rmtree(old)
            entry.replace(old)
    finally:
        shutil.rmtree(aside)
        for path in made:
            with suppress(OSError):
                path.rmdir()


def _kind(path: Path) -> str:
    if path.is_dir():
        if (path / FILE).is_file():
            return "crawl"
        check_folder(path)
        return "folder"
    if not path.exists():
        raise InputError(f"there is no {path}")
    if path.name.lower().endswith(_WARC):
        return "warc"
    raise InputError(f"{path} is neither a directory nor a WARC archive")


def _read(path: Path, kind: str, losses: Losses) -> Iterator[Document]:
    return read_warc(path, losses) if kind == "warc" else read_folder(path, losses)


def _check_room(folder: Path, inputs: Sequence[Path]) -> None:
    """Refuse to touch anything but an earlier result."""
    own = folder.resolve()
    if folder.exists() and any(own in (path.resolve(), *path.resolve().parents) for path in inputs):
        raise UsageError("the result must go to another directory than the input")
    if (folder / FILE).is_file():
        with Store(folder, write=False) as store:
            if not store.meta(_MADE_HERE):
                raise JobError(f"{folder} holds a crawl; it is not overwritten")


def _progress(pages: int) -> None:
    if sys.stderr.isatty() and pages % 25 == 0:
        sys.stderr.write(f"\r\x1b[K{pages:,} pages read")
        sys.stderr.flush()


def _clear_progress() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
