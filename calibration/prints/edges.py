"""Corners to a few hundredths of a pixel: a blurred step is fitted along each whole edge, and edges are crossed.

OpenCV's own refinements follow the brightest gradient, which in a picture lies too far inside a dark square: a
camera writes brightness through a curve, so that a blurred edge looks as if the white had spread into the black.
Here the curve is undone first, and every pixel along an edge helps to place it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.prints.steps import BLUR, HALF, OFFSET, TILT, Steps, fit_steps

__all__ = [
    "ENDS",
    "Edges",
    "Refined",
    "cross_lines",
    "fit_edges",
    "lines_through",
    "refine_squares",
    "sample_light",
]

Points = NDArray[np.float64]

#: Pictures are written with about this exponent (sRGB's is 2.2, less the lift that cameras give to the shadows).
_CURVE = 1.8
_TO_LIGHT = ((np.arange(256) / 255.0) ** _CURVE).astype(np.float32)

_CROSSINGS = 9
#: Between which an edge is crossed, as shares of its length: not at the corners.
ENDS = (0.12, 0.88)
_ACROSS = np.linspace(-1.0, 1.0, 13)  # where each crossing is sampled, as a share of its reach
_LEAST_REACH_PX, _USUAL_REACH_PX = 1.3, 3.5
_REACH_SIDES = 0.04  # of a marker's side: large markers are first seen less exactly, and may be blurred
_REACH_CELLS = 0.8  # of a marker's cell: beyond the first cell all may be of another colour
_PASSES = 3
_STILL_PX = 0.01  # what moves less is at rest
_SIGMA_PX = (0.05, 0.5)  # no corner is better than the first, whatever the fit says
_UNSURE_PX = 0.6


@dataclass(frozen=True, eq=False)
class Edges:
    """Fitted edges: their ends ``start_px`` and ``stop_px`` (E, 2), and these ends' noise ``sigma_px`` (E,).

    ``contrast`` (E,) is half the step in light, from 0 to 0.5, ``blur_px`` (E,) the step's sigma, and ``fitted``
    (E, 7) all of it: see `calibration.prints.steps`.
    """

    start_px: Points
    stop_px: Points
    sigma_px: Points
    contrast: Points
    blur_px: Points
    fitted: Points


@dataclass(frozen=True, eq=False)
class Refined:
    """Corners (M, 4, 2) in pixels, their noise ``sigma_px`` (M,) per axis, the ``blur_px`` (M,) of their edges, and
    which are sure: ``good`` (M,)."""

    corners_px: Points
    sigma_px: Points
    blur_px: Points
    good: NDArray[np.bool_]


def refine_squares(grey: NDArray[np.uint8], corners_px: Points, cells: int) -> Refined:
    """Refines the outer corners (M, 4, 2) of dark squares of ``cells`` by ``cells`` cells on white.

    ``corners_px`` runs clockwise as seen in the picture, to about a pixel. Where no step is found near an edge, the
    corners come back as they were, and not ``good``.
    """
    count = len(corners_px)
    rough = np.asarray(corners_px, dtype=np.float64).reshape(count, 4, 2)
    if not count:
        return Refined(rough, np.zeros(0), np.zeros(0), np.zeros(0, dtype=bool))
    side = np.linalg.norm(rough - np.roll(rough, -1, axis=1), axis=2).mean(axis=1)
    reach = np.minimum(_REACH_CELLS * side / cells, np.maximum(_USUAL_REACH_PX, _REACH_SIDES * side))
    corners, edges = rough, None
    for _ in range(_PASSES):
        before = corners
        ends = corners.reshape(-1, 2), np.roll(corners, -1, axis=1).reshape(-1, 2)
        edges = fit_edges(grey, *ends, np.repeat(reach, 4), like=edges)
        blur = np.median(edges.blur_px.reshape(count, 4), axis=1)
        reach = np.minimum(reach, np.maximum(_USUAL_REACH_PX, 3.5 * blur))
        lines = lines_through(edges.start_px, edges.stop_px).reshape(count, 4, 3)
        corners = cross_lines(np.roll(lines, 1, axis=1), lines)
        if np.abs(corners - before).max() < _STILL_PX:
            break
    assert edges is not None
    moved = np.linalg.norm(corners - rough, axis=2).max(axis=1)
    contrast = edges.contrast.reshape(count, 4)
    good = (moved < np.maximum(2.5, 0.12 * side)) & (contrast.min(axis=1) > 0.25 * contrast.max(axis=1))
    sigma = np.clip(np.sqrt((edges.sigma_px.reshape(count, 4) ** 2).mean(axis=1)), *_SIGMA_PX)
    return Refined(np.where(good[:, None, None], corners, rough), np.where(good, sigma, _UNSURE_PX), blur, good)


def fit_edges(
    grey: NDArray[np.uint8],
    start_px: Points,
    stop_px: Points,
    reach_px: Points,
    crossings: int = _CROSSINGS,
    like: Edges | None = None,
) -> Edges:
    """The edges between dark and light near the lines from ``start_px`` to ``stop_px`` (E, 2).

    Light is sampled up to ``reach_px`` (E,) to either side, which should show nothing but dark and light; it is
    sampled at so many ``crossings`` of the edge. The fit sets out from how the same edges were fitted before, if
    ``like`` tells.
    """
    along = (2 * np.linspace(*ENDS, crossings) - 1).astype(np.float32)
    reach = np.maximum(reach_px, _LEAST_REACH_PX)
    across = (reach[:, None] * _ACROSS).astype(np.float32)
    half = (stop_px - start_px) / 2
    ahead = half / np.maximum(np.linalg.norm(half, axis=1, keepdims=True), 1e-6)
    aside = np.stack([ahead[:, 1], -ahead[:, 0]], axis=-1)
    places = (
        ((start_px + stop_px) / 2)[:, None, None, :]
        + along[:, None, None] * half[:, None, None, :]
        + across[:, None, :, None] * aside[:, None, None, :]
    )
    grid = places.shape[:3]
    samples = grid[0], grid[1] * grid[2]
    steps = Steps(
        sample_light(grey, places).reshape(samples),
        np.broadcast_to(across[:, None, :], grid).reshape(samples),
        np.broadcast_to(along[None, :, None], grid).reshape(samples),
    )
    fitted, sigma = fit_steps(steps, None if like is None else _at_rest(like.fitted))
    offset, tilt = fitted[:, OFFSET, None], fitted[:, TILT, None]
    return Edges(
        start_px=start_px + (offset - tilt) * aside,
        stop_px=stop_px + (offset + tilt) * aside,
        sigma_px=sigma,
        contrast=np.abs(fitted[:, HALF]),
        blur_px=fitted[:, BLUR],
        fitted=fitted,
    )


def lines_through(start_px: Points, stop_px: Points) -> Points:
    """The lines (…, 3) through pairs of points (…, 2): a x + b y + c = 0 with a unit normal (a, b)."""
    lines = np.cross(_homogeneous(start_px), _homogeneous(stop_px))
    length = np.linalg.norm(lines[..., :2], axis=-1, keepdims=True)
    return np.asarray(lines / np.maximum(length, 1e-12), dtype=np.float64)


def cross_lines(first: Points, second: Points) -> Points:
    """Where pairs of lines (…, 3) cross (…, 2); far away where they are parallel."""
    meet = np.cross(first, second)
    depth = meet[..., 2:]
    return np.asarray(meet[..., :2] / np.where(np.abs(depth) > 1e-9, depth, 1e-9), dtype=np.float64)


def sample_light(grey: NDArray[np.uint8], places: Points) -> NDArray[np.float32]:
    """The light at places (…, 2), from 0 to 1, between pixels linearly; beyond the picture that of its rim."""
    height, width = grey.shape
    x = np.clip(places[..., 0], 0, width - 1.001)
    y = np.clip(places[..., 1], 0, height - 1.001)
    column, row = x.astype(np.int32), y.astype(np.int32)
    right, down = (x - column).astype(np.float32), (y - row).astype(np.float32)
    pixels = grey.ravel()
    at = row * np.int32(width) + column
    upper = _TO_LIGHT[pixels[at]]
    upper += right * (_TO_LIGHT[pixels[at + 1]] - upper)
    at += np.int32(width)
    lower = _TO_LIGHT[pixels[at]]
    lower += right * (_TO_LIGHT[pixels[at + 1]] - lower)
    return np.asarray(upper + down * (lower - upper), dtype=np.float32)


def _at_rest(fitted: Points) -> Points:
    """Fitted steps as they are seen from where they were found."""
    start = fitted.copy()
    start[:, [OFFSET, TILT]] = 0.0
    return start


def _homogeneous(points: Points) -> Points:
    return np.concatenate([points, np.ones_like(points[..., :1])], axis=-1)
