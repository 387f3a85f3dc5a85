"""What stands in the hole of a line is found, and a gap where nobody stands stays one."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.test_bases import Level, Stands, camera, drawn, table
from vision.bases.picture.paint import expected_features, paint_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.proposing.proposed import proposed
from vision.bases.regrouping.closed_up import closed_up, holes_in_lines
from vision.bases.search import search
from vision.bases.shapes import Outline
from vision.bases.weighing.judged import LENIENT
from vision.light import estimate_light

ROUND = Outline("foot", True, 12.5, 12.5, 3.0)
LINE = [Placed(ROUND, 100.0 + 22.0 * k, 100.0 + 12.3 * k, 0.0, 0.0) for k in range(7)]


def off_mm(one: Placed, other: Placed) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))


@pytest.mark.parametrize("wanting", [(1,), (3,), (5,), (1, 5), (2, 5)])
def test_the_holes_of_a_line_are_where_nobody_was_found(wanting: tuple[int, ...]) -> None:
    holes = holes_in_lines([base for k, base in enumerate(LINE) if k not in wanting])
    assert len(holes) == len(wanting)
    assert all(min(off_mm(hole, LINE[k]) for hole in holes) < 0.5 for k in wanting)


def test_two_that_stand_so_far_apart_are_no_line_nor_is_one_that_ends() -> None:
    assert holes_in_lines([LINE[0], LINE[2]]) == []
    assert holes_in_lines(LINE[:4]) == []
    assert holes_in_lines([]) == []


@pytest.mark.parametrize("away", [False, True], ids=["stands there", "nobody there"])
def test_who_stands_in_the_hole_of_a_line_is_found_and_nobody_is_made_up(away: bool) -> None:
    stands = [Stands("blue", "foot", base.x_mm, base.y_mm) for k, base in enumerate(LINE) if k != 4 or not away]
    frame, army = drawn(stands), table().armies[1]
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), table())
    paint = paint_of(expected_features(army.base_colour), scene.background)
    found = search(scene, army, paint, proposed(scene, army, paint))
    assert found is not None
    left = found.taken([k for k, base in enumerate(found.placed) if off_mm(base, LINE[4]) > 5.0])
    assert len(left.placed) == 6
    whole = closed_up(scene, left, paint, LENIENT).placed
    assert len(whole) == len(stands)
    assert max(min(off_mm(base, one) for one in whole) for k, base in enumerate(LINE) if k != 4 or not away) < 0.6
