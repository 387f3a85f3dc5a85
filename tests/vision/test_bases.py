"""Bases with painted rims are found where they stand, told apart where they touch, and face as their marks say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from calibration.camera import CameraModel
from calibration.records import Intrinsics, Table
from tests.long_runs import examples
from vision.bases import find_bases, look_for_bases
from vision.bases.shapes import outline_of, turned
from vision.bases.usual import UsualMarks
from vision.light import linear_of_srgb
from vision.records import BaseSeen

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

DATA = Path(__file__).parent.parent / "data" / "bases"
LENS = Intrinsics(width_px=640, height_px=480, fx=640.0, fy=640.0, cx=318.0, cy=242.0, dist=(-0.1, 0.02, 0, 0, 0))
MAT, FLOCK, PAPER = (60, 110, 92), (52, 92, 70), (225, 228, 230)
KINDS = [
    {"name": "foot", "shape": "round", "diameter_mm": 25.0, "height_mm": 3.0},
    {"name": "square", "shape": "rect", "width_mm": 20.0, "depth_mm": 20.0, "height_mm": 3.0},
    {"name": "horse", "shape": "rect", "width_mm": 25.0, "depth_mm": 50.0, "height_mm": 3.0},
]


def table(**marks: str) -> Table:
    """A table with a red and a blue army; ``marks`` gives them front marks."""
    armies = [
        {"name": name, "base_colour": colour, "bases": KINDS}
        for name, colour in (("red", "#9e2b25"), ("blue", "#2f4f9e"))
    ]
    for army in armies:
        if str(army["name"]) in marks:
            army["front_mark"] = marks[str(army["name"])]
    return msgspec.convert(
        {
            "format": "vedette-table/1",
            "table": {"width_mm": 500.0, "depth_mm": 400.0},
            "markers": {"dictionary": "DICT_4X4_100", "size_mm": 60.0},
            "armies": armies,
        },
        Table,
    )


def camera() -> CameraModel:
    """A camera 0.7 m over the table's middle, looking straight down."""
    return CameraModel(
        intrinsics=LENS,
        rvec=np.array([np.pi, 0.0, 0.0]),
        tvec_mm=np.array([-240.0, 190.0, 700.0]),
        pose_covariance=np.zeros((6, 6)),
        reprojection_rms_px=0.1,
        markers_used=(),
    )


@dataclass(frozen=True)
class Level:
    """Ground that is as high everywhere."""

    height_mm: float = 0.0

    def height_at(self, points_mm: ArrayLike, /) -> Floats:
        return np.full(len(np.asarray(points_mm)), self.height_mm)

    @property
    def outlines_mm(self) -> tuple[Floats, ...]:
        return ()

    def hides(self, points_mm: ArrayLike, eye_mm: ArrayLike, /) -> NDArray[np.bool_]:
        return np.zeros(len(np.asarray(points_mm)), dtype=np.bool_)


@dataclass(frozen=True)
class Stands:
    """A base drawn: its army's paint or colour, its kind, and where it stands; ``glare`` is the white over it."""

    army: str
    kind: str
    x_mm: float
    y_mm: float
    bearing_deg: float = 0.0
    mark: tuple[int, int, int] | None = None
    glare: float = 0.0


def bgr_of(colour: str) -> Colour:
    """Blue, green, red of a colour #rrggbb."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return blue, green, red


def glaring(colour: Colour, white: float) -> Colour:
    """A colour with so much white light over it."""
    light = (1 - white) * linear_of_srgb(colour) + white
    blue, green, red = np.searchsorted(linear_of_srgb(np.arange(256)), light).tolist()
    return blue, green, red


def drawn(
    stands: list[Stands],
    ground_mm: float = 0.0,
    seed: int = 5,
    felt: Sequence[tuple[Floats, Colour]] = (),
    flock: Colour = FLOCK,
    blur_px: float = 0.6,
) -> Image:
    """A frame of bases without figures: sides, rims, ``flock``, marks; drawn four times too fine, with noise.

    ``felt`` are polygons (N, 2) that lie under them on the mat, and their colours.
    """
    fine, view = 4, camera()
    canvas = np.full((LENS.height_px * fine, LENS.width_px * fine, 3), MAT, np.uint8)
    kinds = {k.name: outline_of(k) for k in table().armies[0].bases}
    paints = {"red": (37, 43, 158), "blue": (158, 79, 47), "bone": (154, 204, 207), "die": (30, 30, 170)}
    paints["green"] = (51, 70, 35)

    def fill(points: Floats, z: float, colour: tuple[int, int, int]) -> None:
        seen = view.project(np.column_stack([points, np.full(len(points), z)]))
        at = np.rint(((seen + 0.5) * fine - 0.5) * 16).astype(np.int32)
        cv2.fillPoly(canvas, [at], colour, shift=4)

    fill(np.array([[0, 375], [480, 375], [480, 400], [0, 400.0]]), 0.0, PAPER)  # what is white tells the light
    for polygon, colour in felt:
        fill(polygon, ground_mm, colour)
    for base in stands:
        outline, centre = kinds[base.kind], np.array([base.x_mm, base.y_mm])
        paint = glaring(paints.get(base.army) or bgr_of(base.army), base.glare)
        for depth, top, colour in ((0.0, 0.0, paint), (0.0, 3.0, paint), (2.8, 3.0, flock)):
            edge, _ = outline.ring(depth, 0.3)
            if not outline.round_:
                a, b = outline.half_width_mm - depth, outline.half_depth_mm - depth
                edge = np.array([[a, b], [a, -b], [-a, -b], [-a, b]])
            fill(turned(edge, base.bearing_deg) + centre, ground_mm + top, colour)
        if base.mark is not None:
            front = outline.half_depth_mm
            patch = np.array([[-2.0, front], [2.0, front], [2.0, front - 3], [-2.0, front - 3]])
            fill(turned(patch, base.bearing_deg) + centre, ground_mm + 3.0, base.mark)
    small = cv2.resize(canvas, (LENS.width_px, LENS.height_px), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), blur_px).astype(np.float64)
    noise = np.random.default_rng(seed).normal(0.0, 2.0, soft.shape)
    return np.clip(np.rint(soft + noise), 0, 255).astype(np.uint8)


def matched(seen: list[BaseSeen], stands: list[Stands], within_mm: float) -> list[BaseSeen]:
    """Each base drawn paired with what was found; nothing missing, nothing more, no wrong kind."""
    assert len(seen) == len(stands), [(s.army, s.base, round(s.x_mm), round(s.y_mm)) for s in seen]
    pairs = []
    for base in stands:
        near = min(seen, key=lambda s: np.hypot(s.x_mm - base.x_mm, s.y_mm - base.y_mm))
        assert np.hypot(near.x_mm - base.x_mm, near.y_mm - base.y_mm) < within_mm
        assert (near.army, near.base) == (base.army, base.kind)
        pairs.append(near)
    return pairs


@pytest.mark.parametrize("kind", ["foot", "square", "horse"])
@pytest.mark.parametrize("army", ["red", "blue"])
def test_a_base_is_found_under_its_rim_and_not_where_parallax_puts_it(army: str, kind: str) -> None:
    stands = [Stands(army, kind, 420.0, 60.0, 20.0), Stands(army, kind, 200.0, 220.0, 130.0)]
    matched(find_bases(drawn(stands), camera(), table(), Level(), ()), stands, 0.4)


def test_bases_on_a_hill_are_placed_at_the_hills_height() -> None:
    stands = [Stands("red", "foot", 400.0, 300.0), Stands("red", "foot", 120.0, 90.0)]
    seen = matched(find_bases(drawn(stands, 40.0), camera(), table(), Level(40.0), ()), stands, 0.4)
    assert {s.z_mm for s in seen} == {40.0}


def test_an_empty_table_has_no_bases() -> None:
    assert find_bases(drawn([]), camera(), table(), Level(), ()) == []


def test_a_red_die_is_no_base() -> None:
    frame = drawn([Stands("red", "foot", 300.0, 200.0)])
    at = np.rint(camera().project(np.array([[150.0, 150.0, 14.0]]))[0]).astype(int)
    cv2.rectangle(frame, (int(at[0]) - 7, int(at[1]) - 7), (int(at[0]) + 7, int(at[1]) + 7), (30, 30, 180), -1)
    assert len(find_bases(frame, camera(), table(), Level(), ())) == 1


@pytest.mark.parametrize(("kind", "pitch_mm"), [("square", 20.3), ("foot", 25.2), ("horse", 25.3)])
def test_touching_bases_of_a_line_are_told_apart(kind: str, pitch_mm: float) -> None:
    stands = [
        Stands("blue", kind, 150.0 + pitch_mm * k * 0.94, 180.0 + pitch_mm * k * 0.342, -20.0) for k in range(6)
    ]
    matched(find_bases(drawn(stands), camera(), table(), Level(), ()), stands, 0.7)


@pytest.mark.parametrize("left_of_light", [0.3, 0.45])
def test_pale_rims_are_found_in_the_deep_shadow_of_a_building(left_of_light: float) -> None:
    bone = msgspec.structs.replace(table().armies[0], name="bone", base_colour="#cfcc9a")
    kind = msgspec.structs.replace(table(), armies=(bone,))
    stands = [Stands("bone", "foot", 130.0 + 55.0 * k, 120.0 + 8.0 * k) for k in range(6)]
    light = 1 - (1 - left_of_light ** (1 / 2.2)) * (np.arange(LENS.width_px) < LENS.width_px / 2)
    frame = np.rint(drawn(stands) * cv2.GaussianBlur(light[None], (31, 1), 3.0)[..., None]).astype(np.uint8)
    matched(find_bases(frame, camera(), kind, Level(), ()), stands, 0.8)


def test_two_armies_side_by_side_keep_their_own() -> None:
    stands = [Stands("red", "foot", 200.0, 200.0), Stands("blue", "foot", 226.0, 200.0)]
    matched(find_bases(drawn(stands), camera(), table(), Level(), ()), stands, 0.6)


@pytest.mark.parametrize("kind", ["foot", "square", "horse"])
@pytest.mark.parametrize("bearing_deg", [7.0, 101.0, 190.0, 286.0])
def test_a_front_mark_tells_the_bearing(kind: str, bearing_deg: float) -> None:
    stands = [Stands("red", kind, 330.0, 130.0, bearing_deg, mark=(224, 240, 244))]
    seen = matched(find_bases(drawn(stands), camera(), table(red="#f4f0e0"), Level(), ()), stands, 0.5)[0]
    assert seen.bearing_deg is not None
    assert abs((seen.bearing_deg - bearing_deg + 180) % 360 - 180) < 4.0


def test_a_round_base_without_a_mark_has_no_bearing() -> None:
    stands = [Stands("red", "foot", 250.0, 150.0, 40.0)]
    assert find_bases(drawn(stands), camera(), table(), Level(), ())[0].bearing_deg is None


def test_what_one_base_of_many_shows_where_none_shows_a_mark_is_none() -> None:
    stands = [Stands("red", "foot", 120.0 + 50.0 * k, 160.0) for k in range(5)]
    odd = [*stands, Stands("red", "foot", 200.0, 260.0, 180.0, mark=(224, 240, 244))]
    seen = find_bases(drawn(odd), camera(), table(red="#f4f0e0"), Level(), ())
    assert [base.bearing_deg for base in seen] == [None] * 6
    marked = [replace(base, mark=(224, 240, 244)) for base in odd]
    seen = find_bases(drawn(marked), camera(), table(red="#f4f0e0"), Level(), ())
    assert None not in [base.bearing_deg for base in seen]


@pytest.mark.parametrize("kind", ["foot", "square", "horse"])
def test_where_the_mark_is_hidden_no_bearing_is_made_up(kind: str) -> None:
    stands = [Stands("red", kind, 250.0, 150.0, 40.0)]
    assert find_bases(drawn(stands), camera(), table(red="#f4f0e0"), Level(), ())[0].bearing_deg is None


def test_a_coat_of_the_marks_colour_tells_no_facing_where_no_mark_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks least like a coat at one side, and like a mark at none; where it looks a little like one, it is."""
    stands = [Stands("red", "square", 120.0 + 60.0 * k, 160.0) for k in range(4)]
    frame = drawn(stands)
    for base in stands:
        x, y = base.x_mm, base.y_mm
        coat = np.array([[x - 6, y - 6], [x + 6, y - 6], [x + 6, y + 3], [x - 6, y + 3]])
        at = np.rint(camera().project(np.column_stack([coat, np.full(4, 3.0)]))).astype(np.int32)
        cv2.fillPoly(frame, [at], (224, 240, 244))
    seen = find_bases(frame, camera(), table(red="#f4f0e0"), Level(), ())
    assert None not in [base.bearing_deg for base in seen]
    monkeypatch.setattr("vision.bases.fitting.marks._usual", lambda *_: UsualMarks(lead=0.48, shown=0.08))
    seen = find_bases(frame, camera(), table(red="#f4f0e0"), Level(), ())
    assert [base.bearing_deg for base in seen] == [None] * 4


@settings(max_examples=examples(6))
@given(dx=st.floats(-15, 15), dy=st.floats(-15, 15), seed=st.integers(0, 99))
def test_a_move_is_measured_as_long_as_it_was(dx: float, dy: float, seed: int) -> None:
    before = [Stands("red", "foot", 250.0, 180.0), Stands("blue", "foot", 100.0, 100.0)]
    after = [Stands("red", "foot", 250.0 + dx, 180.0 + dy), before[1]]
    first = matched(find_bases(drawn(before, seed=seed), camera(), table(), Level(), ()), before, 0.4)[0]
    second = matched(find_bases(drawn(after, seed=seed + 1), camera(), table(), Level(), ()), after, 0.4)[0]
    assert abs(second.x_mm - first.x_mm - dx) < 0.3
    assert abs(second.y_mm - first.y_mm - dy) < 0.3


def rendered(name: str) -> tuple[Image, CameraModel, Table, dict[str, Any]]:
    """A crop of a rendered table, with figures, shadows and JPEG, and what is known of it: see the README there."""
    known: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text())
    view = CameraModel(
        intrinsics=msgspec.convert(known["intrinsics"], Intrinsics),
        rvec=np.array(known["rvec"]),
        tvec_mm=np.array(known["tvec_mm"]),
        pose_covariance=np.zeros((6, 6)),
        reprojection_rms_px=0.1,
        markers_used=(),
    )
    whole = msgspec.convert(
        {
            "format": "vedette-table/1",
            "table": {"width_mm": known["size_mm"][0], "depth_mm": known["size_mm"][1]},
            "markers": {"dictionary": "DICT_4X4_100", "size_mm": 80.0},
            "armies": known["armies"],
        },
        Table,
    )
    return np.asarray(cv2.imread(str(DATA / f"{name}.png")), dtype=np.uint8), view, whole, known


def standing(known: dict[str, Any]) -> list[Stands]:
    return [Stands(b["army"], b["base"], b["x_mm"], b["y_mm"], b["bearing_deg"]) for b in known["bases"]]


@pytest.mark.parametrize(
    "name",
    [
        "red-horse",
        "blue-line",
        "red-on-a-hill",
        "squares-in-a-block",
        "rounds-in-a-mob",
        "loose-rounds",
        "rounds-packed-twice",
    ],
)
def test_bases_under_figures_in_rendered_pictures(name: str) -> None:
    frame, view, whole, known = rendered(name)
    seen = find_bases(frame, view, whole, Level(known["ground_mm"]), ())
    for found, base in zip(matched(seen, standing(known), 2.0), known["bases"], strict=True):
        off = np.hypot(found.x_mm - base["x_mm"], found.y_mm - base["y_mm"])
        assert off < 4 * found.sigma_mm
        if found.bearing_deg is not None:
            assert abs((found.bearing_deg - base["bearing_deg"] + 180) % 360 - 180) < 25.0


def test_in_a_part_of_a_later_frame_rounds_of_two_sizes_are_told_apart_too() -> None:
    frame, view, whole, known = rendered("loose-rounds")
    _, usual = look_for_bases(frame, view, whole, Level(), ())
    there = np.ones(frame.shape[:2], dtype=np.bool_)
    matched(look_for_bases(frame, view, whole, Level(), (), there, usual)[0], standing(known), 2.0)
