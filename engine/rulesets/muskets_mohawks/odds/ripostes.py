"""The charge on which fire sends horse, by the dice of the charge alone (MM-70, MM-139 to MM-148).

The fire and the melee that it may lead to are left out: of every horse that fire may leave they would take longer
than anybody waits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from engine.records.answer import ChargeRoll
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.odds.charge_tests import differences, leader_there
from engine.rulesets.muskets_mohawks.options.charge_options import rolls_if_left
from engine.rulesets.muskets_mohawks.options.charge_way import met_on_the_way
from engine.rulesets.muskets_mohawks.procedures.charges.charge_results import horse_refuses
from engine.rulesets.muskets_mohawks.procedures.charges.charge_table import charge_row
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import markers_after
from engine.spreads import merged

__all__ = ["Riposte", "riposte"]

#: What the dice of the charge of those who are left come to, and the chance of each.
Riposte = Callable[[Sequence[Figure]], Mapping[str, float]]


def riposte(game: Game, shooter: Unit, unit: Unit, mode: str) -> Riposte:
    """What comes of a unit's charge at whom it was fired at by, whoever of it is left."""
    rolls = cache(lambda name: rolls_if_left(game, unit, game.unit(name)))
    spent = replace(shooter, state={**shooter.state, "reload_markers": markers_after(shooter, mode)})

    def told(figures: Sequence[Figure]) -> Mapping[str, float]:
        left = replace(unit, figures=tuple(figures))
        foe = met_on_the_way(game, left, shooter) or shooter  # whoever it runs into is whom it charges (MM-148)
        dice = rolls(foe.id)(left, spent if foe is shooter else foe)
        if dice is None:
            return {"cavalry-refuses": 1.0}  # a square is not charged (MM-248)
        return _results(dice, leader_there(game, left, foe), horse=horse_refuses(game, unit.id, foe.id))

    return told


def _results(dice: ChargeRoll, leader_rep: int | None, *, horse: bool) -> Mapping[str, float]:
    success = (dice.extra["charger_success"], dice.extra["target_success"])
    spread = differences((dice.charger, dice.target), success, leader_rep)
    return merged((_result(difference, horse=horse), chance) for difference, chance in spread.items())


def _result(difference: int, *, horse: bool) -> str:
    result = charge_row(difference).result
    return "cavalry-refuses" if horse and result == "melee" else result
