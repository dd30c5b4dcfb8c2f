"""The same clustering without a crawl: pages from directories, archives and earlier crawls."""
