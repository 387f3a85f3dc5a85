"""Corners to a few hundredths of a pixel: a blurred step is fitted along each whole edge, and edges are crossed.

OpenCV's own refinements follow the brightest gradient, which in a picture lies too far inside a dark square: a
camera writes brightness through a curve, so that a blurred edge looks as if the white had spread into the black.
Here the curve is undone first, and every pixel along an edge helps to place it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

__all__ = ["Edges", "Refined", "cross_lines", "fit_edges", "lines_through", "refine_squares"]

Points = NDArray[np.float64]

#: Pictures are written with about this exponent (sRGB's is 2.2, less the lift that cameras give to the shadows).
_CURVE = 1.8
_TO_LIGHT = ((np.arange(256) / 255.0) ** _CURVE).astype(np.float32)

_CROSSINGS = 17
_ENDS = (0.12, 0.88)  # between which an edge is crossed, as shares of its length: not at the corners
_ACROSS = np.linspace(-1.0, 1.0, 17)  # where each crossing is sampled, as a share of its reach
_LEAST_REACH_PX, _USUAL_REACH_PX = 1.3, 3.5
_REACH_SIDES = 0.04  # of a marker's side: large markers are first seen less exactly, and may be blurred
_REACH_CELLS = 0.8  # of a marker's cell: beyond the first cell all may be of another colour
_PASSES, _STEPS = 3, 8
_FARTHEST = 0.6  # no edge is sought farther from where it was first seen than this share of the reach, or 2 px
_STILL_PX = 0.01  # what moves less is at rest
_SIGMA_PX = (0.05, 0.5)  # no corner is better than the first, whatever the fit says
_UNSURE_PX = 0.6
_HALF_SQRT = np.sqrt(0.5)


@dataclass(frozen=True)
class Edges:
    """Fitted edges: their ends ``start_px`` and ``stop_px`` (E, 2), these ends' noise ``sigma_px`` (E,),
    ``contrast`` (E,): half the step in light, from 0 to 0.5, and ``blur_px`` (E,), the sigma of the step."""

    start_px: Points
    stop_px: Points
    sigma_px: Points
    contrast: Points
    blur_px: Points


@dataclass(frozen=True)
class Refined:
    """Corners (M, 4, 2) in pixels, their noise ``sigma_px`` (M,) per axis, and which are sure: ``good`` (M,)."""

    corners_px: Points
    sigma_px: Points
    good: NDArray[np.bool_]


def refine_squares(grey: NDArray[np.uint8], corners_px: Points, cells: int) -> Refined:
    """Refines the outer corners (M, 4, 2) of dark squares of ``cells`` by ``cells`` cells on white.

    ``corners_px`` runs clockwise as seen in the picture, to about a pixel. Where no step is found near an edge, the
    corners come back as they were, and not ``good``.
    """
    count = len(corners_px)
    rough = np.asarray(corners_px, dtype=np.float64).reshape(count, 4, 2)
    if not count:
        return Refined(rough, np.zeros(0), np.zeros(0, dtype=bool))
    side = np.linalg.norm(rough - np.roll(rough, -1, axis=1), axis=2).mean(axis=1)
    reach = np.minimum(_REACH_CELLS * side / cells, np.maximum(_USUAL_REACH_PX, _REACH_SIDES * side))
    corners = rough
    for _ in range(_PASSES):
        before = corners
        ends = corners.reshape(-1, 2), np.roll(corners, -1, axis=1).reshape(-1, 2)
        edges = fit_edges(grey, *ends, np.repeat(reach, 4))
        blur = np.median(edges.blur_px.reshape(count, 4), axis=1)
        reach = np.minimum(reach, np.maximum(_USUAL_REACH_PX, 3.5 * blur))
        lines = lines_through(edges.start_px, edges.stop_px).reshape(count, 4, 3)
        corners = cross_lines(np.roll(lines, 1, axis=1), lines)
        if np.abs(corners - before).max() < _STILL_PX:
            break
    moved = np.linalg.norm(corners - rough, axis=2).max(axis=1)
    contrast = edges.contrast.reshape(count, 4)
    good = (moved < np.maximum(2.5, 0.12 * side)) & (contrast.min(axis=1) > 0.25 * contrast.max(axis=1))
    sigma = np.clip(np.sqrt((edges.sigma_px.reshape(count, 4) ** 2).mean(axis=1)), *_SIGMA_PX)
    return Refined(np.where(good[:, None, None], corners, rough), np.where(good, sigma, _UNSURE_PX), good)


def fit_edges(
    grey: NDArray[np.uint8], start_px: Points, stop_px: Points, reach_px: Points, crossings: int = _CROSSINGS
) -> Edges:
    """The edges between dark and light near the lines from ``start_px`` to ``stop_px`` (E, 2).

    Light is sampled up to ``reach_px`` (E,) to either side, which should show nothing but dark and light; it is
    sampled at so many ``crossings`` of the edge.
    """
    places_along = np.linspace(*_ENDS, crossings)
    vectors = stop_px - start_px
    length = np.maximum(np.linalg.norm(vectors, axis=1), 1e-6)
    along = vectors / length[:, None]
    aside = np.stack([along[:, 1], -along[:, 0]], axis=-1)
    reach = np.maximum(reach_px, _LEAST_REACH_PX)
    across = np.broadcast_to((reach[:, None] * _ACROSS)[:, None, :], (len(start_px), crossings, len(_ACROSS)))
    places = (
        start_px[:, None, None, :]
        + (length[:, None] * places_along)[:, :, None, None] * along[:, None, None, :]
        + across[..., None] * aside[:, None, None, :]
    )
    flat = (len(start_px), -1)
    light = _sample(grey, places.reshape(*flat, 2))
    position = np.broadcast_to((2 * places_along - 1)[None, :, None], across.shape).reshape(flat)
    fitted, sigma = _fit_steps(light, across.reshape(flat), position)
    offset, tilt = fitted[:, 2:3], fitted[:, 3:4]
    return Edges(
        start_px=start_px + (offset - tilt) * aside,
        stop_px=stop_px + (offset + tilt) * aside,
        sigma_px=sigma,
        contrast=np.abs(fitted[:, 1]),
        blur_px=fitted[:, 4],
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


def _sample(grey: NDArray[np.uint8], places: Points) -> Points:
    """The light at places (E, K, 2), between pixels linearly, as (E, K) from 0 to 1."""
    low = np.floor(places.min(axis=(0, 1))).astype(int) - 2
    high = np.ceil(places.max(axis=(0, 1))).astype(int) + 3
    height, width = grey.shape
    x0, y0 = np.clip(low, 0, (width - 1, height - 1))
    x1, y1 = np.clip(high, (x0 + 1, y0 + 1), (width, height))
    light = cv2.LUT(grey[y0:y1, x0:x1], _TO_LIGHT)
    local = (places - (x0, y0)).astype(np.float32)
    found = cv2.remap(light, local[..., 0], local[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, dtype=np.float64)


def _fit_steps(light: Points, across: Points, position: Points) -> tuple[Points, Points]:
    """Fits light = mid + half * erf((across - offset - tilt * position) / blur) to all edges at once, robustly.

    ``mid`` and ``half`` may change along the edge, as uneven light makes them: mid + mid_slope * position. All
    are (E, K). Answers (mid, half, offset, tilt, blur, mid_slope, half_slope) as (E, 7), and the ends' sigma (E,).
    """
    p = _first_guess(light, across)
    reach = across.max(axis=1, keepdims=True)
    farthest = np.maximum(_FARTHEST * reach, 2.0)
    one = np.ones_like(reach)
    limit = np.hstack([one, one, farthest / 4, farthest / 4, 0.15 * farthest, one, one])
    for _ in range(_STEPS):
        mid, half, offset, tilt, blur, mid_slope, half_slope = (p[:, i : i + 1] for i in range(7))
        z = (across - offset - tilt * position) / blur
        step = erf(z * _HALF_SQRT)
        here = half + half_slope * position
        slope = here * np.sqrt(2 / np.pi) * np.exp(-0.5 * z * z) / blur
        residual = light - mid - mid_slope * position - here * step
        weight = 1 / (1 + (residual / (1.0 * np.abs(half) + 1e-6)) ** 2)
        jacobian = np.stack(
            [np.ones_like(step), step, -slope, -slope * position, -slope * z, position, step * position], axis=-1
        )
        weighted = jacobian * weight[..., None]
        normal = jacobian.transpose(0, 2, 1) @ weighted + 1e-9 * np.eye(7)
        change = np.linalg.solve(normal, (weighted * residual[..., None]).sum(axis=1)[..., None])[..., 0]
        change = np.clip(change, -limit, limit)
        p = p + change
        p[:, 2:4] = np.clip(p[:, 2:4], -farthest, farthest)
        p[:, 4:5] = np.clip(p[:, 4:5], 0.25, np.maximum(reach / 2, 1.0))
        if np.abs(change[:, 2:4]).max() < _STILL_PX / 4:
            break
    scale = np.sqrt((weight * residual**2).sum(axis=1) / np.maximum(weight.sum(axis=1) - 7, 1))
    spread = np.linalg.inv(normal)
    return p, scale * np.sqrt(np.maximum(spread[:, 2, 2] + spread[:, 3, 3], 0))


def _first_guess(light: Points, across: Points) -> Points:
    """Where the step is first sought: in the middle, from the darker to the lighter side, whichever is which."""
    low, high = np.percentile(light, [10, 90], axis=1)
    beyond = np.where(across > 0, light, 0).sum(axis=1) > np.where(across < 0, light, 0).sum(axis=1)
    half = np.maximum((high - low) / 2, 1e-3) * np.where(beyond, 1, -1)
    zero = np.zeros(len(light))
    return np.stack([(low + high) / 2, half, zero, zero, zero + 0.9, zero, zero], axis=1)


def _homogeneous(points: Points) -> Points:
    return np.concatenate([points, np.ones_like(points[..., :1])], axis=-1)
