"""Lines and blocks without paint are told by the figures on them, and a base that may be wrong is not told."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.pictures import grey_of
from calibration.poses.pose import solve_pose
from calibration.prints.markers import find_markers
from calibration.records import BaseKind, RectBase, RoundBase
from tests.long_runs import some
from tests.vision.small_table import LENS, TABLE, base, camera
from vision.bases.pixels import Placed
from vision.bases.shapes import outline_of, turned
from vision.ground import FLAT
from vision.plain import Pictures, look_for_plain_bases
from vision.plain.block import Block, block_of
from vision.plain.choosing.drill import drilled
from vision.plain.choosing.ranked import by_rank_and_file
from vision.plain.fitting.doubt import LIKELY, Doubt
from vision.plain.fitting.seams import share_of
from vision.plain.fitting.underfoot import beside_feet, counting
from vision.records import BaseSeen
from vision.simulated import Effects, Renderer, VirtualTable

Floats = NDArray[np.float64]


def kind(name: str, width_mm: float, depth_mm: float) -> RectBase:
    return msgspec.convert(
        {"name": name, "shape": "rect", "width_mm": width_mm, "depth_mm": depth_mm, "height_mm": 3.0}, RectBase
    )


SQUARE, ELEMENT = kind("foot", 20.0, 20.0), kind("element", 45.0, 30.0)
ROUND = RoundBase(name="round", diameter_mm=20.0, height_mm=2.0)
OUTLINES = [outline_of(ELEMENT), outline_of(SQUARE)]


def block(files: int, ranks: int, gap_mm: float = 0.3, bearing_deg: float = 25.0) -> Block:
    about = Placed(outline_of(SQUARE), 300.0, 220.0, 0.0, bearing_deg)
    return block_of(about.outline, (files, ranks), gap_mm, about, 0, (gap_mm, 0.1))


def figures(on: Block) -> Floats:
    """Where its men are seen: none stands quite in the middle of his base."""
    rng = np.random.default_rng(3)
    return np.array([[p.x_mm, p.y_mm] for p in on.bases()]) + rng.normal(0, 0.9, (on.files * on.ranks, 2))


def farthest_mm(told: Block, true: Block) -> float:
    return max(min(math.dist((p.x_mm, p.y_mm), (q.x_mm, q.y_mm)) for q in told.bases()) for p in true.bases())


@pytest.mark.parametrize(("files", "ranks"), [(8, 3), (6, 1), (3, 3)])
def test_men_in_ranks_and_files_tell_the_places_of_their_bases_and_how_large_these_are(
    files: int, ranks: int
) -> None:
    true = block(files, ranks)
    told = drilled(figures(true), OUTLINES, FLAT)[0]
    assert told.base == outline_of(SQUARE)
    assert {told.files, told.ranks} == {files, ranks}
    assert farthest_mm(told, true) < 2.5
    gap, sigma = told.told_gap_mm
    assert abs(gap - 0.3) < 3 * sigma


def test_a_man_who_is_not_seen_leaves_his_base_in_its_place() -> None:
    true = block(7, 2)
    told = drilled(np.delete(figures(true), 3, axis=0), OUTLINES, FLAT)[0]
    assert {told.files, told.ranks} == {7, 2}
    assert told.figures == 13
    assert farthest_mm(told, true) < 2.5


@pytest.mark.parametrize("aside_mm", [2.2, -2.2])
def test_three_bases_are_a_line_though_the_man_in_its_midst_stands_beside_his_middle(aside_mm: float) -> None:
    """Two neighbours alone would have the line turned so far that the third man stands on none of its places."""
    true = block(3, 1, bearing_deg=0.0)
    men = np.array([[p.x_mm, p.y_mm] for p in true.bases()])
    men[1, 1] += aside_mm
    told = drilled(men, OUTLINES, FLAT)
    assert [(one.base, one.files, one.ranks) for one in told] == [(outline_of(SQUARE), 3, 1)]
    assert farthest_mm(told[0], true) < 1.0


def test_men_who_stand_loosely_are_no_block() -> None:
    loose = np.array([[100.0 + 55 * k, 200.0 + 7 * (k % 3)] for k in range(6)])
    assert drilled(loose, OUTLINES, FLAT) == []


def found(
    stand: Sequence[Placed], effects: Effects, kinds: tuple[BaseKind, ...] = (SQUARE, ELEMENT)
) -> list[BaseSeen]:
    """What is found of bases flocked like the mat, on a table that was empty before."""
    known = replace(TABLE, armies=(replace(TABLE.armies[0], bases=kinds),))
    men = (
        replace(base(f"m{k}", p.x_mm, p.y_mm, bearing_deg=p.bearing_deg), base=p.outline.name, plain=True)
        for k, p in enumerate(stand)
    )
    empty = VirtualTable(table=known, flock=VirtualTable(table=TABLE).mat)
    before = Renderer(camera(), effects, 1).render(empty)
    after = Renderer(camera(), effects, 1).render(replace(empty, bases=tuple(men)))
    prints = find_markers(grey_of(after), known.markers.dictionary)
    pose = solve_pose(prints, known, LENS, (LENS.width_px, LENS.height_px))
    return look_for_plain_bases(Pictures(after, before, pose, known, FLAT, prints), ())[0]


@pytest.mark.parametrize(("files", "ranks", "bearing_deg"), some(2, [(5, 2, -20.0), (5, 2, 90.0), (4, 3, 35.0)]))
def test_a_block_without_a_seam_is_measured_by_its_outer_edge_and_its_men_whatever_gaps_they_leave_open(
    files: int, ranks: int, bearing_deg: float
) -> None:
    """Squares flocked alike, pushed together: nothing shows between them, and gaps would explain nearly as
    much."""
    true = block(files, ranks, gap_mm=0.0, bearing_deg=bearing_deg)
    seen = found(true.bases(), Effects(jpeg_quality=0, noise=1.0))
    assert len(seen) == files * ranks
    assert {b.base for b in seen} == {"foot"}
    off = [min((math.dist((b.x_mm, b.y_mm), (p.x_mm, p.y_mm)), b.sigma_mm) for b in seen) for p in true.bases()]
    assert max(away for away, _ in off) < 1.0
    assert all(away < 2.45 * sigma for away, sigma in off)
    middle = min(seen, key=lambda b: math.dist((b.x_mm, b.y_mm), (300.0, 220.0)))
    end = max(seen, key=lambda b: math.dist((b.x_mm, b.y_mm), (300.0, 220.0)))
    assert end.sigma_mm > middle.sigma_mm  # what the turn and the gaps leave open is most at the ends


@pytest.mark.parametrize("aside_mm", some(1, [1.0, 0.0]))
def test_each_base_of_a_block_is_where_the_seams_about_it_show_it_though_a_rank_was_pushed_aside(
    aside_mm: float,
) -> None:
    """As one body the block has all bases on one grid, and its gaps as wide as its outer edge seems to say."""
    true = block(5, 2, gap_mm=0.0, bearing_deg=-20.0)
    x, y = turned(np.array([[aside_mm / 2, 0.0]]), true.whole.bearing_deg)[0].tolist()
    each = zip(true.bases(), [1] * 5 + [-1] * 5, strict=True)
    stand = [dataclasses.replace(p, x_mm=p.x_mm + way * x, y_mm=p.y_mm + way * y) for p, way in each]
    seen = found(stand, Effects(jpeg_quality=0, noise=1.0))
    assert len(seen) == 10
    off = [min((math.dist((b.x_mm, b.y_mm), (p.x_mm, p.y_mm)), b.sigma_mm) for b in seen) for p in stand]
    assert math.hypot(*(away for away, _ in off)) / math.sqrt(10) < 0.5
    assert all(away < 2.45 * sigma for away, sigma in off)


def test_bases_between_which_nothing_shows_stand_as_their_block_does() -> None:
    """Fitted for itself, each base gains a little by some grain."""
    assert share_of(np.array([0.9, 1.4, -0.2, 1.1])) == 0.0
    assert share_of(np.array([1.5, 2.5])) == pytest.approx(0.5)
    assert share_of(np.array([9.0, 11.0])) == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("files", "ranks", "lamp_mm", "depth"),
    some(1, [(5, 2, (1.4, 0.3), 0.75), (6, 1, (1.0, -0.8), 0.75), (4, 2, (-1.1, -0.75), 0.9)]),
)
def test_under_a_hard_low_lamp_the_shadows_of_men_are_not_taken_for_the_edges_of_bases(
    files: int, ranks: int, lamp_mm: tuple[float, float], depth: float
) -> None:
    true = block(files, ranks, gap_mm=0.2, bearing_deg=-20.0)
    hard = Effects(jpeg_quality=0, noise=1.0, lamp_mm=lamp_mm, shadow_depth=depth, shadow_soft_mm=1.0)
    seen = found(true.bases(), hard)
    assert [b.base for b in seen] == ["foot"] * (files * ranks)
    assert max(min(math.dist((b.x_mm, b.y_mm), (p.x_mm, p.y_mm)) for b in seen) for p in true.bases()) < 2.0


def test_round_bases_in_ranks_and_files_are_all_told_though_figures_and_shadows_hide_some() -> None:
    at = [(400.0 + 20.3 * k, 300.0 + 20.3 * n) for k in range(3) for n in range(3)]
    rounds = [Placed(outline_of(ROUND), x, y, 0.0, 0.0) for x, y in at]
    elements = [Placed(outline_of(ELEMENT), 150.0 + 46.0 * k, 120.0, 0.0, 0.0) for k in range(4)]
    seen = found([*elements, *rounds], Effects(jpeg_quality=0, noise=1.0), (ROUND, ELEMENT))
    assert len(seen) == 13
    told = [b for b in seen if b.base == "round"]
    off = [min((math.dist((b.x_mm, b.y_mm), place), b.sigma_mm) for b in told) for place in at]
    assert all(away < 2.5 * sigma for away, sigma in off)
    assert max(away for away, _ in off) < 2.0


GRID = block_of(outline_of(ROUND), (3, 2), 0.3, Placed(outline_of(ROUND), 300.0, 200.0, 0.0, 10.0), 6, (0.3, 0.1))
RANKED = dataclasses.replace(GRID, members=tuple(GRID.bases()))


def told_of(block: Block, but: int, stray_mm: float = 0.0) -> dict[int, BaseSeen]:
    """What is told of a block, all but one base of it, each so far out of its rank."""
    rng = np.random.default_rng(8)
    return {
        k: BaseSeen(
            army=None, base="round", x_mm=p.x_mm + stray_mm * rng.normal(), y_mm=p.y_mm + stray_mm * rng.normal(),
            z_mm=0.0, bearing_deg=None, sigma_mm=0.3, bearing_sigma_deg=None, confidence=0.95,
        )
        for k, p in enumerate(block.members) if k != but
    }  # fmt: skip


def nothing_changed(placed: Sequence[Placed]) -> Floats:
    return np.zeros(len(placed))


def all_changed(placed: Sequence[Placed]) -> Floats:
    return np.ones(len(placed))


def test_a_base_that_hardly_shows_stands_where_its_rank_and_file_have_it() -> None:
    missing = RANKED.members[4]
    (one,) = by_rank_and_file(RANKED, told_of(RANKED, 4), figures(RANKED), nothing_changed)
    assert math.dist((one.x_mm, one.y_mm), (missing.x_mm, missing.y_mm)) < 0.01
    assert one.sigma_mm > 0.5
    assert one.confidence < 0.9


def test_without_a_figure_there_or_in_a_mob_rank_and_file_tell_nothing() -> None:
    without = np.delete(figures(RANKED), 4, axis=0)
    assert by_rank_and_file(RANKED, told_of(RANKED, 4), without, nothing_changed) == []
    assert by_rank_and_file(RANKED, told_of(RANKED, 4, stray_mm=3.0), figures(RANKED), nothing_changed) == []


def test_a_base_whose_figure_is_as_dull_as_the_mat_stands_between_others_where_the_ground_has_changed() -> None:
    without = np.delete(figures(RANKED), 4, axis=0)
    (one,) = by_rank_and_file(RANKED, told_of(RANKED, 4), without, all_changed)
    assert math.dist((one.x_mm, one.y_mm), (RANKED.members[4].x_mm, RANKED.members[4].y_mm)) < 0.01
    corner = np.delete(figures(RANKED), 5, axis=0)  # a man has fallen: his place may lie in another's shadow
    assert by_rank_and_file(RANKED, told_of(RANKED, 5), corner, all_changed) == []


def test_two_side_by_side_whose_figures_are_not_seen_stand_between_the_others_of_their_rank() -> None:
    grid = block_of(RANKED.base, (5, 2), 0.3, RANKED.whole, 10, (0.3, 0.1))
    ranked = dataclasses.replace(grid, members=tuple(grid.bases()))

    def all_but(*missing: int) -> list[BaseSeen]:
        told = {k: one for k, one in told_of(ranked, missing[0]).items() if k not in missing}
        return by_rank_and_file(ranked, told, np.delete(figures(ranked), missing, axis=0), all_changed)

    two = [ranked.members[k] for k in (6, 7)]
    told = all_but(6, 7)
    assert [(one.x_mm, one.y_mm) for one in told] == [pytest.approx((one.x_mm, one.y_mm), abs=0.01) for one in two]
    assert all_but(8, 9) == []  # at an end the rank may be shorter
    assert all_but(5, 6) == []


def test_a_base_without_its_man_counts_for_less_where_men_stand() -> None:
    square = Placed(outline_of(SQUARE), 100.0, 100.0, 0.0, 0.0)
    men = np.array([[101.5, 99.0], [200.0, 100.0]])
    on, off = counting([square, Placed(square.outline, 100.0, 120.0, 0.0, 0.0)], men)
    assert on > 0.9
    assert off < 0.5


def test_on_a_long_base_men_may_stand_anywhere_along_it_but_not_beside_its_middle_line() -> None:
    element = Placed(outline_of(ELEMENT), 100.0, 100.0, 0.0, 0.0)
    assert beside_feet([element], np.array([[110.0, 100.0]]))[0] == 0.0
    assert beside_feet([element], np.array([[110.0, 107.0]]))[0] == pytest.approx(7.0)
    assert beside_feet([element], turned(np.array([[10.0, 0.0]]), 90.0) + 100.0)[0] == pytest.approx(10.0)


ABOVE = np.array([100.0, 100.0, 1000.0])  # where the camera is


def test_a_man_at_the_end_of_the_table_stands_on_his_base_whether_head_or_knees_are_seen() -> None:
    """There the camera sees him from the side: he leans away from it."""
    square = Placed(outline_of(SQUARE), 700.0, 100.0, 0.0, 0.0)
    assert beside_feet([square], np.array([[705.0, 100.0]]), ABOVE)[0] < 0.01
    assert beside_feet([square], np.array([[695.0, 100.0]]), ABOVE)[0] < 0.01
    assert beside_feet([square], np.array([[700.0, 105.0]]), ABOVE)[0] == pytest.approx(5.0)
    below = Placed(square.outline, 100.0, 100.0, 0.0, 0.0)  # from above he does not lean
    assert beside_feet([below], np.array([[105.0, 100.0]]), ABOVE)[0] == pytest.approx(5.0)


def doubt(**but: float) -> Doubt:
    """A base as clear as most, but for something."""
    usual = {"turned": 6.0, "spread_mm": 0.4, "sigma_mm": 0.06, "residual": 2.5, "aside_mm": 1.5}
    told = {name: np.array([value]) for name, value in (usual | but).items()}
    return Doubt(**told, whole=np.zeros(1, np.bool_), beside=np.zeros((1, 1), np.bool_))


def test_a_base_is_told_where_nothing_speaks_against_it() -> None:
    assert doubt().likely[0] > 0.85


@pytest.mark.parametrize(
    "but",
    [
        {"spread_mm": 5.0, "residual": 5.0},
        {"aside_mm": 10.0, "residual": 4.0},
        {"turned": 0.0, "sigma_mm": 0.2, "spread_mm": 3.0},
    ],
    ids=["it fits elsewhere as well", "no man stands on it", "it fits turned as well"],
)
def test_a_base_that_may_as_well_be_wrong_is_not_told(but: dict[str, float]) -> None:
    assert doubt(**but).likely[0] < LIKELY


def test_a_faint_base_between_two_clear_ones_of_its_kind_is_believed() -> None:
    faint = {"spread_mm": 2.7, "residual": 5.0, "turned": 2.3, "sigma_mm": 0.14}
    alone = doubt(**faint)
    clear = doubt()
    turned, spread, sigma, residual, aside, whole = (
        np.concatenate([getattr(one, name) for one in (clear, alone, clear)])
        for name in ("turned", "spread_mm", "sigma_mm", "residual", "aside_mm", "whole")
    )
    beside = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], np.bool_)
    row = Doubt(turned, spread, sigma, residual, aside, whole, beside)
    assert alone.likely[0] < LIKELY < row.likely[1]


def test_what_may_be_elsewhere_has_the_larger_sigma() -> None:
    clear, vague = (one.place_mm(1.0)[0] for one in (doubt(), doubt(spread_mm=2.0)))
    assert clear < 1.0 < vague
    assert doubt().place_mm(0.5)[0] > clear  # and so has a coarser picture
    shaded, exact = (dataclasses.replace(doubt(), shaded=True, exact=known) for known in (False, True))
    assert shaded.place_mm(1.0)[0] > exact.place_mm(1.0)[0] > clear  # and a lamp whose shadows move all alike
    other = dataclasses.replace(doubt(), otherwise_mm=np.array([2.0])).place_mm(1.0)[0]
    assert other == pytest.approx(
        np.hypot(clear, 2.0)
    )  # and what may be of another kind that would stand elsewhere


def test_what_little_holds_in_its_place_is_told_less_exactly_though_it_fits_nowhere_else() -> None:
    """Flocked bases in a coarse picture, each beside the next: eight lay 2 to 3 mm off together, said to be exact
    within half a millimetre each way."""
    held, hardly = (doubt(sigma_mm=sigma).place_mm(1.0)[0] for sigma in (0.03, 0.14))
    assert held < 0.35
    assert hardly > 0.6
