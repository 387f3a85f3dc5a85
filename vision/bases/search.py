"""The search for the bases of one army: proposed, fitted alone, chosen, fitted together, gaps filled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.records import Army
from vision.bases.choose import beside_them, clear_of, conflicts, distinct, heaviest
from vision.bases.fit import Fit, refine
from vision.bases.model import Look
from vision.bases.paint import Paint
from vision.bases.pixels import Placed, gather
from vision.bases.plane import Flat, Ground
from vision.bases.proposals import Proposal, propose
from vision.bases.scene import Scene
from vision.bases.shapes import outline_of, turned

__all__ = ["search"]

Floats = NDArray[np.float64]

_SHRINK_MM = 1.0  # two rivals may run into each other by twice this
_SHRINK_GAP_MM = 1.3  # a base fitted into a gap finds its place by being pushed
_SHRINK_FITTED_MM = 0.6
_LEAST_OF_BEST = 0.3  # of the best proposal's score
_HOPEFUL = 0.2  # of the best contrast as proposed: fainter rivals are not worth a fit
_SURE = 0.5  # of the best contrast: rectangles so clear that others are looked for right beside them
_LEAST_CONTRAST = 0.42  # of what is usual for the army
_FAINTEST = 0.14  # contrast, whatever is usual: where an army is away, faint likenesses are all there is
_LEAST_GAIN = 0.35  # paint's strength, against the army's usual
_LEAST_SUPPORT = 0.35  # share of the ring seen painted
_IN_FRAME = 0.6  # share of the rim
_CLEAR_SPARE = 0.62  # of the best contrast: what fills a gap must look like a base, lest it push its neighbours
_FILLED = 2  # how often gaps are looked at again


def search(scene: Scene, army: Army, paint: Paint) -> Fit | None:
    """The bases of one army, fitted; None where there are none."""
    likely = _proposed(scene, army, paint)
    if not likely:
        return None
    rivals, contrast = _rivals(scene, likely, paint)
    excess = contrast - _LEAST_CONTRAST * float(np.percentile(contrast, 95))
    weights = [float(e) * r.outline.perimeter_mm for e, r in zip(excess, rivals, strict=True)]
    kept = [rivals[k] for k in heaviest(weights, conflicts(rivals, _SHRINK_MM))]
    if not kept:
        return None
    clear = _CLEAR_SPARE * float(np.percentile(contrast, 95))
    spare = [rivals[int(k)] for k in np.argsort(-contrast) if contrast[k] > clear]
    fit = _fit(scene, kept, paint, Look(), 10)
    for turn in range(_FILLED + 1):
        good = _believed(fit)
        if not good:
            return None
        held = [fit.placed[k] for k in good]
        both = held + (spare if turn < _FILLED else [])
        more = [both[k] for k in clear_of(both, _SHRINK_GAP_MM) if k >= len(held)]
        if len(good) == len(fit.placed) and not more:
            break
        fit = _fit(scene, held + more, paint, fit.look, 8)
    for rounds in (8, 8):
        good = _believed(fit)
        if not good:
            return None
        fit = _fit(scene, [fit.placed[k] for k in good], paint, fit.look, rounds, fine=True)
    return fit


def _proposed(scene: Scene, army: Army, paint: Paint) -> list[Placed]:
    """Where the army's bases may be, best first, each once."""
    proposals: list[tuple[float, Placed]] = []
    for height in sorted({kind.height_mm for kind in army.bases}):
        flat, features, usable = scene.flat(height)
        outlines = [outline_of(kind) for kind in army.bases if kind.height_mm == height]
        found = propose(paint.likeness(features), usable, outlines, flat.cell_mm, Look().rim_mm)
        proposals += zip([p.score for p in found], _placed(found, flat, scene.ground), strict=True)
    proposals = [pair for pair in proposals if _in_frame(pair[1], scene)]
    if not proposals:
        return []
    proposals.sort(key=lambda pair: -pair[0])
    likely = [p for score, p in proposals if score > _LEAST_OF_BEST * proposals[0][0]]
    return [likely[k] for k in distinct(likely)]


def _in_frame(base: Placed, scene: Scene) -> bool:
    """Whether the picture holds enough of a base's rim."""
    points, _ = base.outline.ring(0.0, base.outline.perimeter_mm / 16)
    at = turned(points, base.bearing_deg) + np.array([base.x_mm, base.y_mm])
    top = base.z_mm + base.outline.height_mm
    seen = scene.camera.project(np.column_stack([at, np.full(len(at), top)]))
    size = np.array([scene.frame.shape[1] - 1, scene.frame.shape[0] - 1])
    with np.errstate(invalid="ignore"):
        return bool(((seen >= 0) & (seen <= size)).all(axis=1).mean() > _IN_FRAME)


def _rivals(scene: Scene, likely: list[Placed], paint: Paint) -> tuple[list[Placed], Floats]:
    """All rivals and the contrast of each: as proposed, as fitted alone, and right beside the clear rectangles."""
    given = _fit(scene, likely, paint, Look(), 0, together=False)
    alone = _fit(scene, _worth_fitting(given), paint, Look(), 5, together=False)
    sure = np.flatnonzero(alone.contrast > _SURE * np.percentile(alone.contrast, 90))
    beside = beside_them([alone.placed[int(k)] for k in sure[np.argsort(-alone.contrast[sure])]])
    fits = [given, alone]
    if beside:
        fits.append(_fit(scene, beside, paint, Look(), 0, together=False))
        fits.append(_fit(scene, _worth_fitting(fits[-1]), paint, Look(), 3, together=False))
    return [p for fit in fits for p in fit.placed], np.concatenate([fit.contrast for fit in fits])


def _worth_fitting(given: Fit) -> list[Placed]:
    """The rivals that show paint enough where they were proposed to become bases a millimetre or two away."""
    least = _HOPEFUL * float(np.percentile(given.contrast, 95))
    return [p for p, contrast in zip(given.placed, given.contrast, strict=True) if contrast >= least]


def _fit(
    scene: Scene,
    placed: list[Placed],
    paint: Paint,
    look: Look,
    rounds: int,
    together: bool = True,
    fine: bool = False,
) -> Fit:
    """Bases fitted, together with those that they touch or each as if it stood alone."""
    stride = 1 if fine else max(1, round(scene.px_per_mm))
    pixels = gather(placed, scene.camera, (scene.frame.shape[0], scene.frame.shape[1]), look.rim_mm, stride)
    likeness = paint.likeness(scene.features_at(pixels.px)).astype(np.float64)
    return refine(placed, likeness, pixels, scene.camera, look, rounds=rounds, together=together)


def _believed(fit: Fit) -> list[int]:
    """The bases that are well enough seen and do not stand in better ones."""
    usual = float(np.median(fit.gain[fit.support >= np.median(fit.support)]))
    least = max(_LEAST_CONTRAST * float(np.median(fit.contrast)), _FAINTEST)
    order = [
        int(k)
        for k in np.argsort(-fit.contrast)
        if fit.gain[k] > _LEAST_GAIN * usual and fit.support[k] > _LEAST_SUPPORT and fit.contrast[k] > least
    ]
    kept = clear_of([fit.placed[k] for k in order], _SHRINK_FITTED_MM)
    return sorted(order[k] for k in kept)


def _placed(found: Sequence[Proposal], flat: Flat, ground: Ground) -> list[Placed]:
    """Proposals as places on the table."""
    if not found:
        return []
    points = flat.point_of([p.column for p in found], [p.row for p in found])
    heights = ground.height_at(points)
    return [
        Placed(p.outline, float(xy[0]), float(xy[1]), float(z), p.bearing_deg)
        for p, xy, z in zip(found, points, heights, strict=True)
    ]
