"""A stream of new pages, and the template of each by what a crawl has learnt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from tplcrawl.batch.documents import Document, Losses
from tplcrawl.batch.folders import survey_folder
from tplcrawl.batch.warc import read_warc
from tplcrawl.clustering.base import Arrival
from tplcrawl.clustering.model import Model
from tplcrawl.fingerprints.features import Features, features_of
from tplcrawl.fingerprints.lzw import fingerprint
from tplcrawl.fingerprints.tag_paths import hash_set
from tplcrawl.outline import NO_OUTLINE
from tplcrawl.page.profile import profile_of
from tplcrawl.records import Assignment

_NONE = hash_set(())
_FILES = 1000


def documents_in(path: Path, losses: Losses) -> Iterator[Document]:
    """The pages in an archive or a directory."""
    if path.is_dir():
        for part in survey_folder(path, losses, _FILES):
            yield from part.documents(losses)
    else:
        yield from read_warc(path, losses)


def classified(
    model: Model, documents: Iterable[tuple[str, Document]]
) -> Iterator[tuple[str, Assignment]]:
    """The name of each of *documents* with its template, one at a time. Nothing of a page is looked
    at but what the model's method reads."""
    look = _skimmed if model.method.skims else _profiled
    for name, document in documents:
        yield name, model.ask(look(document))


def _skimmed(document: Document) -> Arrival:
    lzw = fingerprint(document.body)
    features = Features(_NONE, _NONE, _NONE, _NONE, _NONE, lzw)
    return Arrival(features, NO_OUTLINE, url=document.url)


def _profiled(document: Document) -> Arrival:
    profile = profile_of(document.url, document.body, None, encoding=document.encoding)
    url = document.url or profile.canonical
    return Arrival(features_of(url, profile.outline, profile.lzw), profile.outline, url=url)
