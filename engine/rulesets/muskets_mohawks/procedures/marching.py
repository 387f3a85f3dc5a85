"""``march``: a unit moves straight on as a body, where no camera sees the figures moved by hand (MM-44, MM-46)."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from engine.events import Change, Event, PlaceFigures
from engine.geometry.moves import Vector, centroid, mean_bearing, places, towards, way_between
from engine.geometry.tolerance import at_most
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.move_options import allowance_mm, move_reasons
from engine.rulesets.muskets_mohawks.procedures.changes import state, state_where
from engine.rulesets.muskets_mohawks.procedures.np_ways import AHEAD, Way, free_way
from engine.rulesets.muskets_mohawks.vocabulary import formation_of, state_of
from engine.rulesets.muskets_mohawks.wording import length
from engine.rulesets.reasons import Reasons
from engine.rulesets.refusing import allow, overruled

__all__ = ["MarchKeys", "march"]


class MarchKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``march``: where the unit's middle goes, and how an unformed one faces then."""

    to: tuple[float, float]
    facing_deg: Annotated[float, Meta(ge=-360, le=360)] | None = None


def march(game: Game, action: Action, keys: MarchKeys) -> Procedure[None]:
    """Begins ``march``. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons = move_reasons(game, unit)
    way = way_between(centroid(unit.figures), keys.to) if unit.figures else None
    if way is not None and not reasons:
        _judge(game, unit, keys, way, reasons)
    return _march(game, action, unit, keys, way, allow(action, reasons))


def _judge(game: Game, unit: Unit, keys: MarchKeys, way: tuple[Vector, float], reasons: Reasons) -> None:
    """Why the unit may not go there: too far, off its front, something in the way."""
    direction, far = way
    left = allowance_mm(game, unit)
    reasons.add(not at_most(far, left), f"it is {length(far)} off, and it may move {length(left)}", "MM-46")
    loose = formation_of(unit) == "unformed" or unit.type in ("gunners", "leader", "wagon")
    facing = mean_bearing(unit.figures)
    if not loose and facing is not None:
        ahead = towards(facing)
        along = ahead[0] * direction[0] + ahead[1] * direction[1]
        back = formation_of(unit) == "formed-line" and along < -1 + 1e-6
        reasons.add(along < AHEAD and not back, "a formed unit goes up to 45 degrees off its front", "MM-44")
    reasons.add(not loose and keys.facing_deg is not None, "a formed unit keeps its facing while it moves", "MM-44")
    free = free_way(game, unit, direction, far)
    text = f"something is in its way after {length(free.distance_mm)}"
    reasons.add(not at_most(far, free.distance_mm), text, "MM-52")


def _march(
    game: Game,
    action: Action,
    unit: Unit,
    keys: MarchKeys,
    way: tuple[Vector, float] | None,
    against: tuple[str, ...],
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    distance = 0.0 if way is None else way[1]
    gone = unit.figures if way is None else Way(direction=way[0], distance_mm=distance).taken(unit.figures)
    changes: list[Change] = [PlaceFigures(places=places(gone, keys.facing_deg))]
    changes += [*state(unit.id, moved_mm=state_of(unit).moved_mm + distance), *state_where(unit, behind=None)]
    facts: dict[str, Any] = {"unit": unit.id, "distance_mm": distance, "to_mm": list(keys.to)}
    yield from happen(Event(event="marched", facts=facts, changes=tuple(changes), rule="MM-44"))
