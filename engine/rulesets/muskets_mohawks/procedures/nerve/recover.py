"""The action ``recover``: half of the casualties come back (MM-165)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.events import AddFigures, Change, Event
from engine.geometry.moving.moves import mean_bearing, rear_row
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.muskets_mohawks.options.actions import action_reasons
from engine.rulesets.muskets_mohawks.procedures.changes import state
from engine.rulesets.muskets_mohawks.procedures.movement.set_down import level_mm, set_down
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of

__all__ = ["recover"]


def recover(game: Game, action: Action) -> Procedure[None]:
    """Begins the action. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    against = allow(action, action_reasons(game, unit, "recover"))
    return _recover(game, action, unit, against)


def _recover(game: Game, action: Action, unit: Unit, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    now = state_of(unit)
    number = now.casualties // 2
    changes: list[Change] = []
    back = _new_figures(game, unit, number)
    if back:
        changes.append(AddFigures(unit=unit.id, figures=back))
    strength = len(figures_of(unit)) + len(back)
    changes += state(unit.id, casualties=now.casualties - number, recovered=True, activated=True, strength=strength)
    facts = {"unit": unit.id, "figures": number}
    yield from happen(Event(event="recovered", facts=facts, changes=tuple(changes), rule="MM-165"))


def _new_figures(game: Game, unit: Unit, number: int) -> tuple[Figure, ...]:
    """Figures like those of the unit, in a row behind its rear line, or as near to it as there is room."""
    figures = figures_of(unit)
    if not figures or number <= 0:
        return ()
    pattern = next((figure for figure in figures if figure.role in ("rank", "crew")), figures[0])
    role = "crew" if unit.type == "gunners" else "rank"
    facing = mean_bearing(figures)
    names = _free_names(game, unit)
    row = [
        replace(pattern, id=next(names), x_mm=x, y_mm=y, role=role, status="ok", bearing_deg=facing)
        for x, y in rear_row(figures, number, 0.0)
    ]
    return set_down(game, unit, row, facing or 0.0, level_mm(row, figures, facing or 0.0))


def _free_names(game: Game, unit: Unit) -> Iterator[str]:
    taken = {figure.id for one in game.units for figure in one.figures}
    number = 1
    while True:
        name = f"{unit.id}-back-{number}"
        if name not in taken:
            yield name
        number += 1
