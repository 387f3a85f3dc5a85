"""Bases that the paint alone hardly tells are told where they look as their army's others do from top to mat; what
looks otherwise is nobody, nor is what lies on ground of another colour or between others."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.accuracy.drawing import Kind, case_of
from calibration.poses.pose import solve_pose
from calibration.prints.markers import find_markers
from tests.vision.test_bases import FLOCK, MAT, Colour, Level, Stands, camera, drawn, table
from vision.bases import look_for_bases
from vision.bases.picture.paint import Paint, expected_features, paint_of
from vision.bases.picture.profiles import grouped
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.proposing.proposed import proposed
from vision.bases.regrouping.likewise import Kin, likewise
from vision.bases.search import Found, search
from vision.bases.shapes import outline_of
from vision.bases.usual import Look, Section
from vision.bases.weighing.judged import Where, fitted_together
from vision.bases.weighing.section import matched, section_of
from vision.ground import Ground, Patch
from vision.light import estimate_light, linear_of_srgb

Floats = NDArray[np.float64]

BLUE = table().armies[1]
FOOT = outline_of(BLUE.bases[0])
STANDING = [(60.0 + 55.0 * file, 60.0 + 60.0 * rank) for file in range(4) for rank in range(3)]
LOST = (0, 5, 10)


@dataclass(frozen=True, eq=False)
class Seen:
    """An army of which some bases were not told, and what one of the others shows."""

    scene: Scene
    paint: Paint
    left: Found
    section: Section

    def as_fitted(self, placed: Sequence[Placed]) -> Found:
        """Bases looked at where they stand."""
        if not placed:
            return Found.none(self.left.look)
        sure = np.ones(len(placed))
        return fitted_together(
            self.scene, list(placed), sure, self.paint, self.left.look, 0, soft_mm=0.0, shared=False
        )

    def told(
        self, hopeful: list[Placed], others: Sequence[Placed] = (), beside: Where | None = None
    ) -> list[Placed]:
        """Which of the hopeful are told."""
        sure = np.ones(len(self.left.placed))
        kin = Kin(self.paint, self.left, sure, self.section, hopeful, beside)
        rest = Kin(self.paint, self.as_fitted(others), np.ones(len(others)), None, ())
        (found, likely), (theirs, _) = likewise(self.scene, [kin, rest])
        assert theirs is rest.found
        count = len(self.left.placed)
        assert found.placed[:count] == self.left.placed  # who stood before stands as he stood
        assert (likely[:count] == 1.0).all()
        assert ((likely[count:] > 0.6) & (likely[count:] < 1.0)).all()
        return found.placed[count:]


def seen(*more: Stands, felt: Sequence[tuple[Floats, Colour]] = (), lost: Sequence[int] = LOST) -> Seen:
    stands = [Stands("blue", "foot", x, y) for x, y in STANDING]
    frame = drawn([*stands, *more], felt=felt)
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), table())
    paint = paint_of(expected_features(BLUE.base_colour), scene.background)
    found = search(scene, BLUE, paint, proposed(scene, BLUE, paint))
    assert found is not None
    gone = np.array([STANDING[k] for k in lost]).reshape(-1, 2)
    at = np.array([[base.x_mm, base.y_mm] for base in found.placed])
    known = np.linalg.norm(at[:, None] - STANDING, axis=2).min(axis=1) < 3.0
    known &= ~(np.linalg.norm(at[:, None] - gone, axis=2) < 3.0).any(axis=1)
    left = found.taken(np.flatnonzero(known).tolist())
    assert len(left.placed) == len(STANDING) - len(lost)
    return Seen(scene, paint, left, section_of(scene, left.placed, paint, left.look))


def stand(x_mm: float, y_mm: float) -> Placed:
    return Placed(FOOT, x_mm, y_mm, 0.0, 0.0)


def test_who_looks_as_the_others_do_is_told_where_he_stands() -> None:
    army = seen()
    told = army.told([stand(STANDING[k][0] + 1.5, STANDING[k][1] - 2.0) for k in LOST])
    assert len(told) == len(LOST)
    for base in told:
        assert min(np.hypot(base.x_mm - x, base.y_mm - y) for x, y in (STANDING[k] for k in LOST)) < 0.5


@pytest.mark.parametrize("kind", ["square", "horse"])
def test_a_base_of_any_kind_is_told_by_those_of_another(kind: str) -> None:
    army = seen(Stands("blue", kind, 330.0, 120.0, 25.0), lost=())
    outline = outline_of(next(one for one in BLUE.bases if one.name == kind))
    (told,) = army.told([Placed(outline, 331.0, 118.6, 0.0, 22.0)])
    assert np.hypot(told.x_mm - 330.0, told.y_mm - 120.0) < 0.5
    assert abs(told.bearing_deg - 25.0) < 1.5


@pytest.mark.parametrize(
    "other",
    [
        Stands("red", "foot", 330.0, 120.0),
        Stands("bone", "foot", 330.0, 120.0),
        Stands("blue", "square", 330.0, 120.0),
    ],
    ids=["of another paint", "of a pale one", "of another size"],
)
def test_what_is_otherwise_is_nobody(other: Stands) -> None:
    assert seen(other).told([stand(other.x_mm, other.y_mm)]) == []


@pytest.mark.parametrize("colour", [FLOCK, (158, 79, 47)], ids=["a top without a rim", "painted all over"])
def test_a_disc_of_a_bases_size_is_nobody(colour: Colour) -> None:
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    disc = np.column_stack([330.0 + 12.5 * np.cos(turn), 120.0 + 12.5 * np.sin(turn)])
    assert seen(felt=[(disc, colour)]).told([stand(330.0, 120.0)]) == []


def test_bare_mat_is_nobody() -> None:
    assert seen().told([stand(330.0, 120.0), stand(390.0, 250.0)]) == []


def test_nobody_is_told_where_another_army_stands_nor_beside_terrain_of_the_armys_colour() -> None:
    army = seen()
    spots = [stand(*STANDING[k]) for k in LOST]
    assert len(army.told(spots, others=spots[:1])) == 2
    assert army.told(spots, beside=lambda some: np.ones(len(some), np.bool_)) == []


def test_between_bases_that_touch_nobody_is_told_by_their_rims() -> None:
    """What closes like a ring between four is theirs."""
    four = [Stands("blue", "foot", x, y) for x in (330.0, 356.0) for y in (100.0, 126.0)]
    army = seen(*four, lost=())
    between = Placed(outline_of(BLUE.bases[1]), 343.0, 113.0, 0.0, 45.0)
    others = [stand(base.x_mm, base.y_mm) for base in four]
    group = grouped([between])[0]
    look = army.left.look
    alone, amid = (matched(army.scene, group, some, army.section, army.paint, look, 0) for some in ([], others))
    assert np.isfinite(alone.share[0])
    assert np.isnan(amid.share[0])
    assert army.told([between], others=others) == []


def test_on_ground_of_another_colour_nobody_is_told_by_what_stands_on_the_mat() -> None:
    """There the ground alone may look a little like a base."""
    patch, spot = np.array([[300.0, 80.0], [380.0, 80.0], [380.0, 160.0], [300.0, 160.0]]), stand(340.0, 120.0)
    army = seen(Stands("blue", "foot", 340.0, 120.0), felt=[(patch, (80, 130, 110))], lost=())
    known = replace(army.scene, ground=Ground((Patch(patch, 0.0),)))
    assert len(army.told([spot])) == 1
    assert replace(army, scene=known).told([spot]) == []


def test_those_whom_figures_hide_are_told_by_their_army_and_again_where_a_hand_passed_by_them_alone() -> None:
    """A later look at a part of the picture sees none there whom the paint alone tells."""
    case = case_of(6206, Kind(fair=True))
    markers = find_markers(case.photo, case.table.markers.dictionary)
    height, width = case.photo.shape[:2]
    view = solve_pose(markers, case.table, case.intrinsics, (width, height))
    seen, known = look_for_bases(case.photo, view, case.table, Ground(()), markers)
    for x, y in [(675.0, 749.0), (684.0, 708.0), (411.0, 905.0), (440.0, 870.0), (608.0, 1115.0)]:
        assert min(np.hypot(base.x_mm - x, base.y_mm - y) for base in seen) < 2.0
        about = view.project(np.array([[x + dx, y + dy, 0.0] for dx in (-25.0, 25.0) for dy in (-25.0, 25.0)]))
        (left, top), (right, bottom) = about.min(axis=0).astype(int), about.max(axis=0).astype(int)
        within = np.zeros((height, width), np.bool_)
        within[top:bottom, left:right] = True
        again, _ = look_for_bases(case.photo, view, case.table, Ground(()), markers, within, known)
        assert min((np.hypot(base.x_mm - x, base.y_mm - y) for base in again), default=np.inf) < 2.0


def test_where_nobody_stands_a_later_look_at_a_part_tells_nobody() -> None:
    frame = drawn([Stands("blue", "foot", x, y) for x, y in STANDING])
    known = look_for_bases(frame, camera(), table(), Level(), ())[1]
    within = np.zeros(frame.shape[:2], np.bool_)
    at = camera().project(np.array([[320.0, 250.0, 0.0], [420.0, 330.0, 0.0]])).astype(int)
    within[at[1, 1] : at[0, 1], at[0, 0] : at[1, 0]] = True
    assert within.any()
    assert look_for_bases(frame, camera(), table(), Level(), (), within, known)[0] == []


def test_a_few_bases_do_not_tell_what_the_others_look_like() -> None:
    frame = drawn([Stands("blue", "foot", x, y) for x, y in STANDING[:5]])
    assert look_for_bases(frame, camera(), table(), Level(), ())[1].armies["blue"].section is None


def test_of_two_places_for_one_base_one_is_told() -> None:
    x, y = STANDING[LOST[0]]
    assert len(seen().told([stand(x + 1.0, y), stand(x - 1.0, y), stand(x, y + 1.0)])) == 1


@pytest.mark.parametrize(("share", "told"), [(0.5, 3), (0.35, 0)])
def test_where_bases_look_too_unlike_each_other_they_tell_no_more(share: float, told: int) -> None:
    army = seen()
    section = replace(army.section, share=share)
    assert len(replace(army, section=section).told([stand(*STANDING[k]) for k in LOST])) == told


def test_how_alike_bases_look_is_how_much_of_their_section_the_usual_one_shows() -> None:
    mixed = [Stands(army, "foot", *STANDING[k]) for k in range(12) for army in [("blue", "red", "bone")[k % 3]]]
    frame = drawn(mixed)
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), table())
    army = seen()
    unlike = section_of(scene, [stand(*at) for at in STANDING], army.paint, army.left.look)
    assert unlike.share < 0.6 < 0.9 < army.section.share


@pytest.mark.parametrize(("stronger", "told"), [(4.0, 3), (7.0, 0)])
def test_what_shows_less_than_half_of_a_section_is_nobody_though_the_others_show_no_more(
    stronger: float, told: int
) -> None:
    army = seen()
    section = Section(army.section.across * stronger, army.section.whiten, 0.55)
    assert len(replace(army, section=section).told([stand(*STANDING[k]) for k in LOST])) == told


def darkened(frame: NDArray[np.uint8], polygon: Floats, share: float) -> NDArray[np.uint8]:
    """A frame in which a shadow takes such a share of the light off a polygon (N, 2) of the table."""
    mask = np.zeros(frame.shape[:2], np.uint8)
    seen_at = camera().project(np.column_stack([polygon, np.full(len(polygon), 3.0)]))
    cv2.fillPoly(mask, [np.rint(seen_at).astype(np.int32)], 255)
    lit = linear_of_srgb(frame) * (1 - share * (mask[..., None] > 0))
    levels = np.searchsorted(linear_of_srgb(np.arange(256)), lit)
    return np.clip(levels, 0, 255).astype(np.uint8)


def stripes(x_mm: float, y_mm: float) -> list[Floats]:
    """Shadows of two figures that stand beside a base."""
    return [
        np.array(
            [
                [x_mm - 40, y_mm + a],
                [x_mm + 20, y_mm + a + 8],
                [x_mm + 20, y_mm + a + 15],
                [x_mm - 40, y_mm + a + 7],
            ]
        )
        for a in (-12.0, 4.0)
    ]


def test_who_stands_in_hard_shadows_is_told_by_his_hue() -> None:
    """Dark green upon green, as no light is told by."""
    colour, placed = "#38462e", [stand(x, y) for x, y in STANDING]
    frame = drawn([Stands(colour, "foot", x, y) for x, y in STANDING], flock=(45, 75, 50))
    lit = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), table())
    paint = paint_of(expected_features(colour), lit.background)
    section = section_of(lit, placed, paint, Look())
    for k in LOST:
        for stripe in stripes(*STANDING[k]):
            frame = darkened(frame, stripe, 0.9)
    shaded, group = replace(lit, frame=frame), grouped([placed[k] for k in LOST])[0]
    others = [base for k, base in enumerate(placed) if k not in LOST]
    assert (matched(shaded, group, others, section, paint, Look(), 4).share > 0.8 * section.share).all()


def test_what_a_figure_hides_of_its_own_base_tells_nothing_against_it() -> None:
    army = seen()
    frame = army.scene.frame.copy()
    for k in LOST:
        x, y = STANDING[k]
        for height_mm in np.linspace(6.0, 27.0, 12):
            (at,) = camera().project(np.array([[x, y, 3.0 + height_mm]]))
            cv2.circle(frame, (round(at[0]), round(at[1])), 5, (200, 215, 230), cv2.FILLED)
    manned = replace(army, scene=replace(army.scene, frame=frame))
    assert len(manned.told([stand(STANDING[k][0] + 1.0, STANDING[k][1] - 1.0) for k in LOST])) == len(LOST)


def test_in_a_noisy_picture_the_whole_of_a_rim_tells_what_no_pixel_does() -> None:
    army = seen()
    noise = np.random.default_rng(3).normal(0.0, 25.0, army.scene.frame.shape)
    frame = np.clip(army.scene.frame + noise, 0, 255).astype(np.uint8)
    noisy = replace(army, scene=replace(army.scene, frame=frame))
    told = noisy.told([stand(STANDING[k][0] + 1.0, STANDING[k][1] - 1.0) for k in LOST])
    assert len(told) == len(LOST)


def test_a_fit_ends_where_most_of_the_section_was_seen() -> None:
    army = seen()
    rng = np.random.default_rng(1)
    spots = [stand(x + rng.uniform(-4, 4), y + rng.uniform(-4, 4)) for x, y in STANDING]
    group, look = grouped(spots)[0], army.left.look
    before, after = (matched(army.scene, group, [], army.section, army.paint, look, rounds) for rounds in (0, 4))
    assert (after.share >= before.share).all()
    where_before = matched(army.scene, after.group, [], army.section, army.paint, look, 0)
    assert where_before.share == pytest.approx(after.share)


@pytest.mark.parametrize(("usual", "theirs"), [(0.9, False), (0.7, True)])
def test_what_looks_like_two_armies_is_of_that_which_it_looks_most_like(usual: float, theirs: bool) -> None:
    """By what is usual for each: where bases look unlike each other, little of their section is much."""
    army = seen()
    sure = np.ones(len(army.left.placed))
    spots = [stand(*STANDING[k]) for k in LOST]
    pale = replace(army.section, across=army.section.across * 3.0, share=usual)
    nobody = Kin(army.paint, Found.none(army.left.look), sure[:0], pale, spots)
    own = Kin(army.paint, army.left, sure, army.section, spots)
    (first, _), (second, _) = likewise(army.scene, [nobody, own])
    assert len(first.placed) == len(LOST) * theirs
    assert len(second.placed) == len(army.left.placed) + len(LOST) * (not theirs)


def test_who_touches_another_is_told_beside_him() -> None:
    row = [(330.0 + 25.3 * k, 110.0) for k in range(4)]
    army = seen(*(Stands("blue", "foot", x, y) for x, y in row), lost=())
    told = army.told([stand(x + 1.5, y + 1.0) for x, y in row])
    assert len(told) == len(row)
    for base in told:
        assert min(np.hypot(base.x_mm - x, base.y_mm - y) for x, y in row) < 0.6


def doubted(army: Seen, spot: Placed, likely: float) -> bool:
    """Whether a base that was found on a spot, and is so likely, is given up; the others are not."""
    one = army.as_fitted([spot])
    found = army.left.moved([], one)
    kin = Kin(army.paint, found, np.append(np.full(len(army.left.placed), 0.5), likely), army.section, ())
    (kept, sure) = likewise(army.scene, [kin])[0]
    assert kept.placed[: len(army.left.placed)] == army.left.placed
    assert len(sure) == len(kept.placed)
    return spot not in kept.placed


@pytest.mark.parametrize(("likely", "gone"), [(0.8, True), (0.9, False)])
def test_who_is_in_doubt_and_looks_nothing_like_his_army_is_nobody(likely: float, gone: bool) -> None:
    """On bare mat; the others, in doubt too, look as they should."""
    assert doubted(seen(), stand(330.0, 120.0), likely) is gone


@pytest.mark.parametrize(("likely", "gone"), [(0.94, True), (0.98, False)])
def test_who_looks_like_another_thing_altogether_is_nobody_though_in_hardly_any_doubt(
    likely: float, gone: bool
) -> None:
    assert doubted(seen(Stands("red", "foot", 330.0, 120.0)), stand(330.0, 120.0), likely) is gone


def test_on_terrain_nobody_is_doubted_for_not_looking_as_on_the_mat() -> None:
    patch = np.array([[300.0, 80.0], [380.0, 80.0], [380.0, 160.0], [300.0, 160.0]])
    army = seen(felt=[(patch, (80, 130, 110))])
    known = replace(army, scene=replace(army.scene, ground=Ground((Patch(patch, 0.0),))))
    assert not doubted(known, stand(340.0, 120.0), 0.7)


def test_in_the_dark_nobody_is_told_by_what_little_is_seen() -> None:
    army = seen()
    spot = np.array(STANDING[LOST[1]])
    about = spot + 25.0 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    dark = replace(army, scene=replace(army.scene, frame=darkened(army.scene.frame, about, 0.98)))
    group, look = grouped([stand(*spot)])[0], army.left.look
    shares = [matched(one.scene, group, [], army.section, army.paint, look, 0).share[0] for one in (army, dark)]
    assert np.isfinite(shares[0])
    assert np.isnan(shares[1])


def test_on_a_mat_as_black_as_can_be_bases_tell_what_they_look_like() -> None:
    frame = drawn([Stands("blue", "foot", x, y) for x, y in STANDING], flock=(40, 40, 40))
    mat = np.abs(frame.astype(np.int16) - MAT).max(axis=2) < 14
    frame[mat] = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, known = look_for_bases(frame, camera(), table(), Level(), ())
    assert len(found) == len(STANDING)
    assert known.armies["blue"].section is not None
    assert known.armies["blue"].section.share > 0.8


@pytest.mark.parametrize(("sure", "kept"), [((0.99, 0.97), 3), ((0.8, 0.84), 0)])
def test_a_kind_whose_figures_hide_it_is_not_doubted_for_looking_otherwise(
    sure: tuple[float, float], kept: int
) -> None:
    """As those of the kind show of whom there is no doubt; here they are of another colour."""
    at = [(330.0, 90.0), (370.0, 90.0), (410.0, 90.0)]
    army = seen(*(Stands("red", "horse", x, y) for x, y in at), lost=())
    horse = outline_of(next(one for one in BLUE.bases if one.name == "horse"))
    count = len(army.left.placed)
    found = army.left.moved([], army.as_fitted([Placed(horse, x, y, 0.0, 0.0) for x, y in at]))
    kin = Kin(army.paint, found, np.concatenate([np.ones(count), sure, [0.8]]), army.section, ())
    (left, _) = likewise(army.scene, [kin])[0]
    assert len(left.placed) == count + kept
