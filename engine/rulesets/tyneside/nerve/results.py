"""What each die on the Actions table would make a unit do: where it goes, whom it faces (TY-60 to TY-66)."""

from __future__ import annotations

from typing import Any

from engine.geometry.moving.moves import bearing_to, centroid
from engine.geometry.plane.tolerance import at_most
from engine.records.game import Game, Unit
from engine.rulesets.tyneside.book import Outcome
from engine.rulesets.tyneside.nerve.orders import nearest_enemy, order_mm
from engine.rulesets.tyneside.nerve.risk import Risk, outcomes
from engine.rulesets.tyneside.table.facts import in_open
from engine.rulesets.tyneside.table.field import field_of
from engine.rulesets.tyneside.table.sight import nearest_in_sight
from engine.rulesets.tyneside.vocabulary import MM_PER_CM, figures_of, is_character, state_of, weapons

__all__ = ["effect_of", "formation_after", "in_shooting_distance", "results"]


def results(game: Game, unit: Unit, risk: Risk) -> list[dict[str, Any]]:
    """For each die from 1 to 6 what it says, whether the unit obeys, and what it then does, to be drawn."""
    free = is_character(unit) or state_of(unit).commanded
    found = []
    for die, cell in enumerate(outcomes(game, unit, risk), start=1):
        entry = {"die": die, "result": cell.result, "charge": cell.charge, "binding": cell.binding}
        found.append(entry | {"obeyed": cell.binding or not free} | effect_of(game, unit, cell))
    return found


def effect_of(game: Game, unit: Unit, cell: Outcome) -> dict[str, Any]:
    """Where the lead figure goes (None: the unit stays), whom the unit faces, which formation it takes."""
    enemy = nearest_enemy(game, unit, formed=cell.result == "deploy")
    to = order_mm(game, unit, cell.result, enemy)
    effect: dict[str, Any] = {"to_mm": None if to is None else [round(value, 2) for value in to]}
    if to is None and enemy is not None:
        facing = bearing_to(centroid(figures_of(unit)), centroid(figures_of(enemy)))
        effect |= {"faces": enemy.id, "facing_deg": round(facing, 2)}
    formation = formation_after(game, unit, cell.result)
    return effect if formation is None else effect | {"formation": formation}


def formation_after(game: Game, unit: Unit, result: str) -> str | None:
    """Column or line for formed infantry told to march or deploy; None where nothing is said of it.

    They march three wide until they are in the open and within shooting distance (TY-65), and deploy three deep
    once they are within it (TY-66). Whether there is room the players judge.
    """
    if result not in ("march", "deploy"):
        return None
    near = in_shooting_distance(game, unit)
    if result == "deploy":
        return "line" if near else None
    field = field_of(game)
    clear = all(in_open(field, number) for number in field.of_unit[unit.id].tolist())
    return "line" if near and clear else "column"


def in_shooting_distance(game: Game, unit: Unit) -> bool:
    """Whether the nearest enemy in sight is within the long range of the unit's weapon."""
    nearest = nearest_in_sight(game, unit)
    if nearest is None or unit.weapon not in weapons():
        return False
    return at_most(nearest[1].distance_mm, weapons()[unit.weapon].long * MM_PER_CM)
