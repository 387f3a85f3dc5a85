"""The nine sections of the table, and possible enemy forces that are put into them (MM-180, MM-211, MM-219)."""

from __future__ import annotations

import math

from engine.dice import Roll
from engine.events import Event
from engine.play import Procedure, happen, roll
from engine.records.game import Game
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of

__all__ = ["place_pef", "player_edge", "section_centre", "section_of"]


def section_centre(game: Game, section: int, edge: str = "south") -> tuple[float, float]:
    """The centre of a section: 1 2 3 at the far end, 7 8 9 along the edge, left to right, as seen from ``edge``."""
    row, column = divmod(section - 1, 3)
    right, up = (column + 0.5) / 3, (2.5 - row) / 3
    width, depth = game.table.width_mm, game.table.depth_mm
    return {
        "south": (right * width, up * depth),
        "north": ((1 - right) * width, (1 - up) * depth),
        "west": (up * width, (1 - right) * depth),
        "east": ((1 - up) * width, right * depth),
    }[edge]


def section_of(game: Game, xy: tuple[float, float], edge: str = "south") -> int:
    """The section whose centre is nearest to a point, as seen from ``edge``."""
    width, depth = game.table.width_mm, game.table.depth_mm

    def off(section: int) -> float:
        x, y = section_centre(game, section, edge)
        return max(abs(xy[0] - x) / width, abs(xy[1] - y) / depth)

    return min(range(1, 10), key=lambda section: (round(off(section), 9), section))


def player_edge(game: Game) -> str:
    """The edge that sections are counted from: the player's."""
    player = conditions_of(game).player_side
    return game.side(player or game.sides[0].name).edge


def place_pef(game: Game, side: str) -> Procedure[Game]:
    """A side with nobody on the table gets a marker, in the nearest section that has no enemy (MM-211)."""
    edge = player_edge(game)
    rolled = yield from roll(Roll(purpose=f"section of the marker of {side}", count=1, rule="MM-211"))
    taken = {
        section_of(game, (figure.x_mm, figure.y_mm), edge)
        for unit in game.units
        if unit.side != side and unit.type != "pef"
        for figure in figures_of(unit)
    }
    here = section_centre(game, rolled.total, edge)
    free = [section for section in range(1, 10) if section not in taken] or [rolled.total]
    section = min(free, key=lambda one: (round(math.dist(section_centre(game, one, edge), here), 6), one))
    x, y = section_centre(game, section, edge)
    facts = {"side": side, "section": section, "x_mm": x, "y_mm": y}
    return (yield from happen(Event(event="pef", facts=facts, rule="MM-211")))
