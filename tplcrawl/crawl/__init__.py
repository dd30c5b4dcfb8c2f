"""The Scrapy side, thin: nothing here decides what a template is."""
