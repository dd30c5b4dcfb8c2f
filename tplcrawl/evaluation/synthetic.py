"""Sites without pages: what methods read of as many pages as one likes, made from a number."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tplcrawl.clustering.inbound import Inbound
from tplcrawl.clustering.pages import Lazy, Pages
from tplcrawl.fingerprints.features import Features
from tplcrawl.fingerprints.tag_paths import hash_set
from tplcrawl.outline import NO_OUTLINE

TEMPLATES = 30
_CHROME, _FIXED, _OPTIONAL = 60, 60, 80


def synthetic_pages(count: int, seed: int = 0) -> tuple[Pages, list[int]]:
    """*count* pages of :data:`TEMPLATES` templates, most of them of a few, and the true templates.

    Each page has the site's chrome, what is fixed in its template, each optional part of that with
    a probability of its own, and content that no other page has: all pages differ. Nothing is
    kept of a page but its template: features are made when they are read.
    """
    chance = np.random.default_rng(seed)
    weights = 1 / np.arange(1, TEMPLATES + 1)
    truth = chance.choice(TEMPLATES, count, p=weights / weights.sum())
    pages = np.arange(count)
    locations = truth * 2 + chance.integers(0, 2, count)
    inbound = Inbound(pages, locations, np.zeros(count, bool), np.ones(count, np.int64))
    return Pages(
        urls=Lazy(range(count), lambda page: f"http://s.test/k{truth[page]}/p{page}"),
        features=Lazy(range(count), _Maker(truth, seed)),
        outlines=Lazy(range(count), lambda page: NO_OUTLINE),
        inbound=inbound,
        first_locations=locations.tolist(),
    ), truth.tolist()


class _Maker:
    """Makes the features of pages."""

    def __init__(self, truth: npt.NDArray[np.int64], seed: int) -> None:
        chance = np.random.default_rng(seed + 1)
        self._truth = truth
        self._seed = seed
        names = chance.permutation(1 << 20)[: _CHROME + TEMPLATES * (_FIXED + _OPTIONAL)]
        self._chrome, rest = np.split(names.astype(np.uint32), [_CHROME])
        parts = rest.reshape(TEMPLATES, _FIXED + _OPTIONAL)
        self._fixed, self._optional = np.split(parts, [_FIXED], axis=1)
        self._odds = chance.random((TEMPLATES, _OPTIONAL))

    def __call__(self, page: int) -> Features:
        template = int(self._truth[page])
        chance = np.random.default_rng((self._seed, page))
        drawn = chance.random(_OPTIONAL)
        optional = self._optional[template][drawn < self._odds[template]]
        content = chance.integers(1 << 20, 1 << 32, 20, np.uint32)
        paths = hash_set(np.concatenate((self._chrome, self._fixed[template], optional, content)))
        classes = hash_set(np.concatenate((self._fixed[template][:20], optional[:20])))
        body = hash_set(self._fixed[template][:2])
        url = hash_set(self._fixed[template][2:5])
        return Features(paths, paths, classes, body, url, optional.astype(np.uint8).tobytes())
