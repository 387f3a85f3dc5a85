"""A unit of squares of which some were taken for rounds as large is tried as squares, all of it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.bases.pixels import Placed
from vision.bases.regrouping.retyped import ways_of
from vision.bases.shapes import Outline, turned
from vision.bases.weighing.ranks import in_ranks

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


def block_of(files: int, ranks: int, bearing_deg: float) -> list[Placed]:
    """Squares that stand shoulder to shoulder, rank behind rank, in files."""
    spots = np.array([[20.4 * file, -20.4 * rank] for rank in range(ranks) for file in range(files)])
    return [
        Placed(SQUARE, 500.0 + float(x), 400.0 + float(y), 0.0, bearing_deg) for x, y in turned(spots, bearing_deg)
    ]


@given(
    files=st.integers(2, 6),
    ranks=st.integers(1, 4),
    bearing_deg=st.floats(0.0, 359.0),
    chance=st.randoms(use_true_random=False),
)
def test_what_was_taken_for_rounds_in_a_block_is_tried_in_its_ranks_and_files(
    files: int, ranks: int, bearing_deg: float, chance: Random
) -> None:
    truth = block_of(files, ranks, bearing_deg)

    def seen(base: Placed, error_mm: float) -> Placed:
        return replace(
            base,
            x_mm=base.x_mm + chance.uniform(-error_mm, error_mm),
            y_mm=base.y_mm + chance.uniform(-error_mm, error_mm),
            bearing_deg=bearing_deg + chance.choice((0.0, 90.0)) + chance.uniform(-1.0, 1.0),
        )

    squares = chance.randint(max(len(truth) // 2, 1), len(truth) - 1)
    order = chance.sample(range(len(truth)), len(truth))
    models = [seen(truth[k], 0.5) for k in order[:squares]]
    coins = [replace(seen(truth[k], 1.5), outline=COIN) for k in order[squares:]]
    block = in_ranks(models, coins)
    assert block is not None
    off = [np.hypot(block[n].x_mm - truth[k].x_mm, block[n].y_mm - truth[k].y_mm) for n, k in enumerate(order)]
    assert max(off) < 2.0
    assert all(abs((base.bearing_deg - bearing_deg + 45.0) % 90.0 - 45.0) < 3.0 for base in block)


def test_a_block_seen_askew_is_tried_where_all_of_it_has_them() -> None:
    """Each next one would touch its own neighbour a little elsewhere; all together tell where they stand."""
    truth, chance = block_of(6, 3, 33.0), Random(2)
    seen = [
        replace(
            base,
            outline=COIN if k % 3 == 1 else SQUARE,
            x_mm=base.x_mm + chance.uniform(-1.2, 1.2),
            y_mm=base.y_mm + chance.uniform(-1.2, 1.2),
            bearing_deg=33.0 + chance.choice((0.0, 90.0)) + chance.uniform(-3.0, 3.0),
        )
        for k, base in enumerate(truth)
    ]

    def off_mm(way: list[Placed]) -> float:
        return max(min(np.hypot(b.x_mm - t.x_mm, b.y_mm - t.y_mm) for b in way) for t in truth)

    tried = [way for way in ways_of(seen) if all(base.outline == SQUARE for base in way)]
    assert min(map(off_mm, tried)) < 1.0 < off_mm(seen)


def test_squares_that_stand_about_form_no_block() -> None:
    near, askew = Placed(SQUARE, 100.0, 100.0, 0.0, 0.0), Placed(COIN, 130.0, 109.0, 0.0, 0.0)
    assert in_ranks([near], [askew]) is None


def test_two_cannot_have_one_place_of_a_block() -> None:
    near = Placed(SQUARE, 100.0, 100.0, 0.0, 0.0)
    assert in_ranks([near], [Placed(COIN, 102.0, 101.0, 0.0, 0.0)]) is None
