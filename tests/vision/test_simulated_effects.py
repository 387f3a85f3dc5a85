"""Every effect of the simulated camera does what it says; what it paints lies where the camera model puts it."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.prints.markers import corners_on_table, find_markers
from calibration.records import Intrinsics, TerrainKind
from tests.vision.small_table import LENS, TABLE, base, camera, table
from vision.frames.records import Image
from vision.simulated import (
    BasePlaced,
    ClutterPlaced,
    Effects,
    Renderer,
    SimulatedCamera,
    TagPlaced,
    TerrainPlaced,
    VirtualTable,
    camera_over,
    empty_of,
    truth_of,
)
from vision.simulated.furniture import clutter_outline
from vision.simulated.virtual import PLAIN

Pixels = NDArray[np.float64]

HILL = TerrainPlaced(kind="hill", polygon_mm=((40, 250), (260, 250), (260, 430), (40, 430)), slope_mm=10)
ALONE = table(base("b", 470.0, 330.0))


def shot(one: VirtualTable, seed: int = 1, **effects: object) -> Pixels:
    """A frame with no effects but these, as doubles."""
    return Renderer(camera(), replace(PLAIN, **effects), seed).render(one).astype(np.float64)


def grey(picture: Pixels) -> Pixels:
    return np.asarray(picture.mean(axis=2), dtype=np.float64)


def about(picture: Pixels, x_mm: float, y_mm: float, half_px: int = 20, z_mm: float = 0.0) -> Pixels:
    """The part of a picture round a place on the table."""
    x, y = np.rint(camera().project([(x_mm, y_mm, z_mm)])[0]).astype(int)
    return picture[y - half_px : y + half_px + 1, x - half_px : x + half_px + 1]


# --- where things are painted


def crossings(picture: Pixels, middle: Pixels, outline: Pixels, reach_px: float = 3.0) -> Pixels:
    """Where (N,) in px along rays from a middle through points of an outline (N, 2) the picture changes half way.

    0 is at the outline itself, positive outside of it.
    """
    smooth = grey(picture).astype(np.float32)
    away = outline - middle
    far = np.linalg.norm(away, axis=1)
    steps = np.arange(-reach_px, reach_px + 0.005, 0.01)
    x = (outline[:, 0] + np.outer(steps, away[:, 0] / far)).astype(np.float32)
    y = (outline[:, 1] + np.outer(steps, away[:, 1] / far)).astype(np.float32)
    rays = cv2.remap(smooth, x, y, cv2.INTER_LINEAR)
    inside, outside = rays[:20].mean(axis=0), rays[-20:].mean(axis=0)
    half = (inside + outside) / 2
    beyond = np.where(inside > outside, rays < half, rays > half)
    return np.asarray(steps[np.argmax(beyond, axis=0)], dtype=np.float64)


PLACES = [(60.0, 60.0), (300.0, 225.0), (540.0, 390.0), (70.0, 380.0)]
FINER = 8
WINDOW_PX = 96


def close_up(x_mm: float, y_mm: float, finer: int = FINER) -> CameraModel:
    """The camera with a picture of what is round a place only, and so many times enlarged."""
    left, top = np.rint(camera().project([(x_mm, y_mm, 0.0)])[0]) - WINDOW_PX // 2
    lens = replace(
        LENS, width_px=WINDOW_PX * finer, height_px=WINDOW_PX * finer, fx=LENS.fx * finer, fy=LENS.fy * finer,
        cx=(LENS.cx - left + 0.5) * finer - 0.5, cy=(LENS.cy - top + 0.5) * finer - 0.5,
    )  # fmt: skip
    return with_lens(camera(), lens)


def with_lens(model: CameraModel, lens: Intrinsics) -> CameraModel:
    return CameraModel(
        intrinsics=lens, rvec=model.rvec, tvec_mm=model.tvec_mm, pose_covariance=np.zeros((6, 6)),
        reprojection_rms_px=0.0, markers_used=(),
    )  # fmt: skip


def shift_and_growth(picture: Pixels, seen: Pixels, reach_px: float) -> Pixels:
    """By how much (3,) in px an edge lies beside where it should (N, 2): its middle's x and y, and all round."""
    off = crossings(picture, seen.mean(axis=0), seen, reach_px)
    away = seen - seen.mean(axis=0)
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    return np.asarray(np.linalg.lstsq(np.column_stack([away, np.ones(len(away))]), off, rcond=None)[0])


def ring(x_mm: float, y_mm: float, radius_mm: float, z_mm: float) -> Pixels:
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    around = radius_mm * np.column_stack([np.sin(turn), np.cos(turn)]) + (x_mm, y_mm)
    return np.column_stack([around, np.full(len(around), z_mm)])


@pytest.mark.parametrize(("x_mm", "y_mm"), PLACES)
def test_a_patch_is_painted_where_the_camera_model_puts_it(x_mm: float, y_mm: float) -> None:
    edge = ring(x_mm, y_mm, 30.0, 2.0)
    patch = TerrainPlaced(kind="woods", polygon_mm=tuple((x, y) for x, y, _ in edge))
    near = close_up(x_mm, y_mm)
    picture = Renderer(near, PLAIN).render(table(terrain=(patch,))).astype(np.float64)
    assert np.abs(shift_and_growth(picture, near.project(edge), 8.0)).max() < 0.05 * FINER


@pytest.mark.parametrize(("x_mm", "y_mm"), PLACES)
@pytest.mark.parametrize("relief", [False, True])
def test_a_rim_is_painted_where_the_camera_model_puts_it(x_mm: float, y_mm: float, relief: bool) -> None:
    bare = replace(base("b", x_mm, y_mm), figure="")
    near = close_up(x_mm, y_mm)
    picture = Renderer(near, replace(PLAIN, relief=relief)).render(table(bare)).astype(np.float64)
    seen = near.project(ring(x_mm, y_mm, 12.5 - 3.2, 3.0))
    assert np.abs(shift_and_growth(picture, seen, 6.0)).max() < 0.05 * FINER


@pytest.mark.parametrize(("x_mm", "y_mm"), PLACES)
@pytest.mark.parametrize("linear", [False, True])
def test_a_small_picture_is_a_large_one_made_small(x_mm: float, y_mm: float, linear: bool) -> None:
    stands = table(replace(base("b", x_mm, y_mm), figure=""))

    def told_by(finer: int) -> Pixels:
        """What the base changes (H, W) of the picture."""
        renderer = Renderer(close_up(x_mm, y_mm, finer), replace(PLAIN, linear=linear))
        size = (WINDOW_PX, WINDOW_PX)
        one, bare = (
            cv2.resize(renderer.render(t).astype(np.float64), size, interpolation=cv2.INTER_AREA)
            for t in (stands, table())
        )
        return np.asarray(np.abs(one - bare).sum(axis=2), dtype=np.float64)

    small, oracle = told_by(1), told_by(FINER)
    x, y = np.meshgrid(np.arange(WINDOW_PX), np.arange(WINDOW_PX))
    middles = [np.array([(x * d).sum(), (y * d).sum()]) / d.sum() for d in (small, oracle)]
    assert np.abs(middles[0] - middles[1]).max() < (0.05 if linear else 0.1)  # quick edges are less exact
    assert small.sum() == pytest.approx(oracle.sum(), rel=0.02)


@pytest.mark.parametrize("scale", [0.996, 1.0, 1.004])
def test_prints_are_as_large_as_the_printer_made_them(scale: float) -> None:
    marker = TABLE.markers.at[0]
    near = close_up(marker.x_mm, marker.y_mm)
    picture = Renderer(near, PLAIN).render(replace(table(), print_scale=scale)).astype(np.float64)
    corners = corners_on_table(marker, TABLE.markers.size_mm * scale)
    along = np.linspace(0.2, 0.8, 30)[:, None, None]
    sides = near.project((along * corners + (1 - along) * np.roll(corners, -1, axis=0)).reshape(-1, 3))
    assert np.abs(shift_and_growth(picture, sides, 8.0)).max() < 0.05 * FINER


def test_a_tag_on_a_hill_lies_on_the_hill() -> None:
    on_hill = table(terrain=(HILL,), tags=(TagPlaced(id=17, x_mm=150.0, y_mm=340.0),))
    picture = cv2.cvtColor(Renderer(camera(), PLAIN).render(on_hill), cv2.COLOR_BGR2GRAY).astype(np.uint8)
    (tag,) = (m for m in find_markers(picture, TABLE.markers.dictionary) if m.id == 17)
    assert np.abs(tag.centre_px - camera().project([(150.0, 340.0, 30.3)])[0]).max() < 0.15
    (truth,) = truth_of(on_hill, camera()).tags
    assert (truth.z_mm, truth.visible_fraction) == (30.3, 1.0)


def test_a_camera_upside_down_sees_the_same_upside_down() -> None:
    upright, over = (camera_over((300.0, 225.0, 820.0), (300.0, 226.0), LENS, roll) for roll in (0.0, 180.0))
    centred = replace(LENS, cx=359.5, cy=269.5, dist=(0.0, 0.0, 0.0, 0.0, 0.0))
    places = [(100.0, 100.0, 0.0), (500.0, 300.0, 20.0)]
    a, b = (with_lens(one, centred).project(places) for one in (upright, over))
    assert np.abs(a + b - (719.0, 539.0)).max() < 1e-6


# --- what light and camera do


def corner_means(picture: Pixels) -> Pixels:
    """The mean grey of the picture's corners: top left, top right, bottom right, bottom left."""
    g = grey(picture)
    return np.array([g[:30, :30].mean(), g[:30, -30:].mean(), g[-30:, -30:].mean(), g[-30:, :30].mean()])


@pytest.mark.parametrize(("lamp_deg", "darkest"), [(315.0, 0), (45.0, 1), (135.0, 2), (225.0, 3)])
def test_the_lamp_leaves_that_corner_darker(lamp_deg: float, darkest: int) -> None:
    bare = corner_means(shot(table()))
    lit = corner_means(shot(table(), lamp=0.4, lamp_deg=lamp_deg)) / bare
    assert int(np.argmin(lit)) == darkest
    assert lit[darkest] < 0.65
    assert lit[(darkest + 2) % 4] > 0.95


def test_vignetting_darkens_the_corners_alone() -> None:
    bare, dim = (shot(table(), vignetting=v) for v in (0.0, 0.3))
    assert (corner_means(dim) / corner_means(bare)).max() < 0.75
    assert grey(dim)[260:280, 340:380].mean() == pytest.approx(grey(bare)[260:280, 340:380].mean(), rel=0.01)


def test_a_colour_cast_multiplies_the_bands() -> None:
    bare, tinted = (shot(table(), cast=c).mean(axis=(0, 1)) for c in ((1.0, 1.0, 1.0), (0.8, 1.0, 1.2)))
    assert tinted / bare == pytest.approx([0.8, 1.0, 1.2], abs=0.02)


def test_exposure_multiplies_the_light() -> None:
    bare, dim = (shot(table(), exposure=e).mean() for e in (1.0, 0.7))
    assert dim / bare == pytest.approx(0.7, abs=0.01)


def test_flicker_lightens_and_darkens_rows_otherwise_in_each_frame() -> None:
    renderer = Renderer(camera(), replace(PLAIN, flicker=0.1))
    bare = shot(table())
    bands = [(renderer.render(table()) / np.maximum(bare, 1)).mean(axis=(1, 2)) for _ in range(2)]
    for band in bands:
        assert band.max() == pytest.approx(1.1, abs=0.02)
        assert band.min() == pytest.approx(0.9, abs=0.02)
    assert np.abs(bands[0] - bands[1]).max() > 0.02


def steepest(picture: Pixels) -> float:
    """The steepest step from a pixel to the next on the left marker's edges."""
    return float(np.abs(np.diff(about(grey(picture), -50.0, 40.0, 28), axis=1)).max())


@pytest.mark.parametrize("effects", [{"blur_px": 1.0}, {"defocus_px": 2.0}, {"blur_px": 1.0, "linear": True}])
def test_blur_and_defocus_make_edges_less_steep(effects: dict[str, object]) -> None:
    assert steepest(shot(table(), **effects)) < 0.6 * steepest(shot(table()))


def test_sharpening_makes_edges_overshoot() -> None:
    soft, sharp = (shot(table(), blur_px=0.8, sharpen=s) for s in (0.0, 0.8))
    assert steepest(sharp) > 1.2 * steepest(soft)
    assert about(grey(sharp), -50.0, 40.0, 28).min() < about(grey(soft), -50.0, 40.0, 28).min()


def test_white_blooms_into_black_where_light_is_mixed_as_light() -> None:
    def black_share(picture: Pixels) -> float:
        part = about(grey(picture), -50.0, 40.0, 24)
        return float((part < (part.min() + part.max()) / 2).mean())

    assert black_share(shot(table(), blur_px=0.8, linear=True)) < black_share(shot(table(), blur_px=0.8)) - 0.01


def test_without_blur_and_noise_mixing_as_light_changes_nothing() -> None:
    off = np.abs(shot(ALONE, linear=True) - shot(ALONE))
    assert (off > 1).mean() < 0.005  # but for edges, which are painted more exactly
    assert np.median(off) == 0


def test_noise_is_as_strong_as_said_and_grows_with_the_light() -> None:
    bare = shot(table())
    even = shot(table(), noise=3.0) - bare
    assert even.std() == pytest.approx(3.0, abs=0.1)
    shade = shot(table(), noise=3.0, linear=True, exposure=0.8) - shot(table(), linear=True, exposure=0.8)
    assert shade.std() == pytest.approx(3.0, abs=1.0)


def test_compression_loses_a_little() -> None:
    loss = np.abs(shot(ALONE, jpeg_quality=50) - shot(ALONE))
    assert 0.1 < loss.mean() < 5.0


# --- what stands on the table


def changed(one: Pixels, other: Pixels, by: float = 4.0) -> NDArray[np.bool_]:
    return np.asarray(np.abs(one - other).max(axis=2) > by)


@pytest.mark.parametrize(("lamp_mm", "side"), [((0.8, 0.0), 1), ((-0.8, 0.0), -1)])
def test_shadows_fall_away_from_the_lamp(lamp_mm: tuple[float, float], side: int) -> None:
    more = {"figures": True, "lamp_mm": lamp_mm, "shadow_depth": 0.6, "shadow_soft_mm": 0.5}
    darker = grey(shot(ALONE, figures=True)) - grey(shot(ALONE, shadows=True, **more))
    middle = camera().project([(470.0, 330.0, 0.0)])[0, 0]
    columns = np.nonzero(darker > 10)[1]
    assert side * (columns.mean() - middle) > 4
    assert darker.max() / grey(shot(ALONE)).max() > 0.1


def test_soft_shadows_spread_and_hard_ones_do_not() -> None:
    def edge(soft_mm: float) -> float:
        picture = shot(ALONE, figures=True, shadows=True, lamp_mm=(1.5, 0.0), shadow_soft_mm=soft_mm)
        return float(np.abs(np.diff(about(grey(picture), 500.0, 330.0, 12), axis=0)).max())

    assert edge(6.0) < 0.7 * edge(0.5)


def test_relief_lights_the_sides_that_face_the_lamp() -> None:
    bare = replace(ALONE, bases=(replace(ALONE.bases[0], figure=""),))
    left, right = (
        shot(bare, relief=True, lamp_mm=lamp_mm) - shot(bare, relief=True, lamp_mm=(0.0, 0.0))
        for lamp_mm in ((0.9, 0.0), (-0.9, 0.0))
    )
    # the lamp at the left (shadows to the right) lights the left side, which this base shows to the camera
    assert about(left, 470.0, 330.0, 16).sum() > about(right, 470.0, 330.0, 16).sum()


def test_gloss_brightens_some_of_the_bevel_and_nothing_else() -> None:
    dull, shiny = (shot(ALONE, relief=True, gloss=g, lamp_mm=(0.9, 0.0)) for g in (0.0, 1.0))
    assert (shiny >= dull - 1).all()
    assert (shiny - dull).max() > 15
    assert changed(dull, shiny).mean() < 0.001


def test_flock_roughens_the_bases() -> None:
    smooth, rough = (shot(ALONE, flock=n) for n in (0, 40))
    where = changed(smooth, rough, 2.0)
    assert where.any()
    ys, xs = np.nonzero(where)
    middle = camera().project([(470.0, 330.0, 3.0)])[0]
    assert np.hypot(xs - middle[0], ys - middle[1]).max() < 14


def test_a_moving_hand_is_smeared_and_the_rest_is_not() -> None:
    reaching = replace(ALONE, hand_mm=(300.0, 200.0))
    still, moving = (shot(reaching, hand_blur_mm=h) for h in ((0.0, 0.0), (30.0, 0.0)))
    assert changed(still, moving).any()
    assert not about(changed(still, moving), 470.0, 330.0).any()
    x, y = np.rint(camera().project([(300.0, 192.0, 70.0)])[0]).astype(int)
    across = [np.abs(np.diff(grey(p)[y, x - 70 : x + 70])).max() for p in (still, moving)]
    assert across[1] < 0.5 * across[0]


@pytest.mark.parametrize("arm_deg", [0.0, 90.0, 180.0])
def test_an_arm_reaches_in_from_where_it_is_said_to(arm_deg: float) -> None:
    there = changed(shot(replace(table(), hand_mm=(300.0, 225.0), arm_deg=arm_deg)), shot(table()))
    rows, columns = np.nonzero(there)
    edges = {0.0: rows.max() == 539, 90.0: columns.min() == 0, 180.0: rows.min() == 0}
    assert edges[arm_deg]
    assert sum(edges.values()) == 1


def test_a_plain_base_looks_like_the_mat_and_is_told_by_the_empty_table() -> None:
    plain = table(replace(base("b", 470.0, 330.0), plain=True))
    mat = about(shot(table()), 470.0, 330.0, 4).mean(axis=(0, 1))
    top = about(shot(plain), 470.0, 330.0, 4).mean(axis=(0, 1))
    assert top == pytest.approx(mat, rel=0.08)
    truth = truth_of(plain, camera()).bases[0]
    assert (truth.army, truth.bearing_visible, truth.visible_mark_fraction) == (None, "none", None)
    full = replace(plain, tags=(TagPlaced(id=11, x_mm=100.0, y_mm=100.0),), terrain=(HILL,), hand_mm=(1.0, 1.0))
    assert empty_of(full) == table(terrain=(HILL,))


def test_a_marker_under_a_box_is_not_found() -> None:
    box = ClutterPlaced(what="box", x_mm=-50.0, y_mm=40.0)
    seen = Renderer(camera(), PLAIN).render(replace(table(), clutter=(box,)))
    grey_picture = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY).astype(np.uint8)
    assert {m.id for m in find_markers(grey_picture, TABLE.markers.dictionary)} == {1, 2, 3}


@pytest.mark.parametrize("what", ["die", "cotton", "tape", "mug", "paper", "book", "box"])
def test_clutter_lies_where_it_is_put(what: str) -> None:
    placed = ClutterPlaced(
        what=what, x_mm=300.0, y_mm=200.0, bearing_deg=20.0, size_mm=150.0 if what == "tape" else 0.0
    )  # type: ignore[arg-type]
    there = changed(shot(replace(table(), clutter=(placed,))), shot(table()))
    outline, tall = clutter_outline(placed)
    low, high = (camera().project(np.column_stack([outline, np.full(len(outline), z)])) for z in (0.0, tall))
    middle = np.array([np.nonzero(there)[1].mean(), np.nonzero(there)[0].mean()])
    expected = (low.mean(axis=0) + high.mean(axis=0)) / 2
    assert np.linalg.norm(middle - expected) < (50 if what == "tape" else 14)  # a tape ends in its case


# --- what hides what


def test_a_figure_hides_the_far_rim_the_more_the_farther_out_it_stands() -> None:
    below = camera().position_mm[:2]
    near, far = base("near", float(below[0]), float(below[1])), base("far", 560.0, 420.0)
    shares = {b.id: b.visible_rim_fraction for b in truth_of(table(near, far), camera()).bases}
    assert shares["near"] is not None
    assert shares["far"] is not None
    assert shares["near"] > 0.97
    assert 0.5 < shares["far"] < 0.97


@pytest.mark.parametrize(("bearing_deg", "seen"), [(39.0, False), (219.0, True)])
def test_a_front_mark_behind_the_figure_is_known_to_be_hidden(bearing_deg: float, seen: bool) -> None:
    away = base("b", 570.0, 430.0, bearing_deg=bearing_deg)
    share = truth_of(table(replace(away, tall=1.3)), camera()).bases[0].visible_mark_fraction
    assert share is not None
    assert (share > 0.9) is seen


def test_what_stands_behind_a_hill_is_hidden_by_it() -> None:
    behind = base("b", 150.0, 440.0)
    wall = TerrainPlaced(kind="hill", polygon_mm=((60, 330), (240, 330), (240, 425), (60, 425)))
    (truth,) = truth_of(table(behind, terrain=(wall,)), camera()).bases
    assert truth.visible_rim_fraction is not None
    assert truth.visible_rim_fraction < 0.9
    shown = changed(shot(table(behind, terrain=(wall,)), figures=True), shot(table(terrain=(wall,))))
    alone = changed(shot(table(behind), figures=True), shot(table()))
    assert 0 < shown.sum() < alone.sum()


def test_what_stands_on_a_hill_is_hidden_by_a_house_before_it_and_not_by_its_hill() -> None:
    on_hill = base("b", 165.0, 420.0)
    hill = TerrainPlaced(kind="hill", polygon_mm=((60, 402), (280, 402), (280, 475), (60, 475)))
    house = TerrainPlaced(kind="building", polygon_mm=((165, 330), (240, 330), (240, 401), (165, 401)))
    kinds = (*TABLE.terrain_kinds, TerrainKind(kind="building", colour="#b8a890", height_mm=60.0))
    built = replace(table(on_hill), table=replace(TABLE, terrain_kinds=kinds))
    both, alone = (replace(built, terrain=pieces) for pieces in ((hill, house), (hill,)))
    shares = [truth_of(one, camera()).bases[0].visible_rim_fraction for one in (both, alone)]
    assert shares[0] is not None
    assert shares[1] is not None
    assert 0.3 < shares[0] < shares[1]
    empty = (replace(one, bases=()) for one in (both, alone))
    seen = [changed(shot(one), shot(bare)).sum() for one, bare in zip((both, alone), empty, strict=True)]
    assert 0.3 * seen[1] < seen[0] < seen[1]


@pytest.mark.parametrize("count", [0, 1])
def test_the_share_of_a_tag_in_sight_is_known(count: int) -> None:
    tag = TagPlaced(id=17, x_mm=480.0, y_mm=120.0)
    die = ClutterPlaced(what="die", x_mm=480.0, y_mm=120.0)
    (truth,) = truth_of(replace(table(tags=(tag,)), clutter=(die,) * count), camera()).tags
    assert truth.visible_fraction is not None
    assert (truth.visible_fraction == 1.0) is (count == 0)


def test_the_truth_states_what_the_virtual_table_holds() -> None:
    placed = (base("a", 100.0, 100.0, bearing_deg=-30.0), base("b", 150.0, 340.0, army="french"))
    truth = truth_of(table(*placed, terrain=(HILL,)), camera(), "small")
    stated = [(b.id, b.army, b.base, b.x_mm, b.y_mm, b.z_mm, b.bearing_deg) for b in truth.bases]
    assert stated == [
        ("a", "british", "foot", 100.0, 100.0, 0.0, 330.0),
        ("b", "french", "foot", 150.0, 340.0, 30.0, 0.0),
    ]
    (hill,) = truth.terrain
    assert (hill.kind, hill.polygon_mm, hill.height_mm) == ("hill", HILL.polygon_mm, 30.0)
    foot = np.array(hill.foot_polygon_mm)
    assert np.linalg.norm(foot - np.array(HILL.polygon_mm), axis=1) == pytest.approx(10.0)


# --- the same again


HEAVY = Effects(flock=20, relief=True, gloss=0.5, flicker=0.02, defocus_px=0.6, sharpen=0.3, linear=True)


@pytest.mark.parametrize("effects", [Effects(), HEAVY, PLAIN])
def test_a_seed_gives_one_picture_with_any_effects(effects: Effects) -> None:
    first, again = (Renderer(camera(), effects, seed=3).render(ALONE) for _ in range(2))
    assert np.array_equal(first, again)


def swap(one: BasePlaced) -> BasePlaced:
    return replace(one, x_mm=one.x_mm - 150.0)


@pytest.mark.parametrize(
    "change",
    [
        lambda t: replace(t, bases=tuple(map(swap, t.bases))),
        lambda t: replace(t, clutter=(ClutterPlaced(what="mug", x_mm=200.0, y_mm=150.0),)),
        lambda t: replace(t, hand_mm=(250.0, 250.0), arm_deg=40.0),
    ],
)
def test_painting_what_changed_gives_the_picture_that_painting_all_gives(
    change: Callable[[VirtualTable], VirtualTable],
) -> None:
    effects = replace(HEAVY, noise=0.0, flicker=0.0, jpeg_quality=0, hand_blur_mm=(9.0, 4.0))
    renderer = Renderer(camera(), effects)
    start = table(base("b", 470.0, 330.0), base("c", 150.0, 440.0), terrain=(HILL,))
    for stop in (start, change(start), start):
        assert np.array_equal(renderer.render(stop), Renderer(camera(), effects).render(stop))


def test_a_bumped_camera_sees_from_where_it_hangs_now() -> None:
    with SimulatedCamera(ALONE, camera(), PLAIN) as source:
        before = frame_of(source)
        bumped = camera_over((303.0, 182.0, 818.0), (301.0, 228.0), LENS)
        source.hang(bumped)
        after = frame_of(source)
        assert source.camera is bumped
    assert np.array_equal(after, Renderer(bumped, PLAIN).render(ALONE))
    assert changed(before.astype(np.float64), after.astype(np.float64)).mean() > 0.01


def frame_of(source: SimulatedCamera) -> Image:
    frame = source.latest()
    assert frame is not None
    return frame.image
