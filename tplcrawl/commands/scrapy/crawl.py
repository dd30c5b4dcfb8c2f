"""``scrapy crawl``, with one clear line and an exit code for what goes wrong."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import traceback
from typing import Any

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.exceptions import UsageError as ScrapyUsageError

from tplcrawl.clustering.names import printable
from tplcrawl.commands.output import print_anything, print_no_more
from tplcrawl.commands.printer import Printer
from tplcrawl.crawl.outputs import Outcome
from tplcrawl.crawl.session import Session
from tplcrawl.errors import JobError, TplcrawlError
from tplcrawl.reports.sections.findings import sought
from tplcrawl.reports.terminal import print_problems, print_summary
from tplcrawl.reports.wording import counted


class Command(ScrapyCrawl):
    """Runs a spider; for one of tplcrawl's own, prints its templates in the end."""

    def short_desc(self) -> str:
        return "Crawl a site and find its templates"

    def long_desc(self) -> str:
        return (
            "Run a spider of this project, by name. The site spider crawls a whole site: "
            "scrapy crawl site -a url=http://example.com/ -a max_pages=500 -a deny=/print/"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise ScrapyUsageError("name one spider: scrapy crawl site -a url=http://…")
        process = self.crawler_process
        assert process is not None
        try:
            crawler = self._create_crawler(args[0])
        except KeyError as error:
            raise ScrapyUsageError(str(error.args[0])) from None
        # Whatever it says here is said once, in the outputs.
        middlewares = "scrapy.downloadermiddlewares"
        for name in (f"{middlewares}.robotstxt", f"{middlewares}.httpcompression",
                     "scrapy.core.downloader"):  # fmt: skip
            logging.getLogger(name).setLevel(logging.CRITICAL)
        errors: list[BaseException] = []
        _catch(process.crawl(crawler, **opts.spargs), errors)
        process.start()
        session = crawler.get_extension(Session) if crawler._extensions is not None else None
        if session is not None and session.failure is not None:
            errors.append(session.failure)
        if errors:
            self.exitcode = _report(errors[0])
        elif process.bootstrap_failed:
            self.exitcode = 1
        elif session is not None and session.frontier is not None:
            if session.outcome is None:
                self.exitcode = _tell_break(session)
            else:
                self.exitcode = _tell_ending(session, session.outcome, session.frontier.left)


def _catch(running: Any, errors: list[BaseException]) -> None:
    """Let an error that ends the crawl go to *errors*, not to a traceback."""

    def note(task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            errors.append(error)

    if isinstance(running, asyncio.Task):
        running.add_done_callback(note)
    else:
        running.addErrback(lambda failure: errors.append(failure.value))


def _report(error: BaseException) -> int:
    """Print *error*; return its exit code."""
    if isinstance(error, TplcrawlError):
        print(f"tplcrawl: {error}", file=sys.stderr)
        return error.exit_code
    traceback.print_exception(error)
    return 1


def _tell_break(session: Session) -> int:
    """Tell of a crawl that nobody let come to its end; return the exit code."""
    session.progress.clear()
    folder = session.store.folder
    print(f"tplcrawl: interrupted; the same command goes on, and writes {folder}", file=sys.stderr)
    return 130


def _tell_ending(session: Session, outcome: Outcome, waiting: int) -> int:
    """Print the closing summary, if anybody takes it; return the exit code."""
    print_anything()
    try:
        _print_ending(session, outcome, waiting)
        sys.stdout.flush()
    except BrokenPipeError:
        print_no_more()
    except OSError as error:
        print_no_more()
        return _report(JobError(f"cannot print the summary: {error.strerror}"))
    return 0


def _print_ending(session: Session, outcome: Outcome, waiting: int) -> None:
    """The closing summary; *waiting* is how many URLs are still queued."""
    console = Printer()
    templates = outcome.written.templates
    print_summary(console, templates)
    print_problems(console, outcome.written)
    if outcome.search is not None:
        console.print(f"\n{sought(outcome.search)}", highlight=False, markup=False)
    left = f", {counted(waiting, 'URL')} left" if waiting else ""
    if not outcome.fetched and waiting:
        left += "; nothing was fetched: the limits of this run were reached before"
    elif not outcome.fetched:
        left += "; nothing was left to fetch: to crawl again, remove the directory or name another"
    console.print(
        f"\n{counted(outcome.pages, 'page')}, {counted(len(templates), 'template')}{left}"
        f" → {session.store.folder}/report.html",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )
    budgets = session.options.max_pages_per_template
    if budgets is not None:
        known = [word for row in templates for word in (row.id, row.name, *row.aliases)]
        for word in budgets.unknown(known):
            print(
                f"tplcrawl: no template is called {printable(word)}, which"
                " TPLCRAWL_MAX_PAGES_PER_TEMPLATE names",
                file=sys.stderr,
            )
