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
from engine.rulesets.muskets_mohawks.odds.charge_tests import chance_of_square, differences, leader_there
from engine.rulesets.muskets_mohawks.options.charge_options import rolls_if_left
from engine.rulesets.muskets_mohawks.options.charge_way import met_on_the_way
from engine.rulesets.muskets_mohawks.procedures.charges.charge_results import horse_refuses
from engine.rulesets.muskets_mohawks.procedures.charges.charge_table import charge_row
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import markers_after
from engine.rulesets.muskets_mohawks.procedures.movement.square import square_reasons
from engine.spreads import merged

__all__ = ["Riposte", "riposte"]

#: What horse does that stops short of a square, or of foot that stands.
REFUSES = "cavalry-refuses"
#: What the dice of the charge of those who are left come to, and the chance of each.
Riposte = Callable[[Sequence[Figure]], Mapping[str, float]]


def riposte(game: Game, shooter: Unit, unit: Unit, mode: str, *, square: bool = False) -> Riposte:
    """What comes of a unit's charge at whom it was fired at by, whoever of it is left.

    ``square``: that one tries to form square first, and stands unformed where it does not (MM-247).
    """
    rolls = cache(lambda name: rolls_if_left(game, unit, game.unit(name)))
    spent = replace(shooter, state={**shooter.state, "reload_markers": markers_after(shooter, mode)})

    def told(figures: Sequence[Figure]) -> Mapping[str, float]:
        left = replace(unit, figures=tuple(figures))
        foe = met_on_the_way(game, left, shooter) or shooter  # whoever it runs into is whom it charges (MM-148)
        tries = square and (foe is shooter or not square_reasons(game, left, foe))
        now = spent if foe is shooter else foe
        dice = rolls(foe.id)(left, replace(now, formation="unformed") if tries else now)
        if dice is None:
            return {REFUSES: 1.0}  # a square is not charged (MM-248)
        results = _results(dice, leader_there(game, left, foe), horse=horse_refuses(game, unit.id, foe.id))
        squared = chance_of_square(game, left, foe) if tries else 0.0
        return merged([(REFUSES, squared), *((one, chance * (1 - squared)) for one, chance in results.items())])

    return told


def _results(dice: ChargeRoll, leader_rep: int | None, *, horse: bool) -> Mapping[str, float]:
    success = (dice.extra["charger_success"], dice.extra["target_success"])
    spread = differences((dice.charger, dice.target), success, leader_rep)
    return merged((_result(difference, horse=horse), chance) for difference, chance in spread.items())


def _result(difference: int, *, horse: bool) -> str:
    result = charge_row(difference).result
    return REFUSES if horse and result == "melee" else result
