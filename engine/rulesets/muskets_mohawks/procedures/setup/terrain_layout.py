"""Where terrain that was rolled may lie: like sections together, and outlines to lay out (MM-186 to MM-193)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from engine.records.game import TableArea
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH

__all__ = ["Proposal", "arranged", "proposals"]

Spot = tuple[float, float]

#: Pairs of sections that share a side, and the section that stays where it is (MM-186).
_BESIDE = tuple(
    (one, other)
    for one in range(1, 10) for other in (one + 1, one + 3)
    if other <= 9 and (other == one + 3 or one % 3 != 0)
)  # fmt: skip
_MIDDLE = 5
#: The section that the stores of a raid are in (MM-233).
_STORES = 2
_AREAS = ("hill", "woods", "wooded-hill")
#: An area is a section less this share of it on each side, its corners cut by twice as much: 79 % of it (MM-187).
_RIM, _CUT = 0.05, 0.1
#: A road is as wide as two figures (MM-188); a building and a bridge are as large as most models of them.
_ROAD_IN, _HOUSE_IN, _BRIDGE_IN = 2.0, (4.0, 3.0), 3.0


class Proposal(Struct, frozen=True, kw_only=True):
    """A piece of terrain to lay out: its kind, its section (None: it runs across the table), its outline in mm.

    ``dv`` is a building's defence value.
    """

    kind: str
    section: int | None
    polygon_mm: tuple[Spot, ...]
    dv: int | None = None


def arranged(terrain: Sequence[str]) -> tuple[int, ...]:
    """Which of nine sections' terrain (1 to 9) each section gets, so that as much like terrain as can be adjoins.

    Section 5 stays as it is; of arrangements that are as good the one that moves the fewest (MM-186).

    >>> arranged(["woods", "clear", "clear", "clear", "clear", "clear", "clear", "clear", "woods"])
    (8, 2, 3, 4, 5, 6, 7, 1, 9)
    """
    names = tuple(_area(name) for name in terrain)
    best = _best(names)
    left = {number: names[number - 1] for number in range(1, 10)}
    # Who keeps its terrain takes its own; the others, in order, the first that is left of what they are to have.
    given = {number: number for number in left if names[number - 1] == best[number - 1]}
    for number in given:
        del left[number]
    for number in range(1, 10):
        if number not in given:
            given[number] = next(of for of, name in left.items() if name == best[number - 1])
            del left[given[number]]
    return tuple(given[number] for number in range(1, 10))


def _area(name: str) -> str:
    return name if name in _AREAS else ""


@cache
def _best(names: tuple[str, ...]) -> tuple[str, ...]:
    """The arrangement of kinds with the most like neighbours, of equals that with the fewest changes."""
    best, top = names, (-1, 0)
    for outer in _orders(tuple(sorted(names[:4] + names[5:]))):
        kinds = (*outer[:4], names[_MIDDLE - 1], *outer[4:])
        like = sum(kinds[one - 1] == kinds[other - 1] != "" for one, other in _BESIDE)
        found = (like, sum(kind == name for kind, name in zip(kinds, names, strict=True)))
        if found > top:
            best, top = kinds, found
    return best


def _orders(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every different order of names, of which some are equal."""
    if not names:
        yield ()
    for number, name in enumerate(names):
        if name not in names[:number]:
            for rest in _orders((*names[:number], *names[number + 1 :])):
                yield (name, *rest)


def proposals(
    table: TableArea, edge: str, terrain: Sequence[str], features: Sequence[Mapping[str, Any]], stores: int = 0
) -> tuple[Proposal, ...]:
    """Outlines for the terrain of nine sections, as counted from an edge, and for what runs across them.

    ``stores`` is how many buildings a raid is after: they stand in section 2 (MM-233, MM-234).
    """
    order = arranged(terrain)
    place = {of: section for section, of in enumerate(order, start=1)}
    frame = _Frame(table, edge)
    areas = [
        Proposal(kind=kind, section=place[number], polygon_mm=frame.ring(_octagon(place[number])))
        for number, kind in enumerate(terrain, start=1)
        if kind in _AREAS
    ]
    running = [piece for one in features for piece in _running(frame, place[one["section"]], one)]
    houses = [piece for one in features for piece in _houses(frame, place[one["section"]], one)]
    beyond = _HOUSE_IN[1] + 1.0 if any(house.section == _STORES for house in houses) else 0.0
    houses += _row(frame, _STORES, [1] * stores, beyond)
    return (*areas, *running, *houses)


class _Frame:
    """The table as seen from the edge that sections are counted from: across 0 to 1 from the left, deep 0 to 1."""

    def __init__(self, table: TableArea, edge: str) -> None:
        self.width, self.depth, self.edge = table.width_mm, table.depth_mm, edge
        along = edge in ("south", "north")
        self.across_mm, self.deep_mm = (self.width, self.depth) if along else (self.depth, self.width)

    def ring(self, spots: Sequence[Spot]) -> tuple[Spot, ...]:
        """Points as shares of the table, in table millimetres."""
        return tuple(self._spot(*spot) for spot in spots)

    def _spot(self, across: float, deep: float) -> Spot:
        x, y = {
            "south": (across * self.width, deep * self.depth),
            "north": ((1 - across) * self.width, (1 - deep) * self.depth),
            "west": (deep * self.width, (1 - across) * self.depth),
            "east": ((1 - deep) * self.width, across * self.depth),
        }[self.edge]
        return round(x, 3), round(y, 3)

    def box(self, middle: Spot, across_in: float, deep_in: float) -> tuple[Spot, ...]:
        """A rectangle of so many inches round a point."""
        a, d = across_in * MM_PER_INCH / self.across_mm / 2, deep_in * MM_PER_INCH / self.deep_mm / 2
        x, y = middle
        return self.ring([(x - a, y - d), (x + a, y - d), (x + a, y + d), (x - a, y + d)])


def _middle(section: int) -> Spot:
    row, column = divmod(section - 1, 3)
    return (column + 0.5) / 3, (2.5 - row) / 3


def _octagon(section: int) -> tuple[Spot, ...]:
    x, y = _middle(section)
    far, near = (0.5 - _RIM) / 3, (0.5 - _RIM - _CUT) / 3
    corners = [(near, far), (far, near), (far, -near), (near, -far), (-near, -far), (-far, -near), (-far, near)]
    return tuple((x + a, y + b) for a, b in (*corners, (-near, far)))


def _running(frame: _Frame, section: int, feature: Mapping[str, Any]) -> Iterator[Proposal]:
    """A road, creek or river right across the table through a section's middle; a lake in the middle section."""
    kind = feature["kind"]
    if kind not in ("road", "creek", "river", "lake"):
        return
    width = float(feature.get("width_in", _ROAD_IN))
    x, y = _middle(section)
    lengthwise = feature["direction"] == "lengthwise"
    whole_in = (frame.across_mm if lengthwise else frame.deep_mm) / MM_PER_INCH
    long = whole_in / 3 if kind == "lake" else whole_in
    middle = (x, y) if kind == "lake" else (0.5, y) if lengthwise else (x, 0.5)
    size = (long, width) if lengthwise else (width, long)
    yield Proposal(kind=kind, section=section if kind == "lake" else None, polygon_mm=frame.box(middle, *size))
    for name, wide, at in _crossings(feature, section):
        over = (wide, width + 1.0) if lengthwise else (width + 1.0, wide)
        there = ((at - 0.5) / 3, y) if lengthwise else (x, (at - 0.5) / 3)
        yield Proposal(kind=name, section=None, polygon_mm=frame.box(there, *over))


def _crossings(feature: Mapping[str, Any], section: int) -> Iterator[tuple[str, float, int]]:
    """Bridges and fords of a river: the kind, how wide in inches, in which third along it (MM-192)."""
    way = (section - 1) % 3 + 1 if feature.get("direction") == "lengthwise" else 3 - (section - 1) // 3
    if feature.get("crossing") == "bridge":
        yield "bridge", _BRIDGE_IN, way
    thirds = feature.get("ford_sections", [way])
    for wide, third in zip(feature.get("ford_width_in", []), thirds, strict=False):
        yield "ford", float(wide), third


def _houses(frame: _Frame, section: int, feature: Mapping[str, Any]) -> Iterator[Proposal]:
    """Buildings in a row, an inch of wall apart at least, about their section's middle (MM-193)."""
    if feature["kind"] != "buildings":
        return
    yield from _row(frame, section, feature["dv"][: int(feature["number"])])


def _row(frame: _Frame, section: int, values: Sequence[int], beyond_in: float = 0.0) -> Iterator[Proposal]:
    """A building for each defence value, side by side, so far beyond their section's middle."""
    x, y = _middle(section)
    y += beyond_in * MM_PER_INCH / frame.deep_mm
    step = (_HOUSE_IN[0] + 2.0) * MM_PER_INCH / frame.across_mm
    for place, value in enumerate(values):
        middle = (x + (place - (len(values) - 1) / 2) * step, y)
        yield Proposal(kind="building", section=section, polygon_mm=frame.box(middle, *_HOUSE_IN), dv=value)
