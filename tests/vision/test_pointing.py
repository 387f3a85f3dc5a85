"""A base that somebody points at is read off the picture: its colour, its shape, its size."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from benchmarks.accuracy.cases import read_case
from calibration.errors import JobFailed
from calibration.pictures import grey_of
from calibration.poses.pose import solve_pose
from calibration.prints.markers import FoundMarker, find_markers
from calibration.records import Army, BaseKind, RectBase, RoundBase
from tests.long_runs import some
from vision.frames.records import Image
from vision.measure import measure
from vision.pointing import colour_at, kind_in, read_base, with_kind
from vision.simulated import Demo, SimulatedCamera, load_demo

TRACED = Path(__file__).parents[1] / "data" / "traced"
TRACED_BASES = ("army-1-foot-6-5", "army-1-element-0-1", "army-2-foot-2-9")


@cache
def looked(name: str) -> tuple[Demo, Image, tuple[FoundMarker, ...]]:
    demo = load_demo(name)
    frame = SimulatedCamera(demo.virtual, demo.camera).latest()
    assert frame is not None
    return demo, frame.image, find_markers(grey_of(frame.image), "DICT_4X4_100")


def pixel(demo: Demo, x: float, y: float, z: float = 3.0) -> tuple[float, float]:
    at = demo.camera.project([[x, y, z]])[0]
    return float(at[0]), float(at[1])


def size(kind: BaseKind) -> tuple[float, ...]:
    return (kind.diameter_mm,) if isinstance(kind, RoundBase) else (kind.width_mm, kind.depth_mm)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("demo", "base"),
    some(4, [
        ("muskets-mohawks", "1st-foot-1"), ("muskets-mohawks", "hurons-6"), ("musket-pike", "milice-1"),
        ("musket-pike", "chevau-legers-1"), ("musket-pike", "lord-ashby-1"), ("muskets-mohawks", "rangers-7"),
        ("presidio", "comanches-6"), ("palouse", "royals-1"),
    ]),
)  # fmt: skip
def test_shape_and_size_are_those_of_the_base_that_is_touched(demo: str, base: str) -> None:
    played, frame, found = looked(demo)
    there = next(one for one in played.virtual.bases if one.id == base)
    rng = np.random.default_rng(3)
    shaky = rng.normal(0, 2.5, 2)
    x, y = pixel(played, there.x_mm, there.y_mm, 8.0)
    read = read_base(frame, played.camera, played.virtual.table, (x + shaky[0], y + shaky[1]), found)
    truth = played.virtual.base_kind(there)
    assert type(read.kind) is type(truth)
    assert size(read.kind) == size(truth)
    assert np.hypot(read.x_mm - there.x_mm, read.y_mm - there.y_mm) < 2.0


def test_by_the_colour_that_was_read_all_bases_of_each_army_are_found() -> None:
    """Those of another demo's armies are, in `tests/webui/test_evening.py`: from nothing to playing."""
    played, frame, found = looked("presidio")
    armies = []
    for army in played.virtual.table.armies:
        base = next(one for one in played.virtual.bases if one.army == army.name)
        read = read_base(frame, played.camera, played.virtual.table, pixel(played, base.x_mm, base.y_mm), found)
        armies.append(Army(name=army.name, base_colour=read.colour, bases=(read.kind,)))
    table = replace(played.virtual.table, armies=tuple(armies), terrain_kinds=())
    seen = measure(frame, table, played.camera.intrinsics).bases
    for army in armies:
        there = sum(base.army == army.name for base in played.virtual.bases)
        assert sum(base.army == army.name for base in seen) == there


@pytest.mark.parametrize(
    ("demo", "x", "y"),
    some(3, [
        ("muskets-mohawks", 300.0, 500.0), ("muskets-mohawks", 1590.0, 490.0), ("musket-pike", 1385.84, 506.12),
        ("muskets-mohawks", 1500.0, 1080.0), ("muskets-mohawks", 780.0, 1050.0),
    ]),
)  # fmt: skip
def test_where_no_base_stands_none_is_made_up(demo: str, x: float, y: float) -> None:
    """Of a wood that lies bare a base of its own paint was made up about the finger."""
    played, frame, found = looked(demo)
    with pytest.raises(JobFailed, match="no base under the finger: point at"):
        read_base(frame, played.camera, played.virtual.table, pixel(played, x, y, 0.0), found)


@pytest.mark.parametrize("at", [(-5.0, 10.0), (10.0, 5000.0)])
def test_outside_the_picture_is_said(at: tuple[float, float]) -> None:
    played, frame, found = looked("muskets-mohawks")
    with pytest.raises(JobFailed, match="outside the picture"):
        read_base(frame, played.camera, played.virtual.table, at, found)
    with pytest.raises(JobFailed, match="outside the picture"):
        colour_at(frame, at, found)


def test_the_colour_of_terrain_is_as_in_good_light() -> None:
    played, frame, found = looked("muskets-mohawks")
    read = colour_at(frame, pixel(played, 1480.0, 580.0, 0.0), found, 7.0)
    truth = played.virtual.colour_of("woods")
    off = [abs(int(read[k : k + 2], 16) - int(truth[k : k + 2], 16)) for k in (1, 3, 5)]
    assert max(off) < 25, (read, truth)


def test_a_base_of_a_size_that_an_army_has_is_known_again() -> None:
    kind = RectBase(name="stand", width_mm=60.0, depth_mm=40.0, height_mm=3.0)
    armies = (Army(name="red", base_colour="#a8282a", bases=(RoundBase(name="foot", diameter_mm=25.0), kind)),)
    assert kind_in(armies, "red", RectBase(name="foot", width_mm=60.0, depth_mm=40.0)) == kind
    assert kind_in(armies, "red", RoundBase(name="foot", diameter_mm=30.0)) is None
    assert kind_in(armies, "blue", kind) is None


@pytest.mark.parametrize("which", some(1, TRACED_BASES))
def test_in_a_picture_of_another_renderer_bases_that_touch_are_read_as_well(which: str) -> None:
    """Of the public cases, where most bases stand in lines and blocks, one in three was."""
    case = read_case(TRACED / "fair-2003")
    found = find_markers(grey_of(case.photo), case.table.markers.dictionary)
    camera = solve_pose(found, case.table, case.intrinsics, (case.photo.shape[1], case.photo.shape[0]))
    there = next(base for base in case.truth.bases if base.id == which)
    at = camera.project([[there.x_mm, there.y_mm, there.z_mm + 8.0]])[0]
    read = read_base(case.photo, camera, case.table, (float(at[0]), float(at[1])), found)
    truth = next(k for a in case.table.armies if a.name == there.army for k in a.bases if k.name == there.base)
    assert sorted(size(read.kind)) == sorted(size(truth))
    assert np.hypot(read.x_mm - there.x_mm, read.y_mm - there.y_mm) < 1.5


def test_a_second_kind_of_bases_leaves_what_is_known_of_its_army() -> None:
    foot, horse = RoundBase(name="foot", diameter_mm=25.0), RectBase(name="horse", width_mm=25.0, depth_mm=50.0)
    armies = (Army(name="red", base_colour="#a8282a", front_mark="#ffffff", bases=(horse,)),)
    (red,) = with_kind(armies, "red", "#a02020", foot)
    assert (red.base_colour, red.front_mark, red.bases) == ("#a8282a", "#ffffff", (horse, foot))
    assert with_kind(armies, "red", "#a02020", replace(horse, name="other")) == armies
    assert with_kind(armies, "blue", "#2020a0", foot)[1:] == (
        Army(name="blue", base_colour="#2020a0", bases=(foot,)),
    )
