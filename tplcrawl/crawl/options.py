"""The ``TPLCRAWL_…`` settings, read once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from tplcrawl.clustering.methods import METHODS
from tplcrawl.crawl.blocks import ON_BLOCK
from tplcrawl.crawl.streams import exporter_class
from tplcrawl.errors import UsageError
from tplcrawl.planning.aims import Aims
from tplcrawl.planning.budgets import Budgets

PREFIX = "TPLCRAWL_"


@dataclass(frozen=True, slots=True)
class Options:
    """One field for each setting, in lower case and without the prefix."""

    enabled: bool = True
    """Whether tplcrawl does anything."""

    dir: Path | None = None
    """The crawl's directory. By default ``crawls/<host>``."""

    method: str = "hybrid"
    """How templates are found: the name of a method."""

    cutoff: int | None = None
    """``uxclust``: the fewest pages of a group that counts, or ``auto``: in the proportion of the
    paper, and at least 3."""

    samples: int | None = None
    """``uxclust``: the pages of a group that give its fingerprint."""

    occurrence: float | None = None
    """``uxclust``: the share of the sampled pages on which a tag path must occur."""

    similarity: float | None = None
    """The similarity from which pages or groups are one template, for methods that have one."""

    location: str = "auto"
    """Where links stand: ``general``, or ``positional`` as in paper 001. ``auto`` is positional for
    ``uxclust`` and general for all other methods."""

    save_html: str = "samples"
    """Which pages' HTML is kept: ``samples`` of each template, ``all`` or ``none``."""

    stream_format: str = "jsonl"
    """The format of the streams: any that Scrapy's feed exports know."""

    warc: Path | None = None
    """The WARC archive that pages are written to."""

    extract: Path | None = None
    """The directory of an earlier crawl with wrappers: records of the pages that fit them go to the
    streams."""

    model: Path | None = None
    """The directory of an earlier crawl, or a file that ``tplcrawl model`` has written: the crawl
    starts from its templates."""

    tracking: bool = False
    """Whether tracking parameters (``utm_source`` …) are taken out of URLs."""

    durable: bool = False
    """Whether every commit must survive a power cut, not only the death of the process."""

    hurry_local: bool = False
    """Whether the ``site`` spider goes without any delay on this machine's own servers."""

    progress: bool = True
    """Whether a line shows the progress, where standard error is a terminal."""

    max_pages_per_template: Budgets | None = None
    """The most pages that are fetched of each template: a number, or numbers by name or id."""

    explore: float = 0.05
    """The share of fetches that goes to uniformly random URLs, where templates have budgets."""

    seed: int = 0
    """Of these random URLs: another number draws others."""

    order: str = "breadth"
    """What is fetched first: ``breadth``, or ``templates``: rare and unknown ones."""

    close_on_saturation: float | None = None
    """The chance that a random page shows a new template at which the crawl ends."""

    on_block: str = "ignore"
    """What is done when a site answers everything with one page: ``ignore`` it, ``slow`` down, or
    ``pause``: end the crawl, until it is called again."""

    live: bool = False
    """Whether the report is served on this machine while the crawl runs."""

    redis_url: str | None = None
    """Where the Redis is through which several processes share a crawl."""

    redis_key: str | None = None
    """What its keys begin with. By default ``tplcrawl:<site>``."""

    redis_lease: float = 60.0
    """Seconds after which the URLs of a worker that has died go to others."""

    redis_patience: float = 120.0
    """Seconds that a worker waits for a Redis that is away."""

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Options:
        """Read and check the settings; raise :exc:`UsageError` with the name of a wrong one."""
        values: dict[str, Any] = {}
        names = {PREFIX + field.name.upper(): field for field in fields(cls)}
        for name in settings:
            if isinstance(name, str) and name.startswith(PREFIX) and name not in names:
                raise UsageError(f"there is no setting {name}; there are: {', '.join(names)}")
        for name, field in names.items():
            given = settings.get(name)
            if given is not None:
                try:
                    values[field.name] = _READERS[field.name](given)
                except _NoChoice as error:
                    raise UsageError(f"{name} cannot be {given!r}, but one of {error}") from None
                except (ValueError, TypeError):
                    raise UsageError(f"{name} cannot be {given!r}") from None
        return cls(**values)

    @classmethod
    def of_spider(cls, settings: BaseSettings, *, ours: bool) -> Options:
        """The same for a spider, which without tplcrawl is nothing if it is one of *ours*."""
        options = cls.from_settings(settings)
        if ours and not options.enabled:
            raise UsageError("the site spider needs TPLCRAWL_ENABLED")
        if options.enabled:
            exporter_class(options.stream_format, settings.getwithbase("FEED_EXPORTERS"))
        return options

    @property
    def positional(self) -> bool:
        """Whether groups are made of positional locations."""
        if self.location == "auto":
            return self.method == "uxclust"
        return self.location == "positional"

    def aims(self, samples: int | None = None, like: Sequence[str] = ()) -> Aims:
        """What the crawl is for, with what a spider was told."""
        return Aims(
            budgets=self.max_pages_per_template,
            samples=samples,
            like=tuple(like),
            explore=self.explore,
            saturation=self.close_on_saturation,
            rare_first=self.order == "templates",
            seed=self.seed,
        )

    def parameters(self) -> dict[str, Any]:
        """The parameters of the chosen method that were given."""
        names = ("cutoff", "samples", "occurrence", "similarity")
        given = {name: getattr(self, name) for name in names}
        return {name: value for name, value in given.items() if value is not None}


def _flag(value: Any) -> bool:
    words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    if isinstance(value, bool):
        return value
    try:
        return words[str(value).strip().lower()]
    except KeyError:
        raise ValueError from None


class _NoChoice(ValueError):
    """Not one of the values that a setting has."""


def _choice(*choices: str) -> Any:
    def read(value: Any) -> str:
        if value not in choices:
            raise _NoChoice(", ".join(choices))
        return str(value)

    return read


def _path(value: Any) -> Path:
    # An unset variable of the shell would be this directory.
    if not str(value).strip():
        raise ValueError
    return Path(value)


def _cutoff(value: Any) -> int | None:
    return None if value == "auto" else _positive(value)


def _positive(value: Any) -> int:
    number = int(value)
    if number < 1:
        raise ValueError
    return number


def _share(value: Any) -> float:
    number = float(value)
    if not 0 <= number <= 1:
        raise ValueError
    return number


def _text(value: Any) -> str | None:
    text = str(value).strip()
    if not text.isprintable():
        raise ValueError
    return text or None


def _seconds(value: Any) -> float:
    number = float(value)
    if not 1 <= number < 1e9:
        raise ValueError
    return number


_READERS: dict[str, Any] = {
    "enabled": _flag,
    "dir": _path,
    "method": _choice(*METHODS),
    "cutoff": _cutoff,
    "samples": _positive,
    "occurrence": _share,
    "similarity": _share,
    "location": _choice("auto", "general", "positional"),
    "save_html": _choice("samples", "all", "none"),
    "stream_format": str,
    "extract": _path,
    "model": _path,
    "warc": _path,
    "tracking": _flag,
    "durable": _flag,
    "hurry_local": _flag,
    "progress": _flag,
    "max_pages_per_template": Budgets.parse,
    "explore": _share,
    "seed": int,
    "order": _choice("breadth", "templates"),
    "close_on_saturation": _share,
    "on_block": _choice(*ON_BLOCK),
    "live": _flag,
    "redis_url": _text,
    "redis_key": _text,
    "redis_lease": _seconds,
    "redis_patience": _seconds,
}
