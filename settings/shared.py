"""Several processes, on one machine or many, crawl one site together through Redis.

Try it, in as many terminals as you like:
``SCRAPY_PROJECT=shared scrapy crawl site -a url=http://example.com/``; then
``tplcrawl merge crawls/example.com/worker-* -o crawls/example.com/all``.
"""

from settings.base import *  # noqa: F403

TPLCRAWL_REDIS_URL = "redis://127.0.0.1:6379/0"
