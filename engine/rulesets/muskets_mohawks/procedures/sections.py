"""The nine sections of the table, and possible enemy forces that are put into them (MM-180, MM-211, MM-219)."""

from __future__ import annotations

import math

from engine.dice import Roll
from engine.events import Event
from engine.play import Procedure, happen, roll
from engine.records.game import Figure, Game, Round, Unit
from engine.rulesets.muskets_mohawks.bodies import body_of
from engine.rulesets.muskets_mohawks.procedures.mustering import marker
from engine.rulesets.muskets_mohawks.sheet import sheet_of
from engine.rulesets.muskets_mohawks.sight import bodies_pairs
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of

__all__ = ["hidden_spot", "place_pef", "player_edge", "section_centre", "section_of"]

#: A section is looked over at so many steps each way for a hidden spot.
SPOTS = 10


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


def hidden_spot(game: Game, section: int, edge: str) -> tuple[float, float]:
    """Where terrain hides a marker of the section from the player: nearest to its centre, else that (MM-219)."""
    middle_x, middle_y = section_centre(game, section, edge)
    wide, deep = game.table.width_mm / 3, game.table.depth_mm / 3
    steps = [place / SPOTS - 0.5 for place in range(1, SPOTS)]
    spots = [(middle_x + across * wide, middle_y + along * deep) for across in steps for along in steps]
    spots.sort(key=lambda spot: (round(math.dist(spot, (middle_x, middle_y)), 6), spot))
    return next((spot for spot in spots if not _seen(game, spot)), (middle_x, middle_y))


def _seen(game: Game, spot: tuple[float, float]) -> bool:
    """Whether any of the player's figures sees a marker there, whichever way it faces."""
    sheet, player = sheet_of(game), conditions_of(game).player_side
    looking = [unit for unit in game.units if unit.side == player and figures_of(unit) and unit.type != "pef"]
    figure = Figure(id="marker", x_mm=spot[0], y_mm=spot[1], base=Round(diameter_mm=25.0), role="pef")
    marker = Unit(id="marker", side=f"not {player}", type="pef", figures=(figure,))
    body = body_of(game, marker, marker.figures)
    return any(bool(bodies_pairs(sheet, sheet.body(unit), body, over_figures=True).clear.any()) for unit in looking)


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
    x, y = hidden_spot(game, section, edge)
    facts = {"side": side, "section": section, "x_mm": x, "y_mm": y}
    put = marker(game, side, (x, y))
    return (yield from happen(Event(event="pef", facts=facts, changes=(put,), rule="MM-211")))
