"""Archives of many sites: each host's pages clustered by themselves.

A method learns from one site what its templates have in common; pages of other sites would only
blur that. No template spans two hosts, and none is affected by pages of another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

import numpy as np

from tplcrawl.clustering.base import Arrival, Classifier, Clustering, Method
from tplcrawl.clustering.linked import STRANGER
from tplcrawl.clustering.pages import Pages
from tplcrawl.page.site import host_of
from tplcrawl.records import Assignment


def hosts_of(urls: Sequence[str]) -> dict[str, list[int]]:
    """The pages of each host, hosts in the order of their first pages. ``www.`` does not count,
    nor does a default port.

    >>> hosts_of(["http://a.com/1", "http://b.com/", "https://www.a.com/2"])
    {'a.com': [0, 2], 'b.com': [1]}
    """
    hosts: dict[str, list[int]] = {}
    known: dict[str, list[int]] = {}
    for page, url in enumerate(urls):
        end = url.find("/", 8)
        origin = url[:end] if end > 0 else url
        rows = known.get(origin)
        if rows is None:
            rows = known[origin] = hosts.setdefault(_host(origin), [])
        rows.append(page)
    return hosts


def cluster_by_host(method: Method, pages: Pages) -> Clustering:
    """Group the pages of each host into templates. O(what *method* costs for each)."""
    hosts = hosts_of(pages.urls)
    if len(hosts) == 1:
        return method.cluster(pages)
    found: list[Assignment | None] = [None] * len(pages)
    classifiers: dict[str, tuple[Classifier, int]] = {}
    learned = templates = 0
    for host, rows in hosts.items():
        clustering = method.cluster(pages.some(np.array(rows, np.int64)))
        shift = _Shift(templates)
        for row, given in zip(rows, clustering.assignments, strict=True):
            found[row] = shift(given)
        classifiers[host] = clustering.classifier, templates
        numbers = [a.template for a in clustering.assignments if a.template is not None]
        templates += max(numbers, default=-1) + 1
        learned += clustering.learned_from
    assignments = tuple(given for given in found if given is not None)
    return Clustering(assignments, _ByHost(classifiers), learned_from=learned)


class _ByHost(Classifier):
    """Asks what was learnt of a page's own host; a page of another host is of no template."""

    def __init__(self, hosts: Mapping[str, tuple[Classifier, int]]) -> None:
        self._hosts = hosts

    def assign(self, page: Arrival) -> Assignment:
        known = self._hosts.get(_host(page.url))
        if known is None:
            return STRANGER
        classifier, first = known
        return _Shift(first)(classifier.assign(page))


class _Shift:
    """Renumbers templates; equal assignments stay one object, for there may be millions."""

    def __init__(self, by: int) -> None:
        self._by = by
        self._known: dict[Assignment, Assignment] = {}

    def __call__(self, given: Assignment) -> Assignment:
        if given.template is None or not self._by:
            return given
        shifted = self._known.get(given)
        if shifted is None:
            shifted = replace(given, template=given.template + self._by)
            self._known[given] = shifted
        return shifted


def _host(url: str) -> str:
    try:
        return host_of(urlsplit(url))
    except ValueError:
        return ""
