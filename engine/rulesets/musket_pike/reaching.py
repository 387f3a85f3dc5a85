"""Where a unit can go, and where a charge can take it, at the least cost (MP-40, MP-54, MP-72, MP-102)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.geometry.grids import walk
from engine.geometry.grids.flat import around
from engine.records.game import Cell
from engine.rulesets.musket_pike.board import Board
from engine.rulesets.musket_pike.crossings import crossing_of, walker_of
from engine.rulesets.musket_pike.permits import charge_bars, continues, move_bars
from engine.rulesets.musket_pike.steps import (
    EQUAL,
    Mover,
    disorder_by_ground,
    goes_back,
    mover_of,
    points_left,
    price_of,
    shunned,
    step_of,
)
from engine.rulesets.musket_pike.troops import Troop
from engine.rulesets.musket_pike.zones import zones_against

__all__ = ["charge_reach", "reach_of"]

#: A hex, how the unit faces there, and whether the way has disordered it.
Node = tuple[Cell, int | None, bool]
Found = list[tuple[Cell, float]]


def reach_of(board: Board, troop: Troop) -> Found:
    """The hexes that a unit can move to with what each costs, cheapest first; its own left out."""
    return [] if move_bars(board, troop) else _reached(board, mover_of(troop))


def charge_reach(board: Board, troop: Troop) -> Found:
    """The hexes that a charge of the unit, once begun, can reach; in a continuation each counts one (MP-178)."""
    if charge_bars(board, troop):
        return []
    mover = mover_of(troop, charging=True)
    return _ridden(board, mover) if continues(troop) else _reached(board, mover)


def _reached(board: Board, mover: Mover) -> Found:
    turns = (mover.troop.line or mover.troop.block) and not mover.troop.state.routed
    start: Node = (mover.hex, mover.facing if turns or mover.charging else None, mover.disordered)
    found = walk(start, _steps(board, mover, start, turns), points_left(board, mover)).cost
    least: dict[Cell, float] = {}
    for (cell, _, _), cost in found.items():
        least[cell] = min(cost, least.get(cell, cost))
    return _sorted(least, mover.hex)


def _sorted(costs: dict[Cell, float], start: Cell) -> Found:
    """Hexes and what they cost, the cheapest first, the start left out."""
    return sorted(((cell, cost) for cell, cost in costs.items() if cell != start), key=lambda one: (one[1], one[0]))


def _steps(
    board: Board, mover: Mover, start: Node, turns: bool
) -> Callable[[Node, float], Iterator[tuple[Node, float]]]:
    """The legal steps of a unit from a node: the whole rules where somebody is met, the ground alone elsewhere."""
    troop, stacks, grid = mover.troop, board.stacks, board.grid
    walker = walker_of(troop)
    if mover.charging:
        walker = walker._replace(roads=False)
    zones = zones_against(board, troop.side)
    avoided = shunned(board, troop.side) if troop.skirmisher else frozenset()
    watched, minds_facing = troop.state.routed, turns or mover.charging

    def steps(node: Node, spent: float) -> Iterator[tuple[Node, float]]:
        here, facing, disordered = node
        if here in zones and node is not start:
            return
        way = facing if minds_facing else mover.facing
        now = Mover(troop, here, way, disordered, mover.used + spent, mover.charging)
        left = points_left(board, now)
        for direction, cell in enumerate(around(here)):
            if not grid.holds(cell) or cell in avoided or cell == start[0]:
                continue
            if watched or mover.charging or cell in stacks:
                step = step_of(board, now, direction)
                if step.bars or step.cost is None or (step.overrun is not None and step.overrun.failed):
                    continue
                faced = step.facing if minds_facing else None
                yield (cell, faced, disordered or step.disorders is not None), step.cost
                continue
            crossing = crossing_of(board, walker, here, direction)
            cost = price_of(board, crossing, goes_back(now, direction))
            if cost is not None and cost <= left + EQUAL:
                yield (cell, facing, disordered or disorder_by_ground(board, now, crossing) is not None), cost

    return steps


def _ridden(board: Board, mover: Mover) -> Found:
    """The empty hexes straight ahead that a charge going on reaches; a zone of control ends it (MP-178)."""
    troop = mover.troop
    most = board.parameters.continuation_hexes - troop.state.continued
    zones, facing = zones_against(board, troop.side), mover.facing or 0

    def steps(cell: Cell, _spent: float) -> Iterator[tuple[Cell, float]]:
        if cell in zones and cell != mover.hex:
            return
        for direction in (facing, (facing + 1) % 6):
            other = around(cell)[direction]
            passable = crossing_of(board, walker_of(troop), cell, direction).cost is not None
            if board.grid.holds(other) and not board.at(other) and passable:
                yield other, 1.0

    return _sorted(walk(mover.hex, steps, float(most)).cost, mover.hex)
