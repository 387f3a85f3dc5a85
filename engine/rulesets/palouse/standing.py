"""How units and armies stand, in words with the rows: what a unit bears, what moves it, an army's resolve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.records.game import Cell, Unit
from engine.rulesets.palouse.board import Board
from engine.rulesets.palouse.moving import activation_modifiers, reroll
from engine.rulesets.palouse.resolve import Resolve
from engine.rulesets.palouse.vocabulary import side_of

__all__ = ["army_notes", "unit_notes"]

Note = dict[str, Any]


def army_notes(board: Board) -> list[Note]:
    """For each side ``{side, text, rule}``: the army resolve that it has left, of how much (PA-70 to PA-73).

    Of the active side also the step that it is at, where the steps are kept (PA-05).
    """
    found = []
    for side in board.game.sides:
        keys = side_of(board.game, side)
        text = f"army resolve {keys.army_resolve} of {keys.army_resolve_start}"
        found.append({"side": side.name, "text": text, "rule": "PA-70"})
        if board.conditions.step is not None and side.name == board.game.turn.active_side:
            found.append({"side": side.name, "text": f"at the {board.conditions.step} step", "rule": "PA-05"})
    return found


def unit_notes(board: Board, unit: Unit, resolve: Resolve, squares: Sequence[Cell] | None) -> list[Note]:
    """``{text, rule}`` of the hits that a unit bears, with what makes them up, and of the die that moves it.

    ``squares``: those it may move to; None where it may not be activated at all.
    """
    told = list(_bears(resolve))
    if squares is not None:
        told.append(_activated(board, unit, squares))
    return [{"text": text, "rule": rule} for text, rule in told]


def _bears(resolve: Resolve) -> Iterator[tuple[str, str]]:
    hits, value = resolve.hits, resolve.value
    if resolve.over:
        yield f"has {hits} hits and bears {value}: it goes when broken units are removed", "PA-50"
    elif hits:
        more = value + 1 - hits
        yield f"bears {value} hits and has {hits}: {more} more break{'s' if more == 1 else ''} it", "PA-50"
    else:
        yield f"bears {value} hits: {value + 1} break it", "PA-50"
    for part in resolve.modifiers:
        yield f"{part.effect} {part.name}", part.rule
        if part.rule != "PA-55" and value - part.extra["value"] < hits <= value:
            yield f"breaks without {'its commander' if part.rule == 'PA-54' else part.name}", "PA-56"


def _activated(board: Board, unit: Unit, squares: Sequence[Cell]) -> tuple[str, str]:
    """The least score of the die that moves it, from where it stands and into worse ground."""
    success = board.book.activation.success
    needs = {cell: _needs(success, board, unit, cell) for cell in (None, *squares)}
    least, most = needs[None], max(needs.values())
    worse = f", {_on(most)} into rough ground" if most > least else ""
    again = reroll(board, unit)
    repeated = "" if again is None else f"; its {again} lets it roll again"
    return f"is activated {_on(least)}{worse}{repeated}", "PA-10"


def _needs(success: int, board: Board, unit: Unit, cell: Cell | None) -> int:
    add = sum(int(part.extra["value"]) for part in activation_modifiers(board, unit, cell))
    return max(1, success - add)


def _on(score: int) -> str:
    return "by no die" if score > 6 else "on a 6" if score == 6 else f"on {score} or more"
