"""``fire`` with small arms: dice to hit, what goes through, dice to wound, who falls (PR-401 to PR-432)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from engine.dice import Roll
from engine.errors import UnknownAction
from engine.events import Change, Event
from engine.geometry.formations.ranks import rows_across
from engine.geometry.moving.moves import bearing_to
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.artillery.grenades import GRENADE, throw_grenade
from engine.rulesets.presidio.artillery.gun_fire import fire_gun
from engine.rulesets.presidio.artillery.gun_templates import through_template
from engine.rulesets.presidio.book import Band, book, to_wound
from engine.rulesets.presidio.book import Mode as GunMode
from engine.rulesets.presidio.changes import spent, state
from engine.rulesets.presidio.small_arms.bands import counted_band
from engine.rulesets.presidio.small_arms.fire_reasons import COSTS, reasons_of
from engine.rulesets.presidio.small_arms.shooting import MODES, Mode, Shot, may_volley, shot_of
from engine.rulesets.presidio.small_arms.shot_numbers import number_of
from engine.rulesets.presidio.small_arms.through_fire import melee_units, passed_to, units_behind
from engine.rulesets.presidio.table.bodies import body_of
from engine.rulesets.presidio.table.sorts import models, mounted, rides_freely
from engine.rulesets.presidio.units.arms import armed_with, weapons_of
from engine.rulesets.presidio.units.casualties import felled, morale_due, picked
from engine.rulesets.presidio.vocabulary import conditions_of, is_artillery, state_of, stats_of

__all__ = ["FireKeys", "discharge", "fire", "fired"]

Index = NDArray[np.intp]


class FireKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``fire``: how, with which weapon (the main one), how often, at which point a gun aims, and
    whether fire is held from who has hunkered down."""

    mode: Mode | GunMode | None = None
    weapon: str | None = None
    times: Literal[1, 2] = 1
    at: tuple[float, float] | None = None
    hold_if_hunkered: bool = False


def fire(game: Game, action: Action, keys: FireKeys) -> Procedure[None]:
    """A unit fires at another. Raises ActionRefused with every reason, UnknownAction."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    if is_artillery(unit):
        return fire_gun(game, action, keys.mode, keys.at, holds=keys.hold_if_hunkered)
    if (keys.weapon or unit.weapon) == GRENADE:
        return throw_grenade(game, action, keys.at)
    shot = _shot(game, unit, target, keys)
    reasons = Reasons()
    reasons.add(unit.side == target.side, f"{target.id} is on the same side as {unit.id}", "PR-401")
    hunkered = state_of(target).hunkered
    reasons.extend(found for found in reasons_of(shot) if not (hunkered and found[1] == "PR-414"))
    if keys.times == 2:
        reasons.add(shot.mode != "independent", "only independent fire is rolled twice together", "PR-423")
        keeps = mounted(unit) and rides_freely(unit, conditions_of(game).year)
        moved = state_of(unit).moved is not None and not keeps
        reasons.add(moved, "fires twice only when it does not move", "PR-210")
        left = state_of(unit).actions_left
        reasons.add(left < 2, f"needs 2 actions, has {left or 'none'} left", "PR-423")
    return _fire(game, shot, keys, action, allow(action, reasons))


def _shot(game: Game, unit: Unit, target: Unit, keys: FireKeys) -> Shot:
    """The shot that is asked for. Raises UnknownAction for a weapon that the unit has not, or another mode."""
    weapons = weapons_of(unit)
    weapon = keys.weapon or next(iter(weapons), unit.weapon)
    if weapon not in weapons:
        raise UnknownAction(f"fire: weapon: expected one of {', '.join(weapons) or 'none'}, got {weapon!r}")
    mode: Mode = "independent" if may_volley(game, unit) else "volley"
    if keys.mode is not None:
        if keys.mode not in MODES:
            raise UnknownAction(f"fire: mode: expected one of {', '.join(MODES)}, got {keys.mode!r}")
        mode = next(known for known in MODES if known == keys.mode)
    return shot_of(game, unit, target, weapon, mode)


def _fire(game: Game, shot: Shot, keys: FireKeys, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    facts = {"unit": shot.unit.id, "target": shot.target.id, "weapon": shot.weapon, "mode": shot.mode}
    if _holds_fire(shot, keys):
        yield from happen(Event(event="fire-held", facts=facts, rule="PR-418"))
        return
    band = yield from counted_band(shot.band, shot.other_band)
    cost = state_of(shot.unit).actions_left if shot.mode == "opportunity" else COSTS[shot.mode] * keys.times
    changes = (*spent(shot.unit, cost), *fired(shot))
    game = yield from happen(Event(event="fired", facts=facts, changes=changes, rule="PR-401"))
    yield from discharge(game, shot, times=keys.times, band=band)


def _holds_fire(shot: Shot, keys: FireKeys) -> bool:
    """Whether a volley is held from a target that has hunkered down, not having the higher initiative (PR-418)."""
    mine, theirs = state_of(shot.unit).initiative or 0, state_of(shot.target).initiative or 0
    return keys.hold_if_hunkered and state_of(shot.target).hunkered and shot.way == "volley" and theirs <= mine


def fired(shot: Shot) -> tuple[Change, ...]:
    """What a shot leaves in the unit's state (PR-421, PR-422, PR-424, R-29)."""
    if shot.way == "volley":
        return state(shot.unit.id, fire_mode="volley", reload_left=shot.arm.reload)
    values: dict[str, object] = {"fire_mode": "independent", "reload_left": state_of(shot.unit).reload_left}
    slow = len(armed_with(shot.unit, shot.weapon)) * 2 < shot.arm.reload
    if slow and conditions_of(shot.game).options.lone_reload:
        values["reload_left"] = shot.arm.reload
    if shot.way == "moving":
        values["fired_moving"] = True
    return state(shot.unit.id, **values)


@dataclass(frozen=True)
class _Struck:
    """A unit that was hit: how often, and whose of its figures were seen (None: any may fall)."""

    unit: str
    hits: int
    seen: tuple[str, ...] | None


def discharge(game: Game, shot: Shot, *, times: int = 1, band: Band | None = None) -> Procedure[Game]:
    """The dice of a shot and what comes of them: the game after it; ``band``: the one that counts."""
    counts = band or shot.band
    number = None if counts == "out" or shot.cover.above == "complete" else number_of(shot, counts)
    if number is None or not shot.count:
        return game
    behind = units_behind(shot) if shot.into_melee == "no" else ()
    request = Roll(
        purpose=f"{shot.unit.id} fires at {shot.target.id}", count=shot.count * times, rule="PR-401",
        die=f"d{book().fire.die}", success=f">={number}", also=f"=={book().fire.die}" if behind else None,
    )  # fmt: skip
    rolled = yield from roll(request)
    struck = yield from _shared(shot, rolled.passed, rolled.also_passed, number, behind)
    for one in struck[1:] if behind else ():
        template = through_template(shot, [game.unit(one.unit)])
        facts = {"unit": one.unit, "by": shot.unit.id, "hits": one.hits, "template": template}
        game = yield from happen(Event(event="through", facts=facts, rule="PR-605"))
    return (yield from _harmed(game, shot, struck))


def _shared(
    shot: Shot, hits: int, twelves: int, number: int, behind: tuple[Unit, ...]
) -> Procedure[tuple[_Struck, ...]]:
    """Which units the hits go to: the target, those behind it, or anybody in a melee (PR-605, PR-514)."""
    seen = shot.field.names(shot.seen)
    if shot.into_melee == "far":
        mingled = melee_units(shot.game, shot.target)
        spread = yield from _spread(mingled, hits, "which side is hit", "PR-514")
        # The dice are thrown for the target first, wherever it stands in the list.
        ordered = sorted(mingled, key=lambda unit: unit.id != shot.target.id)
        return tuple(_Struck(unit.id, spread[unit.id], None) for unit in ordered if spread[unit.id])
    passing = passed_to(hits, twelves, number) if behind else 0
    spread = yield from _spread(behind, passing, "which unit behind is hit", "PR-605", hits - passing)
    first = _Struck(shot.target.id, hits - passing, seen)
    return (first, *(_Struck(unit.id, spread[unit.id], None) for unit in behind if spread[unit.id]))


def _spread(
    units: tuple[Unit, ...], hits: int, purpose: str, rule: str, on_target: int | None = None
) -> Procedure[Mapping[str, int]]:
    """How many of the hits each of some units takes, a die for each where there are several; ``on_target``: how
    many the target has taken already, whose losses the chances are counted over."""
    taken = {unit.id: 0 for unit in units}
    for _ in range(hits):
        chosen = 0
        if len(units) > 1:
            request = Roll(purpose=purpose, count=1, die=f"d{len(units)}", rule=rule, so_far=on_target)
            rolled = yield from roll(request)
            chosen = rolled.total - 1
        taken[units[chosen].id] += 1
    return taken


def _harmed(game: Game, shot: Shot, struck: tuple[_Struck, ...]) -> Procedure[Game]:
    """The dice to wound unit by unit, then who falls, then what happened to each.

    The chances are counted over the losses of the first: its hits, then its wounds are all that they need.
    """
    wounds: dict[str, int] = {}
    for one in struck:
        so_far = ("wounds", wounds[struck[0].unit]) if wounds else ("hits", one.hits)
        wounds[one.unit] = yield from _wounds(game, shot, one, so_far)
    fallen: dict[str, tuple[str, ...]] = {}
    for one in struck:
        row = _in_a_row(shot, one)
        if row:
            fallen[one.unit] = row[: wounds[one.unit]]
        else:
            first = ("falls", wounds[struck[0].unit])
            fallen[one.unit] = yield from picked(game, one.unit, wounds[one.unit], one.seen, first)
    for one in struck:
        game = yield from felled(game, one.unit, one.hits, fallen[one.unit])
    for one in struck:
        if fallen[one.unit] and game.unit(one.unit).figures:
            game = yield from morale_due(game, one.unit)
    return game


def _wounds(game: Game, shot: Shot, struck: _Struck, so_far: tuple[str, int]) -> Procedure[int]:
    """How many of the hits wound (PR-607); harder on the move (PR-424)."""
    number = to_wound(shot.arm.damage, stats_of(game.unit(struck.unit)).armor)
    if number is not None and shot.way == "moving":
        number += book().fire.moving_wound
    if number is None or number > book().fire.die:
        return 0
    request = Roll(
        purpose=f"{struck.unit} is wounded", count=struck.hits, die=f"d{book().fire.die}", success=f">={number}",
        rule="PR-607", so_far=so_far,
    )  # fmt: skip
    return (yield from roll(request)).passed


def _in_a_row(shot: Shot, struck: _Struck) -> tuple[str, ...]:
    """The figures of a target that shows one or two files, nearest first: they fall in turn (PR-602). Else none."""
    if struck.unit != shot.target.id or shot.range is None or not len(shot.seen):
        return ()
    if len(_files(shot, shot.seen)) > 2 or max(_files(shot, shot.field.of_unit[shot.target.id])) < 3:
        return ()
    return tuple(_nearest_first(shot))


def _files(shot: Shot, numbers: Index) -> list[int]:
    """How many of the target's figures stand in each file, as seen from the firer's measuring point (PR-602)."""
    assert shot.range is not None
    bases = shot.field.as_measured.bases.pick(numbers)
    middle = body_of(shot.game, shot.target).centre[0]
    bearing = np.array([bearing_to(shot.range.start, (float(middle[0]), float(middle[1])))])
    width = float(np.mean(2 * (bases.half[:, 0] + bases.radius)))
    files = rows_across(bases, np.zeros(len(bases)), bearing - 90.0, width / 2, or_equal=False).row
    counted: list[int] = np.bincount(files).tolist()
    return counted


def _nearest_first(shot: Shot) -> Iterator[str]:
    """The seen figures by how far they are from the firer's measuring point."""
    assert shot.range is not None
    spots = shot.field.bases.centre[shot.seen]
    apart = np.round(np.hypot(*(spots - np.array(shot.range.start)).T), 6)
    for number in np.argsort(apart, kind="stable").tolist():
        figure = shot.field.figures[int(shot.seen[number])]
        if not models(shot.target, figure):
            yield figure.id
