"""Beside each quick way of looking for terrain a slow and obvious one, and edges whose place is known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.pictures import grey_of
from calibration.prints.markers import find_markers
from tests.vision.small_table import camera
from tests.vision.test_terrain import FIELD, HILL, RIVER, WIDE, WOOD, laid
from vision.simulated import Renderer, VirtualTable
from vision.terrain.colour import Light, lightness_roots
from vision.terrain.edges import Profiler
from vision.terrain.kinds import colours_of
from vision.terrain.outlines import fitted, traced
from vision.terrain.paints import distance, paint_for, unlikelihood
from vision.terrain.scene import Scene, closed, dilated, eroded, look

EVEN = Light(np.ones(3), 1.0, np.zeros((4, 3)), (120, 90))


def exact_labels(scene: Scene) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which cells of the small picture were looked at, and the paint of each, judged from the frame in floats."""
    paints = [paint_for(kind) for kind in scene.table.terrain_kinds]
    rows, columns = np.mgrid[3 : scene.shape[0] - 3 : 3, 3 : scene.shape[1] - 3 : 3]
    cells = np.column_stack([columns.ravel(), rows.ravel()])
    at = np.rint(scene.in_frame(cells.astype(np.float64))).astype(int)
    patches = np.stack([scene.frame[at[:, 1] + j, at[:, 0] + i] for i in (-1, 0, 1) for j in (-1, 0, 1)])
    levels = patches.astype(np.float64).mean(axis=0) * scene.light.gain(at.astype(np.float64))
    table = scene.light.levels().astype(np.float64)
    light = np.column_stack([np.interp(levels[:, c], np.arange(256), table[:, c]) for c in range(3)])
    roots = lightness_roots(light.astype(np.float32))
    costs = np.column_stack([distance(roots, paint) for paint in paints])
    likely = np.column_stack([unlikelihood(costs[:, i], paint) for i, paint in enumerate(paints)])
    likely[costs >= 9.0] = np.inf
    return cells, np.where(np.isfinite(likely).any(axis=1), likely.argmin(axis=1) + 1, 0)


def test_numbered_colours_are_judged_as_every_pixel_would_be():
    pieces = (("woods", WOOD), ("hill", HILL), ("river", RIVER), ("field", FIELD))
    frame = Renderer(camera()).render(VirtualTable(table=WIDE, terrain=tuple(laid(*piece) for piece in pieces)))
    scene = look(frame, camera(), WIDE, find_markers(grey_of(frame), "DICT_4X4_100"))
    paints, colours = colours_of(scene)
    quick = colours.nearest(paints)
    cells, exact = exact_labels(scene)
    ours = quick[cells[:, 1], cells[:, 0]]
    terrain = exact > 0
    assert np.count_nonzero(terrain) > 1000
    assert (ours[terrain] == exact[terrain]).mean() > 0.93
    assert (ours[terrain & (ours > 0)] == exact[terrain & (ours > 0)]).mean() > 0.99


@pytest.mark.parametrize("radius_px", [1.0, 3.0, 5.0, 9.0])
def test_brushes_by_distance_are_brushes(radius_px: float):
    rng = np.random.default_rng(3)
    mask = (rng.random((40, 50)) > 0.9).astype(np.uint8)
    ys, xs = np.nonzero(mask)
    rows, columns = np.mgrid[0:40, 0:50]
    nearest = np.sqrt((rows[..., None] - ys) ** 2 + (columns[..., None] - xs) ** 2).min(axis=2)
    grown = dilated(mask, radius_px) > 0
    assert not (grown & (nearest > radius_px + 0.5)).any()
    assert not (~grown & (nearest < radius_px - 0.5)).any()
    assert ((eroded(1 - mask, radius_px) > 0) == ~grown).all()
    assert (closed(mask, radius_px) >= mask).all()


def square(corners: tuple[float, float, float, float], noise: float = 0.0) -> NDArray[np.uint8]:
    """A picture (90, 120, 3) of a red rectangle (left, top, right, bottom) on green, its rim mixed."""
    left, top, right, bottom = corners
    ys, xs = np.mgrid[0:90, 0:120].astype(np.float64)
    share = np.clip(xs - left + 0.5, 0, 1) * np.clip(right - xs + 0.5, 0, 1)
    share = (share * np.clip(ys - top + 0.5, 0, 1) * np.clip(bottom - ys + 0.5, 0, 1))[..., None]
    picture = share * np.array([60.0, 70.0, 160.0]) + (1 - share) * np.array([60.0, 120.0, 100.0])
    return np.clip(
        np.rint(picture + noise * np.random.default_rng(1).standard_normal(picture.shape)), 0, 255
    ).astype(np.uint8)


def dense(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """A closed line (N, 2) with twenty points an edge."""
    ahead = np.roll(corners, -1, axis=0)
    return np.concatenate([np.linspace(a, b, 20, endpoint=False) for a, b in zip(corners, ahead, strict=True)])


@pytest.mark.parametrize("noise", [0.0, 4.0])
@pytest.mark.parametrize("off", [0.0, 1.5, -1.5])
def test_an_outline_is_fitted_to_a_tenth_of_a_pixel_from_a_rough_contour(off: float, noise: float):
    corners = (20.3, 15.7, 90.6, 70.2)
    rough = np.array([(20 - off, 15), (90 - off, 15), (90 - off, 70), (20 - off, 70)])
    contour = dense(rough)
    profiler = Profiler(square(corners, noise), EVEN, 1.0)
    outline = fitted(traced(contour, 40.0, profiler), 40.0, profiler)
    assert outline is not None
    assert len(outline.corners) == 4
    assert np.sort(outline.corners[:, 0]) == pytest.approx([20.3, 20.3, 90.6, 90.6], abs=0.1)
    assert np.sort(outline.corners[:, 1]) == pytest.approx([15.7, 15.7, 70.2, 70.2], abs=0.1)
    assert outline.hidden == 0.0


def test_a_strip_has_square_ends_and_its_breadth_from_both_edges():
    profiler = Profiler(square((20.4, 40.3, 90.7, 46.8), 3.0), EVEN, 1.0)
    rough = np.array([(21.0, 41.0), (90.0, 41.0), (90.0, 46.0), (21.0, 46.0)])
    contour = dense(rough)
    outline = fitted(traced(contour, 6.5, profiler), 6.5, profiler)
    assert outline is not None
    assert len(outline.corners) == 4
    assert np.ptp(outline.corners[:, 1]) == pytest.approx(6.5, abs=0.25)
    assert np.ptp(outline.corners[:, 0]) == pytest.approx(70.3, abs=0.5)


def test_a_wall_seen_from_above_in_one_part_does_not_lose_a_side_there_that_is_seen_in_another():
    """The whole is 12 px broad on average, with its side; but here nothing of that is seen."""
    ys, _ = np.mgrid[0:90, 0:120].astype(np.float64)
    share = (np.clip(ys - 40.5, 0, 1) * np.clip(45.9 - ys, 0, 1))[..., None]
    picture = np.rint(share * np.full(3, 180.0) + (1 - share) * np.full(3, 110.0)).astype(np.uint8)
    profiler = Profiler(picture, EVEN, 1.0)
    contour = dense(np.array([(20.0, 41.0), (100.0, 41.0), (100.0, 45.4), (20.0, 45.4)]))
    outline = fitted(traced(contour, 12.0, profiler), 12.0, profiler, lambda places: places - np.array([0.0, 4.0]))
    assert outline is not None
    assert np.ptp(outline.corners[:, 1]) == pytest.approx(4.4, abs=0.5)


def test_where_nothing_ends_no_edge_is_told():
    profiler = Profiler(np.full((90, 120, 3), 90, np.uint8), EVEN, 1.0)
    places = np.column_stack([np.linspace(20, 90, 40), np.full(40, 45.0)])
    crossing = profiler.across(places, np.tile([0.0, -1.0], (40, 1)), 40.0, 4.0, 2.5)
    assert not crossing.told.any()
    assert not crossing.shift_px.any()


@pytest.mark.parametrize("shadow_px", [1.5, 2.5, 4.0])
def test_the_narrow_shadow_of_a_wall_is_no_part_of_it(shadow_px: float):
    """Seen from above, with its shadow along one side, and all of it blurred by a pixel."""
    ys, _ = np.mgrid[0:90, 0:120].astype(np.float64)
    picture = np.broadcast_to([60.0, 120.0, 140.0], (90, 120, 3)).copy()
    for colour, top, bottom in (((12.0, 24.0, 28.0), 40.3, 46.8 + shadow_px), ((120.0, 105.0, 120.0), 40.3, 46.8)):
        share = (np.clip(ys - top + 0.5, 0, 1) * np.clip(bottom - ys + 0.5, 0, 1))[..., None]
        picture = share * np.array(colour) + (1 - share) * picture
    frame = cv2.GaussianBlur(np.rint(picture).astype(np.uint8), (0, 0), 0.8)
    middle = np.linspace(20.0, 100.0, 40)

    def off(edge: float, outward: float) -> float:
        """How far from an edge, looked for from a pixel farther out, it is told on average."""
        places = np.column_stack([middle, np.full(40, edge + outward)])
        crossing = Profiler(frame, EVEN, 1.0, 0.6, shaded=True).across(
            places, np.tile([0.0, outward], (40, 1)), 6.5, 2.5, 1.5
        )
        assert crossing.told.mean() > 0.9
        return float(crossing.shift_px[crossing.told].mean() + 1.0)

    assert off(40.3, -1.0) == pytest.approx(0.0, abs=0.4)
    assert off(46.8, 1.0) == pytest.approx(0.0, abs=0.4)
