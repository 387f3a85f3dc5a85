"""``fire``: a d8 for each shot, then whom each hit strikes and how badly (TY-30 to TY-40)."""

from __future__ import annotations

from itertools import groupby

from msgspec import Struct

from engine.dice import Roll
from engine.errors import UnknownAction
from engine.events import Change, Event
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.answer import FireOption
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.tyneside.book import Harm, book
from engine.rulesets.tyneside.changes import state
from engine.rulesets.tyneside.fire.firing import fire_option
from engine.rulesets.tyneside.fire.harming import harm
from engine.rulesets.tyneside.vocabulary import is_character, state_of, stats_of, weapon_of, weapons

__all__ = ["FireKeys", "Shots", "fire", "harm_by", "option_at", "shots_of"]


class FireKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``fire``: which weapon (the unit's own), and at which figure a player character aims."""

    weapon: str | None = None
    figure: str | None = None


class Shots(Struct, frozen=True, kw_only=True):
    """Shots of figures of one class in a row: how many, what the class adds, and what a die must show."""

    count: int
    add: int
    success: str


def fire(game: Game, action: Action, keys: FireKeys) -> Procedure[None]:
    """A unit fires at another. Raises ActionRefused with every reason."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    option, reasons = option_at(game, unit, target, keys)
    return _fire(game, unit, target, option, keys.figure, action, allow(action, reasons, option.why_rules))


def option_at(game: Game, unit: Unit, target: Unit, keys: FireKeys) -> tuple[FireOption, list[str]]:
    """A unit's fire at another, and everything that speaks against it.

    Raises UnknownAction for a weapon that it has not, or a figure that there is not.
    """
    carried = [
        name for name in (unit.weapon, stats_of(unit).second_weapon, *(f.weapon for f in unit.figures)) if name
    ]
    if keys.weapon is not None and keys.weapon not in carried:
        raise UnknownAction(
            f"fire: weapon: expected one of {', '.join(dict.fromkeys(carried))}, got {keys.weapon!r}"
        )
    known = [figure.id for other in game.units for figure in other.figures]
    if keys.figure is not None and keys.figure not in known:
        raise UnknownAction(f"fire: figure: expected a figure on the table, got {keys.figure!r}")
    option = fire_option(game, unit, target, weapon=keys.weapon, figure=keys.figure)
    reasons = list(option.why_not)
    if unit.side == target.side:
        reasons.append(f"{target.id} is on the same side as {unit.id}")
    return option, reasons


def _fire(
    game: Game, unit: Unit, target: Unit, option: FireOption, figure: str | None, action: Action,
    against: tuple[str, ...],
) -> Procedure[None]:  # fmt: skip
    game = yield from overruled(game, action, against)
    weapon = str(option.extra["weapon"])
    if weapon not in weapons():
        return
    struck_by: list[int] = []
    shots = shots_of(option)
    for part in shots:
        purpose = f"{unit.id} fires at {target.id}"
        rolled = yield from roll(
            Roll(purpose=purpose, count=part.count, die="d8", success=part.success, rule="TY-30")
        )
        struck_by += [part.add] * rolled.passed
    facts = {
        "unit": unit.id, "target": target.id, "weapon": weapon, "shots": sum(part.count for part in shots),
        "hits": len(struck_by),
    }  # fmt: skip
    game = yield from happen(Event(event="fire", facts=facts, changes=_spent(unit, weapon), rule="TY-32"))
    if not struck_by:
        return
    facts = {"unit": target.id, "hits": len(struck_by), "by": unit.id}
    game = yield from happen(Event(event="hit", facts=facts, rule="TY-38"))
    names = [figure] if figure is not None else list(option.targets_seen)
    for add in struck_by:
        game = yield from _strike(game, names, add, weapon_of(unit, weapon).family)


def shots_of(option: FireOption) -> tuple[Shots, ...]:
    """The shots in the order of the figures, in runs of one class: each throws by his own (TY-31)."""
    if option.roll is None:
        return ()
    adds: list[int] = option.roll.extra.get("adds", [option.roll.extra["add"]] * option.roll.count)
    need = int((option.roll.success or ">=9").removeprefix(">="))
    return tuple(Shots(count=len(list(run)), add=add, success=f">={need - add}") for add, run in groupby(adds))


def _spent(unit: Unit, weapon: str) -> tuple[Change, ...]:
    """What firing leaves in the unit's state: it has shown itself, and those commanded must load again (TR-18)."""
    fired = dict.fromkeys((*(state_of(unit).fired_with or ()), weapon))
    changes: tuple[Change, ...] = state(unit.id, fired=True, fired_with=list(fired))
    if weapon_of(unit, weapon).loads and state_of(unit).commanded:
        changes += state(unit.id, loaded=False)
    if is_character(unit):
        changes += state(unit.id, activity="firing")
    return changes


def _strike(game: Game, names: list[str], add: int, family: str) -> Procedure[Game]:
    """One hit: on whom of those not yet killed it falls, and what it does (TY-38, TY-39)."""
    standing = [(unit, figure) for unit in game.units for figure in unit.figures if figure.id in names]
    if not standing:
        return game
    unit, figure = standing[0]
    if len(standing) > 1:
        picked = yield from roll(
            Roll(purpose="whom the hit strikes", count=1, die=f"d{len(standing)}", rule="TY-38")
        )
        unit, figure = standing[picked.total - 1]
    rolled = yield from roll(Roll(purpose=f"the hit on {figure.id}", count=1, rule="TY-39"))
    return (yield from harm(game, unit.id, figure.id, harm_by(rolled.total, add, family), "TY-39"))


def harm_by(die: int, add: int, family: str) -> Harm:
    """What a hit does, by its die, what the shooter's class adds, and the weapon's family (TY-39, TR-16).

    >>> harm_by(5, 0, "gunpowder"), harm_by(5, 0, "bow-spear"), harm_by(1, -1, "other")
    ('kill', 'wound', 'graze')
    """
    return book().harm[family][min(6, max(1, die + add)) - 1]
