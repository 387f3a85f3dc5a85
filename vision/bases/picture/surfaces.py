"""What bases stand on where it is not the mat: pieces of terrain, each of a colour of its own.

A rim is told from what lies about it. On a dark wood or a blue river the mat's colours say nothing of that: all of
the ground there is unlike them, this way or that. So of each piece it is learnt from the frame what it looks like,
and what lies on it is held against that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.paint import Paint, paint_of
from vision.bases.picture.plane import CELL_MM
from vision.bases.shapes import Outline

__all__ = ["Surface", "Surfaces", "Told", "surfaces_of"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Labels = NDArray[np.uint8]

_SPARSE_MM, _FEWEST = (12.0, 5.0), 40  # points so far apart tell a piece's colours; so many at least
_OTHER = 0.05  # a piece whose features differ from the mat's by less is of its colour
_TOLD = 1.0  # sigmas: where a paint stands out by so much, half is believed of what seems to be paint
_ABOUT_MM = 8.0  # so far beyond its outline a base's surroundings are looked at
_FROM_WITHOUT = 0.5  # so much of what is mixed with a rim lies about the base, and the rest on it
_OUTER_MM, _BEYOND_MM = -1.3, 2.0  # from the middle of a rim to where the next base's inside may be seen
_MOST = 250  # pieces
_REMEMBERED = 1000  # paints and pieces


@dataclass(frozen=True, eq=False)
class Surface:
    """The features (N, 3) of a piece of terrain, and the usual share of the light that seems to reach it: what is
    darker than the mat, and of its hue, looks as if it lay in shadow."""

    features: Floats
    lit: float


@dataclass(frozen=True, eq=False)
class Told:
    """A paint as it is told on a surface.

    Of what seems to be paint there only a ``share`` is believed, the less the more the surface looks like it.
    """

    paint: Paint
    share: float

    def likeness(self, features: Singles) -> Singles:
        """The share of paint (...) in pixels of ``features`` (..., 3)."""
        return self.paint.likeness(features) * np.float32(self.share)

    def of_samples(self, features: Singles, on_mat: Singles, depths: Singles) -> Singles:
        """How much like the paint samples (..., M) of ``features`` (..., M, 3) at ``depths`` (M,) outside rims are.

        ``on_mat`` is their likeness on the mat, which is what lies on bases, too: within a rim, and beyond it where
        the next base may be.
        """
        like = self.likeness(features)
        both = np.where(np.abs(on_mat) < np.abs(like), on_mat, like)
        return np.where(depths < _OUTER_MM, on_mat, np.where(depths < _BEYOND_MM, like, both))


@dataclass(frozen=True, eq=False)
class Surfaces:
    """All pieces that look otherwise than the mat: the n-th is called n + 1 where places are asked for, the mat 0.

    ``outlines_mm`` (M, 2) are theirs, later ones on top.
    """

    all: tuple[Surface, ...]
    outlines_mm: tuple[Floats, ...]
    size_mm: tuple[float, float]
    _grid: Labels = field(init=False, repr=False)
    _near: dict[int, Labels] = field(default_factory=dict, init=False, repr=False)
    _told: dict[tuple[Paint, int], Told] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        shape = (int(self.size_mm[1] / CELL_MM) + 1, int(self.size_mm[0] / CELL_MM) + 1)
        object.__setattr__(self, "_grid", self.on((0.0, 0.0), CELL_MM, shape))

    def on(self, origin_mm: tuple[float, float], cell_mm: float, shape: tuple[int, int]) -> Labels:
        """Which surface each cell of a grid (H, W) shows."""
        grid = np.zeros(shape, np.uint8)
        for number, outline in enumerate(self.outlines_mm):
            cells = (outline - np.array(origin_mm)) / cell_mm
            cv2.fillPoly(grid, [np.rint(cells * 16).astype(np.int32)], (number + 1,), cv2.LINE_8, shift=4)
        return grid

    def at(self, points_mm: Floats) -> Labels:
        """Which surface lies at table points (..., 2)."""
        return _looked_up(self._grid, points_mm)

    def about(self, points_mm: Floats, outline: Outline) -> NDArray[np.bool_]:
        """Whether bases at points (N, 2) may stand, if only in part, on anything but the mat."""
        room = int(np.ceil((outline.reach_mm + _ABOUT_MM) / CELL_MM))
        if room not in self._near:
            self._near[room] = np.asarray(
                cv2.dilate(np.minimum(self._grid, 1), np.ones((2 * room + 1,) * 2, np.uint8)), dtype=np.uint8
            )
        return _looked_up(self._near[room], points_mm) > 0

    def told(self, paint: Paint, number: int) -> Told:
        """A paint as it is told on one of the surfaces, of 1 and more."""
        key = (paint, number)
        if key not in self._told:
            if len(self._told) > _REMEMBERED:
                self._told.clear()
            here = paint_of(paint.paint, self.all[number - 1].features)
            self._told[key] = Told(here, here.contrast**2 / (here.contrast**2 + _TOLD**2))
        return self._told[key]

    def as_on_mat(self, colours: Floats, points_mm: Floats, paint: Paint) -> Floats:
        """The colours (N, 3) of rims of bases at points (N, 2) as they would be, were they mixed with the mat and
        not, from without, with what they stand on."""
        labels = self.at(points_mm)
        if not labels.any():
            return colours
        same = colours.copy()
        for number in np.unique(labels[labels > 0]).tolist():
            here, there = self.told(paint, number).paint, labels == number
            ground = 1 - np.clip(here.strength(colours[there]), 0.0, 1.0)
            same[there] += _FROM_WITHOUT * ground[:, None] * (paint.ground - here.ground)
        return same


def surfaces_of(
    outlines_mm: Sequence[Floats],
    size_mm: tuple[float, float],
    mat: Floats,
    look: Callable[[Floats], tuple[Floats, Floats]],
) -> Surfaces:
    """The pieces of terrain of these outlines that look otherwise than the mat of features (3,).

    ``look`` tells the features (M, 3) seen at those of some points (N, 2) that are in sight, and the shares (M,) of
    the light there.
    """
    kept, outlines = list[Surface](), list[Floats]()
    for outline in outlines_mm:
        features, lit = look(_points_in(outline, size_mm))
        if len(features) < _FEWEST or len(kept) >= _MOST:
            continue
        if float(np.linalg.norm(np.median(features, axis=0) - mat)) > _OTHER:
            kept.append(Surface(features, max(float(np.median(lit)), 1e-3)))
            outlines.append(outline)
    return Surfaces(tuple(kept), tuple(outlines), size_mm)


def _points_in(outline: Floats, size_mm: tuple[float, float]) -> Floats:
    """Points (N, 2) spread over what of a polygon lies on the table."""
    low, high = np.maximum(outline.min(axis=0), 0.0), np.minimum(outline.max(axis=0), size_mm)
    for apart in _SPARSE_MM:
        shape = np.maximum(np.ceil((high - low) / apart).astype(int), 1)
        grid = np.zeros((int(shape[1]), int(shape[0])), np.uint8)
        cv2.fillPoly(grid, [np.rint(((outline - low) / apart - 0.5) * 16).astype(np.int32)], (1,), shift=4)
        rows, columns = np.nonzero(grid)
        if len(rows) >= 2 * _FEWEST:
            break
    return np.asarray(low + (np.column_stack([columns, rows]) + 0.5) * apart, dtype=np.float64)


def _looked_up(grid: Labels, points_mm: Floats) -> Labels:
    """A grid of the table's cells at points (..., 2); beyond the table as at its edge."""
    cells = np.rint(np.nan_to_num(points_mm, nan=0.0) / CELL_MM).astype(np.intp)
    rows, columns = np.clip(cells[..., 1], 0, grid.shape[0] - 1), np.clip(cells[..., 0], 0, grid.shape[1] - 1)
    return grid[rows, columns]
