"""The sample site on loopback."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tplcrawl.evaluation.sample.site import SampleSite
from tplcrawl.evaluation.serving import Answer, SiteServer


def sample_answers(site: SampleSite) -> Callable[[str], Answer | None]:
    """What *site* answers to each path and query; pages are rendered once."""

    @cache
    def answer(target: str) -> Answer | None:
        html = site.html(target)
        return None if html is None else Answer(html.encode())

    return answer


def sample_server(site: SampleSite, port: int = 0) -> SiteServer:
    """A server of *site*."""
    return SiteServer(sample_answers(site), port)
