"""Bases flocked like the mat stand where they stand, and neither towards the lamp nor away from it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from msgspec.structs import replace

from calibration.records import RectBase, RoundBase
from tests.long_runs import some
from tests.vision.small_table import TABLE, base, camera
from tests.vision.test_plain import CLEAN, pictures, posed
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline
from vision.ground import FLAT
from vision.plain import Pictures, look_for_plain_bases
from vision.plain.picture.matte import Bodies, matte
from vision.plain.picture.shade import SLOPING, UPRIGHT, Shade, light_on
from vision.plain.weighing.lamp import falls_about
from vision.simulated import Renderer, VirtualTable

PLACES = [(120.0 + 90 * k, 110.0 + 115 * m) for k in range(5) for m in range(3)]
WORN = replace(CLEAN, relief=True, flock=24, shadow_depth=0.4, shadow_soft_mm=3.0)
KINDS = (
    RoundBase(name="foot", diameter_mm=25.0, height_mm=3.0),
    RectBase(name="horse", width_mm=25.0, depth_mm=50.0, height_mm=3.0),
    RectBase(name="gun", width_mm=50.0, depth_mm=60.0, height_mm=3.0),
    RectBase(name="element", width_mm=40.0, depth_mm=20.0, height_mm=3.0),
)
HORSES = replace(TABLE, armies=(replace(TABLE.armies[0], bases=KINDS),))
FOOT = Outline("foot", True, 12.5, 12.5, 3.0)
AWAY = (np.ones((1, 1), np.float32), np.zeros((1, 1), np.float32))
TOWARD = (-AWAY[0], AWAY[1])


@pytest.mark.parametrize(("lamp_mm", "figures"), some(1, [((0.9, -0.9), True), ((0.0, -0.9), False)]))
def test_no_lamp_draws_bases_to_its_own_side(lamp_mm: tuple[float, float], figures: bool) -> None:
    """The edge on the far side is dark, as are the shadows beside it: not all that is dark there is the table's."""
    stand = [replace(base(f"p{at}", *at), plain=True) for at in PLACES]
    stand = stand if figures else [replace(one, figure="") for one in stand]
    after, before = pictures(*stand, effects=replace(WORN, lamp_mm=lamp_mm))
    prints, pose = posed(after)
    seen, lit = look_for_plain_bases(Pictures(after, before, pose, TABLE, FLAT, prints), ())
    nearest = [min(PLACES, key=lambda at: math.dist(at, (b.x_mm, b.y_mm))) for b in seen]
    off = np.array([(b.x_mm - x, b.y_mm - y) for b, (x, y) in zip(seen, nearest, strict=True)])

    assert len(seen) == len(PLACES)
    assert np.hypot(*off.mean(axis=0)) < 0.25
    assert np.sqrt(np.square(off).sum(axis=1).mean()) < 0.35
    assert lit is not None
    assert lit.shade is not None
    assert lit.shade.exact
    assert math.dist((lit.shade.x_mm, lit.shade.y_mm), lamp_mm) < 0.4


def test_horses_side_by_side_under_a_low_lamp_are_told_and_hardly_any_is_made_up() -> None:
    """Lines of three: searched for without their dark sides, six of fifteen were missed, and four made up."""
    middles = [(130.0, 120.0), (130.0, 330.0), (330.0, 120.0), (330.0, 330.0), (500.0, 225.0)]
    lines = [
        (x + beside * 25.4 * math.cos(turn), y + beside * 25.4 * math.sin(turn), math.degrees(turn))
        for (x, y), turn in zip(middles, np.deg2rad(10.0 + 111.0 * np.arange(5)).tolist(), strict=True)
        for beside in (-1, 0, 1)
    ]
    stand = [
        replace(base(f"h{k}", x, y, bearing_deg=turn % 360), base="horse", plain=True)
        for k, (x, y, turn) in enumerate(lines)
    ]
    empty = VirtualTable(table=HORSES, flock=VirtualTable(table=TABLE).mat)
    light = replace(WORN, lamp_mm=(0.9, -0.9))
    before, after = (Renderer(camera(), light, 1).render(replace(empty, bases=some)) for some in ((), tuple(stand)))
    prints, pose = posed(after)
    seen, _ = look_for_plain_bases(Pictures(after, before, pose, HORSES, FLAT, prints), ())
    right = [
        one for one in seen
        if one.base == "horse" and any(math.dist((one.x_mm, one.y_mm), at[:2]) < 3 for at in lines)
    ]  # fmt: skip
    assert len(right) > 9
    assert len(seen) - len(right) < 2


def test_sides_in_the_lamp_s_way_are_bright_and_those_away_from_it_dark() -> None:
    shade = Shade(0.6, 0.0, 3.0)
    toward, away = (float(light_on(shade, way, UPRIGHT)[0, 0]) for way in (TOWARD, AWAY))
    assert away < toward < 1
    assert away < float(light_on(shade, AWAY, SLOPING)[0, 0]) < 1
    assert float(light_on(shade, AWAY, 1.0)[0, 0]) == pytest.approx(1.0)  # a level top has all of the light


def test_under_a_lamp_overhead_sides_are_darker_than_the_top_all_round() -> None:
    shade = Shade(0.0, 0.0, 3.0)
    toward, away = (float(light_on(shade, way, UPRIGHT)[0, 0]) for way in (TOWARD, AWAY))
    assert toward == away
    assert away < float(light_on(shade, AWAY, SLOPING)[0, 0]) < 1


def test_a_foot_s_shadow_lies_on_the_ground_and_is_hidden_behind_the_base_where_its_side_is_not_seen() -> None:
    at = Placed(FOOT, 560.0, 228.0, 0.0, 0.0)  # far to the right of the camera
    bodies = Bodies([at], camera(), Shade(0.0, 0.0, 2.0, exact=True))
    beside = np.array([[(at.x_mm - 15.5, at.y_mm), (at.x_mm + 15.5, at.y_mm)]])
    seen = matte(bodies, np.array([0]), bodies.neighbours(), beside, 0.3)
    assert seen.band[0, 0] > 1.3 * seen.band[0, 1]


@pytest.mark.parametrize("way_deg", [0.0, 100.0, 240.0, -170.0])
@pytest.mark.parametrize(
    ("wide_deg", "about"), [(0.0, True), (25.0, True), (-25.0, True), (40.0, False), (180.0, False)]
)
def test_bases_shadows_fall_about_the_way_of_their_figures(way_deg: float, wide_deg: float, about: bool) -> None:
    """On a table with hard shadows a lamp from the other side was told, and bases 1.5 mm towards it."""
    turn = math.radians(way_deg + wide_deg)
    shade = Shade(0.7 * math.cos(turn), 0.7 * math.sin(turn), 1.0)
    assert falls_about(shade, math.radians(way_deg)) == about
    assert falls_about(shade, None)
