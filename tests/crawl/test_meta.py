from __future__ import annotations

from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response

from tplcrawl.crawl.meta import CONFIDENCE, LOCATION, PREDICTED, TEMPLATE, origin, tell, told
from tplcrawl.records import Prediction


def answered(meta: dict[str, Any]) -> Response:
    return Response("http://a.test/", request=Request("http://a.test/", meta=meta))


def test_a_request_carries_what_its_response_tells() -> None:
    request = Request("http://a.test/x", meta={"mine": 1})
    tell(request, origin("/html/body/a", Prediction(3, 0.98765)))
    assert request.meta == {
        "mine": 1, LOCATION: "/html/body/a", PREDICTED: "t3", CONFIDENCE: 0.988,
    }  # fmt: skip
    assert told(answered(request.meta)) == Prediction(3, 0.988)


def test_what_a_request_has_copied_from_its_page_is_not_its_own() -> None:
    copied = {"mine": 1, TEMPLATE: None, LOCATION: "/a", PREDICTED: "t9", CONFIDENCE: 0.5}
    request = Request("http://a.test/x", meta=copied)
    tell(request, origin("/html/body/b", None))
    assert request.meta == {"mine": 1, LOCATION: "/html/body/b"}
    away = Request("http://b.test/", meta=copied)
    tell(away, origin(None, None))
    assert away.meta == {"mine": 1}


@pytest.mark.parametrize(
    "meta", [{}, {PREDICTED: None}, {PREDICTED: 3}, {PREDICTED: "t"}, {PREDICTED: "tx"},
             {PREDICTED: ""}, {PREDICTED: "-1"}, {PREDICTED: "t\u00b2"},
             {PREDICTED: "t1"},
             {PREDICTED: "t1", CONFIDENCE: "much"}],
)  # fmt: skip
def test_what_others_write_there_is_not_trusted(meta: dict[str, Any]) -> None:
    assert told(answered(meta)) is None
