"""A picture is looked up between its pixels at as many places as are asked for."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.lookups import looked_up

ACROSS = np.broadcast_to(np.arange(50) * 4, (40, 50))


@pytest.mark.parametrize("shape", [(3, 7001), (1, 40_001), (40_001, 1), (0, 5), (2, 0), (7,)])
def test_in_any_number_and_of_any_shape(shape: tuple[int, ...]) -> None:
    """More than OpenCV takes in a row, as a base of 80 mm at two pixels a millimetre has them."""
    at = np.random.default_rng(3).uniform(2, 37, (*shape, 2)).astype(np.float32)
    colours = np.stack([ACROSS, ACROSS // 2, ACROSS * 0], axis=-1).astype(np.uint8)
    seen = looked_up(colours, at)
    assert (seen.shape, seen.dtype) == ((*shape, 3), np.uint8)
    assert seen[..., 0] == pytest.approx(at[..., 0] * 4, abs=1.0)
    light = looked_up(ACROSS.astype(np.float32), at, cv2.INTER_CUBIC)
    assert light.shape == shape
    assert light == pytest.approx(at[..., 0] * 4, abs=0.2)


def test_beyond_the_picture_all_is_black_or_as_at_its_edge() -> None:
    beyond = np.array([[-9.0, 5.0], [80.0, 5.0]], np.float32)
    light = ACROSS.astype(np.float32)
    assert looked_up(light, beyond).tolist() == [0.0, 0.0]
    assert looked_up(light, beyond, border=cv2.BORDER_REPLICATE).tolist() == [0.0, 196.0]
