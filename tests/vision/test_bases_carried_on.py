"""Who stands next to a block, in its ranks and files, is found with it, and nobody is made up there."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.test_bases import Level, Stands, camera, drawn, table
from vision.bases.picture.paint import expected_features, paint_of
from vision.bases.picture.scene import Scene
from vision.bases.proposing.proposed import proposed
from vision.bases.regrouping.carried_on import carried_on
from vision.bases.search import search
from vision.bases.shapes import turned
from vision.light import estimate_light

SPOTS = np.array([[20.4 * file, -20.4 * rank] for rank in range(4) for file in range(4)])
PLACES = np.add(turned(SPOTS, 25.0), 200.0)
BLOCK = [Stands("blue", "square", float(x), float(y), 25.0) for x, y in PLACES]


@pytest.mark.parametrize("away", [False, True], ids=["two ranks more", "nobody more"])
def test_the_ranks_that_follow_those_found_of_a_block_are_found_and_none_is_made_up(away: bool) -> None:
    stands = BLOCK[:8] if away else BLOCK
    frame, army = drawn(stands), table().armies[1]
    scene = Scene(frame, camera(), Level(), estimate_light(frame, ()), (), table())
    paint = paint_of(expected_features(army.base_colour), scene.background)
    found = search(scene, army, paint, proposed(scene, army, paint))
    assert found is not None
    at = np.array([[base.x_mm, base.y_mm] for base in found.placed])
    ahead = np.linalg.norm(at[:, None] - PLACES[:8], axis=2).min(axis=1) < 5.0
    assert ahead.sum() == 8
    whole = carried_on(scene, found.taken(np.flatnonzero(ahead).tolist()), paint).placed
    assert len(whole) == len(stands)
    off = np.linalg.norm(PLACES[: len(stands), None] - [[base.x_mm, base.y_mm] for base in whole], axis=2)
    assert off.min(axis=1).max() < 0.8
