"""``ask``: all that the units of a game can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.records.answer import Answer, UnitAnswer
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.command import acts_with, command_of, order
from engine.rulesets.muskets_mohawks.guide import guide
from engine.rulesets.muskets_mohawks.options.actions import actions_of
from engine.rulesets.muskets_mohawks.options.charge_options import charge_options
from engine.rulesets.muskets_mohawks.options.fire_arc import arc_of
from engine.rulesets.muskets_mohawks.options.fire_options import fire_options
from engine.rulesets.muskets_mohawks.options.melee_answer import melee_of
from engine.rulesets.muskets_mohawks.options.move_options import allowance_mm, move_option
from engine.rulesets.muskets_mohawks.options.np_plans import plans_of
from engine.rulesets.muskets_mohawks.options.reaching import reaches_of
from engine.rulesets.muskets_mohawks.unknown_names import name_warnings


def answer(game: Game, units: Sequence[str] | None = None) -> Answer:
    """What the units (all, or those named) can do. Raises UnusableFile for a unit that is not in the game."""
    asked = game.units if units is None else tuple(game.unit(name) for name in units)
    reaches_of(game, [(unit, allowance_mm(game, unit)) for unit in asked])  # sooner all together than one by one
    return Answer(
        ruleset=game.ruleset,
        units=tuple(_unit_answer(game, unit) for unit in asked),
        extra={"order": order(game), **({"guide": steps} if (steps := guide(game)) else {})},
    )


def _unit_answer(game: Game, unit: Unit) -> UnitAnswer:
    extra: dict[str, Any] = {"actions": actions_of(game, unit)}
    if arc := arc_of(game, unit):
        extra["arc"] = arc
    if others := acts_with(game, unit):
        extra["acts_with"] = list(others)
    plans = plans_of(game, unit)
    if plans:
        extra["tactics"] = plans
    if fights := melee_of(game, unit):
        extra["melee"] = fights
    if unit.type == "leader":
        extra["command"] = command_of(game, unit)
    if warnings := list(name_warnings(game, unit)):
        extra["warnings"] = warnings
    return UnitAnswer(
        unit=unit.id,
        fire=fire_options(game, unit),
        charge=charge_options(game, unit),
        move=move_option(game, unit),
        extra=extra,
    )
