"""A base beyond whose rim it is painted on, with no other base there, hardly stands as it was found."""

from __future__ import annotations

import numpy as np

from tests.vision.test_bases import FLOCK
from tests.vision.test_bases_halved import RED, box, scene_of
from vision.bases.fitting.fit import Look
from vision.bases.pixels import Placed
from vision.bases.regrouping.beyond import painted_beyond
from vision.bases.weighing.confidence import LIKELY, less_likely
from vision.bases.weighing.judged import fitted_together


def test_what_lies_amid_paint_or_half_beside_its_place_in_a_block_is_less_likely_than_what_stands_alone() -> None:
    """Of four squares in a block that runs together, one was found between two of the others."""
    felt = [(box(150.0, 200.0, 50.4, 50.4), RED)]
    felt += [(box(150.0 + dx, 200.0 + dy, 19.4, 19.4), FLOCK) for dx in (-12.7, 12.7) for dy in (-12.7, 12.7)]
    felt += [(box(x_mm, 200.0, 25.0, 25.0), RED) for x_mm in (250.0, 275.4)]
    felt += [(box(x_mm, 200.0, 19.4, 19.4), FLOCK) for x_mm in (250.0, 275.4)]
    scene, paint, kinds = scene_of(felt)
    placed = [Placed(kinds[0], x_mm, y_mm, 0.0, 0.0) for x_mm, y_mm in ((150.0, 187.3), (250, 200), (275.4, 200))]
    found = fitted_together(scene, placed, np.ones(3), paint, Look(), 0, soft_mm=0.0)
    beyond = painted_beyond(scene, found, paint)
    assert beyond[0] > 0.3
    assert (beyond[1:] < 0.1).all()
    told = less_likely(np.full(3, 0.7), beyond)
    assert (told > LIKELY).tolist() == [False, True, True]
    assert less_likely(np.array([0.99]), beyond[:1]) > LIKELY
    assert (less_likely(np.full(4, 0.7), np.full(4, 0.5)) > LIKELY).all()  # in poor light so are all
