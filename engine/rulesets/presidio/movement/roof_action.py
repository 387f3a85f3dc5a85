"""``climb`` at a house: men on foot go up to its roof, or come down again (PR-303)."""

from __future__ import annotations

from msgspec.structs import replace

from engine.events import Change, PlaceFigures
from engine.geometry.moving.moves import places
from engine.geometry.plane.tolerance import MM
from engine.play import Procedure
from engine.records.action import Action
from engine.records.game import Figure, Game, Terrain, Unit
from engine.rulesets.base.actions.refusing import allow
from engine.rulesets.presidio.acting import able, happens
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.changes import spent, state
from engine.rulesets.presidio.table.field import field_of

__all__ = ["climb_roof"]


def climb_roof(game: Game, action: Action, house: Terrain, men: int | None) -> Procedure[None]:
    """So many men (all) at a house climb to its roof; those who are up come down. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons, here = able(unit, 1, "PR-303"), _at_house(game, unit, house)
    reasons.add(not here, f"nobody of {unit.id} is on foot at {house.id}", "PR-303")
    heights = book().heights_ft
    roof = house.height_mm if house.height_mm > 0 else heights["roof"] * heights["mm_per_ft"]
    below = tuple(figure for figure in here if figure.z_mm < roof - MM)
    down, able_to = not below, below or here
    few = f"only {len(able_to)} of {unit.id} are {'on' if down else 'below at'} {house.id}"
    reasons.add(bool(here) and men is not None and men > len(able_to), few, "PR-303")
    moved = tuple(replace(figure, z_mm=0.0 if down else roof) for figure in able_to[:men])
    stays = down and len(moved) < len(here)  # some are left up there
    changes: tuple[Change, ...] = (PlaceFigures(places=places(moved)), *spent(unit, 1))
    changes += state(unit.id, position="parapet" if stays or not down else None)
    facts = {"unit": unit.id, "terrain": house.id, "figures": [figure.id for figure in moved], "on_top": not down}
    return happens(game, action, allow(action, reasons), "climbed", facts, changes, "PR-303")


def _at_house(game: Game, unit: Unit, house: Terrain) -> tuple[Figure, ...]:
    """The men on foot of a unit who stand in a house, on it or against its walls."""
    field = field_of(game)
    number = [patch.id for patch in field.patches].index(house.id)
    near = field.piece_gaps[:, number] <= book().mm("touching_mm") + MM
    which = [one for one in field.of_unit[unit.id].tolist() if near[one]]
    return tuple(field.figures[one] for one in which if not field.figures[one].mounted)
