"""The colours about a finger in a picture, and what of them may be the paint of a rim."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import JobFailed
from calibration.prints.markers import FoundMarker
from vision.bases.picture.paint import Paint, features_of, linear_of_features, paint_of
from vision.bases.picture.scene import Scene
from vision.light import estimate_light, hex_of_linear

__all__ = ["colour_at", "colour_of", "paints_among"]

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

_COLOURS = 8  # that are told apart about the finger
_APART = 0.07  # colours (in features) less far from the mat's are the mat
_SAME_WAY = (
    0.95  # the cosine between two colours' ways from the mat from which they are one paint, purer or less so
)


def colour_at(
    frame_bgr: Image, at_px: tuple[float, float], found: Sequence[FoundMarker] = (), radius_px: float = 3.0
) -> str:
    """The colour (``#rrggbb``, as in good light) of what a pixel of a frame (H, W, 3) shows: a mark, a wood.

    Raises JobFailed where the pixel is not in the frame.
    """
    x, y = at_px
    rows, columns = np.mgrid[0 : frame_bgr.shape[0], 0 : frame_bgr.shape[1]][
        :, _rows(y, radius_px, frame_bgr, 0), _rows(x, radius_px, frame_bgr, 1)
    ]
    near = np.hypot(columns - x, rows - y) <= radius_px
    if not near.any():
        raise JobFailed("that is outside the picture: point at something in it")
    points = np.column_stack([columns[near], rows[near]]).astype(np.float32)
    light = estimate_light(frame_bgr, found)
    return hex_of_linear(np.median(light.reflectance(frame_bgr[rows[near], columns[near]], points), axis=0))


def paints_among(scene: Scene, pixels: NDArray[np.intp]) -> list[Paint]:
    """What may be a rim's paint among some pixels (N, 2) of a scene's frame: every colour there that is not the
    mat's, purest first. What a paint looks like where it is mixed with the mat is the same paint."""
    colours = scene.light.reflectance(scene.frame[pixels[:, 1], pixels[:, 0]], pixels)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 12, 1e-3)
    cv2.setRNGSeed(1)
    features = np.ascontiguousarray(features_of(colours), dtype=np.float32)
    _, _, middles = cv2.kmeans(features, min(_COLOURS, len(features)), np.empty(0), stop, 2, cv2.KMEANS_PP_CENTERS)
    mat = np.median(scene.background, axis=0)
    ways = np.asarray(middles, dtype=np.float64) - mat
    lengths = np.linalg.norm(ways, axis=1)
    kept: list[int] = []
    for k in np.argsort(-lengths).tolist():
        if lengths[k] > _APART and all(
            ways[k] @ ways[other] < _SAME_WAY * lengths[k] * lengths[other] for other in kept
        ):
            kept.append(k)
    return [paint_of(mat + ways[k], scene.background) for k in kept]


def colour_of(paint: Paint, rims: Floats, strength: float) -> str:
    """The paint itself (``#rrggbb``, as in good light) of rims that look like ``rims`` (N, 3), in features.

    A rim is a few pixels wide and mixed with what is beside it. ``strength`` is how much of ``paint`` a rim would
    show if it were not; how much it does show tells the share, and so what it is mixed of.
    """
    seen = np.median(rims, axis=0)
    share = float(np.clip(paint.strength(seen[None])[0] / max(strength, 1e-6), 0.3, 1.0))
    mat, mixed = linear_of_features(paint.ground.astype(np.float64)), linear_of_features(seen)
    return hex_of_linear(mat + (mixed - mat) / share)


def _rows(middle: float, radius: float, image: Image, axis: int) -> slice:
    least = int(np.clip(np.floor(middle - radius), 0, image.shape[axis]))
    return slice(least, int(np.clip(np.ceil(middle + radius) + 1, least, image.shape[axis])))
