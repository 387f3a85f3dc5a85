"""Armies whose paint is told poorly: by tops of nearly its colour, by blur, by another army's of nearly its hue."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from benchmarks.accuracy.drawing import Kind
from calibration.prints.markers import find_markers
from calibration.records import Army
from tests.vision import test_bases as bare
from tests.vision.one_army import army_measured
from tests.vision.small_table import TABLE, base, camera, table
from vision.bases import find_bases, look_for_bases
from vision.bases.armies import Claim, divided
from vision.bases.belief import believed
from vision.bases.picture.paint import Paint, expected_features, paint_of
from vision.bases.pixels import Placed
from vision.bases.rims import rims_of, shown_of
from vision.bases.shapes import Outline
from vision.bases.usual import Look
from vision.bases.weighing.judged import LENIENT, Found, well_seen
from vision.ground import FLAT
from vision.records import BaseSeen
from vision.simulated import Effects
from vision.simulated.rendering import Renderer

ROUND, SQUARE = Outline("foot", True, 12.5, 12.5, 3.0), Outline("foot", False, 12.5, 12.5, 3.0)
SAND = np.array([0.044, -0.218, 0.451]) + np.random.default_rng(1).normal(0, 0.01, (400, 3))
GREEN, BROWN = (paint_of(expected_features(colour), SAND) for colour in ("#2e5522", "#7d4834"))
BLUE, PALE_BLUE = (paint_of(expected_features(colour), SAND) for colour in ("#39469f", "#6d7ea3"))


def seen(
    colours: NDArray[np.float64],
    outline: Outline = ROUND,
    apart_mm: float = 40.0,
    look: Look | None = None,
    **told: float,
) -> Found:
    """Bases in a row whose rims have these colours (N, 3)."""
    count = len(colours)
    usual = {"support": 0.95, "contrast": 0.4, "relief": 0.4, "proof": 1.0, "residual": 0.05, "gain": 1.0} | told
    return Found(
        placed=[Placed(outline, apart_mm * k, 100.0, 0.0, 0.0) for k in range(count)],
        spread=lambda: np.zeros((count, 3, 3)),
        counted=np.ones(count),
        colours=colours,
        tops=np.zeros((count, 3)),
        look=look or Look(),
        **{name: np.full(count, value) for name, value in usual.items()},
    )


def mixed(paint: Paint, share: float, aside: float, count: int) -> NDArray[np.float64]:
    """So many rims that show so much of a paint, and are so much brighter than that makes them."""
    return np.tile(paint.ground + share * (paint.paint - paint.ground) + np.array([0.0, 0.0, aside]), (count, 1))


@pytest.mark.parametrize(
    ("paint", "outline", "apart_mm", "count", "told"),
    [
        pytest.param(GREEN, ROUND, 40.0, 12, 12, id="many"),
        pytest.param(GREEN, ROUND, 25.0, 12, 12, id="many that touch"),
        pytest.param(GREEN, ROUND, 40.0, 5, 0, id="few"),
        pytest.param(GREEN, SQUARE, 40.0, 12, 12, id="squares"),
        pytest.param(GREEN, SQUARE, 25.0, 12, 0, id="squares with no seam to be seen between them"),
        pytest.param(paint_of(expected_features("#8a8052"), SAND), ROUND, 40.0, 12, 0, id="of the mat's colour"),
    ],
)
def test_green_rims_about_green_tops_are_believed_on_sand_if_there_are_many(
    paint: Paint, outline: Outline, apart_mm: float, count: int, told: int
) -> None:
    """Beside such a top the rim proves next to nothing, but all round it the base stands out from the mat."""
    fit = seen(mixed(paint, 0.6, 0.08, count), outline, apart_mm, contrast=0.18, proof=0.05)
    assert np.count_nonzero(believed(fit, paint)) == told


@pytest.mark.parametrize(("aside", "told"), [(0.13, 14), (0.15, 12)], ids=["a little", "more"])
def test_among_rims_about_tops_of_their_colour_some_may_be_turned_a_little_by_what_blur_carries_there(
    aside: float, told: int
) -> None:
    colours = np.concatenate([mixed(GREEN, 0.6, 0.08, 12), mixed(GREEN, 0.6, aside, 2)])
    assert np.count_nonzero(believed(seen(colours, contrast=0.18, proof=0.05), GREEN)) == told


@pytest.mark.parametrize(("count", "proof", "told"), [(8, 0.27, 8), (5, 0.27, 0), (8, 0.2, 0)])
def test_a_little_less_is_asked_of_the_usual_rim_where_many_are_alike(count: int, proof: float, told: int) -> None:
    fit = seen(mixed(BROWN, 0.6, 0.0, count), contrast=0.18, proof=proof, relief=0.14)
    assert np.count_nonzero(believed(fit, BROWN)) == told


@pytest.mark.parametrize("flock", ["#4f6a2c", "#3d6526", "#35601f"])
def test_green_bases_of_green_flock_are_found_on_sand_and_found_again_where_three_of_them_moved(flock: str) -> None:
    """The three of a part of the picture are too few to be believed for their number."""
    armies = (msgspec.structs.replace(TABLE.armies[0], base_colour="#2e5522"),)
    listed = msgspec.structs.replace(TABLE, armies=armies)
    places = [(80.0 + 55 * (k % 4), 90.0 + 55 * (k // 4)) for k in range(12)]
    places += [(430.0 + 25.3 * k, 300.0) for k in range(3)]
    bases = [base(f"green-{k}", x, y) for k, (x, y) in enumerate(places)]
    shown = msgspec.structs.replace(table(*bases), table=listed, mat="#a08a58", flock=flock)
    frame = Renderer(camera(), Effects(blur_px=0.8, noise=2.0), 3).render(shown)
    markers = find_markers(frame, listed.markers.dictionary)
    seen, known = look_for_bases(frame, camera(), listed, FLAT, markers)
    assert farthest_mm(seen, places) < 2.0
    corners = camera().project(np.array([[400.0, 270.0, 0.0], [520.0, 330.0, 0.0]]))
    (left, right), (top, bottom) = (sorted(corners[:, k].astype(int)) for k in (0, 1))
    within = np.zeros(frame.shape[:2], dtype=np.bool_)
    within[top:bottom, left:right] = True
    again, _ = look_for_bases(frame, camera(), listed, FLAT, markers, within, known)
    assert farthest_mm(again, places[12:]) < 2.0


def farthest_mm(seen: list[BaseSeen], places: list[tuple[float, float]]) -> float:
    """How far bases are at most from as many places."""
    assert len(seen) == len(places)
    return float(cdist([(one.x_mm, one.y_mm) for one in seen], places).min(axis=0).max())


@pytest.mark.parametrize(("contrast", "told"), [(0.3, 0), (0.4, 2)], ids=["cups", "rims"])
def test_white_cups_in_a_part_of_the_table_are_no_bases_though_they_look_as_much_like_them_as_rims_do(
    contrast: float, told: int
) -> None:
    """More white lies within them than on a rim."""
    white = paint_of(expected_features("#f0ead8"), SAND)
    army = seen(mixed(white, 0.8, 0.0, 9), relief=0.65)
    usual = shown_of(army, rims_of(army, white), np.ones(9, dtype=np.bool_))
    part = seen(mixed(white, 0.8, 0.0, 2), contrast=contrast, relief=0.65)
    assert np.count_nonzero(believed(part, white, usual=usual)) == told


def test_of_rims_that_prove_nothing_beside_their_tops_those_that_prove_a_little_less_than_nothing_stay() -> None:
    fit = seen(mixed(GREEN, 0.6, 0.08, 12), contrast=0.18)
    told = replace(fit, proof=np.array([0.02, -0.02, 0.01, -0.03] * 3))
    assert len(well_seen(told, LENIENT)) == 12
    assert len(well_seen(replace(told, proof=np.where(told.proof < 0, -0.3, told.proof)), LENIENT)) == 6


@pytest.mark.parametrize(("count", "proof", "told"), [(8, 0.8, 8), (5, 0.8, 0), (8, 0.3, 0)])
def test_blurred_rims_that_show_a_third_of_their_paint_are_believed_if_many_are_rings_beyond_doubt(
    count: int, proof: float, told: int
) -> None:
    fit = seen(mixed(BROWN, 0.33, 0.02, count), support=0.5, contrast=0.2, relief=0.3, proof=proof)
    assert np.count_nonzero(believed(fit, BROWN)) == told


def test_rims_of_a_dark_blue_of_which_the_camera_makes_less_are_not_taken_for_a_pale_blue_army() -> None:
    """By what their paints are in white light they might be either; beside the others' they are plainly darker."""
    look = Look(rim_mm=3.0, blur_mm=1.2)
    blue = [(0.03, 0.22, 0.48), (0.02, 0.24, 0.48), (0.03, 0.27, 0.45), (0.04, 0.28, 0.44), (0.03, 0.27, 0.37)]
    pale_blue = [(-0.02, 0.04, 0.44), (-0.01, 0.07, 0.45), (-0.03, 0.08, 0.44), (-0.01, 0.05, 0.53)]
    both = np.array([*blue, *pale_blue, *pale_blue])

    def claim(name: str, paint: Paint, contrast: NDArray[np.float64], which: NDArray[np.intp]) -> Claim:
        fit = seen(both[which], look=look)
        placed = [Placed(ROUND, 40.0 * int(k), 100.0, 0.0, 0.0) for k in which]
        army = Army(name=name, base_colour="#000000")
        return Claim(army, paint, replace(fit, placed=placed, contrast=contrast))

    dark = claim("dark", BLUE, np.full(5, 0.4), np.arange(5))
    pale = claim("pale", PALE_BLUE, np.repeat([0.6, 0.4], [5, 8]), np.arange(13))
    told = divided([dark, pale])
    stand = {one.army.name: [round(p.x_mm / 40) for p in one.fit.placed] for one in told}
    assert stand == {"dark": list(range(5)), "pale": list(range(5, 13))}


@pytest.mark.parametrize(("paint", "there"), [("#2f413e", True), ("#3a2f6e", False)])
def test_slate_rims_about_green_tops_in_a_blurred_picture_are_their_army_s_and_no_other_s(
    paint: str, there: bool
) -> None:
    """Blur makes them half as green as the tops within them: a whole army was lost."""
    stands = [bare.Stands("#2f413e", "foot", 60.0 + 45.0 * k, 60.0 + 50.0 * n) for k in range(9) for n in range(3)]
    frame = bare.drawn(stands, flock=(30, 88, 40), blur_px=1.4)
    army = msgspec.structs.replace(bare.table().armies[0], base_colour=paint)
    found = find_bases(frame, bare.camera(), msgspec.structs.replace(bare.table(), armies=(army,)), FLAT, ())
    assert [(base.army, base.base) for base in found] == [(army.name, "foot")] * len(stands) * there


def test_pale_green_rims_about_dark_green_tops_are_found() -> None:
    """Such tops look half like the paint: of the 35 bases only eight were seen as rings."""
    score = army_measured(6186, "army-1", Kind(fair=True)).score
    missed = [base for base in score.bases_missed if base.army == "army-1"]
    assert len(missed) <= 2
    assert not score.bases_false


def test_what_is_told_from_tops_takes_neither_them_nor_the_mat_for_paint() -> None:
    tops = expected_features("#3c5a1e")
    bare = paint_of(expected_features("#99ba70"), SAND)
    told = bare.but_for(tops)
    half = told.ground + 0.5 * (tops - told.ground)
    seen = told.strength(np.stack([told.ground.astype(np.float64), half, tops, told.paint]))
    assert bare.strength(tops[None])[0] > 0.4
    assert np.allclose(seen, [0.0, 0.0, 0.0, 1.0], atol=0.12)


def test_a_paint_told_from_tops_is_held_against_other_paints_as_before() -> None:
    bare, other = paint_of(expected_features("#99ba70"), SAND), BLUE
    told, rims = bare.but_for(expected_features("#3c5a1e")), mixed(bare, 0.6, 0.02, 3)
    assert told.apart(other) == bare.apart(other)
    assert (told.lead(other, rims) == bare.lead(other, rims)).all()
    assert (other.lead(told, rims) == other.lead(bare, rims)).all()
    assert told.off_mat == bare.off_mat
