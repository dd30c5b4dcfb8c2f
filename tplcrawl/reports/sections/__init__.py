"""What a report tells, section by section: a module each, from a crawl to a part of
``coverage.json``."""
