BOT_NAME = "rationed"

SPIDER_MODULES = ["rationed.spiders"]
NEWSPIDER_MODULE = "rationed.spiders"

ROBOTSTXT_OBEY = False
RETRY_ENABLED = False
LOG_LEVEL = "INFO"
TELNETCONSOLE_ENABLED = False

ADDONS = {"tplcrawl.Addon": 500}
