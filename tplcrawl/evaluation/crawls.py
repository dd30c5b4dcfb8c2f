"""A crawl's clusters against a site's known templates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tplcrawl.errors import InputError
from tplcrawl.evaluation.metrics import Scores, score


def target_key(target: str) -> str:
    """A path and query under one form: unescaped, the query's parts in order.

    >>> target_key("/a%20b?y=2&x=1")
    '/a b?x=1&y=2'
    """
    path, _, query = target.partition("?")
    parts = sorted(map(_plain, query.replace("+", " ").split("&"))) if query else []
    return unquote(path) + ("?" + "&".join(parts) if parts else "")


def _plain(part: str) -> str:
    return unquote(part).replace("&", "%26")


def read_truth(file: Path) -> dict[str, str]:
    """The templates of a site from a file of paths, tabs and names."""
    try:
        # URLs may hold characters at which splitlines() would break.
        lines = file.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{file} is not in UTF-8") from None
    return {target: name for target, _, name in (line.rpartition("\t") for line in lines)}


def score_crawl(folder: Path, truth: Mapping[str, str]) -> Scores:
    """Score a crawl's ``pages.jsonl``; pages that the truth does not name are left out."""
    names = {target_key(target): name for target, name in truth.items()}
    clusters, labels = [], []
    with (folder / "pages.jsonl").open(encoding="utf-8") as file:
        for line in file:
            page = json.loads(line)
            parts = urlsplit(page["url"])
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            name = names.get(target_key(target))
            if name is not None:
                clusters.append(page["template"])
                labels.append(name)
    return score(clusters, labels)
