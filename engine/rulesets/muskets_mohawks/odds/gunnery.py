"""The chances of canister and ball in the open: who falls of each unit, what it does then (MM-119, MM-121)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.geometry.moving.moves import nearest_first
from engine.records.answer import FireOption
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.odds.firing import (
    Fired,
    Struck,
    Volley,
    after_fire,
    firing_share,
    reacts,
    struck,
)
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, gun_of
from engine.spreads import chance_of, passes

__all__ = ["UNTOLD", "cannon_losses", "cannon_toll", "cannon_volley", "cannonade", "units_at_risk"]

#: For each number of casualties what may be left of a unit, and the chance of that number.
Losses = list[tuple[int, Sequence[tuple[Struck, float]], float]]


#: The result of a test that hangs on what another unit at risk does first.
UNTOLD = ""


def cannonade(game: Game, gunners: Unit, option: FireOption, name: str) -> dict[Fired, float]:
    """The chances of a gun's shot for one of the units at risk; the casualties of all come off the same dice.

    Its result is `UNTOLD` where what another unit at risk suffers or does may bear on its test: they cover each
    other's flanks, a Leader beside it is at risk, or the rules in use have those tested whom a retreat comes upon.
    """
    unit, names = game.unit(name), units_at_risk(game, option)
    losses = cannon_losses(game, gunners, unit, option)
    others = frozenset(names) - {name}
    told = not (others and conditions_of(game).options.retreat_tests)
    if told and others:
        states = list({one: None for _, some, _ in losses for one, _ in some})
        alone, among = (reacts(game, gunners, unit, states, without=some) for some in (others, frozenset[str]()))
        told = alone == among
    if told:
        return after_fire(game, gunners, unit, option.mode, losses)
    return {Fired(casualties=count, result=UNTOLD): chance for count, _, chance in losses}


def cannon_toll(game: Game, gunners: Unit, option: FireOption, name: str) -> dict[int, float]:
    """The chance of each number of casualties of one of the units at risk."""
    return {count: chance for count, _, chance in cannon_losses(game, gunners, game.unit(name), option)}


def units_at_risk(game: Game, option: FireOption) -> tuple[str, ...]:
    """The units with figures at risk, in the order of their nearest."""
    owner = {figure.id: unit.id for unit in game.units for figure in unit.figures}
    return tuple(dict.fromkeys(owner[figure] for figure in option.targets_seen))


def _hits(game: Game, gunners: Unit, option: FireOption) -> tuple[float, ...]:
    """The chance of each number of dice that hit."""
    roll = option.roll
    if roll is None or roll.success is None:
        return (1.0,)
    return passes(roll.count, chance_of(roll.success) * firing_share(game, gunners))


def _order(gunners: Unit, unit: Unit, option: FireOption) -> list[Figure]:
    """A unit's figures in the order in which a shot fells them: those at risk, nearest first, then the rest."""
    figures = {figure.id: figure for figure in unit.figures}
    at_risk = [figures[name] for name in option.targets_seen if name in figures]
    rest, gun = [figure for figure in figures_of(unit) if figure not in at_risk], gun_of(gunners)
    return [*at_risk, *nearest_first(rest, [gun] if gun is not None else [])]


def cannon_volley(game: Game, gunners: Unit, unit: Unit, option: FireOption) -> Volley | None:
    """A gun's shot as one of several at a target; None where it puts others at risk as well."""
    if units_at_risk(game, option) != (unit.id,):
        return None
    counts = ((count, chance) for count, _, chance in cannon_losses(game, gunners, unit, option))
    return Volley(order=tuple(_order(gunners, unit, option)), counts=tuple(counts))


def cannon_losses(game: Game, gunners: Unit, unit: Unit, option: FireOption) -> Losses:
    """What a shot may leave of one of the units at risk: of the dice that hit, the nearest figures fall."""
    mine, order = {figure.id for figure in unit.figures}, _order(gunners, unit, option)
    fallen = [0]
    for figure in option.targets_seen:
        fallen.append(fallen[-1] + (figure in mine))
    chances: dict[int, float] = {}
    for hits, chance in enumerate(_hits(game, gunners, option)):
        count = fallen[min(hits, len(fallen) - 1)]
        chances[count] = chances.get(count, 0.0) + chance
    return [(count, struck(unit, order, count), chance) for count, chance in chances.items()]
