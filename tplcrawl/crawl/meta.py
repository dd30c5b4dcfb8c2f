"""What requests and responses carry for tplcrawl."""

from __future__ import annotations

import re

from scrapy import Request
from scrapy.http import Response

from tplcrawl.clustering.template_ids import template_name
from tplcrawl.records import Prediction

DOCID, DEPTH = "tplcrawl_docid", "depth"
LOCATION, PREDICTED, CONFIDENCE = "tplcrawl_location", "tplcrawl_predicted", "tplcrawl_confidence"
TEMPLATE = "tplcrawl_template"


_TEMPLATE = re.compile(r"t[1-9][0-9]{0,8}").fullmatch

Told = dict[str, object]
"""The part of a request's meta that says where it comes from."""


def origin(location: str | None, prediction: Prediction | None) -> Told:
    """What a request carries whose link stands at *location* and is expected to lead to the
    template of *prediction*."""
    told: Told = {}
    if location is not None:
        told[LOCATION] = location
    if prediction is not None:
        told[PREDICTED] = template_name(prediction.template)
        told[CONFIDENCE] = round(prediction.confidence, 3)
    return told


def tell(request: Request, told: Told) -> None:
    """Let *request* carry *told*, and nothing that it has copied from the page's own meta."""
    meta = request.meta
    if TEMPLATE in meta:
        for key in (LOCATION, PREDICTED, CONFIDENCE, TEMPLATE):
            meta.pop(key, None)
    meta.update(told)


def told(response: Response) -> Prediction | None:
    """The template that was expected of *response* when it was asked for. Others may write there
    too: what is no prediction is none."""
    predicted, confidence = response.meta.get(PREDICTED), response.meta.get(CONFIDENCE)
    if not isinstance(predicted, str) or not _TEMPLATE(predicted):
        return None
    if not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        return None
    return Prediction(int(predicted[1:]), float(confidence))
