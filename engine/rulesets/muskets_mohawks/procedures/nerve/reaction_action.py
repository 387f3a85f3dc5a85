"""The action ``reaction``: a test that the players call for themselves (MM-59 to MM-82)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.errors import UnknownAction
from engine.play import Procedure
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.procedures.charges.charge import AnsweringMode, charge_by_reaction
from engine.rulesets.muskets_mohawks.procedures.charges.trophies import carry_out_trophies
from engine.rulesets.muskets_mohawks.procedures.movement.square import square_reasons
from engine.rulesets.muskets_mohawks.procedures.nerve.rally import carry_out_rally, rally_row
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import Cause, cause_of, take_test
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction_tables import has_test
from engine.rulesets.muskets_mohawks.procedures.nerve.retreat import carry_out
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of

__all__ = ["ReactionKeys", "reaction"]

Test = Literal["received-fire", "received-casualty", "leader-lost", "rally-or-form-line", "trophies"]
_ALONE = ("rally-or-form-line", "trophies")


class ReactionKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``reaction``: the tests, and the unit (or the point) that they come from.

    Where a test has the unit charge its cause, ``form_square`` and ``target_mode`` say what that one does.
    """

    tests: Annotated[tuple[Test, ...], Meta(min_length=1)]
    cause: str | tuple[float, float] | None = None
    form_square: bool = False
    target_mode: AnsweringMode | None = None


def reaction(game: Game, action: Action, keys: ReactionKeys) -> Procedure[None]:
    """Begins the action. Raises UnknownAction, ActionRefused."""
    unit = game.unit(action.unit or "")
    if len(keys.tests) > 1 and any(test in _ALONE for test in keys.tests):
        raise UnknownAction(f"reaction: tests: expected {' or '.join(_ALONE)} alone, got {', '.join(keys.tests)}")
    if len(set(keys.tests)) < len(keys.tests):
        raise UnknownAction("reaction: tests: expected each test once")
    cause = Cause(xy=keys.cause) if isinstance(keys.cause, tuple) else cause_of(game, keys.cause)
    rows = [rally_row(unit) if test == "rally-or-form-line" else test for test in keys.tests]
    table = troop(unit, game).reaction
    if not figures_of(unit):
        allow(Action(action="reaction"), [f"{unit.id} has no figures on the table"], ["MM-59"])
    if table is None or not all(has_test(table, row) for row in rows):
        allow(Action(action="reaction"), [f"{unit.id} ({unit.type}) takes no such test"], ["MM-59"])
    return _reaction(game, action, keys, rows, cause, allow(action, _no_square(game, unit, cause, keys)))


def _no_square(game: Game, unit: Unit, cause: Cause, keys: ReactionKeys) -> Reasons:
    """Why the cause may not try to form square, where it is to."""
    reasons = Reasons()
    if keys.form_square:
        reasons.add(cause.unit is None, "no unit causes the test that could form square", "MM-247")
        reasons.extend(() if cause.unit is None else square_reasons(game, unit, game.unit(cause.unit)))
    return reasons


def _reaction(
    game: Game, action: Action, keys: ReactionKeys, rows: list[str], cause: Cause, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    assert action.unit is not None
    unit = action.unit
    fired_at = _by_fire(game.unit(unit), keys.tests)
    tested = yield from take_test(game, unit, keys.tests, cause, fired_at=fired_at, rows=rows)
    game, result = tested.game, tested.result
    if "rally-or-form-line" in keys.tests:
        yield from carry_out_rally(game, unit, rows[0], result, None)
    elif "trophies" in keys.tests:
        yield from carry_out_trophies(game, unit, result)
    elif result == "charge" and cause.unit is not None:
        yield from charge_by_reaction(
            game, unit, cause.unit, form_square=keys.form_square, target_mode=keys.target_mode
        )
    else:
        yield from carry_out(game, unit, result, cause, fired_at=fired_at)


def _by_fire(unit: Unit, tests: tuple[str, ...]) -> bool:
    """Whether fire causes the tests, so that lying prone is cover (R-08)."""
    return "received-fire" in tests or (not state_of(unit).in_melee and not set(tests) & set(_ALONE))
