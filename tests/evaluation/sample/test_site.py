from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from urllib.parse import urljoin, urlsplit

import pytest
from lxml import html

from tplcrawl.evaluation.sample.site import SampleSite, Sizes

FINGERPRINT = """
import sys
from hashlib import sha256
from tplcrawl.evaluation.sample.site import SampleSite
site = SampleSite()
digest = sha256()
for path, template in site.truth().items():
    digest.update(f"{path} {template} {site.html(path)}".encode())
sys.stdout.write(digest.hexdigest())
"""


@pytest.fixture(scope="module")
def site() -> SampleSite:
    return SampleSite()


@pytest.fixture(scope="module")
def bodies(site: SampleSite) -> dict[str, str]:
    """The HTML of every page by its path and query."""
    found = {}
    for path in site.pages:
        body = site.html(path)
        assert body is not None
        found[path] = body
    return found


def targets(path: str, body: str) -> list[str]:
    """Where the inner-site links of a page lead."""
    base = f"http://a.com{path}"
    links = [urlsplit(urljoin(base, href)) for href in html.fromstring(body).xpath("//a/@href")]
    return [
        link.path + (f"?{link.query}" if link.query else "")
        for link in links
        if link.netloc == "a.com"
    ]


def test_every_process_makes_the_same_bytes() -> None:
    digests = set()
    for seed in ("0", "1", "4711"):
        run = subprocess.run(
            [sys.executable, "-c", FINGERPRINT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(run.stdout)
    assert len(digests) == 1
    assert len(digests.pop()) == 64


def test_other_seeds_make_other_texts_of_the_same_kinds(bodies: dict[str, str]) -> None:
    other = SampleSite(seed=1)
    assert Counter(other.truth().values()) == Counter(SampleSite().truth().values())
    assert other.html("/") != bodies["/"]


def test_there_are_many_pages_of_many_templates(site: SampleSite) -> None:
    counts = Counter(site.truth().values())
    assert 350 <= counts.total() <= 450
    assert len(counts) >= 8
    assert counts["product"] == site.sizes.products
    assert counts["post"] == site.sizes.posts
    assert counts["thread"] == site.sizes.threads
    assert counts["user"] == site.sizes.users


def test_every_link_leads_to_a_page_of_the_site(site: SampleSite, bodies: dict[str, str]) -> None:
    for path, body in bodies.items():
        for target in targets(path, body):
            assert target in site.pages, (path, target)


def test_every_page_is_linked_from_some_other_page_within_reach(bodies: dict[str, str]) -> None:
    seen, waiting = {"/"}, ["/"]
    while waiting:
        path = waiting.pop()
        for target in targets(path, bodies[path]):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    assert seen == set(bodies)


def test_pages_have_titles_of_their_own(bodies: dict[str, str]) -> None:
    titles = {path: html.fromstring(body).findtext(".//title") for path, body in bodies.items()}
    assert all(titles.values())
    assert len(set(titles.values())) > len(titles) / 2


def test_there_is_nothing_elsewhere(site: SampleSite) -> None:
    for path in ("/none", "/product", "", "//", "/?page=2"):
        assert site.html(path) is None


def test_sizes_and_menu_are_as_asked_for() -> None:
    small = SampleSite(Sizes(products=30, posts=5, threads=4, users=3, menu=25))
    assert len([one for one in small.truth().values() if one == "product"]) == 30
    body = small.html("/cart")
    assert body is not None
    menu = {path for path, name in small.truth().items() if name == "product"}
    assert len(menu & set(targets("/cart", body))) >= 25
    for path in small.pages:
        page = small.html(path)
        assert page is not None
        assert set(targets(path, page)) <= set(small.pages)
