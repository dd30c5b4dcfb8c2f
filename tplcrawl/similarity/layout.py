"""Points on a plane whose distances are much like given ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_ROUNDS = 60
_NEAR = 24
"""Landmarks that a point is placed by: the nearest ones."""


def landmark_layout(distances: Floats, landmarks: Sequence[int]) -> Floats:
    """Places from 0 to 1 for all points, from their *distances* to the *landmarks*: a row for each
    point, a column for each landmark.

    Classical scaling of the landmarks (Torgerson), improved by stress majorisation (SMACOF, de
    Leeuw 1977); then each other point is moved to where its distances to the nearest landmarks
    fit best. O(landmarks³ + points × landmarks). No random start: the same distances give the same
    places.

    >>> line = np.abs(np.arange(5.0)[:, None] - np.array([0.0, 4.0, 2.0]))
    >>> landmark_layout(line, [0, 4, 2])[:, 0].round(2).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    if len(distances) < 2:
        return np.full((len(distances), 2), 0.5)
    between = distances[list(landmarks)]
    between = (between + between.T) / 2
    anchors = _majorised(_classical(between), between)
    places = _placed(distances, anchors)
    places[list(landmarks)] = anchors
    low, high = places.min(axis=0), places.max(axis=0)
    size = high - low
    scaled: Floats = np.where(size > 1e-9, (places - low) / np.maximum(size, 1e-9), 0.5)
    return scaled


def _classical(between: Floats) -> Floats:
    """The two main axes of the doubly centred squared distances."""
    squared = between**2
    centred = squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    axes = vectors[:, ::-1][:, :2] * np.sqrt(np.maximum(values[::-1][:2], 0.0))
    if axes.shape[1] < 2:
        axes = np.column_stack((axes, np.zeros(len(axes))))
    # An axis has no direction of its own: the first point that is clearly off the middle is left.
    for axis in axes.T:
        off = np.flatnonzero(np.abs(axis) > 0.01 * np.abs(axis).max(initial=0.0))
        if len(off) and axis[off[0]] > 0:
            axis *= -1
    found: Floats = axes
    return found


def _majorised(places: Floats, between: Floats) -> Floats:
    """*places* moved so that their distances fit better: the Guttman transform, some times."""
    for _ in range(_ROUNDS):
        offsets = places[:, None, :] - places[None, :, :]
        apart = np.sqrt((offsets**2).sum(axis=2))
        ratio = np.where(apart > 1e-9, between / np.maximum(apart, 1e-9), 0.0)
        places = (ratio[:, :, None] * offsets).sum(axis=1) / len(places)
    return places


def _placed(distances: Floats, anchors: Floats) -> Floats:
    """A place for each point, by its distances to the nearest of the *anchors*."""
    near = np.argsort(distances, axis=1, kind="stable")[:, :_NEAR]
    wanted = np.take_along_axis(distances, near, axis=1)
    weights = 1.0 / (wanted + 0.02) ** 2
    weights /= weights.sum(axis=1)[:, None]
    around = anchors[near]
    places: Floats = (weights[:, :, None] * around).sum(axis=1)
    for _ in range(_ROUNDS // 2):
        offsets = places[:, None, :] - around
        apart = np.sqrt((offsets**2).sum(axis=2))
        ratio = np.where(apart > 1e-9, wanted / np.maximum(apart, 1e-9), 0.0)
        places = (weights[:, :, None] * (around + ratio[:, :, None] * offsets)).sum(axis=1)
    return places
