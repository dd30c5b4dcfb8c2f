BOT_NAME = "warehouse"

SPIDER_MODULES = ["warehouse.spiders"]
NEWSPIDER_MODULE = "warehouse.spiders"

ROBOTSTXT_OBEY = False
RETRY_ENABLED = False
LOG_LEVEL = "INFO"
TELNETCONSOLE_ENABLED = False

ITEM_PIPELINES = {
    "warehouse.pipelines.DropSoldOut": 100,
    "warehouse.pipelines.Convert": 200,
    "warehouse.pipelines.Check": 300,
}

ADDONS = {"tplcrawl.Addon": 500}
