"""Bases flocked like the mat are found by what has changed since the table was empty."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.pictures import grey_of
from calibration.poses.pose import solve_pose
from calibration.prints.markers import FoundMarker, find_markers
from calibration.records import RectBase, Table
from tests.vision.small_table import LENS, TABLE, base, camera, table
from vision.bases.pixels import Placed
from vision.bases.shapes import outline_of
from vision.ground import FLAT
from vision.measure import Measurer
from vision.plain import Pictures, look_for_plain_bases
from vision.plain.choosing.packing import trimmed
from vision.plain.choosing.rows import row_outlines, singly
from vision.plain.fitting.fit import Fit
from vision.plain.picture.backdrop import Backdrop, backdrop_of, mat_colour
from vision.plain.picture.cast import hard_shadows
from vision.plain.picture.changed import Changes
from vision.plain.picture.scene import scene_of
from vision.plain.picture.shade import Lit
from vision.plain.proposing.figures import feet
from vision.plain.proposing.foreign import foreign
from vision.plain.proposing.proposals import propose
from vision.plain.stage import Stage
from vision.plain.weighing.judging import explaining
from vision.records import BaseSeen
from vision.simulated import ClutterPlaced, Effects, Renderer, VirtualTable

PLACES = ((150.0, 180.0), (230.0, 300.0), (420.0, 150.0))
CLEAN = Effects(jpeg_quality=0)
LAMP = replace(CLEAN, lamp_mm=(0.56, -0.48), shadow_depth=0.4, shadow_soft_mm=4.0)
Image = np.ndarray


def plain(at: tuple[float, float], name: str = "p") -> object:
    return replace(base(f"{name}{at}", *at), plain=True, figure="")


def pictures(
    *bases: object, gain: float = 1.0, clutter: tuple[ClutterPlaced, ...] = (), effects: Effects = CLEAN
) -> tuple[Image, Image]:
    """The table with bases on it, and before."""
    empty = table(flock=VirtualTable(table=TABLE).mat)
    before = Renderer(camera(), effects, 1).render(empty)
    after = Renderer(camera(), effects, 1).render(replace(empty, bases=bases, clutter=clutter))
    return np.clip(after * gain, 0, 255).astype(np.uint8), before


def posed(frame: Image) -> tuple[list[FoundMarker], CameraModel]:
    """The prints in a picture, and the camera that they tell."""
    prints = find_markers(grey_of(frame), TABLE.markers.dictionary)
    return prints, solve_pose(prints, TABLE, LENS, (LENS.width_px, LENS.height_px))


def found(
    after: Image, before: Image, known: Table = TABLE, stand: tuple[BaseSeen, ...] = (), within: Image | None = None
) -> list[BaseSeen]:
    prints, pose = posed(after)
    return look_for_plain_bases(Pictures(after, before, pose, known, FLAT, prints), stand, within)[0]


@pytest.mark.parametrize("gain", [1.0, 0.8])
def test_loose_flocked_bases_are_found_in_whatever_light(gain: float) -> None:
    seen = found(*pictures(*(plain(at) for at in PLACES), gain=gain))
    assert len(seen) == len(PLACES)
    for x, y in PLACES:
        nearest = min(seen, key=lambda b: math.dist((b.x_mm, b.y_mm), (x, y)))
        assert math.dist((nearest.x_mm, nearest.y_mm), (x, y)) < 1.5
        assert (nearest.army, nearest.bearing_deg) == (None, None)


LAMPLIT = [(140.0 + 90 * k, 130.0 + 100 * m) for k in range(3) for m in range(2)]


@dataclass(frozen=True)
class Lamplit:
    """What is seen of the bases at `LAMPLIT` under a lamp, and what they tell of it."""

    after: Image
    before: Image
    seen: list[BaseSeen]
    light: Lit | None


@pytest.fixture(scope="module")
def lamplit() -> Lamplit:
    after, before = pictures(*(plain(at) for at in LAMPLIT), effects=LAMP)
    prints, pose = posed(after)
    return Lamplit(after, before, *look_for_plain_bases(Pictures(after, before, pose, TABLE, FLAT, prints), ()))


def test_bases_stand_where_they_stand_and_not_towards_the_soft_shadows_that_they_cast(lamplit: Lamplit) -> None:
    assert len(lamplit.seen) == len(LAMPLIT)
    assert max(min(math.dist((b.x_mm, b.y_mm), at) for at in LAMPLIT) for b in lamplit.seen) < 0.5


def test_the_shadows_of_figures_under_a_hard_lamp_tell_which_way_those_of_their_bases_fall() -> None:
    places = [(140.0 + 90 * k, 130.0 + 100 * m) for k in range(3) for m in range(2)]
    hard = Effects(jpeg_quality=0, lamp_mm=(0.9, -0.8), shadow_depth=0.6, shadow_soft_mm=0.8)
    manned = [replace(base(f"p{at}", *at), plain=True) for at in places]
    after, before = pictures(*manned, effects=hard)
    prints, pose = posed(after)
    seen, lit = look_for_plain_bases(Pictures(after, before, pose, TABLE, FLAT, prints), ())
    assert lit is not None
    assert lit.shade is not None
    assert math.degrees(math.atan2(lit.shade.y_mm, lit.shade.x_mm)) == pytest.approx(-41.6, abs=15.0)
    assert max(min(math.dist((b.x_mm, b.y_mm), at) for at in places) for b in seen) < 1.0


def test_a_base_that_is_looked_at_again_alone_stands_where_it_stood_among_all(lamplit: Lamplit) -> None:
    """Alone it cannot tell which way its shadow falls; what all told of the lamp holds for it."""
    after, before, seen, lit = lamplit.after, lamplit.before, lamplit.seen, lamplit.light
    prints, pose = posed(after)
    assert lit is not None
    rows, columns = np.mgrid[: LENS.height_px, : LENS.width_px]
    for at in (LAMPLIT[0], LAMPLIT[3]):
        x, y = camera().project(np.array([[*at, 3.0]]))[0]
        within = np.hypot(columns - x, rows - y) < 60
        rest = [b for b in seen if math.dist((b.x_mm, b.y_mm), at) > 20.0]
        (again,), _ = look_for_plain_bases(Pictures(after, before, pose, TABLE, FLAT, prints), rest, within, lit)
        assert math.dist((again.x_mm, again.y_mm), at) < 0.5


def test_a_base_that_is_moved_alone_is_measured_by_the_light_that_all_told(lamplit: Lamplit) -> None:
    at = (355.0, 170.0)
    then, _ = pictures(*(plain(at) for at in LAMPLIT if at != LAMPLIT[5]), plain(at), effects=LAMP)
    measurer = Measurer(TABLE, LENS, lamplit.before)
    assert len(measurer.measure(lamplit.after).bases) == len(LAMPLIT)
    seen = measurer.measure(then).bases
    assert len(seen) == len(LAMPLIT)
    assert min(math.dist((b.x_mm, b.y_mm), at) for b in seen) < 0.5


def test_a_second_look_at_part_of_the_picture_finds_what_is_new_there_and_only_that() -> None:
    after, before = pictures(*(plain(at) for at in PLACES))
    x, y = camera().project(np.array([[*PLACES[1], 3.0]]))[0]
    rows, columns = np.mgrid[: LENS.height_px, : LENS.width_px]
    within = np.hypot(columns - x, rows - y) < 60
    (seen,) = found(after, before, within=within)
    assert math.dist((seen.x_mm, seen.y_mm), PLACES[1]) < 1.5
    assert found(after, before, stand=(seen,), within=within) == []


def test_on_an_empty_table_there_is_none() -> None:
    assert found(*pictures()) == []


def test_what_was_there_before_is_no_base() -> None:
    after, _ = pictures(*(plain(at) for at in PLACES))
    assert found(after, after) == []


CLUTTER = (
    ClutterPlaced(what="paper", x_mm=470.0, y_mm=310.0, bearing_deg=5.0),
    ClutterPlaced(what="book", x_mm=470.0, y_mm=310.0, bearing_deg=5.0),
    ClutterPlaced(what="tape", x_mm=330.0, y_mm=400.0, size_mm=300.0),
    ClutterPlaced(what="mug", x_mm=480.0, y_mm=320.0),
)


@pytest.mark.parametrize("thing", CLUTTER, ids=lambda thing: thing.what)
def test_a_thing_that_is_put_down_beside_the_bases_is_not_taken_for_bases(thing: ClutterPlaced) -> None:
    seen = found(*pictures(*(plain(at) for at in PLACES), clutter=(thing,)))
    off = [min(math.dist((b.x_mm, b.y_mm), at) for at in PLACES) for b in seen]
    assert sum(away < 1.5 for away in off) == len(PLACES)
    assert sum(away >= 1.5 for away in off) <= (1 if thing.what == "tape" else 0)  # its case is as small as a base


def test_bases_shoulder_to_shoulder_are_no_large_thing() -> None:
    """A block of bases without paint is even and broad, but what has changed there is not vivid."""
    rows = tuple(plain((200.0 + 26 * k, 300.0 + 26 * m)) for k in range(4) for m in range(2))
    after, before = pictures(*rows)
    _, pose = posed(after)
    backdrop = backdrop_of(after, before, pose, TABLE, FLAT)
    outlines = [outline_of(kind) for army in TABLE.armies for kind in army.bases]
    scale = float(pose.px_per_mm(np.array([[400.0, 300.0, 0.0]]))[0])
    assert not foreign(scene_of(after.astype(np.float32), backdrop, pose, scale), outlines).any()


def test_a_backdrop_follows_the_light() -> None:
    after, before = pictures(gain=0.7)
    _, pose = posed(after)
    backdrop = backdrop_of(after, before, pose, TABLE, FLAT)
    off = np.abs(after.astype(np.float64) - backdrop.then) / backdrop.noise
    assert float(np.median(off)) < 1.0


def test_a_row_taken_for_one_base_falls_into_its_bases_again() -> None:
    horse = outline_of(msgspec.convert(
        {"name": "horse", "shape": "rect", "width_mm": 25.0, "depth_mm": 50.0, "height_mm": 3.0}, RectBase
    ))  # fmt: skip
    rows = row_outlines([horse])
    three = next(row for row, (_, count) in rows.items() if count == 3)
    bases = singly([Placed(three, 100.0, 200.0, 0.0, 90.0)], rows)
    assert [(round(b.x_mm, 6), round(b.y_mm, 6)) for b in bases] == [(100.0, 225.4), (100.0, 200.0), (100.0, 174.6)]
    assert {b.outline for b in bases} == {horse}


class _Pieces:
    """A stage that knows only on which piece of the table places are: by their x, in half metres."""

    def groups(self, placed: Sequence[Placed]) -> NDArray[np.intp]:
        return np.array([int(p.x_mm // 500) for p in placed], dtype=np.intp)


def test_where_there_are_too_many_places_to_look_at_the_better_of_each_piece_are_looked_at() -> None:
    foot = outline_of(TABLE.armies[0].bases[0])
    clear = [Placed(foot, 100.0 + k, 200.0, 0.0, 0.0) for k in range(40)]
    faint = [Placed(foot, 600.0 + k, 200.0, 0.0, 0.0) for k in range(20)]
    kept = trimmed(cast(Stage, _Pieces()), [*clear, *faint], 30)
    assert kept == [*range(20), *range(40, 50)]
    assert trimmed(cast(Stage, _Pieces()), clear, 40) == list(range(40))


def test_where_the_picture_is_not_understood_no_base_is_told() -> None:
    """A clear outline is not enough: most of what is about two of these is explained by nothing."""
    foot = outline_of(TABLE.armies[0].bases[0])
    placed = [Placed(foot, 100.0 + 50 * k, 200.0, 0.0, 0.0) for k in range(4)]
    residual = np.array([1.1, 6.3, 3.0, 8.0])
    fitted = Fit(placed, np.zeros((4, 3, 3)), np.full(4, 12.0), np.full(4, 2.0), residual)
    assert explaining(fitted, [0, 1, 2, 3], noise=4.0) == [0, 2]
    assert explaining(fitted, [0, 1, 2, 3], noise=9.0) == [
        0
    ]  # so much noise hides the flock: less is left of a base
    assert explaining(fitted, [0, 1, 2, 3], noise=1.5) == [0, 1, 2]  # hardly any: what is left is the flock's


def test_the_top_of_a_large_tray_is_looked_at_whole() -> None:
    """It has more places than OpenCV looks up in a row."""
    changed = np.zeros((400, 400), np.float32)
    changed[:, :200] = 1.0
    seen = Changes(np.zeros((400, 400, 3), np.float32), changed, changed.astype(np.int32), 1.0)
    tray = outline_of(RectBase(name="tray", width_mm=300.0, depth_mm=300.0, height_mm=4.0))
    assert seen.filled([Placed(tray, 170.0, 170.0, 0.0, 0.0)])[0] == pytest.approx(0.5, abs=0.01)


def test_a_large_change_gives_no_more_than_a_few_places_for_each_base_that_has_room() -> None:
    """However large and restless it is: looking at them all is what took minutes."""
    flat = np.random.default_rng(1).normal(0, 6, (400, 400, 3)).astype(np.float32)
    flat[:100], flat[300:], flat[:, :100], flat[:, 300:] = 0, 0, 0, 0
    changed = (np.abs(flat).max(axis=2) > 0).astype(np.float32)
    seen = Changes(flat, changed, changed.astype(np.int32), 1.3)
    foot = outline_of(TABLE.armies[0].bases[0])
    places = propose(seen, [foot], camera(), FLAT)
    room = (200 * 1.3) ** 2 / (4 * foot.half_width_mm**2)
    assert room < len(places) < 20 * room
    assert [clear for clear, _ in places] == sorted((clear for clear, _ in places), reverse=True)
    at = np.array([[p.x_mm, p.y_mm] for _, p in places])
    apart = np.abs(at[:, None] - at).max(axis=2) + 99.0 * np.eye(len(at))
    assert apart.min() > 2.6


def test_the_shade_of_the_table_is_not_vivid_and_a_coat_on_it_is() -> None:
    """What no lamp and no shadow can make of the empty table is a figure's."""
    then = np.full((60, 60, 3), (60.0, 120.0, 90.0), np.float32)
    now = then.copy()
    now[10:20, 10:20] *= 0.5
    now[40:50, 40:50] = (40.0, 40.0, 160.0)
    noise, known = np.full_like(then, 2.0), np.ones((60, 60), np.bool_)
    scene = scene_of(now, Backdrop(then, noise, known), camera(), 1.0)
    assert scene.vivid[:36].max() == 0.0
    assert scene.vivid[42:48, 42:48].min() == 1.0


def on_a_hill(mat: NDArray[np.float32] | None) -> NDArray[np.float32]:
    """How vivid a coat on flock of the mat's colour is on a brown hill, in the midst of each and beside them."""
    then = np.full((90, 90, 3), (60.0, 120.0, 90.0), np.float32)
    then[:, 30:] = (70.0, 105.0, 140.0)
    now = then.copy()
    now[40:50, 50:60] = (46.0, 95.0, 71.0)
    now[43:47, 53:57] = (40.0, 40.0, 160.0)
    backdrop = Backdrop(then, np.full_like(then, 2.0), np.ones((90, 90), np.bool_))
    vivid = scene_of(now, backdrop, camera(), 1.0, mat).vivid
    return vivid[[45, 41, 20], [55, 51, 55]]


def test_flock_of_the_mat_s_colour_is_no_figure_where_it_stands_on_a_hill_of_another() -> None:
    """It is too narrow here to tell by itself that it is flock."""
    assert on_a_hill(np.array([60.0, 120.0, 90.0], np.float32)).round(1).tolist() == [1.0, 0.0, 0.0]
    assert on_a_hill(None).round(1).tolist() == [1.0, 1.0, 0.0]


def test_the_mat_s_colour_is_what_most_of_the_table_has_whatever_lies_on_it() -> None:
    rng = np.random.default_rng(2)
    then = rng.normal((60.0, 120.0, 90.0), 3.0, (LENS.height_px, LENS.width_px, 3)).astype(np.float32)
    then[:, : LENS.width_px // 3] = rng.normal((70.0, 105.0, 140.0), 3.0, (LENS.height_px, 1, 3))
    backdrop = Backdrop(then, np.full_like(then, 2.0), np.ones(then.shape[:2], np.bool_))
    assert np.abs(mat_colour(backdrop, camera(), TABLE) - (60.0, 120.0, 90.0)).max() < 5.0


@pytest.mark.parametrize(("depth", "left"), [(0.9, 0.1), (0.6, 0.4)], ids=["nearly black", "usual"])
def test_hard_shadows_of_men_tell_which_way_they_fall_and_how_dark_they_are(depth: float, left: float) -> None:
    """Nearly black ones were taken for men, and then told no way."""
    places = [(140.0 + 90 * k, 130.0 + 100 * m) for k in range(3) for m in range(2)]
    manned = [replace(base(f"p{at}", *at), plain=True) for at in places]
    after, before = pictures(
        *manned, effects=replace(CLEAN, lamp_mm=(1.1, -0.7), shadow_depth=depth, shadow_soft_mm=0.8)
    )
    _, pose = posed(after)
    scale = float(pose.px_per_mm(np.array([[300.0, 225.0, 0.0]]))[0])
    scene = scene_of(after.astype(np.float32), backdrop_of(after, before, pose, TABLE, FLAT), pose, scale)
    stood = feet(scene, FLAT, np.zeros(after.shape[:2], np.bool_))
    hard = hard_shadows(scene, FLAT, stood)
    assert len(stood) == len(places)
    assert hard is not None
    assert hard.sure
    assert math.degrees(hard.way) % 360 == pytest.approx(360 - 32.5, abs=15.0)
    assert hard.left == pytest.approx(left, abs=0.12)


def mob() -> list[tuple[float, float]]:
    """Where twelve men stand shoulder to shoulder, in three ranks, none quite straight."""
    rng = np.random.default_rng(1)
    return [
        (200.0 + 26.5 * k + (13 if m % 2 else 0) + rng.uniform(-1, 1), 250.0 + 24 * m + rng.uniform(-1, 1))
        for k in range(4)
        for m in range(3)
    ]


def mob_pictures() -> tuple[Image, Image]:
    """They on bases of the mat's own colour, under a lamp, and the table before."""
    bases = (replace(base(f"m{k}", *at), plain=True) for k, at in enumerate(mob()))
    return pictures(*bases, effects=replace(CLEAN, noise=1.0))


def test_where_figures_stand_is_seen_though_their_bases_hardly_are() -> None:
    after, before = mob_pictures()
    _, pose = posed(after)
    backdrop = backdrop_of(after, before, pose, TABLE, FLAT)
    scale = float(pose.px_per_mm(np.array([[300.0, 225.0, 0.0]]))[0])
    scene = scene_of(after.astype(np.float32), backdrop, pose, scale)
    seen = feet(scene, FLAT, np.zeros(after.shape[:2], np.bool_))
    assert all(min(math.dist(at, foot) for foot in seen) < 3.0 for at in mob())
    assert len(seen) < 2 * len(mob())


def test_in_a_mob_of_the_mat_s_own_colour_most_bases_are_found_under_their_figures() -> None:
    horse = msgspec.convert(
        {"name": "horse", "shape": "rect", "width_mm": 25.0, "depth_mm": 50.0, "height_mm": 3.0}, RectBase
    )
    known = replace(TABLE, armies=(replace(TABLE.armies[0], bases=(*TABLE.armies[0].bases, horse)),))
    seen = [b for b in found(*mob_pictures(), known) if b.base == "foot"]
    right = [at for at in mob() if any(math.dist(at, (b.x_mm, b.y_mm)) < 1.5 for b in seen)]
    assert len(right) >= 7
