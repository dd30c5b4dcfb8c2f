"""tplcrawl finds the templates of a web site while Scrapy crawls it."""

from __future__ import annotations

from typing import Any

__all__ = ["Addon", "__version__"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import the add-on, and with it Scrapy, only for those who ask for it."""
    if name == "Addon":
        from tplcrawl.crawl.addon import Addon

        return Addon
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
