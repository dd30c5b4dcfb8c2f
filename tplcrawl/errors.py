"""The exception tree.

::

    TplcrawlError            anything that tplcrawl itself reports; str() is one clear line
    ├── UsageError           the call is wrong: bad URL, unknown method      (exit code 2)
    └── JobError             the call is right, the job cannot be done       (exit code 1)
        ├── StoreError       the crawl's directory or database
        │   ├── ForeignStore     it belongs to another site
        │   ├── VersionMismatch  it was written by another version
        │   └── StoreLocked      another process writes to it
        ├── WorkerDied       a process that was doing part of it
        ├── InputError       an input file or page cannot be read
        └── CrawlFailed      nothing could be fetched
"""

from __future__ import annotations


class TplcrawlError(Exception):
    """Anything that tplcrawl reports by itself; ``str(error)`` is one line for people."""

    exit_code = 1


class UsageError(TplcrawlError):
    """The call is wrong: the user can mend it without looking at any file."""

    exit_code = 2


class JobError(TplcrawlError):
    """The call is right, but the job cannot be done."""


class StoreError(JobError):
    """The crawl's directory or database cannot be used."""


class ForeignStore(StoreError):
    """The directory holds the crawl of another site."""


class VersionMismatch(StoreError):
    """The database was written by another version of tplcrawl."""


class StoreLocked(StoreError):
    """Another process is writing to the database."""


class WorkerDied(JobError):
    """A process that was doing part of the job is gone; what the others did is kept."""


class InputError(JobError):
    """An input cannot be read."""


class CrawlFailed(JobError):
    """Not one page of the site could be fetched."""
