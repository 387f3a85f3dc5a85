"""The action ``fire``: a volley or fire at will, and the test that it causes (MM-93 to MM-117)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from engine.play import Procedure
from engine.records.action import Action
from engine.records.answer import FireOption
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.fire_options import fire_option
from engine.rulesets.muskets_mohawks.procedures.charges.charge import charge_by_reaction
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import Shot, tests_of
from engine.rulesets.muskets_mohawks.procedures.firing.together import (
    legal_or_last,
    options_with,
    reasons_with,
    shoot_together,
)
from engine.rulesets.muskets_mohawks.procedures.movement.square import square_reasons
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import cause_of, take_test
from engine.rulesets.muskets_mohawks.procedures.nerve.retreat import carry_out
from engine.rulesets.muskets_mohawks.procedures.refusal import refuse_friends

__all__ = ["FireKeys", "answer_fire", "fire", "option_of", "options_of"]


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
    (unit, option), *others = options.items()
    reasons.extend(zip(option.why_not, option.why_rules, strict=True))
    reasons.extend(reasons_with(game, game.unit(unit), dict(others)))
    if keys.form_square:
        against = [square_reasons(game, game.unit(action.target or ""), game.unit(name)) for name in options]
        reasons.extend(against[0] if all(against) else ())
    return _fire(game, action, options, keys, allow(action, reasons))


def options_of(game: Game, action: Action, keys: FireKeys) -> dict[str, FireOption]:
    """What each unit that fires does, the acting one first. Raises UnknownAction."""
    option, unit = option_of(game, action, keys.mode), game.unit(action.unit or "")
    target, at_will = game.unit(option.target), keys.mode == "at-will"
    return {unit.id: option, **options_with(game, unit, target, keys.others, at_will=at_will)}


def option_of(game: Game, action: Action, mode: str | None) -> FireOption:
    """The option that the action takes: a volley where none is named and it is allowed. Raises UnknownAction."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    refuse_friends(unit, target)
    modes = ("volley", "at-will") if mode is None else (mode,)
    return legal_or_last(fire_option(game, unit, target, one) for one in modes)


def _fire(
    game: Game, action: Action, options: dict[str, FireOption], keys: FireKeys, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    fired = yield from shoot_together(game, options)
    game, alone = fired.game, len(options) == 1
    for name, shot in fired.shots.items():
        cause = fired.causes[name]
        able = alone or not square_reasons(game, game.unit(name), game.unit(cause))
        after = replace(shot, game=game)
        game = yield from answer_fire(after, name, cause, alone=alone, form_square=keys.form_square and able)


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
