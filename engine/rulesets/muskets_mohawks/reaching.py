"""The ground that a unit can get to with a normal move: what bars it, whom it may pass (MM-44 to MM-53, MM-191)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bases import Bases
from engine.geometry.reach import (
    NOTHING,
    Blockers,
    LooseMover,
    Mover,
    Region,
    Setting,
    Straight,
    Wheel,
    bases_as_blockers,
    joined,
    loose_regions_of,
    opened,
    outlines_as_blockers,
    regions_of,
)
from engine.geometry.reach.nearby import nearby
from engine.geometry.tolerance import MM
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.bodies import Body, body_of
from engine.rulesets.muskets_mohawks.land import Ground, Land
from engine.rulesets.muskets_mohawks.sheet import Sheet, sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import formation_of, state_of

__all__ = ["reach_of", "reaches_of"]

Array = NDArray[np.float64]

_ARC_DEG = 45.0
_WHEEL_DEG = 90.0
_ANY_WAY = ("gunners", "leader", "wagon", "pef")
_WHEELED = ("gunners", "wagon")
_FORMED = ("formed-line", "mob", "square")

_FORMED_WAYS: tuple[Straight | Wheel, ...] = (Straight(half_deg=_ARC_DEG), Wheel(most_deg=_WHEEL_DEG))
_LINE_WAYS = (*_FORMED_WAYS, Straight(turn_deg=180.0))


@dataclass(frozen=True, eq=False)
class _Mover:
    """A unit about to move: how far, which way it faces, by which manoeuvres; none: each figure by itself."""

    unit: Unit
    body: Body
    left_mm: float
    facing_deg: float
    ways: tuple[Straight | Wheel, ...]

    def near(self, blockers: Blockers) -> Blockers:
        """Of what is in the way, what the unit could come to touch."""
        margin = self.left_mm + 2 * float(self.body.bases.circumradius.max())
        near = blockers.near(self.body.centre, margin)
        return nearby(near, self.body.bases, self.facing_deg, self.ways, self.left_mm) if self.ways else near


@dataclass(frozen=True, eq=False)
class _Reached:
    """Ground in reach, and the marks of all that it was worked out from."""

    marks: tuple[object, ...]
    region: Region


def reach_of(game: Game, unit: Unit, left_mm: float) -> Region | None:
    """Where the unit's figures can get to with what is left of its move; None where it cannot move.

    Formed units shift and wheel as one body; others go each figure its own shortest way (MM-44, MM-45).
    """
    return reaches_of(game, [(unit, left_mm)])[0]


def reaches_of(game: Game, asked: Sequence[tuple[Unit, float]]) -> list[Region | None]:
    """The same for several units with what is left to each: all that is not known yet is worked out together."""
    sheet = sheet_of(game)
    found: list[_Reached | None] = []
    anew: dict[int, _Task] = {}
    for unit, left_mm in asked:
        body, key = sheet.body(unit), ("region", unit.id, left_mm)
        known = sheet.known(key) if sheet.owns(unit) else None
        if known is None and left_mm > MM and len(body):
            known = _taken_over(sheet, key, _mover(unit, body, left_mm), anew, len(found))
        found.append(known if isinstance(known, _Reached) else None)
    for number, fresh in zip(anew, _worked_out(list(anew.values())), strict=True):
        found[number] = fresh
    for (unit, left_mm), reached in zip(asked, found, strict=True):
        if reached is not None:
            sheet.memo(("region", unit.id, left_mm), partial(_itself, reached), unit)
    return [None if reached is None else reached.region for reached in found]


def _itself(reached: _Reached) -> _Reached:
    return reached


@dataclass(frozen=True, eq=False)
class _Task:
    """A region to be worked out: of whom, what it has to mind, the marks of all that."""

    mover: _Mover
    setting: Setting
    marks: tuple[object, ...]


def _taken_over(
    sheet: Sheet, key: tuple[Hashable, ...], mover: _Mover, anew: dict[int, _Task], number: int
) -> _Reached | None:
    """The region of an earlier game where it still holds; else what is to be worked out is noted by its number."""
    before = sheet.earlier(key) if sheet.owns(mover.unit) else None
    if before is not None and _nobody_near(sheet, mover, before.game):
        kept: _Reached = before.value
        return kept
    table, bases = sheet.game.table, mover.body.bases
    setting = Setting(*_in_the_way(sheet, mover), (table.width_mm, table.depth_mm))
    marks = (*_marks(bases, setting), setting.table_mm, mover.facing_deg, mover.ways)
    if before is not None and before.value.marks == marks:  # all that it depends on is the same to the last bit
        same: _Reached = before.value
        return same
    anew[number] = _Task(mover, setting, marks)
    return None


def _worked_out(tasks: Sequence[_Task]) -> list[_Reached]:
    """The regions of formed bodies and of loose ones."""
    rigid = [task for task in tasks if task.mover.ways]
    loose = [task for task in tasks if not task.mover.ways]
    of_rigid = iter(regions_of([
        Mover(task.mover.body.bases, task.mover.facing_deg, task.mover.ways, task.mover.left_mm, task.setting)
        for task in rigid
    ]))  # fmt: skip
    of_loose = iter(loose_regions_of([
        LooseMover(task.mover.body.bases, task.mover.left_mm, task.setting) for task in loose
    ]))  # fmt: skip
    return [_Reached(task.marks, next(of_rigid if task.mover.ways else of_loose)) for task in tasks]


def _mover(unit: Unit, body: Body, left_mm: float) -> _Mover:
    formation, facing = formation_of(unit), body.facing_deg
    if unit.type in _ANY_WAY or formation == "unformed" or facing is None:
        return _Mover(unit, body, left_mm, 0.0, ())
    return _Mover(unit, body, left_mm, facing, _LINE_WAYS if formation == "formed-line" else _FORMED_WAYS)


def _nobody_near(sheet: Sheet, mover: _Mover, before: Game) -> bool:
    """Whether nothing has changed about a unit, nor about what it could come to touch."""
    moved = sheet.moved_since(before)
    if moved is None or before.by_id.get(mover.unit.id) is not mover.unit:
        return False
    changed = sheet.memo(("moved", id(before)), lambda: _all_of(sheet, moved, (before, sheet.game)))
    return not len(mover.near(changed))


def _all_of(sheet: Sheet, names: frozenset[str], games: Sequence[Game]) -> Blockers:
    """The bases of some units as they stand in several games."""
    units = [game.unit(name) for game in games for name in sorted(names)]
    return joined([
        bases_as_blockers(body_of(sheet.game, unit, unit.figures).bases, [unit.id] * len(unit.figures))
        for unit in units
    ])  # fmt: skip


def _marks(bases: Bases, setting: Setting) -> tuple[bytes, ...]:
    """What tells one body in its surroundings from another."""
    arrays = [bases.centre, bases.radius, bases.half, bases.bearing_rad]
    for one in (setting.passing, setting.standing):
        arrays += [one.start, one.end, one.rounding]
    return tuple(array.tobytes() for array in arrays)


def _in_the_way(sheet: Sheet, mover: _Mover) -> tuple[Blockers, Blockers]:
    """What the unit may not cross, and what it may pass but not end on."""
    unit = mover.unit
    terrain = mover.near(_barred(sheet, unit, mover.body))
    every = sheet.memo(("reach", "bases"), lambda: _everyone(sheet))
    near = mover.near(every.bases)
    if not len(near):
        return terrain, NOTHING
    strange, firm = (every.unit != unit.id)[near.shape], every.formed[near.shape]
    if unit.type in _ANY_WAY or formation_of(unit) == "unformed":
        return terrain, near.pick(strange)  # MM-52
    return joined([terrain, near.pick(strange & firm)]), near.pick(strange & ~firm)  # MM-51


@dataclass(frozen=True, eq=False)
class _Everyone:
    """The bases of all figures on the table, guns too: whose each is, and whether that unit is formed."""

    bases: Blockers
    unit: NDArray[np.str_]
    formed: NDArray[np.bool_]


def _everyone(sheet: Sheet) -> _Everyone:
    """All figures but markers and those in buildings."""
    units = [
        unit for unit in sheet.game.units
        if unit.figures and unit.type != "pef" and state_of(unit).in_building is None
    ]  # fmt: skip
    bases = [bases_as_blockers(sheet.with_gun(unit).bases, [unit.id] * len(unit.figures)) for unit in units]
    counts = [len(unit.figures) for unit in units]
    return _Everyone(
        joined(bases),
        np.repeat(np.array([unit.id for unit in units], dtype=np.str_), counts),
        np.repeat(np.array([unit.formation in _FORMED for unit in units], dtype=bool), counts),
    )


def _barred(sheet: Sheet, unit: Unit, body: Body) -> Blockers:
    """The terrain that the unit may not enter in this move.

    A bridge or ford is as wide as lets figures' centres keep to it: bases may hang over.
    """
    half, land = round(_half_size(body.bases), 3), sheet.land
    house, dry = state_of(unit).in_building, state_of(unit).at_edge_since is None
    formed = formation_of(unit) != "unformed" and unit.type not in _ANY_WAY
    roads = half if unit.type in _WHEELED else -1.0 if formed else None

    def barred() -> Blockers:
        closed = land.memo(("reach", "closed", half), lambda: _closed(land, half))
        if house is not None:
            closed = closed.pick(np.array([closed.names[n] != house for n in closed.shape], dtype=bool))
        parts = [closed]
        if roads is not None:
            parts.append(land.memo(("reach", "woods", roads), lambda: _woods(land, roads)))
        if dry:
            parts.append(land.memo(("reach", "water"), lambda: _water(land)))
        return joined(parts)

    return land.memo(("reach", "barred", half, house, roads, dry), barred)


def _half_size(bases: Bases) -> float:
    return float(np.where(bases.is_rect, bases.half.max(axis=1), bases.radius).max())


def _closed(land: Land, half: float) -> Blockers:
    """Rivers but for their crossings (R-22), lakes, buildings, impassable ground."""
    whole = land.of_kind("lake", "impassable", "building")
    rivers = _cut(land.of_kind("river"), land.of_kind("ford", "bridge"), half)
    return joined([outlines_as_blockers([p.outline for p in whole], [p.id for p in whole]), rivers])


def _woods(land: Land, road_mm: float) -> Blockers:
    """Woods, which nobody enters formed (MM-256) and guns and wagons only by road."""
    return _cut(land.of_kind("woods"), land.of_kind("road") if road_mm >= 0 else (), max(road_mm, 0.0))


def _water(land: Land) -> Blockers:
    """Creeks and fords: the first activation only leads to their edge (MM-191, MM-192)."""
    fords = _cut(land.of_kind("ford"), (), 0.0)
    return joined([_cut(land.of_kind("creek"), land.of_kind("bridge"), 0.0), fords])


def _cut(pieces: Sequence[Ground], openings: Sequence[Ground], wider_mm: float) -> Blockers:
    """Pieces with openings taken out that are widened all round, as blockers; what has no area opens nothing."""
    outlines, names = [piece.outline for piece in pieces], [piece.id for piece in pieces]
    return opened(outlines, names, [opening.outline for opening in openings], wider_mm)
