"""``ask``: all that the units of a game can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.records.answer import Answer, UnitAnswer
from engine.records.game import Game, Unit
from engine.rulesets.musket_pike.board import Board, board_of
from engine.rulesets.musket_pike.firing import fire_options
from engine.rulesets.musket_pike.vocabulary import FACINGS, state_of

__all__ = ["answer"]


def answer(game: Game, units: Sequence[str] | None = None) -> Answer:
    """What the units (all, or those named) can do. Raises UnusableFile for a unit that is not in the game."""
    board = board_of(game)
    asked = game.units if units is None else tuple(game.unit(name) for name in units)
    return Answer(ruleset=game.ruleset, units=tuple(_unit_answer(board, unit) for unit in asked))


def _unit_answer(board: Board, unit: Unit) -> UnitAnswer:
    stand = board.stands.get(unit.id)
    if stand is None:
        return UnitAnswer(unit=unit.id, extra={"hex": None, "facing": state_of(unit).facing, "borderline": []})
    extra: dict[str, Any] = {
        "hex": list(stand.hex), "facing": FACINGS[stand.facing], "borderline": list(stand.doubts),
    }  # fmt: skip
    return UnitAnswer(unit=unit.id, fire=fire_options(board, unit), extra=extra)
