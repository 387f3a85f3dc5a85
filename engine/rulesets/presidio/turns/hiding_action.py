"""``hide``, ``spot`` and ``ambush``: units that are but markers, how they are found and strike (PR-430, PR-431)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event, SetUnit
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.acting import able
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.changes import spent, state
from engine.rulesets.presidio.table.covering import cover_of, rank
from engine.rulesets.presidio.table.field import on_table
from engine.rulesets.presidio.table.sight import sees, view_of
from engine.rulesets.presidio.table.sorts import class_of
from engine.rulesets.presidio.units.leading import leadership
from engine.rulesets.presidio.vocabulary import conditions_of, state_of, stats_of

__all__ = ["SpotKeys", "ambush", "hide", "search_bonus", "shown", "spot"]

Laid = Literal["line", "extended-line", "skirmish", "column"]


class SpotKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``spot``: how a unit that is found is laid out."""

    formation: Laid = "skirmish"


def search_bonus(game: Game, action: Literal["spot", "sentry"]) -> int:
    """What is added to a searcher's die in the dark (PR-821, R-32)."""
    conditions = conditions_of(game)
    if conditions.light == "day" or conditions.options.search_dm not in ("both", action):
        return 0
    return book().search["full" if conditions.light == "dusk" else conditions.moon]


def shown(unit: Unit, formation: str) -> tuple[Change, ...]:
    """A hidden unit stands on the table, in a formation; guns and wagons in the one that they have."""
    own = {"artillery": "unlimbered", "vehicle": "column"}.get(class_of(unit), formation)
    return (*state(unit.id, hidden=False), SetUnit(unit=unit.id, key="formation", value=own))


def hide(game: Game, action: Action) -> Procedure[None]:
    """A unit that no enemy sees becomes a marker (PR-430). Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons = Reasons()
    reasons.add(not on_table(unit), f"{unit.id} has no figures on the table", "PR-430")
    reasons.add(state_of(unit).hidden, f"{unit.id} is hidden already", "PR-430")
    reasons.add(bool(state_of(unit).engaged_with), f"{unit.id} is in melee", "PR-430")
    for enemy in game.enemies(unit):
        seen = on_table(enemy) and on_table(unit) and not state_of(enemy).hidden and sees(game, enemy, unit)
        reasons.add(seen, f"{enemy.id} sees it", "PR-430")
    return _hide(game, unit, action, allow(action, reasons))


def _hide(game: Game, unit: Unit, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    yield from overruled(game, action, against)
    changes: tuple[Change, ...] = (
        *state(unit.id, hidden=True),
        SetUnit(unit=unit.id, key="formation", value="hidden"),
    )
    yield from happen(Event(event="hidden", facts={"unit": unit.id}, changes=changes, rule="PR-430"))


def spot(game: Game, action: Action, keys: SpotKeys) -> Procedure[None]:
    """A unit looks for a hidden one: a die with Recon against one with Camou and cover (PR-430)."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    reasons = Reasons()
    reasons.add(unit.side == target.side, f"{target.id} is on the same side as {unit.id}", "PR-430")
    reasons.add(not state_of(target).hidden, f"{target.id} is not hidden", "PR-430")
    reasons.add(not on_table(unit), f"{unit.id} has no figures on the table", "PR-430")
    reasons.add(not on_table(target), f"{target.id} has no figures on the table", "PR-430")
    if on_table(unit) and on_table(target) and not sees(game, unit, target):
        reasons.extend(view_of(game, unit, target).why)
    return _spot(game, unit, target, keys, action, allow(action, reasons))


def _spot(
    game: Game, unit: Unit, target: Unit, keys: SpotKeys, action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    searcher = (yield from roll(Roll(purpose=f"{unit.id} searches", count=1, rule="PR-430"))).total
    hider = (yield from roll(Roll(purpose=f"{target.id} hides", count=1, rule="PR-430"))).total
    searched = searcher + stats_of(unit).recon + search_bonus(game, "spot")
    hid = hider + stats_of(target).camou + rank(cover_of(game, unit, target).name)
    facts = {"unit": target.id, "by": unit.id, "searched": searched, "hid": hid}
    if searched >= hid:
        changes = (*spent(unit, 0), *shown(target, keys.formation))
        yield from happen(Event(event="spotted", facts=facts, changes=changes, rule="PR-430"))
    else:
        yield from happen(Event(event="stayed-hidden", facts=facts, changes=spent(unit, 0), rule="PR-430"))


def ambush(game: Game, action: Action) -> Procedure[None]:
    """A hidden unit rises to strike; who holds two actions may be quicker (PR-431). Raises ActionRefused."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    reasons = able(unit, 1, "PR-431")
    reasons.add(unit.side == target.side, f"{target.id} is on the same side as {unit.id}", "PR-431")
    reasons.add(not state_of(unit).hidden, f"{unit.id} is not hidden", "PR-431")
    reasons.add(not on_table(target), f"{target.id} has no figures on the table", "PR-431")
    return _ambush(game, unit, target, action, allow(action, reasons))


def _ambush(game: Game, unit: Unit, target: Unit, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    held, first = state_of(target).held, unit.id
    if held >= 2:
        mine = (yield from roll(Roll(purpose=f"{unit.id} springs its ambush", count=1, rule="PR-431"))).total
        theirs = (yield from roll(Roll(purpose=f"{target.id} is on its guard", count=1, rule="PR-431"))).total
        if theirs + leadership(game, target.side) > mine + leadership(game, unit.side):
            first = target.id
    choices = {0: "neither takes cover nor shoots", 1: "takes cover or shoots at the same time"}
    facts = {"unit": unit.id, "target": target.id, "first": first, "victim": choices.get(held, "shoots too")}
    changes = (*spent(unit, 1), *shown(unit, "skirmish"))
    yield from happen(Event(event="ambush", facts=facts, changes=changes, rule="PR-431"))
