from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

import numpy as np
import pytest

from tplcrawl.clustering.inbound import Inbound, InboundCounter
from tplcrawl.clustering.pages import Pages
from tplcrawl.fingerprints.features import Features
from tplcrawl.outline import Outline

NOTHING = np.empty(0, np.uint32)
NO_OUTLINE = Outline((), (), (), ())


def make_features(paths: Iterable[int] = (), mark: bytes = b"") -> Features:
    """Features with these tag paths, and with *mark* for the LZW fingerprint."""
    hashes = np.array(sorted(set(paths)), np.uint32)
    return Features(hashes, NOTHING, NOTHING, NOTHING, NOTHING, mark)


def no_links() -> Inbound:
    return InboundCounter().result()


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
        count = len(features)
        return Pages(
            urls=urls or [f"http://a.com/{n}" for n in range(count)],
            features=features,
            outlines=[NO_OUTLINE] * count,
            inbound=no_links(),
            first_locations=locations or [None] * count,
        )

    return make
