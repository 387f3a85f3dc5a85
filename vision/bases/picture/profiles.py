"""What the frame shows along the normals of bases' rims: every base of one outline sampled at once.

Each base is sampled in its own frame, at the same places for all: points round its outline, and depths across it.
So all that depends on the outline alone is worked out once, and the frame is looked up in one go.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, turned

__all__ = ["Group", "Pattern", "grouped", "moved", "pattern_of", "pixels_of", "terms_of"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.intp]
Image = NDArray[np.uint8]

_CORNER_MM = 1.5  # so near to a rectangle's corner its edge is not sampled
_GRID = np.stack(np.meshgrid(np.linspace(-1, 1, 5), np.linspace(-1, 1, 5)), axis=-1).reshape(-1, 2)


@dataclass(frozen=True, eq=False)
class Group:
    """Bases of one outline: their places (N,) in mm on ground of height ``z`` (N,), and bearings (N,) in degrees.

    ``number`` (N,) is each one's place in the list that they were grouped from.
    """

    outline: Outline
    number: Ints
    x: Floats
    y: Floats
    z: Floats
    bearing: Floats

    def __len__(self) -> int:
        return len(self.x)

    def taken(self, which: NDArray[np.bool_] | Ints) -> Group:
        """Some of them, by index or mask."""
        return Group(
            self.outline, self.number[which], self.x[which], self.y[which], self.z[which], self.bearing[which]
        )

    def placed(self) -> list[Placed]:
        """Them one by one; bearings are brought into the outline's turn."""
        turn = self.outline.turn_deg
        return [
            Placed(self.outline, float(x), float(y), float(z), float(b) % turn)
            for x, y, z, b in zip(self.x, self.y, self.z, self.bearing, strict=True)
        ]


def grouped(placed: list[Placed]) -> list[Group]:
    """Bases by their outlines."""
    outlines = list(dict.fromkeys(p.outline for p in placed))
    groups = []
    for outline in outlines:
        number = np.array([k for k, p in enumerate(placed) if p.outline == outline], dtype=np.intp)
        told = np.array([[placed[k].x_mm, placed[k].y_mm, placed[k].z_mm, placed[k].bearing_deg] for k in number])
        groups.append(Group(outline, number, *told.T))
    return groups


@dataclass(frozen=True, eq=False)
class Pattern:
    """Where an outline is sampled, in its own frame: ``points`` (K, 2) on it, outward ``normals`` (K, 2) there, and
    ``depths`` (M,) outwards along them, all in mm; ``lever`` (K,) is how far the outline moves outwards there for a
    turn by a radian; ``area_mm2`` is what one sample stands for.
    """

    points: Floats
    normals: Singles
    depths: Singles
    lever: Singles
    deep_mm: float
    area_mm2: float
    terms: Floats

    @property
    def places(self) -> Floats:
        """All samples (K, M, 2)."""
        return _places(self.points, self.normals, self.depths)


def _places(points: Floats, normals: NDArray[np.floating], depths: NDArray[np.floating]) -> Floats:
    return np.asarray(points[:, None] + normals[:, None] * depths[None, :, None], dtype=np.float64)


@lru_cache(maxsize=64)
def pattern_of(outline: Outline, along_mm: float, deep_mm: float, inside_mm: float, outside_mm: float) -> Pattern:
    """An outline sampled about every ``along_mm`` round it and every ``deep_mm`` across, from inside to outside."""
    points, normals = _contour(outline, along_mm)
    depths = np.arange(-inside_mm, outside_mm + deep_mm / 2, deep_mm)
    lever = normals[:, 0] * points[:, 1] - normals[:, 1] * points[:, 0]
    places = _places(points, normals, depths)
    return Pattern(
        points,
        normals.astype(np.float32),
        depths.astype(np.float32),
        lever.astype(np.float32),
        deep_mm,
        outline.perimeter_mm / len(points) * deep_mm,
        _terms(places.reshape(-1, 2) / _span(outline)),
    )


def _contour(outline: Outline, along_mm: float) -> tuple[Floats, Floats]:
    """Points (K, 2) on an outline and the outward normals (K, 2) there, corners left out."""
    if outline.round_:
        count = max(16, round(outline.perimeter_mm / along_mm))
        angle = (np.arange(count) + 0.5) * (2 * np.pi / count)
        normal = np.column_stack([np.sin(angle), np.cos(angle)])
        return normal * outline.half_width_mm, normal
    points, normals = [], []
    a, b = outline.half_width_mm, outline.half_depth_mm
    for (nu, nv), half, off in (((0, 1), a, b), ((1, 0), b, a), ((0, -1), a, b), ((-1, 0), b, a)):
        reach = half - _CORNER_MM
        count = max(4, round(2 * reach / along_mm))
        along = ((np.arange(count) + 0.5) / count * 2 - 1) * reach
        points.append(np.column_stack([nu * off + nv * along, nv * off - nu * along]))
        normals.append(np.tile(np.array([[nu, nv]], dtype=np.float64), (count, 1)))
    return np.concatenate(points), np.concatenate(normals)


def _span(outline: Outline) -> float:
    """Half the side of a square that holds all samples of an outline."""
    return outline.reach_mm + 6.0


def _terms(at: Floats) -> Floats:
    """The terms (N, 10) of a cubic in places (N, 2)."""
    x, y = at[:, 0], at[:, 1]
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3], axis=-1)


_SOLVE = np.linalg.pinv(_terms(_GRID))


def terms_of(outline: Outline, places: Floats) -> Floats:
    """The terms (S, 10) of places (S, 2) of an outline's own frame, for `pixels_of`."""
    return _terms(places / _span(outline))


def pixels_of(group: Group, camera: CameraModel, terms: Floats) -> Singles:
    """The pixels (N, S, 2) at which places of the own frame are seen on the tops of bases.

    ``terms`` (S, 10) are those of the places: the lens is followed on a few points over each base, and by a cubic
    between them, exact to a hundredth of a pixel.
    """
    outline = group.outline
    grid = turned(_GRID[None] * _span(outline), group.bearing[:, None])
    grid = grid + np.stack([group.x, group.y], axis=-1)[:, None]
    tops = np.broadcast_to((group.z + outline.height_mm)[:, None, None], (*grid.shape[:2], 1))
    seen = camera.project(np.concatenate([grid, tops], axis=-1).reshape(-1, 3)).reshape(len(group), -1, 2)
    cubic = _SOLVE @ np.nan_to_num(seen, nan=-1e4)
    return np.asarray(terms @ cubic, dtype=np.float32)


def moved(group: Group, steps: Floats) -> Group:
    """Bases moved by (N, 3): right and forward in mm in their own frames, and turned, in radians."""
    offset = turned(steps[:, None, :2], group.bearing[:, None])[:, 0]
    return replace(
        group,
        x=group.x + offset[:, 0],
        y=group.y + offset[:, 1],
        bearing=group.bearing + np.rad2deg(steps[:, 2]),
    )
