from __future__ import annotations

from dataclasses import dataclass, field

import scrapy


def upper(value: str) -> str:
    return value.upper()


class Product(scrapy.Item):
    url = scrapy.Field()
    sku = scrapy.Field(serializer=upper)
    stock = scrapy.Field()
    checked = scrapy.Field()


@dataclass
class Listing:
    url: str
    products: list[str] = field(default_factory=list)
    page: int = 1
