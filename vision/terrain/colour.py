"""Colours as the paint has them: a picture's tone curve, cast and shading undone with the white of the markers."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import FoundMarker

__all__ = ["even_light", "lightness_roots", "linear_of", "paint_of"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_PAPER = 0.9  # how much light printing paper sends back
_LEAST_SIDE_PX = 16.0  # the margin of smaller prints is mixed with what lies beside it
_MARGIN = (1.08, 1.13)  # where a print's white margin lies, as a share of its half side
_FLAT = 0.05  # how strongly shading is taken to be even where few markers tell


def _srgb_table() -> Floats:
    grey = np.arange(256) / 255.0
    return np.where(grey <= 0.04045, grey / 12.92, ((grey + 0.055) / 1.055) ** 2.4)


_LINEAR = _srgb_table()


def linear_of(values: Image) -> Floats32:
    """sRGB levels as light, 0 to 1."""
    return _LINEAR.astype(np.float32)[values]


def paint_of(colour: str) -> Floats:
    """A colour such as ``#2e5a2c`` as the light (3,) BGR that it sends back in white light."""
    levels = np.array([int(colour[i : i + 2], 16) for i in (5, 3, 1)], dtype=np.uint8)
    return np.asarray(_LINEAR[levels], dtype=np.float64)


def lightness_roots(light: Floats32) -> Floats32:
    """Light as cube roots, in which noise and the eye's differences are about even."""
    return np.cbrt(np.maximum(light, 1e-5))


def even_light(picture_bgr: Image, found: Sequence[FoundMarker]) -> Floats32:
    """A picture (H, W, 3) as the light that each surface would send back under even white light.

    The white margins of the markers tell the cast and the shading: a slope and a falling off towards the corners.
    """
    light = linear_of(picture_bgr)
    places, whites = _margins(light, found)
    height, width = picture_bgr.shape[:2]
    if not len(places):
        return light
    cast = np.median(np.log(whites), axis=0)
    slopes = _slopes(_terms(places, width, height), np.log(whites) - cast)
    columns, rows = np.meshgrid(_middles(width), _middles(height))
    grid = _terms(np.column_stack([columns.ravel(), rows.ravel()]), width, height)
    shading = np.exp(grid @ slopes).reshape(columns.shape)
    full = _grown(shading.astype(np.float32), width, height)
    scale = (_PAPER / np.exp(cast)).astype(np.float32)
    return np.asarray(light * scale / full[:, :, None], dtype=np.float32)


def _margins(light: Floats32, found: Sequence[FoundMarker]) -> tuple[Floats, Floats]:
    """Where markers lie (N, 2) in px, and the light (N, 3) of their white margins."""
    height, width = light.shape[:2]
    places, whites = [], []
    for marker in found:
        if marker.side_px < _LEAST_SIDE_PX:
            continue
        centre = marker.corners_px.mean(axis=0)
        ring = []
        for share in _MARGIN:
            corners = centre + (marker.corners_px - centre) * share
            along = np.linspace(0.1, 0.9, 24)[:, None, None]
            ring.append((corners * (1 - along) + np.roll(corners, -1, axis=0) * along).reshape(-1, 2))
        points = np.rint(np.concatenate(ring)).astype(int)
        inside = (points >= 0).all(axis=1) & (points < (width, height)).all(axis=1)
        if inside.sum() < 24:
            continue
        places.append(centre)
        whites.append(np.percentile(light[points[inside, 1], points[inside, 0]], 60, axis=0))
    return np.array(places).reshape(-1, 2), np.maximum(np.array(whites).reshape(-1, 3), 1e-3)


def _terms(places: Floats, width: int, height: int) -> Floats:
    centred = (np.asarray(places, dtype=np.float64) - (width / 2, height / 2)) / (width / 2)
    return np.column_stack([np.ones(len(centred)), centred, (centred**2).sum(axis=1)])


def _slopes(terms: Floats, logs: Floats) -> Floats:
    """The shading, common to all channels, that fits best while staying as even as it may."""
    target = logs.mean(axis=1)
    prior = len(terms) * _FLAT * np.diag([0.0, 1.0, 1.0, 1.0])
    return np.asarray(np.linalg.solve(terms.T @ terms + prior + 1e-9 * np.eye(4), terms.T @ target))


def _middles(length: int) -> Floats:
    """The middles of the cells of about 8 px that a row of pixels is cut into."""
    cells = max(length // 8, 1)
    return (np.arange(cells) + 0.5) * length / cells - 0.5


def _grown(small: Floats32, width: int, height: int) -> Floats32:
    """Values at the middles of cells, drawn out over the whole picture."""
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.float32)
