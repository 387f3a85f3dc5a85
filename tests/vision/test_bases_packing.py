"""Bases that touch are told apart as they really stand, where their block might be filled in another way, too; and
what may stand otherwise is said to be unsure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.accuracy.drawing import Kind, case_of
from benchmarks.accuracy.measuring import Measured, measured
from tests.vision.one_army import army_measured
from vision.bases.picture.plane import Flat
from vision.bases.pixels import Placed
from vision.bases.regrouping.repacked import no_more_doubtful
from vision.bases.shapes import Outline
from vision.bases.usual import Look
from vision.bases.weighing.confidence import widened
from vision.bases.weighing.packing import _Packing, groups_of, ways_to_fill
from vision.bases.weighing.ranks import Slots

NEAR_MM = 3.0
SMALL, LARGE = Outline("small", True, 10.0, 10.0, 3.0), Outline("large", True, 12.5, 12.5, 3.0)
LOOK = Look(rim_mm=2.6, blur_mm=1.2)
CELLS = (100, 100)
FLAT = Flat(
    image=np.zeros((*CELLS, 3), np.uint8),
    pixels=np.zeros((*CELLS, 2), np.float32),
    seen=np.ones(CELLS, dtype=bool),
    origin_mm=(0.0, 0.0),
)
BLOCK = [Placed(LARGE, 60.0 + 25.0 * k, 60.0 + 25.0 * n, 0.0, 0.0) for k in range(3) for n in range(3)]


def rims(placed: list[Placed], seed: int = 3) -> np.ndarray:
    """How much like paint each cell is where these bases stand, figures hiding a part of it."""
    rows, columns = np.mgrid[: CELLS[0], : CELLS[1]] * FLAT.cell_mm
    like = np.zeros(CELLS)
    for base in placed:
        away = np.hypot(columns - base.x_mm, rows - base.y_mm) - base.outline.half_width_mm
        like = np.maximum(like, np.exp(-(((away + 1.3) / 1.7) ** 2)))
        like[np.hypot(columns - base.x_mm - 7, rows - base.y_mm - 7) < 6] = -0.5
    return (like + np.random.default_rng(seed).normal(0, 0.12, CELLS)).astype(np.float32)


def between(placed: list[Placed]) -> list[Placed]:
    """Smaller bases that would stand between these, each with a part of four rims for its own."""
    return [
        replace(base, outline=SMALL, x_mm=base.x_mm + 12.5, y_mm=base.y_mm + 12.5)
        for base in placed
        if base.x_mm < 105 and base.y_mm < 105
    ]


def test_a_block_is_not_taken_for_smaller_bases_in_its_gaps() -> None:
    wrong = between(BLOCK)
    beside = [replace(base, x_mm=base.x_mm + 3.5) for base in BLOCK]
    ways = ways_to_fill(FLAT, rims(BLOCK), np.ones(CELLS, dtype=bool), wrong, [*beside, *BLOCK], LOOK)
    best = [ways.placed[k] for k in ways.best()]
    assert sorted(map(str, best)) == sorted(map(str, BLOCK))
    assert ways.unexplained(ways.best()) < 0.8 * ways.unexplained(ways.standing)


def test_a_block_that_stands_right_stays_as_it_is() -> None:
    ways = ways_to_fill(FLAT, rims(BLOCK), np.ones(CELLS, dtype=bool), BLOCK, between(BLOCK), LOOK)
    assert sorted(ways.best()) == list(range(len(BLOCK)))


def test_nothing_is_put_where_there_is_no_rim() -> None:
    ways = ways_to_fill(FLAT, rims([]), np.ones(CELLS, dtype=bool), BLOCK, between(BLOCK), LOOK)
    assert ways.best() == []


def test_amid_others_of_its_block_a_base_is_missed_rather_than_made_up() -> None:
    """So a fainter rim is enough than where it might be made up."""
    middle, others = BLOCK[4], [base for base in BLOCK if base is not BLOCK[4]]
    seen, chance = rims(others), np.random.default_rng(8).normal(0, 0.12, CELLS)
    rows, columns = np.mgrid[: CELLS[0], : CELLS[1]] * FLAT.cell_mm
    deep = np.hypot(columns - middle.x_mm, rows - middle.y_mm) - middle.outline.half_width_mm + 1.3
    rim = np.exp(-np.square(deep / 1.7))

    def faintest(amid: bool) -> float:
        """The least share of the paint that this base's rim must show to be told."""
        for faint in np.arange(0.3, 1.0, 0.01):
            like = np.where(np.abs(deep) < 3, np.maximum(seen, faint * rim + chance), seen).astype(np.float32)
            looked = np.ones(CELLS, dtype=bool)
            ways = ways_to_fill(FLAT, like, looked, others, [], LOOK, [Slots((middle,), (amid,))])
            if len(ways.best()) == len(BLOCK):
                return float(faint)
        return 1.0

    assert faintest(amid=True) < faintest(amid=False) < 1.0


def test_of_the_ways_to_read_a_block_the_one_that_the_picture_bears_out_is_taken() -> None:
    readings = [
        Slots(tuple(replace(base, x_mm=base.x_mm + aside) for base in BLOCK), (True,) * len(BLOCK))
        for aside in (12.5, 0.0, 6.0)
    ]
    ways = ways_to_fill(FLAT, rims(BLOCK), np.ones(CELLS, dtype=bool), between(BLOCK), [], LOOK, readings)
    assert sorted(str(ways.placed[k]) for k in ways.best()) == sorted(map(str, BLOCK))


def block_taken(beside: list[Placed], noise: float) -> int:
    """How many stand on the places of a block that was told by what may stand there, others beside it, while what
    stands now lies in its gaps."""
    seen = rims([*BLOCK, *beside]) + np.random.default_rng(4).normal(0, noise, CELLS).astype(np.float32)
    wrong = Slots(tuple(replace(base, x_mm=base.x_mm + 12.5) for base in BLOCK), (True,) * len(BLOCK))
    right = Slots(tuple(BLOCK), (True,) * len(BLOCK))
    ways = ways_to_fill(FLAT, seen, np.ones(CELLS, dtype=bool), between(BLOCK), beside, LOOK, [wrong, right])
    return sum(ways.placed[k] in BLOCK for k in ways.best())


def test_a_block_that_explains_a_quarter_more_than_what_stands_is_taken_if_all_stand_on_it() -> None:
    beside = [Placed(LARGE, 69.0 + 25.0 * k, 135.2, 0.0, 0.0) for k in range(3)]
    assert [block_taken([], noise) for noise in (0.0, 0.25)] == [9, 9]
    assert [block_taken(beside, noise) for noise in (0.0, 0.25)] == [9, 0]


def test_what_touches_is_one_group() -> None:
    alone = Placed(SMALL, 180.0, 180.0, 0.0, 0.0)
    assert sorted(map(sorted, groups_of([*BLOCK, alone]))) == [list(range(9)), [9]]


@pytest.fixture(scope="module")
def in_shadow() -> Measured:
    """Units under a hard lamp: rounds of 25 mm that touch, beside such of 20 mm."""
    return army_measured(208, "army-1")


def test_in_hard_shadow_rounds_that_touch_are_not_read_as_smaller_ones(in_shadow: Measured) -> None:
    right = [e for e in in_shadow.score.bases if e.off_mm < NEAR_MM]
    assert sum(e.truth.base == "command" for e in right) >= 20
    assert len(right) >= 62
    assert len(in_shadow.score.bases_false) <= 10


def test_what_is_reported_is_likely_and_the_sure_ones_are_right(in_shadow: Measured) -> None:
    seen = in_shadow.score
    right = [e.seen.confidence for e in seen.bases if e.off_mm < NEAR_MM]
    wrong = [e.seen.confidence for e in seen.bases if e.off_mm >= NEAR_MM]
    wrong += [base.confidence for base in seen.bases_false]
    assert min([*right, *wrong]) >= 0.5
    sure = sum(p > 0.97 for p in right)
    assert sure >= 20
    assert sum(p > 0.97 for p in wrong) <= 0.03 * sure
    assert np.mean([*right, *wrong]) == pytest.approx(len(right) / (len(right) + len(wrong)), abs=0.12)


def test_what_may_stand_wrong_says_that_it_may_be_farther_off() -> None:
    assert widened(np.array([0.4, 0.4]), np.array([1.0, 0.7])) == pytest.approx([0.4, 1.3])


@pytest.mark.parametrize(
    ("come", "gone", "taken"),
    [
        pytest.param([0.9] * 6, [0.7] * 6, True, id="as many, and surer"),
        pytest.param([0.7] * 6, [0.9] * 6, False, id="as many, and more doubtful"),
        pytest.param([0.95, 0.95], [0.8] * 6, False, id="six likely ones are not given away for two sure ones"),
        pytest.param([0.95, 0.95], [0.65, 0.65, 0.6, 0.5, 0.5], True, id="five guesses are, for two sure ones"),
        pytest.param([0.8] * 6, [0.95, 0.95], False, id="nor are two sure ones for six that are less so"),
        pytest.param([], [0.3, 0.4], True, id="what is told by nobody may go"),
        pytest.param([], [0.8, 0.8], False, id="likely ones do not go for nothing"),
    ],
)
def test_a_block_is_packed_anew_where_that_tells_no_less(come: list[float], gone: list[float], taken: bool) -> None:
    assert no_more_doubtful(np.array(come), np.array(gone)) is taken


@pytest.mark.parametrize("seed", range(4))
def test_whom_a_packing_has_tried_in_vain_would_gain_nothing_until_something_near_has_changed(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same packing is found where everybody is tried in every sweep."""
    rng = np.random.default_rng(seed)
    about = [replace(b, x_mm=b.x_mm + dx, y_mm=b.y_mm + dy) for b in BLOCK for dx, dy in rng.normal(0, 4, (3, 2))]
    ways = ways_to_fill(FLAT, rims(BLOCK, seed), np.ones(CELLS, dtype=bool), between(BLOCK), about + BLOCK, LOOK)
    best = ways.best()
    tried = [0]

    def always(packing: _Packing, into: int) -> bool:
        tried[0] += given_up(packing, into)
        return False

    given_up = _Packing.is_given_up
    monkeypatch.setattr(_Packing, "is_given_up", always)
    assert ways.best() == best
    assert tried[0]


def test_what_a_candidate_gains_is_worked_out_again_only_where_its_cells_have_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ways = ways_to_fill(FLAT, rims(BLOCK), np.ones(CELLS, dtype=bool), BLOCK, [], LOOK)
    packing, worked_out = ways._packing([], np.array([0.0, 0.0, 0.8])), list[int]()
    far = max(
        range(len(BLOCK)), key=lambda k: np.hypot(BLOCK[k].x_mm - BLOCK[0].x_mm, BLOCK[k].y_mm - BLOCK[0].y_mm)
    )

    def counted(packing: _Packing, come: list[int], gone: list[int]) -> float:
        worked_out.extend(come)
        return change(packing, come, gone)

    change = _Packing.change
    monkeypatch.setattr(_Packing, "change", counted)
    alone = packing.gain(0)
    packing.turn([far], [])
    assert packing.gain(0) == alone
    assert worked_out == [0]
    packing.turn([0], [])
    assert packing.gain(0) > alone
    assert worked_out == [0, 0]


def test_squares_in_ranks_and_files_are_not_taken_for_rectangles_as_large_as_two() -> None:
    """Their outer sides are those of one, and a little clearer than what lies between them."""
    score = measured(case_of(3128, Kind(fair=True)), frozenset(("bases",))).score
    assert sum(error.off_mm < NEAR_MM for error in score.bases) >= 50
    assert not score.bases_false
