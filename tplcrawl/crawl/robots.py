"""How much of a ``robots.txt`` is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.robotstxt import ProtegoRobotParser

if TYPE_CHECKING:
    from scrapy import Spider

MOST_BYTES = 512 * 1024
"""RFC 9309 asks for 500 KiB. Every rule costs time for every URL, and a million of them would stop
the crawl."""


class ShortRobotParser(ProtegoRobotParser):
    """Scrapy's parser, for the first :data:`MOST_BYTES` of the file, up to the end of a line."""

    def __init__(self, robotstxt_body: bytes, spider: Spider | None) -> None:
        if len(robotstxt_body) > MOST_BYTES:
            robotstxt_body = robotstxt_body[:MOST_BYTES].rpartition(b"\n")[0]
        super().__init__(robotstxt_body, spider)
