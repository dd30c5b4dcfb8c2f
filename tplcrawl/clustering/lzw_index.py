"""Indexes that find LZW fingerprints at an edit distance of at most one (paper 000, section 3.3).

A fingerprint is split into a prefix of l entries and the suffix after it, each the key of a hash
table. One edit falls into one of the two, so the other is the same in both fingerprints, and only
what shares a part must be compared (algorithm 2).

Two things of the paper do not hold as printed:

- Lemma 3.1 does for one substitution, but an insertion into the prefix moves all entries after it
  across the split: of ``0 0 0 1`` and ``0 0 1`` at l = 2, neither the prefixes nor the suffixes
  ``0 1`` and ``1`` are the same. Fingerprints of short pages differ in length, and the 24 entries
  of one may be those of another without one. Here the suffix is looked up three times, where it
  would be had the prefix one entry more or less: then every pair at distance one is found.
- "Effectively constant" is only true while parts are rarely shared. All pages of a site, or of one
  content system, begin alike; where n fingerprints share a prefix, each retrieval looks at all n of
  them. :class:`NeighbourIndex` has no such cliff.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from tplcrawl.errors import UsageError
from tplcrawl.fingerprints.lzw import LENGTH, Fingerprint
from tplcrawl.similarity.sequences import one_edit_apart

SPLIT = 17
"""Entries of the prefix (paper 000, section 3.4, figure 2)."""


class FingerprintIndex(ABC):
    """A set of fingerprints that can be asked for those that are nearly equal to one."""

    @abstractmethod
    def add(self, fingerprint: Fingerprint) -> None:
        """Put one in; it makes no difference if it is there already."""

    @abstractmethod
    def similar(self, fingerprint: Fingerprint) -> list[Fingerprint]:
        """Those at distance 0 or 1 that are in the index, each once."""


class PrefixSuffixIndex(FingerprintIndex):
    """The index of section 3.3 with the retrieval of algorithm 2, aligned as said above.

    A retrieval is O(n) at worst: that of the fingerprints that share a part with the asked one.

    >>> index = PrefixSuffixIndex(split=2)
    >>> for entries in ([0, 0, 0, 1], [0, 0, 2, 3], [0, 1, 0, 2]):
    ...     index.add(bytes(entries))
    >>> [list(one) for one in index.similar(bytes([0, 0, 0, 2]))]
    [[0, 0, 0, 1], [0, 1, 0, 2]]
    >>> [list(one) for one in index.similar(bytes([0, 0, 1]))]
    [[0, 0, 0, 1]]
    """

    def __init__(self, split: int = SPLIT) -> None:
        if not isinstance(split, int) or not 1 <= split < LENGTH:
            raise UsageError(f"lzw: split must be from 1 to {LENGTH - 1}, not {split}")
        self.split = split
        self._by_prefix: defaultdict[bytes, dict[bytes, None]] = defaultdict(dict)
        self._by_suffix: defaultdict[bytes, dict[bytes, None]] = defaultdict(dict)

    def add(self, fingerprint: Fingerprint) -> None:
        prefix, suffix = fingerprint[: self.split], fingerprint[self.split :]
        self._by_prefix[prefix][suffix] = None
        self._by_suffix[suffix][prefix] = None

    def similar(self, fingerprint: Fingerprint) -> list[Fingerprint]:
        prefix, suffix = fingerprint[: self.split], fingerprint[self.split :]
        found = [
            prefix + other
            for other in self._by_prefix.get(prefix, ())
            if one_edit_apart(other, suffix)
        ]
        for split in (self.split, self.split - 1, self.split + 1):
            prefix, suffix = fingerprint[:split], fingerprint[split:]
            found += [
                other + suffix
                for other in self._by_suffix.get(suffix, ())
                if one_edit_apart(other, prefix)
            ]
        return list(dict.fromkeys(found))


class NeighbourIndex(FingerprintIndex):
    """Asks for each fingerprint that one edit makes of the given one, some 600 if it is of full
    length: O(length · values) whatever is in the index, which holds each fingerprint once.

    >>> index = NeighbourIndex(map(bytes, ([0, 0, 0, 1], [0, 0, 2, 3], [0, 1, 0, 2])))
    >>> sorted(map(list, index.similar(bytes([0, 0, 0, 2]))))
    [[0, 0, 0, 1], [0, 1, 0, 2]]
    """

    def __init__(self, fingerprints: Iterable[Fingerprint] = ()) -> None:
        self._known = set(fingerprints)
        self._lengths = set(map(len, self._known))
        self._values = set(b"".join(self._known))

    def add(self, fingerprint: Fingerprint) -> None:
        self._known.add(fingerprint)
        self._lengths.add(len(fingerprint))
        self._values.update(fingerprint)

    def similar(self, fingerprint: Fingerprint) -> list[Fingerprint]:
        known = self._known
        return list(dict.fromkeys(one for one in self._neighbours(fingerprint) if one in known))

    def _neighbours(self, fingerprint: Fingerprint) -> Iterator[Fingerprint]:
        """*fingerprint*, and what one edit makes of it with the values and lengths of the index."""
        length, lengths = len(fingerprint), self._lengths
        values = [bytes((value,)) for value in sorted(self._values)]
        yield fingerprint
        for at in range(length + 1):
            before, after, rest = fingerprint[:at], fingerprint[at:], fingerprint[at + 1 :]
            if at < length and length - 1 in lengths:
                yield before + rest
            if at < length and length in lengths:
                for value in values:
                    yield before + value + rest
            if length + 1 in lengths:
                for value in values:
                    yield before + value + after


def links(
    index: FingerprintIndex, fingerprints: Sequence[Fingerprint]
) -> Iterator[tuple[int, int]]:
    """The pairs of *fingerprints*, all different, that are at distance one: section 5.1's single
    pass, in which each is looked up and then put in."""
    numbers: dict[Fingerprint, int] = {}
    for number, fingerprint in enumerate(fingerprints):
        for other in index.similar(fingerprint):
            yield number, numbers[other]
        index.add(fingerprint)
        numbers[fingerprint] = number


def tuned_split(fingerprints: Sequence[Fingerprint]) -> int:
    """The split at which prefix and suffix say most nearly the same (section 3.4): where their
    entropies, as figure 2 draws them, are closest; the first of several. O(n · length).

    >>> tuned_split([bytes([0, 0, 0, 0, one, two]) for one in range(3) for two in range(3)])
    5
    """
    gaps = [
        abs(
            entropy(one[:split] for one in fingerprints)
            - entropy(one[split:] for one in fingerprints)
        )
        for split in range(1, LENGTH)
    ]
    return 1 + min(range(len(gaps)), key=lambda at: (round(gaps[at], 9), at))


def entropy(parts: Iterable[bytes]) -> float:
    """The entropy of *parts*, in bits.

    >>> entropy([b"a", b"b", b"a", b"b"])
    1.0
    """
    counts = np.fromiter(Counter(parts).values(), np.float64)
    shares = counts / counts.sum()
    return float(-(shares * np.log2(shares)).sum()) + 0.0
