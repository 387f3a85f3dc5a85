"""Whom only the other look at an army's paint tells, from the mat or from the tops, is told besides those of the
one that is taken, where nobody stands and he is seen well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from benchmarks.accuracy.drawing import Kind, case_of
from calibration.poses.pose import solve_pose
from calibration.prints.markers import find_markers
from tests.vision.test_bases_armies import MAROON, RED, ROUND, claim
from vision.bases import look_for_bases
from vision.bases.armies import Claim
from vision.bases.find import _besides
from vision.bases.picture.paint import Paint
from vision.bases.pixels import Placed
from vision.bases.usual import Shown
from vision.ground import Ground
from vision.records import BaseSeen


def test_an_army_of_which_each_look_tells_a_part_is_told_as_a_whole_and_again_where_some_were_touched() -> None:
    case = case_of(6278, Kind(fair=True))
    found = find_markers(case.photo, case.table.markers.dictionary)
    height, width = case.photo.shape[:2]
    camera = solve_pose(found, case.table, case.intrinsics, (width, height))
    seen, known = look_for_bases(case.photo, camera, case.table, Ground(()), found)
    here = [(1136.0, 1118.0), (1044.0, 1116.0), (1072.0, 1108.0), (1118.0, 1108.0), (1063.0, 1126.0)]
    assert farthest_mm(seen, here) < 3.0
    corners = camera.project(np.array([[1020.0, 1050.0, 0.0], [1160.0, 1180.0, 0.0]]))
    (left, right), (top, bottom) = (sorted(corners[:, k].astype(int)) for k in (0, 1))
    within = np.zeros((height, width), dtype=np.bool_)
    within[top:bottom, left:right] = True
    again, _ = look_for_bases(case.photo, camera, case.table, Ground(()), found, within, known)
    assert farthest_mm(again, here) < 3.0
    forgotten = replace(known, armies={name: replace(one, besides=None) for name, one in known.armies.items()})
    once, _ = look_for_bases(case.photo, camera, case.table, Ground(()), found, within, forgotten)
    assert len(once) < len(again) - 5


def farthest_mm(seen: Sequence[BaseSeen], places: Sequence[tuple[float, float]]) -> float:
    """How far from a place the base that is nearest to it was told, at most."""
    return float(cdist([(one.x_mm, one.y_mm) for one in seen], places).min(axis=0).max())


def row(name: str, paint: Paint, places: Sequence[float], clear: float) -> Claim:
    """An army's bases, shoulder to shoulder, at places counted in their breadths."""
    told = claim(name, paint, dict.fromkeys(range(len(places)), paint.paint), clear)
    return replace(told, fit=replace(told.fit, placed=[Placed(ROUND, 25.4 * k, 100.0, 0.0, 0.0) for k in places]))


def told_besides(other: Claim, *standing: Claim) -> list[int]:
    """At which places an army's other look tells some, beside those that are standing."""
    stand = [base for one in standing for base in one.fit.placed]
    claims = _besides([replace(standing[0], besides=other), *standing[1:]], stand)
    return [round(base.x_mm / 25.4) for told in claims for base in told.fit.placed]


def test_besides_are_told_those_that_are_believed_and_stand_in_nobodys_way() -> None:
    taken, maroon = row("red", RED, range(4), 0.5), row("maroon", MAROON, (5, 12, 13), 0.5)
    other = row("red", RED, range(2, 9), 0.5)
    hardly = np.append(other.fit.contrast[:-1], 0.01)
    assert told_besides(other, taken, maroon) == [4, 6, 7, 8]
    assert told_besides(replace(other, fit=replace(other.fit, contrast=hardly)), taken, maroon) == [4, 6, 7]
    assert _besides([taken], taken.fit.placed) == []


@pytest.mark.parametrize(("count", "residual", "told"), [(4, 0.05, 4), (3, 0.05, 0), (4, 0.35, 0)])
def test_none_is_told_besides_of_a_few_nor_of_a_group_that_may_as_well_stand_otherwise(
    count: int, residual: float, told: int
) -> None:
    other = row("red", RED, range(10, 10 + count), 0.5)
    other = replace(other, fit=replace(other.fit, residual=np.full(count, residual), spread=lambda: loose(count)))
    taken = row("red", RED, range(4), 0.5)
    assert len(told_besides(other, taken)) == told
    known = Shown(0.9, 0.8, 0.05, 0.9, 0.5, 0.3, 0.4)  # so they were told before
    assert len(told_besides(replace(other, usual=known), taken)) == count


def loose(count: int) -> NDArray[np.float64]:
    """How surely some stand, to a third of a millimetre."""
    return np.tile(np.diag([0.1, 0.1, 0.1]), (count, 1, 1))
