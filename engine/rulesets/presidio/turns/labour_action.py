"""``build`` and ``combine``: works of what lies about, and two units made one (PR-326, PR-327)."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from engine.dice import Roll
from engine.errors import UnknownAction
from engine.events import AddFigures, Change, Event, RemoveFigures, SetStat
from engine.geometry.cover import base_gaps
from engine.geometry.plane.tolerance import MM
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.presidio.acting import able
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.changes import spent, state, state_where
from engine.rulesets.presidio.table.field import field_of, on_table
from engine.rulesets.presidio.units.arms import carries
from engine.rulesets.presidio.units.leading import officer_of, officer_over
from engine.rulesets.presidio.vocabulary import Arms, figures_of, state_of, stats_of

__all__ = ["BuildKeys", "CombineKeys", "build", "combine"]

_LABOUR = {"incidental": 2, "partial": 4}
_COMBINING = 4
#: Up to that score there is enough to build with (PR-327).
_ENOUGH = 3


class BuildKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"class_": "class"}):
    """The keys of ``build``: what class of cover is to come of it."""

    class_: Literal["incidental", "partial"] = "incidental"


class CombineKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"with_": "with"}):
    """The keys of ``combine``: the unit that joins."""

    with_: str


def build(game: Game, action: Action, keys: BuildKeys) -> Procedure[None]:
    """A unit works at cover for itself, over as many actions as it has left and needs (PR-327)."""
    unit = game.unit(action.unit or "")
    needed = _LABOUR[keys.class_] - state_of(unit).works_actions
    reasons = able(unit, 1, "PR-327")
    reasons.add(needed <= 0, f"has {keys.class_} works already", "PR-327")
    reasons.add(bool(state_of(unit).engaged_with), "is in melee", "PR-327")
    return _build(game, unit, needed, action, allow(action, reasons))


def _build(game: Game, unit: Unit, needed: int, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    now = state_of(unit)
    if not now.works_actions and not _material_near(game, unit):
        rolled = yield from roll(Roll(purpose=f"{unit.id} looks for material", count=1, rule="PR-327"))
        if rolled.total > _ENOUGH:
            none = {"unit": unit.id, "class": None, "enough": False}
            yield from happen(Event(event="works", facts=none, changes=spent(unit, 1), rule="PR-327"))
            return
    done = max(min(now.actions_left, needed), 0)
    labour = now.works_actions + done
    reached = next((name for name in ("partial", "incidental") if labour >= _LABOUR[name]), None)
    changes = (*spent(unit, done), *state(unit.id, works_actions=labour, works=reached))
    facts: dict[str, object] = {"unit": unit.id, "class": reached, "enough": True, "labour": labour}
    yield from happen(Event(event="works", facts=facts, changes=changes, rule="PR-327"))


def _material_near(game: Game, unit: Unit) -> bool:
    """Whether woods, rocks, houses or the like lie within 2 in, so that there is no doubt of material."""
    field = field_of(game)
    which = [number for number, patch in enumerate(field.patches) if patch.ground.material]
    gaps = base_gaps(field.bases.pick(field.of_unit[unit.id]), field.pieces.pick(which))
    return bool((gaps <= book().mm("material") + MM).any())


def combine(game: Game, action: Action, keys: CombineKeys) -> Procedure[None]:
    """Two units of a side become one under an officer, over four actions (PR-326). Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    if keys.with_ not in game.by_id or keys.with_ == unit.id:
        raise UnknownAction(f"combine: with: expected another unit of the game, got {keys.with_!r}")
    other = game.unit(keys.with_)
    reasons = able(unit, 1, "PR-326")
    reasons.add(unit.side != other.side, f"{other.id} is of another side", "PR-326")
    reasons.add(not on_table(other), f"{other.id} has no figures on the table", "PR-326")
    officer = on_table(unit) and on_table(other) and max(officer_over(game, one) for one in (unit, other)) > 0
    reasons.add(not officer, "no officer is with them", "PR-326")
    for one in (unit, other):
        now = state_of(one)
        reasons.add(now.hidden, f"{one.id} is hidden", "PR-430")
        lost = now.morale in ("panicked", "surrendered")
        reasons.add(lost and one is other, f"{one.id} has {now.morale}", "PR-326")
        reasons.add(bool(state_of(one).engaged_with), f"{one.id} is in melee", "PR-326")
    return _combine(game, unit, other, action, allow(action, reasons))


def _combine(game: Game, unit: Unit, other: Unit, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    now = state_of(unit)
    begun = now.drill_actions if now.drill in (None, other.id) else 0
    done = min(now.actions_left, _COMBINING - begun)
    drilled = begun + done
    facts = {"unit": unit.id, "with": other.id}
    if drilled < _COMBINING and not against:
        changes: tuple[Change, ...] = (*spent(unit, done), *state(unit.id, drill_actions=drilled, drill=other.id))
        left = {**facts, "left": _COMBINING - drilled}
        yield from happen(Event(event="drilling", facts=left, changes=changes, rule="PR-326"))
        return
    joining, leader = figures_of(other), officer_of(game, unit, other)
    officer = None if leader is None or leader.id in (unit.id, other.id) else leader.id
    changes = (
        *spent(unit, done),
        RemoveFigures(unit=other.id, figures=tuple(figure.id for figure in joining)),
        AddFigures(unit=unit.id, figures=joining),
        SetStat(unit=unit.id, key="morale", value="inexperienced"),
        *_armed(unit, other),
        *state(unit.id, casualties=0, casualties_ignored=0, level_bonus=0, drill_actions=0),
        *_brought(unit, other),
        *state_where(unit, officer=officer),
        *state(other.id, actions_left=0, held=0),
    )
    yield from happen(Event(event="combined", facts=facts, changes=changes, rule="PR-326"))


def _armed(unit: Unit, other: Unit) -> tuple[Change, ...]:
    """Those who join keep their weapons: what is not the main one is listed with who carries it (PR-326)."""
    joining, listed = figures_of(other), [*stats_of(unit).arms, *stats_of(other).arms]
    theirs = tuple(one.id for one in joining if one.weapon is None and carries(other, one, other.weapon))
    if theirs and other.weapon not in (unit.weapon, "none"):
        listed.append(Arms(weapon=other.weapon, figures=theirs))
    if len(listed) == len(stats_of(unit).arms):
        return ()
    return (SetStat(unit=unit.id, key="arms", value=msgspec.to_builtins(listed)),)


def _brought(unit: Unit, other: Unit) -> tuple[Change, ...]:
    """What both units had is the new one's: plunder, men without horses, the loading to do; an officer leads it."""
    mine, theirs = state_of(unit), state_of(other)
    return state_where(
        unit, drill=None, leader_lost=False, leaderless=False, plunder=mine.plunder + theirs.plunder,
        carrying=mine.carrying or theirs.carrying, horseless=mine.horseless + theirs.horseless,
        reload_left=max(mine.reload_left, theirs.reload_left),
    )  # fmt: skip
