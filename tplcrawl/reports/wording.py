"""What sentences are made of: numbers of things, and what is said of a crawl at work."""

from __future__ import annotations


def plural(number: int, noun: str) -> str:
    """*noun* as it goes with a number.

    >>> plural(1, "page"), plural(0, "page")
    ('page', 'pages')
    """
    return noun if number == 1 else f"{noun}s"


RUNNING = "running"
"""Why a crawl ended, as long as it has not."""


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "page"), counted(1200, "page")
    ('1 page', '1,200 pages')
    """
    return f"{number:,} {plural(number, noun)}"


def percent(share: float) -> str:
    """A share for people: nothing but all is 100 %, and nothing but none 0 %.

    >>> percent(1.0), percent(0.999), percent(0.5), percent(0.001), percent(0.0)
    ('100%', '>99%', '50%', '<1%', '0%')
    """
    if 0 < share < 0.005:
        return "<1%"
    return f"{share:.0%}" if share >= 1 or share < 0.995 else ">99%"
