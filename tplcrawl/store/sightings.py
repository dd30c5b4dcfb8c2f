"""The sightings of one page as a compact blob: some four bytes each."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import chain
from struct import pack

import numpy as np
import numpy.typing as npt

from tplcrawl.store.rows import NOWHERE, Ints, Numbers, numbered_rows

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
        links = np.arange(len(self))
        return self._hashed(links, np.full(len(links), NOWHERE))

    def columns(self, pages: Numbers) -> Numbers:
        """The same without the number of the row that a link stands in, for links in columns; 0 for
        others. *pages* are those that the links are on."""
        links = np.flatnonzero(~self.prose)
        places = pages[links].astype(np.int64) << 32 | self.locations[links]
        lengths = self.lengths[links].astype(np.int64)
        rows = numbered_rows(places, self.steps, self.starts[links], lengths)
        hashes = np.zeros(len(self), np.uint32)
        inside = rows != NOWHERE
        hashes[links[inside]] = self._hashed(links[inside], rows[inside])
        return hashes

    def _hashed(self, links: Ints, rows: Ints) -> Numbers:
        """A hash of the location and positions of each of *links*, but for the step that is to be
        left out: one of *rows* for each."""
        hashes = self.locations[links] * _ODD
        starts = self.starts[links]
        at = np.arange(len(links))
        for step in range(int(self.lengths[links].max(initial=0))):
            at = at[self.lengths[links[at]] > step]
            positions = np.where(rows[at] == step, 0, self.steps[starts[at] + step])
            mixed = (hashes[at] ^ positions.astype(np.uint32)) * _ODD
            hashes[at] = mixed ^ (mixed >> np.uint32(15))
        return hashes

    @property
    def starts(self) -> Ints:
        """Where the steps of each link begin."""
        return np.cumsum(self.lengths, dtype=np.int64) - self.lengths

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
