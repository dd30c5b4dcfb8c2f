"""The Scrapy settings of this project; ``scrapy.cfg`` names them."""
