from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.made_clusters import spread_out
from tplcrawl.clustering.agglomeration import (
    PATIENCE,
    PLACES,
    WEIGHTS,
    Agglomeration,
    log_ratio,
    score,
    starting_shapes,
)
from tplcrawl.clustering.pairs import Floats, Pairs
from tplcrawl.similarity.sets import Matrix

KINDS = ("tag paths", "classes", "url", "location", "position")
SEEDS = st.integers(0, 10_000)
SIZES = st.integers(2, 14)


def similarities(seed: int, pages: int) -> dict[str, Pairs]:
    """Random symmetric tables, as similarities are, with some structure; some pages are copies."""
    chance = np.random.default_rng(seed)
    found = {}
    for kind in KINDS:
        home = chance.integers(0, 3, pages)
        raw = chance.random((pages, pages)) * np.where(home[:, None] == home, 1, chance.random())
        found[kind] = with_copies(raw, chance)
    return found


def contrasts(seed: int, pages: int) -> dict[str, Pairs]:
    """The same for all kinds of evidence, which agree on what belongs together, roughly."""
    chance = np.random.default_rng(seed)
    home = chance.integers(0, 4, pages)
    found = {}
    for kind in WEIGHTS:
        moved = np.where(chance.random(pages) < 0.2, chance.integers(0, 4, pages), home)
        raw = chance.random((pages, pages))
        raw = np.where(moved[:, None] == moved, 0.5 + raw / 2, raw**3 * chance.random())
        found[kind] = Pairs.of_all(symmetric(raw))
    return found


def with_copies(raw: Floats, chance: np.random.Generator) -> Pairs:
    """Some pages in the order of *raw*, others as copies of these."""
    which = np.minimum(chance.integers(0, len(raw), len(raw)), np.arange(len(raw)))
    used, rows = np.unique(which, return_inverse=True)
    return Pairs(symmetric(raw)[np.ix_(used, used)], rows)


def symmetric(raw: Floats) -> Matrix:
    matrix = ((raw + raw.T) / 2).astype(np.float32)
    np.fill_diagonal(matrix, 1)
    return matrix


def labels_of(seed: int, pages: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """A partition, its parts numbered from 0."""
    drawn = np.random.default_rng(seed + 1).integers(0, max(2, pages // 2), pages)
    return np.unique(drawn, return_inverse=True)[1].astype(np.int64)


def naive_scores(alike: Mapping[str, Pairs], clusters: list[list[int]]) -> Floats:
    """The score of merging every two clusters, pair of pages by pair of pages."""
    count = len(clusters)
    spread = {kind: spread_out(one) for kind, one in alike.items()}
    table = np.full((count, count), -np.inf)
    for i in range(count):
        for j in range(count):
            if i == j:
                continue
            parts = {}
            for kind, matrix in spread.items():
                across = np.mean([matrix[a, b] for a in clusters[i] for b in clusters[j]])
                inside = []
                for one in (clusters[i], clusters[j]):
                    pairs = [matrix[a, b] for a in one for b in one if a != b]
                    inside.append(np.mean(pairs) if pairs else None)
                known = [one for one in inside if one is not None]
                # A single page is taken to be as alike to its own as the other cluster's pages are.
                a, b = [one if one is not None else (known[0] if known else 1.0) for one in inside]
                ratio = np.log((across + 0.05) / (np.sqrt(a * b) + 0.05))
                parts[kind] = WEIGHTS[kind] * np.clip(ratio, -3, 0.3)
            places = parts.get("location", 0) + parts.get("position", 0)
            if parts["url"] < 0:
                parts["url"] *= min(max(0.5 - places, 0.5), 1)
            table[i, j] = PATIENCE + sum(parts.values()) + max(-PLACES - places, 0)
    return table


@given(SEEDS, SIZES)
def test_scores_are_those_of_all_pairs_of_pages(seed: int, pages: int) -> None:
    alike, labels = similarities(seed, pages), labels_of(seed, pages)
    merging = Agglomeration(alike, labels)
    expected = naive_scores(alike, merging.members)
    for i in range(len(merging.members)):
        np.testing.assert_allclose(merging.scores(i), expected[i], rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(expected[i], expected[:, i], rtol=1e-6, atol=1e-6)


def test_places_of_links_alone_part_nothing() -> None:
    """Files that are linked from a folder, and files that are linked from a change. Catches that
    places with positions and without count as two witnesses."""
    ratios = {kind: -3.0 if kind in ("location", "position") else 0.0 for kind in WEIGHTS}
    assert score(tuple(ratios), np.array(list(ratios.values()))) > 0
    ratios["url"] = -1.5
    assert score(tuple(ratios), np.array(list(ratios.values()))) < 0


@given(SEEDS, st.integers(4, 14), st.data())
def test_merging_keeps_the_books_as_if_begun_anew(
    seed: int, pages: int, data: st.DataObject
) -> None:
    alike, labels = similarities(seed, pages), labels_of(seed, pages)
    merging = Agglomeration(alike, labels)
    count = len(merging.members)
    for _ in range(data.draw(st.integers(1, count))):
        alive = np.flatnonzero(merging.alive).tolist()
        if len(alive) < 2:
            break
        i, j = data.draw(st.permutations(alive))[:2]
        merging.merge(i, j)
        labels = np.where(labels == j, i, labels)
    left = np.flatnonzero(merging.alive)
    assert left.tolist() == sorted(set(labels.tolist()))
    anew = Agglomeration(alike, np.searchsorted(left, labels))
    assert [merging.members[i] for i in left] == anew.members
    np.testing.assert_array_equal(merging.sizes[left], anew.sizes)
    np.testing.assert_allclose(merging.inside[:, left], anew.inside, atol=1e-5)
    for number, one in enumerate(left.tolist()):
        scores = merging.scores(one)
        np.testing.assert_allclose(scores[left], anew.scores(number), rtol=1e-4, atol=1e-4)
        assert (scores[~merging.alive] == -np.inf).all()


@settings(max_examples=40)
@given(SEEDS, st.integers(4, 14))
def test_always_the_best_merge_is_made_until_none_is_good(seed: int, pages: int) -> None:
    """The outcome of a greedy run that scores everything anew after each merge."""
    alike, labels = contrasts(seed, pages), np.arange(pages)
    if seed % 4 == 0:
        labels = labels_of(seed, pages)
    clusters = [np.flatnonzero(labels == i).tolist() for i in range(labels.max() + 1)]
    while len(clusters) > 1:
        table = np.triu(naive_scores(alike, clusters), 1)
        table[np.tril_indices(len(clusters))] = -np.inf
        ranked = np.sort(table[np.isfinite(table)])
        # Ties, and what is neither good nor bad, would be decided by rounding.
        assume(abs(ranked[-1]) > 1e-4)
        assume(ranked[-1] < 0 or len(ranked) < 2 or ranked[-1] - ranked[-2] > 1e-4)
        if ranked[-1] < 0:
            break
        i, j = divmod(int(np.argmax(table)), len(clusters))
        clusters[i] = sorted(clusters[i] + clusters.pop(j))
    merging = Agglomeration(alike, labels)
    merging.run()
    assert merging.clusters() == sorted(clusters)


def test_pages_of_two_kinds_stay_apart_and_one_kind_comes_together() -> None:
    home = np.arange(12) % 2
    block = np.where(home[:, None] == home, 0.6, 0.01).astype(np.float32)
    np.fill_diagonal(block, 1)
    for weight in ({"classes"}, set(WEIGHTS)):
        alike = {kind: Pairs.of_all(block) for kind in WEIGHTS if kind in weight or len(weight) > 1}
        merging = Agglomeration(alike, np.arange(12))
        merging.run()
        sizes = sorted(map(len, merging.clusters()))
        # One kind alone does not speak loud enough against a merge.
        assert sizes == ([12] if len(weight) == 1 else [6, 6])


def test_a_varied_template_is_no_reason_to_keep_its_parts_apart() -> None:
    """What counts is how alike across relative to how alike inside."""
    for inside, across, merged in ((0.3, 0.3, True), (0.95, 0.15, False)):
        home = np.arange(20) % 2
        block = np.where(home[:, None] == home, inside, across).astype(np.float32)
        np.fill_diagonal(block, 1)
        merging = Agglomeration(dict.fromkeys(WEIGHTS, Pairs.of_all(block)), home)
        assert (merging.scores(0)[1] > 0) == merged


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_evidence_of_one_kind_has_bounds(across: float, inside: float) -> None:
    ratio = log_ratio(np.array([across]), np.array([inside]))[0]
    assert -3 <= ratio <= 0.3
    if across < inside:
        assert ratio < 0 or across == pytest.approx(inside)
    assert log_ratio(np.array([inside]), np.array([inside]))[0] == 0


@pytest.mark.parametrize("pages", [0, 1, 2])
def test_few_pages_are_no_trouble(pages: int) -> None:
    alike = dict.fromkeys(KINDS, Pairs.of_all(np.ones((pages, pages), np.float32)))
    assert len(starting_shapes(alike[KINDS[0]])) == pages
    merging = Agglomeration(alike, np.zeros(pages, np.int64))
    merging.run()
    assert merging.clusters() == ([list(range(pages))] if pages else [])


@given(SEEDS, SIZES, st.integers(1, 6), st.data())
def test_shapes_are_few_and_hold_what_is_all_but_equal_whatever_the_order(
    seed: int, pages: int, most: int, data: st.DataObject
) -> None:
    chance = np.random.default_rng(seed)
    kinds = chance.integers(0, 5, pages)
    structure = np.where(kinds[:, None] == kinds, 0.99, 0.5 * chance.random()).astype(np.float32)
    np.fill_diagonal(structure, 1)

    def parts(order: list[int], **given: int) -> set[frozenset[int]]:
        labels = starting_shapes(Pairs.of_all(structure[np.ix_(order, order)]), **given)
        assert sorted(set(labels)) == list(range(len(set(labels))))
        return {
            frozenset(page for page, one in zip(order, labels, strict=True) if one == label)
            for label in labels
        }

    order = data.draw(st.permutations(range(pages)))
    expected = {frozenset(np.flatnonzero(kinds == kind).tolist()) for kind in kinds}
    assert parts(list(range(pages))) == parts(order) == expected
    assert len(parts(order, most=most)) <= most


def naive_shapes(distances: Floats, apart: float) -> set[frozenset[int]]:
    """Average link by the book: the nearest clusters come together, as long as they are near."""
    clusters = [[page] for page in range(len(distances))]
    while len(clusters) > 1:
        means, i, j = min(
            (float(distances[np.ix_(a, b)].mean()), i, j)
            for i, a in enumerate(clusters)
            for j, b in enumerate(clusters[:i])
        )
        if means > apart:
            break
        clusters[j] += clusters.pop(i)
    return {frozenset(one) for one in clusters}


@settings(max_examples=60)
@given(SEEDS, st.integers(2, 24))
def test_shapes_are_those_of_average_link_over_all_pages(seed: int, pages: int) -> None:
    """Chains of near pages are looked at one by one, and copies share a row."""
    chance = np.random.default_rng(seed)
    spots = chance.random((pages, 2)) * chance.choice([0.1, 0.4, 1.0])
    raw = np.hypot(*(spots[:, None] - spots[None, :]).transpose(2, 0, 1))
    structure = with_copies(np.clip(1 - raw, 0, 1), chance)
    labels = starting_shapes(structure)
    found = {frozenset(np.flatnonzero(labels == one).tolist()) for one in set(labels.tolist())}
    distances = 1 - spread_out(structure).astype(np.float64)
    assert found == naive_shapes(distances, 0.08)
