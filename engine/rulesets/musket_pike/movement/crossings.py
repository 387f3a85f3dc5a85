"""What the ground asks of one step: points, and who it disorders or bars (MP-41 to MP-47, MP-55 to MP-60)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from engine.geometry.grids.flat import beyond
from engine.records.game import Cell
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.ground import OBSTRUCTED_SIDES, is_obstructed
from engine.rulesets.musket_pike.table.troops import Troop, movement_class
from engine.rulesets.musket_pike.table.weather import weather_now

__all__ = ["Crossing", "Lie", "Walker", "crossing_of", "lie_of", "walker_of", "worked_out"]

Bar = tuple[str, str]
#: Who may use bridges and fords: columns, skirmishers, riders, limbered guns, wagons (MP-58, R11).
_BRIDGED = frozenset({"column", "mounted", "limbered", "wagon"})
#: In what way who goes: a class of movement in a player's words.
_HOW = {
    "line": "in line", "block": "in block", "column": "in column or as skirmishers", "mounted": "on horseback",
    "limbered": "with limbered guns", "wagon": "with wagons",
}  # fmt: skip
#: Whose weight a bridge's strength is held against (MP-59).
_LOADS = {
    "infantry": "leaders and infantry need", "cavalry": "cavalry needs", "artillery": "guns and wagons need"
}  # fmt: skip
_SIDES = {"embankment": "an embankment", "stone-wall": "a stone wall", "high-wall": "a high wall"}


class Walker(NamedTuple):
    """What of a unit the ground asks about: its class of movement, who it is to a bridge, boats, roads."""

    kind: str | None
    bridge: str
    boats: bool
    roads: bool


class Crossing(Struct, frozen=True):
    """One step over the ground, whoever stands there.

    ``cost`` in points, None where it is impossible, by ``bars`` or because the unit never moves. ``by`` is
    ``ground``, ``road``, ``bridge`` (or a ford) or ``boat``. ``rough``: obstructed (MP-46); ``works``: the row of
    works that disorder, or None.
    """

    cost: float | None
    by: str = "ground"
    bars: tuple[Bar, ...] = ()
    rough: bool = False
    works: str | None = None


def walker_of(troop: Troop) -> Walker:
    """A unit as the ground sees it."""
    foot = troop.leader or troop.foot
    bridge = "infantry" if foot else "cavalry" if troop.horse else "artillery"
    kind = movement_class(troop)
    roads = kind in ("mounted", "limbered", "wagon") or (kind == "column" and not troop.skirmisher)
    return Walker(kind, bridge, "has-boats" in troop.attributes, roads)


class Lie(NamedTuple):
    """All that a step over a side depends on: what is entered, what lies on the side, the climb, works, ways.

    ``spot``: the side itself where water, a bridge or a ford has a part in it; else all sides of a lie are one.
    """

    kind: str = "clear"
    sides: frozenset[str] = frozenset()
    rise: int = 0
    abatis: bool = False
    digs: bool = False
    ways: frozenset[str] = frozenset()
    spot: tuple[Cell, int] | None = None


#: From clear level ground to the same.
_OPEN = Lie()


def lie_of(board: Board, cell: Cell, direction: int) -> Lie:
    """The lie of a side as it is crossed from a hex, worked out once for each mat."""
    ground, side = board.ground, (cell, direction)
    if side not in ground.eventful:
        return _OPEN
    known = board.mat.lies
    found: Lie | None = known.get(side)
    if found is None:
        other = beyond(cell, direction)
        digs = other in ground.trenches and cell not in ground.trenches
        rise = max(0, ground.level(other) - ground.level(cell))
        kind, sides, ways = ground.kind(other), ground.side(cell, direction), ground.ways.get(side, frozenset())
        wet = "water" in (kind, ground.kind(cell)) or ground.crossing(other) or ground.crossing(cell)
        spot = side if wet or "creek" in sides else None
        found = known[side] = Lie(kind, sides, rise, other in ground.abatis, digs, ways, spot)
    return found


def crossing_of(board: Board, walker: Walker, cell: Cell, direction: int) -> Crossing:
    """The step from a hex over one of its sides, worked out once for each mat, walker and lie."""
    lie = lie_of(board, cell, direction)
    key = (walker, lie)
    found: Crossing | None = board.mat.crossings.get(key)
    if found is None:
        found = board.mat.crossings[key] = worked_out(board, walker, cell, direction)
    return found


def worked_out(board: Board, walker: Walker, cell: Cell, direction: int) -> Crossing:
    """The step from a hex over one of its sides, worked out anew."""
    if walker.kind is None or walker.kind == "unlimbered":
        return Crossing(None)
    over = _bridged(board, walker, cell, direction)
    if over is not None and (over.cost is not None or not walker.boats):
        return over
    lie = lie_of(board, cell, direction)
    road, wet = _road_cost(board, walker, lie), lie.kind == "water" or "creek" in lie.sides
    return Crossing(road, by="road") if road is not None and not wet else _over(board, walker, lie)


def _bridged(board: Board, walker: Walker, cell: Cell, direction: int) -> Crossing | None:
    """The step by a bridge or a ford; None where it needs none, or there is none (MP-42, MP-58, MP-59)."""
    ground, other = board.ground, beyond(cell, direction)
    wet, leaves = ground.kind(other) == "water", ground.kind(cell) == "water"
    if wet:
        at = other if ground.crossing(other) else None
    elif leaves and ground.crossing(cell):
        at = cell
    elif "creek" in ground.side(cell, direction):
        at = next((end for end in (cell, other) if ground.crossing(end)), None)
    else:
        at = None
    if at is None or _walled(ground.side(cell, direction)):
        return None
    bars = []
    if walker.kind not in _BRIDGED:
        bars.append(("bridges and fords are crossed in column, limbered or mounted", "MP-58"))
    needed, bridge = getattr(board.parameters.bridge_minimum, walker.bridge), ground.bridges.get(at)
    if bridge is not None and at not in ground.fords and bridge.strength < needed:
        bars.append((f"the bridge has {bridge.strength} left, {_LOADS[walker.bridge]} {needed:g}", "MP-59"))
    cost = None if bars else board.parameters.road_cost.get("path", 0.0)
    return Crossing(cost, by="bridge", bars=tuple(bars))


def _walled(kinds: frozenset[str]) -> bool:
    return "high-wall" in kinds and "gate" not in kinds


def _walled_with_gate(kinds: frozenset[str]) -> bool:
    return "high-wall" in kinds and "gate" in kinds


def _road_cost(board: Board, walker: Walker, lie: Lie) -> float | None:
    """The points of the cheapest road that joins both hexes, for who marches on roads (MP-55)."""
    costs = board.parameters.road_cost
    priced = [costs[way] for way in lie.ways if way in costs]
    return min(priced) if walker.roads and priced else None


def _over(board: Board, walker: Walker, lie: Lie) -> Crossing:
    """The step over open ground: the hex entered, the sides crossed, the climb, the works (MP-41)."""
    parameters, kind, sides = board.parameters, lie.kind, lie.sides
    bars: list[Bar] = []
    boat = kind == "water" and walker.boats
    entry = parameters.boat_cost if boat else parameters.terrain_cost[kind].get(str(walker.kind))
    if entry is None:
        rule = "MP-58" if kind == "water" else "MP-41"
        bars.append((f"{kind} cannot be entered{'' if kind == 'water' else f' {_HOW[str(walker.kind)]}'}", rule))
    cost = entry or 0.0
    for side in ("gate",) if _walled_with_gate(sides) else sorted(sides):
        price = parameters.hexside_cost[side].get(str(walker.kind))
        if price is None:
            rule = {"gate": "MP-47", "high-wall": "MP-47", "creek": "MP-42"}.get(side, "MP-41")
            bars.append((_no_way_over(side, parameters.hexside_cost[side], walker), rule))
        cost += price or 0.0
    cost += parameters.up_cost * lie.rise
    cost += parameters.abatis_cost * lie.abatis + parameters.trench_cost * lie.digs
    works = "MP-56" if lie.abatis else "MP-57" if lie.digs else None
    rough = is_obstructed(kind) or not OBSTRUCTED_SIDES.isdisjoint(sides)
    weather = 1 + weather_now(board).movement / 100
    return Crossing(
        None if bars else cost * weather, "boat" if boat else "ground", tuple(bars), rough=rough, works=works
    )


def _no_way_over(side: str, costs: Mapping[str, float | None], walker: Walker) -> str:
    """Why a side is not crossed: by nobody, or not so."""
    if side == "creek":
        return "a creek is crossed only at a ford or bridge"
    how = f" {_HOW[str(walker.kind)]}" if any(cost is not None for cost in costs.values()) else ""
    return f"{_SIDES.get(side, f'a {side}')} cannot be crossed{how}"
