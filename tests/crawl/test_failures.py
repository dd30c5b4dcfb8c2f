from __future__ import annotations

import pytest
from scrapy import Request
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
    StopDownload,
)
from scrapy.http import Response
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.internet import error

from tplcrawl.crawl.failures import BLOCKED, TRANSIENT, is_answer, reason_of, says_no

ASKED = Request("http://a.test/")


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (DownloadTimeoutError(), "timeout"),
        (error.TimeoutError(), "timeout"),
        (error.TCPTimedOutError(), "timeout"),
        (CannotResolveHostError(), "dns"),
        (error.DNSLookupError(), "dns"),
        (DownloadConnectionRefusedError(), "connection refused"),
        (error.ConnectionRefusedError(), "connection refused"),
        (error.ConnectionLost(), "connection lost"),
        (DownloadFailedError(), "connection lost"),
        (ResponseDataLossError(), "broken answer"),
        (DownloadCancelledError(), "too large"),
        (IgnoreRequest("Forbidden by robots.txt"), "robots.txt"),
        (IgnoreRequest("I do not want it"), "ignored"),
        (StopDownload(fail=True), "not html"),
        (ZeroDivisionError(), "ZeroDivisionError"),
    ],
)
def test_a_failure_has_a_reason_of_few_words(problem: Exception, reason: str) -> None:
    assert reason_of(problem, ASKED) == (reason, None)


def test_an_answer_gives_its_status_too() -> None:
    refused = HttpError(Response("http://a.test/", status=418))
    assert reason_of(refused, ASKED) == ("http 418", 418)


def test_what_a_later_run_tries_again_is_what_may_pass() -> None:
    passing = [DownloadTimeoutError(), CannotResolveHostError(), DownloadConnectionRefusedError(),
               DownloadFailedError(), ResponseDataLossError()]  # fmt: skip
    lasting = [DownloadCancelledError(), IgnoreRequest("robots"), StopDownload(fail=True)]
    assert {*(reason_of(problem, ASKED)[0] for problem in passing), BLOCKED} == TRANSIENT
    assert TRANSIENT.isdisjoint(reason_of(problem, ASKED)[0] for problem in lasting)


def test_a_busy_server_says_nothing_of_a_url() -> None:
    """Catches learning from 429 that no page will come."""
    told = {status: (is_answer(status), says_no(status)) for status in (None, 404, 429, 500, 503)}
    assert told == {
        None: (False, False), 404: (True, True), 429: (False, False),
        500: (True, False), 503: (False, False),
    }  # fmt: skip
