"""Where figures are likely to hide their bases: in the middle, and away from the point under the camera."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.long_runs import examples
from vision.bases.picture.figures import hidden_by_figures
from vision.bases.picture.profiles import Group, pattern_of
from vision.bases.shapes import Outline, turned

Floats = NDArray[np.float64]

EYE = np.array([900.0, 600.0, 1500.0])
FOOT, ELEMENT = Outline("foot", True, 12.5, 12.5, 3.0), Outline("element", False, 30.0, 20.0, 3.0)
SQUARE = Outline("square", False, 10.0, 10.0, 3.0)
PATTERN = (2.0, 1.0, 8.0, 8.0)


def one(outline: Outline, x_mm: float, y_mm: float, bearing_deg: float = 0.0, z_mm: float = 0.0) -> Group:
    number = np.zeros(1, np.intp)
    return Group(outline, number, np.array([x_mm]), np.array([y_mm]), np.array([z_mm]), np.array([bearing_deg]))


def hidden(group: Group) -> tuple[Floats, Floats]:
    """How likely each place (S,) is hidden, and where it lies (S, 2) beside the middle, on the table."""
    pattern = pattern_of(group.outline, *PATTERN)
    at = turned(pattern.places.reshape(1, -1, 2), group.bearing[:, None])[0]
    return hidden_by_figures(group, pattern, EYE)[0].ravel(), at


def test_straight_under_the_camera_a_figure_hides_none_of_the_rim() -> None:
    likely, at = hidden(one(FOOT, 900.0, 600.0))
    assert not likely[np.hypot(*at.T) > 9.0].any()
    assert (likely[np.hypot(*at.T) < 5.0] == 1.0).all()


def test_far_off_it_hides_the_rim_away_from_the_camera_and_not_the_near_one() -> None:
    likely, at = hidden(one(FOOT, 100.0, 600.0))
    rim = np.abs(np.hypot(*at.T) - 12.5) < 1.0
    assert likely[rim & (at[:, 0] < -12.0)].min() > 0.8
    assert not likely[rim & (at[:, 0] > -5.0)].any()


def test_of_a_base_on_which_several_stand_nobody_knows_what_they_hide() -> None:
    assert not hidden(one(ELEMENT, 100.0, 600.0))[0].any()


@settings(max_examples=examples(30), deadline=None)
@given(
    outline=st.sampled_from([FOOT, SQUARE]),
    x_mm=st.floats(0.0, 1800.0),
    y_mm=st.floats(0.0, 1200.0),
    bearing_deg=st.floats(0.0, 360.0),
    z_mm=st.floats(0.0, 80.0),
)
def test_a_figure_hides_what_lies_behind_any_part_of_it(
    outline: Outline, x_mm: float, y_mm: float, bearing_deg: float, z_mm: float
) -> None:
    """Held against a figure of many discs, each seen where it hides the plane of the base's top."""
    likely, at = hidden(one(outline, x_mm, y_mm, bearing_deg, z_mm))
    side_mm, top_mm = 2 * outline.half_width_mm, z_mm + outline.height_mm
    heights = np.linspace(0.0, min(1.2 * side_mm, 36.0), 400)
    spots = (np.array([x_mm, y_mm]) - EYE[:2]) * (heights / (EYE[2] - top_mm))[:, None]
    off_mm = np.linalg.norm(at[:, None] - spots, axis=2).min(axis=1)
    expected = np.clip((0.22 * side_mm + 2.0 - off_mm) / 2.0, 0.0, 1.0)
    assert np.abs(likely - expected).max() < 0.02
