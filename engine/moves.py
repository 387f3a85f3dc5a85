"""Whether a move made on the table is one that the rules allowed: its length against the answer before it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from engine.records.answer import Answer
from engine.records.game import Figure, Game

__all__ = ["Move", "move_of"]

#: For the arithmetic, as everywhere.
_TOLERANCE_MM = 0.001
#: A limit within so many sigma of what was measured cannot be settled.
_SIGMAS = 2.0

Verdict = Literal["within", "beyond", "borderline", "may-not"]


class Move(Struct, frozen=True, kw_only=True):
    """A unit's move: where its moved figures stood ``before``, and how far the farthest of them went.

    ``allowance_mm`` and ``verdict`` are None where the rules had no move for the unit to be held against (another
    side's turn, a move by cells). ``within`` says that the straight way was no longer than allowed, not that every
    step of it was; ``may-not``, with the reasons, that the unit was not to move at all.
    """

    unit: str
    before: tuple[Figure, ...]
    distance_mm: float
    sigma_mm: float
    allowance_mm: float | None = None
    verdict: Verdict | None = None
    why_not: tuple[str, ...] = ()


def move_of(unit: str, figures: Sequence[str], before: Game, after: Game, answer: Answer | None) -> Move:
    """The move of some figures of a unit from one game to the next; ``answer`` is that of the game before."""
    were = {figure.id: figure for figure in before.unit(unit).figures if figure.id in set(figures)}
    now = {figure.id: figure for figure in after.unit(unit).figures if figure.id in were}
    far = max(now, key=lambda name: _apart_mm(were[name], now[name]))
    distance = _apart_mm(were[far], now[far])
    sigma = math.hypot(before.sigma_mm(were[far]), after.sigma_mm(now[far]))
    move = Move(unit=unit, before=tuple(were[name] for name in now), distance_mm=distance, sigma_mm=sigma)
    return _judged(move, before, answer)


def _judged(move: Move, before: Game, answer: Answer | None) -> Move:
    from msgspec.structs import replace

    side, active = before.unit(move.unit).side, before.turn.active_side
    found = next((one for one in answer.units if one.unit == move.unit), None) if answer is not None else None
    option = None if found is None else found.move
    if option is None or before.table.grid is not None or active not in (None, side):
        return move
    why_not = _reasons(option.extra)
    if option.extra.get("legal") is False:
        return replace(move, verdict="may-not", why_not=why_not)
    left = option.extra.get("left_mm")
    allowance = option.allowance_mm if left is None else float(left)
    over = move.distance_mm - allowance
    if move.sigma_mm and abs(over) <= _SIGMAS * move.sigma_mm:
        return replace(move, allowance_mm=allowance, verdict="borderline")
    return replace(move, allowance_mm=allowance, verdict="beyond" if over > _TOLERANCE_MM else "within")


def _reasons(extra: Mapping[str, object]) -> tuple[str, ...]:
    found = extra.get("why_not")
    return tuple(str(one) for one in found) if isinstance(found, list | tuple) else ()


def _apart_mm(one: Figure, other: Figure) -> float:
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
