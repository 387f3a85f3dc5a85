"""Where bases without paint are looked for: in the middle under figures, and where what has changed fills them."""

from __future__ import annotations

import math
from dataclasses import replace as but_for

import cv2
import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from calibration.records import RectBase
from tests.vision.small_table import TABLE, base, camera, table
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, outline_of
from vision.ground import FLAT
from vision.plain.block import block_of
from vision.plain.choosing.formed import men_on
from vision.plain.choosing.vetting import vetted
from vision.plain.picture.backdrop import backdrop_of
from vision.plain.picture.changed import Changes, changes
from vision.plain.picture.scene import scene_of
from vision.plain.proposing.figures import feet
from vision.plain.proposing.filling import filled, large_enough
from vision.plain.proposing.outlined import outline_steps
from vision.plain.stage import Stage
from vision.simulated import Effects, Renderer, VirtualTable

FOOT = outline_of(TABLE.armies[0].bases[0])
ELEMENT = outline_of(
    msgspec.convert(
        {"name": "element", "shape": "rect", "width_mm": 40.0, "depth_mm": 20.0, "height_mm": 3.0}, RectBase
    )
)
SHARE, LEAST_OF_SIZE = 0.72, 0.7
LOOSE = [(150.0, 180.0), (230.0, 300.0), (420.0, 150.0), (460.0, 330.0)]
FILE = [(200.0 + 25.4 * k, 250.0) for k in range(4)]


def changed_where(shapes: list[tuple[float, float, float, float, float]]) -> Changes:
    """What has changed is some boxes: middle x and y, width and depth in cells, and how they are turned."""
    mask = np.zeros((300, 340), np.uint8)
    for x, y, wide, deep, turn in shapes:
        corners = cv2.boxPoints(((x, y), (wide, deep), turn))
        cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
    pieces = cv2.connectedComponents(mask)[1]
    return Changes(np.zeros((*mask.shape, 3), np.float32), mask.astype(np.float32), pieces.astype(np.int32), 1.25)


def filled_one_by_one(seen: Changes, outline: Outline, turn_deg: float) -> set[tuple[int, int]]:
    """Every cell of the table by itself: its share of change under the outline, and the piece that it is on."""
    cell = seen.step * seen.cell_mm
    half = int(outline.reach_mm / cell) + 2
    y, x = np.mgrid[-half : half + 1, -half : half + 1] * cell
    angle = math.radians(turn_deg)
    u, v = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
    within = np.clip(0.5 - outline.distance(u, v) / cell, 0, 1)
    room = np.pad(seen.coarse, half)
    large = LEAST_OF_SIZE * outline.area_mm2
    told = set()
    for row, column in np.argwhere(seen.areas_mm2[seen.coarse_pieces] >= large).tolist():
        part = room[row : row + 2 * half + 1, column : column + 2 * half + 1]
        if (part * within).sum() > SHARE * within.sum():
            told.add((row, column))
    return told


@pytest.mark.parametrize("outline", [FOOT, ELEMENT], ids=lambda outline: outline.name)
def test_an_outline_is_filled_where_adding_up_every_cell_under_it_says_so(outline: Outline) -> None:
    seen = changed_where(
        [(60, 60, 34, 18, 20), (160, 80, 90, 40, -35), (250, 200, 20, 20, 0), (80, 220, 8, 8, 10),
         (339, 299, 40, 30, 0)]
    )  # fmt: skip
    turns = np.array([0.0, 20.0, 65.0, 110.0])
    some = 0
    for turn, (rows, columns) in zip(turns, filled(seen, outline, turns), strict=True):
        places = list(zip(rows.tolist(), columns.tolist(), strict=True))
        assert len(places) == len(set(places))
        assert set(places) == filled_one_by_one(seen, outline, float(turn))
        some += len(places)
    assert some > 100


def test_no_base_is_looked_for_on_what_is_much_smaller_than_it() -> None:
    seen = changed_where([(60, 60, 8, 8, 0), (160, 80, 60, 40, 0)])
    assert large_enough(seen, FOOT).tolist() == [False, False, True]  # the unchanged table, a die, and a book


def test_how_clear_an_outline_is_does_not_depend_on_how_many_are_asked_for() -> None:
    rng = np.random.default_rng(2)
    seen = but_for(changed_where([(160, 150, 200, 200, 0)]), off=rng.normal(0, 3, (300, 340, 3)).astype(np.float32))
    at = rng.uniform((60.0, 60.0), (300.0, 250.0), (1100, 2))
    all_ = outline_steps(seen, ELEMENT, 30.0, at, np.zeros(1100), camera())
    each = [outline_steps(seen, ELEMENT, 30.0, at[[k]], np.zeros(1), camera())[0] for k in range(0, 1100, 50)]
    assert all_[::50] == pytest.approx(each, abs=1e-4)


def test_an_outline_is_clearest_where_what_has_changed_ends() -> None:
    seen = changed_where([(160, 150, 32, 16, 0)])
    seen = but_for(seen, off=np.repeat(3 * seen.changed[..., None], 3, axis=2))
    middle = np.array([160.0, 150.0]) * 1.25 - 30.0
    off = np.array([(x, y) for x in (-9, -6, -3, 0, 3, 6, 9) for y in (-9, -6, -3, 0, 3, 6, 9)], dtype=np.float64)
    clear = outline_steps(seen, ELEMENT, 0.0, middle + off, np.zeros(len(off)), camera())
    assert off[int(clear.argmax())].tolist() == [0.0, 0.0]


def stage_of(places: list[tuple[float, float]], *, flock: str = "") -> Stage:
    """Bases, of the mat's own colour if not told otherwise, at some places, as the search for them sees it."""
    effects = Effects(jpeg_quality=0, noise=1.0)
    empty = table(flock=flock or VirtualTable(table=TABLE).mat)
    bases = tuple(replace(base(f"m{k}", *at), plain=True) for k, at in enumerate(places))
    before = Renderer(camera(), effects, 1).render(empty)
    after = Renderer(camera(), effects, 1).render(replace(empty, bases=bases))
    backdrop = backdrop_of(after, before, camera(), TABLE, FLAT)
    scale = float(camera().px_per_mm(np.array([[300.0, 225.0, 0.0]]))[0])
    scene = scene_of(after.astype(np.float32), backdrop, camera(), scale)
    hidden = np.zeros(after.shape[:2], np.bool_)
    edge = cv2.dilate((backdrop.then.max(axis=2) > 200).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    stood = feet(scene, FLAT, hidden | edge)
    levels = {FOOT.height_mm: changes(scene, TABLE, FLAT, hidden | edge, FOOT.height_mm)}
    return Stage(but_for(scene, feet=stood), FLAT, [], levels, stood, hidden, usual=2.0)


def test_a_base_is_looked_for_with_its_middle_under_each_figure() -> None:
    """A coat's edges are clearer than those of a base of the mat's own colour, and no reason to look beside it."""
    places = stage_of(LOOSE).manned([FOOT, ELEMENT])
    for outline in (FOOT, ELEMENT):
        own = [(p.x_mm, p.y_mm) for p in places if p.outline == outline]
        assert all(min(math.dist(at, one) for one in own) < 3.0 for at in LOOSE)
        assert len(own) < 12 * len(LOOSE)


def test_a_line_that_is_not_believed_keeps_no_ground_from_others() -> None:
    stage = stage_of(FILE, flock="#8f7a4a")
    x, y = np.mean(FILE, axis=0).tolist()
    members = tuple(Placed(FOOT, *at, 0.0, 0.0) for at in FILE)
    line = but_for(block_of(FOOT, (4, 1), 0.4, Placed(FOOT, x, y, 0.0, 0.0), 4, (0.4, 0.3)), members=members)
    away = tuple(but_for(p, y_mm=p.y_mm - 110.0) for p in members)
    nothing = but_for(line, whole=but_for(line.whole, y_mm=y - 110.0), members=away)
    square = Outline("square", False, 12.5, 12.5, 3.0)
    across = block_of(square, (2, 2), 0.4, Placed(square, x, y + 9.0, 0.0, 40.0), 2, (0.4, 0.3))
    assert vetted(stage, [line]) == [line]
    assert vetted(stage, [nothing, line, across]) == [line]
    assert vetted(stage, []) == []


def test_the_next_base_may_stand_at_an_end_of_a_line_that_is_known_or_beside_it_in_step_with_it() -> None:
    members = tuple(Placed(FOOT, *at, 0.0, 0.0) for at in FILE)
    x, y = np.mean(FILE, axis=0).tolist()
    line = but_for(block_of(FOOT, (4, 1), 0.4, Placed(FOOT, x, y, 0.0, 0.0), 4, (0.4, 0.3)), members=members)
    step = np.subtract(FILE[1], FILE[0])
    second = np.add(FILE[0], [step[1], -step[0]])  # of a rank beside it, one is held
    held = Placed(FOOT, *second.tolist(), 0.0, 0.0)
    spots = [(p.x_mm, p.y_mm) for p in stage_of(FILE).with_blocks([line]).beside([held])]
    for due in (np.subtract(FILE[0], step), np.add(FILE[-1], step), second + step):
        assert min(math.dist(due, spot) for spot in spots) < 2.0
    assert min(math.dist(at, spot) for at in FILE for spot in spots) > 10.0


HORSE = Outline("horse", False, 12.5, 25.0, 3.0)


@pytest.mark.parametrize("turn_deg", [0.0, 110.0])
def test_riders_stand_in_a_rank_of_horse_wherever_along_its_bases_they_are_seen(turn_deg: float) -> None:
    """At the table's edge a rider's hat is seen 15 mm from his base's middle, and his horse's croup besides."""
    rank = block_of(HORSE, (4, 1), 0.4, Placed(HORSE, 300.0, 225.0, 0.0, turn_deg), 4, (0.4, 0.3))
    middles = np.array([(p.x_mm, p.y_mm) for p in rank.bases()])
    lengthwise = np.array([math.sin(math.radians(turn_deg)), math.cos(math.radians(turn_deg))])
    across = np.array([lengthwise[1], -lengthwise[0]])
    hats, croups = middles + 15.0 * lengthwise, middles - 8.0 * lengthwise
    assert men_on(rank, hats)[:2] == (4, 4)
    assert men_on(rank, hats)[2] < 0.1
    assert men_on(rank, np.concatenate([hats, croups]))[:2] == (4, 4)
    between = middles[:1] + 9.0 * across
    assert men_on(rank, np.concatenate([hats, between]))[:2] == (4, 5)
    foot = block_of(ELEMENT, (4, 1), 0.4, Placed(ELEMENT, 300.0, 225.0, 0.0, turn_deg), 4, (0.4, 0.3))
    assert men_on(foot, np.array([(p.x_mm, p.y_mm) for p in foot.bases()]) + 7.0 * lengthwise)[0] == 0
