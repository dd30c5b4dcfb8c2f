"""The files of a crawl's directory that need nothing but its store."""

from __future__ import annotations

from tplcrawl.reports.coverage import coverage
from tplcrawl.reports.files import whole_file, write_json, write_lines
from tplcrawl.reports.html import report_html
from tplcrawl.reports.mismatches import mismatches_of
from tplcrawl.reports.pages import page_lines, skipped_lines
from tplcrawl.reports.samples import write_samples
from tplcrawl.reports.templates import TemplateRow, template_rows, templates_json
from tplcrawl.store.store import Store


def write_reports(store: Store, stopped: str) -> list[TemplateRow]:
    """Write everything but the streams, each file whole; return the templates. *stopped* is why
    the crawl ended, in the word of Scrapy's close reason."""
    folder = store.folder
    templates = template_rows(store)
    mismatches = mismatches_of(store)
    numbers = coverage(store, templates, stopped, mismatches)
    write_lines(folder / "pages.jsonl", page_lines(store, mismatches))
    write_lines(folder / "skipped.jsonl", skipped_lines(store, stopped))
    write_json(folder / "templates.json", templates_json(store, templates))
    write_samples(store, folder / "samples", templates)
    write_json(folder / "coverage.json", numbers)
    with whole_file(folder / "report.html") as file:
        file.write(report_html(numbers, templates).encode("utf-8", "replace"))
    return templates
