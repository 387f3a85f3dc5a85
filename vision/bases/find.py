"""All bases with painted rims in one frame: proposed, fitted, checked, and told which way they face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.markers import FoundMarker
from calibration.records import Army, Table
from msgspec import UNSET
from vision.bases.choose import beside_them, clear_of, conflicts, distinct, heaviest
from vision.bases.fit import Fit, Look, Pixels, Placed, gather, refine
from vision.bases.marks import Facing, MarkPaint, facings
from vision.bases.paint import Paint, expected_features, features_of, paint_of
from vision.bases.plane import Flat, Ground, lay_flat
from vision.bases.proposals import Proposal, propose
from vision.bases.shapes import outline_of
from vision.light import Light, estimate_light
from vision.records import BaseSeen

__all__ = ["find_bases"]

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

_SHRINK_MM = 1.0  # two proposals may run into each other by twice this
_SHRINK_GAP_MM = 1.3  # a base fitted into a gap finds its place by being pushed
_SHRINK_FITTED_MM = 0.6
_LEAST_OF_BEST = 0.3  # of the best proposal's score
_SURE = 0.5  # of the best contrast: rectangles so clear that others are looked for right beside them
_LEAST_CONTRAST = 0.42  # of what is usual for the army
_LEAST_GAIN = 0.35  # paint's strength, against the army's usual
_LEAST_SUPPORT = 0.35
_EDGE_SIGMA_PX = 0.1


def find_bases(
    frame_bgr: Image, camera: CameraModel, table: Table, ground: Ground, found: Sequence[FoundMarker]
) -> list[BaseSeen]:
    """The bases of every army of the table in a frame (H, W, 3), on the ground as ``ground`` knows it.

    ``found`` are the printed markers and tags seen in it: their paper tells the light, and they are no bases.
    """
    light = estimate_light(frame_bgr, found)
    scene = _Scene(frame_bgr, camera, ground, light, {}, tuple(found), table)
    seen: list[BaseSeen] = []
    for army in table.armies:
        if army.bases:
            seen += _army(scene, army)
    return seen


@dataclass(frozen=True, eq=False)
class _Scene:
    """What every step needs."""

    frame: Image
    camera: CameraModel
    ground: Ground
    light: Light
    flats: dict[float, tuple[Flat, NDArray[np.float32], NDArray[np.bool_]]]
    found: tuple[FoundMarker, ...]
    table: Table

    def flat(self, rim_mm: float) -> tuple[Flat, NDArray[np.float32], NDArray[np.bool_]]:
        """The frame laid flat at the height of rims, its features, and where bases may be; made once for a height."""
        if rim_mm not in self.flats:
            flat = lay_flat(self.frame, self.camera, self.table.table, self.ground, rim_mm)
            height, width = flat.seen.shape
            shares = self.light.reflectance(flat.image.reshape(-1, 3), flat.pixels.reshape(-1, 2))
            features = features_of(shares.reshape(height, width, 3))
            self.flats[rim_mm] = (flat, features, flat.seen & ~_prints(flat, self.found, self.camera, rim_mm))
        return self.flats[rim_mm]

    @property
    def px_per_mm(self) -> float:
        """The picture's scale in the middle of the table."""
        size = self.table.table
        return float(self.camera.px_per_mm(np.array([[size.width_mm / 2, size.depth_mm / 2, 0.0]]))[0])

    def features_at(self, pixels: NDArray[np.intp]) -> NDArray[np.float32]:
        """The features (N, 3) of pixels (N, 2)."""
        return features_of(self.light.reflectance(self.frame[pixels[:, 1], pixels[:, 0]], pixels))


def _army(scene: _Scene, army: Army) -> list[BaseSeen]:
    """The bases of one army."""
    heights = sorted({kind.height_mm for kind in army.bases})
    _, features, usable = scene.flat(heights[0])
    background = features[::5, ::5][usable[::5, ::5]].astype(np.float64)
    paint = paint_of(expected_features(army.base_colour), background)
    fit = _pass(scene, army, paint)
    if fit is None:
        return []
    return _report(scene, army, fit, paint)


def _pass(scene: _Scene, army: Army, paint: Paint) -> Fit | None:
    """Proposing, choosing and fitting; None where nothing is found."""
    look = Look()
    proposals: list[tuple[float, Placed]] = []
    for height in sorted({kind.height_mm for kind in army.bases}):
        flat, features, usable = scene.flat(height)
        outlines = [outline_of(kind) for kind in army.bases if kind.height_mm == height]
        found = propose(paint.likeness(features), usable, outlines, flat.cell_mm, look.rim_mm)
        proposals += zip([p.score for p in found], _placed(found, flat, scene.ground), strict=True)
    proposals.sort(key=lambda pair: -pair[0])
    likely = [p for score, p in proposals if score > _LEAST_OF_BEST * proposals[0][0]]
    rivals = [likely[k] for k in distinct(likely)]
    if not rivals:
        return None
    given = _fit(scene, rivals, paint, look, 0, together=False)
    alone = _fit(scene, rivals, paint, look, 5, together=False)
    sure = np.flatnonzero(alone.contrast > _SURE * np.percentile(alone.contrast, 90))
    ranked = [alone.placed[int(k)] for k in sure[np.argsort(-alone.contrast[sure])]]
    beside = beside_them(ranked)
    rivals, contrast = rivals + alone.placed, np.concatenate([given.contrast, alone.contrast])
    if beside:
        there = _fit(scene, beside, paint, look, 0, together=False)
        settled = _fit(scene, beside, paint, look, 3, together=False)
        rivals = rivals + beside + settled.placed
        contrast = np.concatenate([contrast, there.contrast, settled.contrast])
    excess = contrast - _LEAST_CONTRAST * float(np.percentile(alone.contrast, 95))
    weights = [float(e) * r.outline.perimeter_mm for e, r in zip(excess, rivals, strict=True)]
    kept = [rivals[k] for k in heaviest(weights, conflicts(rivals, _SHRINK_MM))]
    spare = [rivals[int(k)] for k in np.argsort(-contrast) if excess[k] > 0]
    fit = _fit(scene, kept, paint, look, 10)
    for turn in range(3):
        good = _believed(fit)
        if not good:
            return None
        held = [fit.placed[k] for k in good]
        more: list[Placed] = []
        if turn < 2:
            both = held + spare
            more = [both[k] for k in clear_of(both, _SHRINK_GAP_MM) if k >= len(held)]
        if len(good) == len(fit.placed) and not more:
            break
        fit = _fit(scene, held + more, paint, fit.look, 8)
    good = _believed(fit)
    return _fit(scene, [fit.placed[k] for k in good], paint, fit.look, 8, fine=True) if good else None


def _fit(
    scene: _Scene, placed: list[Placed], paint: Paint, look: Look, rounds: int, together: bool = True, fine: bool = False
) -> Fit:
    """Bases fitted, together with those that they touch or each as if it stood alone."""
    stride = 1 if fine else max(1, round(scene.px_per_mm))
    pixels = gather(placed, scene.camera, (scene.frame.shape[0], scene.frame.shape[1]), look.rim_mm, stride)
    likeness = paint.likeness(scene.features_at(pixels.px)).astype(np.float64)
    return refine(placed, likeness, pixels, scene.camera, scene.ground, look, rounds=rounds, together=together)


def _believed(fit: Fit) -> list[int]:
    """The bases that are well enough seen and do not stand in better ones."""
    usual = float(np.median(fit.gain[fit.support >= np.median(fit.support)]))
    least = _LEAST_CONTRAST * float(np.median(fit.contrast))
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


def _prints(flat: Flat, found: Sequence[FoundMarker], camera: CameraModel, rim_mm: float) -> NDArray[np.bool_]:
    """The cells (H, W) on which printed markers and tags are seen, with their white borders."""
    import cv2

    mask = np.zeros(flat.seen.shape, dtype=np.uint8)
    for marker in found:
        middle = marker.centre_px
        grown = middle + (marker.corners_px - middle) * 1.36
        near = np.abs(flat.pixels[::4, ::4] - middle).max(axis=-1) < marker.side_px
        if not near.any():
            continue
        rows, columns = np.nonzero(near)
        top, bottom = max(0, rows.min() * 4 - 8), rows.max() * 4 + 9
        left, right = max(0, columns.min() * 4 - 8), columns.max() * 4 + 9
        part = flat.pixels[top:bottom, left:right].astype(np.float64)
        inside = np.ones(part.shape[:2], dtype=bool)
        for a, b in zip(grown, np.roll(grown, -1, axis=0), strict=True):
            inside &= (b[0] - a[0]) * (part[..., 1] - a[1]) - (b[1] - a[1]) * (part[..., 0] - a[0]) > 0
        mask[top:bottom, left:right] |= inside.astype(np.uint8)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)) > 0)


def _report(scene: _Scene, army: Army, fit: Fit, paint: Paint) -> list[BaseSeen]:
    """What was fitted, as records."""
    axis_sigma = np.sqrt(np.maximum(fit.covariance[:, 2, 2], 0)) + 0.15
    if army.front_mark is not UNSET:
        mark = MarkPaint(
            _between(expected_features(army.front_mark), paint.paint, paint),
            _between(expected_features(army.front_mark), paint.ground.astype(np.float64), paint),
        )
        faces = facings(fit.placed, axis_sigma, mark, scene.frame, scene.light, scene.camera)
    else:
        faces = [Facing(None, None, 0.0) if p.outline.round_ else Facing(p.bearing_deg, float(s), 0.0)
                 for p, s in zip(fit.placed, axis_sigma, strict=True)]
    tops = np.array([[p.x_mm, p.y_mm, p.z_mm + p.outline.height_mm] for p in fit.placed])
    camera_part = scene.camera.plane_covariance(scene.camera.project(tops), tops[:, 2], 0.0)
    usual = float(np.median(fit.gain))
    seen = []
    for k, base in enumerate(fit.placed):
        spread = fit.covariance[k, :2, :2] * 9.0 + camera_part[k]
        sigma = float(np.sqrt(max(np.trace(spread) / 2, 0.0) + 0.1**2))
        confidence = float(np.clip(fit.support[k] * 1.15, 0, 1) * np.clip(fit.gain[k] / usual, 0, 1))
        seen.append(BaseSeen(
            army=army.name, base=base.outline.name, x_mm=base.x_mm, y_mm=base.y_mm, z_mm=base.z_mm,
            bearing_deg=faces[k].bearing_deg, sigma_mm=sigma, bearing_sigma_deg=faces[k].sigma_deg, confidence=confidence,
        ))
    return seen


def _between(paint: Floats, ground: Floats, like: Paint) -> Paint:
    """A likeness along the straight line from ``ground`` to ``paint``."""
    line = paint - ground
    weights = line / max(float(line @ line), 1e-6)
    return replace(like, weights=weights.astype(np.float32), ground=ground.astype(np.float32), paint=paint)
