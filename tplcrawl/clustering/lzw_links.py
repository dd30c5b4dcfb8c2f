"""The clusters of many LZW fingerprints at once: those that chains of single edits connect.

Of a fingerprint of n entries, each of its n entries is left out in turn. What is left, with the
place of what was left out, is a key: fingerprints of one length share a key if and only if they
differ in no other entry (a wildcard), and one that is an entry shorter is the same as what is left
of another if and only if one insertion makes that of it (a deletion key). All with one key are at
distance one of each other, so no candidate is ever in vain and it does not matter how many share a
prefix, as it does for the index of paper 000 (section 3.3): there is no cliff.

For each place, the keys are hashed and sorted in whole arrays; neighbours with one hash are
compared entry by entry, so the outcome is exact and does not depend on the hashes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tplcrawl.fingerprints.lzw import Fingerprint

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Entries = npt.NDArray[np.uint8]

_WORD = 8
_SEED = 1


def one_edit_clusters(fingerprints: Sequence[Fingerprint]) -> list[int]:
    """The number of the cluster of each of *fingerprints*, all different. O(n · length · log n);
    at most some 200 bytes each.

    >>> one_edit_clusters([b"abc", b"abd", b"xyz", b"ab", b"ba", b"xyyz"])
    [0, 0, 1, 0, 2, 1]
    """
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    for number, one in enumerate(fingerprints):
        by_length[len(one)].append(number)
    clusters = _Clusters(len(fingerprints))
    for length in sorted(by_length):
        if length:
            _link(fingerprints, by_length[length], by_length.get(length - 1, []), clusters)
    return clusters.labels()


def _link(
    fingerprints: Sequence[Fingerprint], long: list[int], short: list[int], clusters: _Clusters
) -> None:
    """Link those of one length, *long*, with each other and with those that are shorter by one."""
    length = len(fingerprints[long[0]])
    whole = _matrix([fingerprints[number] for number in long], length)
    numbers = np.array([*long, *short], np.int64)
    left = _Rest(len(numbers), length - 1)
    left.set(slice(len(long)), whole[:, 1:])
    left.set(slice(len(long), None), _matrix([fingerprints[n] for n in short], length - 1))
    for place in range(length):
        if place:
            left.replace(place - 1, whole[:, place - 1])
        a, b = left.equal()
        clusters.link(numbers[a], numbers[b])


def _matrix(fingerprints: list[Fingerprint], length: int) -> Entries:
    return np.frombuffer(b"".join(fingerprints), np.uint8).reshape(len(fingerprints), length)


class _Rest:
    """Rows of what is left of fingerprints, and their hashes, each kept as one entry changes.

    The hash of a row is the sum, without carry, of a random number for each of its entries, so that
    changing an entry costs two look-ups.
    """

    def __init__(self, count: int, length: int) -> None:
        self.words = np.zeros((length // _WORD + 1, count), np.uint64)
        self.hashes = np.zeros(count, np.uint64)
        self._bits = np.uint64((1 << count.bit_length()) - 1)
        self._numbers = np.arange(count, dtype=np.uint64)
        self._random = _random(length)

    def _column(self, place: int) -> Entries:
        word: Entries = self.words[place // _WORD].view(np.uint8).reshape(-1, _WORD)
        return word[:, place % _WORD]

    def set(self, rows: slice, entries: Entries) -> None:
        """Fill *rows*, empty until now."""
        for place, column in enumerate(entries.T):
            self._column(place)[rows] = column
            self.hashes[rows] ^= self._random[place].take(column)

    def replace(self, place: int, entries: Entries) -> None:
        """Give the first rows other entries at one place."""
        old, random = self._column(place)[: len(entries)], self._random[place]
        self.hashes[: len(entries)] ^= random.take(old) ^ random.take(entries)
        old[:] = entries

    def equal(self) -> tuple[Ints, Ints]:
        """Pairs of equal rows, enough to connect all that are equal."""
        # A number instead of the hash's last bits: sorting values is faster than sorting indices.
        packed = (self.hashes & ~self._bits) | self._numbers
        packed.sort()
        at = np.flatnonzero((packed[1:] ^ packed[:-1]) <= self._bits)
        a = (packed[at] & self._bits).astype(np.int64)
        b = (packed[at + 1] & self._bits).astype(np.int64)
        same = np.ones(len(at), bool)
        for word in self.words:
            same &= word[a] == word[b]
        if same.all():
            return a, b
        # Different rows have one hash: sort those by what is in them.
        hashes = packed[at] & ~self._bits
        mixed = np.isin(hashes, hashes[~same])
        rows = np.unique(np.concatenate((a[mixed], b[mixed])))
        rows = rows[np.lexsort(self.words[:, rows])]
        same = (self.words[:, rows[1:]] == self.words[:, rows[:-1]]).all(axis=0)
        ends = rows[1:][same], rows[:-1][same]
        return np.concatenate((a[~mixed], ends[0])), np.concatenate((b[~mixed], ends[1]))


def _random(length: int) -> Words:
    """For each place and value, a number that is the same in every run."""
    random = np.random.default_rng(_SEED)
    return random.integers(0, 1 << 64, (length, 256), np.uint64)


class _Clusters:
    """Nodes that are linked in bulk. Links wait until there are many; then what they connect
    becomes one node, so that dense data gets small at once."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._labels = np.arange(count)
        self._waiting: list[tuple[Ints, Ints]] = []
        self._links = 0

    def link(self, a: Ints, b: Ints) -> None:
        a, b = self._labels[a], self._labels[b]
        new = a != b
        self._waiting.append((a[new], b[new]))
        self._links += int(new.sum())
        if self._links > self._count // 2:
            self._connect()

    def _connect(self) -> None:
        if self._links:
            a, b = (np.concatenate(column) for column in zip(*self._waiting, strict=True))
            graph = coo_array((np.ones(len(a), bool), (a, b)), shape=(self._count, self._count))
            self._count, merged = connected_components(graph, directed=False)
            self._labels = merged[self._labels].astype(np.int64)
        self._waiting, self._links = [], 0

    def labels(self) -> list[int]:
        """The number of each node's cluster, in the order of their first nodes."""
        self._connect()
        _, first, labels = np.unique(self._labels, return_index=True, return_inverse=True)
        ranks = np.empty(len(first), np.int64)
        ranks[np.argsort(first)] = np.arange(len(first))
        found: list[int] = ranks[labels].tolist()
        return found
