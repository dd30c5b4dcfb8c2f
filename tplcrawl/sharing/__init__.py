"""One crawl by several workers, which share a queue in Redis.

A worker's own store stays what it is in any crawl: all that it has fetched, and every URL that it
knows. Redis knows which URLs have been seen, which of them wait, and who has taken which; whatever
it forgets, the stores tell it again.
"""
