"""A formed block is told by its ranks and files, where each of its bases alone might be anywhere."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.camera import CameraModel
from calibration.records import Intrinsics
from tests.vision.test_bases import LENS, Level, Stands, camera, drawn, table
from vision.bases import find_bases
from vision.bases.picture.paint import expected_features, paint_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.proposing.proposed import proposed
from vision.bases.regrouping.dressed import dressed
from vision.bases.search import search
from vision.bases.shapes import Outline, turned
from vision.bases.usual import Look
from vision.bases.weighing.confidence import confidence, confidence_in_ranks
from vision.bases.weighing.judged import LENIENT, Found, fitted_together
from vision.bases.weighing.ranks import formed, readings_of, slots_of
from vision.light import estimate_light

SQUARE, COIN = Outline("square", False, 10.0, 10.0, 3.0), Outline("coin", True, 10.0, 10.0, 3.0)
COARSE = 0.625


def block_of(files: int, ranks: int, bearing_deg: float, kind: Outline = SQUARE) -> list[Placed]:
    """Bases that stand shoulder to shoulder, rank behind rank."""
    spots = np.array([[20.4 * file, -20.4 * rank] for rank in range(ranks) for file in range(files)])
    return [
        Placed(kind, 500.0 + float(x), 400.0 + float(y), 0.0, bearing_deg) for x, y in turned(spots, bearing_deg)
    ]


def nudged(base: Placed, far_mm: float, chance: Random) -> Placed:
    """A base found so far off at most, along each side, and a little askew."""
    return replace(
        base,
        x_mm=base.x_mm + chance.uniform(-far_mm, far_mm),
        y_mm=base.y_mm + chance.uniform(-far_mm, far_mm),
        bearing_deg=base.bearing_deg + chance.choice((0.0, 90.0, 180.0)) + chance.uniform(-2.0, 2.0),
    )


def off_mm(one: Placed, other: Placed) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))


@given(
    files=st.integers(4, 8),
    ranks=st.integers(2, 4),
    bearing_deg=st.floats(0.0, 359.0),
    kind=st.sampled_from([SQUARE, COIN]),
    chance=st.randoms(use_true_random=False),
)
def test_a_block_has_a_spot_for_each_of_its_bases_though_some_were_found_between_two(
    files: int, ranks: int, bearing_deg: float, kind: Outline, chance: Random
) -> None:
    truth = block_of(files, ranks, bearing_deg, kind)
    astray = set(chance.sample(range(len(truth)), len(truth) // 5))
    half = turned(np.array([[10.2, 0.0]]), bearing_deg)[0]
    found = [
        replace(base, x_mm=base.x_mm + float(half[0]), y_mm=base.y_mm + float(half[1]))
        if k in astray
        else nudged(base, 0.6, chance)
        for k, base in enumerate(truth)
    ]
    slots = slots_of(found, np.array([0.4 if k in astray else 0.8 for k in range(len(truth))]))
    right = [base for k, base in enumerate(truth) if k not in astray]
    for base in truth:
        if min(off_mm(other, base) for other in right) < 21.0:  # a corner may be lost with both beside it
            assert min(off_mm(spot, base) for spot in slots.spots) < 2.0
    stands = formed(found, np.full(len(found), 0.8))
    assert not any(stands[k] for k in astray)
    assert stands.sum() > 0.5 * (len(truth) - len(astray))


@pytest.mark.parametrize("kind", [SQUARE, COIN], ids=["squares", "rounds"])
def test_a_base_that_is_missing_from_the_middle_has_a_spot_amid_the_others(kind: Outline) -> None:
    truth = block_of(5, 3, 20.0, kind)
    missing = truth.pop(7)
    slots = slots_of(truth, np.full(len(truth), 0.8))
    amid = [spot for spot, among in zip(slots.spots, slots.amid, strict=True) if among]
    assert min(off_mm(spot, missing) for spot in amid) < 0.5
    assert len(amid) == len(truth) + 1  # the next ones outside touch one alone


def test_bases_that_stand_about_have_no_spots() -> None:
    chance = Random(4)
    about = [
        Placed(SQUARE, chance.uniform(0, 400), chance.uniform(0, 400), 0.0, chance.uniform(0, 90)) for _ in range(8)
    ]
    assert slots_of(about, np.full(8, 0.8)).spots == ()
    assert not formed(about, np.full(8, 0.8)).any()


def test_in_an_open_order_the_gaps_are_no_spots() -> None:
    """Squares corner to corner stand on every other field of a chessboard."""
    square = Outline("square", False, 12.5, 12.5, 3.0)
    fields = [(file, rank) for file in range(5) for rank in range(4) if (file + rank) % 2 == 0]
    at = turned(25.4 * np.array(fields, dtype=np.float64), 30.0)
    open_order = [Placed(square, x, y, 0.0, 30.0) for x, y in at.tolist()]
    assert slots_of(open_order, np.full(len(open_order), 0.9)).spots == ()


@pytest.mark.parametrize("kind", [SQUARE, COIN], ids=["squares", "rounds"])
def test_a_block_of_which_hardly_a_base_was_found_is_read_from_what_else_may_stand_there(kind: Outline) -> None:
    """Of 24 that were found 20 stand between others; each as it really stands is but one of many rivals."""
    chance, truth = Random(5), block_of(6, 4, 25.0, kind)
    half = turned(np.array([[10.2, 10.2]]), 25.0)[0]
    between = [replace(base, x_mm=base.x_mm + float(half[0]), y_mm=base.y_mm + float(half[1])) for base in truth]
    found = [nudged(base, 2.0, chance) for base in between[:20]] + [
        nudged(base, 0.6, chance) for base in truth[20:]
    ]
    rivals = [nudged(base, far, chance) for far in (0.8, 9.0, 9.0) for base in truth]
    chance.shuffle(rivals)
    sure = np.concatenate([np.full(len(found), 0.5), np.linspace(0.6, 0.2, len(rivals))])
    off = [
        max(min(off_mm(spot, base) for spot in block.spots) for base in truth)
        for block in readings_of([*found, *rivals], sure)
    ]
    assert min(off) < 2.0


def seen_faintly(placed: list[Placed]) -> Found:
    """Bases of which each by its own rim may as well stand otherwise."""
    count = len(placed)
    one = np.ones(count)
    return Found(
        placed=placed,
        spread=lambda: np.repeat(0.3 * np.eye(3)[None], count, axis=0),
        gain=one,
        residual=0.19 * one,
        support=one,
        contrast=0.3 * one,
        relief=one,
        proof=one,
        counted=one,
        colours=np.zeros((count, 3)),
        tops=np.zeros((count, 3)),
        look=Look(rim_mm=2.6, blur_mm=1.2),
    )


def test_faint_bases_in_rank_and_file_are_told_by_all_their_block() -> None:
    beside = Placed(SQUARE, 300.0, 300.0, 0.0, 10.0)
    found = seen_faintly([*block_of(4, 2, 20.0), beside])
    alone, together = confidence(found), confidence_in_ranks(found)
    assert alone.max() < 0.6  # none would be told by its own rim
    assert together[:8].min() > 0.8
    assert together[8] == alone[8]


def test_a_base_missed_amid_a_block_that_is_clear_is_found() -> None:
    """Though none of the others is doubtful: one that stood between two places had kept it out."""
    truth = [replace(base, x_mm=base.x_mm - 330.0, y_mm=base.y_mm - 200.0) for base in block_of(4, 3, 20.0)]
    frame = drawn([Stands("blue", "square", base.x_mm, base.y_mm, base.bearing_deg) for base in truth])
    light, army = estimate_light(frame, ()), table().armies[1]
    scene = Scene(frame, camera(), Level(), light, (), table(), None, None, None)
    paint = paint_of(expected_features(army.base_colour), scene.background)
    found = search(scene, army, paint, proposed(scene, army, paint))
    assert found is not None
    assert len(found.placed) == len(truth)
    missed = {min(range(len(truth)), key=lambda k: off_mm(found.placed[k], truth[n])) for n in (5, 6)}
    left = found.taken([k for k in range(len(truth)) if k not in missed])
    assert confidence(left).min() > 0.9
    whole = dressed(scene, left, paint, LENIENT).placed
    assert len(whole) == len(truth)
    assert max(min(off_mm(base, one) for one in whole) for base in truth) < 0.6


@pytest.mark.parametrize("bearing_deg", [20.0, 75.0])
def test_a_block_that_was_told_too_wide_is_drawn_together_to_where_its_outer_edges_are(bearing_deg: float) -> None:
    """Its seams are hardly seen: each base had pushed the next aside, those at the ends by 4 mm."""
    truth = [replace(base, x_mm=base.x_mm - 320.0, y_mm=base.y_mm - 200.0) for base in block_of(9, 2, bearing_deg)]
    stands = [Stands("blue", "square", base.x_mm, base.y_mm, base.bearing_deg) for base in truth]
    frame, army = coarse(stands, 3), table().armies[1]
    scene = Scene(frame, coarse_camera(), Level(), estimate_light(frame, ()), (), table(), None, None, None)
    paint = paint_of(expected_features(army.base_colour), scene.background)
    found = search(scene, army, paint, proposed(scene, army, paint))
    assert found is not None
    middle = np.mean([[base.x_mm, base.y_mm] for base in truth], axis=0)
    wide = [
        replace(base, x_mm=float(x), y_mm=float(y))
        for base in truth
        for x, y in [middle + 1.05 * (np.array([base.x_mm, base.y_mm]) - middle)]
    ]
    told = fitted_together(scene, wide, np.ones(len(wide)), paint, found.look, 0, soft_mm=0.0, shared=False)
    drawn_together = dressed(scene, told, paint, LENIENT).placed
    off = [min(off_mm(base, one) for one in drawn_together) for base in truth]
    assert max(off_mm(base, one) for base, one in zip(truth, wide, strict=True)) > 4.0
    assert max(off) < 2.0


def test_a_block_is_found_in_a_coarse_picture() -> None:
    """18 squares of nine pixels each, figures on them, as a cheap camera packs it."""
    right = wrong = 0
    for seed, bearing_deg in ((1, 33.0), (2, 70.0)):
        stands = [
            Stands("blue", "square", base.x_mm - 320.0, base.y_mm - 200.0, base.bearing_deg)
            for base in (nudged(base, 0.4, Random(seed)) for base in block_of(6, 3, bearing_deg))
        ]
        seen = find_bases(coarse(stands, seed), coarse_camera(), table(), Level(), ())
        near = [min(np.hypot(s.x_mm - b.x_mm, s.y_mm - b.y_mm) for b in stands) < 3.0 for s in seen]
        right += sum(near)
        wrong += len(near) - sum(near)
    assert right >= 29  # of 36
    assert wrong <= 1


def coarse(stands: list[Stands], seed: int) -> np.ndarray:
    """A coarse frame of bases with something dark or bright on each, packed as JPEG."""
    frame, chance = drawn(stands, seed=seed), Random(seed)
    for base in stands:
        top = np.array([[base.x_mm + chance.gauss(0, 2), base.y_mm + chance.gauss(0, 2), 15.0]])
        at = tuple(np.rint(camera().project(top)[0]).astype(int).tolist())
        cv2.circle(frame, at, 6, [chance.randint(20, 220) for _ in range(3)], -1)
    small = cv2.resize(frame, None, fx=COARSE, fy=COARSE, interpolation=cv2.INTER_AREA)
    _, packed = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 60])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))


def coarse_camera() -> CameraModel:
    """The camera of that frame."""
    lens = Intrinsics(
        width_px=int(LENS.width_px * COARSE),
        height_px=int(LENS.height_px * COARSE),
        fx=LENS.fx * COARSE,
        fy=LENS.fy * COARSE,
        cx=(LENS.cx + 0.5) * COARSE - 0.5,
        cy=(LENS.cy + 0.5) * COARSE - 0.5,
        dist=LENS.dist,
    )
    return replace(camera(), intrinsics=lens)
