"""What has been put on the table and can be no base: sheets, books, tapes, boxes, mugs, and their deep shade.

A base is small, and what stands on it parts its top: no even patch of it is broader than the base, or far longer.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bases.shapes import Outline
from vision.plain.picture.scene import Scene

__all__ = ["foreign"]

Mask = NDArray[np.bool_]
Floats32 = NDArray[np.float32]

_STRONG_SIGMAS, _STRONG_LEVELS = 8.0, 22.0  # a patch looks so much unlike the table before
_MOST_NOISE = 4.0  # of what is usual in the picture
_EVEN = 0.3  # and varies from pixel to pixel by less than this share of that
_ROOM_MM = 2.5  # it is broader than any base by so much …
_EDGE_PX = 2.0  # but for its blurred edge, which is not even
_LONG = 2.5  # … or longer than the longest base so many times
_NARROWEST_MM = 7.0
_SOLID = 0.8  # the share of its box that a long patch fills
_VIVID_LEVELS = 45.0  # what is so much unlike the table and has holes is taken with them
_MOSTLY = 0.8
_PRINT_MM, _STOUT_MM = 2.0, 10.0  # half as broad is what is printed on it, and a figure on a base …
_SLIM = 8.0  # and an area so many times the square of that is that of a line of print …
_SEVERAL = 3  # … of which many stand on bases that touch, and together are as broad as a sheet
_ABOUT_MM = 3.0  # its edge belongs to it …
_CLINGS_MM = 22.0  # … and sides, handles and shade that touch it


def foreign(scene: Scene, outlines: Sequence[Outline]) -> Mask:
    """The pixels (H, W) of a scene that show something too large and too even for bases of these outlines."""
    off = scene.frame - scene.backdrop.then
    change = cv2.GaussianBlur(np.abs(off).max(axis=2), (0, 0), 0.8)
    noise = scene.backdrop.noise.min(axis=2)  # told by differences, which a sheet has all over
    sigmas = change / cv2.GaussianBlur(np.minimum(noise, _MOST_NOISE * np.median(noise)), (0, 0), 0.8)
    smooth = cv2.GaussianBlur(scene.frame, (0, 0), 0.8)
    rough = cv2.morphologyEx(smooth, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2)
    strong = (change > _STRONG_LEVELS) & (sigmas > _STRONG_SIGMAS) & scene.backdrop.known
    even = (strong & (rough < _EVEN * change)).astype(np.uint8)
    broad_mm = max(min(o.half_width_mm, o.half_depth_mm) for o in outlines) + _ROOM_MM
    long_mm = _LONG * 2 * max(max(o.half_width_mm, o.half_depth_mm) for o in outlines)
    vivid = (even > 0) & (change > _VIVID_LEVELS)
    count, pieces, stats, _ = cv2.connectedComponentsWithStats(even, connectivity=4)
    mask = np.zeros(even.shape, np.uint8)
    scales = _scales(scene, stats)
    for piece in range(1, count):
        x, y, width, height, area = (int(v) for v in stats[piece])
        scale = scales[piece]
        broad_px = broad_mm * scale - _EDGE_PX
        if np.hypot(width, height) < 2 * broad_px:
            continue
        own = (slice(y, y + height), slice(x, x + width))
        part = pieces[own] == piece
        whole = _filled(part, scale) if vivid[own][part].mean() > _MOSTLY else _framed(part, strong[own], scale)
        if _depth(whole) > broad_px or _is_strip(part, area, long_mm, scale):
            mask[own] |= whole
    mask = _with_what_clings(mask, strong, scene.px_per_mm)
    return _with_its_edge(_whole(mask, pieces, vivid & (off.max(axis=2) > 0)), scene.px_per_mm)


def _scales(scene: Scene, stats: NDArray[np.int32]) -> list[float]:
    """How many pixels a millimetre of the table covers where each patch lies, by OpenCV's ``stats`` (N, 5) of it.

    At the far end a mug's inside covers no more of them than a base does in the middle.
    """
    middles = stats[:, :2] + (stats[:, 2:4] - 1) / 2
    at = scene.camera.to_plane(middles, 0.0)
    own = scene.camera.px_per_mm(np.column_stack([at, np.zeros(len(at))]))
    return [float(scale) for scale in np.where(np.isfinite(at).all(axis=1), own, scene.px_per_mm)]


def _whole(mask: NDArray[np.uint8], pieces: NDArray[np.int32], lit: Mask) -> NDArray[np.uint8]:
    """A mask (H, W) with all of those even patches that it has a part of, and that are ``lit`` (H, W), so that no
    shadow makes them: a mug's side."""
    size, own = np.bincount(pieces.ravel()), np.bincount(pieces[lit], minlength=int(pieces.max()) + 1)
    alike = own > _MOSTLY * size
    alike[0] = False
    begun = np.zeros(len(size), np.bool_)
    begun[pieces[mask > 0]] = True
    return np.asarray(mask | (begun & alike)[pieces], dtype=np.uint8)


def _filled(part: Mask, px_per_mm: float) -> NDArray[np.uint8]:
    """A patch (h, w) with its holes: a page with what is printed on it; but for those of several figures."""
    outlines, _ = cv2.findContours(part.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = np.zeros(part.shape, np.uint8)
    cv2.drawContours(whole, outlines, -1, 1, cv2.FILLED)
    holes = np.asarray((whole > 0) & ~part, dtype=np.uint8)
    count, labels = cv2.connectedComponents(holes, connectivity=4)
    pieces, deep = np.asarray(labels, dtype=np.intp), np.zeros(count)
    to_edge = np.asarray(cv2.distanceTransform(holes, cv2.DIST_L2, cv2.DIST_MASK_5), dtype=np.float64)
    np.maximum.at(deep, pieces.ravel(), to_edge.ravel())
    compact = np.bincount(pieces.ravel(), minlength=count) < _SLIM * deep**2
    figures = compact & (deep > _PRINT_MM * px_per_mm) & (deep < _STOUT_MM * px_per_mm)
    return np.asarray(whole & ~figures[pieces], dtype=np.uint8) if figures.sum() >= _SEVERAL else whole


def _framed(part: Mask, strong: Mask, px_per_mm: float) -> NDArray[np.uint8]:
    """A patch (h, w) with those of its holes that are broader than figures and ``strong`` (h, w) themselves: a
    picture in its frame. Where bases stand about open ground, that looks as it did."""
    outlines, _ = cv2.findContours(part.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = np.zeros(part.shape, np.uint8)
    cv2.drawContours(whole, outlines, -1, 1, cv2.FILLED)
    count, holes = cv2.connectedComponents(np.asarray((whole > 0) & ~part, dtype=np.uint8), connectivity=4)
    framed = part.astype(np.uint8)
    for number in range(1, count):
        hole = holes == number
        if strong[hole].mean() > _MOSTLY and _depth(hole.astype(np.uint8)) > _STOUT_MM * px_per_mm:
            framed |= hole
    return framed


def _depth(part: NDArray[np.uint8]) -> float:
    """The radius of the largest disc in a patch (h, w)."""
    room = cv2.copyMakeBorder(part, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    return float(cv2.distanceTransform(room, cv2.DIST_L2, cv2.DIST_MASK_5).max())


def _with_what_clings(mask: NDArray[np.uint8], strong: Mask, px_per_mm: float) -> NDArray[np.uint8]:
    """A mask (H, W) with what is ``strong`` and touches it, not too far."""
    near = np.ones((3, 3), np.uint8)
    for _ in range(round(_CLINGS_MM * px_per_mm)):
        grown = np.asarray(cv2.dilate(mask, near), dtype=np.uint8)
        mask = np.asarray(mask | (grown & strong.astype(np.uint8)), dtype=np.uint8)
    return mask


def _with_its_edge(mask: NDArray[np.uint8], px_per_mm: float) -> Mask:
    """A mask (H, W) with its surroundings."""
    reach = 2 * round(_ABOUT_MM * px_per_mm) + 1
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    return np.asarray(cv2.dilate(mask, brush) > 0)


def _is_strip(part: Mask, area: int, long_mm: float, px_per_mm: float) -> bool:
    """Whether a patch (h, w) is a long straight strip, all of it."""
    points = np.column_stack(np.nonzero(part)).astype(np.float32)
    _, (a, b), _ = cv2.minAreaRect(points)
    long, narrow = max(a, b) + 1, min(a, b) + 1
    return bool(long > long_mm * px_per_mm and narrow > _NARROWEST_MM * px_per_mm and area > _SOLID * long * narrow)
