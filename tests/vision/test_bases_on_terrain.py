"""Bases on woods, rivers and fields, whose colours are not the mat's."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.accuracy.drawing import Kind, case_of
from benchmarks.accuracy.measuring import measured
from calibration.records import BaseKind, RectBase, Table
from tests.vision.test_bases import Colour, Level, Stands, camera, drawn, matched, table
from vision.bases import find_bases
from vision.bases.belief import believed
from vision.bases.picture.in_sight import in_sight
from vision.bases.picture.lookalikes import lookalikes
from vision.bases.picture.paint import Paint, expected_features, paint_of
from vision.bases.picture.plane import Flat
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.regrouping.covered import covered
from vision.bases.shapes import outline_of
from vision.bases.usual import Look
from vision.bases.weighing.judged import Found, fitted_together
from vision.bases.weighing.like_terrain import beside_or_on_terrain, beside_what_looks_painted
from vision.ground import Ground, Patch
from vision.light import estimate_light

Floats = NDArray[np.float64]

PIECE = np.array([[60.0, 90.0], [440.0, 90.0], [440.0, 260.0], [60.0, 260.0]])
ON_IT = [(120.0, 150.0), (200.0, 190.0), (270.0, 140.0), (350.0, 200.0)]
OFF_IT = [(110.0, 50.0), (200.0, 320.0), (300.0, 50.0), (390.0, 320.0)]


def painted(colour: str, *kinds: str) -> Table:
    """A table with one army, of rims of a colour."""
    listed = table()
    bases = tuple(kind for kind in listed.armies[0].bases if not kinds or kind.name in kinds)
    return msgspec.structs.replace(
        listed, armies=(msgspec.structs.replace(listed.armies[0], base_colour=colour, bases=bases),)
    )


@pytest.mark.parametrize("army", ["red", "blue", "bone"])
@pytest.mark.parametrize(
    "felt",
    [
        pytest.param((134, 96, 48), id="a river"),
        pytest.param((44, 84, 36), id="a dark wood"),
        pytest.param((90, 165, 190), id="a field of corn"),
    ],
)
def test_bases_on_terrain_are_found_as_well_as_beside_it(army: str, felt: Colour) -> None:
    colour = {"red": "#9e2b25", "blue": "#2f4f9e", "bone": "#cfcc9a"}[army]
    stands = [Stands(army, "foot", x, y) for x, y in (*ON_IT, *OFF_IT)]
    known = painted(colour, "foot")
    army_named = msgspec.structs.replace(known.armies[0], name=army)
    known = msgspec.structs.replace(known, armies=(army_named,))
    frame = drawn(stands, felt=[(PIECE, felt)])
    seen = find_bases(frame, camera(), known, Ground((Patch(PIECE, 0.0),)), ())
    matched(seen, stands, 0.5)


def test_a_base_half_on_a_road_is_found() -> None:
    stands = [Stands("red", "foot", x, 90.0) for x in (120.0, 220.0, 330.0)]
    frame = drawn(stands, felt=[(PIECE, (130, 175, 195))])
    seen = find_bases(frame, camera(), painted("#9e2b25", "foot"), Ground((Patch(PIECE, 0.0),)), ())
    matched(seen, stands, 0.7)


def test_no_bases_are_made_up_on_felt_of_an_armys_own_colour() -> None:
    """Leaves and shadows make it uneven, so that rings are seen in it anywhere."""
    frame = drawn([Stands("red", "foot", 60.0 + 90.0 * k, 50.0) for k in range(4)], felt=[(PIECE, (40, 46, 150))])
    blots = np.random.default_rng(3).normal(1.0, 0.25, (24, 32)).astype(np.float32)
    uneven = np.kron(blots, np.ones((20, 20), np.float32))[..., None]
    frame[110:330] = np.clip(frame[110:330] * uneven[110:330], 0, 255).astype(np.uint8)
    seen = find_bases(frame, camera(), painted("#9e2b25", "foot"), Ground((Patch(PIECE, 0.0),)), ())
    assert [base for base in seen if 100 < base.y_mm < 250] == []


@pytest.mark.parametrize(("felt", "own"), [((45, 66, 33), True), ((44, 120, 60), False)], ids=["dark", "light"])
def test_a_wood_as_dark_and_green_as_an_army_is_of_its_paint_though_the_tables_file_says_otherwise(
    felt: Colour, own: bool
) -> None:
    """What is about a tree there may be taken for a rim."""
    frame = drawn([], felt=[(PIECE, felt)])
    scene = Scene(
        frame, camera(), Ground((Patch(PIECE, 0.0),)), estimate_light(frame, ()), (), painted("#234633", "foot")
    )
    paint = paint_of(expected_features("#234633"), scene.background)
    told = beside_or_on_terrain(scene, paint, None)
    foot = outline_of(scene.table.armies[0].bases[0])
    placed = [Placed(foot, *at, 0.0, 0.0) for at in (ON_IT[0], OFF_IT[0])]
    assert (told is not None and told(placed).tolist() == [True, False]) == own


def test_the_edge_of_a_piece_that_looks_half_painted_is_doubted_where_more_of_an_army_is_looked_for() -> None:
    """A hill's edge, of nearly the army's brown, was made into a string of its bases."""
    frame = drawn([], felt=[(PIECE, (66, 92, 110))])
    ground = Ground((Patch(PIECE, 0.0),))
    scene = Scene(frame, camera(), ground, estimate_light(frame, ()), (), painted("#8c6a4a", "foot"))
    paint = paint_of(expected_features("#8c6a4a"), scene.background)
    assert beside_or_on_terrain(scene, paint, None) is None
    told = beside_what_looks_painted(scene, paint, None)
    foot = outline_of(scene.table.armies[0].bases[0])
    places = [(ON_IT[0]), (200.0, PIECE[2, 1] + 14.0), (200.0, PIECE[2, 1] + 25.0)]
    assert told is not None
    assert told([Placed(foot, *at, 0.0, 0.0) for at in places]).tolist() == [True, True, False]
    assert beside_what_looks_painted(scene, paint_of(expected_features("#2f4f9e"), scene.background), None) is None


def test_what_a_hill_hides_cannot_be_seen() -> None:
    """Past its far edge the camera sees the ground only so many millimetres on."""
    hill = Ground((Patch(PIECE, 60.0),))
    frame = drawn([])
    scene = Scene(frame, camera(), hill, estimate_light(frame, ()), (), table())
    foot = outline_of(scene.table.armies[0].bases[0])
    (x, _, z), right = camera().position_mm, float(PIECE[1, 0])
    far = right + (right - x) * 60.0 / (z - 60.0)  # where the line of sight past the edge meets the mat
    places = [(far - 14.0, 150.0), (far + 14.0, 150.0), (200.0, PIECE[0, 1] - 100.0)]
    assert in_sight(scene, [Placed(foot, *at, 0.0, 0.0) for at in places]).tolist() == [False, True, True]
    flat = replace(scene, ground=Ground((Patch(PIECE, 0.0),)))
    assert in_sight(flat, [Placed(foot, *places[0], 0.0, 0.0)]).all()


def felted(*pieces: tuple[int, int, int, int]) -> NDArray[np.float32]:
    """A likeness on cells of 2 mm that is full within boxes (top, bottom, left, right)."""
    like = np.zeros((200, 300), np.float32)
    for top, bottom, left, right in pieces:
        like[top:bottom, left:right] = 1.0
    return like


def test_terrain_of_the_paints_colour_is_told_from_rims_and_doubts_only_what_stands_beside_it() -> None:
    empty = np.zeros((200, 300, 3), np.uint8)
    flat = Flat(empty, np.zeros((200, 300, 2), np.float32), np.ones((200, 300), bool), (0.0, 0.0))
    rims = [(100 + 12 * k, 102 + 12 * k, 200, 290) for k in range(6)]
    there = lookalikes(flat, felted((20, 90, 20, 100), *rims))
    places = [[100.0, 100.0], [100.0, 194.0], [100.0, 300.0], [490.0, 260.0]]
    assert there.beside(places, [15.0] * 4).tolist() == [True, True, False, False]


def test_what_lies_for_the_most_part_under_bases_is_no_terrain_but_a_field_with_one_base_on_it_is() -> None:
    empty = np.zeros((200, 300, 3), np.uint8)
    flat = Flat(empty, np.zeros((200, 300, 2), np.float32), np.ones((200, 300), bool), (0.0, 0.0))
    there = lookalikes(flat, felted((20, 90, 20, 100), (130, 168, 130, 168)))
    coats = [[273.0 + 25.0 * file, 273.0 + 25.0 * rank] for file in range(3) for rank in range(3)]
    places = [[100.0, 100.0], [290.0, 290.0]]
    assert there.beside(places, [12.5] * 2).tolist() == [True, True]
    assert there.but_under([*coats, [60.0, 60.0]], [12.5] * 10).beside(places, [12.5] * 2).tolist() == [True, False]


SQUARE, HORSE = (
    RectBase(name="square", width_mm=25.0, depth_mm=25.0, height_mm=3.0),
    RectBase(name="horse", width_mm=25.0, depth_mm=50.0, height_mm=3.0),
)


def standing(kind: BaseKind, *y_mm: float) -> list[Placed]:
    """Bases of a kind one behind the other."""
    return [Placed(outline_of(kind), 250.0, y, 0.0, 0.0) for y in y_mm]


RED = (37, 43, 158)


def paint_over(frame: NDArray[np.uint8], half_x_mm: float, half_y_mm: float) -> None:
    """Paints a rectangle about the point (250, 200)."""
    corners = np.array([[250 - half_x_mm, 200 - half_y_mm, 3.0], [250 + half_x_mm, 200 + half_y_mm, 3.0]])
    (left, low), (right, high) = np.rint(camera().project(corners)).astype(int).tolist()
    frame[min(low, high) : max(low, high) + 1, left : right + 1] = RED


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize(
    ("middle_mm", "kinds"),
    [
        (None, ["horse"]),
        ((7.0, 6.0), ["horse"]),  # a rider in a red coat
        ((11.0, 2.8), ["square", "square"]),  # the sides between two
        ((6.0, 2.8), ["square", "square"]),  # … of which half is seen
    ],
)
def test_a_base_as_large_as_two_is_told_from_two_by_the_sides_between_them(
    middle_mm: tuple[float, float] | None, kinds: list[str], beside: bool
) -> None:
    two, one = standing(SQUARE, 187.5, 212.5), standing(HORSE, 200.0)
    stands, others = [Stands("red", "horse", 250.0, 200.0)], list[Placed]()
    if beside:
        stands.append(Stands("red", "horse", 275.5, 200.0))
        others.append(replace(one[0], x_mm=275.5))
    frame = drawn(stands)
    if middle_mm is not None:
        paint_over(frame, *middle_mm)
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), table())
    paint = paint_of(expected_features("#9e2b25"), scene.background)
    held = [*two, *others]
    found = fitted_together(scene, held, np.ones(len(held)), paint, Look(), 3, soft_mm=0.0)
    told = covered(scene, found, [*one, *two], paint)
    assert sorted(base.outline.name for base in told.placed) == sorted([*kinds, *(["horse"] if beside else [])])


def rims_seen(colours: Floats, support: Floats, contrast: Floats, relief: Floats, proof: Floats) -> Found:
    """Squares far from each other, whose rims are of such colours (N, 3) and seen so well."""
    count = len(colours)
    return Found(
        placed=[Placed(outline_of(SQUARE), 100.0 * k, 100.0, 0.0, 0.0) for k in range(count)],
        spread=lambda: np.zeros((count, 3, 3)),
        gain=np.ones(count),
        residual=np.full(count, 0.05),
        support=support,
        contrast=contrast,
        relief=relief,
        proof=proof,
        counted=np.ones(count),
        colours=colours,
        tops=np.zeros((count, 3)),
        look=Look(),
    )


def toward(paint: Paint, *shares: float, astray: float = 0.0) -> Floats:
    """Colours (N, 3) so far on the way from the mat's to the paint's, and so far beside it."""
    off = np.cross(paint.paint - paint.ground, (0.0, 0.0, 1.0))
    return paint.ground + np.outer(shares, paint.paint - paint.ground) + astray * off / np.linalg.norm(off)


def test_a_faint_likeness_is_believed_beside_terrain_and_not_on_it_where_trees_stand() -> None:
    paint = paint_of(expected_features("#39402f"), expected_features("#8b8352") + np.zeros((50, 3)))
    clear = np.array([0.4, 0.4, 0.4, 0.2, 0.2])
    colours = toward(paint, 0.7, 0.7, 0.7, 0.45, 0.45)
    found = rims_seen(colours, np.full(5, 0.9), clear, clear, np.full(5, 0.8))
    assert believed(found, paint).tolist() == [True] * 5
    on_a_wood = np.array([False, True, True, False, True])
    assert believed(found, paint, off_the_mat=on_a_wood).tolist() == [True] * 4 + [False]


def test_on_a_hill_whole_rings_of_a_paint_that_no_shadow_makes_are_believed_though_blur_leaves_half_of_it() -> None:
    """A teal army on tan felt: the camera mixes more of the hill into a rim than of a mat that is nearer to it."""
    teal = paint_of(expected_features("#23635f"), expected_features("#5c5b3a") + np.zeros((50, 3)))
    ones, faint, on_a_hill = np.ones(4), np.full(4, 0.2), np.ones(4, dtype=np.bool_)
    rings = rims_seen(toward(teal, *[0.47] * 4), ones, faint, faint, np.full(4, 0.6))
    assert believed(rings, teal, off_the_mat=on_a_hill).all()
    assert not believed(rings, teal, common=True, off_the_mat=on_a_hill).any()
    halves = rims_seen(toward(teal, *[0.47] * 4), 0.55 * ones, faint, faint, np.full(4, 0.6))
    assert not believed(halves, teal, off_the_mat=on_a_hill).any()


def test_what_would_fall_off_the_edge_of_a_hill_is_no_base() -> None:
    hill = Ground((Patch(PIECE, 40.0),))
    frame = drawn([])
    scene = Scene(frame, camera(), hill, estimate_light(frame, ()), (), table())
    foot = outline_of(table().armies[0].bases[0])
    edge, depth = float(PIECE[0, 0]), foot.half_width_mm
    at = {edge + 1.0: True, edge - 0.3 * depth: True, edge - 0.6 * depth: False, edge - 1.5 * depth: False}
    placed = [Placed(foot, x, 170.0, 40.0, 0.0) for x in at]
    assert scene.carries(placed).tolist() == list(at.values())
    assert scene.carries([Placed(foot, x, 170.0, 0.0, 0.0) for x in at]).all()
    woods = replace(scene, ground=Ground((Patch(PIECE, 2.0),)))
    assert woods.carries([replace(base, z_mm=2.0) for base in placed]).all()  # felt so thin lets nobody fall


PALE = paint_of(expected_features("#b0bd69"), expected_features("#47562f") + np.zeros((50, 3)))


@pytest.mark.parametrize(("clear", "there"), [(0.9, True), (0.3, False)])
def test_a_rim_that_is_lighter_than_its_paint_may_be_is_believed_where_it_is_seen_beyond_doubt(
    clear: float, there: bool
) -> None:
    """A camera that squeezes highlights shows white paper darker, and with it all that is told by the paper."""
    colours = toward(PALE, 1.1, 1.2, 1.4, 1.55)
    found = rims_seen(colours, np.full(4, 1.0), np.full(4, clear), np.full(4, clear), np.full(4, 0.8))
    told = believed(found, PALE)
    assert told.tolist() == [there] * 4 if there else not told[2:].any()


def test_a_rim_that_proves_little_is_believed_where_its_paint_is_plainly_that_of_others_of_its_army() -> None:
    """Flock of much the rim's own colour within it, or a hill's about it, explains as much as the rim does."""
    proof = np.array([0.8, 0.8, 0.8, 0.01, 0.01])
    ones, clear = np.ones(5), np.full(5, 0.35)
    same = toward(PALE, 0.8, 0.8, 0.8, 0.8, 0.8)
    other = np.concatenate([same[:3], toward(PALE, 0.8, 0.8, astray=0.2)])
    assert believed(rims_seen(same, ones, clear, clear, proof), PALE).tolist() == [True] * 5
    assert believed(rims_seen(other, ones, clear, clear, proof), PALE).tolist() == [True] * 3 + [False] * 2
    assert not believed(rims_seen(same[3:], ones[3:], clear[3:], clear[3:], proof[3:]), PALE).any()


@pytest.mark.parametrize(("clear", "seen"), [(3, [True] * 3 + [False] * 2), (1, [False] * 5)])
def test_what_is_fully_of_the_paint_but_hardly_stands_out_is_a_surface_and_where_most_is_there_is_no_army(
    clear: int, seen: list[bool]
) -> None:
    well = np.full(5, 0.8)
    relief = np.array([0.6] * clear + [0.2] * (5 - clear))
    rims = rims_seen(toward(PALE, *[0.95] * 5), well, np.full(5, 0.4), relief, well)
    assert believed(rims, PALE).tolist() == seen


def test_a_cup_that_is_paler_within_than_at_its_edge_is_no_base_of_a_pale_army() -> None:
    """So pale an edge is not ringed by flock: less than half of what stands out does so on both sides."""
    well = np.full(5, 0.8)
    contrast = np.array([0.5, 0.5, 0.5, 0.42, 0.42])
    rims = rims_seen(toward(PALE, *[0.9] * 5), well, contrast, np.array([0.8, 0.8, 0.8, 0.8, 1.0]), well)
    assert believed(rims, PALE).tolist() == [True] * 4 + [False]


@pytest.mark.parametrize(("relief", "seen"), [(0.3, True), (0.1, False)])
def test_what_is_of_another_shade_than_its_army_and_hardly_stands_out_is_coffee_in_a_cup(
    relief: float, seen: bool
) -> None:
    brown = paint_of(expected_features("#612f10"), expected_features("#6f6a44") + np.zeros((50, 3)))
    colours = np.concatenate([toward(brown, *[0.7] * 4), toward(brown, 0.5, 0.5, astray=0.2)])
    well = np.full(6, 0.9)
    rims = rims_seen(colours, well, np.full(6, 0.2), np.array([0.3] * 4 + [relief] * 2), well)
    assert believed(rims, brown).tolist() == [True] * 4 + [seen] * 2


@pytest.mark.parametrize(("proof", "seen"), [(0.7, True), (0.2, False)])
def test_what_is_of_another_hue_than_its_army_and_hardly_proven_is_the_edge_of_a_roof(
    proof: float, seen: bool
) -> None:
    red = paint_of(expected_features("#8a2d22"), expected_features("#6f6a44") + np.zeros((50, 3)))
    colours = np.concatenate([toward(red, *[0.8] * 4), toward(red, 0.8, 0.8, astray=0.18)])
    well, proofs = np.full(6, 0.9), np.array([0.7] * 4 + [proof] * 2)
    rims = rims_seen(colours, well, np.full(6, 0.3), np.full(6, 0.3), proofs)
    assert believed(rims, red).tolist() == [True] * 4 + [seen] * 2


@pytest.mark.parametrize(("relief", "seen"), [(0.65, True), (0.3, False)])
def test_a_rim_half_in_shadow_is_believed_of_an_army_that_is_there_if_it_stands_out_from_both_its_sides(
    relief: float, seen: bool
) -> None:
    """It is of two shades, so that it proves nothing."""
    colours = np.concatenate([toward(PALE, 0.9, 0.9, 0.9), toward(PALE, 0.9, 0.9, astray=0.1)])
    clear, proof = np.array([0.6, 0.6, 0.6, 0.42, 0.42]), np.array([0.9, 0.9, 0.9, -0.1, -0.1])
    reliefs = np.array([0.6, 0.6, 0.6, relief, relief])
    assert (
        believed(rims_seen(colours, np.full(5, 0.85), clear, reliefs, proof), PALE).tolist()
        == [True] * 3 + [seen] * 2
    )


@pytest.mark.parametrize(("clear", "seen"), [(0.5, True), (0.2, False)])
def test_in_light_of_another_hue_a_rim_is_believed_that_is_as_clear_as_many_of_its_army(
    clear: float, seen: bool
) -> None:
    """The lamp's light at one end of the table is not that of the window at the other."""
    green = paint_of(expected_features("#15341d"), expected_features("#6f6a44") + np.zeros((50, 3)))
    colours = np.concatenate([toward(green, *[0.85] * 5), toward(green, 0.85, 0.85, astray=0.24)])
    clearness = np.array([0.55] * 5 + [clear] * 2)
    rims = rims_seen(colours, np.full(7, 0.9), clearness, np.full(7, 0.5), np.full(7, 0.7))
    assert believed(rims, green).tolist() == [True] * 5 + [seen] * 2
    assert not believed(rims.taken([4, 5, 6]), green)[1:].any()  # one alone tells nothing of others
    in_a_wood = np.arange(7) > 4  # where trees and their shadows are as clear
    assert not believed(rims, green, off_the_mat=in_a_wood)[5:].any()


def seen_as(support: list[float], relief: list[float]) -> Found:
    """Rims of which so much is seen, and that stand out from their barer sides by so much, none very clear."""
    paint = paint_of(expected_features("#315227"), expected_features("#6f6a44") + np.zeros((50, 3)))
    count = len(relief)
    colours = toward(paint, *[0.7] * count)
    return rims_seen(colours, np.array(support), np.full(count, 0.23), np.array(relief), np.full(count, 0.35))


def test_a_green_army_seen_none_too_well_keeps_its_whole_rings_where_there_are_green_woods() -> None:
    paint = paint_of(expected_features("#315227"), expected_features("#6f6a44") + np.zeros((50, 3)))
    rings, edge, inside = ([0.95] * 5, [0.3] * 5), (0.4, 0.3), (1.0, 0.1)
    some = seen_as([*rings[0], edge[0], inside[0]], [*rings[1], edge[1], inside[1]])
    assert believed(some, paint, common=True).tolist() == [True] * 5 + [False] * 2
    for support, relief in (edge, inside):
        assert not believed(seen_as([support] * 5, [relief] * 5), paint, common=True).any()
        assert not believed(seen_as([support] * 6 + [0.95], [relief] * 6 + [0.3]), paint, common=True).any()


@pytest.mark.parametrize(
    ("count", "blur_mm", "seen"),
    [(8, 1.8, True), (8, 1.0, False), (3, 1.8, False)],
    ids=["two pixels wide", "in a fine picture", "too few"],
)
def test_rims_of_two_pixels_are_believed_where_many_are_alike(count: int, blur_mm: float, seen: bool) -> None:
    """A dark red army on tan: blur leaves little more than a third of the paint on each rim, as it does on all."""
    red = paint_of(expected_features("#5f2718"), expected_features("#8f7644") + np.zeros((50, 3)))
    well, faint = np.full(count, 0.85), np.full(count, 0.19)
    rims = rims_seen(toward(red, *[0.36, 0.4, 0.41, 0.33, 0.4, 0.38, 0.42, 0.4][:count]), well, faint, faint, well)
    assert believed(replace(rims, look=Look(blur_mm=blur_mm)), red).tolist() == [seen] * count


def test_the_edge_of_a_hill_of_an_army_s_brown_is_no_string_of_its_bases() -> None:
    """In a yellow lamp's light sixty were made up along two hills, most of them where the hill hides the ground."""
    case = case_of(2002, Kind(fair=True, plain=True))
    light = np.clip((case.photo / 255.0) ** 2.2 * np.array([0.35, 0.85, 1.15]), 0, 1) ** (1 / 2.2)
    yellow = replace(case, photo=(light * 255 + 0.5).astype(np.uint8), empty=None)
    score = measured(yellow, frozenset(("bases",))).score
    assert sum(base.army == "army-1" for base in score.bases_false) <= 8
    assert score.bases_found >= 12
