"""One step of a unit: what it costs, what bars it, and what it leads to (MP-40 to MP-72)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine.geometry.grids.flat import around, beyond, steps_apart
from engine.records.game import Cell
from engine.rulesets.musket_pike.movement.crossings import Crossing, crossing_of, walker_of
from engine.rulesets.musket_pike.movement.overruns import Overrun, overrun_of
from engine.rulesets.musket_pike.movement.stacking import crowd_bars, joined_facing, mixing
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.ground import DIRECTIONS
from engine.rulesets.musket_pike.table.sight import sight_over
from engine.rulesets.musket_pike.table.troops import Troop, full_allowance
from engine.rulesets.musket_pike.table.weather import weather_now
from engine.rulesets.musket_pike.table.zones import controlled

__all__ = [
    "EQUAL", "Mover", "Step", "company_disorders", "disorder_by_ground", "facing_after", "feared", "goes_back",
    "mover_of", "points_left", "price_of", "shunned", "step_of", "taken_up", "turned_towards", "weather_share",
]  # fmt: skip

Bar = tuple[str, str]

#: What sums of fractions of points may differ by that are equal on paper.
EQUAL = 1e-9
#: How near an enemy in sight must be for a routed unit not to come nearer (MP-67).
_SHY = 5


class Mover(Struct, frozen=True):
    """A unit on its way: where it is, how it faces, whether it is disordered, and the points that it has used."""

    troop: Troop
    hex: Cell
    facing: int | None
    disordered: bool
    used: float
    charging: bool = False


class Step(Struct, frozen=True):
    """A step into a neighbouring hex (None: off the map).

    ``cost`` in points, None where the ground cannot be crossed; ``bars`` are all reasons against it; ``disorders``
    names the row of ground or company that disorders the unit; ``stops``: a zone of control ends the movement.
    """

    direction: int
    to: Cell | None
    cost: float | None
    bars: tuple[Bar, ...]
    by: str = "ground"
    rear: bool = False
    disorders: str | None = None
    stops: bool = False
    overrun: Overrun | None = None
    facing: int | None = None

    @property
    def effects(self) -> tuple[str, ...]:
        """What an answer says of the step."""
        told = (
            ("disordered", self.disorders is not None), ("stops-zoc", self.stops), ("road", self.by == "road"),
            ("rear-penalty", self.rear), ("overrun", self.overrun is not None and not self.overrun.bars),
        )  # fmt: skip
        return tuple([name for name, holds in told if holds])


def mover_of(troop: Troop, *, charging: bool = False) -> Mover:
    """A unit where it stands."""
    state = troop.state
    return Mover(troop, troop.hex, troop.facing, state.disordered, state.mp_used, charging)


def points_left(board: Board, mover: Mover) -> float:
    """The points that a unit on its way has left; disorder takes a third, but not in a charge (MP-54, MP-102)."""
    whole = full_allowance(mover.troop, board.parameters)
    if mover.disordered and not mover.charging and not mover.troop.state.routed:
        whole = float(int(whole * board.parameters.disordered_movement + EQUAL))
    return max(0.0, whole - mover.used)


def step_of(board: Board, mover: Mover, direction: int, companions: Sequence[Troop] = ()) -> Step:
    """A step of a unit; ``companions`` are the units that go along with it, those before it gone already."""
    troop, cell = mover.troop, beyond(mover.hex, direction)
    if not board.grid.holds(cell):
        return Step(direction, None, None, ((f"{DIRECTIONS[direction]} leads off the map", "MP-01"),))
    crossing = _crossing(board, mover, cell, direction, companions)
    rear = goes_back(mover, direction)
    cost = price_of(board, crossing, rear)
    overrun = overrun_of(board, troop, mover.hex, cell, charging=mover.charging)
    bars = [*crossing.bars, *_bars(board, mover, cell, direction)]
    if crossing.by == "bridge" and not troop.leader and _bridge_taken(board, troop, cell, companions):
        bars.append(("bridges and fords are crossed by one unit at a time", "MP-58"))
    bars += crowd_bars(board, (troop,), cell) if overrun is None else overrun.bars
    left = points_left(board, mover)
    if cost is not None and cost > left + EQUAL:
        bars.append((f"the step costs {cost:g}, {left:g} movement points are left", "MP-40"))
    return Step(
        direction, cell, cost, tuple(bars), crossing.by, rear, _disorder(board, mover, cell, crossing),
        controlled(board, cell, troop.side), overrun, facing_after(board, mover, cell, direction),
    )  # fmt: skip


def _crossing(
    board: Board, mover: Mover, cell: Cell, direction: int, companions: Sequence[Troop]
) -> Crossing:  # fmt: skip
    """The step over the ground: by road only where the hex is free, over water with a companion's boats."""
    troop, walker = mover.troop, walker_of(mover.troop)
    if walker.roads and (mover.charging or (not troop.leader and taken_up(board, troop, cell))):
        walker = walker._replace(roads=False)
    if troop.leader and board.ground.kind(cell) == "water" and _ferried(board, troop, cell, companions):
        walker = walker._replace(boats=True)
    return crossing_of(board, walker, mover.hex, direction)


def _bridge_taken(board: Board, troop: Troop, cell: Cell, companions: Sequence[Troop]) -> bool:
    """Whether another unit than leaders is on a bridge, or goes along over it (MP-58)."""
    if any(not other.leader for other in companions):
        return True
    return board.ground.kind(cell) == "water" and taken_up(board, troop, cell)


def taken_up(board: Board, troop: Troop, cell: Cell) -> bool:
    """Whether another unit than leaders stands in a hex: a road bears one at a time (MP-55)."""
    return any(not other.leader and other.id != troop.id for other in board.at(cell))


def _ferried(board: Board, leader: Troop, cell: Cell, companions: Sequence[Troop]) -> bool:
    """Whether a leader crosses the water with a unit that has boats (MP-60)."""
    return any("has-boats" in other.attributes for other in (*companions, *board.friends_at(cell, leader.side)))


def goes_back(mover: Mover, direction: int) -> bool:
    """Whether a line or a block steps to flank or rear (MP-63)."""
    troop = mover.troop
    if mover.facing is None or troop.state.routed or not (troop.line or troop.block):
        return False
    return (direction - mover.facing) % 6 not in (0, 1)


def price_of(board: Board, crossing: Crossing, rear: bool) -> float | None:
    """The points of a step with the penalty for flank and rear (MP-41, MP-63)."""
    if crossing.cost is None or not rear:
        return crossing.cost
    return crossing.cost + board.parameters.rear_move_penalty * weather_share(board)


def weather_share(board: Board) -> float:
    """What the weather makes of the points of a step (MP-41)."""
    return 1 + weather_now(board).movement / 100


def _bars(board: Board, mover: Mover, cell: Cell, direction: int) -> Iterator[Bar]:
    """What else than the ground, the company and the points speaks against a step."""
    troop = mover.troop
    if mover.charging and mover.facing is not None and (direction - mover.facing) % 6 not in (0, 1):
        yield "a charge goes straight ahead, through a frontal side", "MP-102"
    if troop.skirmisher and cell in shunned(board, troop.side):
        yield f"{list(cell)} lies beside a hex of nothing but cavalry", "MP-68"
    if troop.state.routed:
        for enemy in feared(board, troop, mover.hex):
            if steps_apart(cell, enemy.hex) < steps_apart(mover.hex, enemy.hex):
                yield f"routed, and nearer to {enemy.id}", "MP-67"


def shunned(board: Board, side: str) -> frozenset[Cell]:
    """The hexes beside enemy cavalry alone, where a side's skirmishers do not go (MP-68)."""
    return board.once(("shunned", side), lambda: _beside_cavalry(board, side))


def _beside_cavalry(board: Board, side: str) -> frozenset[Cell]:
    alone = [cell for cell in board.stacks if _only_cavalry(board, cell, side)]
    return frozenset(cell for rider in alone for cell in around(rider))


def _only_cavalry(board: Board, cell: Cell, side: str) -> bool:
    """Whether a hex holds enemy cavalry and nobody but leaders and wagons with it (MP-68)."""
    there = board.at(cell)
    if not any(troop.horse for troop in there):
        return False
    return all(troop.side != side and (troop.horse or troop.leader or troop.wagon) for troop in there)


def feared(board: Board, troop: Troop, here: Cell) -> list[Troop]:
    """The enemies to whom a routed unit does not come nearer: within 5 hexes, seen by its side (MP-67).

    It sees them itself from where it is on its way, and stands no longer where it came from.
    """
    near = [enemy for enemy in board.enemies(troop.side) if steps_apart(here, enemy.hex) <= _SHY]
    if not near:
        return []
    if here != troop.hex:
        board = board.once(("gone", troop.id), lambda: _without(board, troop))
    sight, eyes = sight_over(board), (here, *(friend.hex for friend in board.own(troop.side)))
    return [enemy for enemy in near if any(sight.line(eye, enemy.hex).open for eye in eyes)]


def _without(board: Board, troop: Troop) -> Board:
    """The board as it is when a unit has left its hex."""
    return board_of(replace(board.game, units=tuple(unit for unit in board.game.units if unit.id != troop.id)))


def disorder_by_ground(board: Board, mover: Mover, crossing: Crossing) -> str | None:
    """The row by which the ground disorders a unit that is in order, or None (MP-46, MP-56, MP-57, MP-64)."""
    troop = mover.troop
    if mover.disordered or troop.state.routed or not troop.fights or troop.skirmisher:
        return None
    close = troop.line or troop.block
    if crossing.by in ("ground", "boat"):
        if crossing.works is not None:
            return crossing.works
        if crossing.rough and (close or troop.horse):
            return "MP-46"
    return "MP-64" if board.conditions.night and close else None


def _disorder(board: Board, mover: Mover, cell: Cell, crossing: Crossing) -> str | None:
    """The row by which the ground or the company in a hex disorders a unit that is in order, or None."""
    troop = mover.troop
    rule = disorder_by_ground(board, mover, crossing)
    if rule is not None or mover.disordered:
        return rule
    return company_disorders(board, troop, cell)


def company_disorders(board: Board, troop: Troop, cell: Cell) -> str | None:
    """The row by which those of its side in a hex disorder a unit that joins them in order, or None."""
    if troop.state.routed or not troop.fights:
        return None
    company = [other for other in board.friends_at(cell, troop.side) if other.id != troop.id]
    return next((row for other, row in mixing([*company, troop]) if other is troop), None)


def facing_after(board: Board, mover: Mover, cell: Cell, direction: int) -> int | None:
    """How a unit faces after a step: lines and blocks as before or as whom they join, others turn (MP-62)."""
    troop, facing = mover.troop, mover.facing
    if facing is None or mover.charging:
        return facing
    if (troop.line or troop.block) and not troop.state.routed:
        joined = joined_facing(board, troop, cell)
        return facing if joined is None else joined
    return turned_towards(facing, direction)


def turned_towards(facing: int, direction: int) -> int:
    """The facing that has a direction frontal, by the fewest vertices (R13).

    >>> turned_towards(1, 1), turned_towards(1, 2), turned_towards(1, 3), turned_towards(1, 0)
    (1, 1, 2, 0)
    """
    ahead = (direction - facing) % 6
    if ahead in (0, 1):
        return facing
    return direction if ahead > 3 else (direction - 1) % 6
