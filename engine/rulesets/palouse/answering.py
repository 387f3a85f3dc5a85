"""``ask``: all that the units of a game can do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.geometry.grids.showing import rings_round
from engine.records.answer import Answer, ChargeOption, Modifier, MoveOption, UnitAnswer
from engine.records.game import Cell, Game, Unit
from engine.rulesets.palouse.board import Board, board_of
from engine.rulesets.palouse.book import Book
from engine.rulesets.palouse.firing import fire_arc, fire_options
from engine.rulesets.palouse.moving import (
    activation_modifiers,
    allowance,
    move_reasons,
    reach,
    reroll,
    step_reasons,
)
from engine.rulesets.palouse.resolve import resolve_of
from engine.rulesets.palouse.standing import army_notes, unit_notes
from engine.rulesets.palouse.vocabulary import state_of

__all__ = ["answer", "may_occupy", "would_occupy"]


def answer(game: Game, book: Book, units: Sequence[str] | None = None) -> Answer:
    """What the units (all, or those named) can do. Raises UnusableFile for a unit that is not in the game."""
    board = board_of(game, book)
    asked = game.units if units is None else tuple(game.unit(name) for name in units)
    units_told = tuple(_unit_answer(board, unit) for unit in asked)
    return Answer(ruleset=game.ruleset, units=units_told, extra={"standing": army_notes(board)})


def _unit_answer(board: Board, unit: Unit) -> UnitAnswer:
    charge: tuple[ChargeOption, ...] = ()
    if unit.id not in board.stands:
        return UnitAnswer(
            unit=unit.id,
            fire=fire_options(board, unit),
            charge=charge,
            move=None,
            extra={"square": None, "occupies": False},
        )
    resolve, stand, squares = resolve_of(board, unit), board.stands[unit.id], reach(board, unit)
    extra: dict[str, Any] = {
        "square": list(stand.cell),
        "resolve": {
            "value": resolve.value, "hits": resolve.hits, "spare": resolve.value - resolve.hits,
            "over": resolve.over,
            "modifiers": [_plain(modifier) for modifier in resolve.modifiers],
        },
        "occupies": any(would_occupy(board, unit, enemy) for enemy in board.game.enemies(unit)),
    }  # fmt: skip
    extra["notes"] = unit_notes(board, unit, resolve, None if move_reasons(board, unit) else squares)
    if arc := fire_arc(board, unit):
        extra["arc"] = arc
    if doubts := [text for text in (stand.doubt, board.commander_doubt(unit)) if text is not None]:
        extra["borderline"] = doubts
    return UnitAnswer(
        unit=unit.id, fire=fire_options(board, unit), charge=charge, move=_move(board, unit, squares), extra=extra
    )


def would_occupy(board: Board, unit: Unit, target: Unit) -> bool:
    """Whether a unit would take the square of a target that were eliminated (PA-45, R11).

    It was the last that may to hit it from beside it, and it may stand there.
    """
    return (
        target.id in board.stands
        and state_of(target).struck_by_adjacent == unit.id
        and may_occupy(board, unit, target)
    )


def may_occupy(board: Board, unit: Unit, target: Unit) -> bool:
    """Whether a unit that hits a target now may take its square: its kind does, it is beside, and can get there."""
    if not board.kind(unit).occupies or unit.id not in board.stands or board.bounds(unit, target) != 1:
        return False
    bars = step_reasons(board, unit, board.stands[unit.id].cell, board.stands[target.id].cell)
    return all(rule == "PA-18" for _, rule in bars)


def _move(board: Board, unit: Unit, squares: Sequence[Cell]) -> MoveOption:
    reasons, bounds = move_reasons(board, unit), allowance(board, unit)
    modifiers = activation_modifiers(board, unit)
    extra: dict[str, Any] = {
        "allowance_bounds": bounds,
        "activation": {
            "die": "d6", **_needs(board, modifiers), "success": f">={board.book.activation.success}",
            "modifiers": [_plain(modifier) for modifier in modifiers], "reroll": reroll(board, unit),
        },
        "legal": not reasons, "why_not": list(reasons.texts), "why_rules": list(reasons.rules),
        "reach_squares": [list(cell) for cell in squares],
        "destinations": [
            {"square": list(cell), **_needs(board, activation_modifiers(board, unit, cell))} for cell in squares
        ],
    }  # fmt: skip
    if doubts := [
        f"whether {one.id} is in the way: {board.stands[one.id].doubt}" for one in _met(board, unit, bounds)
    ]:
        extra["borderline"] = doubts
    return MoveOption(
        allowance_mm=bounds * board.grid.size_mm, modes=("bounds", "turn"), reach_mm=_outline(board, unit, squares),
        extra=extra,
    )  # fmt: skip


def _met(board: Board, unit: Unit, bounds: int) -> Iterator[Unit]:
    """The other units that may stand in a square or another, some of them within the unit's move (PA-18)."""
    here = board.stands[unit.id].cell
    for other in board.doubtful(unit):
        if min(board.steps(here, cell) for cell in board.stands[other.id].cells) <= bounds:
            yield other


def _needs(board: Board, modifiers: Sequence[Modifier]) -> dict[str, int]:
    add = sum(modifier.extra["value"] for modifier in modifiers)
    return {"add": add, "needs": max(1, board.book.activation.success - add)}


def _outline(board: Board, unit: Unit, squares: Sequence[Cell]) -> tuple[tuple[float, float], ...]:
    """The outline of the squares in reach with the unit's own, as one ring in table mm."""
    ring = rings_round(board.grid, [board.stands[unit.id].cell, *squares])[0]
    return tuple((x, y) for x, y in ring.tolist())


def _plain(modifier: Modifier) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(modifier)
    return {**{key: value for key, value in built.items() if key != "extra"}, **modifier.extra}
