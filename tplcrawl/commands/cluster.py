"""``tplcrawl cluster``: the templates of pages that somebody else has fetched."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from typing import Any

from tplcrawl.batch.aside import aside
from tplcrawl.batch.documents import Losses
from tplcrawl.batch.folders import check_folder
from tplcrawl.batch.ingest import copy_crawl
from tplcrawl.batch.lists import listed
from tplcrawl.batch.parts import Survey, survey
from tplcrawl.batch.progress import Progress
from tplcrawl.batch.record_reader import check_archive
from tplcrawl.batch.skim import plan_of, skim
from tplcrawl.batch.skimmed import SkimmedStore
from tplcrawl.batch.volumes import WACZ, WARC
from tplcrawl.batch.workers import profile_parts
from tplcrawl.clustering.base import Method
from tplcrawl.clustering.methods import METHODS, make_method
from tplcrawl.commands.bench_tables import show_progress
from tplcrawl.commands.clusters import Found, check_room, write_clusters, write_found
from tplcrawl.commands.parsing import command_parser, parameter
from tplcrawl.errors import InputError, JobError, UsageError
from tplcrawl.store.database import FILE
from tplcrawl.store.store import Store

_STOPPED = "not in the input"
"""Why other URLs have no page."""
_TOLD = 5
"""Inputs that cannot be used and are told of one by one."""


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "cluster",
        "find the templates of pages in WARC and WACZ archives, directories of HTML, or a crawl",
        run,
        "tplcrawl cluster archive.warc.gz -o clusters/archive",
        "tplcrawl cluster CC-MAIN-*.warc.gz -o clusters/cc --jobs 8",
        "tplcrawl cluster mirror/example.com -o clusters/example",
        "tplcrawl cluster crawls/example.com -o clusters/lzw --method lzw",
        "tplcrawl cluster pages/ -o clusters/strict --method common-paths --set similarity=0.9",
        "tplcrawl cluster paths.txt -o clusters/cc --engine spark --master spark://master:7077",
    )
    parser.add_argument(
        "inputs", nargs="+", type=Path, metavar="INPUT",
        help=".warc(.gz) and .wacz files, directories of HTML, a .txt file that lists them, a line"
        " each; or one crawl's directory",
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
        "--save-html", choices=("all", "samples", "none"),
        help="the pages whose HTML is kept, for wrap and extract (default: all, but for lzw: none)",
    )  # fmt: skip
    parser.add_argument(
        "--positional", action="store_true", help="group by positional locations, as paper 001 does"
    )
    parser.add_argument(
        "--across-hosts",
        action="store_true",
        help="let pages of different hosts be of one template (default: each host by itself)",
    )
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N",
        help="processes that read pages (default: 1); the result is the same",
    )  # fmt: skip
    parser.add_argument(
        "--engine", choices=("local", "spark"), default="local",
        help="what does the work (default: local); the result is the same",
    )  # fmt: skip
    parser.add_argument(
        "--master", metavar="URL",
        help="Spark's master: local[N], spark://HOST:PORT, … (default: as Spark is set up)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the templates, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Read, cluster, write."""
    if options.jobs < 1:
        raise UsageError("--jobs must be at least 1")
    if options.engine == "local" and options.master is not None:
        raise UsageError("--master needs --engine spark")
    method = make_method(options.method, **dict(options.parameters))
    options.inputs = listed(options.inputs)
    kinds = _kinds(options.inputs)
    if "crawl" in kinds and len(kinds) > 1:
        raise UsageError("a crawl's directory must be the only input")
    check_room(options.dir, options.inputs)
    skimmed = False
    try:
        if options.engine == "spark":
            found, losses = _on_spark(options, kinds, method)
        elif kinds == ["crawl"]:
            found, losses = _of_crawl(options, method)
        elif skimmed := method.skims and options.save_html in (None, "none"):
            found, losses = _skimmed(options, method)
        else:
            found, losses = _profiled(options, method)
    finally:
        show_progress("")
    for reason, count in sorted(losses.counts.items()):
        print(f"tplcrawl: left out {count:,}: {reason}", file=sys.stderr)
    shown = "templates.json" if skimmed else "report.html"
    found.tell(options.dir, shown, as_json=options.json)
    return 0


def _of_crawl(options: argparse.Namespace, method: Method) -> tuple[Found, Losses]:
    """The pages of a crawl, which are of one site."""
    with Store(options.inputs[0], write=False) as store:
        store.need_structure()
    with aside(options.dir) as folder:
        copy_crawl(options.inputs[0], folder)
        return _clustered(options, method, folder, by_host=False), Losses()


def _profiled(options: argparse.Namespace, method: Method) -> tuple[Found, Losses]:
    """Pages of archives and folders, with all that they show."""
    found = _survey(options.inputs)
    save_html = options.save_html != "none"
    with aside(options.dir, f"{found.key}{'' if save_html else '-bare'}") as folder:
        losses = profile_parts(folder, found, options.jobs, save_html=save_html, progress=_progress)
        if not (folder / FILE).is_file():
            raise _nothing(options, losses)
        return _clustered(options, method, folder, by_host=not options.across_hosts), losses


def _on_spark(
    options: argparse.Namespace, kinds: Sequence[str], method: Method
) -> tuple[Found, Losses]:
    """The same, wherever Spark's master has it done."""
    if options.jobs > 1:
        raise UsageError("--jobs is for the local engine; Spark's master says how many there are")
    if "crawl" in kinds:
        raise UsageError("Spark reads archives and directories of HTML, not crawls")
    try:
        from tplcrawl.batch.spark.job import Job
        from tplcrawl.batch.spark.methods import check_method
        from tplcrawl.batch.spark.profiles import survey_all
        from tplcrawl.batch.spark.session import session
    except ImportError:
        raise JobError("--engine spark needs: pip install 'tplcrawl[spark,warc]'") from None
    check_method(method)
    with session(options.master) as spark:
        found = survey_all(spark, options.inputs)
        if not found.parts:
            raise _nothing(options, found.losses)
        if len(found.site.hosts) > 1 and not options.across_hosts:
            raise UsageError(
                f"these pages are of {len(found.site.hosts):,} hosts; Spark looks at all together:"
                " add --across-hosts"
            )
        job = Job(found, method, options.positional, options.save_html or "all")
        with aside(options.dir, job.key) as folder:
            losses = job.run(spark, folder)
            if not (folder / FILE).is_file():
                raise _nothing(options, losses)
            with Store(folder) as store:
                return write_found(store, _STOPPED), losses


def _skimmed(options: argparse.Namespace, method: Method) -> tuple[Found, Losses]:
    """The same, where no more is needed of a page than how its bytes begin."""
    plan = plan_of(options.inputs)
    with aside(options.dir, plan.key) as folder:
        scratch = folder / "parts"
        with SkimmedStore(folder) as store:
            found = skim(scratch, plan, options.jobs, _progress, store.take)
            if not len(found):
                raise _nothing(options, found.losses)
            templates = store.finish(found, method, by_host=not options.across_hosts)
        rmtree(scratch)
        return Found(templates, len(found), len(found)), found.losses


def _clustered(
    options: argparse.Namespace, method: Method, folder: Path, *, by_host: bool
) -> Found:
    return write_clusters(
        folder, method, stopped=_STOPPED, positional=options.positional, by_host=by_host,
        save_html=options.save_html or "all",
    )  # fmt: skip


def _nothing(options: argparse.Namespace, losses: Losses) -> InputError:
    inputs = ", ".join(map(str, options.inputs))
    why = ", ".join(f"{count:,}: {reason}" for reason, count in sorted(losses.counts.items()))
    return InputError(f"no page of HTML in {inputs}" + (f"; left out {why}" if why else ""))


def _survey(inputs: Sequence[Path]) -> Survey:
    def seen(pages: int) -> None:
        if pages % 1000 == 0:
            show_progress(f"{pages:,} pages found")

    return survey(inputs, seen)


def _progress(now: Progress) -> None:
    minutes, seconds = divmod(round(now.seconds), 60)
    show_progress(
        f"{now.pages:,} pages read, {now.rate:,.0f}/s,"
        f" {now.parts / now.all_parts:.0%} done, {minutes}:{seconds:02} to go"
    )


def _kinds(inputs: Sequence[Path]) -> list[str]:
    """What each input is; all that are none are told at once, before anything is read."""
    kinds, problems = list[str](), list[str]()
    for path in inputs:
        try:
            kinds.append(_kind(path))
        except InputError as error:
            problems.append(str(error))
    if len(problems) > _TOLD:
        problems[_TOLD:] = [f"and {len(problems) - _TOLD:,} more inputs that cannot be used"]
    if problems:
        raise InputError("; ".join(problems))
    return kinds


def _kind(path: Path) -> str:
    if path.is_dir():
        if (path / FILE).is_file():
            return "crawl"
        check_folder(path)
        return "folder"
    if not path.exists():
        raise InputError(f"there is no {path}")
    if path.name.lower().endswith((*WARC, WACZ)):
        check_archive(path)
        return "warc"
    raise InputError(f"{path} is neither a directory nor a WARC archive")
