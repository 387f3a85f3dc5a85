"""All bases without painted rims in one frame: proposed where the table has changed, fitted, and chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.prints.markers import FoundMarker
from calibration.records import Table
from vision.bases.kinds import Kinds
from vision.bases.picture.plane import Ground
from vision.bases.pixels import Placed
from vision.bases.shapes import turned
from vision.plain.choosing.packing import settled
from vision.plain.naming import named
from vision.plain.picture.backdrop import demand_one_table, mat_colour
from vision.plain.picture.cast import Hard, cast_by_figures, hard_shadows
from vision.plain.picture.changed import changes
from vision.plain.picture.scene import DIMMEST, Scene, scene_of, vivid_of
from vision.plain.picture.shade import Lit
from vision.plain.pictures import Pictures
from vision.plain.proposing.cards import cards
from vision.plain.proposing.figures import feet
from vision.plain.proposing.foreign import foreign
from vision.plain.stage import Stage
from vision.plain.telling import told
from vision.records import BaseSeen

__all__ = ["look_for_plain_bases"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_CARD = 1.7  # a print's card reaches this far, as a share of the black square
_FINEST = 1.5  # pixels a mm: a finer picture is searched at half its size, or less
_RIM_MM = 1.5  # paint shows so far outside an outline, blurred
_TALL_MM, _MIDST = 28.0, 0.5  # figures are so tall above the top, and keep to this share of it
_FAR_PX = 1e4
_CORE = 0.6  # of the light usually left in figures' shadows: their darkest have no less


def look_for_plain_bases(
    pictures: Pictures,
    known: Sequence[BaseSeen],
    within: Mask | None = None,
    lit: Lit | None = None,
) -> tuple[list[BaseSeen], Lit | None]:
    """The bases in a frame that no army's paint tells, by what has changed since the table was empty, and what they
    tell a look at a part of a later frame of the lamp.

    The bases ``known``, painted or plain, are known to stand. Where ``within`` (H, W) is given, only what has
    changed there is looked at. What is ``lit`` by a look at all of a frame is not found out again: the few bases of
    a part cannot tell it. A base has the outline of one of the table's kinds; its army is None, unless a paint is
    seen on its rim once it is known where that is. Its bearing is None if it is round, and one of the two ways of
    its axis if it is a rectangle, or its axis alone if an army's front mark might tell which. Raises
    StrangeBackdrop where the picture of the empty table is of another one.
    """
    frame_bgr, camera, table, ground = pictures.frame_bgr, pictures.camera, pictures.table, pictures.ground
    kinds = Kinds(table)
    outlines = kinds.without_paint
    if not outlines:
        return [], lit
    backdrop = pictures.backdrop
    if within is None:
        demand_one_table(frame_bgr, backdrop, camera, table)
    mat = mat_colour(backdrop, camera, table)
    fine = scene_of(frame_bgr.astype(np.float32), backdrop, camera, _px_per_mm(camera, table), mat)
    times = int(np.ceil(fine.px_per_mm / _FINEST))
    fine = fine.but_for(foreign(fine.smaller(times), outlines))
    scene = fine.smaller(times)
    standing = [kinds.placed(base) for base in known]
    hidden = _hidden(frame_bgr.shape[:2], pictures.found, standing, camera)
    if within is not None:
        hidden |= ~within
    unread = cards(scene, table, scene.reduced(hidden))
    heights = sorted({o.height_mm for o in outlines})
    levels = {h: changes(scene, table, ground, scene.reduced(hidden) | unread, h) for h in heights}
    under = _under(frame_bgr.shape[:2], standing, camera)
    nowhere, painted = scene.reduced(hidden | under) | unread, _known_men(known)
    stood, hard = _manned(scene, ground, nowhere, painted)
    if hard is None or hard.left > DIMMEST:  # no shadow is as dark as what seemed to be one: those are dark figures
        dimmest = DIMMEST if hard is None else min(DIMMEST, _CORE * hard.left)
        fine = replace(fine, vivid=vivid_of(fine.frame, backdrop, fine.px_per_mm, mat, dimmest))
        scene = fine.smaller(times)
        stood, hard = _manned(scene, ground, nowhere, painted)
    cast = cast_by_figures(scene, ground, np.concatenate([stood, painted]), hard)
    scene, fine = replace(scene, feet=stood), replace(fine, feet=stood)
    stage = Stage(scene, ground, standing, levels, stood, cast, hard.way if hard and hard.sure else None)
    stands = settled(stage, outlines, lit)
    bases = told(stage, outlines, fine, stands, float(np.median(backdrop.spread)))
    return named(bases, pictures), stands.lit


def _px_per_mm(camera: CameraModel, table: Table) -> float:
    """How fine a picture is in the middle of the table."""
    size = table.table
    return float(camera.px_per_mm(np.array([[size.width_mm / 2, size.depth_mm / 2, 0.0]]))[0])


def _known_men(known: Sequence[BaseSeen]) -> Floats:
    """Where on the table (N, 2), mm, bases are known to stand, and figures on them: those of painted ones cast
    shadows, too."""
    return np.array([(base.x_mm, base.y_mm) for base in known]).reshape(-1, 2)


def _manned(scene: Scene, ground: Ground, nowhere: Mask, painted: Floats) -> tuple[Floats, Hard | None]:
    """Where on the table (N, 2) figures stand that are not ``nowhere`` (H, W), and the hard shadows that these and
    those on ``painted`` bases (M, 2) cast."""
    stood = feet(scene, ground, nowhere)
    return stood, hard_shadows(scene, ground, np.concatenate([stood, painted]))


def _hidden(
    shape: tuple[int, ...], found: Sequence[FoundMarker], known: Sequence[Placed], camera: CameraModel
) -> Mask:
    """The pixels (H, W) whose change prints and known bases explain."""
    mask = np.zeros(shape[:2], np.uint8)
    for marker in found:
        card = marker.centre_px + (marker.corners_px - marker.centre_px) * _CARD
        cv2.fillConvexPoly(mask, np.rint(np.clip(card, -1e4, 1e4)).astype(np.int32), 1)
    for base in known:
        x, y = camera.project(np.array([[base.x_mm, base.y_mm, base.z_mm + base.outline.height_mm]]))[0]
        if np.isfinite([x, y]).all():
            scale = float(camera.px_per_mm(np.array([[base.x_mm, base.y_mm, base.z_mm]]))[0])
            least = min(base.outline.half_width_mm, base.outline.half_depth_mm)
            cv2.circle(mask, (round(x), round(y)), round(0.9 * least * scale), 1, cv2.FILLED)
    return np.asarray(mask > 0)


def _under(shape: tuple[int, ...], known: Sequence[Placed], camera: CameraModel) -> Mask:
    """The pixels (H, W) in which known bases and the figures on them are seen."""
    mask = np.zeros(shape[:2], np.uint8)
    for base in known:
        ring, normal = base.outline.ring(0.0, base.outline.perimeter_mm / 24)
        own = np.concatenate([ring + _RIM_MM * normal, _MIDST * ring])
        over = np.repeat([base.outline.height_mm, base.outline.height_mm + _TALL_MM], len(ring))
        at = turned(own, base.bearing_deg) + np.array([base.x_mm, base.y_mm])
        seen = camera.project(np.column_stack([at, base.z_mm + over]))
        if np.isfinite(seen).all() and np.abs(seen).max() < _FAR_PX:
            cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(seen).astype(np.int32)), 1)
    return np.asarray(mask > 0)
