from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.made_clusters import Sample
from tplcrawl.clustering.evidence import STRUCTURE, TAG_PATHS
from tplcrawl.clustering.furniture import ALL, NONE, OF_BOTH, OF_ONE, Furniture

SEEDS = st.integers(0, 10_000)


def made(chance: np.random.Generator, pages: int) -> Sample:
    """Pages of three kinds, some of them copies; pieces of structure come alone and in bunches."""
    sample = Sample()
    for page in range(pages):
        if page and chance.random() < 0.3:
            copied = int(chance.integers(page))
            sample.structure.append(sample.structure[copied])
            sample.tag_paths.append(sample.tag_paths[copied])
            continue
        kind = int(chance.integers(3))
        own = {10 * kind + piece for piece in range(8) if chance.random() < 0.97}
        tags = own | {100 + piece for piece in range(4) if chance.random() < 0.5}
        sample.tag_paths.append(frozenset(tags if chance.random() < 0.9 else own))
        classes = {200 + 10 * kind + piece for piece in range(3)}
        sample.structure.append(frozenset(tags | classes))
    sample.url = sample.location = sample.position = [frozenset()] * pages
    return sample


@settings(max_examples=80)
@given(SEEDS, st.integers(4, 30), st.booleans())
def test_furniture_is_what_loops_over_pages_and_pieces_find(
    seed: int, pages: int, halves: bool
) -> None:
    """Catches pieces that are passed over though they tell, and bunches that count as one piece."""
    chance = np.random.default_rng(seed)
    sample = made(chance, pages)
    evidence = sample.evidence()
    members = np.flatnonzero(chance.random(pages) < 0.8)
    ones = chance.random((4, len(members))) < 0.5
    kinds = np.array([min(sample.structure[page], default=0) // 10 for page in members])
    ones = np.vstack([ones, kinds[None] == 0, kinds[None] == 1]).astype(bool)
    others = ~ones if halves else ~ones & (chance.random(ones.shape) < 0.8)
    found = Furniture.of(members, ones, others, evidence)
    pieces = evidence[STRUCTURE].table.members.tolist()
    tags = set(evidence[TAG_PATHS].table.members.tolist())
    for row in range(len(ones)):
        parts = [
            [sample.structure[page] for page in members[flags[row]]] for flags in (ones, others)
        ]
        shares = {
            piece: [sum(piece in page for page in part) / max(len(part), 1) for part in parts]
            for piece in pieces
        }
        own = [
            [one for one, share in shares.items() if share[side] >= ALL and share[1 - side] <= NONE]
            for side in (0, 1)
        ]
        plain = any(piece in tags for side in own for piece in side)
        less, more = sorted(map(len, own))
        assert found.both[row] == (less if plain and less >= OF_BOTH else 0)
        assert found.most[row] == more
        assert found.one[row] == (plain and more >= OF_ONE)
        assert found.telling[row] == any(abs(a - b) >= ALL - NONE for a, b in shares.values())
