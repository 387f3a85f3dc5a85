"""What the campaign's map allows: marches over its hexes, who stands where, who comes in time (PR-1101 to 1108)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from engine.geometry.grids.flat import around, direction_between, steps_apart
from engine.geometry.grids.hexes import HexGrid
from engine.geometry.grids.walking import Walk, walk
from engine.records.game import Cell, Game
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.campaign.standing import Campaign, Hex, Marker, cell_of
from engine.rulesets.presidio.raid_book import raid_book
from engine.rulesets.presidio.vocabulary import is_artillery

__all__ = [
    "against_entry", "against_move", "against_woods", "enemies_in", "lie_of_the_land", "march", "reinforcements",
    "side_entered",
]  # fmt: skip

_SIDES = HexGrid(1.0).directions
_TABLE_SIDES = {
    "N": "north", "NE": "north-east", "SE": "south-east", "S": "south", "SW": "south-west", "NW": "north-west",
}  # fmt: skip
_HEAVY = ("artillery", "wagon")


def _hexes(campaign: Campaign) -> dict[Cell, Hex]:
    return {cell_of(name): one for name, one in campaign.hexes.items()}


def _price(here: Hex, there: Hex) -> int:
    """What a step costs of the day's march (PR-1104)."""
    numbers = raid_book().campaign
    if here.road and there.road:
        return numbers.road
    slow = there.hill or there.river or there.terrain == "woods"
    return numbers.slow if slow else numbers.fields


def march(campaign: Campaign, start: Cell, *, side: str, heavy: bool) -> Walk[Cell]:
    """The hexes that a day's march of a side reaches; ``heavy``: wagons or guns, which never enter woods (PR-1104).

    On a large map it is one hex always. It ends where it comes upon an enemy (PR-1105).
    """
    known, numbers = _hexes(campaign), raid_book().campaign
    large = campaign.scale == "large"
    met = {cell_of(one.hex) for one in campaign.markers if one.side != side and one.hex is not None} - {start}

    def steps(cell: Cell, spent: float) -> Iterable[tuple[Cell, float]]:
        here = known.get(cell, Hex())
        for other in () if cell in met else around(cell):
            there = known.get(other)
            if there is None or (heavy and there.terrain == "woods"):
                continue
            yield other, numbers.day_price if large else _price(here, there)

    return walk(start, steps, numbers.day_price)


def enemies_in(campaign: Campaign, marker: Marker, cell: Cell) -> tuple[Marker, ...]:
    """The markers of other sides in a hex."""
    return tuple(
        one
        for one in campaign.markers
        if one.side != marker.side and one.hex is not None and cell_of(one.hex) == cell
    )


def against_move(game: Game, campaign: Campaign, marker: Marker, goal: Cell) -> Reasons:
    """Everything that speaks against a marker's move to a hex (PR-1103, PR-1104)."""
    reasons, numbers = Reasons(), raid_book().campaign
    known = _hexes(campaign)
    reasons.add(goal not in known, f"{goal[0]},{goal[1]} is not on the map", "PR-1101")
    reasons.add(marker.hex is None, f"{marker.id} is not on the map yet", "PR-1103")
    reasons.add(marker.moved, f"{marker.id} has moved today", "PR-1103")
    full, most = _crowd(campaign, marker, goal), numbers.most_in_hex
    reasons.add(full > 0, f"{full} markers of {marker.side} are there: {most} is the most", "PR-1103")
    if marker.hex is not None and goal in known:
        reasons.add(cell_of(marker.hex) == goal, f"{marker.id} is there already", "PR-1104")
        reasons.extend(against_woods(game, campaign, marker, goal))
        reasons.extend(_against_march(campaign, marker, cell_of(marker.hex), goal, heavy=_heavy(game, marker)))
    guns = sum(is_artillery(game.by_id[name]) for name in marker.units if name in game.by_id)
    reasons.add(guns > numbers.battery, f"{guns} guns in one marker: a battery has {numbers.battery}", "PR-1102")
    return reasons


def _against_march(
    campaign: Campaign, marker: Marker, start: Cell, goal: Cell, *, heavy: bool
) -> Iterator[tuple[str, str]]:
    """What keeps a marker from getting to a hex in a day: the way, or an enemy on every way (PR-1104, PR-1105)."""
    if goal in march(campaign, start, side=marker.side, heavy=heavy).cost:
        return
    alone = replace(campaign, markers=())
    if goal in march(alone, start, side=marker.side, heavy=heavy).cost:
        yield f"{marker.id} comes upon an enemy's marker on the way: its march ends there", "PR-1105"
    else:
        yield f"{marker.id} cannot march there in a day", "PR-1104"


def against_woods(game: Game, campaign: Campaign, marker: Marker, goal: Cell) -> Iterator[tuple[str, str]]:
    """What keeps a marker out of a hex of woods: wagons and guns (PR-1104)."""
    if _heavy(game, marker) and _hexes(campaign).get(goal, Hex()).terrain == "woods":
        yield "wagons and artillery never enter woods", "PR-1104"


def _heavy(game: Game, marker: Marker) -> bool:
    return any(game.by_id[name].type in _HEAVY for name in marker.units if name in game.by_id)


def against_entry(campaign: Campaign, marker: Marker, points: Iterable[Cell]) -> Reasons:
    """Everything that speaks against a marker's coming onto the map by one of some hexes (PR-1101, PR-1103).

    Where no map is drawn, any hex will do.
    """
    reasons, most, known = Reasons(), raid_book().campaign.most_in_hex, _hexes(campaign)
    reasons.add(marker.hex is not None, f"{marker.id} is on the map already", "PR-1103")
    for cell in points:
        where = f"{cell[0]},{cell[1]}"
        reasons.add(bool(known) and cell not in known, f"{where} is not on the map", "PR-1101")
        full = _crowd(campaign, marker, cell)
        reasons.add(full > 0, f"{full} markers of {marker.side} are in {where}: {most} is the most", "PR-1103")
    return reasons


def _crowd(campaign: Campaign, marker: Marker, goal: Cell) -> int:
    """How many others of a marker's side stand in a hex that is full of them; 0 where there is room."""
    friends = sum(
        one.side == marker.side and one.id != marker.id and one.hex is not None and cell_of(one.hex) == goal
        for one in campaign.markers
    )
    return friends if friends >= raid_book().campaign.most_in_hex else 0


def reinforcements(campaign: Campaign, cell: Cell, there: tuple[Marker, ...]) -> list[str]:
    """The markers that may come to a battle in a hex on the third turn (PR-1108).

    Within three hexes by road all the way, two in fields, one in woods; on a large map within one. Blanks are among
    them: nobody is told which they are.
    """
    numbers, known = raid_book().campaign, _hexes(campaign)
    fighting = {one.id for one in there}
    found = []
    for marker in campaign.markers:
        if marker.id in fighting or marker.hex is None:
            continue
        start = cell_of(marker.hex)
        if campaign.scale == "large":
            near = steps_apart(start, cell) <= numbers.reinforced_large
        else:
            near = _comes(known, start, cell)
        if near:
            found.append(marker.id)
    return found


def _comes(known: dict[Cell, Hex], start: Cell, goal: Cell) -> bool:
    """Whether there is a way of so many hexes: of roads, of open hexes, of any."""
    most = raid_book().campaign.reinforced_small
    kinds: dict[str, Callable[[Hex], bool]] = {
        "road": lambda one: one.road,
        "fields": lambda one: one.road or (one.terrain != "woods" and not one.hill and not one.river),
        "woods": lambda one: True,
    }

    def reaches(kind: str) -> bool:
        def steps(cell: Cell, spent: float) -> Iterable[tuple[Cell, float]]:
            return ((other, 1.0) for other in around(cell) if other in known and kinds[kind](known[other]))

        fits = kind != "road" or known.get(start, Hex()).road
        return fits and goal in walk(start, steps, most[kind]).cost

    return any(reaches(kind) for kind in kinds)


def lie_of_the_land(campaign: Campaign, cell: Cell) -> Mapping[str, Any]:
    """How the table is laid out for the battle, and who may pursue who withdraws (PR-1101, PR-1106)."""
    numbers = raid_book().campaign
    wild = _hexes(campaign).get(cell, Hex()).terrain != "settlement"
    size = {} if wild else {"town_in": numbers.town_in, "village_in": numbers.village_in}
    return {"layout": "camp" if wild else "settlement", **size, "may_pursue": next(iter(campaign.order), None)}


def side_entered(start: Cell, goal: Cell) -> str:
    """From which side of the table somebody comes who marched from one hex to another (PR-1107).

    North and south are the flat sides, the others the diagonals between the table's edges; of a longer march the
    last step decides, as the straight way runs.

    >>> side_entered((1, 1), (1, 2)), side_entered((1, 3), (1, 2))
    ('south', 'north')
    """
    way = HexGrid(1.0).path(goal, start)
    side = direction_between(goal, way[1]) if len(way) > 1 else None
    return "south" if side is None else _TABLE_SIDES[_SIDES[side]]
