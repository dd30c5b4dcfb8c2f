from __future__ import annotations

from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tplcrawl.evaluation.sample.server import sample_server
from tplcrawl.evaluation.sample.site import SampleSite


def test_the_served_pages_are_those_of_the_site() -> None:
    site = SampleSite()
    category = next(path for path, name in site.truth().items() if name == "category")
    with sample_server(site) as server:
        for path in ("/", f"{category}?page=2"):
            for _ in range(2):
                with urlopen(server.url.rstrip("/") + path, timeout=30) as response:
                    assert response.read().decode() == site.html(path)
        with pytest.raises(HTTPError) as caught:
            urlopen(server.url + "none", timeout=30)
        assert caught.value.code == 404
        caught.value.close()
