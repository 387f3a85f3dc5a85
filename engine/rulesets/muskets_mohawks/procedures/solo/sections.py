"""The nine sections of the table, and possible enemy forces that are put into them (MM-180, MM-211, MM-219)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.dice import Roll
from engine.events import Event
from engine.geometry.shapes.bases import gaps
from engine.play import Procedure, happen, roll
from engine.records.game import Edge, Figure, Game, Round, Unit
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import side_campaign
from engine.rulesets.muskets_mohawks.procedures.setup.mustering import marker
from engine.rulesets.muskets_mohawks.seeing.sight import bodies_pairs
from engine.rulesets.muskets_mohawks.table.bodies import body_of
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of

__all__ = [
    "hidden_spot", "marker_section", "near_edge", "place_pef", "player_defends", "section_centre", "section_of",
]  # fmt: skip

#: How finely a section is looked over for a hidden spot.
SPOT_MM = 20.0
#: A marker's base, how far its centre stays from the section's border, and how far it stands from others.
_BASE = Round(diameter_mm=25.0)
_HALF_MM, _CLEAR_MM = 12.5, 5.0
_OPPOSITE: Mapping[Edge, Edge] = {"south": "north", "north": "south", "west": "east", "east": "west"}
#: Where no marker is put to be hidden.
_NOT_IN = ("building", "river", "lake", "impassable")


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


def near_edge(game: Game) -> str:
    """The edge along which sections 7 to 9 lie: the player's; the other end where he holds sections 1 to 3."""
    edge = game.side(_player(game)).edge
    return _OPPOSITE[edge] if player_defends(game) else edge


def marker_section(game: Game, side: str, die: int) -> int:
    """The section that a die puts a marker of a side into (MM-219).

    Where the player defends they enter by 7, 8 or 9 (MM-234, MM-235); those whom he attacks in a stand up fight
    hold 1, 2 or 3.
    """
    if side != _player(game) and player_defends(game):
        return 7 + (die - 1) // 2
    if side != _player(game) and conditions_of(game).encounter == "stand-up-fight":
        return 1 + (die - 1) // 2
    return die


def _player(game: Game) -> str:
    return conditions_of(game).player_side or game.sides[0].name


def player_defends(game: Game) -> bool:
    """Whether the player sets up in sections 1 to 3, against a raid or in a stand up fight."""
    conditions, player = conditions_of(game), _player(game)
    if conditions.encounter != "stand-up-fight":
        return conditions.encounter == "raid-defend"
    attacker = conditions.evening.attacker
    return side_campaign(game, player).territory == "controlling" if attacker is None else attacker != player


def hidden_spot(game: Game, section: int, edge: str) -> tuple[float, float]:
    """Where terrain hides a marker of the section from the player: the free spot nearest to its centre, else that.

    Nobody is looked for in a house, or in water that nobody enters (MM-219).
    """
    middle = section_centre(game, section, edge)
    reach = [np.arange(0.0, size / 6 - _HALF_MM, SPOT_MM) for size in (game.table.width_mm, game.table.depth_mm)]
    across, along = (np.concatenate((-far[:0:-1], far)).tolist() for far in reach)
    spots = [(middle[0] + dx, middle[1] + dy) for dx in across for dy in along]
    spots.sort(key=lambda spot: (round(math.dist(spot, middle), 6), spot))
    free = _free_and_hidden(game, spots)
    return spots[int(free.argmax())] if free.any() else middle


def _free_and_hidden(game: Game, spots: Sequence[tuple[float, float]]) -> NDArray[np.bool_]:
    """(n,) on which spots a marker stands clear of all others and none of the player's figures sees it."""
    sheet, player = sheet_of(game), conditions_of(game).player_side
    figures = [
        Figure(id=f"marker-{number}", x_mm=x, y_mm=y, base=_BASE, role="pef") for number, (x, y) in enumerate(spots)
    ]
    body = body_of(game, Unit(id="marker", side=f"not {player}", type="pef", figures=tuple(figures)), figures)
    free = np.ones(len(spots), dtype=bool)
    for piece in sheet.of_kind(*_NOT_IN):
        free &= ~sheet.standing_in(body, piece)
    for unit in game.units:
        if unit.figures:
            free &= (gaps(body.bases, body_of(game, unit, unit.figures).bases) > _CLEAR_MM).all(axis=1)
        if unit.side == player and figures_of(unit) and unit.type != "pef":
            free &= ~bodies_pairs(sheet, sheet.body(unit), body, over_figures=True).clear.any(axis=0)
    return free


def place_pef(game: Game, side: str) -> Procedure[Game]:
    """A side with nobody on the table gets a marker, in the nearest section that has no enemy (MM-211)."""
    edge = near_edge(game)
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
