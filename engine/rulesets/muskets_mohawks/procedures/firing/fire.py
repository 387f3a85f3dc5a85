"""The action ``fire``: a volley or fire at will, and the test that it causes (MM-93 to MM-117)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.play import Procedure
from engine.records.action import Action
from engine.records.answer import FireOption
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.fire_options import fire_option
from engine.rulesets.muskets_mohawks.procedures.charges.charge import charge_by_reaction
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import Shot, shoot, tests_of
from engine.rulesets.muskets_mohawks.procedures.movement.square import square_reasons
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import cause_of, take_test
from engine.rulesets.muskets_mohawks.procedures.nerve.retreat import carry_out
from engine.rulesets.muskets_mohawks.procedures.refusal import refuse_friends

__all__ = ["FireKeys", "answer_fire", "fire", "option_of"]


class FireKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``fire``; ``form_square``: where the fire sends horse at the unit, it tries to form square."""

    mode: Literal["volley", "at-will"] | None = None
    form_square: bool = False


def fire(game: Game, action: Action, keys: FireKeys) -> Procedure[None]:
    """Begins the action. Raises ActionRefused."""
    option, reasons = option_of(game, action, keys.mode), Reasons()
    reasons.extend(zip(option.why_not, option.why_rules, strict=True))
    if keys.form_square:
        reasons.extend(square_reasons(game, game.unit(option.target), game.unit(action.unit or "")))
    return _fire(game, action, option, keys, allow(action, reasons))


def option_of(game: Game, action: Action, mode: str | None) -> FireOption:
    """The option that the action takes: a volley where none is named and it is allowed. Raises UnknownAction."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    refuse_friends(unit, target)
    if mode is not None:
        return fire_option(game, unit, target, mode)
    volley = fire_option(game, unit, target, "volley")
    return volley if volley.legal else fire_option(game, unit, target, "at-will")


def _fire(
    game: Game, action: Action, option: FireOption, keys: FireKeys, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    assert action.unit is not None
    shot = yield from shoot(game, action.unit, option.target, option, active=True)
    yield from answer_fire(shot, option.target, action.unit, alone=True, form_square=keys.form_square)


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
