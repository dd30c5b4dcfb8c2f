"""One page in, one :class:`~tplcrawl.records.Profile` out."""
