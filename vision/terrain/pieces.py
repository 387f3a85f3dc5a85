"""Pieces of terrain as pixel masks: parted, held against blotches of the mat, and made whole where something
stands on them or hides their edge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.terrain.scene import Scene, Window, closed, dilated, eroded, opened

__all__ = ["Part", "averaged", "filled", "make_whole", "parts_of", "stands_out", "surround_of"]

Mask = NDArray[np.uint8]
Floats32 = NDArray[np.float32]

_SPECKLE_MM = 1.4  # rims of bases and streaks are narrower than twice this
_LEAST_MM2 = 450.0
_LEAST_WIDTH_MM = 4.0
_LEAST_CONTRAST = 0.022  # across its edge, in cube roots of light: less is a blotch of the mat
_SURE_CONTRAST = 2.2  # that contrast over the unevenness of the piece itself
_LEAST_PIXELS = 20

_BITE_MM = 60.0  # the brush that cannot enter the bays which trees and figures on an edge make in it
_BITE_BREADTHS = 1.0  # nor is it larger than this many breadths of a narrow strip
_RING_MM = 25.0
_COLOURS = 24  # steps of each channel when colours are counted
_USUAL = 0.85  # the commonest colours around a piece, which make up this share of it, are its surroundings
_MOST_SURROUND = 0.5


@dataclass(frozen=True, eq=False)
class Part:
    """A connected part of a mask: 1 where it is, within its window."""

    mask: Mask
    window: Window


def parts_of(mask: Mask, px_per_mm: float, margin_px: int) -> Iterator[Part]:
    """The connected parts of a mask (H, W) that are large and broad enough to be terrain.

    Each comes in a window with a margin all round, as far as the picture goes.
    """
    solid = opened(mask, _SPECKLE_MM * px_per_mm)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=4)
    for label in range(1, count):
        x, y, w, h, area = (int(value) for value in stats[label])
        if area < _LEAST_MM2 * px_per_mm**2:
            continue
        left, top = max(x - margin_px, 0), max(y - margin_px, 0)
        right, bottom = min(x + w + margin_px, mask.shape[1]), min(y + h + margin_px, mask.shape[0])
        part = (labels[top:bottom, left:right] == label).astype(np.uint8)
        if _breadth_px(part) >= _LEAST_WIDTH_MM * px_per_mm:
            yield Part(part, Window(left, top, right - left, bottom - top))


def filled(mask: Mask) -> Mask:
    """A mask with its holes filled."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = np.zeros_like(mask)
    cv2.drawContours(whole, outlines, -1, 1, cv2.FILLED)
    return whole


def stands_out(part: Part, scene: Scene) -> bool:
    """Whether a part has an edge: a step of colour that the unevenness within it cannot account for."""
    roots, blind = part.window.of(scene.roots), part.window.of(scene.prints)
    inner = _just_within(part.mask)
    whole = filled(part.mask)
    outer = dilated(whole, 6) & ~dilated(whole, 2) & (1 - blind)
    if np.count_nonzero(outer) < _LEAST_PIXELS:
        return False
    heart = averaged(roots, inner, 41)
    uneven = float(np.median(np.linalg.norm(roots - heart, axis=2)[inner > 0]))
    step = float(np.percentile(np.linalg.norm(roots - heart, axis=2)[outer > 0], 30))
    return step > max(_LEAST_CONTRAST, _SURE_CONTRAST * uneven)


def averaged(values: Floats32, where: Mask, side_px: int) -> Floats32:
    """Values (h, w, 3) averaged over a mask's pixels nearby; over all of them where none is near."""
    weight = (where > 0).astype(np.float32)
    share = cv2.blur(weight, (side_px, side_px))[:, :, None]
    total = cv2.blur(values * weight[:, :, None], (side_px, side_px))
    overall = values[where > 0].mean(axis=0) if weight.any() else np.zeros(3, np.float32)
    return np.asarray(np.where(share > 1e-3, total / np.maximum(share, 1e-3), overall), dtype=np.float32)


def surround_of(part: Part, kind: Mask, scene: Scene) -> Mask:
    """Which pixels of a part's window look like what commonly lies around it: mat, shade, the sides of a hill.

    ``kind`` is the window of all that has the part's own colour.
    """
    whole = filled(part.mask)
    ring = dilated(whole, _RING_MM * scene.px_per_mm) & ~dilated(whole, 2)
    ring &= (1 - part.window.of(scene.prints)) & (1 - kind)
    steps = np.minimum(part.window.of(scene.roots) * _COLOURS, _COLOURS - 1).astype(np.int64)
    colours = (steps[:, :, 0] * _COLOURS + steps[:, :, 1]) * _COLOURS + steps[:, :, 2]
    around = _shares(colours[ring > 0])
    upon = _shares(colours[(eroded(whole, 2) & (1 - kind)) > 0])
    order = np.argsort(around)[::-1]
    usual = np.zeros(_COLOURS**3, np.uint8)
    usual[order[: int(np.searchsorted(np.cumsum(around[order]), _USUAL)) + 1]] = 1
    usual[upon > around] = 0  # trees and figures look alike upon a piece and at its edge
    return np.asarray(usual[colours] & (1 - part.window.of(scene.prints)), dtype=np.uint8)


def _shares(colours: NDArray[np.int64]) -> NDArray[np.float64]:
    """How large a share of pixels each colour has; none where there are too few to tell."""
    counts = np.bincount(colours, minlength=_COLOURS**3).astype(np.float64)
    return counts / max(len(colours), 1) if len(colours) >= _LEAST_PIXELS else np.zeros_like(counts)


def make_whole(part: Part, others: Mask, kind: Mask, scene: Scene) -> Mask:
    """The part's mask without holes, and without the bites that trees, figures and prints take out of its edge.

    ``others`` (h, w) is the window of all parts of the kind: those that only a bite parts grow together.
    ``kind`` is that of all that has its colour.
    """
    reach = min(_BITE_MM * scene.px_per_mm, _BITE_BREADTHS * _breadth_px(filled(part.mask)))
    together = filled(others & dilated(part.mask, 2 * reach) | part.mask)
    bites = opened(closed(together, reach) & (1 - together), 1)
    surround = surround_of(part, kind, scene)
    count, labels = cv2.connectedComponents(bites, connectivity=4)
    sizes = np.bincount(labels.ravel(), minlength=count)
    outside = np.bincount(labels.ravel(), weights=surround.ravel(), minlength=count)
    hidden = outside < _MOST_SURROUND * sizes
    hidden[0] = False
    whole = together | hidden[labels].astype(np.uint8)
    _, marks = cv2.connectedComponents(closed(whole, 1))
    own = np.unique(marks[part.mask > 0])
    return filled((np.isin(marks, own[own > 0]) & (whole > 0)).astype(np.uint8))


def _just_within(mask: Mask) -> Mask:
    """The pixels a little inside a mask's edge, or as much inside as it has."""
    for near in (2, 1):
        ring = eroded(mask, near) & ~eroded(mask, 5)
        if np.count_nonzero(ring) >= _LEAST_PIXELS:
            return ring
    return mask


def _breadth_px(mask: Mask) -> float:
    """A mask's breadth as that of a strip of its area and outline, holes and all."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    around = sum(cv2.arcLength(outline, True) for outline in outlines)
    return 2.0 * float(np.count_nonzero(mask)) / max(around, 1.0)
