"""Where figures stand, and the bases that may be under them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.plane import Ground
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline
from vision.plain.picture.changed import Changes
from vision.plain.picture.scene import Scene
from vision.plain.proposing.outlined import outline_steps, turns_of

__all__ = ["feet", "under_figures"]

Floats = NDArray[np.float64]

_SOFT_MM, _APART_MM = 2.5, 7.0  # a figure is blurred so much, and no other is nearer
_LEAST = 0.1  # of the blurred figure's middle that is neither table nor shadow
_MIDDLE_MM = 15.0  # a figure's middle is so high above the ground
_JITTER_MM = (-5.0, -2.5, 0.0, 2.5, 5.0)  # a fit finds what is no farther off than these are apart …
_FARTHEST_MM = 6.0  # … and no figure is seen farther aside
_ASIDE_MM = 3.5  # a figure is seen so far from the middle of its base, one sigma
_BEST = 5  # places of an outline that are tried for each figure


def feet(scene: Scene, ground: Ground, hidden: NDArray[np.bool_]) -> Floats:
    """Where on the table (N, 2), mm, figures seem to stand that none of what is ``hidden`` (H, W) explains."""
    shown = np.where(hidden | ~scene.backdrop.known, np.float32(0), scene.vivid)
    soft = cv2.GaussianBlur(shown, (0, 0), _SOFT_MM * scene.px_per_mm)
    apart_px = max(1, round(_APART_MM * scene.px_per_mm))
    top = cv2.dilate(soft, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * apart_px + 1,) * 2))
    peaks = ((soft >= top) & (soft > _LEAST)).astype(np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(peaks)
    small = stats[1:, cv2.CC_STAT_AREA] < apart_px**2  # what is vivid all over, and broader, is no figure
    pixels = np.asarray(middles[1:][small], dtype=np.float64)
    if not len(pixels):
        return np.zeros((0, 2))
    heights = ground.height_at(np.nan_to_num(scene.camera.to_plane(pixels, 0.0)))
    places = scene.camera.to_plane(pixels, heights + _MIDDLE_MM)
    return np.asarray(places[np.isfinite(places).all(axis=1)], dtype=np.float64)


def under_figures(
    seen: Changes, outlines: Sequence[Outline], at: Floats, scene: Scene, ground: Ground
) -> list[tuple[float, Placed]]:
    """Bases of some outlines under figures (N, 2), with how likely each is: the likeliest few for each figure.

    A figure stands in the middle of its base. How clear an outline is tells less: the edges of coats, and of the
    shadows that they cast, are clearer than those of bases.
    """
    told: list[tuple[float, Placed]] = []
    if not len(at):
        return told
    jitter = np.array([(x, y) for x in _JITTER_MM for y in _JITTER_MM if np.hypot(x, y) < _FARTHEST_MM])
    aside = np.square(jitter).sum(axis=1) / (2 * _ASIDE_MM**2)
    centres = (at[:, None] + jitter).reshape(-1, 2)
    heights = ground.height_at(centres)
    for outline in outlines:
        turns = turns_of(outline)
        clear = np.stack(
            [outline_steps(seen, outline, turn, centres, heights, scene.camera) for turn in turns.tolist()]
        )
        likely = clear.reshape(len(turns), len(at), len(jitter)) / (np.median(clear) + 1e-6) - aside
        likely = likely.transpose(1, 0, 2).reshape(len(at), -1)
        for figure, best in enumerate(np.argsort(-likely, axis=1, kind="stable")[:, :_BEST]):
            for k in best.tolist():
                turn, spot = divmod(k, len(jitter))
                x, y = centres[figure * len(jitter) + spot].tolist()
                z = float(heights[figure * len(jitter) + spot])
                told.append((float(likely[figure, k]), Placed(outline, x, y, z, float(turns[turn]))))
    return told
