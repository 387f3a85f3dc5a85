"""What a changed picture leaves standing of the bases that were measured before, and where to look again.

A base stays as it was while no cell about it has changed. The others, and whatever may have come, are looked for
near what has changed. Where nothing tells what a clear rim of an army is, some of its bases that have not changed
are looked for as well: by them it is told, and they prove that the second look sees what the first one saw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.prints.markers import FoundMarker
from calibration.records import Table
from vision.bases.kinds import Kinds
from vision.bases.weighing.choose import clear_of
from vision.records import BaseSeen

__all__ = ["Renewal", "card_of", "footprints", "plan_renewal"]

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
    """A second look: ``within`` (R, C), of cells, is where to look for bases, ``kept`` what stays as it was.

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
        touched = self._sight.have_changed(found)
        changed = [base for base, own in zip(found, touched, strict=True) if own]
        fresh = [base for base in changed if not any(_same(kept, base) for kept in self.kept)]
        together = [*self.kept, *fresh]
        if _count(together) != _count(self._before):
            return None
        near = [self._sight.kinds.placed(base) for base in (*self._sight.touching(self.kept, fresh), *fresh)]
        return tuple(self._sight.in_order(together)) if len(clear_of(near, _SHRINK_MM)) == len(near) else None


def plan_renewal(
    changed: Mask,
    cell_px: int,
    bases: Sequence[BaseSeen],
    camera: CameraModel,
    table: Table,
    usual: Container[str] = (),
) -> Renewal | None:
    """How to look again at a frame of which cells (R, C) of ``cell_px`` have changed since ``bases`` were measured.

    Armies of which is known what is ``usual`` need no witnesses. None where so much has changed that all of it must
    be looked at.
    """
    sight = _Sight(changed, cell_px, camera, table)
    within = sight.grown()
    if within.mean() > _MOST_CHANGED:
        return None
    touched = sight.have_changed(bases)
    kept = [base for base, own in zip(bases, touched, strict=True) if not own]
    moved = [base for base, own in zip(bases, touched, strict=True) if own]
    unknown = [army.name for army in table.armies if army.name not in usual]
    witnesses = [w for name in unknown for w in _sample([b for b in kept if b.army == name], moved)]
    asked = [*witnesses, *moved]
    sight.draw(within, [*asked, *sight.touching(bases, asked)], _REST_MM)
    return Renewal(within, tuple(kept), tuple(witnesses), tuple(bases), sight)


def footprints(
    shape: tuple[int, int],
    cell_px: int,
    bases: Sequence[BaseSeen],
    found: Sequence[FoundMarker],
    camera: CameraModel,
    table: Table,
) -> Mask:
    """The cells (R, C) that prints, bases, their figures and the shadows of these may take up."""
    mask = np.zeros(shape, np.uint8)
    for marker in found:
        cv2.fillConvexPoly(mask, _drawn(_in_cells(card_of(marker), cell_px)), 1)
    if not bases:
        return mask > 0
    kinds = Kinds(table)
    feet, heads = (np.array([[b.x_mm, b.y_mm, b.z_mm + up] for b in bases]) for up in (0.0, _FIGURE_MM))
    reach = np.array([_SHADOW_MM + kinds.of(base).reach_mm for base in bases])
    ends = np.stack([camera.project(feet), camera.project(heads)], axis=1)
    breadth = np.maximum(np.rint(2 * reach * camera.px_per_mm(feet) / cell_px), 1)
    for line, broad in zip(_in_cells(ends, cell_px), breadth, strict=True):
        if np.isfinite(line).all():
            foot, head = _drawn(line).tolist()
            cv2.line(mask, foot, head, 1, int(broad))
    return mask > 0


def card_of(marker: FoundMarker) -> Floats:
    """The corners (4, 2) in px of the card that a print is on."""
    return marker.centre_px + (marker.corners_px - marker.centre_px) * _CARD


class _Sight:
    """Where in the picture bases are seen, in cells, and whether anything has changed there."""

    def __init__(self, changed: Mask, cell_px: int, camera: CameraModel, table: Table) -> None:
        self._changed = changed
        self._away = cv2.distanceTransform((~changed).view(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_5)
        self._cell_px = cell_px
        self._camera = camera
        self._table = table
        self.kinds = Kinds(table)

    def in_order(self, bases: Sequence[BaseSeen]) -> list[BaseSeen]:
        """Bases army by army, as a whole look gives them."""
        order = {army.name: number for number, army in enumerate(self._table.armies)}
        return sorted(bases, key=lambda base: order.get(base.army or "", len(order)))

    def have_changed(self, bases: Sequence[BaseSeen]) -> Mask:
        """Of which bases (N,) anything about them has changed."""
        middles, radii = self._discs(bases, _ABOUT_MM)
        height, width = self._away.shape
        at = np.clip(np.nan_to_num(np.rint(middles)), 0, (width - 1, height - 1)).astype(np.intp)
        return np.asarray(self._away[at[:, 1], at[:, 0]] <= radii)

    def touching(self, bases: Sequence[BaseSeen], some: Sequence[BaseSeen]) -> list[BaseSeen]:
        """Those of the bases that touch any of some."""
        if not bases or not some:
            return []
        (here, reach), (there, theirs) = (
            (np.array([[b.x_mm, b.y_mm] for b in part]), np.array([self.kinds.of(b).reach_mm for b in part]))
            for part in (bases, some)
        )
        apart = np.linalg.norm(here[:, None] - there, axis=2) - reach[:, None] - theirs
        return [base for base, near in zip(bases, (apart < _TOUCHING_MM).any(axis=1), strict=True) if near]

    def grown(self) -> Mask:
        """What has changed, and so far round it as a base may reach of which any cell has changed."""
        size = self._table.table
        middle = np.array([[size.width_mm / 2, size.depth_mm / 2, 0.0]])
        scale = float(self._camera.px_per_mm(middle)[0]) / self._cell_px
        return np.asarray(self._away <= (2 * self.kinds.most_mm + _ABOUT_MM) * 1.2 * scale)

    def draw(self, mask: Mask, bases: Sequence[BaseSeen], beyond_mm: float) -> None:
        """Puts bases into a mask, with ``beyond_mm`` round each."""
        drawn = mask.view(np.uint8)
        middles, radii = self._discs(bases, beyond_mm)
        for middle, radius in zip(_drawn(middles).tolist(), radii, strict=True):
            cv2.circle(drawn, middle, int(np.ceil(radius)), 1, cv2.FILLED)

    def _discs(self, bases: Sequence[BaseSeen], beyond_mm: float) -> tuple[Floats, Floats]:
        """Where rims are seen: the middles (N, 2) and radii (N,) in cells of discs that hold them."""
        if not bases:
            return np.zeros((0, 2)), np.zeros(0)
        kinds = [self.kinds.of(base) for base in bases]
        tops = np.array([[b.x_mm, b.y_mm, b.z_mm + k.height_mm] for b, k in zip(bases, kinds, strict=True)])
        scale = self._camera.px_per_mm(tops) / self._cell_px
        reach = np.array([kind.reach_mm + beyond_mm for kind in kinds])
        return _in_cells(self._camera.project(tops), self._cell_px), reach * scale * 1.05


def _sample(bases: Sequence[BaseSeen], about: Sequence[BaseSeen]) -> list[BaseSeen]:
    """Some of many bases: of the better seen half those nearest to what has moved, that little is looked at."""
    order = sorted(bases, key=lambda base: -base.confidence)
    better = order[: max(_WITNESSES, (len(order) + 1) // 2)]
    if not about:
        return better[:_WITNESSES]
    x, y = (float(np.mean([getattr(base, axis) for base in about])) for axis in ("x_mm", "y_mm"))
    return sorted(better, key=lambda base: (base.x_mm - x) ** 2 + (base.y_mm - y) ** 2)[:_WITNESSES]


def _count(bases: Sequence[BaseSeen]) -> Counter[tuple[str | None, str | None]]:
    return Counter((base.army, base.base) for base in bases)


def _same(one: BaseSeen, other: BaseSeen) -> bool:
    if (one.army, one.base) != (other.army, other.base):
        return False
    return (one.x_mm - other.x_mm) ** 2 + (one.y_mm - other.y_mm) ** 2 < _AGREE_MM**2


def _in_cells(points_px: Floats, cell_px: int) -> Floats:
    """Pixels (…, 2) as cells; centres are at integers in both."""
    return np.asarray((points_px + 0.5) / cell_px - 0.5, dtype=np.float64)


def _drawn(points: Floats) -> NDArray[np.int32]:
    """Points (…, 2) as OpenCV draws them."""
    return np.rint(np.clip(np.nan_to_num(points, nan=-1e4), -1e4, 1e4)).astype(np.int32)
