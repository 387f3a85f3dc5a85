"""Whether what was moved on the table is what the rules allowed: how far, in which way, in whose turn.

A unit's move is all of its way in this turn (`engine.moved.ways`), held against the answer before its steps.
``within`` means that the sum of its farthest figure's steps is no more than it had left, and that its bases stand
on ground that ``ask`` gave as within reach: from where it began, or at each step from where that began. Both are
necessary and not sufficient: what lies on the way between two settled looks is not seen. Limits within two sigma
of what was measured are borderline; the ground in reach is drawn to a millimetre, which is let pass.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.geometry.moving.moves import bearing_to, mean_bearing
from engine.moved.cell_moves import CellMove, cell_move
from engine.moved.strays import outside_mm
from engine.moved.ways import Way, sum_mm
from engine.records.answer import MoveOption
from engine.records.game import Figure, Game

__all__ = ["Move", "Spent", "move_of", "spent_of"]

#: For the arithmetic, as everywhere.
_TOLERANCE_MM = 0.001
#: The ground in reach is told so exactly.
_DRAWN_MM = 1.0
#: A limit within so many sigma of what was measured cannot be settled.
_SIGMAS = 2.0

Verdict = Literal["within", "beyond", "borderline", "may-not", "off-way", "out-of-turn"]
PointMm = tuple[float, float]


class Move(Struct, frozen=True, kw_only=True):
    """A unit's move in this turn: where its moved figures stood ``before``, and the way of the farthest one.

    ``distance_mm`` is the sum of that figure's ``steps``. ``allowance_mm`` and ``verdict`` are None where the rules
    had no move to hold it against. ``may-not``, with the reasons, says that the unit was not to move at all;
    ``off-way`` that it came to where none of its ways of moving led; ``out-of-turn`` that it was the other side's
    turn, which forbids nothing. ``cells`` is for a table that is played in squares or hexes.
    """

    unit: str
    before: tuple[Figure, ...]
    distance_mm: float
    sigma_mm: float
    way_mm: tuple[PointMm, ...] = ()
    steps: int = 1
    allowance_mm: float | None = None
    verdict: Verdict | None = None
    why_not: tuple[str, ...] = ()
    cells: CellMove | None = None


class Spent(Struct, frozen=True, kw_only=True):
    """How far a unit has been moved by hand in this turn, and the standard deviation of that."""

    distance_mm: float
    sigma_mm: float


def move_of(unit: str, way: Way, game: Game, *, by_reach: bool = True) -> Move | None:
    """The move of a unit by its way; None where it stands again where it stood. ``game`` is any of that turn.

    ``by_reach``: whether the ground within reach counts, and the rules' reasons are told: both may tell of troops
    that are hidden.
    """
    if not way.steps:
        return None
    far = _farthest(way)
    move = Move(
        unit=unit, before=_before(way), distance_mm=sum_mm(way, far), sigma_mm=_sigma_mm(way, far, game),
        way_mm=tuple((pose[far].x_mm, pose[far].y_mm) for pose in way.poses if far in pose), steps=len(way.steps),
    )  # fmt: skip
    return _judged(move, way, game, by_reach)


def spent_of(way: Way, game: Game) -> Spent:
    """What of its move a unit has used by its way."""
    far = _farthest(way)
    return Spent(distance_mm=sum_mm(way, far), sigma_mm=_sigma_mm(way, far, game))


def _judged(move: Move, way: Way, game: Game, by_reach: bool) -> Move:
    out_of_turn = way.turn[1] not in (None, game.unit(move.unit).side)
    if game.table.grid is not None:
        option = way.steps[0].option if by_reach and not out_of_turn else None
        found = cell_move(game, way.start, way.steps[-1].pose, option)
        move = replace(move, cells=found, verdict=found.verdict, why_not=found.why_not)
    if out_of_turn:
        return replace(move, verdict="out-of-turn", why_not=())
    if move.cells is not None and move.cells.start == move.cells.end:
        return move  # wherever it stands in its cell, it has not moved
    option = way.steps[-1].option
    if way.granted_mm is not None:
        return _by_length(move, way.granted_mm)
    if option is not None and (reasons := _bars(option)) is not None:
        return replace(move, verdict="may-not", why_not=reasons if by_reach else ())
    if option is None or game.table.grid is not None:
        return move
    if "roll" in option.extra:  # the allowance is that of one action, of which a turn may have several
        move = _last_step(move, way)
    judged = _by_length(move, _left_mm(option))
    return _by_ground(judged, way) if by_reach and judged.verdict != "beyond" else judged


def _bars(option: MoveOption) -> tuple[str, ...] | None:
    """Why the unit was not to move at all; None where it was."""
    found = option.extra.get("why_not")
    reasons = tuple(str(one) for one in found) if isinstance(found, list | tuple) else ()
    barred = option.extra.get("legal") is False or (bool(reasons) and _left_mm(option) <= _TOLERANCE_MM)
    return reasons if barred else None


def _by_length(move: Move, allowance_mm: float) -> Move:
    over = move.distance_mm - allowance_mm
    if move.sigma_mm and abs(over) <= _SIGMAS * move.sigma_mm:
        return replace(move, allowance_mm=allowance_mm, verdict="borderline")
    return replace(move, allowance_mm=allowance_mm, verdict="beyond" if over > _TOLERANCE_MM else "within")


def _by_ground(move: Move, way: Way) -> Move:
    """The same, held against the ground in reach: of the whole way at once, or of each step."""
    at_once = _outside(way.steps[-1].pose, way.steps[0].option)
    over = min(at_once, max(_outside(step.pose, step.option) for step in way.steps))
    if over <= _DRAWN_MM:
        return move
    if over <= _DRAWN_MM + _SIGMAS * move.sigma_mm:
        why = (
            f"stands {over:.1f} mm (± {move.sigma_mm:.1f}) outside the ground that it can reach, which is drawn to"
            f" {_DRAWN_MM:g} mm"
        )
        return replace(move, verdict="borderline", why_not=(why,))
    return replace(move, verdict="off-way", why_not=(_off_way(way),))


def _outside(pose: Mapping[str, Figure], option: MoveOption | None) -> float:
    return 0.0 if option is None else outside_mm(pose.values(), option)


def _off_way(way: Way) -> str:
    """What speaks against where a unit has come to, in one line."""
    option, far = way.steps[-1].option, _farthest(way)
    facing = mean_bearing(tuple(way.start.values()))
    if option is None or facing is None or "ahead" not in option.modes:
        return "that ground is not within its reach"
    start, end = way.start[far], way.steps[-1].pose[far]
    turn = (bearing_to((start.x_mm, start.y_mm), (end.x_mm, end.y_mm)) - facing + 180.0) % 360.0 - 180.0
    where = f"{abs(turn):.0f}° to the {'left' if turn < 0 else 'right'} of its front"
    return f"it went {where}, where none of its ways of moving leads"


def _left_mm(option: MoveOption) -> float:
    left = option.extra.get("left_mm")
    return option.allowance_mm if left is None else float(left)


def _last_step(move: Move, way: Way) -> Move:
    start, end = way.poses[-2:]
    lone = Way(turn=way.turn, start=start, steps=way.steps[-1:])
    far = _farthest(lone)
    places = tuple((pose[far].x_mm, pose[far].y_mm) for pose in (start, end) if far in pose)
    return replace(move, before=_before(lone), distance_mm=sum_mm(lone, far), way_mm=places, steps=1)


def _farthest(way: Way) -> str:
    """The figure that has gone farthest, of those that are still there."""
    return max((figure for figure in way.poses[-1] if figure in way.start), key=lambda figure: sum_mm(way, figure))


def _before(way: Way) -> tuple[Figure, ...]:
    """The figures that are not as they stood when the way began, as they stood then."""
    end = way.poses[-1]
    return tuple(figure for name, figure in way.start.items() if name in end and end[name] != figure)


def _sigma_mm(way: Way, figure: str, game: Game) -> float:
    """Of a sum of steps: a place where the way bends counts on both sides of it."""
    sigmas = [game.sigma_mm(pose[figure]) for pose in way.poses if figure in pose]
    if len(sigmas) < 2:
        return 0.0
    return math.hypot(sigmas[0], sigmas[-1], *(math.sqrt(2.0) * one for one in sigmas[1:-1]))
