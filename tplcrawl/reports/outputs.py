"""The files of a crawl's directory that need nothing but its store."""

from __future__ import annotations

from tplcrawl.garbage import none_sought
from tplcrawl.reports.crawl import Crawl
from tplcrawl.reports.files import whole_file, write_json, write_lines
from tplcrawl.reports.pages import page_lines, skipped_lines
from tplcrawl.reports.report import Report
from tplcrawl.reports.samples import write_samples
from tplcrawl.reports.tables import write_tables
from tplcrawl.reports.templates import templates_json
from tplcrawl.reports.written import Written
from tplcrawl.store.store import Store


@none_sought()
def write_reports(store: Store, stopped: str) -> Written:
    """Write everything but the streams, each file whole. *stopped* is why the crawl ended, in the
    word of Scrapy's close reason."""
    folder = store.folder
    crawl = Crawl.read(store, stopped)
    report = Report.of(crawl)
    write_lines(folder / "pages.jsonl", page_lines(crawl))
    write_lines(folder / "skipped.jsonl", skipped_lines(crawl))
    write_json(folder / "templates.json", templates_json(store, crawl.templates))
    write_samples(store, folder / "samples", crawl.templates)
    write_json(folder / "coverage.json", report.numbers)
    write_tables(report, folder / "tables")
    with whole_file(folder / "report.html") as file:
        file.write(report.html().encode("utf-8", "replace"))
    return Written(crawl.templates, report.numbers)
