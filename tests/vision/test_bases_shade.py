"""Shadows on the table are told by the mat beside them, as dark as they are, and by nothing else."""

from __future__ import annotations

import numpy as np

from vision.bases.paint import features_of
from vision.bases.shade import shade_of

MAT, SHADED, RED = np.array([[0.10, 0.22, 0.12], [0.04, 0.088, 0.048], [0.05, 0.06, 0.40]], np.float32)
COLOURS = np.stack([MAT, SHADED, RED])
GROUND = features_of(MAT[None])[0]
SEEN = np.ones((120, 120), dtype=bool)


def index_of(patch: int) -> np.ndarray:
    """A lit mat with a patch of another colour, 60 mm wide, in its middle."""
    index = np.zeros(SEEN.shape, np.uint16)
    index[45:75, 45:75] = patch
    return index


def test_the_mat_in_full_light_is_in_no_shadow() -> None:
    assert (shade_of(index_of(0), COLOURS, SEEN, 2.0, GROUND) == 255).all()


def test_where_the_mat_is_darker_so_much_less_light_falls() -> None:
    lit = shade_of(index_of(1), COLOURS, SEEN, 2.0, GROUND)
    assert 0.5 * 255 < lit[60, 60] < 0.65 * 255  # 0.4 of the mat's light; flock in full light may be 0.7 of it
    assert (lit[:30] == 255).all()


def test_paint_is_not_taken_for_a_shadow() -> None:
    assert (shade_of(index_of(2), COLOURS, SEEN, 2.0, GROUND)[60, 60]) == 255


def test_what_the_camera_does_not_see_tells_nothing() -> None:
    unseen = index_of(1) == 0
    assert (shade_of(index_of(1), COLOURS, unseen, 2.0, GROUND)[unseen] == 255).mean() > 0.9
