"""The changes that the procedures of this ruleset make, in few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.events import Change, PlaceFigures, RemoveFigures, SetFigure, SetState
from engine.geometry.moving.moves import bases_to_area, moved, places
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import at_most
from engine.records.game import Figure, Game, Unit
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.table.field import field_of
from engine.rulesets.tyneside.vocabulary import figures_of, state_of

__all__ = ["killed", "left_position", "shifted", "state", "state_where", "wounded"]


def state(unit: str, **values: Any) -> tuple[SetState, ...]:
    """The unit's state gets these values, each written even where it is the default."""
    return tuple(SetState(unit=unit, key=key, value=value) for key, value in values.items())


def state_where(unit: Unit, **values: Any) -> tuple[SetState, ...]:
    """Like `state`, but only those that differ from what the unit has: for side effects of another action."""
    now = state_of(unit)
    return state(unit.id, **{key: value for key, value in values.items() if getattr(now, key) != value})


def wounded(figure: Figure) -> tuple[Change, ...]:
    """A figure is wounded (TY-40)."""
    return (SetFigure(figure=figure.id, key="status", value="wounded"),)


def killed(unit: Unit, figure: Figure) -> tuple[Change, ...]:
    """A figure is killed and taken off (TY-40); an NCO of formed infantry is missed (TY-57)."""
    now = state_of(unit)
    off: tuple[Change, ...] = (RemoveFigures(unit=unit.id, figures=(figure.id,)),)
    if unit.type == "formed" and figure.role == "nco":
        return (*off, *state(unit.id, casualties=now.casualties + 1, ncos_killed=now.ncos_killed + 1))
    return (*off, *state(unit.id, casualties=now.casualties + 1))


def left_position(game: Game, unit: Unit, direction: Vector, distance_mm: float) -> tuple[Change, ...]:
    """A unit that holds a position and goes from all cover about it defends it no longer (TY-64)."""
    if not state_of(unit).defending:
        return ()
    gone, field = moved(figures_of(unit), direction, distance_mm), field_of(game)
    for patch, ring in zip(field.patches, field.pieces.rings, strict=True):
        if patch.cover != "none" and at_most(min(bases_to_area(gone, ring[0])), book().mm("over")):
            return ()
    return state(unit.id, defending=False)


def shifted(
    figures: Sequence[Figure], direction: Vector, distance_mm: float, facing_deg: float | None = None
) -> tuple[Change, ...]:
    """The figures stand as far off in a direction, facing as they did or all one way."""
    return (PlaceFigures(places=places(moved(figures, direction, distance_mm), facing_deg)),)
