"""A unit of squares of which some were taken for rounds as large is tried as squares, all of it."""

from __future__ import annotations

from vision.bases.pixels import Placed
from vision.bases.retyped import ways_of
from vision.bases.shapes import Outline

SQUARE, COIN = Outline("square", False, 10.0, 10.0, 3.0), Outline("coin", True, 10.0, 10.0, 3.0)
HORSE = Outline("horse", False, 12.5, 25.0, 3.0)


def test_rounds_among_squares_are_tried_as_squares_turned_as_the_next_one() -> None:
    near, far = Placed(SQUARE, 100.0, 100.0, 0.0, 42.0), Placed(SQUARE, 300.0, 100.0, 0.0, 10.0)
    tried = ways_of([near, Placed(COIN, 115.0, 113.0, 0.0, 0.0), far])
    assert [near, Placed(SQUARE, 115.0, 113.0, 0.0, 42.0), far] in tried


def test_the_squares_are_tried_as_rounds_too() -> None:
    tried = ways_of([Placed(SQUARE, 100.0, 100.0, 0.0, 42.0), Placed(COIN, 115.0, 113.0, 0.0, 0.0)])
    assert any(all(base.outline == COIN for base in way) for way in tried)


def test_in_a_block_they_are_tried_where_the_next_one_would_touch() -> None:
    tried = ways_of([Placed(SQUARE, 100.0, 100.0, 0.0, 0.0), Placed(COIN, 122.0, 99.0, 0.0, 0.0)])
    assert any(abs(way[1].x_mm - 120.4) < 0.01 and abs(way[1].y_mm - 100.0) < 0.01 for way in tried)


def test_kinds_of_other_sizes_are_not_taken_for_each_other() -> None:
    assert ways_of([Placed(SQUARE, 100.0, 100.0, 0.0, 0.0), Placed(HORSE, 130.0, 100.0, 0.0, 0.0)]) == []


def test_a_unit_of_one_kind_is_left_alone() -> None:
    assert ways_of([Placed(COIN, 100.0 + 20.0 * k, 100.0, 0.0, 0.0) for k in range(4)]) == []
