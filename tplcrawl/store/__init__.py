"""What a crawl remembers, on disk; also its frontier: what is still to fetch."""
