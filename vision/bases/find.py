"""All bases with painted rims in one frame: proposed, fitted, checked, and told which way they face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.markers import FoundMarker
from calibration.records import Army, Table
from msgspec import UNSET
from vision.bases.fit import Fit, Look, Pixels, Placed, gather, refine
from vision.bases.marks import Facing, MarkPaint, facings
from vision.bases.paint import Paint, expected_features, features_of, paint_of
from vision.bases.plane import Flat, Ground, lay_flat
from vision.bases.proposals import Proposal, propose
from vision.bases.shapes import outline_of, turned
from vision.light import Light, estimate_light
from vision.records import BaseSeen

__all__ = ["find_bases"]

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

_OVERLAP = 0.12  # of the smaller base's area that two proposals may share
_OVERLAP_FITTED = 0.07
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

    def features_at(self, pixels: NDArray[np.intp]) -> NDArray[np.float32]:
        """The features (N, 3) of pixels (N, 2)."""
        return features_of(self.light.reflectance(self.frame[pixels[:, 1], pixels[:, 0]], pixels))


def _army(scene: _Scene, army: Army) -> list[BaseSeen]:
    """The bases of one army."""
    heights = sorted({kind.height_mm for kind in army.bases})
    _, features, usable = scene.flat(heights[0])
    background = features[::5, ::5][usable[::5, ::5]].astype(np.float64)
    paint = paint_of(expected_features(army.base_colour), background)
    look = Look()
    fit = _pass(scene, army, paint, look, rounds=8)
    if fit is None:
        return []
    sure = [p for p, s, g in zip(fit.placed, fit.support, fit.gain, strict=True) if s > 0.7 and g > 0.5 * np.median(fit.gain)]
    if sure:
        paint = _relearn(scene, sure, paint, fit.look)
        look = fit.look
    fit = _pass(scene, army, paint, look, rounds=12)
    if fit is None:
        return []
    return _report(scene, army, fit, paint)


def _pass(scene: _Scene, army: Army, paint: Paint, look: Look, rounds: int) -> Fit | None:
    """One round of proposing and fitting; None where nothing is found."""
    proposals: list[tuple[float, Placed]] = []
    for height in sorted({kind.height_mm for kind in army.bases}):
        flat, features, usable = scene.flat(height)
        outlines = [outline_of(kind) for kind in army.bases if kind.height_mm == height]
        found = propose(paint.likeness(features), usable, outlines, flat.cell_mm)
        proposals += zip([p.score for p in found], _placed(found, flat, scene.ground), strict=True)
    proposals.sort(key=lambda pair: -pair[0])
    kept = _without_overlap([p for _, p in proposals], _OVERLAP)
    if not kept:
        return None
    fit = _fit(scene, kept, paint, look, rounds)
    for _ in range(3):
        good = _believed(fit)
        if len(good) == len(fit.placed):
            return fit
        if not good:
            return None
        fit = _fit(scene, [fit.placed[k] for k in good], paint, fit.look, 6)
    return fit


def _fit(scene: _Scene, placed: list[Placed], paint: Paint, look: Look, rounds: int) -> Fit:
    pixels = gather(placed, scene.camera, (scene.frame.shape[0], scene.frame.shape[1]), look.rim_mm)
    likeness = paint.likeness(scene.features_at(pixels.px)).astype(np.float64)
    return refine(placed, likeness, pixels, scene.camera, scene.ground, look, rounds=rounds)


def _believed(fit: Fit) -> list[int]:
    """The bases that are well enough seen and do not stand in better ones."""
    usual = float(np.median(fit.gain[fit.support >= np.median(fit.support)]))
    merit = fit.support * np.minimum(fit.gain / usual, 1.0)
    order = [int(k) for k in np.argsort(-merit) if fit.gain[k] > _LEAST_GAIN * usual and fit.support[k] > _LEAST_SUPPORT]
    kept = _indices_without_overlap([fit.placed[k] for k in order], _OVERLAP_FITTED)
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


def _without_overlap(placed: list[Placed], share: float) -> list[Placed]:
    return [placed[k] for k in _indices_without_overlap(placed, share)]


def _indices_without_overlap(placed: list[Placed], share: float) -> list[int]:
    """Which of bases, best first, stand clear of all better ones."""
    shapes = [_polygon(p) for p in placed]
    centres = np.array([[p.x_mm, p.y_mm] for p in placed]).reshape(-1, 2)
    reach = np.array([p.outline.reach_mm for p in placed])
    kept: list[int] = []
    for k, shape in enumerate(shapes):
        near = [j for j in kept if np.hypot(*(centres[j] - centres[k])) < reach[j] + reach[k]]
        if all(shape.intersection(shapes[j]).area < share * min(shape.area, shapes[j].area) for j in near):
            kept.append(k)
    return kept


def _polygon(base: Placed) -> shapely.Polygon:
    centre = np.array([base.x_mm, base.y_mm])
    outline = base.outline
    if outline.round_:
        angle = np.arange(24) * (np.pi / 12)
        return shapely.Polygon(centre + outline.half_width_mm * np.column_stack([np.sin(angle), np.cos(angle)]))
    a, b = outline.half_width_mm, outline.half_depth_mm
    return shapely.Polygon(centre + turned(np.array([[a, b], [a, -b], [-a, -b], [-a, b]]), base.bearing_deg))


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


def _relearn(scene: _Scene, sure: list[Placed], paint: Paint, look: Look) -> Paint:
    """The paint as these rims show it, against the ground about them."""
    pixels = gather(sure, scene.camera, (scene.frame.shape[0], scene.frame.shape[1]), look.rim_mm)
    features = scene.features_at(pixels.px).astype(np.float64)
    core, clear = _core(sure, pixels, look)
    like = paint.likeness(features.astype(np.float32))
    painted = features[core & (like > np.median(like[core]))]
    if len(painted) < 30:
        return paint
    return paint_of(np.median(painted, axis=0), features[clear])


def _core(placed: list[Placed], pixels: Pixels, look: Look) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which pixels lie in the middle of their base's ring, and which off it."""
    centre = np.array([[p.x_mm, p.y_mm] for p in placed])[pixels.base]
    angle = np.deg2rad(np.array([p.bearing_deg for p in placed]))[pixels.base]
    dx, dy = (pixels.xy_mm - centre).T
    u, v = dx * np.cos(angle) - dy * np.sin(angle), dx * np.sin(angle) + dy * np.cos(angle)
    away = np.empty(len(dx))
    for number, base in enumerate(placed):
        mine = slice(pixels.starts[number], pixels.starts[number + 1] if number + 1 < len(placed) else None)
        away[mine] = base.outline.distance(u[mine], v[mine])
    middle = -look.rim_mm / 2
    return np.abs(away - middle) < 0.3 * look.rim_mm, (away > 2.0) | (away < -look.rim_mm - 1.5)


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
