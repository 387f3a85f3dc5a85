"""The weather of the turn, and how far one sees in it (MP-135, MP-276)."""

from __future__ import annotations

from engine.rulesets.musket_pike.parameters import Weather, weather_of
from engine.rulesets.musket_pike.table.board import Board

__all__ = ["visibility", "weather_name", "weather_now"]


def weather_name(board: Board) -> str:
    """The state of the weather in the turn."""
    return board.once("weather", lambda: weather_of(board.game))


def weather_now(board: Board) -> Weather:
    """What the weather of the turn does."""
    return board.parameters.weather[weather_name(board)]


def visibility(board: Board) -> int | None:
    """How many hexes can be seen at most, by the conditions and the weather; None: no limit (MP-135)."""
    limits = (board.conditions.visibility, weather_now(board).visibility or None)
    return min((limit for limit in limits if limit is not None), default=None)
