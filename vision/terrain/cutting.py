"""A piece cut out of a mat of nearly its colour: by how even it is, and by all its colours against those around."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.terrain.evenness import stray_within
from vision.terrain.pieces import LEAST_MM2, Part, filled, parts_of
from vision.terrain.scene import Scene, closed, dilated, eroded, opened

__all__ = ["cut_out"]

Mask = NDArray[np.uint8]
Floats32 = NDArray[np.float32]

_LEAST = 8.0  # of the least pieces: smaller ones are hardly told from blotches of the mat
_EVENER = 0.7  # of the unevenness around it: no blotch of the mat is so even
_NEAR = 2.0  # cells: over so many unevenness is told
_SURE_MM, _SURE_CELLS = 6.0, 4.0  # so far within what has its colour all is the piece
_BEYOND_MM = 12.0  # so far outside it is none of it
_DARKER = 0.12  # logarithm of the root: sides and shadows are darker than a top by more
_SHOWN = 600.0  # steps of a picture to one of a cube root of light: small differences are to be seen
_SPECKLE = 1.0  # cells: over so many colours are smoothed
_ROUNDS = 4
_CLINGS = 7.0  # cells: what clings to the piece is narrower


def cut_out(part: Part, kind: Mask, scene: Scene, margin_px: int) -> Iterator[Part]:
    """The pieces that a part of a mask really is, where the mat around it is nearly of its colour, but less even.

    ``kind`` (h, w) is the mask of all that has its colour. None, where nothing says that it is not the mat itself.
    The colours of both sides are told from each other by OpenCV's ``grabCut`` (Rother, Kolmogorov and Blake 2004).
    """
    own = part.mask & part.window.of(kind)
    if cv2.countNonZero(own) < _LEAST * LEAST_MM2 * scene.px_per_mm**2:
        return
    roots = scene.roots_of(part.window.of(scene.codes)).astype(np.float32)
    mm = scene.px_per_mm
    sure = eroded(closed(own, _NEAR), _SURE_MM * mm + _SURE_CELLS) > 0
    beyond = dilated(part.mask, _BEYOND_MM * mm) == 0
    if (
        not sure.any()
        or not beyond.any()
        or stray_within(roots, sure & (own > 0)) > _EVENER * stray_within(roots, beyond)
    ):
        return
    usual = np.median(roots[own > 0], axis=0)
    smooth = cv2.GaussianBlur(roots, (0, 0), _SPECKLE)
    dark = (smooth @ usual) / float(usual @ usual) < np.exp(-_DARKER)
    given = np.where(part.mask > 0, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    given[beyond | dark | (part.window.of(scene.prints) > 0)] = cv2.GC_BGD
    given[sure] = cv2.GC_FGD
    whole = np.zeros_like(kind)
    part.window.of(whole)[:] = opened(filled(_cut(smooth - usual, given)), _CLINGS)
    yield from parts_of(whole, mm, margin_px)


def _cut(away: Floats32, given: Mask) -> Mask:
    """The mask (h, w) of a piece, from colours (h, w, 3) as they differ from its own, and what is known of each
    cell."""
    shown = np.clip(away * _SHOWN + 128.0, 0.0, 255.0).astype(np.uint8)
    cv2.setRNGSeed(0)  # grabCut begins by chance: the same picture is to give the same piece
    ours, theirs = np.zeros((1, 65)), np.zeros((1, 65))
    marks = cv2.grabCut(shown, given.copy(), (0, 0, 0, 0), theirs, ours, _ROUNDS, cv2.GC_INIT_WITH_MASK)[0]
    return np.asarray(np.isin(marks, (cv2.GC_FGD, cv2.GC_PR_FGD)), dtype=np.uint8)
