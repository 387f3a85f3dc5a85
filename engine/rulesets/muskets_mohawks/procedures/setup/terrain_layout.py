"""Where terrain that was rolled may lie: like sections together, and outlines to lay out (MM-186 to MM-193)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from engine.records.game import TableArea
from engine.rulesets.muskets_mohawks.procedures.setup.terrain_frame import Frame, Proposal
from engine.rulesets.muskets_mohawks.procedures.setup.terrain_houses import Group, houses
from engine.rulesets.muskets_mohawks.procedures.setup.terrain_strips import strips

__all__ = ["Proposal", "arranged", "proposals"]

Spot = tuple[float, float]

#: Pairs of sections that share a side, and the section that stays where it is (MM-186).
_BESIDE = tuple(
    (one, other)
    for one in range(1, 10) for other in (one + 1, one + 3)
    if other <= 9 and (other == one + 3 or one % 3 != 0)
)  # fmt: skip
_MIDDLE = 5
#: The section that the stores of a raid are in, and what they are built of (MM-233).
_STORES, _STORES_DV = 2, 1
_AREAS = ("hill", "woods", "wooded-hill")
#: An area is a section less this share of it on each side, its corners cut by twice as much: 79 % of it (MM-187).
_RIM, _CUT = 0.05, 0.1


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
    frame = Frame(table, edge)
    areas = [
        Proposal(kind=kind, section=place[number], polygon_mm=frame.ring(_octagon(frame, place[number])))
        for number, kind in enumerate(terrain, start=1)
        if kind in _AREAS
    ]
    across = strips(frame, features, place)
    running = [Proposal(kind=one.kind, section=one.section, polygon_mm=frame.outline(one.box)) for one in across]
    groups = [
        Group(section=place[one["section"]], values=tuple(one["dv"][: int(one["number"])]))
        for one in features
        if one["kind"] == "buildings"
    ]
    groups.append(Group(section=_STORES, values=(_STORES_DV,) * stores, stores=True))
    standing = [
        Proposal(kind="building", section=one.section, polygon_mm=frame.outline(one.box), dv=one.dv)
        for one in houses(frame, groups, across)
    ]
    return (*areas, *running, *standing)


def _octagon(frame: Frame, section: int) -> tuple[Spot, ...]:
    x, y = frame.section(section).middle
    far, near = (0.5 - _RIM) / 3, (0.5 - _RIM - _CUT) / 3
    corners = [(near, far), (far, near), (far, -near), (near, -far), (-near, -far), (-far, -near), (-far, near)]
    return tuple((x + a * frame.wide, y + b * frame.deep) for a, b in (*corners, (-near, far)))
