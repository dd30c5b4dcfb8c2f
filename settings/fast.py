"""For sites of one's own: no delay anywhere.

Try it: ``SCRAPY_PROJECT=fast scrapy crawl site -a url=http://staging.example.com/``.
"""

from settings.base import *  # noqa: F403

AUTOTHROTTLE_ENABLED = False
DOWNLOAD_DELAY = 0
CONCURRENT_REQUESTS = 32
CONCURRENT_REQUESTS_PER_DOMAIN = 32
