"""The printed markers of a frame of which only a part has changed: looked for there, and kept elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.prints.markers import FoundMarker, find_markers
from vision.renewing.renewal import card_of

__all__ = ["has_changed", "markers_near", "markers_renewed"]

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Box = tuple[int, int, int, int]  # left, top, right, bottom in px

_BESIDE_PX = 48  # so far beside what has changed the rest of a print may lie
_MOST_SHARE = 0.4  # of the picture: from there on all of it is looked at
_SAME_PX = 3.0  # two prints of one id that lie so near to each other are one


def markers_renewed(
    frame_bgr: Image, dictionary: str, before: Sequence[FoundMarker], changed: Mask, cell_px: int
) -> tuple[FoundMarker, ...]:
    """The markers in a frame (H, W, 3) of which these cells (R, C) have changed since others were found, by id."""
    touched = [has_changed(marker, changed, cell_px) for marker in before]
    mask = np.asarray(cv2.dilate(changed.view(np.uint8), np.ones((3, 3), np.uint8)), dtype=np.uint8)
    for marker, own in zip(before, touched, strict=True):
        if own:
            cv2.fillConvexPoly(mask, np.rint(card_of(marker) / cell_px).astype(np.int32), 1)
    boxes = list(_boxes(mask, cell_px, (frame_bgr.shape[0], frame_bgr.shape[1])))
    if sum((b[2] - b[0]) * (b[3] - b[1]) for b in boxes) > _MOST_SHARE * frame_bgr.shape[0] * frame_bgr.shape[1]:
        return find_markers(frame_bgr, dictionary)
    kept = [marker for marker, own in zip(before, touched, strict=True) if not own]
    return _joined(kept, (m for box in boxes for m in _in_box(frame_bgr, dictionary, box)))


def markers_near(frame_bgr: Image, dictionary: str, before: Sequence[FoundMarker]) -> tuple[FoundMarker, ...]:
    """The markers in a frame (H, W, 3) where some were found before, or as near as a bump may have put them."""
    found: list[FoundMarker] = []
    for marker in before:
        low, high = card_of(marker).min(axis=0) - _BESIDE_PX, card_of(marker).max(axis=0) + _BESIDE_PX
        box = _clipped((*np.floor(low).astype(int).tolist(), *np.ceil(high).astype(int).tolist()), frame_bgr.shape)
        found += [m for m in _in_box(frame_bgr, dictionary, box) if m.id == marker.id]
    return _joined([], found)


def _joined(
    kept: Sequence[FoundMarker], more: Iterator[FoundMarker] | Sequence[FoundMarker]
) -> tuple[FoundMarker, ...]:
    """Markers with others that are not the same, by id."""
    out = list(kept)
    for marker in more:
        if not any(o.id == marker.id and np.abs(o.centre_px - marker.centre_px).max() < _SAME_PX for o in out):
            out.append(marker)
    return tuple(sorted(out, key=lambda m: m.id))


def has_changed(marker: FoundMarker, changed: Mask, cell_px: int) -> bool:
    """Whether any cell of a marker's card has changed, in a mask (R, C) of cells of ``cell_px`` pixels."""
    card = card_of(marker) / cell_px
    left, top = np.maximum(np.floor(card.min(axis=0)).astype(int), 0)
    right, bottom = np.maximum(np.ceil(card.max(axis=0)).astype(int) + 1, 0)
    return bool(changed[top:bottom, left:right].any())


def _boxes(mask: NDArray[np.uint8], cell_px: int, shape: tuple[int, int]) -> Iterator[Box]:
    """Boxes about the connected parts of a mask of cells (R, C), with room beside them; each part is in one."""
    reach = -(-_BESIDE_PX // cell_px)
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    filled = np.zeros_like(mask)
    for left, top, wide, high, _ in stats[1:].tolist():
        filled[max(top - reach, 0) : top + high + reach, max(left - reach, 0) : left + wide + reach] = 1
    _, _, stats, _ = cv2.connectedComponentsWithStats(filled, connectivity=4)
    for left, top, wide, high, _ in stats[1:].tolist():
        box = (left * cell_px, top * cell_px, (left + wide) * cell_px, (top + high) * cell_px)
        yield _clipped(box, shape)


def _clipped(box: Sequence[int], shape: Sequence[int]) -> Box:
    left, top, right, bottom = box
    height, width = shape[:2]
    return max(left, 0), max(top, 0), min(max(right, 0), width), min(max(bottom, 0), height)


def _in_box(frame_bgr: Image, dictionary: str, box: Box) -> Iterator[FoundMarker]:
    """The markers in a part of a frame, in the frame's pixels."""
    left, top, right, bottom = box
    if right - left < 8 or bottom - top < 8:
        return
    for marker in find_markers(frame_bgr[top:bottom, left:right], dictionary):
        corners = marker.corners_px + np.array([left, top])
        corners.setflags(write=False)
        yield FoundMarker(marker.id, corners, marker.sigma_px)
