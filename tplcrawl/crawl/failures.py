"""What went wrong with a request, in the few words that the outputs use."""

from __future__ import annotations

from urllib.parse import urlsplit

from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.http import Response
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.python.failure import Failure

from tplcrawl.crawl.packed import TooLarge
from tplcrawl.crawl.resolver import GUARD

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


def reason_of(failure: Failure) -> tuple[str, int | None]:
    """The reason of *failure* and, where there was an answer, its status."""
    error = failure.value
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
            return (PRIVATE if words == "dns" and _is_private(failure) else words), None
    if name == "error" or isinstance(error, ValueError):
        return _BROKEN, None  # as zlib and brotli call theirs; redirects that are no URLs
    return type(error).__name__, None


def reason_of_answer(answer: Response) -> str:
    """The reason for which an answer is no page."""
    return f"http {answer.status}" if answer.status >= 400 else NOT_HTML


def _is_private(failure: Failure) -> bool:
    """Whether no address was given for the host because it is a private one."""
    request = getattr(failure, "request", None)
    return request is not None and urlsplit(request.url).hostname in GUARD.refused
