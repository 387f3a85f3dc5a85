"""Whom only the other look at an army's paint tells, from the mat or from the tops, is told besides those of the
one that is taken, where nobody stands and he is seen well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.accuracy.drawing import Kind, case_of
from benchmarks.accuracy.measuring import measured
from tests.vision.test_bases_armies import MAROON, RED, ROUND, claim
from vision.bases.armies import Claim
from vision.bases.find import _besides
from vision.bases.picture.paint import Paint
from vision.bases.pixels import Placed


def test_an_army_half_of_which_each_look_tells_is_told_as_a_whole() -> None:
    score = measured(case_of(6278, Kind(fair=True)), frozenset(("bases",))).score
    assert len(score.bases_missed) < 5
    assert not score.bases_false


def row(name: str, paint: Paint, places: Sequence[float], clear: float) -> Claim:
    """An army's bases, shoulder to shoulder, at places counted in their breadths."""
    told = claim(name, paint, dict.fromkeys(range(len(places)), paint.paint), clear)
    return replace(told, fit=replace(told.fit, placed=[Placed(ROUND, 25.4 * k, 100.0, 0.0, 0.0) for k in places]))


def told_besides(other: Claim, *standing: Claim) -> list[int]:
    """At which places an army's other look tells some, beside those that are standing."""
    first = replace(standing[0], besides=other)
    claims = _besides([(one, np.ones(len(one.fit.placed))) for one in (first, *standing[1:])])
    return [round(base.x_mm / 25.4) for told in claims for base in told.fit.placed]


def test_besides_are_told_those_that_are_believed_and_stand_in_nobodys_way() -> None:
    taken, maroon = row("red", RED, range(4), 0.5), row("maroon", MAROON, (5, 12, 13), 0.5)
    other = row("red", RED, range(2, 9), 0.5)
    hardly = np.append(other.fit.contrast[:-1], 0.01)
    assert told_besides(other, taken, maroon) == [4, 6, 7, 8]
    assert told_besides(replace(other, fit=replace(other.fit, contrast=hardly)), taken, maroon) == [4, 6, 7]
    assert _besides([(taken, np.ones(4))]) == []


@pytest.mark.parametrize(("count", "residual", "told"), [(4, 0.05, 4), (3, 0.05, 0), (4, 0.35, 0)])
def test_none_is_told_besides_of_a_few_nor_of_a_group_that_may_as_well_stand_otherwise(
    count: int, residual: float, told: int
) -> None:
    other = row("red", RED, range(10, 10 + count), 0.5)
    other = replace(other, fit=replace(other.fit, residual=np.full(count, residual), spread=lambda: loose(count)))
    assert len(told_besides(other, row("red", RED, range(4), 0.5))) == told


def loose(count: int) -> NDArray[np.float64]:
    """How surely some stand, to a third of a millimetre."""
    return np.tile(np.diag([0.1, 0.1, 0.1]), (count, 1, 1))
