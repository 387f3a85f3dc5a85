"""``ask``: what the units of a game can fire at, charge and reach."""

from __future__ import annotations

from collections.abc import Sequence

from engine.records.answer import Answer, UnitAnswer
from engine.records.game import Game, Unit
from engine.rulesets.presidio.artillery.gun_reach import gun_move_option
from engine.rulesets.presidio.charges.charging import charge_options
from engine.rulesets.presidio.fire.firing import fire_options
from engine.rulesets.presidio.movement.moving import move_option
from engine.rulesets.presidio.small_arms.fire_arc import arc_of
from engine.rulesets.presidio.table import covering, sight
from engine.rulesets.presidio.table.field import on_table
from engine.rulesets.presidio.units.guns import crew_alone
from engine.rulesets.presidio.units.leading import command_over, leader_doubts
from engine.rulesets.presidio.units.sizes import body_name, size_warnings
from engine.rulesets.presidio.vocabulary import figures_of, is_artillery

__all__ = ["answer"]


def answer(game: Game, units: Sequence[str] | None = None) -> Answer:
    """What the units (all, or those named) can do. Raises UnusableFile for a unit that is not in the game."""
    asked = game.units if units is None else tuple(game.unit(name) for name in units)
    covering.prepare(game, asked)
    sight.prepare(game, asked)
    return Answer(ruleset=game.ruleset, units=tuple(_unit_answer(game, unit) for unit in asked))


def _unit_answer(game: Game, unit: Unit) -> UnitAnswer:
    extra: dict[str, object] = {}
    if on_table(unit):
        if arc := arc_of(game, unit):
            extra["arc"] = arc
        extra["command"] = command_over(game, unit)
        extra["borderline"] = list(leader_doubts(game, unit))
        extra["body"] = body_name(len(figures_of(unit)))
        extra["warnings"] = list(size_warnings(unit))
    goes = gun_move_option if is_artillery(unit) and not crew_alone(unit) else move_option
    return UnitAnswer(
        unit=unit.id, fire=fire_options(game, unit), charge=charge_options(game, unit),
        move=goes(game, unit), extra=extra,
    )  # fmt: skip
