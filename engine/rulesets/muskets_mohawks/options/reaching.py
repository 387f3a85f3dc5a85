"""The ground that a unit can get to with a normal move: what bars it, whom it may pass (MM-44 to MM-53, MM-191)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.tolerance import MM
from engine.geometry.reach import (
    Blockers,
    LooseMover,
    Mover,
    Region,
    Setting,
    Straight,
    Wheel,
    joined,
    opened,
    outlines_as_blockers,
    regions_of_both,
)
from engine.geometry.reach.nearby import Going, met_by
from engine.geometry.reach.regions import Passable
from engine.geometry.shapes.bases import Bases
from engine.records.game import Game, Unit
from engine.rulesets.base.data.tables import of_tables
from engine.rulesets.muskets_mohawks.procedures.movement.fording import bank_of
from engine.rulesets.muskets_mohawks.procedures.movement.manoeuvres import manoeuvres
from engine.rulesets.muskets_mohawks.table.bodies import Body, body_of
from engine.rulesets.muskets_mohawks.table.land import Ground, Land
from engine.rulesets.muskets_mohawks.table.sheet import Earlier, Sheet, sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import formation_of, state_of

__all__ = ["held_up_by", "reach_of", "reaches_of"]

Array = NDArray[np.float64]

_ANY_WAY = ("gunners", "leader", "wagon", "pef")
_WHEELED = ("gunners", "wagon")
_FORMED = ("formed-line", "mob", "square")


@dataclass(frozen=True, eq=False)
class _Mover:
    """A unit about to move: how far, which way it faces, by which manoeuvres; none: each figure by itself."""

    unit: Unit
    body: Body
    left_mm: float
    facing_deg: float
    ways: tuple[Straight | Wheel, ...]

    @cached_property
    def going(self) -> Going:
        """The same, free of the rules."""
        return Going(self.body.bases, self.facing_deg, self.ways, self.left_mm)

    @property
    def loose(self) -> bool:
        """Whether it goes over friends and is held up by enemies and terrain alone (MM-52)."""
        return self.unit.type in _ANY_WAY or formation_of(self.unit) == "unformed"

    def held_by(self, other: Unit) -> bool:
        """Whether it goes round another unit: an enemy, or, itself formed, a friend who is formed (MM-51)."""
        return other.side != self.unit.side or (other.formation in _FORMED and not self.loose)


@dataclass(frozen=True, eq=False)
class _Reached:
    """Ground in reach, the marks of all that it was worked out from, and who goes how."""

    marks: tuple[object, ...]
    region: Region
    going: Going


def reach_of(game: Game, unit: Unit, left_mm: float) -> Region | None:
    """Where the unit's figures can get to with what is left of its move; None where it cannot move.

    Formed units shift and wheel as one body; others go each figure its own shortest way (MM-44, MM-45).
    """
    return reaches_of(game, [(unit, left_mm)])[0]


def held_up_by(game: Game, unit: Unit, left_mm: float) -> Blockers:
    """What the unit may not cross with what is left of its move: enemies, formed friends of the formed, ground."""
    sheet = sheet_of(game)
    return _in_the_way(sheet, [_mover(unit, sheet.body(unit), left_mm)])[0][0]


def reaches_of(game: Game, asked: Sequence[tuple[Unit, float]]) -> list[Region | None]:
    """The same for several units with what is left to each: all that is not known yet is worked out together."""
    sheet = sheet_of(game)
    found: dict[int, _Reached] = {}
    movers: dict[int, _Mover] = {}
    for number, (unit, left_mm) in enumerate(asked):
        body = sheet.body(unit)
        known = sheet.known(_key(unit, left_mm)) if sheet.owns(unit) else None
        if isinstance(known, _Reached):
            found[number] = known
        elif left_mm > MM and len(body):
            movers[number] = _mover(unit, body, left_mm)
    if movers:
        found |= _kept(sheet, movers)
        anew = {number: mover for number, mover in movers.items() if number not in found}
        found |= dict(zip(anew, _worked_out(_tasks(sheet, list(anew.values()))), strict=True))
    for number, reached in found.items():
        unit, left_mm = asked[number]
        sheet.memo(_key(unit, left_mm), partial(_itself, reached), unit)
    return [found[number].region if number in found else None for number in range(len(asked))]


def _key(unit: Unit, left_mm: float) -> tuple[Hashable, ...]:
    return "region", unit.id, left_mm


def _itself(reached: _Reached) -> _Reached:
    return reached


@dataclass(frozen=True, eq=False)
class _Task:
    """A region to be worked out: of whom, what it has to mind, the marks of all that, what was so marked before;
    else the ground that the unit might pass before."""

    mover: _Mover
    setting: Setting
    marks: tuple[object, ...]
    before: _Reached | None
    known: Sequence[Passable] = ()


def _before(sheet: Sheet, mover: _Mover) -> Earlier | None:
    """The region of the unit in an earlier game, if any."""
    return sheet.earlier(_key(mover.unit, mover.left_mm)) if sheet.owns(mover.unit) else None


def _kept(sheet: Sheet, movers: Mapping[int, _Mover]) -> dict[int, _Reached]:
    """The regions of an earlier game of units about which nothing has changed, nor about what they could touch."""
    games: dict[int, dict[int, Earlier]] = {}
    for number, mover in movers.items():
        before = _before(sheet, mover)
        if before is not None and before.game.by_id.get(mover.unit.id) is mover.unit:
            games.setdefault(id(before.game), {})[number] = before
    kept: dict[int, _Reached] = {}
    for some in games.values():
        game = next(iter(some.values())).game
        moved = sheet.moved_since(game)
        if moved is None:
            continue
        near = met_by(_all_of(sheet, moved, (game, sheet.game)), [before.value.going for before in some.values()])
        free = np.logical_not(near.any(axis=1)).tolist()
        kept |= {number: before.value for (number, before), clear in zip(some.items(), free, strict=True) if clear}
    return kept


def _tasks(sheet: Sheet, movers: Sequence[_Mover]) -> list[_Task]:
    """What is to be worked out, where it is not what was worked out before."""
    table = sheet.game.table.width_mm, sheet.game.table.depth_mm
    tasks = []
    for mover, (passing, standing) in zip(movers, _in_the_way(sheet, movers), strict=True):
        setting, before = Setting(passing, standing, table), _before(sheet, mover)
        marks = (*_marks(mover.body.bases, setting), table, mover.facing_deg, mover.ways)
        same = before is not None and before.value.marks == marks  # to the last bit
        known = () if before is None else before.value.region.passable
        tasks.append(_Task(mover, setting, marks, before.value if before is not None and same else None, known))
    return tasks


def _worked_out(tasks: Sequence[_Task]) -> list[_Reached]:
    """The regions of formed bodies and of loose ones."""
    rigid = [task for task in tasks if task.before is None and task.mover.ways]
    loose = [task for task in tasks if task.before is None and not task.mover.ways]
    found = regions_of_both(
        [
            Mover(task.mover.body.bases, task.mover.facing_deg, task.mover.ways, task.mover.left_mm, task.setting)
            for task in rigid
        ],
        [LooseMover(task.mover.body.bases, task.mover.left_mm, task.setting, task.known) for task in loose],
    )
    of_rigid, of_loose = (iter(some) for some in found)
    return [
        task.before or _Reached(task.marks, next(of_rigid if task.mover.ways else of_loose), task.mover.going)
        for task in tasks
    ]


def _mover(unit: Unit, body: Body, left_mm: float) -> _Mover:
    formation, facing = formation_of(unit), body.facing_deg
    if unit.type in _ANY_WAY or formation == "unformed" or facing is None:
        return _Mover(unit, body, left_mm, 0.0, ())
    return _Mover(unit, body, left_mm, facing, _ways(formation))


@of_tables
def _ways(formation: str) -> tuple[Straight | Wheel, ...]:
    """The manoeuvres of a formed body; a line goes straight back, too (MM-44)."""
    allowed = manoeuvres()
    formed = (Straight(half_deg=allowed.ahead_deg), Wheel(most_deg=allowed.wheel_deg))
    return (*formed, Straight(turn_deg=180.0)) if formation == "formed-line" else formed


def _all_of(sheet: Sheet, names: frozenset[str], games: Sequence[Game]) -> Blockers:
    """The bases of some units as they stand in several games."""
    units = [game.unit(name) for game in games for name in sorted(names)]
    return joined([body_of(sheet.game, unit, unit.figures).in_the_way for unit in units])


def _marks(bases: Bases, setting: Setting) -> tuple[bytes, ...]:
    """What tells one body in its surroundings from another."""
    marks = [part.tobytes() for part in (bases.centre, bases.radius, bases.half, bases.bearing_rad)]
    for one in (setting.passing, setting.standing):
        marks += [part.tobytes() for part in (one.start, one.end, one.rounding)]
        marks += [solid.mark for solid in one.solids]
    return tuple(marks)


def _in_the_way(sheet: Sheet, movers: Sequence[_Mover]) -> list[tuple[Blockers, Blockers]]:
    """What each unit may not cross, and what it may pass but not end on (MM-51, MM-52)."""
    terrain, others = _terrain_near(sheet, movers), _others_near(sheet, movers)
    found = []
    for mover, barred, near in zip(movers, terrain, others, strict=True):
        firm = [body.in_the_way for body in near if mover.held_by(body.unit)]
        soft = [body.in_the_way for body in near if not mover.held_by(body.unit)]
        found.append((joined([barred, *firm]), joined(soft)))
    return found


def _terrain_near(sheet: Sheet, movers: Sequence[_Mover]) -> list[Blockers]:
    """The barred terrain that each unit could come to touch."""
    barred = [_barred(sheet, mover.unit, mover.body) for mover in movers]
    found: dict[int, Blockers] = {}
    for kind in {id(one): one for one in barred}.values():
        mine = [number for number, one in enumerate(barred) if one is kind]
        met = met_by(kind, [movers[number].going for number in mine])
        found |= {number: kind.whole(row) for number, row in zip(mine, met, strict=True)}
    return [found[number] for number in range(len(movers))]


def _others_near(sheet: Sheet, movers: Sequence[_Mover]) -> list[list[Body]]:
    """The other units, whole, of which each unit could come to touch a figure."""
    bodies = sheet.memo(("reach", "bodies"), lambda: _everyone(sheet))
    if not bodies or not movers:
        return [[] for _ in movers]
    bases = sheet.memo(("reach", "bases"), lambda: joined([body.in_the_way for body in bodies]))
    begins = np.cumsum([0, *(len(body) for body in bodies)])[:-1]
    near = np.logical_or.reduceat(met_by(bases, [mover.going for mover in movers]), begins, axis=1)
    return [
        [bodies[number] for number in np.flatnonzero(row).tolist() if bodies[number].unit.id != mover.unit.id]
        for mover, row in zip(movers, near, strict=True)
    ]


def _everyone(sheet: Sheet) -> list[Body]:
    """All figures on the table, guns too, but markers and those in buildings."""
    return [
        sheet.with_gun(unit) for unit in sheet.game.units
        if unit.figures and unit.type != "pef" and state_of(unit).in_building is None
    ]  # fmt: skip


def _barred(sheet: Sheet, unit: Unit, body: Body) -> Blockers:
    """The terrain that the unit may not enter in this move.

    A bridge or ford is as wide as lets figures' centres keep to it: bases may hang over.
    """
    half, land = round(_half_size(body.bases), 3), sheet.land
    now = state_of(unit)
    bank = bank_of(sheet.game, unit)
    house, dry = now.in_building, bank is None or (bank == "edge" and now.moved_mm > 0.0)
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
