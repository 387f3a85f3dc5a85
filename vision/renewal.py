"""What a changed picture leaves standing of the bases that were measured before, and where to look again.

A base stays as it was while no pixel about it has changed. The others, and whatever may have come, are looked for
near what has changed, together with some bases of each army that have not: by them it is told what a clear rim of
that army is, and they prove that the second look sees what the first one saw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.markers import FoundMarker
from calibration.records import Table
from vision.bases.choose import clear_of
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, outline_of
from vision.records import BaseSeen

__all__ = ["Renewal", "footprints", "plan_renewal"]

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]

_MOST_CHANGED = 0.35  # of the picture: from there on all of it is looked at again
_ABOUT_MM = 9.0  # so far round a base it is seen how it stands: its rim's blur, and those that touch it
_REST_MM = 6.0  # and so far round it its rim is looked for
_TOUCHING_MM = 6.0  # a gap at which rims still run together in the picture
_WITNESSES = 4  # unchanged bases of each army that are looked for again
_AGREE_MM = 0.8  # a witness that is found farther away, or not at all, has not been found again
_SHRINK_MM = 1.5  # two bases may run into each other by twice this
_CARD = 1.6  # a print's card reaches this far, as a share of the black square
_FIGURE_MM = 45.0  # how high figures stand
_SHADOW_MM = 25.0  # how far beyond its base a figure and its shadow change the picture


@dataclass(frozen=True, eq=False)
class Renewal:
    """A second look: ``within`` (H, W) is where bases are to be looked for, ``kept`` what stays as it was.

    ``witnesses`` are those of ``kept`` that must be found again.
    """

    within: Mask
    kept: tuple[BaseSeen, ...]
    witnesses: tuple[BaseSeen, ...]
    _before: tuple[BaseSeen, ...]
    _sight: _Sight

    def joined(self, found: Sequence[BaseSeen]) -> tuple[BaseSeen, ...] | None:
        """All bases: those kept, and those found where something has changed; None where that is in doubt.

        It is where a witness is not found again, where what is new runs into what has not changed, or where there
        are more or fewer of a kind than before: one may have been overlooked, or made up.
        """
        if not all(any(_same(witness, base) for base in found) for witness in self.witnesses):
            return None
        changed = [base for base in found if self._sight.has_changed(base)]
        fresh = [base for base in changed if not any(_same(kept, base) for kept in self.kept)]
        together = [*self.kept, *fresh]
        if len(clear_of([self._sight.placed(base) for base in together], _SHRINK_MM)) < len(together):
            return None
        return tuple(self._sight.in_order(together)) if _count(together) == _count(self._before) else None


def plan_renewal(changed: Mask, bases: Sequence[BaseSeen], camera: CameraModel, table: Table) -> Renewal | None:
    """How to look again at a frame of which pixels (H, W) have changed since ``bases`` were measured in it.

    None where so much has changed that all of it must be looked at.
    """
    sight = _Sight(changed, camera, table)
    if not all(sight.knows(base) for base in bases):
        return None
    within = sight.grown()
    if within.mean() > _MOST_CHANGED:
        return None
    kept = [base for base in bases if not sight.has_changed(base)]
    witnesses = [w for army in table.armies for w in _sample([b for b in kept if b.army == army.name])]
    asked = [*witnesses, *(base for base in bases if base not in kept)]
    beside = [b for b in bases if any(sight.touching(a, b) for a in asked)]
    sight.draw(within, [*asked, *beside], _REST_MM)
    return Renewal(within, tuple(kept), tuple(witnesses), tuple(bases), sight)


def footprints(
    shape: tuple[int, int],
    bases: Sequence[BaseSeen],
    found: Sequence[FoundMarker],
    camera: CameraModel,
    table: Table,
) -> Mask:
    """The pixels (H, W) that prints, bases, their figures and the shadows of these may take up."""
    mask = np.zeros(shape, np.uint8)
    for marker in found:
        card = marker.centre_px + (marker.corners_px - marker.centre_px) * _CARD
        cv2.fillConvexPoly(mask, np.rint(np.clip(card, -1e4, 1e4)).astype(np.int32), 1)
    known = _kinds(table)
    for base in bases:
        kind = known.get((base.army, base.base))
        reach = _SHADOW_MM + (kind.reach_mm if kind is not None else 0.0)
        ends = np.array([[base.x_mm, base.y_mm, base.z_mm], [base.x_mm, base.y_mm, base.z_mm + _FIGURE_MM]])
        foot, head = camera.project(ends)
        if np.isfinite(foot).all() and np.isfinite(head).all():
            breadth = max(1, round(2 * reach * float(camera.px_per_mm(ends[:1])[0])))
            cv2.line(mask, _pixel(foot), _pixel(head), 1, breadth)
    return mask > 0


class _Sight:
    """Where in the picture bases are seen, and whether anything has changed there."""

    def __init__(self, changed: Mask, camera: CameraModel, table: Table) -> None:
        self._changed = changed
        self._camera = camera
        self._table = table
        self._kinds = _kinds(table)

    def knows(self, base: BaseSeen) -> bool:
        return (base.army, base.base) in self._kinds

    def placed(self, base: BaseSeen) -> Placed:
        kind = self._kinds[base.army, base.base]
        if base.bearing_deg is None and not kind.round_:  # no more is known of it than the circle within
            least = min(kind.half_width_mm, kind.half_depth_mm)
            kind = replace(kind, round_=True, half_width_mm=least, half_depth_mm=least)
        return Placed(kind, base.x_mm, base.y_mm, base.z_mm, base.bearing_deg or 0.0)

    def in_order(self, bases: Sequence[BaseSeen]) -> list[BaseSeen]:
        """Bases army by army, as a whole look gives them."""
        order = {army.name: number for number, army in enumerate(self._table.armies)}
        return sorted(bases, key=lambda base: order[base.army or ""])

    def has_changed(self, base: BaseSeen) -> bool:
        """Whether anything about a base has changed."""
        x, y, radius = self._disc(base, _ABOUT_MM)
        left, top = max(int(x - radius), 0), max(int(y - radius), 0)
        right, bottom = max(int(x + radius) + 2, 0), max(int(y + radius) + 2, 0)
        rows, columns = np.nonzero(self._changed[top:bottom, left:right])
        return bool((np.hypot(columns + left - x, rows + top - y) <= radius).any())

    def touching(self, one: BaseSeen, other: BaseSeen) -> bool:
        reach = sum(self._kinds[b.army, b.base].reach_mm for b in (one, other))
        return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)) < reach + _TOUCHING_MM

    def grown(self) -> Mask:
        """What has changed, and so far round it as a base may reach of which any pixel has changed."""
        most = max((kind.reach_mm for kind in self._kinds.values()), default=0.0)
        size = self._table.table
        middle = np.array([[size.width_mm / 2, size.depth_mm / 2, 0.0]])
        reach = round((2 * most + _ABOUT_MM) * 1.2 * float(self._camera.px_per_mm(middle)[0]))
        kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
        return np.asarray(cv2.dilate(self._changed.astype(np.uint8), kernel) > 0)

    def draw(self, mask: Mask, bases: Sequence[BaseSeen], beyond_mm: float) -> None:
        """Puts bases into a mask, with ``beyond_mm`` round each."""
        drawn = np.zeros(mask.shape, np.uint8)
        for base in bases:
            x, y, radius = self._disc(base, beyond_mm)
            cv2.circle(drawn, _pixel(np.array([x, y])), int(np.ceil(radius)), 1, cv2.FILLED)
        mask |= drawn > 0

    def _disc(self, base: BaseSeen, beyond_mm: float) -> tuple[float, float, float]:
        """Where a base's rim is seen: the middle and the radius in px of a disc that holds it."""
        kind = self._kinds[base.army, base.base]
        top = np.array([[base.x_mm, base.y_mm, base.z_mm + kind.height_mm]])
        (x, y), scale = self._camera.project(top)[0], float(self._camera.px_per_mm(top)[0])
        return float(x), float(y), (kind.reach_mm + beyond_mm) * scale * 1.05


def _kinds(table: Table) -> Mapping[tuple[str | None, str | None], Outline]:
    return {(army.name, kind.name): outline_of(kind) for army in table.armies for kind in army.bases}


def _sample(bases: Sequence[BaseSeen]) -> list[BaseSeen]:
    """Some of many bases, from the best seen to the middling."""
    order = sorted(bases, key=lambda base: -base.confidence)
    better = order[: max(_WITNESSES, (len(order) + 1) // 2)]
    if len(better) <= _WITNESSES:
        return better
    return [better[round(k)] for k in np.linspace(0, len(better) - 1, _WITNESSES).tolist()]


def _count(bases: Sequence[BaseSeen]) -> Counter[tuple[str | None, str | None]]:
    return Counter((base.army, base.base) for base in bases)


def _same(one: BaseSeen, other: BaseSeen) -> bool:
    apart = float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))
    return (one.army, one.base) == (other.army, other.base) and apart < _AGREE_MM


def _pixel(place: Floats) -> tuple[int, int]:
    x, y = np.rint(np.clip(place, -1e4, 1e4)).astype(int)
    return int(x), int(y)
