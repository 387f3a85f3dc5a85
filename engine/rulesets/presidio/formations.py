"""How units stand: their ranks, and whether those are good enough for a line."""

from __future__ import annotations

import numpy as np

from engine.geometry.formation import rows_across
from engine.records.game import Game, Unit
from engine.rulesets.presidio.bodies import body_of
from engine.rulesets.presidio.field import field_of
from engine.rulesets.presidio.sorts import holds_front, specialty
from engine.rulesets.presidio.vocabulary import once

__all__ = ["equal_ranks", "good_ranks", "ranks_of"]


def ranks_of(game: Game, unit: Unit) -> tuple[int, ...]:
    """How many stand in each rank of a unit, the foremost first (PR-316); kept beside the game.

    Gaps over half a base along its bearing part the ranks. A rank of leaders and musicians alone, behind or before
    the others, is none.
    """
    kept: dict[str, tuple[int, ...]] = once(game, "pr_ranks", dict)
    if unit.id not in kept:
        kept[unit.id] = _ranks(game, unit)
    return kept[unit.id]


def _ranks(game: Game, unit: Unit) -> tuple[int, ...]:
    field = field_of(game)
    which = field.of_unit[unit.id]
    if not len(which):
        return ()
    bases = field.as_measured.bases.pick(which)
    depth = float(np.mean(2 * (bases.half[:, 1] + bases.radius)))
    bearing = body_of(game, unit).bearing_deg
    row = rows_across(bases, np.zeros(len(which)), bearing, depth / 2).row
    plain = np.array([not specialty(field.figures[int(one)]) for one in which], dtype=bool)
    ranks = [row == number for number in np.unique(row)]
    return tuple(int(rank.sum()) for rank in ranks if (rank & plain).any() or not plain.any())


def equal_ranks(ranks: tuple[int, ...]) -> bool:
    """Whether all ranks are as strong as the first, but for an odd man (PR-316).

    >>> equal_ranks((5, 4)), equal_ranks((5, 3)), equal_ranks(())
    (True, False, True)
    """
    return all(abs(ranks[0] - other) <= 1 for other in ranks)


def good_ranks(game: Game, unit: Unit) -> bool:
    """Whether a unit stands in a line whose ranks steady it: up to four, and equal (PR-316, PR-318, PR-706)."""
    ranks = ranks_of(game, unit)
    return holds_front(unit) and 1 <= len(ranks) <= 4 and equal_ranks(ranks)
