"""``leave-field`` and ``had-enough``: a unit goes off by its own edge; a player breaks off (MM-166, MM-232)."""

from __future__ import annotations

from typing import Any

from engine.events import Change, Event, RemoveFigures
from engine.geometry.moving.moves import gap_between, moved, room_to_edge
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import at_most
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Edge, Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.fire_reasons import holding_markers
from engine.rulesets.muskets_mohawks.procedures.campaign.encounters import SideKeys
from engine.rulesets.muskets_mohawks.procedures.changes import loosed, parted, state
from engine.rulesets.muskets_mohawks.procedures.refusal import unable_to_act
from engine.rulesets.muskets_mohawks.table.facts import normal_move_mm
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, formation_of, leader_of, state_of
from engine.rulesets.muskets_mohawks.wording import length

__all__ = ["gone_off", "had_enough", "leave_field", "nearing_reasons", "reasons_to_stay", "to_own_edge_mm"]

#: The way to each edge.
OUT: dict[Edge, tuple[float, float]] = {
    "south": (0.0, -1.0), "north": (0.0, 1.0), "west": (-1.0, 0.0), "east": (1.0, 0.0),
}  # fmt: skip
#: So much nearer who goes sideways may come to an enemy: figures are not placed more finely.
_SIDESTEP_MM = 1.0


def to_own_edge_mm(game: Game, unit: Unit) -> float:
    """How far the unit's nearest figure has to its side's edge."""
    return room_to_edge(figures_of(unit), OUT[game.side(unit.side).edge], game.table)


def leave_field(game: Game, action: Action) -> Procedure[None]:
    """Begins ``leave-field``: off by the own edge, with what is left of the move. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    return _leave(game, action, unit, allow(action, reasons_to_stay(game, unit)))


def reasons_to_stay(game: Game, unit: Unit) -> Reasons:
    """Why a unit may not go off by its own edge in this activation."""
    reasons, now = unable_to_act(unit), state_of(unit)
    reasons.add(unit.type == "pef", "a marker does not leave: it is turned over", "MM-223")
    reasons.add(holding_markers(unit) > 0, "not loaded: it may not move", "MM-111")
    reasons.add(formation_of(unit) == "square", "a square cannot move", "MM-246")
    reasons.add(now.prone, "prone: it may only stand up", "MM-50")
    reasons.add(now.retiring, "retiring: it has to rally first", "MM-56")
    reasons.add(now.taking_trophies, "spends this activation taking trophies", "MM-67")
    reasons.add(now.in_building is not None, f"in {now.in_building}: it comes out first", "MM-171")
    if figures_of(unit):
        left, way = max(0.0, normal_move_mm(game, unit) - now.moved_mm), to_own_edge_mm(game, unit)
        text = f"its own edge is {length(way)} away, and it may move {length(left)}"
        reasons.add(not at_most(way, left), text, "MM-166")
    return reasons


def _leave(game: Game, action: Action, unit: Unit, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    facts = {"unit": unit.id, "edge": game.side(unit.side).edge}
    yield from happen(Event(event="left-field", facts=facts, changes=gone_off(game, unit), rule="MM-166"))


def gone_off(game: Game, unit: Unit) -> tuple[Change, ...]:
    """The unit's figures leave the table; the roster keeps their number, and whether their Leader was with them."""
    figures = figures_of(unit)
    taken = figures if state_of(unit).left_gun else unit.figures  # a gun that its crew left stays
    kept: dict[str, Any] = {"strength": len(figures), "left_field": True, "activated": True}
    kept |= {"leaderless": True} if leader_of(unit) is None and unit.type != "leader" else {}
    going = RemoveFigures(unit=unit.id, figures=tuple(figure.id for figure in taken))
    return (*state(unit.id, **kept), *loosed(game, unit), *parted(game, unit), going)


def had_enough(game: Game, action: Action, keys: SideKeys) -> Procedure[None]:
    """Begins ``had-enough``: the side but returns fire, and charges no more. Raises ActionRefused."""
    game.side(keys.side)
    units = [unit for unit in game.units if unit.side == keys.side and figures_of(unit) and unit.type != "pef"]
    reasons = Reasons()
    reasons.add(not units, f"{keys.side} has nobody on the table", "MM-166")
    reasons.add(
        bool(units) and all(state_of(u).had_enough for u in units), f"{keys.side} is leaving already", "MM-166"
    )
    changes = tuple(change for unit in units for change in _leaving(game, unit))
    facts = {"side": keys.side, "edge": game.side(keys.side).edge}
    event = Event(event="had-enough", facts=facts, changes=changes, rule="MM-166")
    return _enough(game, action, event, allow(action, reasons))


def _leaving(game: Game, unit: Unit) -> tuple[Change, ...]:
    """A unit has had enough; who is firing at it by then goes on, and it may return that."""
    at_it = [foe.id for foe in game.enemies(unit) if state_of(foe).firing_at == unit.id and figures_of(foe)]
    returned = dict.fromkeys(at_it, game.turn.number)
    return (*state(unit.id, had_enough=True), *(state(unit.id, fired_on_by=returned) if at_it else ()))


def nearing_reasons(game: Game, unit: Unit, way: tuple[Vector, float]) -> Reasons:
    """Why a unit whose side has had enough does not go that way: it goes always away from the enemy (MM-166)."""
    reasons, figures = Reasons(), figures_of(unit)
    if not state_of(unit).had_enough:
        return reasons
    gone = moved(figures, *way)
    for foe in game.enemies(unit):
        was, then = gap_between(figures, figures_of(foe)), gap_between(gone, figures_of(foe))
        if foe.type != "pef" and was is not None and then is not None:
            nearer = not at_most(was.distance_mm, then.distance_mm + _SIDESTEP_MM)
            reasons.add(nearer, f"has had enough: it goes away from {foe.id}, and no nearer to it", "MM-166")
    return reasons


def _enough(game: Game, action: Action, event: Event, against: tuple[str, ...]) -> Procedure[None]:
    yield from overruled(game, action, against)
    yield from happen(event)
