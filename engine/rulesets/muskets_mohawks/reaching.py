"""The ground that a unit can get to with a normal move: what bars it, whom it may pass (MM-44 to MM-53, MM-191)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.bases import Bases
from engine.geometry.reach import (
    NOTHING,
    Blockers,
    Region,
    Setting,
    Straight,
    Wheel,
    bases_as_blockers,
    joined,
    loose_region,
    opened,
    outlines_as_blockers,
    region,
)
from engine.geometry.tolerance import MM
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.bodies import Body, body_of
from engine.rulesets.muskets_mohawks.land import Ground, Land
from engine.rulesets.muskets_mohawks.sheet import Earlier, Sheet, sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import formation_of, state_of

__all__ = ["reach_of"]

Array = NDArray[np.float64]

_ARC_DEG = 45.0
_WHEEL_DEG = 90.0
_ANY_WAY = ("gunners", "leader", "wagon", "pef")
_WHEELED = ("gunners", "wagon")
_FORMED = ("formed-line", "mob", "square")

_AHEAD, _BACK, _WHEEL = Straight(half_deg=_ARC_DEG), Straight(turn_deg=180.0), Wheel(most_deg=_WHEEL_DEG)


@dataclass(frozen=True, eq=False)
class _Reached:
    """Ground in reach, and the marks of all that it was worked out from."""

    marks: tuple[object, ...]
    region: Region


def reach_of(game: Game, unit: Unit, left_mm: float) -> Region | None:
    """Where the unit's figures can get to with what is left of its move; None where it cannot move.

    Formed units shift and wheel as one body; others go each figure its own shortest way (MM-44, MM-45).
    """
    sheet = sheet_of(game)
    body = sheet.body(unit)
    if left_mm <= MM or not len(body):
        return None
    key = ("region", unit.id, left_mm)
    return sheet.carried(
        key, lambda: _reached(sheet, unit, body, left_mm, sheet.earlier(key)),
        lambda before: _nobody_near(sheet, unit, body, left_mm, before), unit,
    ).region  # fmt: skip


def _reached(sheet: Sheet, unit: Unit, body: Body, left_mm: float, before: Earlier | None) -> _Reached:
    """The ground in reach; that of an earlier game where all that it depends on was the same to the last bit."""
    formation, facing = formation_of(unit), body.facing_deg
    table = sheet.game.table
    whole = Setting(*_in_the_way(sheet, unit, body, left_mm), (table.width_mm, table.depth_mm))
    ways: tuple[Straight | Wheel, ...] = (_AHEAD, _WHEEL, _BACK) if formation == "formed-line" else (_AHEAD, _WHEEL)
    if unit.type in _ANY_WAY or formation == "unformed" or facing is None:
        ways, facing = (), 0.0
    setting = whole.near(body.bases, left_mm)
    marks = (*_marks(body.bases, setting), setting.table_mm, facing, ways)
    if before is not None and before.value.marks == marks:
        kept: _Reached = before.value
        return kept
    if not ways:
        return _Reached(marks, loose_region(body.bases, left_mm, setting))
    return _Reached(marks, region(body.bases, facing, ways, left_mm, setting))


def _nobody_near(sheet: Sheet, unit: Unit, body: Body, left_mm: float, before: Game) -> bool:
    """Whether nothing has changed about a unit and in the box that its move could lead it to."""
    moved = sheet.moved_since(before)
    if moved is None or before.by_id.get(unit.id) is not unit:
        return False
    low, high = body.centre.min(axis=0), body.centre.max(axis=0)
    margin = left_mm + 2 * float(body.bases.circumradius.max())
    return not any(
        bool(((low - margin <= box[1]) & (high + margin >= box[0])).all())
        for game in (before, sheet.game)
        for name in moved
        if (box := _box(sheet, game.unit(name))) is not None
    )


def _box(sheet: Sheet, unit: Unit) -> tuple[Array, Array] | None:
    """The corners of the box that holds all bases of a unit of this game or of another, or None."""
    return sheet.memo(("box", id(unit)), lambda: _box_of(body_of(sheet.game, unit, unit.figures).bases))


def _box_of(bases: Bases) -> tuple[Array, Array] | None:
    if not len(bases):
        return None
    around = bases.circumradius[:, None]
    return (bases.centre - around).min(axis=0), (bases.centre + around).max(axis=0)


def _marks(bases: Bases, setting: Setting) -> tuple[bytes, ...]:
    """What tells one body in its surroundings from another."""
    arrays = [bases.centre, bases.radius, bases.half, bases.bearing_rad]
    for one in (setting.passing, setting.standing):
        arrays += [one.start, one.end, one.rounding]
    return tuple(array.tobytes() for array in arrays)


def _in_the_way(sheet: Sheet, unit: Unit, body: Body, left_mm: float) -> tuple[Blockers, Blockers]:
    """What the unit may not cross, and what it may pass but not end on."""
    terrain = _barred(sheet, unit, body)
    others = _others(sheet)
    mine = [unit.id != name for name in others.names]
    formed = [sheet.game.unit(name).formation in _FORMED for name in others.names]
    near = others.near(body.centre, left_mm + 2 * float(body.bases.circumradius.max()))
    strange, firm = np.array(mine, dtype=bool), np.array(formed, dtype=bool)
    if unit.type in _ANY_WAY or formation_of(unit) == "unformed" or not len(near):
        return terrain, near.pick(strange[near.shape]) if len(near) else NOTHING  # MM-52
    solid = (strange & firm)[near.shape]  # MM-51
    return joined([terrain, near.pick(solid)]), near.pick((strange & ~firm)[near.shape])


def _others(sheet: Sheet) -> Blockers:
    """The bases of all figures on the table, guns too, each named for its unit; nobody in a building."""
    return sheet.memo(("reach", "bases"), lambda: _all_bases(sheet))


def _all_bases(sheet: Sheet) -> Blockers:
    parts = [
        bases_as_blockers(sheet.with_gun(unit).bases, [unit.id] * len(unit.figures))
        for unit in sheet.game.units
        if unit.figures and unit.type != "pef" and state_of(unit).in_building is None
    ]
    return joined(parts)


def _barred(sheet: Sheet, unit: Unit, body: Body) -> Blockers:
    """The terrain that the unit may not enter in this move.

    A bridge or ford is as wide as lets figures' centres keep to it: bases may hang over.
    """
    half = round(_half_size(body.bases), 3)
    land = sheet.land
    parts = [land.memo(("reach", "closed", half), lambda: _closed(land, half))]
    house = state_of(unit).in_building
    if house is not None:
        parts = [part.pick(np.array([part.names[n] != house for n in part.shape], dtype=bool)) for part in parts]
    formed = formation_of(unit) != "unformed" and unit.type not in _ANY_WAY
    if formed or unit.type in _WHEELED:
        roads = half if unit.type in _WHEELED else -1.0
        parts.append(land.memo(("reach", "woods", roads), lambda: _woods(land, roads)))
    if state_of(unit).at_edge_since is None:
        parts.append(land.memo(("reach", "water"), lambda: _water(land)))
    return joined(parts)


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
