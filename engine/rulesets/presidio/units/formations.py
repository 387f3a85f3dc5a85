"""How units stand: their ranks, and whether those are good enough for a line."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.geometry.formations.ranks import rows_across
from engine.geometry.plane.distinct import distinct
from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import extent
from engine.records.game import Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.table.bodies import body_of
from engine.rulesets.presidio.table.field import field_of
from engine.rulesets.presidio.table.sorts import formation_of, holds_front, specialty

__all__ = ["Ranks", "equal_ranks", "good_ranks", "order_of", "ranks_of", "too_open"]


@dataclass(frozen=True)
class Ranks:
    """How a unit stands: how many in each rank, the foremost first, and the widest gap between two of them."""

    sizes: tuple[int, ...]
    gap_mm: float


def ranks_of(game: Game, unit: Unit) -> tuple[int, ...]:
    """How many stand in each rank of a unit, the foremost first."""
    return order_of(game, unit).sizes


def order_of(game: Game, unit: Unit) -> Ranks:
    """How a unit stands in ranks (PR-316); kept beside the game.

    Gaps over half a base along its bearing part the ranks. A rank of leaders and musicians alone, behind or before
    the others, is none.
    """
    kept: dict[str, Ranks] = once(game, "pr_ranks", dict)
    if unit.id not in kept:
        kept[unit.id] = _ranks(game, unit)
    return kept[unit.id]


def _ranks(game: Game, unit: Unit) -> Ranks:
    field = field_of(game)
    which = field.of_unit[unit.id]
    if not len(which):
        return Ranks((), 0.0)
    bases = field.as_measured.bases.pick(which)
    depth = float(np.mean(2 * (bases.half[:, 1] + bases.radius)))
    body = body_of(game, unit)
    row = rows_across(bases, np.zeros(len(which)), body.bearing_deg, depth / 2).row
    plain = np.array([not specialty(field.figures[int(one)]) for one in which], dtype=bool)
    every = [row == number for number in distinct(row)]
    ranks = [rank for rank in every if (rank & plain).any() or not plain.any()]
    rear, front = extent(bases, body.ahead[0])
    gaps = [float(rear[one].min() - front[other].max()) for one, other in pairwise(ranks)]
    return Ranks(tuple(int(rank.sum()) for rank in ranks), max([0.0, *gaps]))


def equal_ranks(ranks: tuple[int, ...]) -> bool:
    """Whether all ranks are as strong as the first, but for an odd man (PR-316).

    >>> equal_ranks((5, 4)), equal_ranks((5, 3)), equal_ranks(())
    (True, False, True)
    """
    return all(abs(ranks[0] - other) <= 1 for other in ranks)


def good_ranks(game: Game, unit: Unit) -> bool:
    """Whether a unit stands in a line whose ranks steady it: up to four, and equal (PR-316, PR-318, PR-706)."""
    ranks = order_of(game, unit)
    in_order = 1 <= len(ranks.sizes) <= 4 and equal_ranks(ranks.sizes)
    return holds_front(unit) and in_order and not too_open(game, unit)


def too_open(game: Game, unit: Unit) -> bool:
    """Whether the ranks of an extended line are more than half an inch apart (PR-318)."""
    far = order_of(game, unit).gap_mm > book().mm("spaced") + MM
    return formation_of(unit) == "extended-line" and far
