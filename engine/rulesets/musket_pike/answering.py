"""``ask``: all that the units of a game can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.geometry.grids.flat import steps_apart
from engine.records.answer import Answer, Modifier, MoveOption, UnitAnswer
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.musket_pike.fire.firing import fire_arc, fire_options
from engine.rulesets.musket_pike.melee.melee_options import charge_options
from engine.rulesets.musket_pike.movement.formations import change_options
from engine.rulesets.musket_pike.movement.reaching import charge_reach, reach_of
from engine.rulesets.musket_pike.movement.steps import Step, mover_of, step_of
from engine.rulesets.musket_pike.nerve.morale import (
    change_chance,
    morale_of,
    rally_value,
    recovery_bar,
    recovery_value,
)
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.ground import DIRECTIONS
from engine.rulesets.musket_pike.table.permits import charge_bars, continues, move_bars, turn_bars
from engine.rulesets.musket_pike.table.supply import is_isolated, supply_for
from engine.rulesets.musket_pike.table.troops import Troop, allowance, movement_class, mp_left
from engine.rulesets.musket_pike.table.zones import threat_at, zone_of
from engine.rulesets.musket_pike.vocabulary import FACINGS, state_of

__all__ = ["answer"]


def answer(game: Game, units: Sequence[str] | None = None) -> Answer:
    """What the units (all, or those named) can do. Raises UnusableFile for a unit that is not in the game."""
    board = board_of(game)
    asked = game.units if units is None else tuple(game.unit(name) for name in units)
    return Answer(ruleset=game.ruleset, units=tuple(_unit_answer(board, unit) for unit in asked))


def _unit_answer(board: Board, unit: Unit) -> UnitAnswer:
    troop = board.troops.get(unit.id)
    if troop is None:
        doubts = list(board.beside.get(unit.id, ()))
        off: dict[str, Any] = {"hex": None, "facing": state_of(unit).facing, "borderline": doubts, "off_map": True}
        return UnitAnswer(
            unit=unit.id, fire=fire_options(board, unit), charge=charge_options(board, unit), extra=off
        )
    return UnitAnswer(
        unit=unit.id,
        fire=fire_options(board, unit),
        charge=charge_options(board, unit),
        move=_move(board, troop),
        extra=_standing(board, troop)
        | _holding(board, troop)
        | ({"arc": arc} if (arc := fire_arc(board, troop)) else {}),
    )


def _standing(board: Board, troop: Troop) -> dict[str, Any]:
    """Where a unit stands, what it controls, what threatens it, who serves it."""
    stand, supply = board.stands[troop.id], supply_for(board, troop)
    limit, men = board.parameters.max_stacking, board.stack_men(troop.hex)
    fighting = sum(other.fights for other in board.at(troop.hex))
    return {
        "hex": list(stand.hex),
        "facing": FACINGS[stand.facing],
        "borderline": list(stand.doubts),
        "zoc": [list(cell) for cell in zone_of(board, troop)],
        "threat": threat_at(board, troop.hex, troop.side),
        "stack": {"men": men, "limit": limit, "over": men > limit or fighting > board.parameters.max_units},
        "supply": {"wagon": None, "hexes": None, "cost": None} if supply is None else supply._asdict(),
        "isolated": is_isolated(board, troop),
    }


def _holding(board: Board, troop: Troop) -> dict[str, Any]:
    """How well a unit holds together: None where that does not arise (leaders, wagons, ships)."""
    if not troop.fights or troop.type == "ship":
        nothing = ("morale", "rally", "disorder_recovery", "fatigue_level")
        return dict.fromkeys(nothing) | {"formation_change": []}
    value, modifiers = morale_of(board, troop)
    bar = recovery_bar(board, troop)
    barred = {"why_not": [] if bar is None else [bar], "why_rules": [] if bar is None else ["MP-209"]}
    return {
        "morale": {"value": value, "modifiers": [_plain(modifier) for modifier in modifiers]},
        "rally": {"value": rally_value(board, troop), "needs": "<", **barred},
        "disorder_recovery": {"value": recovery_value(board, troop), **barred},
        "formation_change": change_options(board, troop),
        "fatigue_level": board.parameters.fatigue.level(troop.state.fatigue)[0],
    }


def _plain(modifier: Modifier) -> dict[str, Any]:
    return {"name": modifier.name, "effect": modifier.effect, "rule": modifier.rule, **modifier.extra}


def _move(board: Board, troop: Troop) -> MoveOption:
    """Where a unit can go; in mm as far as the farthest hex of them."""
    whole = allowance(troop, board.parameters)
    bars, mover = move_bars(board, troop), mover_of(troop)
    reached = reach_of(board, troop)
    extra: dict[str, Any] = {
        "allowance_mp": whole,
        "remaining_mp": mp_left(troop, board.parameters),
        "class": movement_class(troop),
        "legal": not bars,
        "why_not": list(bars.texts),
        "why_rules": list(bars.rules),
        "steps": [_step(step_of(board, mover, direction), bars) for direction in range(6)],
        "reach_hexes": [{"hex": list(cell), "cost_mp": cost} for cell, cost in reached],
        "charge_hexes": [],
    }
    modes = ["move"] if reached else []
    if troop.horse:
        extra |= _charging(board, troop)
        modes += ["charge"] if extra["charge"]["legal"] else []
    modes += ["turn"] if troop.facing is not None and not turn_bars(board, troop) else []
    farthest = max((steps_apart(troop.hex, cell) for cell, _ in reached), default=0)
    return MoveOption(allowance_mm=farthest * board.grid.size_mm, modes=tuple(modes), reach_mm=(), extra=extra)


def _step(step: Step, bars: Reasons) -> dict[str, Any]:
    texts = [*bars.texts, *(text for text, _ in step.bars)]
    rules = [*bars.rules, *(rule for _, rule in step.bars)]
    return {
        "direction": DIRECTIONS[step.direction],
        "to": None if step.to is None else list(step.to),
        "legal": not texts,
        "why_not": texts,
        "why_rules": rules,
        "cost_mp": step.cost,
        "effects": list(step.effects),
    }


def _charging(board: Board, troop: Troop) -> dict[str, Any]:
    """Whether a unit may charge, with what chance, and how far."""
    bars = charge_bars(board, troop)
    tested = not (continues(troop) or troop.state.charging)
    threat = threat_at(board, troop.hex, troop.side)
    chance = change_chance(board, troop, threat, charging=True) if tested else 1.0
    return {
        # One that cannot begin reaches nothing (MP-82).
        "charge_hexes": [list(cell) for cell, _ in charge_reach(board, troop)] if chance else [],
        "charge": {
            "legal": not bars, "why_not": list(bars.texts), "why_rules": list(bars.rules), "probability": chance,
        },
    }  # fmt: skip
