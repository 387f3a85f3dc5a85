"""Bases of which the paint hardly tells the place are moved towards where their whole edge has them, no others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_bases import Stands
from tests.vision.test_bases_likewise import STANDING, Seen, seen, stand
from vision.bases.pixels import Placed
from vision.bases.regrouping.midway import midway
from vision.bases.weighing.judged import Found
from vision.ground import Ground, Patch


def told_hardly(army: Seen, spot: Placed, sigma_mm: float) -> Found:
    """The army and one more on a spot, told so well."""
    found = army.left.moved([], army.as_fitted([spot]))
    covariance = found.covariance.copy()
    covariance[-1, :2, :2] = np.eye(2) * sigma_mm**2
    return replace(found, spread=lambda: covariance)


def settled(army: Seen, spot: Placed, sigma_mm: float) -> Placed:
    """Where it stands then; the others, whom their paint tells well, stand as they stood."""
    found = told_hardly(army, spot, sigma_mm)
    now = midway(army.scene, found, army.paint, army.section, ())
    assert now.placed[:-1] == found.placed[:-1]
    return now.placed[-1]


@pytest.mark.parametrize(("sigma_mm", "left_mm"), [(0.3, 2.0), (1.2, 1.0), (5.0, 0.11)])
def test_the_less_the_paint_tells_the_nearer_a_base_comes_to_where_its_section_does(
    sigma_mm: float, left_mm: float
) -> None:
    army = seen(lost=(5,))
    x, y = STANDING[5]
    now = settled(army, stand(x + 2.0, y), sigma_mm)
    assert now.x_mm - x == pytest.approx(left_mm, abs=0.2)
    assert now.y_mm - y == pytest.approx(0.0, abs=0.2)


def test_a_base_that_does_not_look_like_its_army_stays_where_it_is() -> None:
    spot = stand(331.0, 120.0)
    assert settled(seen(Stands("bone", "foot", 330.0, 120.0), lost=()), spot, 3.0) == spot


def test_on_terrain_a_base_stays_where_its_paint_has_it() -> None:
    patch = np.array([[300.0, 80.0], [380.0, 80.0], [380.0, 160.0], [300.0, 160.0]])
    army = seen(Stands("blue", "foot", 340.0, 120.0), felt=[(patch, (80, 130, 110))], lost=())
    known = replace(army, scene=replace(army.scene, ground=Ground((Patch(patch, 0.0),))))
    spot = stand(342.0, 120.0)
    assert settled(known, spot, 3.0) == spot
    assert settled(army, spot, 3.0).x_mm < 341.0


def test_of_nobody_nothing_is_moved() -> None:
    army = seen()
    assert midway(army.scene, Found.none(army.left.look), army.paint, army.section, ()).placed == []
