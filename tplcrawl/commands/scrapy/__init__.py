"""Commands of the ``scrapy`` tool inside this project."""
