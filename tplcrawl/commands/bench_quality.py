"""``tplcrawl bench quality``: every method on sites with known templates."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from tplcrawl.commands.bench_sites import linked_sites
from tplcrawl.commands.bench_tables import WIDTH, show_progress, table
from tplcrawl.commands.parsing import add_sites, command_parser, parameter, print_json
from tplcrawl.errors import UsageError
from tplcrawl.evaluation.corpus import Corpus
from tplcrawl.evaluation.quality import Outcome, gaps, means, method_of, names, run_methods
from tplcrawl.evaluation.sweeps import Curve, Sweep, chart
from tplcrawl.reports.files import whole_file, write_json

BEGIN, END = "<!-- quality: begin -->", "<!-- quality: end -->"


def add_parser(parts: Any) -> None:
    """Add this benchmark."""
    parser = command_parser(
        parts,
        "quality",
        "how well each method finds the templates of sites that are known",
        run,
        "tplcrawl bench quality corpora/*",
        "tplcrawl bench quality corpora/shop --methods hybrid,paths --pages 300 --json",
        "tplcrawl bench quality corpora/* --methods paths --sweep similarity=0.5:1:0.05 -o curves",
    )
    add_sites(parser)
    parser.add_argument("--methods", metavar="NAME,…", help=f"default: {', '.join(names())}")
    parser.add_argument(
        "--pages", type=int, default=1000, help="pages of each site (default: 1000)"
    )
    parser.add_argument(
        "--set", dest="parameters", action="append", default=[], type=parameter,
        metavar="NAME=VALUE", help="a parameter of the methods; may be given several times",
    )  # fmt: skip
    parser.add_argument(
        "--sweep", metavar="NAME=FIRST:LAST:STEP", help="draw how quality moves with a parameter"
    )
    parser.add_argument(
        "-o", dest="dir", type=Path, metavar="DIR", default=Path("bench"),
        help="where the files of a sweep go (default: bench)",
    )  # fmt: skip
    parser.add_argument(
        "--into", type=Path, metavar="FILE", help="write the tables between this file's marks, too"
    )
    parser.add_argument("--json", action="store_true", help="print the numbers, and nothing else")


def run(options: argparse.Namespace) -> int:
    """Measure, and print a table; or draw curves."""
    if options.pages < 1:
        raise UsageError(f"--pages must be at least 1, not {options.pages}")
    methods = options.methods.split(",") if options.methods else names()
    corpora = linked_sites(options.sites)
    given = dict(options.parameters)
    if options.sweep:
        return _sweep(Sweep.parse(options.sweep), corpora, methods, given, options)
    for name in methods:
        method_of(name, given)
    outcomes = list(run_methods(corpora, methods, options.pages, given, show_progress))
    show_progress("")
    if options.into is not None:
        _write_into(options.into, markdown(outcomes, options.pages))
    if options.json:
        print_json([outcome.as_dict() for outcome in outcomes])
        return 0
    console = Console(width=max(Console().width, WIDTH))
    console.print(table([outcome.as_dict() for outcome in outcomes]))
    console.print()
    console.print(table(means(outcomes)))
    for site, (best, gap) in gaps(outcomes).items():
        console.print(f"{site}: hybrid {gap:+.3f} against {best}", highlight=False)
    return 0


def _sweep(
    sweep: Sweep,
    corpora: Sequence[Corpus],
    methods: Sequence[str],
    given: Mapping[str, Any],
    options: argparse.Namespace,
) -> int:
    """Write a chart and its numbers for each method."""
    for name in methods:
        rows = []
        for value in sweep.values:
            parameters = {**given, sweep.parameter: value}
            method_of(name, parameters)
            found = list(run_methods(corpora, [name], options.pages, parameters, show_progress))
            rows.append({sweep.parameter: value, **means(found)[0]})
        show_progress("")
        measures = ("precision", "recall", "f1", "v_measure")
        curves = [Curve(m, tuple(float(str(row[m])) for row in rows)) for m in measures]
        path = options.dir / f"{name}-{sweep.parameter}"
        with whole_file(path.with_name(path.name + ".svg")) as file:
            file.write(chart(sweep, curves, f"{name} by {sweep.parameter}").encode())
        write_json(path.with_name(path.name + ".json"), rows)
        if options.json:
            print_json(rows)
        else:
            print(f"{name} → {path}.svg, {path}.json")
    return 0


def markdown(outcomes: Sequence[Outcome], pages: int) -> str:
    """The outcomes as tables for the documents: F1 by site, and the means of everything."""
    methods = list(dict.fromkeys(outcome.method for outcome in outcomes))
    cells = {(o.site, o.method): f"{o.scores.f1:.2f}" for o in outcomes}
    lines = [f"Pairwise F1, first {pages} pages of each site, breadth first:", ""]
    lines += ["| site | " + " | ".join(methods) + " |", "|---" * (len(methods) + 1) + "|"]
    for site in dict.fromkeys(outcome.site for outcome in outcomes):
        row = " | ".join(cells.get((site, method), "") for method in methods)
        lines.append(f"| {site} | {row} |")
    rows = means(outcomes)
    lines += ["", "Means over the sites:", "", "| " + " | ".join(rows[0]) + " |"]
    lines.append("|---" * len(rows[0]) + "|")
    lines += ["| " + " | ".join(map(str, row.values())) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _write_into(path: Path, text: str) -> None:
    try:
        before, _, rest = path.read_bytes().decode("utf-8").partition(BEGIN)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not in UTF-8") from None
    _, mark, after = rest.partition(END)
    if not mark:
        raise UsageError(f"{path} has no marks {BEGIN} … {END}")
    with whole_file(path) as file:
        file.write(f"{before}{BEGIN}\n{text}{END}{after}".encode())
