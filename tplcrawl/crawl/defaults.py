"""Scrapy settings for the ``site`` spider: what it needs anywhere, and what makes it safe.

``SCRAPY_SETTINGS_MODULE=tplcrawl.crawl.defaults scrapy crawl site -a url=…`` works in any folder;
the ``settings`` folder of the project builds on it.
"""

BOT_NAME = "tplcrawl"
SPIDER_MODULES = ["tplcrawl.crawl.site"]
NEWSPIDER_MODULE = "tplcrawl.crawl"
COMMANDS_MODULE = "tplcrawl.commands.scrapy"
ADDONS = {"tplcrawl.Addon": 500}

USER_AGENT = "tplcrawl (+https://pypi.org/project/tplcrawl)"
ROBOTSTXT_OBEY = True
ROBOTSTXT_PARSER = "tplcrawl.crawl.robots.ShortRobotParser"
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 64 * 1024 * 1024
DOWNLOAD_WARNSIZE = 0
DOWNLOADER_MIDDLEWARES = {"tplcrawl.crawl.packed.PackedGuard": 595}  # before it is unpacked
RETRY_TIMES = 2
REDIRECT_MAX_TIMES = 10

# Nobody outside talks to the crawler, and no page makes it read files or ask private hosts.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
TWISTED_DNS_RESOLVER = "tplcrawl.crawl.resolver.GuardedResolver"
DOWNLOAD_HANDLERS = {"file": None, "data": None, "ftp": None, "s3": None}

# What could not be fetched stands in the outputs, with its reason; no need to log it too.
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"
LOG_LEVEL = "WARNING"
LOGSTATS_INTERVAL = 0
STATS_DUMP = False
