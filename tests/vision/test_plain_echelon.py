"""Bases that stand turned against their line are told as each is turned, and those of a dressed one as it runs."""

from __future__ import annotations

import dataclasses
import math

import pytest

from tests.long_runs import some
from tests.vision.test_plain_formed import ELEMENT, SQUARE, found, kind
from vision.bases.pixels import Placed
from vision.bases.shapes import outline_of
from vision.plain.block import block_of
from vision.simulated import Effects

HORSE = kind("horse", 25.0, 50.0)


@pytest.mark.parametrize("turn_deg", some(1, [8.0, 0.0, 15.0]))
def test_horses_in_echelon_face_the_way_that_each_is_turned_and_not_the_way_of_their_line(turn_deg: float) -> None:
    """Their riders stand in line all the same, as those of a dressed line do, a little farther apart."""
    about = Placed(outline_of(HORSE), 170.0, 140.0, 0.0, 20.0)
    gap_mm = 25.3 / math.cos(math.radians(turn_deg)) - 25.0
    line = block_of(about.outline, (4, 1), gap_mm, about, 0, (0.3, 0.1)).bases()
    stand = [dataclasses.replace(p, bearing_deg=p.bearing_deg + turn_deg) for p in line]
    seen = found(stand, Effects(jpeg_quality=0, noise=1.0), (HORSE, ELEMENT, SQUARE))
    assert [one.base for one in seen] == ["horse"] * 4
    for p in stand:
        one = min(seen, key=lambda b: math.dist((b.x_mm, b.y_mm), (p.x_mm, p.y_mm)))
        assert one.bearing_deg is not None
        assert abs((one.bearing_deg - p.bearing_deg + 90) % 180 - 90) < 2.0
        assert math.dist((one.x_mm, one.y_mm), (p.x_mm, p.y_mm)) < min(2.0, 2.45 * one.sigma_mm)
