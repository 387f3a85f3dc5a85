"""The fit of known shapes to rims, held against slow oracles: every place tried, every sample projected."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.records import Intrinsics, RectBase, RoundBase
from vision.bases.fitting.fit import Seen, fit
from vision.bases.fitting.touching import beside, keeping_apart
from vision.bases.picture.profiles import Group, grouped, moved, pattern_of, pixels_of
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, outline_of, turned
from vision.bases.usual import Look

Floats = NDArray[np.float64]

ROUND = outline_of(RoundBase(name="foot", diameter_mm=25.0, height_mm=3.0))
SQUARE = outline_of(RectBase(name="square", width_mm=20.0, depth_mm=20.0, height_mm=3.0))
HORSE = outline_of(RectBase(name="horse", width_mm=25.0, depth_mm=50.0, height_mm=3.0))
EVERY = {"round": ROUND, "square": SQUARE, "horse": HORSE}
LOOK = Look(rim_mm=2.6, blur_mm=0.6, side=0.0)
_STEPS = np.arange(-1.5, 1.51, 0.1)
_AREA = np.stack(np.meshgrid(np.linspace(-0.6, 0.6, 5), np.linspace(-0.6, 0.6, 5)), -1).reshape(-1, 2)


def painted(outline: Outline, own: Floats) -> Floats:
    """How much of a small square about places (..., 2) of the own frame is ring: counted, not worked out."""
    points = own[..., None, :] + _AREA
    away = outline.distance(points[..., 0], points[..., 1])
    return np.asarray(((away < 0) & (away > -LOOK.rim_mm)).mean(axis=-1))


def seen_of(start: Placed, true: Floats, hidden: float = 0.0) -> tuple[Group, Seen]:
    """What is seen of a base that stands at ``true`` (x, y), sampled where ``start`` is; a share of it is hidden by
    something that is not painted."""
    group = grouped([start])[0]
    pattern = pattern_of(start.outline, 1.7, 0.8, 6.4, 4.0)
    shift = turned(np.array([[true[0] - start.x_mm, true[1] - start.y_mm]]), -start.bearing_deg)[0]
    likeness = painted(start.outline, pattern.places - shift)[None].astype(np.float32)
    likeness[:, : int(hidden * len(pattern.normals))] = 0.0
    trust = np.full(likeness.shape, pattern.area_mm2, np.float32)
    return group, Seen(group, pattern, likeness, trust, None, np.zeros(likeness.shape[:2], np.float32))


@pytest.mark.parametrize("name", sorted(EVERY))
@pytest.mark.parametrize("off_mm", [(0.9, -0.6), (-0.4, 1.1)])
def test_the_fit_agrees_with_trying_every_place(name: str, off_mm: tuple[float, float]) -> None:
    outline, true = EVERY[name], np.array([130.0, 90.0])
    start = Placed(outline, float(true[0] + off_mm[0]), float(true[1] + off_mm[1]), 0.0, 12.0)
    group, seen = seen_of(start, true)
    errors = []
    for a in _STEPS:
        for b in _STEPS:
            shift = turned(np.array([[a, b]]), -12.0)[0]
            errors.append(((painted(outline, seen.pattern.places - shift) - seen.likeness[0]) ** 2).sum())
    best = np.unravel_index(int(np.argmin(errors)), (len(_STEPS), len(_STEPS)))
    oracle = [float(start.x_mm + _STEPS[best[0]]), float(start.y_mm + _STEPS[best[1]])]
    fitted, _ = fit([seen], LOOK, 10)
    found = moved(group, fitted[0].steps)
    assert [found.x[0], found.y[0]] == pytest.approx(oracle, abs=0.2)
    assert [found.x[0], found.y[0]] == pytest.approx(true, abs=0.1)


@pytest.mark.parametrize("name", sorted(EVERY))
def test_what_hides_a_third_of_a_rim_is_outvoted(name: str) -> None:
    true = np.array([130.0, 90.0])
    group, seen = seen_of(Placed(EVERY[name], 130.5, 89.6, 0.0, 12.0), true, hidden=0.33)
    fitted, _ = fit([seen], LOOK, 10)
    found = moved(group, fitted[0].steps)
    assert [found.x[0], found.y[0]] == pytest.approx(true, abs=0.25)
    assert fitted[0].support[0] < 0.8


def test_a_rim_explains_what_is_seen_and_no_rim_does_not() -> None:
    clear = fit([seen_of(Placed(ROUND, 0.0, 0.0, 0.0, 0.0), np.zeros(2))[1]], LOOK, 0)[0][0]
    away = fit([seen_of(Placed(ROUND, 0.0, 0.0, 0.0, 0.0), np.array([60.0, 0.0]))[1]], LOOK, 0)[0][0]
    assert clear.proof[0] > 0.7
    assert away.proof[0] < 0.1


def camera() -> CameraModel:
    lens = Intrinsics(
        width_px=400, height_px=300, fx=500.0, fy=500.0, cx=200.0, cy=150.0, dist=(-0.2, 0.05, 0, 0, 0)
    )
    return CameraModel(
        intrinsics=lens,
        rvec=np.array([np.pi - 0.2, 0.05, 0.1]),
        tvec_mm=np.array([-150.0, 110.0, 600.0]),
        pose_covariance=np.zeros((6, 6)),
        reprojection_rms_px=0.1,
        markers_used=(),
    )


@given(x=st.floats(50, 250), y=st.floats(40, 180), bearing=st.floats(0, 360), z=st.floats(0, 60))
def test_samples_lie_where_the_lens_puts_each_of_them(x: float, y: float, bearing: float, z: float) -> None:
    base = Placed(HORSE, x, y, z, bearing)
    pattern = pattern_of(HORSE, 1.7, 0.8, 6.4, 4.0)
    quick = pixels_of(grouped([base])[0], camera(), pattern.terms)[0]
    places = turned(pattern.places.reshape(-1, 2), bearing) + np.array([x, y])
    slow = camera().project(np.column_stack([places, np.full(len(places), z + 3.0)]))
    assert quick == pytest.approx(slow, abs=0.02)


def test_a_neighbours_rim_joins_and_its_inside_counts_for_nothing() -> None:
    groups = grouped([Placed(SQUARE, 0.0, 0.0, 0.0, 0.0), Placed(SQUARE, 20.2, 0.0, 0.0, 0.0)])
    pattern = pattern_of(SQUARE, 1.7, 0.8, 6.4, 4.0)
    told = beside(groups[0], pattern, groups, np.array([0.0, 0.0, 2000.0]), LOOK)
    assert told is not None
    ring, inside = told
    at = pattern.places
    touching = (at[..., 0] > 11.0) & (at[..., 0] < 12.0) & (np.abs(at[..., 1]) < 8)
    within = (at[..., 0] > 13.8) & (np.abs(at[..., 1]) < 5)
    assert ring[0][touching].min() > 0.7
    assert inside[0][within].min() > 0.6
    assert ring[0][at[..., 0] < 5].max() < 0.01


@given(bearing=st.floats(0, 90), way=st.floats(0, 360))
def test_bases_that_run_into_each_other_are_pushed_straight_apart(bearing: float, way: float) -> None:
    dx, dy = 18.0 * np.sin(np.deg2rad(way)), 18.0 * np.cos(np.deg2rad(way))
    group = grouped([Placed(ROUND, 0.0, 0.0, 0.0, bearing), Placed(ROUND, dx, dy, 0.0, 0.0)])[0]
    matrix, right = keeping_apart([group])([np.zeros((2, 3))])[0]
    for number, sign in ((0, -1.0), (1, 1.0)):
        step = np.linalg.pinv(matrix[number]) @ right[number]
        on_table = turned(step[None], group.bearing[number])[0]
        assert on_table == pytest.approx(sign * 3.5 * np.array([dx, dy]) / 18.0, abs=1e-6)
