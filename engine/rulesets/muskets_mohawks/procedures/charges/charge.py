"""The charge and its whole chain: to 6 in, both sides' dice, fire in between, contact (MM-124 to MM-148)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.dice import Roll
from engine.errors import ActionRefused
from engine.events import Change, Event, PlaceFigures
from engine.geometry.moving.moves import advance_to_gap, bearing_to, centroid, gap_between, moved, places
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.answer import ChargeOption, ChargeRoll
from engine.records.game import Figure, Game, Round, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.charge_options import CHARGE_SPOT_MM, charge_option, counts_unformed
from engine.rulesets.muskets_mohawks.options.charge_way import met_on_the_way
from engine.rulesets.muskets_mohawks.procedures.changes import formed, state, state_where
from engine.rulesets.muskets_mohawks.procedures.charges.charge_results import (
    carry_out_charge,
    refuse_square,
    ways_to_answer,
)
from engine.rulesets.muskets_mohawks.procedures.charges.charge_table import charge_row
from engine.rulesets.muskets_mohawks.procedures.movement.going import after_going
from engine.rulesets.muskets_mohawks.procedures.movement.square import square_reasons, try_square
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import roll_leader
from engine.rulesets.muskets_mohawks.procedures.refusal import refuse_friends
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, state_of, stats_of

__all__ = ["AnsweringMode", "ChargeKeys", "advance_to_spot", "begin_charge", "charge_by_reaction", "charge_dice"]


#: How the target of a charge fires at it.
AnsweringMode = Literal["volley", "at-will", "canister", "ball"]


class ChargeKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``charge``."""

    form_square: bool = False
    target_mode: AnsweringMode | None = None


def begin_charge(game: Game, action: Action, keys: ChargeKeys) -> Procedure[None]:
    """Begins the action ``charge``. Raises ActionRefused."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    refuse_friends(unit, target)
    option = charge_option(game, unit, target)
    reasons = Reasons()
    reasons.extend(zip(option.why_not, option.why_rules, strict=True))
    if keys.form_square:
        reasons.extend(square_reasons(game, unit, target))
    ways = ways_to_answer(target)
    other = f"{target.name or target.id} may fire by {' or '.join(ways)}, not by {keys.target_mode}"
    reasons.add(keys.target_mode not in (None, *ways), other, "MM-146")
    against = allow(action, reasons)
    for one in (unit, target):
        if not figures_of(one):
            raise ActionRefused([f"{one.id} has no figures on the table"])
    return _begin(game, action, unit.id, target.id, keys, against)


def _begin(
    game: Game, action: Action, unit: str, target: str, keys: ChargeKeys, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    yield from _charge(game, unit, target, keys, by_reaction=False)


def charge_by_reaction(
    game: Game, unit: str, target: str, *, form_square: bool = False, target_mode: AnsweringMode | None = None
) -> Procedure[Game]:
    """The charge that a reaction test orders, and what its target does then."""
    keys = ChargeKeys(form_square=form_square, target_mode=target_mode)
    return (yield from _charge(game, unit, target, keys, by_reaction=True))


def _charge(game: Game, unit: str, target: str, keys: ChargeKeys, *, by_reaction: bool) -> Procedure[Game]:
    met = met_on_the_way(game, game.unit(unit), game.unit(target))
    if met is not None:  # whoever it runs into is whom it charges (MM-148)
        facts = {"unit": unit, "target": target, "enemy": met.id}
        game = yield from happen(Event(event="runs-into", facts=facts, rule="MM-148"))
        target, square = met.id, keys.form_square and not square_reasons(game, game.unit(unit), met)
        keys = replace(keys, form_square=square)
    if keys.form_square:
        game = yield from try_square(game, unit, target)
    record, foe = game.unit(unit), game.unit(target)
    option = charge_option(game, record, foe, by_reaction=by_reaction)
    if foe.formation == "square" and troop(record, game).cavalry:
        return (yield from refuse_square(game, unit, target, by_reaction=by_reaction))
    game = yield from advance_to_spot(game, record, foe, by_reaction=by_reaction)
    difference, shown = yield from _test(game, unit, target, option)
    row = charge_row(difference)
    return (
        yield from carry_out_charge(game, unit, target, row, shown, mode=keys.target_mode, by_reaction=by_reaction)
    )


def advance_to_spot(game: Game, unit: Unit, target: Unit, *, by_reaction: bool) -> Procedure[Game]:
    """The charger goes to 6 in from its target, straight along the shortest line (MM-139)."""
    figures, others = figures_of(unit), figures_of(target)
    gap = gap_between(figures, others)
    distance = 0.0
    if gap is not None:
        distance = advance_to_gap(*_measured(game, figures, others), gap.direction, CHARGE_SPOT_MM)
    changes: list[Change] = [
        *state_where(target, taking_trophies=False),
        *state_where(unit, firing_at=None),
    ]
    if not by_reaction:
        changes += state(unit.id, moved_mm=state_of(unit).moved_mm + distance, activated=True)
        changes += state_where(unit, charging_on=False)
    if gap is not None:
        gone = moved(figures, gap.direction, distance)
        changes += after_going(game, unit, gone)
        facing = bearing_to(centroid(gone), centroid(others)) if unit.formation == "unformed" else None
        changes.append(PlaceFigures(places=places(gone, facing)))
    loose = formed(unit.id, "unformed")  # its path lies in woods or in water (R-22, MM-191)
    if counts_unformed(game, unit, target) and not set(loose) & set(changes):
        changes += loose
    facts = {"unit": unit.id, "target": target.id, "distance_mm": distance}
    return (yield from happen(Event(event="advance", facts=facts, changes=tuple(changes), rule="MM-139")))


def _measured(
    game: Game, figures: tuple[Figure, ...], others: tuple[Figure, ...]
) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """The figures as players measure them: whole bases, or their centres alone (R-01)."""
    if conditions_of(game).options.measure == "edge":
        return figures, others
    point = Round(diameter_mm=1e-9)
    return tuple(replace(f, base=point) for f in figures), tuple(replace(f, base=point) for f in others)


class Shown(Struct, frozen=True, kw_only=True):
    """What the dice of the test showed."""

    charger_passed: int
    target_passed: int
    leader_passed: int | None

    @property
    def difference(self) -> int:
        """Charger minus target."""
        return self.charger_passed - self.target_passed


def _test(game: Game, unit: str, target: str, option: ChargeOption) -> Procedure[tuple[int, Shown]]:
    """Both sides' dice, and the Leader's where they are equal (MM-139, MM-143)."""
    record, dice = game.unit(unit), charge_dice(game, unit, target, option)
    charger = yield from roll(
        Roll(
            purpose=f"{unit} charges {target}",
            count=dice.charger,
            success=dice.extra["charger_success"],
            rule="MM-139",
        )
    )
    stands = yield from roll(
        Roll(
            purpose=f"{target} receives the charge", count=dice.target, success=dice.extra["target_success"],
            rule="MM-139",
        )
    )  # fmt: skip
    difference, leader_passed = charger.passed - stands.passed, None
    if difference == 0:
        leader_passed = yield from roll_leader(game, record, "MM-143")
        difference = 1 if leader_passed else -1
    shown = Shown(charger_passed=charger.passed, target_passed=stands.passed, leader_passed=leader_passed)
    return difference, shown


def charge_dice(game: Game, unit: str, target: str, option: ChargeOption) -> ChargeRoll:
    """The dice of the option; plain ones where the umpire has a charge made that has none."""
    if option.roll is not None:
        return option.roll
    success = [f"<={stats_of(game.unit(name)).rep}" for name in (unit, target)]
    return ChargeRoll(
        charger=2, target=2, die="d6", extra={"charger_success": success[0], "target_success": success[1]}
    )
