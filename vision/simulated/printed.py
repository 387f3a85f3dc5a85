"""Squares or hexes printed on a virtual mat: how much of each place on it the lines cover."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.simulated.virtual import MatPrint

__all__ = ["ink_at"]

Light = NDArray[np.float32]
_NORMALS_DEG = {"hex": (0.0, 60.0, 120.0), "square": (0.0, 90.0)}


def ink_at(places_mm: Light, mat: MatPrint, px_mm: float) -> Light:
    """The share (H, W) of the ink of lines at table places (H, W, 2) that pixels so many mm wide show."""
    turn = np.radians(mat.turn_deg)
    away = places_mm.astype(np.float64) - mat.origin_mm
    x = away[..., 0] * np.cos(turn) - away[..., 1] * np.sin(turn)
    y = away[..., 0] * np.sin(turn) + away[..., 1] * np.cos(turn)
    to_line = (
        _to_line_of_squares(x, y, mat.size_mm) if mat.kind == "square" else _to_line_of_hexes(x, y, mat.size_mm)
    )
    share = np.clip((mat.line_mm / 2 - to_line) / px_mm + 0.5, 0.0, min(1.0, mat.line_mm / px_mm))
    return np.asarray(share * mat.opacity, dtype=np.float32)


def _to_line_of_squares(x: NDArray[np.float64], y: NDArray[np.float64], size_mm: float) -> NDArray[np.float64]:
    """How far places are from the nearest side of squares whose corner is the origin."""
    off = [np.abs(one / size_mm - np.round(one / size_mm)) for one in (x, y)]
    return np.asarray(np.minimum(*off) * size_mm)


def _to_line_of_hexes(x: NDArray[np.float64], y: NDArray[np.float64], size_mm: float) -> NDArray[np.float64]:
    """How far places are from the nearest side of flat-topped hexes; the box round one begins at the origin.

    The middles of the hexes make two lattices of rectangles; the nearer of the two middles is the hex's own.
    """
    wide, deep = size_mm * np.sqrt(3), size_mm
    best = np.full(x.shape, -np.inf)
    for column in (0.0, 0.5):
        dx = x - size_mm / np.sqrt(3) - column * wide
        dy = y - size_mm / 2 - column * deep
        dx, dy = dx - wide * np.round(dx / wide), dy - deep * np.round(dy / deep)
        inside = np.full(x.shape, np.inf)
        for bearing in np.radians(_NORMALS_DEG["hex"]):
            inside = np.minimum(inside, size_mm / 2 - np.abs(dx * np.sin(bearing) + dy * np.cos(bearing)))
        best = np.maximum(best, inside)
    return np.asarray(np.abs(best), dtype=np.float64)
