"""Items as the store keeps them."""

from __future__ import annotations

from typing import Any

from scrapy import Field, Item
from scrapy.exporters import PythonItemExporter
from scrapy.utils.serialize import ScrapyJSONEncoder

from tplcrawl.store.pages import Item as StoredItem


class PageItem(Item):
    """What the ``site`` spider yields for each page."""

    url = Field()
    title = Field()
    template = Field()
    """The page's template when the streams are written."""
    canonical = Field()
    lang = Field()
    json_ld = Field()
    """The ``@type`` names of the page's JSON-LD."""


class ItemEncoder:
    """Turns items of any kind into JSON, with the serializers of their fields."""

    def __init__(self) -> None:
        self._exporter = PythonItemExporter(dont_fail=True)
        self._encoder = ScrapyJSONEncoder()

    def __call__(self, item: Any) -> StoredItem:
        record = self._exporter.export_item(item)
        return StoredItem(type(item).__name__, self._encoder.encode(record))
