"""Where a unit can go, and where a charge can take it, at the least cost (MP-40, MP-54, MP-72, MP-102)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from math import inf
from typing import NamedTuple

from engine.geometry.grids import walk
from engine.geometry.grids.flat import around
from engine.records.game import Cell
from engine.rulesets.musket_pike.board import Board
from engine.rulesets.musket_pike.crossings import crossing_of, walker_of
from engine.rulesets.musket_pike.overruns import overrun_of
from engine.rulesets.musket_pike.permits import charge_bars, continues, move_bars
from engine.rulesets.musket_pike.pricing import CALM, ROUGH, WORKS, prices_of
from engine.rulesets.musket_pike.stacking import crowd_bars, joined_facing
from engine.rulesets.musket_pike.steps import (
    EQUAL,
    Mover,
    company_disorders,
    mover_of,
    points_left,
    shunned,
    step_of,
    taken_up,
    weather_share,
)
from engine.rulesets.musket_pike.troops import Troop
from engine.rulesets.musket_pike.zones import zones_against

__all__ = ["charge_reach", "reach_of"]

Found = list[tuple[Cell, float]]
#: A hex, how the unit faces there (None: as it likes), and whether the way has disordered it.
Node = tuple[Cell, int | None, bool]
_NO_PENALTY = (0.0,) * 6


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
    """Dijkstra's algorithm, as `engine.geometry.grids.walk` has it, with little done a step: sixty units ask."""
    faced = mover.charging or _close(mover.troop)
    start: Node = (mover.hex, mover.facing if faced else None, mover.disordered)
    steps, zones = _steps(board, mover), zones_against(board, mover.troop.side)
    best: dict[Node, float] = {start: 0.0}
    queue, order = [(0.0, 0, start)], 0
    while queue:
        spent, _, node = heappop(queue)
        if spent > best[node] or (node[0] in zones and node is not start):
            continue
        for reached, cost in steps(node, spent):
            if cost < best.get(reached, inf) - EQUAL:
                best[reached] = cost
                order += 1
                heappush(queue, (cost, order, reached))
    least: dict[Cell, float] = {}
    for (cell, _, _), cost in best.items():
        least[cell] = min(cost, least.get(cell, cost))
    return _sorted(least, mover.hex)


def _sorted(costs: dict[Cell, float], start: Cell) -> Found:
    """Hexes and what they cost, the cheapest first, the start left out."""
    return sorted(((cell, cost) for cell, cost in costs.items() if cell != start), key=lambda one: (one[1], one[0]))


def _close(troop: Troop) -> bool:
    """Whether a unit keeps its facing as it moves: line and block (MP-62)."""
    return (troop.line or troop.block) and not troop.state.routed


def _steps(board: Board, mover: Mover) -> Callable[[Node, float], list[tuple[Node, float]]]:
    """The nodes one legal step on with what they cost from the start.

    Where somebody is met, what his company means is worked out once a hex, if the whole rules are not asked.
    """
    troop, taken = mover.troop, board.stacks
    walker = walker_of(troop)
    prices = prices_of(board, walker._replace(roads=walker.roads and not mover.charging))
    off_road = prices_of(board, walker._replace(roads=False))
    disorders, limits = _disorders(board, troop), _limits(board, mover)
    avoided = shunned(board, troop.side) if troop.skirmisher else frozenset()
    penalties, met = _penalties(board, mover), _Met(board, troop)
    asking = _asking(board, mover)

    def steps(node: Node, spent: float) -> list[tuple[Node, float]]:
        here, facing, disordered = node
        limit = limits[disordered] + EQUAL
        found: list[tuple[Node, float]] = []
        if spent + prices.least > limit:
            return found
        extra = _NO_PENALTY if facing is None else penalties[facing]
        for number, (direction, cell, price, code) in enumerate(prices[here]):
            if asking is None or cell in asking:
                found += _by_all_rules(board, mover, node, direction, spent)
                continue
            way, mixed = facing, False
            if cell in taken:
                company = met[cell]
                if company is None:
                    continue
                mixed = company.disorders
                if facing is not None and company.facing is not None:
                    way = company.facing
                if company.fills_road:
                    _, _, price, code = off_road[here][number]
            total = spent + price + extra[direction]
            if total <= limit and cell not in avoided:
                found.append(((cell, way, disordered or mixed or disorders[code]), total))
        return found

    return steps


def _asking(board: Board, mover: Mover) -> frozenset[Cell] | None:
    """The hexes where a unit asks the whole rules: a charge where enemies stand, a leader where boats may be; None:
    a routed unit does so everywhere."""
    troop = mover.troop
    if troop.state.routed:
        return None
    if mover.charging:
        return frozenset(enemy.hex for enemy in board.enemies(troop.side))
    boats = (other.hex for other in board.own(troop.side) if "has-boats" in other.attributes)
    return frozenset(boats) if troop.leader else frozenset()


class _Company(NamedTuple):
    """What those who stand in a hex mean to a unit that enters it."""

    disorders: bool
    facing: int | None
    fills_road: bool


class _Met(dict[Cell, _Company | None]):
    """The company in each hex that a unit may meet; None: it may not enter."""

    def __init__(self, board: Board, troop: Troop) -> None:
        self._board, self._troop = board, troop

    def __missing__(self, cell: Cell) -> _Company | None:
        self[cell] = found = self._found(cell)
        return found

    def _found(self, cell: Cell) -> _Company | None:
        board, troop = self._board, self._troop
        overrun = overrun_of(board, troop, troop.hex, cell, charging=False)
        if overrun is None:
            if any(crowd_bars(board, (troop,), cell)):
                return None
        elif overrun.bars:
            return None
        bridged = board.ground.kind(cell) == "water" and board.ground.crossing(cell)
        crowded = not troop.leader and taken_up(board, troop, cell)
        if bridged and crowded:
            return None
        disorders = company_disorders(board, troop, cell) is not None
        return _Company(disorders, joined_facing(board, troop, cell), crowded)


def _limits(board: Board, mover: Mover) -> tuple[float, float]:
    """The points that a unit may spend in all while in order, and once disordered (MP-54)."""
    ways = (Mover(mover.troop, mover.hex, None, dis, mover.used, mover.charging) for dis in (False, True))
    ordered, disordered = (points_left(board, way) for way in ways)
    return ordered, disordered


def _disorders(board: Board, troop: Troop) -> tuple[bool, bool, bool]:
    """Whether the steps of each kind of ground disorder a unit, as `disorder_by_ground` says of one."""
    if troop.state.routed or not troop.fights or troop.skirmisher:
        return False, False, False
    found = [False, False, False]
    close = troop.line or troop.block
    found[CALM] = board.conditions.night and close
    found[ROUGH] = close or troop.horse
    found[WORKS] = True
    return found[0], found[1], found[2]


def _penalties(board: Board, mover: Mover) -> tuple[tuple[float, ...], ...]:
    """The points that a step in each direction costs more, for each facing: to flank and rear, or never (MP-63)."""
    away = inf if mover.charging else board.parameters.rear_move_penalty * weather_share(board)
    return tuple(
        tuple(0.0 if (direction - facing) % 6 in (0, 1) else away for direction in range(6)) for facing in range(6)
    )


def _by_all_rules(
    board: Board, mover: Mover, node: Node, direction: int, spent: float
) -> Iterator[tuple[Node, float]]:
    """The step by the whole rules, where it is legal and leads into the hex."""
    here, facing, disordered = node
    way = mover.facing if facing is None else facing
    step = step_of(board, Mover(mover.troop, here, way, disordered, mover.used + spent, mover.charging), direction)
    stopped = step.overrun is not None and step.overrun.failed
    if not step.bars and not stopped and step.cost is not None and step.to is not None:
        faced = None if facing is None else step.facing
        yield (step.to, faced, disordered or step.disorders is not None), spent + step.cost


def _ridden(board: Board, mover: Mover) -> Found:
    """The empty hexes straight ahead that a charge going on reaches; a zone of control ends it (MP-178)."""
    troop, facing = mover.troop, mover.facing or 0
    zones, most = zones_against(board, troop.side), board.parameters.continuation_hexes - troop.state.continued

    def steps(cell: Cell, _spent: float) -> Iterator[tuple[Cell, float]]:
        if cell in zones and cell != mover.hex:
            return
        for direction in (facing, (facing + 1) % 6):
            other = around(cell)[direction]
            passable = crossing_of(board, walker_of(troop), cell, direction).cost is not None
            if board.grid.holds(other) and not board.at(other) and passable:
                yield other, 1.0

    return _sorted(walk(mover.hex, steps, float(most)).cost, mover.hex)
