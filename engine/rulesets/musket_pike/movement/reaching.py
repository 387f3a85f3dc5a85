"""Where a unit can go, and where a charge can take it, at the least cost (MP-40, MP-54, MP-72, MP-102)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from heapq import heappop, heappush
from math import inf
from typing import NamedTuple

from engine.geometry.grids import walk
from engine.geometry.grids.flat import around
from engine.records.game import Cell
from engine.rulesets.musket_pike.movement.crossings import crossing_of, walker_of
from engine.rulesets.musket_pike.movement.overruns import overrun_of
from engine.rulesets.musket_pike.movement.pricing import CALM, ROUGH, WORKS, Entry, prices_of
from engine.rulesets.musket_pike.movement.stacking import crowd_bars, joined_facing
from engine.rulesets.musket_pike.movement.steps import (
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
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.permits import charge_bars, continues, move_bars
from engine.rulesets.musket_pike.table.troops import Troop
from engine.rulesets.musket_pike.table.zones import zones_against

__all__ = ["charge_reach", "reach_of"]

Found = list[tuple[Cell, float]]
#: A hex by its number, how the unit faces there, whether the way has disordered it: `_node` puts them together.
Node = int


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
    """Dijkstra's algorithm, as `engine.geometry.grids.walk` has it, with little done a step: sixty units ask.

    A node from which no step can follow, in a zone of control or with no points left, is noted but not queued; one
    of a disordered unit leads to nothing new where the unit comes in order for as little.
    """
    faced, rows = mover.charging or _close(mover.troop), board.grid.rows or 1
    way = _Way(board, mover)
    prices, special, zones, penalties, disorders = way.prices, way.special, way.zones, way.penalties, way.disorders
    limits = [limit + EQUAL for limit in way.limits]
    ends = [limit - way.least for limit in limits]
    start = _node(_number(mover.hex, rows), mover.facing if faced else None, mover.disordered)
    best: dict[Node, float] = {start: 0.0}
    queue = [(0.0, start)] if ends[mover.disordered] >= 0 else []
    while queue:
        spent, node = heappop(queue)
        if spent > best[node] or (node & 1 and best.get(node - 1, inf) <= spent):
            continue
        here, how = divmod(node, _HOW)
        limit, extra = limits[node & 1], penalties[how >> 1]
        for entry in prices[here]:
            direction, number, price, code = entry
            if special is None or number in special:
                into = way.into(node, entry, spent)
                if into is None:
                    continue
                reached, cost = into
            else:
                cost = spent + price + extra[direction]
                if cost > limit:
                    continue
                reached = number * _HOW + (how | disorders[code])
            if cost < best.get(reached, inf) - EQUAL:
                best[reached] = cost
                if cost <= ends[reached & 1] and reached // _HOW not in zones:
                    heappush(queue, (cost, reached))
    least: dict[int, float] = {}
    for node, cost in best.items():
        number = node // _HOW
        if cost < least.get(number, inf):
            least[number] = cost
    del least[start // _HOW]
    return [(divmod(number, rows), cost) for cost, number in sorted([(cost, n) for n, cost in least.items()])]


#: How many ways there are to be in a hex: six facings or none that counts, each in order or disordered.
_HOW = 14


def _node(number: int, facing: int | None, disordered: bool) -> Node:
    return number * _HOW + 2 * (6 if facing is None else facing) + disordered


def _number(cell: Cell, rows: int) -> int:
    """The number of a hex, as `Prices` counts them."""
    return cell[0] * rows + cell[1]


def _sorted(costs: dict[Cell, float], start: Cell) -> Found:
    """Hexes and what they cost, the cheapest first, the start left out."""
    return sorted(((cell, cost) for cell, cost in costs.items() if cell != start), key=lambda one: (one[1], one[0]))


def _close(troop: Troop) -> bool:
    """Whether a unit keeps its facing as it moves: line and block (MP-62)."""
    return (troop.line or troop.block) and not troop.state.routed


class _Way:
    """What the steps of one unit depend on, wherever it is on its way.

    ``special``: the numbers of the hexes where more than the ground counts, None: all of them; ``zones``: of those
    in enemy zones of control; ``limits``: the points that it may spend in order and disordered; ``least``: no step
    costs less.
    """

    def __init__(self, board: Board, mover: Mover) -> None:
        troop, walker, self._rows = mover.troop, walker_of(mover.troop), board.grid.rows or 1
        self._board, self._mover, self._met = board, mover, _Met(board, troop)
        self.prices = prices_of(board, walker._replace(roads=walker.roads and not mover.charging))
        self._off_road = prices_of(board, walker._replace(roads=False))
        self.least, self.limits = self.prices.least, _limits(board, mover)
        self.disorders = _disorders(board, troop)
        back = inf if mover.charging else board.parameters.rear_move_penalty * weather_share(board)
        self.penalties = _penalties(back)
        self._asking, self._avoided = _asking(board, mover), frozenset[Cell]()
        if troop.skirmisher:
            self._avoided = shunned(board, troop.side)
        held = board.once("held-numbers", lambda: self._numbers(board.stacks))
        self.special = None if self._asking is None else held | self._numbers(self._asking | self._avoided)
        against = zones_against(board, troop.side)
        self.zones = board.once(("zone-numbers", troop.side), lambda: self._numbers(against))

    def _numbers(self, cells: Iterable[Cell]) -> frozenset[int]:
        return frozenset(_number(cell, self._rows) for cell in cells)

    def into(self, node: Node, entry: Entry, spent: float) -> tuple[Node, float] | None:
        """The step into a special hex, if it is legal, with what it costs from the start.

        Where somebody is met, what his company means is worked out once a hex, if the whole rules are not asked.
        """
        direction, number, price, code = entry
        here, how = divmod(node, _HOW)
        cell = divmod(number, self._rows)
        if self._asking is None or cell in self._asking:
            return self._by_all_rules(node, direction, spent)
        company = None if cell in self._avoided else self._met[cell]
        if company is None:
            return None
        if company.fills_road and (divmod(here, self._rows), direction) in self._board.ground.ways:
            _, _, price, code = next(one for one in self._off_road[here] if one[0] == direction)
        facing = how >> 1
        total = spent + price + self.penalties[facing][direction]
        if total > self.limits[how & 1] + EQUAL:
            return None
        if facing < 6 and company.facing is not None:
            facing = company.facing
        return number * _HOW + 2 * facing + (how & 1 or company.disorders or self.disorders[code]), total

    def _by_all_rules(self, node: Node, direction: int, spent: float) -> tuple[Node, float] | None:
        """The step by the whole rules, where it is legal and leads into the hex."""
        mover, (here, how) = self._mover, divmod(node, _HOW)
        facing, disordered = mover.facing if how >> 1 == 6 else how >> 1, bool(how & 1)
        cell, used = divmod(here, self._rows), mover.used + spent
        step = step_of(self._board, Mover(mover.troop, cell, facing, disordered, used, mover.charging), direction)
        stopped = step.overrun is not None and step.overrun.failed
        if step.bars or stopped or step.cost is None or step.to is None:
            return None
        faced, number = None if how >> 1 == 6 else step.facing, _number(step.to, self._rows)
        return _node(number, faced, disordered or step.disorders is not None), spent + step.cost


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


_NOBODY = _Company(disorders=False, facing=None, fills_road=False)


class _Met(dict[Cell, _Company | None]):
    """The company in each hex that a unit may meet; None: it may not enter."""

    def __init__(self, board: Board, troop: Troop) -> None:
        self._board, self._troop = board, troop

    def __missing__(self, cell: Cell) -> _Company | None:
        self[cell] = found = self._found(cell)
        return found

    def _found(self, cell: Cell) -> _Company | None:
        board, troop = self._board, self._troop
        if cell not in board.stacks:
            return _NOBODY
        overrun = overrun_of(board, troop, troop.hex, cell, charging=False) if self._enemies(cell) else None
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

    def _enemies(self, cell: Cell) -> bool:
        return any(other.side != self._troop.side for other in self._board.at(cell))


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


@lru_cache(maxsize=8)
def _penalties(away: float) -> tuple[tuple[float, ...], ...]:
    """What a step in each direction costs more: to flank and rear, for each facing and for none (MP-63)."""
    ahead = tuple(
        tuple(0.0 if (direction - facing) % 6 in (0, 1) else away for direction in range(6)) for facing in range(6)
    )
    return (*ahead, (0.0,) * 6)


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
