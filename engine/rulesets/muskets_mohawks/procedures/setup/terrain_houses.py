"""Where the buildings of settled areas and a raid's stores may stand (MM-185, MM-193, MM-233)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from engine.rulesets.muskets_mohawks.procedures.setup.terrain_frame import Box, Frame
from engine.rulesets.muskets_mohawks.procedures.setup.terrain_strips import Piece

__all__ = ["Group", "House", "houses"]

Spot = tuple[float, float]
#: Parts of the table to look over, the first that has room first, each with the roads that it is to be beside.
_Stages = Sequence[tuple[Box, Sequence[Box]]]

#: A building is as large as most models of them; the gap to its neighbours, at least, and to a road, at most.
_HOUSE_IN, _APART_IN, _FROM_ROAD_IN = (4.0, 3.0), 1.0, 1.0
#: How finely a section is looked over for a place.
_STEP_IN = 0.5
_MIDDLE = 5
_NOT_ON = ("road", "creek", "river", "lake", "bridge", "ford")


class Group(Struct, frozen=True, kw_only=True):
    """Buildings that belong together: their section, a defence value for each; a raid's ``stores`` stay there."""

    section: int
    values: tuple[int, ...]
    stores: bool = False


class House(Struct, frozen=True, kw_only=True):
    """A building: its section, its defence value, where it stands."""

    section: int
    dv: int
    box: Box


def houses(frame: Frame, groups: Sequence[Group], pieces: Sequence[Piece]) -> tuple[House, ...]:
    """Buildings for all groups, clear of roads and water and of each other, in the groups' order.

    Where there is a road they stand within an inch of it, about a crossroads where their section has one. Groups of
    settled areas are in sections that adjoin, apart from a raid's stores; they are moved no farther than that asks.
    """
    roads = [piece.box for piece in pieces if piece.kind == "road"]
    taken = [piece.box for piece in pieces if piece.kind in _NOT_ON]
    of_stores = [frame.section(group.section) for group in groups if group.stores and group.values]
    found: list[House] = []
    for group, section in zip(groups, _sections(frame, groups, roads), strict=True):
        ground = frame.section(section)
        closed = taken if group.stores else [*taken, *of_stores]
        stages = _stages(frame, ground, roads, stores=group.stores)
        for value in group.values:
            box = _place(stages, _focus(ground, () if group.stores else roads), closed, found)
            found.append(House(section=frame.section_at(box.middle), dv=value, box=box))
    return tuple(found)


def _stages(frame: Frame, ground: Box, roads: Sequence[Box], *, stores: bool) -> _Stages:
    """Where buildings are looked for: a raid's stores have their middle in their section, whatever runs there."""
    if not stores:
        return (ground, roads), (frame.whole, roads), (ground, ()), (frame.whole, ())
    rim = _HOUSE_IN[1] / 2 - _STEP_IN
    grown = Box(
        max(0.0, ground.left - rim), max(0.0, ground.near - rim),
        min(frame.wide, ground.right + rim), min(frame.deep, ground.far + rim),
    )  # fmt: skip
    return (ground, ()), (grown, ())


def _sections(frame: Frame, groups: Sequence[Group], roads: Sequence[Box]) -> list[int]:
    """The section that each group is put into: one with a road, beside those that are put already."""
    with_road = [n for n in range(1, 10) if any(_inside(road, frame.section(n)) for road in roads)]
    where = {number: group.section for number, group in enumerate(groups) if group.stores}
    put = [groups[number].section for number in where if groups[number].values]
    known = [number for number in with_road or range(1, 10) if number not in put]
    settled = [number for number in range(len(groups)) if number not in where]
    # The middle section stays as it was rolled (MM-186): the others are moved to it.
    for number in sorted(settled, key=lambda one: groups[one].section != _MIDDLE):
        beside = [n for n in known if n not in put and any(_adjoin(n, other) for other in put)]
        own = groups[number].section
        where[number] = min(beside or known, key=lambda n: (_steps(n, own), n))
        put.append(where[number])
    return [where[number] for number in range(len(groups))]


def _inside(road: Box, section: Box) -> bool:
    """Whether a road has its whole breadth, and some of its length, in a section."""
    x, y = road.middle
    along = road.right - road.left > road.far - road.near
    return section.near <= y <= section.far if along else section.left <= x <= section.right


def _adjoin(one: int, other: int) -> bool:
    return _steps(one, other) == 1


def _steps(one: int, other: int) -> int:
    """How many sections one is from another, along rows and columns."""
    (row, column), (other_row, other_column) = divmod(one - 1, 3), divmod(other - 1, 3)
    return abs(row - other_row) + abs(column - other_column)


def _place(stages: _Stages, focus: Spot, closed: Sequence[Box], stand: Sequence[House]) -> Box:
    """The free place nearest to a point: in the first part of the table that has one, beside one of its roads."""
    taken = [(box, 0.0) for box in closed]
    taken += [(house.box, _APART_IN) for house in stand]
    for ground, roads in stages:
        for box in sorted(_boxes(ground), key=lambda one: math.dist(one.middle, focus)):
            beside = not roads or any(box.gap(road) <= _FROM_ROAD_IN for road in roads)
            if beside and all(box.gap(one) >= apart for one, apart in taken):
                return box
    return _about(focus, *_HOUSE_IN)


def _focus(ground: Box, roads: Sequence[Box]) -> Spot:
    """What a settlement lies about: a crossroads in its section, else the section's middle."""
    along = [road for road in roads if road.right - road.left > road.far - road.near]
    for one in along:
        for other in roads:
            spot = (other.middle[0], one.middle[1])
            if other not in along and ground.holds(Box(*spot, *spot)):
                return spot
    return ground.middle


def _boxes(ground: Box) -> Iterator[Box]:
    """Places for a building in a part of the table, on a grid about its middle, its front either way."""
    x, y = ground.middle
    for wide, deep in (_HOUSE_IN, _HOUSE_IN[::-1]):
        across = int(max(0.0, (ground.right - ground.left - wide) / 2) / _STEP_IN)
        along = int(max(0.0, (ground.far - ground.near - deep) / 2) / _STEP_IN)
        for a in range(-across, across + 1):
            for b in range(-along, along + 1):
                yield _about((x + a * _STEP_IN, y + b * _STEP_IN), wide, deep)


def _about(spot: Spot, wide: float, deep: float) -> Box:
    """A building of that size about a point."""
    x, y = spot
    return Box(x - wide / 2, y - deep / 2, x + wide / 2, y + deep / 2)
