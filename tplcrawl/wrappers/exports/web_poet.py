"""Page objects for web-poet, with fixtures that its own ``pytest`` plugin runs.

The package needs web-poet alone. A class finds what the :class:`Extractor` finds: the fixtures'
outputs come from there, so they test the generated code.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tplcrawl.errors import UsageError
from tplcrawl.wrappers.exports.bundle import Bundle, Sample, fresh_folder
from tplcrawl.wrappers.exports.names import class_names, package_name, url_patterns
from tplcrawl.wrappers.extraction import Extractor
from tplcrawl.wrappers.library import page_of
from tplcrawl.wrappers.steps import xpath
from tplcrawl.wrappers.wrapper import Field, Rows, Wrapper

FIXTURES = 5
"""Of one template."""

_BASE = '''"""What the page objects share."""

from __future__ import annotations

from typing import Any, Generic, TypeVar
from urllib.parse import urljoin

from parsel import Selector
from web_poet import WebPage

ItemT = TypeVar("ItemT")


class TemplatePage(WebPage[ItemT], Generic[ItemT]):
    """A page of one template."""

    def _texts(
        self, *paths: str, prefix: str = "", suffix: str = "", link: bool = False
    ) -> list[str]:
        """The texts at the first of *paths* that finds any."""
        for path in paths:
            found = texts(self.selector.xpath(path), prefix, suffix)
            if found:
                return self._links(found) if link else found
        return []

    def _links(self, found: list[str]) -> list[str]:
        return [urljoin(str(self.response.url), text) for text in found]

    def _text(
        self, *paths: str, prefix: str = "", suffix: str = "", link: bool = False
    ) -> str | None:
        """The first of these texts."""
        return next(iter(self._texts(*paths, prefix=prefix, suffix=suffix, link=link)), None)

    def _rows(self, path: str, columns: list[tuple[str, str, str, str, str]]) -> list[Any]:
        """The rows of a list; a column is a name, a path, a prefix, a suffix and a kind."""
        rows = []
        for row in self.selector.xpath(path):
            made: dict[str, Any] = {}
            for name, inner, prefix, suffix, kind in columns:
                found = texts(row.xpath(inner), prefix, suffix)
                if "link" in kind:
                    found = self._links(found)
                if found:
                    made[name] = found if "many" in kind else found[0]
            if made:
                rows.append(made)
        return rows


def texts(found: Any, prefix: str, suffix: str) -> list[str]:
    """Texts in one line, without what stands around the value."""
    made = []
    for one in found:
        text = " ".join(_text(one).split())
        if text:
            made.append(text.removeprefix(prefix).removesuffix(suffix).strip() or text)
    return made


def _text(one: Selector) -> str:
    root = one.root
    return root if isinstance(root, str) else "".join(root.itertext())
'''

_RESERVED = frozenset(
    "url html css xpath jmespath response selector urljoin base_url to_item from_resource "
    "skip_nonitem_fields fields_to_ignore validate_input field str list".split()
)
"""What page objects have themselves, and what their code uses."""


def write(target: Path, bundles: Sequence[Bundle]) -> None:
    """Write the package and its fixtures."""
    try:
        import web_poet  # noqa: F401
    except ImportError:
        raise UsageError("this export needs: pip install 'tplcrawl[wrappers]'") from None
    names = class_names(bundle.wrapper for bundle in bundles)
    package = package_name(bundles[0].wrapper.site if bundles else "")
    with fresh_folder(target) as folder:
        code = folder / package
        code.mkdir()
        _write(code / "base.py", _BASE)
        _write(code / "py.typed", "")
        _write(code / "items.py", _items(bundles, names))
        pages = []
        for bundle in bundles:
            module = f"{bundle.wrapper.template}"
            _write(code / f"{module}.py", _page(bundle.wrapper, names, package))
            pages.append((module, f"{names[bundle.wrapper.template]}Page"))
            _fixtures(folder / "fixtures" / f"{package}.{module}.{pages[-1][1]}", bundle)
        _write(code / "__init__.py", _init(package, pages, bundles))
        _write(folder / "pytest.ini", "[pytest]\npythonpath = .\ntestpaths = fixtures\n")


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _init(package: str, pages: Sequence[tuple[str, str]], bundles: Sequence[Bundle]) -> str:
    site = bundles[0].wrapper.site if bundles else ""
    lines = [_doc(f"Page objects of {site}, one for each template."), ""]
    lines += [f"from {package}.{module} import {name}" for module, name in pages]
    lines += ["", f"__all__ = {sorted(name for _, name in pages)!r}", ""]
    return "\n".join(lines)


def _doc(text: str) -> str:
    """A docstring, whatever stands in *text*."""
    safe = "".join(c if c.isprintable() and c not in '"\\' else " " for c in text)
    return f'"""{safe}"""'


def attribute(name: str) -> str:
    """The name of a field in code."""
    return f"{name}_" if name in _RESERVED else name


def _items(bundles: Sequence[Bundle], names: dict[str, str]) -> str:
    lines = [
        _doc("What the pages of each template say. One class a template, so that tools which count "
             "the fields of items by class count them by template."),
        "", "from __future__ import annotations", "", "from typing import Any", "",
        "import attrs", "",
    ]  # fmt: skip
    for bundle in bundles:
        wrapper = bundle.wrapper
        lines += ["", "@attrs.define", f"class {names[wrapper.template]}Item:"]
        lines += [f"    {_doc(f'Of template {wrapper.template}, {wrapper.name}.')}", ""]
        lines += ["    url: str"]
        for one in wrapper.shown:
            kind = "list[str] | None" if one.many else "str | None"
            lines += [f"    {attribute(one.name)}: {kind} = None"]
        lines += [
            f"    {attribute(rows.name)}: list[Any] | None = None" for rows in _lists(wrapper)
        ]
        lines += [""]
    return "\n".join(lines)


def _lists(wrapper: Wrapper) -> list[Rows]:
    return [rows for rows in wrapper.lists if not rows.low]


def _page(wrapper: Wrapper, names: dict[str, str], package: str) -> str:
    stem = names[wrapper.template]
    lines = [
        _doc(f"Template {wrapper.template}, {wrapper.name}."), "",
        "from __future__ import annotations", "", "from typing import Any", "",
        "from web_poet import field, handle_urls", "",
        f"from {package}.base import TemplatePage",
        f"from {package}.items import {stem}Item", "", "",
    ]  # fmt: skip
    patterns = url_patterns(wrapper)
    lines += [f"@handle_urls({pattern!r})" for pattern in patterns]
    lines += [f"class {stem}Page(TemplatePage[{stem}Item]):"]
    lines += [f"    {_doc(f'Learnt from {len(wrapper.learned_from)} pages.')}", ""]
    lines += ["    @field", "    def url(self) -> str:"]
    lines += ["        return str(self.response.url)", ""]
    for one in wrapper.shown:
        lines += _field(one)
    for rows in _lists(wrapper):
        lines += _rows(rows)
    return "\n".join(lines)


def _field(one: Field) -> list[str]:
    returned, method = ("list[str]", "_texts") if one.many else ("str | None", "_text")
    rules = [one.rule, *one.alternatives]
    lines = ["    @field", f"    def {attribute(one.name)}(self) -> {returned}:"]
    lines += [f"        return self.{method}("]
    lines += [f"            {rule.xpath()!r}," for rule in rules]
    lines += [f"            {key}={value!r}," for key, value in
              (("prefix", one.prefix), ("suffix", one.suffix)) if value]  # fmt: skip
    lines += ["            link=True,"] if one.type in ("url", "image") else []
    return [*lines, "        )", ""]


def _rows(rows: Rows) -> list[str]:
    lines = ["    @field", f"    def {attribute(rows.name)}(self) -> list[Any]:"]
    lines += ["        return self._rows(", f"            {xpath(rows.path)!r},", "            ["]
    for one in rows.fields:
        kind = "link" * (one.type in ("url", "image")) + "many" * one.many
        told = (one.name, one.rule.xpath(), one.prefix, one.suffix, kind)
        lines += [f"                {told!r},"]
    return [*lines, "            ],", "        )", ""]


def _fixtures(folder: Path, bundle: Bundle) -> None:
    extract = Extractor(bundle.wrapper)
    number = 0
    for sample in bundle.samples:
        page = page_of(sample.url, sample.body, sample.encoding)
        record = extract(page.root, page.url)
        if record.misfit is None and number < FIXTURES:
            number += 1
            _fixture(folder, f"{number:03d}-{sample.docid}", sample, record.values)


def _fixture(folder: Path, name: str, sample: Sample, values: dict[str, Any]) -> None:
    from web_poet import HttpResponse
    from web_poet.testing import Fixture

    response = HttpResponse(sample.url, body=sample.body, encoding=sample.encoding)
    item = {"url": str(response.url), **{attribute(key): value for key, value in values.items()}}
    Fixture.save(folder, inputs=[response], item=item, fixture_name=name)
