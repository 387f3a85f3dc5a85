"""``initiative``, ``end-turn`` and ``hold``: who goes first, what a new turn gives, actions put aside."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event, RemoveFigures, SetTurn
from engine.geometry.plane.tolerance import at_most
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.changes import state, state_where
from engine.rulesets.presidio.nerve.giving_ground import parted
from engine.rulesets.presidio.table.field import on_table, units_apart
from engine.rulesets.presidio.units.leading import leadership
from engine.rulesets.presidio.vocabulary import figures_of, is_artillery, state_of

__all__ = ["ACTIONS", "HoldKeys", "end_turn", "hold", "initiative", "turn_order"]

#: How many actions a unit has in a turn (PR-207).
ACTIONS = 2


class HoldKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``hold``: how many actions are put aside."""

    actions: Literal[1, 2] = 1


def initiative(game: Game, action: Action) -> Procedure[None]:
    """A die and the leadership of each side say in which order they act; a tie is rolled again (PR-206)."""
    scores: dict[str, int] = {}
    while len(set(scores.values())) < len(game.sides):
        for side in game.sides:
            rolled = yield from roll(Roll(purpose=f"initiative of {side.name}", count=1, rule="PR-206"))
            scores[side.name] = rolled.total + leadership(game, side.name)
    order = sorted(scores, key=lambda name: -scores[name])
    changes: list[Change] = [SetTurn(number=game.turn.number, active_side=order[0])]
    for unit in game.units:
        changes += state(unit.id, initiative=scores[unit.side])
    facts = {"order": order, "scores": scores}
    yield from happen(Event(event="initiative", facts=facts, changes=tuple(changes), rule="PR-206"))


def turn_order(game: Game) -> list[str]:
    """The sides as initiative has them act; in the game's order until it has been rolled (PR-206)."""
    scores = {unit.side: state_of(unit).initiative or 0 for unit in game.units}
    return sorted((side.name for side in game.sides), key=lambda name: -scores.get(name, 0))


def end_turn(game: Game, action: Action) -> Procedure[None]:
    """Every unit has its actions again, less those that it is stunned for; what held for the turn is over."""
    for unit in [unit for unit in game.units if _forsaken(game, unit)]:
        game = yield from happen(_broken_up(game, unit))
    changes: list[Change] = [SetTurn(number=game.turn.number + 1, active_side=game.turn.active_side)]
    for unit in game.units:
        changes += _fresh(unit)
    facts = {"turn": game.turn.number + 1}
    yield from happen(Event(event="turn-ended", facts=facts, changes=tuple(changes), rule="PR-207"))


def _broken_up(game: Game, unit: Unit) -> Event:
    """Its men leave the table, and whatever melee they were in."""
    gone = RemoveFigures(unit=unit.id, figures=tuple(figure.id for figure in unit.figures))
    changes: tuple[Change, ...] = (gone, *state(unit.id, officer=None), *parted(game, unit))
    facts = {"unit": unit.id, "officer": state_of(unit).officer}
    return Event(event="disintegrated", facts=facts, changes=changes, rule="PR-326")


def _forsaken(game: Game, unit: Unit) -> bool:
    """Whether the officer who made a unit out of two has left it; who has fallen has not (PR-326)."""
    officer = game.by_id.get(state_of(unit).officer or "")
    if officer is None or not on_table(unit) or not figures_of(officer):
        return False
    apart = units_apart(game, unit, officer)
    return apart is None or not at_most(apart.distance_mm, book().mm("command"))


def _fresh(unit: Unit) -> tuple[Change, ...]:
    now = state_of(unit)
    lost = min(now.stunned, ACTIONS)
    left = 0 if now.morale in ("surrendered", "off-board") else ACTIONS - lost
    return (
        *state(
            unit.id, actions_left=left, stunned=now.stunned - lost, held=0, moved=None, failed=None,
            initiative=None, evading=False, taking_cover=False, hunkered=False, covered_reload=False,
            charging=False,
        ),
        *state_where(unit, fired_moving=False, fire_paid=False, reforms=0, stood_at=(), closed_up=()),
    )  # fmt: skip


def hold(game: Game, action: Action, keys: HoldKeys) -> Procedure[None]:
    """A unit puts actions aside, to react with (PR-208, PR-209). Raises ActionRefused with every reason."""
    unit = game.unit(action.unit or "")
    reasons, now = Reasons(), state_of(unit)
    reasons.add(not on_table(unit), f"{unit.id} has no figures on the table", "PR-208")
    reasons.add(now.morale in ("panicked", "surrendered"), f"{unit.id} has {now.morale}", "PR-203")
    short = f"needs {keys.actions} action{'s' * (keys.actions > 1)}, has {now.actions_left or 'none'} left"
    reasons.add(now.actions_left < keys.actions, short, "PR-208")
    lost = now.initiative is not None and any(
        (state_of(foe).initiative or 0) > now.initiative for foe in game.enemies(unit)
    )
    reasons.add(keys.actions == ACTIONS and lost, "only the side with the initiative holds both actions", "PR-208")
    lit = is_artillery(unit) and now.ammo == "shell" and now.reload_left == 0
    reasons.add(lit, f"{unit.id} has a shell loaded: it is fired at once", "PR-902")
    return _hold(game, unit, keys, action, allow(action, reasons))


def _hold(game: Game, unit: Unit, keys: HoldKeys, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    yield from overruled(game, action, against)
    facts = {"unit": unit.id, "actions": keys.actions}
    rule = "PR-208" if keys.actions == ACTIONS else "PR-209"
    left = state_of(unit).actions_left
    changes = state(unit.id, actions_left=left, held=min(keys.actions, left))
    yield from happen(Event(event="held", facts=facts, changes=changes, rule=rule))
