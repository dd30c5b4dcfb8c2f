"""``report.html``: one self-contained file that opens from disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from tplcrawl.reports.templates import TemplateRow


def report_html(coverage: dict[str, Any], templates: Sequence[TemplateRow]) -> str:
    """The report. Everything that comes from pages is escaped."""
    environment = Environment(
        loader=PackageLoader("tplcrawl.reports", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template("report.html.j2")
    return template.render(coverage=coverage, templates=templates).replace("\0", "\ufffd")
