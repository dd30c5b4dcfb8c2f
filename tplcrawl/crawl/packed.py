"""How much that is compressed is unpacked."""

from __future__ import annotations

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from tplcrawl.page.limits import DEFAULT


class TooLarge(IgnoreRequest):
    """An answer is too large to be unpacked."""


class PackedGuard:
    """Lets go of compressed answers that are longer, packed, than what is parsed of a page.

    Scrapy bounds what they unpack to, not the time that this takes: 60 MB that were never
    compressible, or millions of empty archives, cost it ten seconds, in which all stands still.
    """

    def process_response(self, request: Request, response: Response) -> Response:
        """Called by Scrapy, before it unpacks *response*."""
        if len(response.body) > DEFAULT.body and b"Content-Encoding" in response.headers:
            raise TooLarge(f"{len(response.body)} bytes, compressed")
        return response
