"""``ask``: all that the units of a game can do, the risk they are under, and who commands whom at what cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.records.answer import Answer, Modifier, UnitAnswer
from engine.records.game import Game, Unit
from engine.rulesets.tyneside.command.chain import command_extra
from engine.rulesets.tyneside.command.grouping import group_extra
from engine.rulesets.tyneside.fire.fire_arc import arc_of
from engine.rulesets.tyneside.fire.firing import fire_options
from engine.rulesets.tyneside.melee.charging import charge_options
from engine.rulesets.tyneside.movement.moving import move_option
from engine.rulesets.tyneside.nerve.results import results
from engine.rulesets.tyneside.nerve.risk import risk_of
from engine.rulesets.tyneside.table.sight import nearest_in_sight
from engine.rulesets.tyneside.table.unmasking import marker_doubts, marker_notes
from engine.rulesets.tyneside.vocabulary import figures_of, is_character, state_of

__all__ = ["answer"]


def answer(game: Game, units: Sequence[str] | None = None) -> Answer:
    """What the units (all, or those named) can do. Raises UnusableFile for a unit that is not in the game."""
    asked = game.units if units is None else tuple(game.unit(name) for name in units)
    return Answer(ruleset=game.ruleset, units=tuple(_unit_answer(game, unit) for unit in asked))


def _unit_answer(game: Game, unit: Unit) -> UnitAnswer:
    extra: dict[str, Any] = {}
    if state_of(unit).hidden and figures_of(unit):
        extra |= {"notes": marker_notes(game, unit), "borderline": marker_doubts(game, unit)}
    if state_of(unit).dummy:
        return UnitAnswer(unit=unit.id, extra=extra)
    if figures_of(unit) and not state_of(unit).hidden:
        if arc := arc_of(game, unit):
            extra["arc"] = arc
        extra["risk"] = _risk(game, unit)
        extra["group"] = group_extra(game, unit)
        if is_character(unit):
            extra["command"] = command_extra(game, unit)
    return UnitAnswer(
        unit=unit.id, fire=fire_options(game, unit), charge=charge_options(game, unit),
        move=move_option(game, unit), extra=extra,
    )  # fmt: skip


def _risk(game: Game, unit: Unit) -> Mapping[str, Any]:
    """The risk factor with every term, and what each die would make the unit do, and where (TY-50 to TY-66)."""
    risk = risk_of(game, unit)
    nearest = nearest_in_sight(game, unit)
    return {
        "rf": risk.rf, "row": risk.row, "factors": [_plain(factor) for factor in risk.factors],
        "results": results(game, unit, risk), "nearest_enemy": None if nearest is None else nearest[0].id,
        "borderline": list(risk.borderline),
    }  # fmt: skip


def _plain(modifier: Modifier) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(modifier)
    return {**{key: value for key, value in built.items() if key != "extra"}, **modifier.extra}
