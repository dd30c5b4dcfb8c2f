"""The sightings of one page as a compact blob: some four bytes each."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class SightingTable:
    """The links of one page by ids, a column for each fact, in document order."""

    targets: Numbers
    """Ids of the URLs that are linked to."""
    locations: Numbers
    """Ids of the general locations."""
    prose: npt.NDArray[np.bool_]
    positions: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.targets)

    def encode(self) -> bytes:
        """This table as bytes: columns of 32-bit numbers, their bytes sorted by significance, so
        that the many zeros lie together."""
        lengths = [len(steps) for steps in self.positions]
        flat = [step for steps in self.positions for step in steps]
        head = np.array([len(self.targets), len(flat)], "<u4").tobytes()
        columns = (self.targets, self.locations, lengths, flat)
        numbers = np.concatenate([np.asarray(column, "<u4") for column in columns])
        planes = numbers.view(np.uint8).reshape(-1, 4).T.tobytes()
        return zlib.compress(head + planes + np.packbits(self.prose).tobytes(), 1)

    @classmethod
    def decode(cls, blob: bytes) -> SightingTable:
        """The table that :meth:`encode` wrote."""
        raw = zlib.decompress(blob)
        count, steps = np.frombuffer(raw, "<u4", 2).tolist()
        size = 3 * count + steps
        planes = np.frombuffer(raw, np.uint8, 4 * size, 8).reshape(4, size)
        numbers = np.ascontiguousarray(planes.T).view("<u4").ravel()
        targets, locations, lengths = numbers[: 3 * count].reshape(3, count)
        flat = numbers[3 * count :].tolist()
        ends = np.cumsum(lengths).tolist()
        starts = [0, *ends[:-1]] if count else []
        bits = np.unpackbits(np.frombuffer(raw, np.uint8, offset=8 + 4 * size), count=count)
        positions = tuple(tuple(flat[a:b]) for a, b in zip(starts, ends, strict=True))
        return cls(targets, locations, bits.astype(bool), positions)
