"""The sightings of one page as a compact blob: some four bytes each."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import chain
from struct import pack

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.uint32]

_ODD = np.uint32(0x9E3779B1)


@dataclass(frozen=True, slots=True)
class SightingTable:
    """The links of one page by ids, a column for each fact, in document order."""

    targets: Numbers
    """Ids of the URLs that are linked to."""
    locations: Numbers
    """Ids of the general locations."""
    prose: npt.NDArray[np.bool_]
    lengths: Numbers
    """The number of steps of each location."""
    steps: Numbers
    """The positions of all steps, link after link."""

    @classmethod
    def of(
        cls,
        targets: Sequence[int],
        locations: Sequence[int],
        prose: Sequence[bool],
        positions: Sequence[tuple[int, ...]],
    ) -> SightingTable:
        """The table of links as a page's profile has them."""
        count = len(targets)
        return cls(
            np.fromiter(targets, np.uint32, count),
            np.fromiter(locations, np.uint32, count),
            np.fromiter(prose, bool, count),
            np.fromiter(map(len, positions), np.uint32, count),
            np.fromiter(chain.from_iterable(positions), np.uint32),
        )

    @classmethod
    def joined(cls, tables: Sequence[SightingTable]) -> SightingTable:
        """The links of several pages in one table."""
        return cls(
            *(np.concatenate([getattr(table, one.name) for table in tables]) for one in fields(cls))
        )

    def renumbered(self, ids: Numbers, locations: Numbers) -> SightingTable:
        """The same links by other ids: *ids* and *locations* give the new ones."""
        return SightingTable(
            ids[self.targets], locations[self.locations], self.prose, self.lengths, self.steps
        )

    def __len__(self) -> int:
        return len(self.targets)

    @property
    def positions(self) -> tuple[tuple[int, ...], ...]:
        """The positions of each link's steps."""
        flat = self.steps.tolist()
        ends = np.cumsum(self.lengths, dtype=np.int64).tolist()
        return tuple(tuple(flat[a:b]) for a, b in zip([0, *ends], ends, strict=False))

    def position(self, row: int) -> list[int]:
        """The positions of one link's steps."""
        start = int(self.lengths[:row].sum(dtype=np.int64))
        steps: list[int] = self.steps[start : start + int(self.lengths[row])].tolist()
        return steps

    def spots(self) -> Numbers:
        """A hash of each link's location and positions: equal for equal ones, the same in every
        process."""
        hashes = self.locations * _ODD
        starts = np.cumsum(self.lengths, dtype=np.int64) - self.lengths
        rows = np.arange(len(hashes))
        for step in range(int(self.lengths.max(initial=0))):
            rows = rows[self.lengths[rows] > step]
            mixed = (hashes[rows] ^ self.steps[starts[rows] + step]) * _ODD
            hashes[rows] = mixed ^ (mixed >> np.uint32(15))
        return hashes

    def encode(self, *, packed: bool = True) -> bytes:
        """This table as bytes: columns of 32-bit numbers, their bytes sorted by significance, so
        that the many zeros lie together. Not *packed*, they take less time and more room."""
        head = pack("<2I", len(self.targets), len(self.steps))
        columns = (self.targets, self.locations, self.lengths, self.steps)
        numbers = np.concatenate(columns, dtype="<u4", casting="unsafe")
        planes = numbers.view(np.uint8).reshape(-1, 4).T.tobytes()
        return zlib.compress(head + planes + np.packbits(self.prose).tobytes(), int(packed))

    @classmethod
    def decode(cls, blob: bytes) -> SightingTable:
        """The table that :meth:`encode` wrote; :exc:`ValueError` for what is none."""
        raw = zlib.decompress(blob)
        count, steps = np.frombuffer(raw, "<u4", 2).tolist()
        size = 3 * count + steps
        planes = np.frombuffer(raw, np.uint8, 4 * size, 8).reshape(4, size)
        numbers = np.ascontiguousarray(planes.T).view("<u4").ravel()
        targets, locations, lengths = numbers[: 3 * count].reshape(3, count)
        bits = np.unpackbits(np.frombuffer(raw, np.uint8, offset=8 + 4 * size), count=count)
        if np.add.reduce(lengths, dtype=np.int64) != steps:
            raise ValueError("no table of sightings")
        return cls(targets, locations, bits.view(bool), lengths, numbers[3 * count :])
