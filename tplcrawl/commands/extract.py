"""``tplcrawl extract``: the records of a crawl's pages, or of new ones."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tplcrawl.batch.documents import encoding_of
from tplcrawl.clustering.names import printable
from tplcrawl.commands.pages import body_of, docid_of
from tplcrawl.commands.parsing import command_parser, print_json
from tplcrawl.commands.wrap import wrap
from tplcrawl.errors import InputError, UsageError
from tplcrawl.recollection import recalled
from tplcrawl.store.store import Store
from tplcrawl.wrappers.answers import Answer, Answers
from tplcrawl.wrappers.library import read_wrappers
from tplcrawl.wrappers.tables import FORMATS, write_table

FOLDER = "records"


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = command_parser(
        commands,
        "extract",
        "turn pages into records, by the wrappers of their templates",
        run,
        "tplcrawl extract crawls/example.com",
        "tplcrawl extract crawls/example.com --format parquet -o records/",
        "tplcrawl extract crawls/example.com http://example.com/p/1 page.html --json",
    )
    parser.add_argument("dir", type=Path, metavar="DIR", help="a crawl's directory")
    parser.add_argument(
        "pages", nargs="*", metavar="PAGE",
        help="files of HTML or URLs of the crawl; - for standard input (default: all its pages)",
    )  # fmt: skip
    parser.add_argument("--template", metavar="ID", help="pages of one template only")
    parser.add_argument(
        "-o", dest="out", type=Path, metavar="FOLDER",
        help="where a file for each template goes (default: DIR/records)",
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=sorted(FORMATS), default="jsonl", help="of these files (default: jsonl)"
    )
    parser.add_argument("--all", action="store_true", help="fields of low confidence too")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each page")


def run(options: argparse.Namespace) -> int:
    """Extract; print or write."""
    with Store(options.dir, write=False) as store:
        if store.empty:
            raise InputError(f"the crawl in {options.dir} has no pages")
        store.need_structure()
        wrappers = read_wrappers(options.dir)
        if not wrappers:
            wrappers = {wrapper.template: wrapper for wrapper in wrap(store)}
        if options.template not in (None, *wrappers):
            raise UsageError(
                f"there is no wrapper of {options.template}; there are: {', '.join(wrappers)}"
            )
        answers = Answers(store, wrappers, low=options.all)
        found = _of_pages(answers, options) if options.pages else _of_crawl(answers, options)
        if options.json:
            for answer in found:
                print_json(answer.as_dict())
        elif options.pages and options.out is None:
            for answer in found:
                _show(answer)
        else:
            _write(found, answers, options)
        if not options.pages:
            _tell_of_lost(store)
    return 0


def _of_crawl(answers: Answers, options: argparse.Namespace) -> Iterator[Answer]:
    for number, answer in enumerate(answers.of_crawl(), 1):
        _progress(number)
        if options.template in (None, answer.template):
            yield answer
    _progress()


def _of_pages(answers: Answers, options: argparse.Namespace) -> Iterator[Answer]:
    documents = []
    for name in options.pages:
        docid = docid_of(answers.store, name)
        documents.append((name, docid, None if docid is not None else body_of(name)))
    model = None
    for name, docid, body in documents:
        if docid is not None:
            yield answers.of_page(name, docid)
            continue
        assert body is not None
        model = model or recalled(answers.store)
        answer = answers.of_body(name, body, encoding_of(body), model)
        if options.template in (None, answer.template):
            yield answer


def _progress(number: int = 0) -> None:
    if sys.stderr.isatty() and not sys.stdout.isatty() and number % 25 == 0:
        sys.stderr.write(f"\r\x1b[K{number:,} pages" if number else "\r\x1b[K")
        sys.stderr.flush()


def _show(answer: Answer) -> None:
    print(f"{printable(answer.page)}\t{answer.template or 'none'}")
    if answer.record is None:
        print(f"  {printable(answer.problem or '')}")
        return
    for name, value in answer.record.items():
        rows = value if isinstance(value, list) else [value]
        for row in rows:
            if row is None:
                continue
            told = row if isinstance(row, str) else "  ".join(f"{k}={v}" for k, v in row.items())
            print(f"  {name}: {printable(str(told)[:200])}")


def _write(found: Iterator[Answer], answers: Answers, options: argparse.Namespace) -> None:
    folder = options.out or options.dir / FOLDER
    rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    problems: Counter[str] = Counter()
    for answer in found:
        if answer.record is None or answer.template is None:
            problems[f"{answer.template or 'no template'}: {answer.problem}"] += 1
        else:
            rows[answer.template].append(
                {"url": answer.page, "record": answer.record, "typed": answer.typed}
            )
    paths = {template: folder / f"{template}.{options.format}" for template in rows}
    for template, own in rows.items():
        write_table(paths[template], own, answers.wrapper(template))
    for problem, count in sorted(problems.items()):
        print(f"tplcrawl: {count:,} without a record: {printable(problem)}", file=sys.stderr)
    for template, own in rows.items():
        print(f"{template}\t{len(own)}\t{paths[template]}")


def _tell_of_lost(store: Store) -> None:
    without = len(store.pages) - len(store.pages.bodies())
    if without:
        print(
            f"tplcrawl: of {without:,} of {len(store.pages):,} pages no HTML was kept"
            " (TPLCRAWL_SAVE_HTML=all keeps it; TPLCRAWL_EXTRACT extracts while crawling)",
            file=sys.stderr,
        )
