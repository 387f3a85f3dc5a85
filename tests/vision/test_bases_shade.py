"""How the light on a rim is told by what lies beside it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.bases.picture.paint import expected_features, paint_of
from vision.bases.picture.shade import lit_across
from vision.light import linear_of_hex

MAT, DEPTHS = "#66763c", np.arange(-6.4, 4.4, 0.8).astype(np.float32)
GROUND = expected_features(MAT).astype(np.float32)


def across(rim: str, blur_mm: float, off_mm: float = 0.0, shadow: float = 1.0) -> NDArray[np.float32]:
    """What normals of a rim 2.6 mm wide show (1, 8, M, 3) if it lies so far outside where it is taken to be, and
    such a share of the light falls on the mat without."""
    edge = [0.5 - 0.5 * np.tanh(0.8 * (DEPTHS - off_mm + inner) / blur_mm) for inner in (0.0, 2.6)]
    painted = (edge[0] - edge[1])[:, None]
    mat = linear_of_hex(MAT) * np.where(DEPTHS > 0.0, shadow, 1.0)[:, None]
    colours = painted * linear_of_hex(rim) + (1 - painted) * mat
    return np.broadcast_to(colours, (1, 8, *colours.shape)).astype(np.float32)


@pytest.mark.parametrize(("off_mm", "mottled"), [(2.0, 1.0), (1.0, 0.85)])
def test_a_dark_rim_that_the_camera_blurs_into_the_mat_is_no_shadow_on_itself(
    off_mm: float, mottled: float
) -> None:
    """Else a base that is taken to stand a little off loses the side that it stands off from, and goes on."""
    seen = across("#22242c", blur_mm=2.0, off_mm=off_mm, shadow=mottled)
    assert lit_across(seen, DEPTHS, 2.0, GROUND).min() > 0.99


def test_a_shadow_beside_a_rim_lies_on_the_rim() -> None:
    for blur_mm in (0.6, 2.0):
        told = lit_across(across("#22242c", blur_mm, shadow=0.4), DEPTHS, blur_mm, GROUND)
        assert told.max() < 0.7


def test_what_is_darker_than_the_mat_is_a_dark_paint() -> None:
    dark, pale = (paint_of(expected_features(rim), np.tile(GROUND, (50, 1))) for rim in ("#22242c", "#d8c9a0"))
    assert dark.is_dark
    assert not pale.is_dark
