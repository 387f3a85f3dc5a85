"""A base that somebody points at, read off the picture: where it stands, its paint, its shape and its size.

Nothing is known of it beforehand but that its rim is of one paint, a few millimetres wide, and that the paint
differs from the mat. Each colour about the finger is tried as that paint, with the outlines that bases usually
have, by the same search that finds an army's bases when its paint and its sizes are known.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import shapely
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.errors import JobFailed
from calibration.prints.markers import FoundMarker
from calibration.records import BaseKind, Table
from vision.bases.picture.paint import Paint
from vision.bases.picture.plane import Ground
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.proposing.proposed import proposed
from vision.bases.search import Found, search
from vision.bases.shapes import outline_of
from vision.bases.weighing.choose import polygons_of
from vision.bases.weighing.confidence import LIKELY, confidence
from vision.bases.weighing.judged import fitted_together
from vision.chroma import chroma_blur_px, with_sharp_chroma
from vision.ground import FLAT
from vision.light import estimate_light
from vision.pointing.paints import colour_of, paints_among
from vision.pointing.rings import Rings, army_of, nearest, outline_size, rings_of, share_on_rims
from vision.pointing.sizes import FIRST, Size, halves_of, kind_of, usual_near

__all__ = ["HEIGHT_MM", "Pointed", "read_base"]

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

HEIGHT_MM = 3.0  # of a usual base's rim above the ground
_COLOURS_MM, _ABOUT_MM = 30.0, 70.0  # how far about the finger colours are taken, and bases looked for
_SIZES, _PAINTS = 7, 3  # so many of the likeliest are looked at closely
_LIKELIEST, _NEAR_MM = 3, 40.0  # … each by itself, and what they then explain so near the finger
_LEAST_PROOF = 0.15  # a base that explains less of its rim is none
_HARDLY = 0.7  # of the best paint's share: what is less of rims than that is none
_STEPS_MM, _ROUNDS = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0), 3  # the sizes that are tried about a usual one


class Pointed(Struct, frozen=True, kw_only=True):
    """A base that was pointed at: where it lies, its paint as in good light, and its outline.

    ``sure`` runs from 0 to 1; ``measured_mm`` is the size as measured (the diameter, or width and depth), ``kind``
    the usual size that it comes to. ``bearing_deg`` is that of a rectangle's front or back.
    """

    x_mm: float
    y_mm: float
    bearing_deg: float | None
    colour: str
    kind: BaseKind
    measured_mm: tuple[float, ...]
    sure: float


@dataclass(frozen=True, eq=False)
class _Read:
    """The bases of a paint about the finger, which of them it points at, and how likely they are what they seem."""

    paint: Paint
    found: Found
    which: int
    share: float

    @property
    def merit(self) -> float:
        """How much rather this is what the finger points at than another."""
        return self.share**2 * float(self.found.proof[self.which])

    def explained_about(self, finger_mm: Floats) -> float:
        """How much of what is seen near a finger at (2,) they explain; see `Found.explained`."""
        tops = polygons_of(self.found.placed)
        near = shapely.intersection(tops, shapely.buffer(shapely.points(finger_mm), _NEAR_MM))
        rims = [p.outline.perimeter_mm for p in self.found.placed] * self.found.proof
        return float(rims @ (shapely.area(near) / shapely.area(tops)))

    @property
    def base(self) -> Placed:
        """The base that the finger points at."""
        return self.found.placed[self.which]


def read_base(
    frame_bgr: Image, camera: CameraModel, table: Table, at_px: tuple[float, float],
    found: Sequence[FoundMarker] = (), ground: Ground = FLAT, height_mm: float = HEIGHT_MM,
) -> Pointed:  # fmt: skip
    """The base that a pixel of a frame (H, W, 3) points at.

    ``found`` are the printed markers in sight, whose paper tells the light; ``ground`` is what is known of terrain,
    ``height_mm`` the height of the rim's top above it. Raises JobFailed where no base is there, saying what to do.
    """
    finger = _on_table(frame_bgr, camera, at_px, ground, height_mm)
    scene = _scene(frame_bgr, camera, table, found, ground, finger, height_mm)
    pixels = _disc(frame_bgr, camera, finger, _COLOURS_MM)
    rings = [rings_of(scene, paint, finger[:2], height_mm) for paint in paints_among(scene, pixels)]
    likely = sorted((one for one in rings if one is not None), key=lambda one: -one.share)[:_PAINTS]
    tried = [one for one in likely if one.share > _HARDLY * likely[0].share]
    read = [(one, _searched(scene, one.paint, one.sizes[:_SIZES], finger[:2], height_mm)) for one in tried]
    best = max(((r, one) for one, r in read if r is not None), key=lambda pair: pair[0].merit, default=None)
    if best is None:
        raise JobFailed(
            "there is no base under the finger: point at the middle of one, with its painted rim in sight and in"
            " even light; if its rim is not painted, or painted like the mat, paint it first"
        )
    return _told(scene, _of_one_size(scene, *best, finger[:2], height_mm), height_mm)


def _on_table(
    frame: Image, camera: CameraModel, at_px: tuple[float, float], ground: Ground, height_mm: float
) -> Floats:
    """The point (3,) on rims of such a height at which a pixel points. Raises JobFailed where there is none."""
    height, width = frame.shape[:2]
    if not (0 <= at_px[0] < width and 0 <= at_px[1] < height):
        raise JobFailed("that is outside the picture: point at a base in it")
    z = height_mm
    for _ in range(3):  # the ground is level almost everywhere
        x, y = camera.to_plane(np.array([at_px]), z)[0]
        if not np.isfinite([x, y]).all():
            raise JobFailed("that is not on the table: point at a base that stands on it")
        z = float(ground.height_at([[x, y]])[0]) + height_mm
    return np.array([x, y, z])


def _scene(
    frame: Image, camera: CameraModel, table: Table, found: Sequence[FoundMarker], ground: Ground, finger: Floats,
    height_mm: float,
) -> Scene:  # fmt: skip
    """What is seen about a finger (3,)."""
    within = np.zeros(frame.shape[:2], dtype=np.bool_)
    columns, rows = _disc(frame, camera, finger, _ABOUT_MM).T
    within[rows, columns] = True
    sharp = with_sharp_chroma(frame, chroma_blur_px(frame), within)
    return Scene(
        sharp, camera, ground, estimate_light(frame, found), tuple(found), replace(table, armies=()), within
    )


def _disc(frame: Image, camera: CameraModel, middle: Floats, radius_mm: float) -> NDArray[np.intp]:
    """The pixels (N, 2) of a frame that show what is so near to a point (3,) at its height."""
    angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    around = middle + radius_mm * np.column_stack([np.sin(angle), np.cos(angle), np.zeros(len(angle))])
    seen = camera.project(around)
    mask = np.zeros(frame.shape[:2], dtype=np.uint8)
    cv2.fillPoly(mask, [np.rint(seen[np.isfinite(seen).all(axis=1)]).astype(np.int32)], 1)
    rows, columns = np.nonzero(mask)
    return np.column_stack([columns, rows])


def _of_one_size(scene: Scene, read: _Read, rings: Rings, finger_mm: Floats, height_mm: float) -> _Read:
    """The same, or with all bases of one size, if that explains more of what is seen about the finger.

    Two bases that touch make one twice as large, but for the rims between them, and of a large one a smaller may
    take a part: all of one size tell.
    """
    size = outline_size(read.base.outline)
    doubles = [s for s in FIRST if size in halves_of(s)]
    sizes = dict.fromkeys([size, *halves_of(size), *doubles, *rings.sizes[:_LIKELIEST]])
    alone = [_searched(scene, rings.paint, (one,), finger_mm, height_mm) for one in sizes]
    return max((read, *(one for one in alone if one is not None)), key=lambda one: one.explained_about(finger_mm))


def _searched(
    scene: Scene, paint: Paint, sizes: Sequence[Size], finger_mm: Floats, height_mm: float
) -> _Read | None:
    army = army_of(sizes, height_mm)
    found = search(scene, army, paint, proposed(scene, army, paint))
    which = None if found is None else nearest(found.placed, finger_mm)
    if found is None or which is None or found.proof[which] < _LEAST_PROOF or confidence(found)[which] < LIKELY:
        return None
    return _Read(paint, found, which, share_on_rims(scene, paint, found.placed))


def _told(scene: Scene, read: _Read, height_mm: float) -> Pointed:
    """What was read, in the table's frame, with a usual size where it comes to one, and the paint of its rims."""
    found, base = read.found, read.base
    like = [k for k, placed in enumerate(found.placed) if placed.outline == base.outline]
    measured = _measured(scene, read, like)
    wide = len(measured) == 1 or measured[0] >= measured[1]  # bases are wider than deep, most of them
    measured = measured if wide else measured[::-1]
    bearing = None if base.outline.round_ else (base.bearing_deg + (0.0 if wide else 90.0)) % 180.0
    return Pointed(
        x_mm=base.x_mm,
        y_mm=base.y_mm,
        bearing_deg=bearing,
        colour=colour_of(read.paint, found.colours[like], float(np.median(found.gain[like]))),
        kind=kind_of(usual_near(measured, outline_size(base.outline)), height_mm),
        measured_mm=tuple(round(one, 1) for one in measured),
        sure=float(confidence(found)[read.which]),
    )


def _measured(scene: Scene, read: _Read, like: Sequence[int]) -> Size:
    """The size of which all bases ``like`` the one that is pointed at explain best what is seen: each side by
    itself."""
    size = outline_size(read.base.outline)
    for side in range(len(size)):
        tried = [(*size[:side], size[side] + step, *size[side + 1 :]) for step in _STEPS_MM]
        explained = np.array([_explained(scene, read, like, one) for one in tried])
        size = (*size[:side], size[side] + _summit(np.array(_STEPS_MM), explained), *size[side + 1 :])
    return size


def _explained(scene: Scene, read: _Read, which: Sequence[int], size: Size) -> float:
    """How much of the picture some bases explain if they are of another size, fitted with all about them."""
    found = read.found
    outline = outline_of(army_of((size,), read.base.outline.height_mm).bases[0])
    placed = list(found.placed)
    for k in which:
        placed[k] = dataclasses.replace(placed[k], outline=outline)
    fitted = fitted_together(scene, placed, found.contrast, read.paint, found.look, _ROUNDS, soft_mm=0.0)
    return fitted.taken(which).explained


def _summit(at: Floats, values: Floats) -> float:
    """Where values (N,) at evenly spaced places (N,) are greatest, by a parabola through the greatest."""
    k = int(np.clip(np.argmax(values), 1, len(at) - 2))
    before, here, after = values[k - 1 : k + 2]
    bend = before - 2 * here + after
    off = 0.5 * (before - after) / bend if bend < 0 else 0.0
    return float(at[k] + (at[1] - at[0]) * np.clip(off, -1.0, 1.0))
