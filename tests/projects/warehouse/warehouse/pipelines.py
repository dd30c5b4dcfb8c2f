from __future__ import annotations

import asyncio
from typing import Any

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem


class DropSoldOut:
    def process_item(self, item: Any) -> Any:
        if ItemAdapter(item).get("stock") == 0:
            raise DropItem("sold out")
        return item


class Convert:
    """Waits, as one does for a database, and gives a new item for some."""

    async def process_item(self, item: Any) -> Any:
        number = ItemAdapter(item).get("stock") or 0
        await asyncio.sleep(0.002 * (number % 5))
        return item.copy() if isinstance(item, dict) else item


class Check:
    def process_item(self, item: Any) -> Any:
        adapter = ItemAdapter(item)
        if adapter.get("stock") == 7:
            raise ValueError("seven is not a number of things")
        if "stock" in adapter:
            adapter["checked"] = True
        return item
