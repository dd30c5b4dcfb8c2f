"""The default: gentle with hosts on the network, unthrottled on loopback.

Try it: ``scrapy crawl site -a url=http://example.com/ -a max_pages=100``.
"""

BOT_NAME = "tplcrawl"
SPIDER_MODULES = ["tplcrawl.crawl.site"]
NEWSPIDER_MODULE = "tplcrawl.crawl"
COMMANDS_MODULE = "tplcrawl.commands.scrapy"
ADDONS = {"tplcrawl.Addon": 500}

USER_AGENT = "tplcrawl (+https://pypi.org/project/tplcrawl)"
ROBOTSTXT_OBEY = True
COOKIES_ENABLED = True
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 64 * 1024 * 1024
DOWNLOAD_WARNSIZE = 0
RETRY_TIMES = 2
REDIRECT_MAX_TIMES = 10

# Nobody outside talks to the crawler, and no page makes it read files.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
DOWNLOAD_HANDLERS = {"file": None, "data": None, "ftp": None, "s3": None}

AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 0.5
AUTOTHROTTLE_TARGET_CONCURRENCY = 2.0
DOWNLOAD_DELAY = 0.25
CONCURRENT_REQUESTS = 16
CONCURRENT_REQUESTS_PER_DOMAIN = 4
TPLCRAWL_HURRY_LOCAL = True

LOG_LEVEL = "WARNING"
LOGSTATS_INTERVAL = 0
STATS_DUMP = False
