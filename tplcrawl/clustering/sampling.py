"""Which pages a method learns from when there are too many to compare all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


def stratified(strata: Sequence[Hashable], names: Sequence[str], most: int) -> list[int]:
    """Choose at most *most* indices so that every stratum is seen: all of a small one, equally
    many of the large ones, by the hashes of their *names*. Ascending, the same for the same input.

    >>> stratified(["a", "a", "a", "b"], ["1", "2", "3", "4"], 2)
    [1, 3]
    """
    if len(strata) <= most:
        return list(range(len(strata)))
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index, stratum in enumerate(strata):
        groups[stratum].append(index)
    chosen: list[int] = []
    waiting = sorted(groups.values(), key=lambda group: (len(group), group[0]))
    for share, group in zip(shares(map(len, waiting), most), waiting, strict=True):
        if len(group) > share:
            group = sorted(group, key=lambda index: draw(names[index]))[:share]
        chosen.extend(group)
    return sorted(chosen)


def shares(sizes: Iterable[int], most: int) -> list[int]:
    """How many of each stratum are chosen, by their *sizes*, ascending, for *most* in all.

    >>> shares([1, 4, 5], 6)
    [1, 2, 3]
    """
    known = list(sizes)
    found: list[int] = []
    for left, size in zip(range(len(known), 0, -1), known, strict=True):
        share = min(size, most // left)
        most -= share
        found.append(share)
    return found


def draw(name: str) -> bytes:
    """The lot of *name*: the least ones are chosen."""
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def spread(members: Sequence[T], most: int) -> list[T]:
    """At most *most* of *members*, evenly spread over their order.

    >>> spread([3, 4, 5, 6, 7, 8], 3)
    [3, 5, 7]
    """
    if len(members) <= most:
        return list(members)
    return [members[i * len(members) // most] for i in range(most)]
