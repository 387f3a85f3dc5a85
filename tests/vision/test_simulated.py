"""The simulated camera: what it shows is what stands on the virtual table, to a fraction of a pixel."""

from __future__ import annotations

import threading
import time

import cv2
import numpy as np
import pytest
import shapely
from msgspec.structs import replace

from calibration.poses.pose import solve_pose
from calibration.prints.markers import find_markers
from tests.vision.small_table import LENS, TABLE, base, camera, table
from vision.measure import measure
from vision.simulated import Effects, Renderer, SimulatedCamera, TagPlaced, TerrainPlaced, TreePlaced, load_demo
from vision.simulated.virtual import PLAIN
from vision.sources import Source

CLEAN = replace(Effects(), noise=0.0, jpeg_quality=0)
LINE = tuple(base(f"b{n}", 150.0 + 25.6 * n, 160.0, bearing_deg=10.0) for n in range(6))
LOOSE = tuple(base(f"f{n}", 120.0 + 80.0 * n, 330.0, army="french", bearing_deg=180.0) for n in range(5))
FULL = table(*LINE, *LOOSE, tags=(TagPlaced(id=17, x_mm=480.0, y_mm=120.0, bearing_deg=30.0),))


def test_the_real_measuring_finds_every_base_and_tag_where_it_stands() -> None:
    seen = measure(Renderer(camera()).render(FULL), TABLE, LENS)
    placed = {(b.army, b.x_mm, b.y_mm) for b in FULL.bases}
    assert len(seen.bases) == len(placed)
    off = [min(np.hypot(b.x_mm - x, b.y_mm - y) for army, x, y in placed if army == b.army) for b in seen.bases]
    assert max(off) < 0.8
    assert float(np.sqrt(np.mean(np.square(off)))) < 0.5
    (tag,) = seen.tags
    assert (tag.id, tag.x_mm, tag.y_mm) == (17, pytest.approx(480, abs=0.5), pytest.approx(120, abs=0.5))
    assert tag.bearing_deg == pytest.approx(30, abs=1.0)


def test_the_camera_is_found_where_it_hangs() -> None:
    grey = cv2.cvtColor(Renderer(camera(), CLEAN).render(FULL), cv2.COLOR_BGR2GRAY).astype(np.uint8)
    found = find_markers(grey, TABLE.markers.dictionary)
    pose = solve_pose(found, TABLE, LENS, (LENS.width_px, LENS.height_px))
    assert pose.markers_used == (0, 1, 2, 3)
    assert np.linalg.norm(pose.position_mm - camera().position_mm) < 3.0


HILL = TerrainPlaced(kind="hill", polygon_mm=((40, 250), (260, 250), (260, 430), (40, 430)), slope_mm=10)


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "ground_mm"),
    [(60.0, 40.0, 0.0), (300.0, 225.0, 0.0), (555.0, 400.0, 0.0), (123.4, 301.7, 30.0), (220.0, 390.0, 30.0)],
)
def test_a_base_is_painted_where_the_lens_puts_its_rim(x_mm: float, y_mm: float, ground_mm: float) -> None:
    bare, one = table(terrain=(HILL,)), table(replace(base("b", x_mm, y_mm), figure=""), terrain=(HILL,))
    renderer = Renderer(camera(), PLAIN)
    changed = np.abs(renderer.render(one).astype(int) - renderer.render(bare).astype(int)).max(axis=2) > 20
    rows, columns = np.nonzero(changed)
    ring = np.linspace(0, 2 * np.pi, 60)
    rim = [(x_mm + 12.5 * np.cos(a), y_mm + 12.5 * np.sin(a), ground_mm + z) for a in ring for z in (0.0, 3.0)]
    expected = camera().project(rim)
    assert columns.min() == pytest.approx(expected[:, 0].min(), abs=1.0)
    assert columns.max() == pytest.approx(expected[:, 0].max(), abs=1.0)
    assert rows.min() == pytest.approx(expected[:, 1].min(), abs=1.0)
    assert rows.max() == pytest.approx(expected[:, 1].max(), abs=1.0)


def test_a_base_on_a_hill_is_measured_where_it_stands() -> None:
    seen = measure(Renderer(camera()).render(table(base("b", 150.0, 340.0), terrain=(HILL,))), TABLE, LENS)
    assert [piece.kind for piece in seen.terrain] == ["hill"]
    assert [(b.army, b.z_mm) for b in seen.bases] == [("british", 30.0)]
    assert (seen.bases[0].x_mm, seen.bases[0].y_mm) == (pytest.approx(150, abs=0.8), pytest.approx(340, abs=0.8))


def test_painting_what_changed_gives_the_picture_that_painting_all_gives() -> None:
    moved = replace(
        FULL,
        bases=(*LINE[1:], *(replace(b, x_mm=b.x_mm + 7.3, y_mm=b.y_mm - 40.0) for b in LOOSE)),
        trees=(TreePlaced(x_mm=140.0, y_mm=300.0),),
        hand_mm=(400.0, 200.0),
    )
    renderer = Renderer(camera(), CLEAN)
    for stop in (FULL, moved, FULL):
        assert np.array_equal(renderer.render(stop), Renderer(camera(), CLEAN).render(stop))


def test_the_same_seed_gives_the_same_picture_and_another_one_other_noise() -> None:
    first, again, other = (Renderer(camera(), seed=seed).render(FULL) for seed in (5, 5, 6))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_each_effect_can_be_switched_off() -> None:
    bare = Renderer(camera(), PLAIN).render(FULL)
    for effect in ("texture", "figures", "shadows"):
        assert not np.array_equal(bare, Renderer(camera(), replace(PLAIN, **{effect: True})).render(FULL))
    for effect, strength in (("lamp", 0.3), ("vignetting", 0.3), ("blur_px", 1.0), ("noise", 3.0)):
        assert not np.array_equal(bare, Renderer(camera(), replace(PLAIN, **{effect: strength})).render(FULL))


def test_an_unknown_kind_of_base_is_an_error_that_names_it() -> None:
    with pytest.raises(KeyError, match="elephant"):
        Renderer(camera(), PLAIN).render(table(replace(base("b", 1, 1), base="elephant")))


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_a_new_frame_comes_by_the_clock_and_at_once_when_the_table_changes() -> None:
    clock = Clock()
    source = SimulatedCamera(table(), camera(), PLAIN, fps=2.0, clock_s=clock)
    assert isinstance(source, Source)
    with source:
        first = source.latest()
        assert first is not None
        assert source.latest() is first
        clock.now_s = 0.6
        second = source.latest()
        assert second is not None
        assert (second.number, second.t_s, source.age_s(first)) == (1, 0.6, 0.6)
        source.replace(FULL)
        third = source.latest()
        assert third is not None
        assert third.number == 2
        assert not np.array_equal(third.image, second.image)
        assert source.status.state == "live"
    assert source.status.state == "ended"
    assert source.latest() is third


def test_the_next_two_frames_of_a_changed_table_come_sooner_than_the_others() -> None:
    clock = Clock()
    with SimulatedCamera(table(), camera(), PLAIN, fps=2.0, soon_s=0.03, clock_s=clock) as source:
        taken = []
        for hundredth in range(300):
            if hundredth == 150:
                source.replace(FULL)
            clock.now_s = hundredth / 100
            frame = source.latest()
            assert frame is not None
            if not taken or frame.t_s != taken[-1]:
                taken.append(frame.t_s)
    assert taken == pytest.approx([0.0, 0.03, 0.06, 0.56, 1.06, 1.5, 1.53, 1.56, 2.06, 2.56], abs=0.011)


@pytest.mark.parametrize(
    "effects", [Effects(), Effects(sharpen=0.6, flicker=0.05), Effects(linear=True, flicker=0.1)]
)
def test_a_film_is_exposed_anew_where_something_has_changed_and_nowhere_else(effects: Effects) -> None:
    changed, at_once = Renderer(camera(), effects), Renderer(camera(), effects)
    before = [changed.film(table()) for _ in range(4)]
    kept = before[0].copy()
    after = [changed.film(FULL) for _ in range(5)]
    assert before[3] is before[0]
    assert not np.array_equal(before[0], before[1])
    assert np.array_equal(before[0], kept), "what was given away stays as it was"
    at_once.show(table())
    expected = [at_once.film(FULL) for _ in range(3)]
    for got, want in zip(after, (expected[k % 3] for k in range(1, 6)), strict=True):
        assert np.array_equal(got, want)


def test_waiting_ends_when_the_table_is_replaced_or_the_camera_closed() -> None:
    source = SimulatedCamera(table(), camera(), PLAIN, clock_s=Clock())
    first = source.latest()
    assert first is not None
    got: list[object] = []
    waiting = threading.Thread(target=lambda: got.append(source.wait(first.number, 10.0)))
    waiting.start()
    time.sleep(0.1)
    source.replace(FULL)
    waiting.join(5)
    assert got
    assert got[0] is not None
    waiting = threading.Thread(target=lambda: got.append(source.wait(99, 10.0)))
    waiting.start()
    source.close()
    waiting.join(5)
    assert got[1:] == [None]


def test_the_demo_is_a_sound_table() -> None:
    demo = load_demo()
    virtual, size = demo.virtual, demo.virtual.table.table
    names = [figure.id for unit in demo.units for figure in unit.figures]
    assert len(set(names)) == len(names)
    assert names == [placed.id for placed in virtual.bases]
    assert {unit.side for unit in demo.units} == {army.name for army in virtual.table.armies}
    for unit in demo.units:
        assert sum(figure.role == "leader" for figure in unit.figures) == 1
    area = shapely.box(0, 0, size.width_mm, size.depth_mm)
    discs = [shapely.Point(b.x_mm, b.y_mm).buffer(12.5) for b in virtual.bases]
    assert all(area.contains(disc) for disc in discs)
    assert all(a.intersection(b).area < 0.1 for i, a in enumerate(discs) for b in discs[:i])
    for piece in virtual.terrain:
        assert shapely.Polygon(piece.polygon_mm).is_valid
        assert virtual.height_of(piece.kind) >= 0


def test_the_demos_camera_has_all_markers_and_the_whole_table_in_its_picture() -> None:
    demo = load_demo()
    size, lens = demo.virtual.table.table, demo.camera.intrinsics
    half = demo.virtual.table.markers.size_mm * 0.65
    corners = [(dx, dy) for dx in (-half, half) for dy in (-half, half)]
    wanted = [(m.x_mm + dx, m.y_mm + dy, 0.3) for m in demo.virtual.table.markers.at for dx, dy in corners]
    wanted += [(x, y, 0.0) for x in (0, size.width_mm) for y in (0, size.depth_mm)]
    seen = demo.camera.project(wanted)
    assert (seen > 0).all()
    assert (seen < (lens.width_px - 1, lens.height_px - 1)).all()
