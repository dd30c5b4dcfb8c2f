"""A packed site with known templates: what it answers to each path, and the truth.

``site.json`` names the start page, ``map.json`` the file or redirect behind each path and query,
``truth.tsv`` the template of each.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from tplcrawl.batch.documents import Document, encoding_of
from tplcrawl.errors import InputError
from tplcrawl.evaluation.crawls import read_truth, target_key

ROOT = "http://corpus.test"
_HTML = ("text/html", "application/xhtml+xml")
_REDIRECTS = 10


@dataclass(frozen=True)
class Corpus:
    """One packed site."""

    folder: Path
    start: str
    answers: dict[str, dict[str, Any]] = field(repr=False)

    @classmethod
    def open(cls, folder: Path) -> Corpus:
        """The site that is packed in *folder*."""
        try:
            site = json.loads((folder / "site.json").read_text(encoding="utf-8"))
            answers = json.loads((folder / "map.json").read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(f"no packed site in {folder}: {error.filename} is missing") from None
        except ValueError as error:
            raise InputError(f"no packed site in {folder}: {error}") from None
        if not isinstance(site, dict) or not isinstance(answers, dict):
            raise InputError(f"no packed site in {folder}: site.json or map.json is no object")
        if not isinstance(site.get("start"), str):
            raise InputError(f"no packed site in {folder}: site.json names no start")
        return cls(folder, site["start"], answers)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.folder.name

    @cached_property
    def truth(self) -> dict[str, str]:
        """The template of each path and query, under one form."""
        known = read_truth(self.folder / "truth.tsv")
        return {target_key(target): name for target, name in known.items()}

    def template_of(self, url: str) -> str | None:
        """The true template of a page."""
        return self.truth.get(target_key(_target(url)))

    def fetch(self, url: str) -> Document | None:
        """The page that *url* answers with, redirects followed; ``None`` where there is none."""
        for _ in range(_REDIRECTS):
            target = _target(url)
            answer = self.answers.get(target) or self.answers.get(unquote(target))
            if answer is None:
                return None
            if "location" in answer:
                url = urljoin(url, answer["location"])
                continue
            kind = answer.get("type", "text/html")
            if kind.partition(";")[0].strip() not in _HTML:
                return None
            try:
                body = (self.folder / answer["file"]).read_bytes()
            except OSError as error:
                raise InputError(f"cannot read {error.filename}: {error.strerror}") from None
            return Document(url, body, encoding_of(body, kind))
        return None


def _target(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
