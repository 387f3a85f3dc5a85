"""Groups of bases that are doubtful, packed anew: of all the ways to fill the same ground, the one that the picture
bears out best.

Judged alone, a base takes its neighbours' rims for its own, and the more bases a packing has, the more rim they
show together. So here whole packings are compared over the same cells: every cell is to be ground, rim or inside,
and what a packing leaves unexplained is counted wherever it is, under its bases and between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray

from vision.bases.choose import conflicts, distinct, polygon_of, polygons_of
from vision.bases.fit import Look
from vision.bases.pixels import Placed
from vision.bases.plane import Flat
from vision.bases.ranks import NO_BLOCK, Slots

__all__ = ["Ways", "groups_of", "ways_to_fill"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Mask = NDArray[np.bool_]

_ROOM_MM = 2.0  # bases whose outlines come within twice this are of a group
_ABOUT_MM = 3.0  # so much of the ground about them is looked at
_LIKE = (-0.1, 1.2)  # what is less like the paint than the ground is none, and no more: a figure
_WRONG = np.float32(0.25)  # (shares of the paint) squared: no cell is worse than this
_ODD = 0.25  # a cell off by this counts half where the levels are told
_LEVELS, _HELD = np.array([0.0, 0.0, 0.8]), 2.0  # of ground, inside and rim; held to these as by so many cells
_LEAST_PAINT = 0.3
_LEAST_GAIN = 0.12  # of what a rim that was wholly wrong, and is explained, gains: what a base must
_AMID = 0.25  # of that, amid others of a block, where one is missed rather than made up
_SHRINK_MM = 1.0  # bases may run into each other by twice this
_SWEEPS = 4
_MOST = 300  # candidates of one group


@dataclass(frozen=True, eq=False)
class _Stamp:
    """A base on the cells of a group: its rows and columns, how much of each it covers and holds inside, and the
    ``least`` that it must explain."""

    rows: slice
    columns: slice
    hull: Singles
    inside: Singles
    least: float


class Ways:
    """The ways to fill one group's ground with some of its candidates, and what each leaves unexplained."""

    def __init__(
        self,
        flat: Flat,
        likeness: Singles,
        usable: Mask,
        placed: Sequence[Placed],
        first: int,
        look: Look,
        block: Slots = NO_BLOCK,
    ) -> None:
        """``placed`` are the candidates, of which the ``first`` so many stand now, and the spots of a formed block
        are others."""
        self.placed = placed = [*placed, *block.spots]
        self._block = list(range(len(placed) - len(block.spots), len(placed)))
        self._against = conflicts(placed, _SHRINK_MM)
        box, looked = _cells(flat, placed, usable)
        self._seen, self._looked = np.clip(likeness[box], *_LIKE), looked
        self._stamps = [_stamp(flat, base, look, box) for base in placed]
        for k in (k for k, amid in zip(self._block, block.amid, strict=True) if amid):
            self._stamps[k] = replace(self._stamps[k], least=_AMID * self._stamps[k].least)
        self._levels = _LEVELS.copy()
        self.standing = list(range(first))
        self._levels = self._told(self.standing)

    def best(self) -> list[int]:
        """The candidates that explain the picture best, of what is reached from those that stand now, and from
        nothing with each kind alone, and with the spots of a block."""
        kinds = dict.fromkeys(base.outline for base in self.placed)
        everything = list(range(len(self.placed)))
        starts = [self.standing]
        alone = [[k for k in everything if self.placed[k].outline == kind] for kind in kinds]
        starts += [self._improved([], some) for some in (*alone, self._block) if some]
        ends = []
        for start in starts:
            self._levels = self._told(start)
            ends.append(self._improved(start, everything))
        return min(ends, key=self.unexplained)

    def unexplained(self, which: Sequence[int]) -> float:
        """What some of the candidates leave unexplained with the best levels, and the least they must explain."""
        before, self._levels = self._levels, self._told(which)
        hull, inside = self._covered(which)
        whole = slice(None), slice(None)
        wrong = self._wrong(hull, inside, whole) + sum(self._stamps[k].least for k in which)
        self._levels = before
        return wrong

    def _improved(self, start: Sequence[int], among: Sequence[int]) -> list[int]:
        """A packing that no exchange of one candidate ``among`` these for what is in its way makes better."""
        chosen = set(start)
        hull, inside = self._covered(start)
        for _ in range(_SWEEPS):
            changed = False
            gains = sorted((self._change(hull, inside, [k], []), k) for k in among if k not in chosen)
            for _, k in gains:
                changed |= self._exchange(k, among, chosen, hull, inside)
            for k in sorted(chosen):
                if self._change(hull, inside, [], [k]) < 0:
                    self._put(hull, inside, k, -1)
                    chosen.discard(k)
                    changed = True
            if not changed:
                break
        return sorted(chosen)

    def _exchange(self, into: int, among: Sequence[int], chosen: set[int], hull: Singles, inside: Singles) -> bool:
        """Puts one candidate in for those in its way, with whatever then fits, if that explains more."""
        if into in chosen:
            return False
        out = sorted(self._against[into] & chosen)
        gain = self._change(hull, inside, [into], out)
        if gain >= 0 and not out:
            return False
        if gain > 4 * self._stamps[into].least:
            return False
        for k in out:
            self._put(hull, inside, k, -1)
        self._put(hull, inside, into, 1)
        held, come = (chosen - set(out)) | {into}, [into]
        near = set().union(*(self._against[k] for k in out)) if out else set()
        room = [k for k in among if k in near and k not in held and not self._against[k] & held]
        for k in room:
            if self._against[k] & held:
                continue
            more = self._change(hull, inside, [k], [])
            if more < 0:
                gain += more
                self._put(hull, inside, k, 1)
                held.add(k)
                come.append(k)
        if gain < -1e-6:
            chosen.clear()
            chosen.update(held)
            return True
        for k in come:
            self._put(hull, inside, k, -1)
        for k in out:
            self._put(hull, inside, k, 1)
        return False

    def _change(self, hull: Singles, inside: Singles, come: Sequence[int], gone: Sequence[int]) -> float:
        """By how much more would be unexplained if some came and others went."""
        stamps = [self._stamps[k] for k in (*come, *gone)]
        box = (
            slice(min(s.rows.start for s in stamps), max(s.rows.stop for s in stamps)),
            slice(min(s.columns.start for s in stamps), max(s.columns.stop for s in stamps)),
        )
        before = self._wrong(hull, inside, box)
        for k in gone:
            self._put(hull, inside, k, -1)
        for k in come:
            self._put(hull, inside, k, 1)
        after = self._wrong(hull, inside, box)
        for k in come:
            self._put(hull, inside, k, -1)
        for k in gone:
            self._put(hull, inside, k, 1)
        cost = sum(self._stamps[k].least for k in come) - sum(self._stamps[k].least for k in gone)
        return after - before + cost

    def _put(self, hull: Singles, inside: Singles, which: int, times: int) -> None:
        stamp = self._stamps[which]
        hull[stamp.rows, stamp.columns] += np.float32(times) * stamp.hull
        inside[stamp.rows, stamp.columns] += np.float32(times) * stamp.inside

    def _covered(self, which: Sequence[int]) -> tuple[Singles, Singles]:
        hull, inside = np.zeros(self._seen.shape, np.float32), np.zeros(self._seen.shape, np.float32)
        for k in which:
            self._put(hull, inside, k, 1)
        return hull, inside

    def _wrong(self, hull: Singles, inside: Singles, box: tuple[slice, slice]) -> float:
        """What is unexplained in a box of cells."""
        without, within, paint = self._levels.astype(np.float32)
        covered, inner = np.minimum(hull[box], 1), np.minimum(inside[box], 1)
        covered = np.maximum(covered, inner)
        expected = without + (paint - without) * covered + (within - paint) * inner
        off = self._seen[box] - expected
        return float((np.minimum(off * off, _WRONG) * self._looked[box]).sum())

    def _told(self, which: Sequence[int]) -> Floats:
        """The levels (3,) of ground, inside and rim, told by some of the candidates."""
        hull, inside = self._covered(which)
        inner = np.minimum(inside, 1)[self._looked]
        covered = np.maximum(np.minimum(hull, 1)[self._looked], inner)
        shares = np.column_stack([1 - covered, inner, covered - inner]).astype(np.float64)
        seen = self._seen[self._looked].astype(np.float64)
        levels, weights = _LEVELS, np.ones(len(seen))
        for _ in range(6):
            weighted = shares * weights[:, None]
            matrix = weighted.T @ shares + _HELD * np.eye(3)
            levels = np.linalg.solve(matrix, weighted.T @ seen + _HELD * _LEVELS)
            levels[2] = max(levels[2], _LEAST_PAINT)
            weights = 1 / (1 + np.square((seen - shares @ levels) / _ODD))
        return np.asarray(levels, dtype=np.float64)


def ways_to_fill(
    flat: Flat,
    likeness: Singles,
    usable: Mask,
    standing: Sequence[Placed],
    rivals: Sequence[Placed],
    look: Look,
    block: Slots = NO_BLOCK,
) -> Ways:
    """The ways to fill the ground of a group of bases, of their rivals, best first, and of the spots of a ``block``
    that they may form."""
    both = [*standing, *rivals]
    fresh = [both[k] for k in distinct(both, 1.0) if k >= len(standing)]
    return Ways(flat, likeness, usable, [*standing, *fresh[:_MOST]], len(standing), look, block)


def groups_of(placed: Sequence[Placed]) -> list[list[int]]:
    """Which bases make up the groups whose outlines touch."""
    if not placed:
        return []
    areas = polygons_of(placed, -_ROOM_MM)
    whole = shapely.union_all(areas)
    parts = np.array(shapely.get_parts(whole))
    _, part = shapely.STRtree(parts).query(shapely.centroid(areas), predicate="within")
    groups: list[list[int]] = [[] for _ in parts]
    for number, of in enumerate(part.tolist()):
        groups[of].append(number)
    return groups


def _cells(flat: Flat, placed: Sequence[Placed], usable: Mask) -> tuple[tuple[slice, slice], Mask]:
    """The box of cells about some bases, and which of them are looked at."""
    outlines = [np.array(polygon_of(base, -_ABOUT_MM).exterior.coords) for base in placed]
    cells = [(outline - np.array(flat.origin_mm)) / flat.cell_mm for outline in outlines]
    low = np.floor(np.min([c.min(axis=0) for c in cells], axis=0)).astype(int) - 3
    high = np.ceil(np.max([c.max(axis=0) for c in cells], axis=0)).astype(int) + 4
    height, width = usable.shape
    rows = slice(min(max(int(low[1]), 0), height), min(max(int(high[1]), 0), height))
    columns = slice(min(max(int(low[0]), 0), width), min(max(int(high[0]), 0), width))
    looked = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
    for outline in cells:
        cv2.fillPoly(looked, [np.rint(outline - [columns.start, rows.start]).astype(np.int32)], (1,))
    return (rows, columns), (looked > 0) & usable[rows, columns]


def _stamp(flat: Flat, base: Placed, look: Look, box: tuple[slice, slice]) -> _Stamp:
    """A base on the cells of a box."""
    column, row = (np.array([base.x_mm, base.y_mm]) - np.array(flat.origin_mm)) / flat.cell_mm
    half = int(np.ceil((base.outline.reach_mm + 2 * look.blur_mm) / flat.cell_mm)) + 1
    rows = slice(max(int(row) - half, box[0].start), min(int(row) + half + 2, box[0].stop))
    columns = slice(max(int(column) - half, box[1].start), min(int(column) + half + 2, box[1].stop))
    rows, columns = (slice(s.start, max(s.start, s.stop)) for s in (rows, columns))
    across, down = np.meshgrid(np.arange(columns.start, columns.stop), np.arange(rows.start, rows.stop))
    x, y = (across - column) * flat.cell_mm, (down - row) * flat.cell_mm
    sine, cosine = np.sin(np.deg2rad(base.bearing_deg)), np.cos(np.deg2rad(base.bearing_deg))
    away = base.outline.distance(x * cosine - y * sine, x * sine + y * cosine)
    hull, inside = (
        (0.5 - 0.5 * np.tanh(0.8 * (away + deep) / look.blur_mm)).astype(np.float32) for deep in (0.0, look.rim_mm)
    )
    least = _LEAST_GAIN * float(_WRONG) * base.outline.perimeter_mm * look.rim_mm / flat.cell_mm**2
    top, left = box[0].start, box[1].start
    return _Stamp(
        slice(rows.start - top, rows.stop - top),
        slice(columns.start - left, columns.stop - left),
        hull,
        inside,
        least,
    )
