from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

import pytest

from tests.clustering.made_sites import EMPTY, make_features, site_of
from tplcrawl.clustering.pages import Pages
from tplcrawl.fingerprints.features import Features

# Their assertions are to tell as much as those of tests.
pytest.register_assert_rewrite("tests.clustering.laws")


@pytest.fixture(scope="session")
def features() -> Callable[..., Features]:
    """Makes the features of a page from numbers for its tag paths."""
    return make_features


@pytest.fixture(scope="session")
def pages() -> Callable[..., Pages]:
    """Makes pages from the features and the first location of each."""

    def make(
        features: Sequence[Features],
        locations: Sequence[Hashable | None] | None = None,
        urls: Sequence[str] | None = None,
    ) -> Pages:
        site = site_of([EMPTY] * len(features), features)
        return replace(
            site,
            urls=urls or site.urls,
            first_locations=locations or site.first_locations,
        )

    return make
