"""The chances of canister and ball in the open: who falls of each unit, what it does then (MM-119, MM-121)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.geometry.moves import nearest_first
from engine.records.answer import FireOption
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.odds.firing import Fired, Struck, after_fire, firing_share, reacts, struck
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, gun_of
from engine.spreads import chance_of, passes

__all__ = ["Losses", "cannon_hits", "cannon_losses", "cannonade", "order_of", "units_at_risk"]

#: For each number of casualties what may be left of a unit, and the chance of that number.
Losses = list[tuple[int, Sequence[tuple[Struck, float]], float]]


def cannonade(game: Game, gunners: Unit, option: FireOption) -> dict[str, dict[Fired, float]] | None:
    """The chances of a gun's shot for each unit at risk, nearest first; their casualties come off the same dice.

    None where what one unit at risk does may bear on another's test: they cover each other's flanks, or the rules
    in use have those tested whom a retreat comes upon.
    """
    names = units_at_risk(game, option)
    if len(names) > 1 and conditions_of(game).options.retreat_tests:
        return None
    found = {}
    for name in names:
        unit = game.unit(name)
        losses = cannon_losses(game, gunners, unit, option)
        others = frozenset(names) - {name}
        if others:
            states = list({one: None for _, some, _ in losses for one, _ in some})
            alone, among = (
                reacts(game, gunners, unit, states, without=some) for some in (others, frozenset[str]())
            )
            if alone != among:
                return None
        found[name] = after_fire(game, gunners, unit, losses)
    return found


def units_at_risk(game: Game, option: FireOption) -> tuple[str, ...]:
    """The units with figures at risk, in the order of their nearest."""
    owner = {figure.id: unit.id for unit in game.units for figure in unit.figures}
    return tuple(dict.fromkeys(owner[figure] for figure in option.targets_seen))


def cannon_hits(game: Game, gunners: Unit, option: FireOption) -> tuple[float, ...]:
    """The chance of each number of dice that hit."""
    roll = option.roll
    if roll is None or roll.success is None:
        return (1.0,)
    return passes(roll.count, chance_of(roll.success) * firing_share(game, gunners))


def order_of(gunners: Unit, unit: Unit, option: FireOption) -> list[Figure]:
    """A unit's figures in the order in which a shot fells them: those at risk, nearest first, then the rest."""
    figures = {figure.id: figure for figure in unit.figures}
    at_risk = [figures[name] for name in option.targets_seen if name in figures]
    rest, gun = [figure for figure in figures_of(unit) if figure not in at_risk], gun_of(gunners)
    return [*at_risk, *nearest_first(rest, [gun] if gun is not None else [])]


def cannon_losses(game: Game, gunners: Unit, unit: Unit, option: FireOption) -> Losses:
    """What a shot may leave of one of the units at risk: of the dice that hit, the nearest figures fall."""
    mine, order = {figure.id for figure in unit.figures}, order_of(gunners, unit, option)
    fallen = [0]
    for figure in option.targets_seen:
        fallen.append(fallen[-1] + (figure in mine))
    chances: dict[int, float] = {}
    for hits, chance in enumerate(cannon_hits(game, gunners, option)):
        count = fallen[min(hits, len(fallen) - 1)]
        chances[count] = chances.get(count, 0.0) + chance
    return [(count, struck(unit, order, count), chance) for count, chance in chances.items()]
