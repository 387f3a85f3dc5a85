"""``begin-turn``: command, recovery, rally, rest, batteries, supply, bridges, releases, always in this order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

from msgspec import Struct

from engine.errors import UnknownAction
from engine.events import Change, Event, SetCondition, SetTurn
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.base.verdicts import Verdict, decided, undecided
from engine.rulesets.musket_pike.changes import state
from engine.rulesets.musket_pike.nerve.commanding import command_step
from engine.rulesets.musket_pike.nerve.recovering import disorder_step, fatigue_step, rally_step
from engine.rulesets.musket_pike.parameters import parameters_of
from engine.rulesets.musket_pike.table.board import board_of
from engine.rulesets.musket_pike.turns.serving import bridge_step, release_step, setup_step, supply_step
from engine.rulesets.musket_pike.turns.victory import Score, score
from engine.rulesets.musket_pike.vocabulary import conditions_of, state_of

__all__ = ["BeginKeys", "SideKey", "begin_turn", "end_phase", "end_turn"]

StepName = Literal["command", "disorder", "rally", "fatigue", "setup", "supply", "bridge", "release"]
_STEPS: Mapping[StepName, Callable[[Game, str], Procedure[Game]]] = {
    "command": command_step,
    "disorder": disorder_step,
    "rally": rally_step,
    "fatigue": fatigue_step,
    "setup": setup_step,
    "supply": supply_step,
    "bridge": bridge_step,
    "release": release_step,
}
#: The phases in the order of MP-14; after the last the other side's first follows.
_PHASES = ("movement", "defensive-fire", "offensive-fire", "melee")
#: What a side's units did is forgotten at the begin of its turn (section 1.2).
_FRESH: Mapping[str, object] = {
    "moved": False, "mp_used": 0, "meleed": False, "melees": 0, "charging": False, "can_continue": False,
    "continued": 0, "unlimbered_now": False, "turned_now": False,
    "taken_now": False, "halted": False,
}  # fmt: skip


class SideKey(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The key of ``end-phase`` and ``end-turn``."""

    side: str


class BeginKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``begin-turn``: whose turn, and which of its steps are taken."""

    side: str
    steps: tuple[StepName, ...] = get_args(StepName)


def begin_turn(game: Game, _action: Action, keys: BeginKeys) -> Procedure[None]:
    """A side's turn begins. Raises UnknownAction for a side that there is not."""
    _known(game, keys.side, "begin-turn")
    return _begin(game, keys)


def _known(game: Game, side: str, action: str) -> None:
    names = [one.name for one in game.sides]
    if side not in names:
        raise UnknownAction(f"{action}: side: expected one of {', '.join(names)}, got {side!r}")


def _begin(game: Game, keys: BeginKeys) -> Procedure[None]:
    game = yield from happen(_opening(game, keys.side))
    for name, step in _STEPS.items():
        if name in keys.steps:
            game = yield from step(game, keys.side)


def _opening(game: Game, side: str) -> Event:
    """The turn passes: what was done in the last one is forgotten, the weather is that of the turn."""
    number = game.turn.number + (side == game.sides[0].name)
    changes: list[Change] = [SetTurn(number=number, active_side=side)]
    troops = board_of(game).troops
    for unit in game.units:
        own = troops[unit.id].side == side if unit.id in troops else unit.side == side
        values = {"fired": False, **(_FRESH if own else {})}
        if unit.id in troops and troops[unit.id].turned_by_captors:
            values.pop("turned_now", None)  # what captors have turned stays turned
        now = state_of(unit)
        changes += state(unit.id, **{key: value for key, value in values.items() if getattr(now, key) != value})
    changes += undecided(game)
    conditions = conditions_of(game)
    if conditions.attacked:
        changes.append(SetCondition(key="attacked", value=[]))
    if conditions.mode == "phases" and conditions.phase not in (None, "movement"):
        changes.append(SetCondition(key="phase", value="movement"))
    weather = next((c.weather for c in parameters_of(game).weather_changes if c.turn == number), None)
    if weather is not None and weather != conditions.weather:
        changes.append(SetCondition(key="weather", value=weather))
    return Event(event="turn", facts={"side": side, "turn": number}, changes=tuple(changes), rule="MP-11")


def end_phase(game: Game, action: Action, keys: SideKey) -> Procedure[None]:
    """The next phase follows. Raises ActionRefused where it is another side's phase or none is kept."""
    _known(game, keys.side, "end-phase")
    phase = conditions_of(game).phase
    reasons = Reasons()
    if phase != "defensive-fire":  # that is the other side's: either may say that it is over
        reasons.extend(_not_active(game, keys.side))
    reasons.add(phase is None, "the game is not played by phases", "MP-14")
    return _end_phase(game, action, allow(action, reasons))


def _not_active(game: Game, side: str) -> Reasons:
    active, reasons = game.turn.active_side, Reasons()
    reasons.add(active not in (None, side), f"it is the turn of {active}, not of {side}", "MP-11")
    return reasons


def _end_phase(game: Game, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    now = conditions_of(game).phase or _PHASES[-1]
    following = _PHASES[(_PHASES.index(now) + 1) % len(_PHASES)]
    changes = (SetCondition(key="phase", value=following),)
    yield from happen(Event(event="phase", facts={"phase": following}, changes=changes, rule="MP-14"))


def end_turn(game: Game, action: Action, keys: SideKey) -> Procedure[None]:
    """A side's turn ends: cavalry that charged is disordered; the last turn decides the battle (MP-15, MP-103).

    Raises ActionRefused.
    """
    _known(game, keys.side, "end-turn")
    return _end_turn(game, action, keys.side, allow(action, _not_active(game, keys.side)))


def _end_turn(game: Game, action: Action, side: str, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    for troop in board_of(game).own(side):
        if troop.state.charging and troop.fights and troop.steady:
            changes = state(troop.id, disordered=True)
            event = Event(event="disordered", facts={"unit": troop.id}, changes=changes, rule="MP-103")
            game = yield from happen(event)
    turn, limit = game.turn.number, conditions_of(game).turn_limit
    game = yield from happen(Event(event="turn-ended", facts={"side": side, "turn": turn}, rule="MP-11"))
    if limit is not None and turn >= limit and side == game.sides[-1].name:
        yield from happen(_over(game, score(game)))


def _over(game: Game, found: Score) -> Event:
    """The last turn has ended: what the points of both sides come to (MP-15, MP-290)."""
    first, second = (side.name for side in game.sides)
    level, _, ahead = found.outcome.partition("-")
    won = {"a": (first,), "b": (second,)}.get(ahead, ())
    points = dict(zip((first, second), found.points, strict=True))
    why = " against ".join(f"{number:g} points for {side}" for side, number in points.items())
    verdict = Verdict(won=won, why=why, rule="MP-15", level=level if won else "", points=points)
    facts: dict[str, object] = {"outcome": found.outcome, "points": list(found.points)}
    if won:
        facts["won"] = won[0]
    return Event(event="battle-over", facts=facts, changes=decided(verdict), rule="MP-15")
