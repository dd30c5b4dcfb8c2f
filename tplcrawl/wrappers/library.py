"""The wrappers of a crawl: learnt from what its store keeps, kept as a file each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tplcrawl.clustering.sampling import spread
from tplcrawl.errors import InputError
from tplcrawl.page.guard import guarded
from tplcrawl.page.limits import DEFAULT
from tplcrawl.page.profile import parse
from tplcrawl.reports.examples import representatives
from tplcrawl.reports.files import write_json
from tplcrawl.reports.templates import TemplateRow, template_rows
from tplcrawl.store.store import Store
from tplcrawl.wrappers.anatomy import FORMAT
from tplcrawl.wrappers.checking import checked
from tplcrawl.wrappers.drift import Today
from tplcrawl.wrappers.exports.bundle import Bundle, Sample
from tplcrawl.wrappers.learning import LEARNT, Lesson, Page, study
from tplcrawl.wrappers.wrapper import Wrapper

FOLDER = "wrappers"
SKELETONS = "skeletons"
CHECKED = 20
"""Pages that a wrapper is tried on, beyond those that it was learnt from."""


def page_of(url: str, body: bytes, encoding: str) -> Page:
    """A page to learn from or to extract, parsed within the usual bounds."""
    safe, _ = guarded(body.replace(b"\0", b""), DEFAULT)
    return Page(url, parse(safe, encoding))


def kept_page(store: Store, docid: int) -> Page | None:
    """A page of a crawl, if its HTML was kept."""
    kept = store.pages.body(docid)
    return None if kept is None else page_of(store.urls.get(docid).url, *kept)


def learn_template(store: Store, template: TemplateRow) -> Lesson | None:
    """The wrapper of a template and its skeleton, or ``None`` if no HTML of its pages was kept."""
    bodies = set(store.pages.bodies())
    kept = [docid for docid in template.docids if docid in bodies]
    if not kept:
        return None
    chosen = _samples(store, kept)
    rest = [docid for docid in kept if docid not in set(chosen)]
    lesson = study(template.id, _pages(store, chosen))
    wrapper = checked(lesson.wrapper, _pages(store, spread(rest, CHECKED)))
    wrapper = replace(
        wrapper, name=template.name, site=store.site or "", url_pattern=template.url_pattern
    )
    return replace(lesson, wrapper=wrapper)


def learnt_wrappers(store: Store) -> dict[str, Wrapper]:
    """The wrappers of all templates whose HTML was kept, learnt and not written."""
    rows = template_rows(store, list(store.pages.rows()))
    learnt = ((row.id, learn_template(store, row)) for row in rows)
    return {name: lesson.wrapper for name, lesson in learnt if lesson is not None}


def _pages(store: Store, docids: Sequence[int]) -> list[Page]:
    pages = [kept_page(store, docid) for docid in docids]
    return [page for page in pages if page is not None]


def _samples(store: Store, docids: Sequence[int]) -> list[int]:
    """Pages to learn from: the medoid and those that differ most, for what is optional; and some
    of the usual ones, for what is not."""
    ordered = [docid for docid, role in representatives(store, docids) if role != "outlier"]
    chosen = ordered[: (LEARNT + 1) // 2]
    rest = [docid for docid in docids if docid not in set(chosen)]
    return chosen + list(spread(rest, LEARNT - len(chosen)))


def write_lesson(folder: Path, lesson: Lesson) -> None:
    """Write a wrapper and its skeleton below a crawl's directory."""
    name = f"{lesson.wrapper.template}.json"
    write_json(folder / FOLDER / name, lesson.wrapper.as_dict())
    told = {
        "format": FORMAT,
        "template": lesson.wrapper.template,
        "skeletons": [one.as_dict() for one in lesson.skeletons],
    }
    write_json(folder / SKELETONS / name, told)


def read_wrappers(folder: Path) -> dict[str, Wrapper]:
    """The wrappers in a crawl's directory, or in one that has nothing but wrappers, by template;
    none if there are none."""
    inner = folder / FOLDER
    return dict(_read(inner if inner.is_dir() else folder))


def _read(folder: Path) -> Iterator[tuple[str, Wrapper]]:
    for path in sorted(folder.glob("t*.json")):
        if path.stem[1:].isdigit():
            wrapper = read_wrapper(path)
            yield wrapper.template, wrapper


def read_wrapper(path: Path) -> Wrapper:
    """The wrapper in a file."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}") from None
    except RecursionError:
        raise InputError(f"cannot read {path}: it is nested too deep") from None
    return Wrapper.of(told, str(path))


def bundle_of(store: Store, wrapper: Wrapper) -> Bundle:
    """*wrapper* with the pages that it was learnt from."""
    samples = []
    known = store.urls.known(wrapper.learned_from)
    for url in wrapper.learned_from:
        kept = store.pages.body(known[url]) if url in known else None
        if kept is not None:
            samples.append(Sample(known[url], url, *kept))
    return Bundle(wrapper, tuple(samples))


def todays(store: Store, wrappers: Iterable[Wrapper]) -> dict[str, Today]:
    """The templates of a crawl with pages to try *wrappers* on: rather those that they were learnt
    from, if their HTML was kept this time too."""
    bodies = set(store.pages.bodies())
    learnt = [url for wrapper in wrappers for url in wrapper.learned_from]
    again = {docid: url for url, docid in store.urls.known(learnt).items()}
    found = {}
    for template in template_rows(store, list(store.pages.rows())):
        kept = [docid for docid in template.docids if docid in bodies]
        chosen = [docid for docid in kept if docid in again][:LEARNT]
        rest = [docid for docid in kept if docid not in again]
        chosen += spread(rest, LEARNT - len(chosen))
        own = frozenset(again[docid] for docid in template.docids if docid in again)
        found[template.id] = Today(template.url_pattern, _pages(store, chosen), own)
    return found
