"""Groups of bases that are doubtful, packed anew: of all the ways to fill the same ground, the one that the picture
bears out best.

Judged alone, a base takes its neighbours' rims for its own, and the more bases a packing has, the more rim they
show together. So here whole packings are compared over the same cells: every cell is to be ground, rim or inside,
and what a packing leaves unexplained is counted wherever it is, under its bases and between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray

from vision.bases.picture.plane import Flat
from vision.bases.pixels import Placed
from vision.bases.usual import Look
from vision.bases.weighing.choose import conflicts, distinct, polygons_of
from vision.bases.weighing.ranks import Slots

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
# Of what stays unexplained now, a block that is only told by what may stand there leaves less; or a little less, if
# all but so many of those who then stand there are of it
_BY_FAR, _RATHER, _ALL_BUT = 0.67, 0.8, 0.9
_SHRINK_MM = 1.0  # bases may run into each other by twice this
_SWEEPS = 4
_MOST = 300  # candidates of one group


class _Box(NamedTuple):
    """Rows ``top`` to ``bottom`` and columns ``left`` to ``right`` of a group's cells, the ends left out."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def cells(self) -> tuple[slice, slice]:
        """Its rows and columns in the picture of cells."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def within(self, other: _Box) -> tuple[slice, slice]:
        """This one's cells, counted from the corner of another that holds it."""
        return (
            slice(self.top - other.top, self.bottom - other.top),
            slice(self.left - other.left, self.right - other.left),
        )

    def meets(self, other: _Box) -> bool:
        """Whether both have a cell in common; touching sides are no cell."""
        return (
            self.top < other.bottom
            and other.top < self.bottom
            and self.left < other.right
            and other.left < self.right
        )


@dataclass(frozen=True, eq=False)
class _Stamp:
    """A base on the cells of a group: the box of its cells, how much of each it covers and holds inside (2, H, W),
    and the ``least`` that it must explain."""

    box: _Box
    held: Singles
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
        blocks: Sequence[Slots] = (),
    ) -> None:
        """``placed`` are the candidates, of which the ``first`` so many stand now, and the spots of the readings of
        a formed block are others."""
        self._blocks, apart = list[range](), len(placed)
        for block in blocks:
            self._blocks.append(range(apart, apart := apart + len(block.spots)))
        part = np.repeat(np.arange(len(blocks) + 1), [len(placed), *map(len, self._blocks)])
        self.placed = placed = [*placed, *(spot for block in blocks for spot in block.spots)]
        self._against = conflicts(placed, _SHRINK_MM, part)
        self._boxes = dict[int, _Box]()
        box, looked = _cells(flat, placed, usable)
        self._seen, self._looked = np.clip(likeness[box], *_LIKE), looked
        self._stamps = [_stamp(flat, base, look, box) for base in placed]
        for spots, block in zip(self._blocks, blocks, strict=True):
            for k in (k for k, amid in zip(spots, block.amid, strict=True) if amid):
                self._stamps[k] = replace(self._stamps[k], least=_AMID * self._stamps[k].least)
        self.standing = list(range(first))
        self._levels = self._told(self.standing)

    def best(self) -> list[int]:
        """The candidates that explain the picture best, of what is reached from those that stand now, and from
        nothing with each kind alone, and with the spots of a block: the first, unless another leaves far less."""
        packed = [self._improved([], spots, self._levels) for spots in self._blocks]
        if not packed:
            return self._reached(range(0), [])
        block = min(range(len(packed)), key=lambda k: self.unexplained(packed[k]))
        if block:
            spots = self._blocks[block]
            end = self._improved(packed[block], self._among(spots), self._told(packed[block]))
            least = _BY_FAR if np.isin(end, spots).mean() < _ALL_BUT else _RATHER
            if self.unexplained(end) > least * self.unexplained(self.standing):
                block = 0
        return self._reached(self._blocks[block], packed[block])

    def _reached(self, spots: range, block: list[int]) -> list[int]:
        """The best that is reached with some spots, from the ``block`` that stands on them, too."""
        everything = self._among(spots)
        kinds = dict.fromkeys(self.placed[k].outline for k in everything)
        alone = [[k for k in everything if self.placed[k].outline == kind] for kind in kinds]
        starts = [self.standing, block, *(self._improved([], some, self._levels) for some in alone)]
        ends = [self._improved(start, everything, self._told(start)) for start in starts if start]
        return min(ends, key=self.unexplained)

    def _among(self, spots: range) -> list[int]:
        """The candidates that are no block's, and some spots."""
        return [*range(self._blocks[0].start if self._blocks else len(self.placed)), *spots]

    def unexplained(self, which: Sequence[int]) -> float:
        """What some of the candidates leave unexplained with the best levels, and the least they must explain."""
        packing = self._packing(which, self._told(which))
        return float(packing.wrong.sum()) + sum(self._stamps[k].least for k in which)

    def _packing(self, which: Sequence[int], levels: Floats) -> _Packing:
        packing = _Packing(self._seen, self._looked, self._stamps, levels)
        packing.turn(which, [])
        return packing

    def _improved(self, start: Sequence[int], among: Sequence[int], levels: Floats) -> list[int]:
        """A packing that no exchange of one candidate ``among`` these for what is in its way makes better."""
        packing, those = self._packing(start, levels), set(among)
        for _ in range(_SWEEPS):
            changed = False
            gains = sorted((packing.gain(k), k) for k in among if k not in packing.chosen)
            for _, k in gains:
                if k not in packing.chosen and not packing.is_given_up(k):
                    better = self._exchanged(packing, k, those)
                    changed |= better is not None
                    packing = better or packing
            for k in sorted(packing.chosen):
                if packing.change([], [k]) < 0:
                    packing.turn([], [k])
                    changed = True
            if not changed:
                break
        return sorted(packing.chosen)

    def _exchanged(self, packing: _Packing, into: int, among: set[int]) -> _Packing | None:
        """With one candidate put in for those in its way, and whatever then fits, if that explains more."""
        out = sorted(self._against[into] & packing.chosen)
        gain = packing.change([into], out) if out else packing.gain(into)
        if (gain < 0 or out) and gain <= 4 * self._stamps[into].least:
            trial = packing.copy()
            trial.turn([into], out)
            for k in sorted(among.intersection(set().union(*(self._against[k] for k in out)))):
                if k not in trial.chosen and not self._against[k] & trial.chosen:
                    more = trial.change([k], [])
                    if more < 0:
                        gain += more
                        trial.turn([k], [])
            if gain < -1e-6:
                return trial
        packing.give_up(into, _about([self._stamps[into].box, *(self._around(k) for k in out)]))
        return None

    def _around(self, which: int) -> _Box:
        """The box about a candidate and all that cannot stand beside it."""
        if which not in self._boxes:
            self._boxes[which] = _about([self._stamps[k].box for k in (which, *self._against[which])])
        return self._boxes[which]

    def _told(self, which: Sequence[int]) -> Floats:
        """The levels (3,) of ground, inside and rim, told by some of the candidates."""
        packing = self._packing(which, _LEVELS)
        covered, inner = (cells[self._looked] for cells in packing.covered())
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


class _Packing:
    """Some of the candidates on the cells of their group: which are ``chosen``, and how ``wrong`` each cell is.

    Who has been tried in vain is not tried again until something about the same cells has changed.
    """

    def __init__(self, seen: Singles, looked: Mask, stamps: Sequence[_Stamp], levels: Floats) -> None:
        self.chosen: set[int] = set()
        self._seen, self._looked, self._stamps = seen, looked.astype(np.float32), stamps
        self._levels = levels.astype(np.float32)
        self._held = np.zeros((2, *seen.shape), np.float32)
        self.wrong = self._off(_Box(0, seen.shape[0], 0, seen.shape[1]).cells, self._held)
        self._turned: list[_Box] = []
        self._in_vain: dict[int, tuple[_Box, int]] = {}
        self._gains: dict[int, tuple[float, int]] = {}

    def copy(self) -> _Packing:
        """One of the same candidates that may be changed by itself."""
        other = copy(self)
        other.chosen, other._turned = set(self.chosen), [*self._turned]
        other._in_vain, other._gains = dict(self._in_vain), dict(self._gains)
        other._held, other.wrong = self._held.copy(), self.wrong.copy()
        return other

    def covered(self) -> tuple[Singles, Singles]:
        """How much of each cell is covered, and how much is inside."""
        return _within_one(self._held)

    def change(self, come: Sequence[int], gone: Sequence[int]) -> float:
        """By how much more would be unexplained if some came and others went."""
        box, held = self._with(come, gone)
        cost = sum(self._stamps[k].least for k in come) - sum(self._stamps[k].least for k in gone)
        return float(self._off(box.cells, held).sum()) - float(self.wrong[box.cells].sum()) + cost

    def gain(self, into: int) -> float:
        """By how much more would be unexplained if one came; known, unless its cells have changed."""
        gain, since = self._gains.get(into, (0.0, -1))
        if since < 0 or self._is_turned(self._stamps[into].box, since):
            gain = self.change([into], [])
        self._gains[into] = gain, len(self._turned)
        return gain

    def turn(self, come: Sequence[int], gone: Sequence[int]) -> None:
        """Some come and others go."""
        if not come and not gone:
            return
        box, held = self._with(come, gone)
        self._held[:, *box.cells] = held
        self.wrong[box.cells] = self._off(box.cells, held)
        self.chosen = (self.chosen - set(gone)) | set(come)
        self._turned.append(box)

    def give_up(self, into: int, seen: _Box) -> None:
        """A candidate gains nothing, until something changes in the box that was ``seen`` for it."""
        self._in_vain[into] = seen, len(self._turned)

    def is_given_up(self, into: int) -> bool:
        """Whether it gained nothing, and nothing has changed since that has to do with it."""
        if into not in self._in_vain:
            return False
        return not self._is_turned(*self._in_vain[into])

    def _is_turned(self, box: _Box, since: int) -> bool:
        """Whether some of a box's cells have changed since so many turns."""
        return any(map(box.meets, self._turned[since:]))

    def _with(self, come: Sequence[int], gone: Sequence[int]) -> tuple[_Box, Singles]:
        """The box about some, and what its cells hold (2, H, W) when some have come and others gone."""
        box = _about([self._stamps[k].box for k in (*come, *gone)])
        held = self._held[:, *box.cells].copy()
        for which, put in ((come, np.add), (gone, np.subtract)):
            for stamp in (self._stamps[k] for k in which):
                part = held[:, *stamp.box.within(box)]
                put(part, stamp.held, out=part)
        return box, held

    def _off(self, cells: tuple[slice, slice], held: Singles) -> Singles:
        """How wrong each of some cells is that hold so much (2, H, W)."""
        without, within, paint = self._levels
        covered, inner = _within_one(held)
        off = self._seen[cells] - (without + (paint - without) * covered + (within - paint) * inner)
        wrong: Singles = np.minimum(off * off, _WRONG) * self._looked[cells]
        return wrong


def _about(boxes: Sequence[_Box]) -> _Box:
    """The box about some."""
    if len(boxes) == 1:
        return boxes[0]
    top, bottom, left, right = zip(*boxes, strict=True)
    return _Box(min(top), max(bottom), min(left), max(right))


def _within_one(held: Singles) -> tuple[Singles, Singles]:
    """How much of each cell that holds so much (2, H, W) is covered, and how much is inside."""
    hull, inner = np.minimum(held, 1)
    return np.maximum(hull, inner), inner


def ways_to_fill(
    flat: Flat,
    likeness: Singles,
    usable: Mask,
    standing: Sequence[Placed],
    rivals: Sequence[Placed],
    look: Look,
    blocks: Sequence[Slots] = (),
) -> Ways:
    """The ways to fill the ground of a group of bases, of their rivals, best first, and of the spots of one of the
    ``blocks`` that they may form."""
    both = [*standing, *rivals]
    fresh = [both[k] for k in distinct(both, 1.0) if k >= len(standing)]
    return Ways(flat, likeness, usable, [*standing, *fresh[:_MOST]], len(standing), look, blocks)


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
    outlines = shapely.get_coordinates(polygons_of(placed, -_ABOUT_MM)).reshape(len(placed), -1, 2)
    cells = (outlines - np.array(flat.origin_mm)) / flat.cell_mm
    low = np.floor(cells.min(axis=(0, 1))).astype(int) - 3
    high = np.ceil(cells.max(axis=(0, 1))).astype(int) + 4
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
    deep = np.array([0.0, look.rim_mm])[:, None, None]
    held = (0.5 - 0.5 * np.tanh(0.8 * (away + deep) / look.blur_mm)).astype(np.float32)
    least = _LEAST_GAIN * float(_WRONG) * base.outline.perimeter_mm * look.rim_mm / flat.cell_mm**2
    top, left = box[0].start, box[1].start
    own = _Box(rows.start - top, rows.stop - top, columns.start - left, columns.stop - left)
    return _Stamp(own, held, least)
