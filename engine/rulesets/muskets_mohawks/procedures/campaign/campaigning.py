"""The campaign's own actions: its start, and what an encounter does to it (MM-200 to MM-205, R-46, R-58)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from engine.dice import Roll
from engine.errors import UnknownAction
from engine.events import Event, SetCondition
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import (
    army_list,
    campaign_table,
    is_fiw,
    other_side,
    side_campaign,
    written,
)
from engine.rulesets.muskets_mohawks.procedures.changes import noted
from engine.rulesets.muskets_mohawks.procedures.setup.armies import armies as all_armies
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of

__all__ = ["AfterKeys", "StartKeys", "after_encounter", "campaign_start"]


class StartKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``campaign-start``."""

    year: Annotated[int, Meta(ge=1754, le=1850)]
    month: Annotated[int, Meta(ge=1, le=12)] | None = None
    previous: Mapping[str, Literal["won", "lost"]] = {}


class AfterKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``after-encounter``: the side that succeeded, or null."""

    success: str | None


def campaign_start(game: Game, action: Action, keys: StartKeys) -> Procedure[None]:
    """Begins ``campaign-start``. Raises UnknownAction for a year or a side that there is not."""
    for name in keys.previous:
        game.side(name)
    years = campaign_table("morale")["french"]
    armies = [side_campaign(game, side.name).army for side in game.sides]
    for side, army in zip(game.sides, armies, strict=True):
        if army is None:
            known = ", ".join(all_armies()[conditions_of(game).period])
            raise UnknownAction(
                f"campaign-start: nobody has said which army {side.name} is: say first how you play (agree, with"
                f" armies), or in the game's file under conditions.campaign.{side.name}.army;"
                f" expected one of {known}"
            )
        if not is_fiw(game, army) and not army_list(game, army):
            period = conditions_of(game).period
            raise UnknownAction(f"campaign-start: army {army!r}: no such army in the period {period!r}")
    if conditions_of(game).period == "fiw" and str(keys.year) not in years:
        raise UnknownAction(f"campaign-start: year: expected {min(years)} to {max(years)}, got {keys.year}")
    return _start(game, keys)


def _start(game: Game, keys: StartKeys) -> Procedure[None]:
    morale: dict[str, int] = {}
    sides: dict[str, dict[str, Any]] = {}
    for side in game.sides:
        campaign = side_campaign(game, side.name)
        change = {"won": 1, "lost": -1}.get(keys.previous.get(side.name, ""), 0)
        morale[side.name] = max(0, _starting(game, campaign.army, keys.year) + change)
        sides[side.name] = {"local_campaign_morale": morale[side.name]}
        if (
            keys.previous and conditions_of(game).evening.play
        ):  # who holds the country is rolled anew (MM-201, MM-206)
            sides[side.name] |= {"territory": None, "investment_level": None}
        if campaign.allies:
            sides[side.name]["allies"] = {army: _starting(game, army, keys.year) for army in campaign.allies}
    facts = {"year": keys.year, "morale": morale}
    changes = [written(game, **sides), SetCondition(key="year", value=keys.year)]
    changes += [SetCondition(key="month", value=keys.month)] if keys.month is not None else []
    changes += noted(game, due="scout") if keys.previous else ()
    yield from happen(Event(event="campaign-start", facts=facts, changes=tuple(changes), rule="MM-200"))


def _starting(game: Game, army: str | None, year: int) -> int:
    if army is not None and is_fiw(game, army):
        return int(campaign_table("morale")[army][str(year)])
    return int(army_list(game, army).get("morale", 0))


def after_encounter(game: Game, action: Action, keys: AfterKeys) -> Procedure[None]:
    """Begins ``after-encounter``. Raises UnknownAction where a side has no morale to test."""
    if keys.success is not None:
        game.side(keys.success)
    if len(game.sides) != 2:
        raise UnknownAction("after-encounter: expected a game of two sides")
    for side in game.sides:
        if side_campaign(game, side.name).local_campaign_morale is None:
            where = f"conditions.campaign.{side.name}.local_campaign_morale"
            raise UnknownAction(f"after-encounter: {where}: expected a whole number, found none")
    return _after(game, keys.success)


def _after(game: Game, success: str | None) -> Procedure[None]:
    passed: dict[str, int] = {}
    allies: dict[str, dict[str, int]] = {}
    for side in game.sides:
        campaign = side_campaign(game, side.name)
        bonus = 1 if success == side.name else 0
        army = campaign.army or side.name
        passed[side.name] = yield from _morale_dice(army, campaign.local_campaign_morale or 0, 2 + bonus)
        allies[side.name] = {}
        for ally in campaign.allies_present:
            level = campaign.allies.get(ally, 0)
            allies[side.name][ally] = yield from _morale_dice(ally, level, 2 + bonus)
    changes = _effects(game, passed)
    values: dict[str, dict[str, Any]] = {}
    for side in game.sides:
        loyal = _ally_changes(game, side.name, passed, allies)
        values[side.name] = _values(game, side.name, changes[side.name], loyal)
    facts = {"passed": passed, "changes": changes, "allies_passed": allies}
    over = [name for name, value in values.items() if value.get("local_campaign_morale") == 0]
    if over:
        facts["out"] = over
    changes_made = (written(game, **values), *noted(game, stage="judged"))
    yield from happen(Event(event="campaign", facts=facts, changes=changes_made, rule="MM-203"))


def _morale_dice(army: str, morale: int, dice: int) -> Procedure[int]:
    """All passes count; a 6 never passes (MM-202)."""
    success = f"<={min(morale, 5)}"
    rolled = yield from roll(Roll(purpose=f"campaign morale of {army}", count=dice, success=success, rule="MM-202"))
    return rolled.passed


def _effects(game: Game, passed: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """What the lead does, once, from the row of the side with more passes (MM-203, R-46)."""
    changes = {side: {"morale": 0, "investment": 0} for side in passed}
    one, other = passed
    lead = abs(passed[one] - passed[other])
    if lead:
        ahead, behind = (one, other) if passed[one] > passed[other] else (other, one)
        row = campaign_table("lead")["one" if lead == 1 else "two"]
        changes[ahead]["morale"] = row["own"]
        changes[behind] = {"morale": row["other"], "investment": row["level"]}
    return changes


def _ally_changes(
    game: Game, side: str, passed: Mapping[str, int], allies: Mapping[str, Mapping[str, int]]
) -> dict[str, int]:
    """An ally compares with the enemy's main army, and changes by that alone (R-46)."""
    foe = other_side(game, side)
    theirs = passed[foe] if foe is not None else 0
    return {ally: 1 if count - theirs >= 2 else -1 if count < theirs else 0 for ally, count in allies[side].items()}


def _values(game: Game, side: str, change: Mapping[str, int], allies: Mapping[str, int]) -> dict[str, Any]:
    campaign = side_campaign(game, side)
    values: dict[str, Any] = {
        "local_campaign_morale": max(0, (campaign.local_campaign_morale or 0) + change["morale"])
    }
    if campaign.investment_level is not None:
        values["investment_level"] = max(1, campaign.investment_level + change["investment"])
    if allies:
        before = {**dict.fromkeys(allies, 0), **campaign.allies}
        values["allies"] = {ally: max(0, level + allies.get(ally, 0)) for ally, level in before.items()}
    return values
