"""What went wrong with a request, in the few words that the outputs use."""

from __future__ import annotations

from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.python.failure import Failure

from tplcrawl.crawl.frontier import IGNORED, NOT_HTML, ROBOTS

_WORDS = (
    ("timeout", "timeout"),
    ("timedout", "timeout"),
    ("resolve", "dns"),
    ("dnslookup", "dns"),
    ("refused", "connection refused"),
    ("dataloss", "broken answer"),
    ("cancelled", "too large"),
    ("connection", "connection lost"),
    ("responsenever", "connection lost"),
    ("downloadfailed", "connection lost"),
)


def reason_of(failure: Failure) -> tuple[str, int | None]:
    """The reason of *failure* and, where there was an answer, its status."""
    error = failure.value
    if isinstance(error, HttpError):
        status = error.response.status
        return f"http {status}", status
    if isinstance(error, IgnoreRequest):
        return (ROBOTS if "robots" in str(error) else IGNORED), None
    if isinstance(error, StopDownload):
        return NOT_HTML, getattr(getattr(error, "response", None), "status", None)
    name = type(error).__name__.lower()
    for part, words in _WORDS:
        if part in name:
            return words, None
    return type(error).__name__, None
