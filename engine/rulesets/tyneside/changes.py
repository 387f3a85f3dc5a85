"""The changes that the procedures of this ruleset make, in few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.events import Change, PlaceFigures, RemoveFigures, SetFigure, SetState
from engine.geometry.moves import Vector, moved, places
from engine.records.game import Figure, Unit
from engine.rulesets.tyneside.vocabulary import state_of

__all__ = ["killed", "shifted", "state", "state_where", "wounded"]


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


def shifted(
    figures: Sequence[Figure], direction: Vector, distance_mm: float, facing_deg: float | None = None
) -> tuple[Change, ...]:
    """The figures stand as far off in a direction, facing as they did or all one way."""
    return (PlaceFigures(places=places(moved(figures, direction, distance_mm), facing_deg)),)
