"""Whether what was fitted is an army's painted rims at all, in absolute terms: an army that is not on the table, or
one of few bases, is not to be made up from faint likenesses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.bases.fit import Fit
from vision.bases.paint import Paint
from vision.bases.pixels import gather
from vision.bases.scene import Scene
from vision.bases.shapes import turned

__all__ = ["believed", "rim_colours"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class _Limits:
    """What a rim must be like, seen in the light that the printed markers tell.

    ``kinship`` is the least cosine between its colour and the paint's, both from the table's; ``strength`` how far
    it goes from the table's colour to the paint's (blur takes a third of a narrow rim); ``astray`` how far its
    features may lie off that line; ``support`` and ``contrast`` are the least of what `Fit` has.
    """

    kinship: float
    strength: tuple[float, float]
    astray: float
    support: float
    contrast: float

    def hold(self, kinship: Floats, strength: Floats, astray: Floats, support: Floats, contrast: Floats) -> Mask:
        """Which rims (N,) keep to them."""
        return np.asarray(
            (kinship > self.kinship)
            & (strength > self.strength[0])
            & (strength < self.strength[1])
            & (astray < self.astray)
            & (support > self.support)
            & (contrast > self.contrast)
        )


_EACH = _Limits(kinship=0.85, strength=(0.40, 1.25), astray=0.18, support=0.35, contrast=0.14)
_USUAL = _Limits(kinship=0.94, strength=(0.55, 1.10), astray=0.12, support=0.70, contrast=0.20)


def believed(fit: Fit, colours: Floats, paint: Paint) -> Mask:
    """Which of the bases (N,) with rims of features ``colours`` (N, 3) are painted with this paint.

    A rim in shadow or half hidden may be poor; but if the usual one among them is, none is believed.
    """
    towards = paint.paint - paint.ground
    strength = (colours - paint.ground) @ paint.weights.astype(np.float64)
    astray = np.linalg.norm(colours - paint.ground - strength[:, None] * towards, axis=1)
    told = (paint.kinship(colours), strength, astray, fit.support, fit.contrast)
    each = _EACH.hold(*told)
    if each.any() and not _USUAL.hold(*(np.median(values[each], keepdims=True) for values in told))[0]:
        each[:] = False
    return each


def rim_colours(scene: Scene, fit: Fit, paint: Paint) -> Floats:
    """The mean features (N, 3) of the more painted half of each base's rim."""
    pixels = gather(fit.placed, scene.camera, (scene.frame.shape[0], scene.frame.shape[1]), fit.look.rim_mm)
    features = scene.features_at(pixels.px).astype(np.float64)
    like = paint.likeness(features.astype(np.float32))
    colours = np.zeros((len(fit.placed), 3))
    for number, base in enumerate(fit.placed):
        mine = slice(pixels.starts[number], pixels.starts[number + 1] if number + 1 < len(fit.placed) else None)
        own = turned(pixels.xy_mm[mine] - [base.x_mm, base.y_mm], -base.bearing_deg)
        depth = base.outline.distance(own[:, 0], own[:, 1]) + fit.look.rim_mm / 2
        core = np.abs(depth) < 0.35 * fit.look.rim_mm
        if core.any():
            painted = like[mine][core] >= np.median(like[mine][core])
            colours[number] = features[mine][core][painted].mean(axis=0)
    return colours
