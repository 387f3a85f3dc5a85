"""The action ``fire``: a volley or fire at will, and the test that it causes (MM-93 to MM-117)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from engine.errors import UnknownAction
from engine.play import Procedure
from engine.records.action import Action
from engine.records.answer import FireOption
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.command import acts_with
from engine.rulesets.muskets_mohawks.options.fire_options import fire_option
from engine.rulesets.muskets_mohawks.procedures.charges.charge import charge_by_reaction
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import Shot, shoot_together, tests_of
from engine.rulesets.muskets_mohawks.procedures.movement.square import square_reasons
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import cause_of, take_test
from engine.rulesets.muskets_mohawks.procedures.nerve.retreat import carry_out
from engine.rulesets.muskets_mohawks.procedures.refusal import refuse_friends
from engine.rulesets.muskets_mohawks.table.facts import unit_distance_mm

__all__ = ["FireKeys", "answer_fire", "fire", "nearest_shooter", "option_of", "options_of", "reasons_apart"]


class FireKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``fire``.

    ``with``: those who fire at the target at the same time, so that it tests once (MM-63). ``form_square``: where
    the fire sends horse at one of them, it tries to form square.
    """

    mode: Literal["volley", "at-will"] | None = None
    others: tuple[str, ...] = field(default=(), name="with")
    form_square: bool = False


def fire(game: Game, action: Action, keys: FireKeys) -> Procedure[None]:
    """Begins the action. Raises ActionRefused."""
    options, reasons = options_of(game, action, keys), Reasons()
    for place, (name, option) in enumerate(options.items()):
        words = zip(option.why_not, option.why_rules, strict=True)
        reasons.extend(words if not place else ((f"{name}: {text}", row) for text, row in words))
    reasons.extend(reasons_apart(game, action, keys))
    if keys.form_square:
        against = [square_reasons(game, game.unit(action.target or ""), game.unit(name)) for name in options]
        reasons.extend(against[0] if all(against) else ())
    return _fire(game, action, options, keys, allow(action, reasons))


def reasons_apart(game: Game, action: Action, keys: FireKeys) -> Reasons:
    """Why the others do not fire at the same time as the unit: they do not act with it (MM-25, MM-31)."""
    reasons, unit = Reasons(), action.unit or ""
    mates = acts_with(game, game.unit(unit)) if keys.others else ()
    for name in keys.others:
        text = f"{name} does not act together with {unit}: they do not touch, nor does a Leader activate both"
        reasons.add(name not in mates, text, "MM-25")
    return reasons


def options_of(game: Game, action: Action, keys: FireKeys) -> dict[str, FireOption]:
    """What each unit that fires does, the acting one first. Raises UnknownAction.

    Those with it fire volleys where they may, unless all are to fire at will.
    """
    unit = action.unit or ""
    if unit in keys.others or len(set(keys.others)) < len(keys.others):
        raise UnknownAction("fire: with: expected other units, each once")
    if strangers := [name for name in keys.others if game.unit(name).side != game.unit(unit).side]:
        raise UnknownAction(f"fire: with: expected units of its side, got {', '.join(strangers)}")
    mode = keys.mode if keys.mode == "at-will" else None
    found = {unit: option_of(game, action, keys.mode)}
    return found | {name: option_of(game, replace(action, unit=name), mode) for name in keys.others}


def option_of(game: Game, action: Action, mode: str | None) -> FireOption:
    """The option that the action takes: a volley where none is named and it is allowed. Raises UnknownAction."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    refuse_friends(unit, target)
    if mode is not None:
        return fire_option(game, unit, target, mode)
    volley = fire_option(game, unit, target, "volley")
    return volley if volley.legal else fire_option(game, unit, target, "at-will")


def _fire(
    game: Game, action: Action, options: dict[str, FireOption], keys: FireKeys, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    target = action.target or ""
    cause = nearest_shooter(game, target, options)
    shot = yield from shoot_together(game, target, options, active=True)
    alone = len(options) == 1
    able = alone or not square_reasons(game, game.unit(target), game.unit(cause))
    yield from answer_fire(shot, target, cause, alone=alone, form_square=keys.form_square and able)


def nearest_shooter(game: Game, target: str, shooters: Iterable[str]) -> str:
    """Of those who fire at a target the nearest, who is the cause of its test."""
    foe = game.unit(target)
    return min(shooters, key=lambda name: round(unit_distance_mm(game, game.unit(name), foe) or 0.0, 6))


def answer_fire(
    shot: Shot, target: str, shooter: str, *, alone: bool = False, form_square: bool = False
) -> Procedure[Game]:
    """The target's test after it was fired at, and what it does then; ``alone``: nobody else was fired at.

    ``form_square``: the shooter tries to form square if the target charges it.
    """
    game = shot.game
    if shot.destroyed:
        return game
    cause = cause_of(game, shooter)
    tests = tests_of(shot.fallen, shot.leader_lost, fired_at=True)
    left = tuple((figure.id, figure.mounted) for figure in game.unit(target).figures)
    so_far = (shot.fallen, shot.leader_lost, left) if alone else None
    tested = yield from take_test(game, target, tests, cause, fired_at=True, so_far=so_far)
    if tested.result == "charge":
        return (yield from charge_by_reaction(tested.game, target, shooter, form_square=form_square))
    return (yield from carry_out(tested.game, target, tested.result, cause, fired_at=True))
