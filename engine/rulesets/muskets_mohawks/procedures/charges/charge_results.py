"""What follows from the dice of a charge: flight, fire, contact, halt, retreat (MM-140 to MM-148)."""

from __future__ import annotations

from typing import Any, Protocol

from engine.events import Change, Event, PlaceFigures, apply
from engine.geometry.moving.moves import advance_to_gap, centroid, gap_between, moved, places
from engine.play import Procedure, happen
from engine.records.answer import FireOption
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.options.charge_notes import horse_stops
from engine.rulesets.muskets_mohawks.options.charge_options import charge_option
from engine.rulesets.muskets_mohawks.options.charge_way import free_ground_mm
from engine.rulesets.muskets_mohawks.options.fire_options import fire_option
from engine.rulesets.muskets_mohawks.procedures.changes import formed, loosed, state, state_where
from engine.rulesets.muskets_mohawks.procedures.charges.charge_table import ChargeRow
from engine.rulesets.muskets_mohawks.procedures.firing.guns import shoot_gun
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import Shot, shoot, tests_of
from engine.rulesets.muskets_mohawks.procedures.movement.defences import defended
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import cause_of, take_test
from engine.rulesets.muskets_mohawks.procedures.nerve.retreat import carry_out, refuse_contact, retire, run_away
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of

__all__ = ["answering_fire", "carry_out_charge", "contact", "horse_refuses", "refuse_square", "ways_to_answer"]


class _Shown(Protocol):
    @property
    def charger_passed(self) -> int: ...
    @property
    def target_passed(self) -> int: ...
    @property
    def leader_passed(self) -> int | None: ...
    @property
    def difference(self) -> int: ...


def carry_out_charge(
    game: Game, unit: str, target: str, row: ChargeRow, shown: _Shown, *, mode: str | None, by_reaction: bool
) -> Procedure[Game]:
    """Says the result of a charge and carries it out."""
    result, rule = row.result, row.rule
    if result == "melee" and horse_refuses(game, unit, target):
        result, rule = "cavalry-refuses", "MM-147"
    facts: dict[str, Any] = {
        "unit": unit, "target": target, "charger_passed": shown.charger_passed,
        "target_passed": shown.target_passed, "leader_passed": shown.leader_passed,
        "difference": shown.difference, "result": result,
    }  # fmt: skip
    game = yield from happen(Event(event="charge", facts=facts, rule=rule))
    if result == "target-runs-away":
        return (yield from _take_the_ground(game, unit, target, by_reaction=by_reaction))
    shot: Shot | None = None
    if row.fires:
        shot = yield from _fire_if_able(game, target, unit, mode)
    if shot is not None:
        game = shot.game
        if shot.destroyed:
            return game
    if result == "melee":
        return (yield from contact(game, unit, target))
    if result == "cavalry-refuses":
        return (yield from refuse_contact(game, unit, target))
    if result == "charger-retires":
        return (yield from _beaten_off(game, unit, target, shot))
    return game


def refuse_square(game: Game, unit: str, target: str, *, by_reaction: bool) -> Procedure[Game]:
    """Cavalry does not charge a square: no dice, it retires (MM-248)."""
    facts: dict[str, Any] = {
        "unit": unit, "target": target, "charger_passed": None, "target_passed": None,
        "leader_passed": None, "difference": None, "result": "cavalry-refuses",
    }  # fmt: skip
    changes = () if by_reaction else state(unit, activated=True)
    game = yield from happen(Event(event="charge", facts=facts, changes=changes, rule="MM-248"))
    return (yield from refuse_contact(game, unit, target))


def horse_refuses(game: Game, unit: str, target: str) -> bool:
    """Whether horse does not close with foot that stands (MM-147)."""
    return horse_stops(game, game.unit(unit), game.unit(target))


def _take_the_ground(game: Game, unit: str, target: str, *, by_reaction: bool) -> Procedure[Game]:
    """The target runs away and the charger stands where it stood, free to charge on (MM-140, MM-148).

    Where others stand there it stops before them.
    """
    foe = game.unit(target)
    spot, house = centroid(figures_of(foe)), state_of(foe).in_building
    game = yield from run_away(game, target, rule="MM-140")
    way, figures = free_ground_mm(game, game.unit(unit), spot), figures_of(game.unit(unit))
    changes: list[Change] = [PlaceFigures(places=places(figures if way is None else moved(figures, *way)))]
    held = any(state_of(one).in_building == house and figures_of(one) for one in game.enemies(game.unit(unit)))
    if house is not None and not held and not troop(game.unit(unit), game).mounted:
        changes += [*state(unit, in_building=house), *formed(unit, "unformed")]  # all of it is inside (MM-171)
    facts = {"unit": unit, "target": target}
    game = yield from happen(Event(event="takes-ground", facts=facts, changes=tuple(changes), rule="MM-140"))
    if by_reaction or not _may_charge_on(game, unit):
        return game
    return (
        yield from happen(
            Event(
                event="may-charge-on",
                facts={"unit": unit},
                changes=state(unit, activated=False, charging_on=True),
                rule="MM-148",
            )
        )
    )


def _may_charge_on(game: Game, unit: str) -> bool:
    """Whether another enemy is in reach, or a marker that is to be turned over first and may be one (MM-223)."""
    fresh = apply(game, Event(event="may-charge-on", changes=state(unit, activated=False)))
    record = fresh.unit(unit)
    options = [charge_option(fresh, record, foe) for foe in fresh.enemies(record)]
    return any(option.legal or option.why_rules == ("MM-223",) for option in options)


def _fire_if_able(game: Game, shooter: str, charger: str, mode: str | None) -> Procedure[Shot | None]:
    """The target's fire at the 6 in spot; None where it cannot (MM-146)."""
    option = answering_fire(game, shooter, charger, mode)
    if option is None:
        return None
    if game.unit(shooter).type != "gunners":
        return (yield from shoot(game, shooter, option, active=False))
    hit = yield from shoot_gun(game, shooter, option, active=False)
    return hit.shot_at(charger)


def ways_to_answer(unit: Unit) -> tuple[str, ...]:
    """The modes in which a unit may fire at its charger: a gun's, or those of small arms."""
    return ("canister", "ball") if unit.type == "gunners" else ("volley", "at-will")


def answering_fire(game: Game, shooter: str, charger: str, mode: str | None) -> FireOption | None:
    """How a target fires at its charger: as it was told to, a volley before fire at will, canister before ball."""
    unit, foe = game.unit(shooter), game.unit(charger)
    modes = ways_to_answer(unit)
    if mode in modes:
        modes = (mode, *(one for one in modes if one != mode and one != "volley"))
    elif unit.type == "gunners":
        modes = ("canister",)
    options = (fire_option(game, unit, foe, one, at_charger=True) for one in modes)
    return next((option for option in options if option.legal), None)


def _touching(figures: tuple[Figure, ...], others: tuple[Figure, ...]) -> tuple[Figure, ...]:
    """Chargers where they touch their target, straight along the shortest line (MM-124)."""
    gap = gap_between(figures, others)
    assert gap is not None
    return moved(figures, gap.direction, advance_to_gap(figures, others, gap.direction, 0.0))


def contact(game: Game, unit: str, target: str) -> Procedure[Game]:
    """The charger closes, and both are in melee (MM-124)."""
    record, foe = game.unit(unit), game.unit(target)
    figures = figures_of(record)
    behind = defended(game, foe, figures)
    gone = _touching(figures, figures_of(foe))
    changes: list[Change] = [PlaceFigures(places=places(gone)), *_locked(record, target), *_locked(foe, unit)]
    if behind is not None:
        changes += state_where(foe, behind=behind)
    changes += [*loosed(game, record), *loosed(game, foe)]
    facts = {"unit": unit, "target": target, "enemy": target, "behind": behind}
    return (yield from happen(Event(event="contact", facts=facts, changes=tuple(changes), rule="MM-124")))


def _locked(unit: Unit, opponent: str) -> tuple[Change, ...]:
    fought = state_of(unit).in_melee
    if opponent in fought:
        return state(unit.id, in_melee=list(fought))
    fresh = () if fought else state(unit.id, melee_round=0)
    return (*state(unit.id, in_melee=[*fought, opponent]), *fresh)


def _beaten_off(game: Game, unit: str, target: str, shot: Shot | None) -> Procedure[Game]:
    """Three or more below: the charger retires, or worse where the fire's tests say so (MM-145, R-24)."""
    cause = cause_of(game, target)
    if shot is None:
        return (yield from retire(game, unit, cause))
    tests = tests_of(shot.fallen, shot.leader_lost, fired_at=True)
    tested = yield from take_test(game, unit, tests, cause, fired_at=True, at_least="retire")
    return (yield from carry_out(tested.game, unit, tested.result, cause, fired_at=True))
