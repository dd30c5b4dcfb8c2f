"""What requests and responses carry for tplcrawl."""

from __future__ import annotations

from scrapy import Request
from scrapy.http import Response

from tplcrawl.clustering.template_ids import template_name
from tplcrawl.records import Prediction

DOCID, DEPTH = "tplcrawl_docid", "depth"
LOCATION, PREDICTED, CONFIDENCE = "tplcrawl_location", "tplcrawl_predicted", "tplcrawl_confidence"
TEMPLATE = "tplcrawl_template"


def tell(request: Request, location: str | None, prediction: Prediction | None) -> None:
    """Let *request* say where its link stands and which template is expected; what it may have
    copied from the page's own meta goes."""
    meta = request.meta
    for key in (LOCATION, PREDICTED, CONFIDENCE, TEMPLATE):
        meta.pop(key, None)
    if location is not None:
        meta[LOCATION] = location
    if prediction is not None:
        meta[PREDICTED] = template_name(prediction.template)
        meta[CONFIDENCE] = round(prediction.confidence, 3)


def told(response: Response) -> Prediction | None:
    """The template that was expected of *response* when it was asked for."""
    predicted = response.meta.get(PREDICTED)
    if not isinstance(predicted, str) or not predicted[1:].isdigit():
        return None
    return Prediction(int(predicted[1:]), float(response.meta.get(CONFIDENCE, 0.0)))
