"""``next-month``: the roster is mustered for the next encounter, the table is cleared (MM-198, MM-199, MM-239)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.events import AddUnit, Change, Event, RemoveTerrain, RemoveUnit, SetCondition, SetTurn
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.base.verdicts import undecided, verdict_of
from engine.rulesets.muskets_mohawks.procedures.campaign.arrivals import in_quarters, is_winter
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import side_campaign, written
from engine.rulesets.muskets_mohawks.procedures.changes import noted
from engine.rulesets.muskets_mohawks.procedures.setup.mustering import at_edge, usual_formation
from engine.rulesets.muskets_mohawks.table.facts import is_mounted_leader
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, state_of, stats_of

__all__ = ["next_month"]

#: Where a campaign that names no month begins (MM-199: Regulars take the field in March).
_FIRST = 3
_MONTHS, _LAST_YEAR = 12, 1760


def next_month(game: Game, action: Action) -> Procedure[None]:
    """Begins ``next-month``. Raises ActionRefused while a battle is being fought, or after the war's end."""
    conditions, reasons = conditions_of(game), Reasons()
    reasons.add(_fights(game), "the battle is not over: end it first", "MM-167")
    last = conditions.period == "fiw" and conditions.year == _LAST_YEAR and conditions.month == _MONTHS
    reasons.add(last, f"the war ends with {_LAST_YEAR}", "MM-198")
    return _next(game, action, allow(action, reasons))


def _fights(game: Game) -> bool:
    """Whether a battle is being fought, also by players who have not said how they play the evening."""
    evening = conditions_of(game).evening
    if evening.play is not None and evening.stage != "before":
        return evening.stage == "battle"
    there = {unit.side for unit in game.units if _men(unit) and figures_of(unit)}
    return game.turn.active_side is not None and len(there) > 1 and verdict_of(game) is None


def _next(game: Game, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    conditions = conditions_of(game)
    after = (conditions.month or _FIRST) + 1
    month, year = (1 if after > _MONTHS else after), conditions.year
    year = year + 1 if year is not None and after > _MONTHS else year
    changes: list[Change] = [SetCondition(key="month", value=month), SetTurn(number=1, active_side=None)]
    changes += [SetCondition(key="year", value=year)] if year is not None else []
    cleared: dict[str, Any] = {"encounter": None, "weather": "clear", "weather_level": None}
    cleared |= {"snow": "none", "proposals": []}
    changes += [SetCondition(key=key, value=value) for key, value in cleared.items()]
    stood_by: dict[str, dict[str, Any]] = {
        side.name: {"allies_present": []} for side in game.sides if side_campaign(game, side.name).allies_present
    }
    changes += [written(game, **stood_by)] if stood_by else []
    changes += [RemoveTerrain(terrain=piece.id) for piece in game.terrain]
    mustered, resting, dropped = _sorted(game, month)
    changes += [RemoveUnit(unit=unit.id) for unit in (*mustered, *resting, *dropped)]
    empty = replace(game, units=())
    for unit in (*mustered, *resting):
        fresh = _fresh(unit, rests=unit in resting)
        fresh = fresh if unit in resting else at_edge(empty, fresh, _men(unit), unit)
        changes.append(AddUnit(unit=fresh))
        empty = replace(empty, units=(*empty.units, fresh))
    facts: dict[str, Any] = {"month": month, "year": year, "units": [unit.id for unit in mustered]}
    facts |= {"resting": [unit.id for unit in resting]} if resting else {}
    facts |= {"winter": True} if is_winter(game, month) else {}
    changes += undecided(game)
    changes += noted(
        game, stage="before", rolled=False, markers=False, scouted=False, seen=[], won=None, theirs=None
    )
    yield from happen(Event(event="next-month", facts=facts, changes=tuple(changes), rule="MM-198"))


def _sorted(game: Game, month: int) -> tuple[list[Unit], list[Unit], list[Unit]]:
    """Who is laid out, who stays on the roster but misses this month, who goes: the enemy that came by the dice."""
    conditions = conditions_of(game)
    program = conditions.evening.play in ("solo", "same-side")
    mustered, resting, dropped = list[Unit](), list[Unit](), list[Unit]()
    for unit in game.units:
        theirs = program and unit.side != conditions.player_side
        if theirs or unit.type in ("pef", "civilian") or not _men(unit):
            dropped.append(unit)
        elif state_of(unit).misses_month or in_quarters(game, unit.type, month):
            resting.append(unit)
        else:
            mustered.append(unit)
    return mustered, resting, dropped


def _men(unit: Unit) -> int:
    if unit.type == "leader":
        return 1
    return state_of(unit).strength or 0


def _fresh(unit: Unit, *, rests: bool) -> Unit:
    """The unit as it comes to the next encounter: what happened in the last one is over, a lent Rep given back."""
    strength = _men(unit)
    if rests and state_of(unit).misses_month:
        strength = stats_of(unit).paper_strength or strength
    now = {"strength": strength, "start_strength": strength}
    horse = {"mounted": True} if unit.type in ("cavalry", "mounted-infantry") or _rode(unit) else {}
    stats = dict(unit.stats)
    if state_of(unit).rep_lent:  # a trophy's Rep is for the rest of the game (MM-67)
        stats["rep"] = stats_of(unit).rep - 1
    rolled = {"rep_rolled": True} if state_of(unit).rep_rolled else {}
    rolled |= {"resting": True} if rests else {}
    state = {**now, **horse, **rolled}
    return replace(unit, figures=(), formation=usual_formation(unit.type), stats=stats, state=state)


def _rode(unit: Unit) -> bool:
    """Whether a Leader came to the last encounter on horseback; a horse hit there is replaced (MM-32, MM-117)."""
    now = state_of(unit)
    return unit.type == "leader" and (is_mounted_leader(unit) or now.unhorsed)
