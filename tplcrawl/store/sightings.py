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

_NUMBER = np.dtype("<u4")
_ODD = np.uint32(0x9E3779B1)
_PLAIN = b"plain "
"""How a table begins that is not packed: nothing that is packed begins so."""


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
        count, lengths = len(targets), list(map(len, positions))
        rows = chain(targets, locations, lengths, chain.from_iterable(positions))
        # In half the time that arrays take.
        numbers = np.frombuffer(pack(f"<{3 * count + sum(lengths)}I", *rows), _NUMBER)
        return cls._of(numbers, np.fromiter(prose, bool, count))

    @classmethod
    def _of(cls, numbers: Numbers, prose: npt.NDArray[np.bool_]) -> SightingTable:
        """The table whose columns of numbers stand one behind the other."""
        a, b, c = len(prose), 2 * len(prose), 3 * len(prose)
        return cls(numbers[:a], numbers[a:b], prose, numbers[b:c], numbers[c:])

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
        that the many zeros lie together. Not *packed*, they take more room and a sixth of the
        time: to make a packer ready takes as long as to pack a page.
        """
        head = pack("<2I", len(self.targets), len(self.steps))
        columns = (self.targets, self.locations, self.lengths, self.steps)
        numbers = np.concatenate(columns, dtype=_NUMBER, casting="unsafe")
        prose = np.packbits(self.prose).tobytes()
        if not packed:
            return b"".join((_PLAIN, head, numbers.tobytes(), prose))
        planes = numbers.view(np.uint8).reshape(-1, 4).T.tobytes()
        return zlib.compress(head + planes + prose, 1)

    @classmethod
    def decode(cls, blob: bytes) -> SightingTable:
        """The table that :meth:`encode` wrote; :exc:`ValueError` for what is none."""
        plain = blob.startswith(_PLAIN)
        raw = blob[len(_PLAIN) :] if plain else zlib.decompress(blob)
        count, steps = np.frombuffer(raw, _NUMBER, 2).tolist()
        size = 3 * count + steps
        if plain:
            numbers = np.frombuffer(raw, _NUMBER, size, 8)
        else:
            planes = np.frombuffer(raw, np.uint8, 4 * size, 8).reshape(4, size)
            octets = np.empty((size, 4), np.uint8)
            for at, plane in enumerate(planes):  # in half the time of all at once
                octets[:, at] = plane
            numbers = octets.view(_NUMBER).ravel()
        bits = np.unpackbits(np.frombuffer(raw, np.uint8, offset=8 + 4 * size), count=count)
        table = cls._of(numbers, bits.view(bool))
        if np.add.reduce(table.lengths, dtype=np.int64) != steps:
            raise ValueError("no table of sightings")
        return table
