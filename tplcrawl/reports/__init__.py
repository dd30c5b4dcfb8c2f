"""The numbers of a crawl, and the files that show them."""
