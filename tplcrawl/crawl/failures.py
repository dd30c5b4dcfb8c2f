"""What went wrong with a request, in the few words that the outputs use."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.http import Response
from scrapy.spidermiddlewares.httperror import HttpError

from tplcrawl.crawl.packed import TooLarge
from tplcrawl.crawl.resolver import GUARD
from tplcrawl.crawl.vigil import DeadlyPage
from tplcrawl.errors import StoreError
from tplcrawl.page.limits import DEADLY
from tplcrawl.store.urls import State

logger = logging.getLogger(__name__)

ROBOTS, NOT_HTML, OFFSITE, IGNORED = "robots.txt", "not html", "redirect offsite", "ignored"
PRIVATE = "private address"
"""A host of this machine or network that nobody named."""
LOOP = "redirect loop"
"""Redirects without an end."""
SATURATED = "saturated"
"""No more templates are likely: the crawl has ended."""
LOST = "lost"
"""A request that some component dropped without a word."""
BLOCKED = "blocked"
"""The site refuses to answer. A crawl that ends for that goes on when it is called again."""
TRANSIENT = frozenset(
    (BLOCKED, "timeout", "dns", "connection refused", "connection lost", "broken answer")
)
"""Failures that a later run of the same command tries again."""

_BUSY = frozenset((429, 502, 503, 504))
"""Answers of a server, or of one before it, that has no time for an answer."""

_BROKEN = "broken answer"
_WORDS = (
    ("timeout", "timeout"),
    ("timedout", "timeout"),
    ("resolve", "dns"),
    ("dnslookup", "dns"),
    ("refused", "connection refused"),
    ("dataloss", _BROKEN),
    ("cancelled", "too large"),
    ("connection", "connection lost"),
    ("responsenever", "connection lost"),
    ("downloadfailed", "connection lost"),
    ("gzip", _BROKEN),
    ("zstd", _BROKEN),
)


def reason_of(error: BaseException | None, request: Request) -> tuple[str, int | None]:
    """Why *error* came of *request* and, where there was an answer, its status."""
    if isinstance(error, HttpError):
        status = error.response.status
        return f"http {status}", status
    if isinstance(error, TooLarge) or "DOWNLOAD_MAXSIZE" in str(error):
        return "too large", None
    if isinstance(error, IgnoreRequest):
        return (ROBOTS if "robots" in str(error) else IGNORED), None
    if isinstance(error, StopDownload):
        return NOT_HTML, getattr(getattr(error, "response", None), "status", None)
    name = type(error).__name__.lower()
    for part, words in _WORDS:
        if part in name:
            return (PRIVATE if words == "dns" and _is_private(request) else words), None
    if name == "error" or isinstance(error, ValueError):
        return _BROKEN, None  # as zlib and brotli call theirs; redirects that are no URLs
    return type(error).__name__, None


def unread(url: str, error: Exception) -> str:
    """Why nothing could be made of the page of *url*."""
    if isinstance(error, DeadlyPage):
        return DEADLY
    logger.error("Cannot read %s", url, exc_info=error)
    return "error"


def reason_of_answer(answer: Response) -> str:
    """The reason for which an answer is no page."""
    return f"http {answer.status}" if answer.status >= 400 else NOT_HTML


def state_of(reason: str) -> State:
    """What became of a URL of which no page came for *reason*."""
    return State.SKIPPED if reason in (ROBOTS, IGNORED) else State.FAILED


def is_answer(status: int | None) -> bool:
    """Whether a failure tells something of its URL, and not only of the moment."""
    return status is not None and status not in _BUSY


def says_no(status: int | None) -> bool:
    """Whether it tells that no page will ever come: a server's own errors may be mended."""
    return status is not None and status < 500 and is_answer(status)


def _is_private(request: Request) -> bool:
    """Whether no address was given for the host because it is a private one."""
    return urlsplit(request.url).hostname in GUARD.refused


def broken(path: Path, error: Exception) -> StoreError:
    """Why nothing more can be written to the database at *path*."""
    if isinstance(error, sqlite3.Error | OSError):
        return StoreError(f"cannot write {path}: {error}")
    return StoreError(f"cannot go on with {path}: {error!r}")
