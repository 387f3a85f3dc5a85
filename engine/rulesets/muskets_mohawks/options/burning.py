"""Which buildings a unit can set on fire (MM-176, MM-177): it is in or touches them, or its bows reach them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.lines import turned
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import to_segments
from engine.records.game import Figure, Game, Round, Unit
from engine.rulesets.muskets_mohawks.seeing.sight import bodies_pairs
from engine.rulesets.muskets_mohawks.table.bodies import Body, body_of, joined
from engine.rulesets.muskets_mohawks.table.land import Ground
from engine.rulesets.muskets_mohawks.table.sheet import CONTACT_MM, Sheet, sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import state_of, weapon_of

__all__ = ["burnable", "houses_in_reach"]

#: By the ids of units, the ids of the buildings that their figures touch.
_Touched = Mapping[str, frozenset[str]]


def burnable(game: Game, unit: Unit) -> tuple[str, ...]:
    """The buildings that the unit can reach to set on fire and that would burn, by id."""
    return tuple(
        house.id
        for house in houses_in_reach(game, unit)
        if house.terrain.extra.get("dv", 1) < 3
        and not house.terrain.extra.get("fire_in", 0)
        and not house.terrain.extra.get("smouldering", False)
    )


def houses_in_reach(game: Game, unit: Unit) -> tuple[Ground, ...]:
    """The buildings that the unit can reach to set on fire, whether they would burn or not."""
    sheet = sheet_of(game)
    return sheet.memo(("sets on fire", unit.id), lambda: _houses_in_reach(sheet, unit), unit)


def _houses_in_reach(sheet: Sheet, unit: Unit) -> tuple[Ground, ...]:
    if sheet.owns(unit):
        touched = sheet.memo(("at the walls",), lambda: _at_the_walls(sheet)).get(unit.id, frozenset())
    else:
        touched = _touched(sheet, [sheet.body(unit)]).get(unit.id, frozenset())
    inside, bows = state_of(unit).in_building, weapon_of(unit).name == "bow"
    return tuple(
        house
        for house in sheet.of_kind("building")
        if house.id == inside or house.id in touched or (bows and _shoots_at(sheet, unit, house))
    )


def _shoots_at(sheet: Sheet, unit: Unit, house: Ground) -> bool:
    """Whether a figure with a bow has a building in range and sight."""
    body, others = sheet.body(unit), _household(unit, house)
    if not len(body):
        return False
    seen = bodies_pairs(sheet, body, body_of(sheet.game, others, others.figures))
    return bool((seen.clear & (seen.gap_mm <= weapon_of(unit).range_mm + MM)).any())


def _at_the_walls(sheet: Sheet) -> _Touched:
    """The buildings that all units touch; of those that are as they were, those that they touched."""
    before = sheet.earlier(("at the walls",))
    moved = None if before is None else sheet.moved_since(before.game)
    known: _Touched = {} if before is None or moved is None else before.value
    anew = [unit for unit in sheet.game.units if moved is None or unit.id in moved]
    return {**known, **_touched(sheet, [sheet.body(unit) for unit in anew])}


def _touched(sheet: Sheet, bodies: list[Body]) -> _Touched:
    """The buildings that each of several bodies touches."""
    found = {body.unit.id: frozenset[str]() for body in bodies}
    some = [body for body in bodies if len(body)]
    whole = joined(sheet.game, some)
    units = np.repeat(np.arange(len(some)), [len(body) for body in some])
    for house in sheet.of_kind("building") if some else ():
        for number in set(units[_walls(house, whole) <= CONTACT_MM + MM].tolist()):
            found[some[number].unit.id] |= {house.id}
    return found


def _walls(house: Ground, body: Body) -> NDArray[np.float64]:
    """(n,) how far the figures are from a building."""
    apart: NDArray[np.float64] = to_segments(body.bases, house.outline, turned(house.outline)).min(axis=1)
    return apart


def _household(unit: Unit, house: Ground) -> Unit:
    """A stand-in inside the building: who looks at it looks at the nearest point of its outline (R-18)."""
    x, y = house.outline.mean(axis=0)
    inside = Figure(id=f"{house.id}:inside", x_mm=float(x), y_mm=float(y), base=Round(diameter_mm=1.0))
    return Unit(
        id=f"{house.id}:inside", side=f"not {unit.side}", type="civilian", state={"in_building": house.id},
        figures=(inside,),
    )  # fmt: skip
