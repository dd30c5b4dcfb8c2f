from __future__ import annotations

from math import log2
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tplcrawl.similarity import mdl
from tplcrawl.similarity.mdl import (
    Counts,
    Floats,
    Matrix,
    bits,
    cluster_entries,
    clustering_bits,
    in_template,
    matrices,
    matrix_bits,
)

PAGES = np.array([[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 1, 0], [0, 1, 1, 0]])


def close(value: float) -> Any:
    return pytest.approx(value, abs=1e-7)


@st.composite
def clusterings(draw: st.DrawFn) -> tuple[Matrix, list[int]]:
    """M_E, and clusters numbered from 0 without gaps."""
    rows, pages = draw(st.integers(1, 6)), draw(st.integers(1, 7))
    row = st.lists(st.integers(0, 1), min_size=pages, max_size=pages)
    matrix = draw(st.lists(row, min_size=rows, max_size=rows))
    labels = draw(st.lists(st.integers(0, pages), min_size=pages, max_size=pages))
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return np.array(matrix), [numbers[label] for label in labels]


def entries_of(matrix: Matrix, labels: list[int]) -> Floats:
    """The entries of each cluster, from its pages: a column for each."""
    columns = []
    for cluster in range(max(labels) + 1):
        members = [page for page, label in enumerate(labels) if label == cluster]
        columns.append(cluster_entries(matrix[:, members].sum(axis=1), len(members)))
    return np.stack(columns, axis=1)


def test_a_hand_worked_clustering() -> None:
    """Three pages together, the fourth alone: the first lacks the fifth path of its template."""
    templates, membership, differences = matrices(PAGES, [0, 0, 0, 1])
    assert templates.tolist() == [[1, 1], [1, 1], [1, 0], [1, 0], [1, 0]]
    assert membership.tolist() == [[1, 1, 1, 0], [0, 0, 0, 1]]
    assert np.argwhere(differences).tolist() == [[4, 0]]
    assert differences[4, 0] == -1
    assert (templates @ membership + differences == PAGES).all()
    of_templates = 10 * -(0.7 * log2(0.7) + 0.3 * log2(0.3))
    of_differences = 20 * -(0.05 * log2(0.05) + 0.95 * log2(0.95))
    assert matrix_bits(templates) == close(of_templates)
    assert matrix_bits(membership) == close(8)
    assert matrix_bits(differences) == close(of_differences)
    assert clustering_bits(PAGES, [0, 0, 0, 1]) == close(of_templates + 8 + of_differences)
    assert clustering_bits(PAGES, [0, 0, 0, 1]) == pytest.approx(22.5408, abs=1e-4)


def test_the_same_pages_all_together_and_all_apart() -> None:
    together = 5 * -(0.8 * log2(0.8) + 0.2 * log2(0.2))
    together += 20 * -(0.1 * log2(0.1) + 0.1 * log2(0.1) + 0.8 * log2(0.8))
    assert clustering_bits(PAGES, [0, 0, 0, 0]) == close(together)
    apart = 20 * -(0.8 * log2(0.8) + 0.2 * log2(0.2)) + 16 * -(
        0.25 * log2(0.25) + 0.75 * log2(0.75)
    )
    assert clustering_bits(PAGES, [0, 1, 2, 3]) == close(apart)


def test_a_matrix_of_one_value_takes_no_bits() -> None:
    assert matrix_bits(np.zeros((3, 4), np.int64)) == 0
    assert matrix_bits(np.ones((3, 4), np.int64)) == 0
    assert matrix_bits(np.array([[1, 0, -1]])) == close(3 * log2(3))
    assert float(bits(0, 0)) == 0


@given(clusterings())
def test_the_counts_say_what_the_matrices_say(given: tuple[Matrix, list[int]]) -> None:
    matrix, labels = given
    own = entries_of(matrix, labels)
    cost = Counts(*matrix.shape).cost(own.shape[1], own.sum(axis=1))
    assert float(cost) == close(clustering_bits(matrix, labels))


@given(clusterings(), st.data())
def test_a_merge_costs_what_it_costs_from_scratch(
    given: tuple[Matrix, list[int]], data: st.DataObject
) -> None:
    matrix, labels = given
    clusters = max(labels) + 1
    if clusters < 2:
        return
    a = data.draw(st.integers(0, clusters - 2))
    b = data.draw(st.integers(a + 1, clusters - 1))
    own = entries_of(matrix, labels)
    members = [page for page, label in enumerate(labels) if label in (a, b)]
    joined = cluster_entries(matrix[:, members].sum(axis=1), len(members))
    change = joined - own[:, a] - own[:, b]
    merged = [a if label == b else label - (label > b) for label in labels]
    counts = Counts(*matrix.shape)
    cost = counts.cost(clusters - 1, own.sum(axis=1) + change)
    assert float(cost) == close(clustering_bits(matrix, merged))
    found, least = counts.cheapest(clusters - 1, own.sum(axis=1), change[:, None])
    assert found.tolist() == [0]
    assert least == float(cost)


@given(clusterings(), st.randoms(use_true_random=False))
def test_the_order_of_pages_paths_and_clusters_does_not_matter(
    given: tuple[Matrix, list[int]], random: Random
) -> None:
    matrix, labels = given
    pages, rows = list(range(matrix.shape[1])), list(range(matrix.shape[0]))
    names = list(range(max(labels) + 1))
    for order in (pages, rows, names):
        random.shuffle(order)
    other = clustering_bits(matrix[np.ix_(rows, pages)], [names[labels[page]] for page in pages])
    assert other == close(clustering_bits(matrix, labels))


@given(clusterings())
def test_equal_pages_together_never_cost_more(given: tuple[Matrix, list[int]]) -> None:
    """The merge that every method of the paper begins with."""
    matrix, _ = given
    twice = np.concatenate((matrix, matrix), axis=1)
    pages = matrix.shape[1]
    apart = list(range(2 * pages))
    together = list(range(pages)) * 2
    assert clustering_bits(twice, together) < clustering_bits(twice, apart)


@given(st.integers(1, 12), st.data())
def test_no_template_makes_fewer_differences(pages: int, data: st.DataObject) -> None:
    supports = np.array(data.draw(st.lists(st.integers(0, pages), min_size=1, max_size=8)))
    kept = in_template(supports, pages)
    best = np.minimum(supports, pages - supports)
    assert np.where(kept, pages - supports, supports).tolist() == best.tolist()
    entries = cluster_entries(supports, pages)
    assert entries.tolist() == [
        kept.sum(),
        supports[~kept].sum(),
        (pages - supports)[kept].sum(),
    ]


@given(st.data())
def test_equal_paths_are_counted_by_their_weight(data: st.DataObject) -> None:
    supports = np.array(data.draw(st.lists(st.integers(0, 5), min_size=1, max_size=5)), np.float32)
    count = len(supports)
    weights = np.array(data.draw(st.lists(st.integers(1, 4), min_size=count, max_size=count)))
    whole = cluster_entries(np.repeat(supports, weights), 5)
    assert cluster_entries(supports, 5, weights.astype(np.float32)).tolist() == whole.tolist()


@given(st.integers(0, 2**32 - 1))
def test_the_cheapest_change_is_found_among_many(seed: int) -> None:
    """With bounds, from eight changes on here, as without."""
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 6, 16)
    matrix = (random.random((12, sizes.sum())) < random.random()).astype(np.int64)
    ends = np.cumsum(sizes)
    supports = np.stack([part.sum(axis=1) for part in np.split(matrix, ends[:-1], axis=1)])
    own = cluster_entries(supports, sizes)
    first, second = np.triu_indices(len(sizes), 1)
    joined = cluster_entries(supports[first] + supports[second], sizes[first] + sizes[second])
    changes = joined - own[:, first] - own[:, second]
    counts = Counts(*matrix.shape)
    total = own.sum(axis=1)
    costs = counts.cost(len(sizes) - 1, total[:, None] + changes)
    assert (counts._bounds(len(sizes) - 1, total, changes) <= costs + 1e-9).all()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mdl, "_FEW", 8)
        found, least = counts.cheapest(len(sizes) - 1, total, changes)
    assert least == close(costs.min())
    assert found.tolist() == np.flatnonzero(costs <= costs.min() + mdl.TOLERANCE).tolist()
