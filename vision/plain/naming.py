"""Whose the bases are that no paint told: an army's, where its paint is seen on their rims once it is known where
these are.

A dull paint, or a thin rim, may be too faint to be looked for; but against the empty table a base's place is told
without it, and there a rim is set off from its top, or is not.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import UNSET, UnsetType
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.prints.markers import FoundMarker
from calibration.records import Army, Table
from vision.bases.picture.paint import expected_features
from vision.bases.picture.plane import Ground
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, outline_of
from vision.bases.weighing.bordered import bordered
from vision.chroma import chroma_blur_px, with_sharp_chroma
from vision.light import estimate_light
from vision.plain.choosing.companions import Told
from vision.records import BaseSeen

__all__ = ["named", "scene_about"]

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

# Of 2,600 bases without paint one shows so much of one of 3,000 paints (of the way from its top; in sigmas), and
# so little else; of 7,300 with paint five in six do, and three in a thousand of these that of another army rather.
_STRENGTH, _ALONG, _KEEPS = 0.2, 1.0, 0.8
_LEAD = 0.05  # in what it keeps to a paint's direction: of two armies' paints nearer to each other neither is named
_PLACE_MM = 1.5  # so exactly, one sigma, a base's place is known of which the rim is asked
_ABOUT_MM = 12.0  # colours are made sharp so far about bases


def named(
    told: Sequence[Told],
    frame_bgr: Image,
    camera: CameraModel,
    table: Table,
    ground: Ground,
    found: Sequence[FoundMarker],
) -> list[BaseSeen]:
    """The bases that are told in a frame (H, W, 3), those as an army's whose rims show its paint.

    Which way a rectangle faces is then left open: no front mark was read.
    """
    if not told:
        return []
    placed = [one.placed for one in told]
    scene = scene_about(frame_bgr, placed, camera, table, ground, found)
    keeps = np.full((len(table.armies), len(placed)), -np.inf)
    for number, army in enumerate(table.armies):
        shown = bordered(scene, placed, expected_features(army.base_colour))
        painted = (shown.strength >= _STRENGTH) & (shown.strength * shown.apart >= _ALONG) & (shown.keeps >= _KEEPS)
        has = [_kind_of(army, one.placed.outline) is not None and one.seen.sigma_mm < _PLACE_MM for one in told]
        keeps[number] = np.where(painted & np.array(has), shown.keeps, -np.inf)
    return [_as_of(one, table.armies, keeps[:, k]) for k, one in enumerate(told)]


def scene_about(
    frame_bgr: Image,
    placed: Sequence[Placed],
    camera: CameraModel,
    table: Table,
    ground: Ground,
    found: Sequence[FoundMarker],
) -> Scene:
    """A frame (H, W, 3) in which rims can be asked for their paint: its colours are sharp about bases."""
    sharp = with_sharp_chroma(frame_bgr, chroma_blur_px(frame_bgr), _about(frame_bgr.shape[:2], placed, camera))
    return Scene(sharp, camera, ground, estimate_light(frame_bgr, found), tuple(found), table)


def _as_of(one: Told, armies: Sequence[Army], keeps: Floats) -> BaseSeen:
    """A base as that army's whose paint's direction its rim ``keeps`` (A,) to, if that is but one's."""
    seen, best = one.seen, int(np.argmax(keeps))
    kind = _kind_of(armies[best], one.placed.outline)
    if kind is None or keeps[best] == -np.inf or (keeps > keeps[best] - _LEAD).sum() > 1:
        return seen
    axis: float | UnsetType = UNSET
    if seen.bearing_deg is not None:
        across = kind.half_width_mm != one.placed.outline.half_width_mm
        axis = (seen.bearing_deg + 90.0 * across) % 180.0
    return replace(
        seen, army=armies[best].name, base=kind.name, bearing_deg=None, bearing_sigma_deg=None, axis_deg=axis
    )


def _kind_of(army: Army, outline: Outline) -> Outline | None:
    """An army's own bases of such an outline, lengthwise or across; None where it has none."""
    kinds = [outline_of(kind) for kind in army.bases]
    return next((own for own in kinds if own.round_ == outline.round_ and _sides(own) == _sides(outline)), None)


def _sides(outline: Outline) -> tuple[float, float]:
    shorter, longer = sorted((outline.half_width_mm, outline.half_depth_mm))
    return shorter, longer


def _about(shape: tuple[int, ...], placed: Sequence[Placed], camera: CameraModel) -> NDArray[np.bool_]:
    """The pixels (H, W) about bases."""
    mask = np.zeros(shape, np.uint8)
    for base in placed:
        middle = np.array([[base.x_mm, base.y_mm, base.z_mm]])
        (x, y), scale = camera.project(middle)[0], float(camera.px_per_mm(middle)[0])
        if np.isfinite([x, y, scale]).all() and np.abs([x, y]).max() < 1e4:
            cv2.circle(
                mask, (round(x), round(y)), round((base.outline.reach_mm + _ABOUT_MM) * scale), 1, cv2.FILLED
            )
    return np.asarray(mask > 0)
