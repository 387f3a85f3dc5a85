"""A wall's side that the camera sees is no part of its top, however narrow it is seen."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ndtr

from vision.terrain.tops import steps_across, top_end

_TOP = np.array([0.45, 0.42, 0.40])
_GROUND = np.array([0.20, 0.31, 0.18])


def profile(
    depth_px: float, end_px: float, side: NDArray[np.float64], blur_px: float = 0.8
) -> tuple[NDArray[np.float32], NDArray]:
    """Colours across an outline: a top that ends at ``end_px``, a side of this colour, and the ground."""
    steps = steps_across(depth_px + 3.0, depth_px)
    top, ground = ndtr((end_px - steps) / blur_px)[:, None], ndtr((steps - end_px - depth_px) / blur_px)[:, None]
    colours = top * _TOP + (1 - top - ground) * side + ground * _GROUND
    return (colours + np.random.default_rng(1).normal(0, 0.002, colours.shape)).astype(np.float32), steps


@pytest.mark.parametrize("depth_px", [0.6, 1.2, 2.0, 3.5])
@pytest.mark.parametrize("shade", [0.5, 0.7, 0.8])
@pytest.mark.parametrize("outlined", ["the top", "the side's foot"])
def test_the_top_is_told_from_its_side_be_the_outline_that_of_either(
    depth_px: float, shade: float, outlined: str
) -> None:
    end_px = 0.0 if outlined == "the top" else -depth_px
    assert top_end(*profile(depth_px, end_px, shade * _TOP), depth_px) == pytest.approx(end_px, abs=0.3)


def test_a_side_as_dark_as_the_ground_leaves_the_outline_where_it_is() -> None:
    """Then the outline is the top's already; that its side were as light as the top is not to be believed."""
    roots, steps = profile(1.5, 0.0, 0.5 * _TOP)
    assert abs(top_end(roots, steps, 1.5)) < 0.3


@pytest.mark.parametrize("depth_px", [1.5, 2.0, 3.0])
@pytest.mark.parametrize("side", [(0.50, 0.65, 0.76), (0.75, 0.72, 0.60)])
@pytest.mark.parametrize("end_px", [-0.5, 0.0, 0.5])
def test_the_walls_of_a_house_may_be_painted_otherwise_and_lighter_than_its_roof(
    depth_px: float, side: tuple[float, float, float], end_px: float
) -> None:
    assert top_end(*profile(depth_px, end_px, np.array(side)), depth_px) == pytest.approx(end_px, abs=0.2)
