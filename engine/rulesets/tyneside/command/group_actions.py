"""``load``, ``join`` and ``spot``: what a group does beside moving and fighting (TY-07, TY-34, TY-45)."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.dice import Roll
from engine.errors import UnknownAction
from engine.events import AddFigures, Change, Event, RemoveFigures, SetStat, apply
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.changes import state, state_where
from engine.rulesets.tyneside.table.sight import targets_seen
from engine.rulesets.tyneside.table.spotting import spot_reasons
from engine.rulesets.tyneside.vocabulary import (
    State,
    class_of,
    figures_of,
    is_character,
    only_commands,
    state_of,
    stats_of,
    weapons,
)

__all__ = ["JoinKeys", "join", "load", "spot"]

_MOVES = ("none", "half", "full")


def load(game: Game, action: Action) -> Procedure[None]:
    """A unit that has not moved loads. Raises ActionRefused with every reason."""
    unit = game.unit(action.unit or "")
    names = {unit.weapon, stats_of(unit).second_weapon, *(figure.weapon for figure in unit.figures)}
    loads = any(weapons()[name].loads for name in names if name is not None and name in weapons())
    reasons, now = Reasons(), state_of(unit)
    reasons.add(not figures_of(unit), f"{unit.id} has no figure left", "TY-40")
    reasons.add(not loads, f"{unit.id} has no weapon that is loaded", "TY-34")
    reasons.add(now.loaded and loads, "is loaded already", "TY-34")
    text = "has thrown all his dice for command: who also loads this turn throws one fewer"
    reasons.add(only_commands(unit), text, "TY-11")
    reasons.add(now.moved != "none", "has moved this turn: loading takes a halted turn", "TY-34")
    reasons.add(now.fired, "has fired this turn: loading takes a turn of its own", "TY-34")
    return _load(game, unit, action, allow(action, reasons))


def _load(game: Game, unit: Unit, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    yield from overruled(game, action, against)
    changes = state(unit.id, loaded=True, activity="loading")
    yield from happen(Event(event="loaded", facts={"unit": unit.id}, changes=changes, rule="TY-34"))


class JoinKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"with_": "with"}):
    """The keys of ``join``: the group that the few join."""

    with_: str


def join(game: Game, action: Action, keys: JoinKeys) -> Procedure[None]:
    """A group of three or fewer joins a like one. Raises ActionRefused with every reason."""
    unit = game.unit(action.unit or "")
    if keys.with_ not in game.by_id:
        raise UnknownAction(f"join: with: expected one of {', '.join(sorted(game.by_id))}, got {keys.with_!r}")
    other = game.unit(keys.with_)
    limits, count, others = book().limits, len(figures_of(unit)), len(figures_of(other))
    reasons = Reasons()
    reasons.add(unit.id == other.id, f"{unit.id} cannot join itself", "TY-07")
    reasons.add(not count, f"{unit.id} has no figure left", "TY-40")
    reasons.add(not others, f"{other.id} has no figure left", "TY-40")
    reasons.add(count > limits.small, f"{unit.id} has {count} figures: only {limits.small} or fewer join", "TY-07")
    reasons.add(unit.side != other.side, f"{other.id} is not on {unit.id}'s side", "TY-07")
    reasons.add(unit.type != other.type, f"they are of different types: {unit.type} and {other.type}", "TY-07")
    for one in (unit, other):
        reasons.add(is_character(one), f"{one.id} is a player character and no group", "TY-08")
        reasons.add(state_of(one).hidden, f"{one.id} is hidden: reveal it first", "TY-82")
    most = limits.group[1]
    reasons.add(count + others > most, f"together they are {count + others}: at most {most}", "TY-07")
    if is_character(other):  # he is one figure, whatever the umpire says
        action = replace(action, override=False)
    return _join(game, unit, other, action, allow(action, reasons))


def _join(game: Game, unit: Unit, other: Unit, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    yield from overruled(game, action, against)
    if unit.id == other.id:
        return
    arms = unit.weapon if unit.weapon in weapons() and unit.weapon != other.weapon else None
    figures = tuple(replace(figure, weapon=figure.weapon or arms) for figure in unit.figures)
    names = tuple(figure.id for figure in figures)
    changes: tuple[Change, ...] = (
        RemoveFigures(unit=unit.id, figures=names), AddFigures(unit=other.id, figures=figures),
        *_classes(unit, other), *_together(unit, other),
    )  # fmt: skip
    facts = {"unit": unit.id, "with": other.id, "figures": list(names)}
    yield from happen(Event(event="joined", facts=facts, changes=changes, rule="TY-07"))


def _classes(unit: Unit, other: Unit) -> tuple[Change, ...]:
    """Each figure keeps the class that it had, and takes it along (TY-05)."""
    theirs = stats_of(other)
    new = {f.id: class_of(unit, f) for f in unit.figures if class_of(unit, f) != theirs.class_}
    left = (SetStat(unit=unit.id, key="classes", value={}),) if stats_of(unit).classes else ()
    if not new:
        return left
    return (*left, SetStat(unit=other.id, key="classes", value={**msgspec.to_builtins(theirs.classes), **new}))


def _together(unit: Unit, other: Unit) -> tuple[Change, ...]:
    """A joint group has done what any of its parts has done, and is ready only as far as both are."""
    one, two = state_of(unit), state_of(other)
    values: dict[str, Any] = {
        "moved": max(one.moved, two.moved, key=_MOVES.index), "loaded": one.loaded and two.loaded,
        "commanded": one.commanded and two.commanded, "fired": one.fired or two.fired,
        "may_charge": one.may_charge and two.may_charge,
        "running": one.running or two.running, "melee_retreat": one.melee_retreat or two.melee_retreat,
        "routing": one.routing or two.routing, "withdrawing": one.withdrawing or two.withdrawing,
        "activity": "loading" if "loading" in (one.activity, two.activity) else two.activity,
    }  # fmt: skip
    if one.fired:
        values["fired_with"] = _fired_with(one, two)
    return state_where(other, **values)


def _fired_with(*parts: State) -> list[str] | None:
    """The weapons that a joint group has fired this turn; None, which bars all, where a part does not say."""
    fired = [part for part in parts if part.fired]
    if any(part.fired_with is None for part in fired):
        return None
    return list(dict.fromkeys(weapon for part in fired for weapon in part.fired_with or ()))


def spot(game: Game, action: Action) -> Procedure[None]:
    """A unit looks for another in concealing ground. Raises ActionRefused with every reason."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    return _spot(game, unit, target, action, allow(action, spot_reasons(game, unit, target)))


def _spot(game: Game, unit: Unit, target: Unit, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    yield from overruled(game, action, against)
    rolled = yield from roll(Roll(purpose=f"{unit.id} looks for {target.id}", count=1, rule="TY-45"))
    seen = rolled.total * book().limits.thrown
    spotted = Event(
        event="spotted", facts={"unit": unit.id, "target": target.id, "cm": seen},
        changes=state(target.id, spotted_cm=seen), rule="TY-45",
    )  # fmt: skip
    # How far is what the dice say; whether that is far enough from here is what the player throws for.
    found = bool(targets_seen(apply(game, spotted), unit, target))
    yield from happen(replace(spotted, facts={**spotted.facts, "seen": found}))
