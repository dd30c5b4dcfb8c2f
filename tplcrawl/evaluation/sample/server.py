"""The sample site on loopback."""

from __future__ import annotations

from functools import cache

from tplcrawl.evaluation.sample.site import SampleSite
from tplcrawl.evaluation.serving import Answer, SiteServer


def sample_server(site: SampleSite, port: int = 0) -> SiteServer:
    """A server of *site*; pages are rendered once."""

    @cache
    def answer(target: str) -> Answer | None:
        html = site.html(target)
        return None if html is None else Answer(html.encode())

    return SiteServer(answer, port)
