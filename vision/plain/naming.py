"""Whose the bases are that no paint told: an army's, where its paint is seen on their rims once it is known where
these are.

A dull paint, or a thin rim, may be too faint to be looked for; but against the empty table a base's place is told
without it, and there a rim is set off from its top, or is not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import UNSET, UnsetType
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.records import Army
from vision.bases.picture.paint import expected_features
from vision.bases.shapes import Outline, outline_of
from vision.bases.weighing.bordered import bordered
from vision.plain.choosing.companions import Told
from vision.plain.pictures import Pictures
from vision.records import BaseSeen

__all__ = ["named"]

Floats = NDArray[np.float64]

# Of 2,600 bases without paint one shows so much of one of 3,000 paints (of the way from its top; in sigmas), and
# so little else; of 7,300 with paint five in six do, and three in a thousand of these that of another army rather.
_STRENGTH, _ALONG, _KEEPS = 0.2, 1.0, 0.8
_LEAD = 0.05  # in what it keeps to a paint's direction: of two armies' paints nearer to each other neither is named
_PLACE_MM = 1.5  # so exactly, one sigma, a base's place is known of which the rim is asked


def named(told: Sequence[Told], pictures: Pictures) -> list[BaseSeen]:
    """The bases that are told in a frame, those as an army's whose rims show its paint.

    Which way a rectangle faces is then left open: no front mark was read.
    """
    if not told:
        return []
    placed = [one.placed for one in told]
    scene, armies = pictures.about(placed), pictures.table.armies
    keeps = np.full((len(armies), len(placed)), -np.inf)
    for number, army in enumerate(armies):
        shown = bordered(scene, placed, expected_features(army.base_colour))
        painted = (shown.strength >= _STRENGTH) & (shown.strength * shown.apart >= _ALONG) & (shown.keeps >= _KEEPS)
        has = [_kind_of(army, one.placed.outline) is not None and one.seen.sigma_mm < _PLACE_MM for one in told]
        keeps[number] = np.where(painted & np.array(has), shown.keeps, -np.inf)
    return [_as_of(one, armies, keeps[:, k]) for k, one in enumerate(told)]


def _as_of(one: Told, armies: Sequence[Army], keeps: Floats) -> BaseSeen:
    """A base as that army's whose paint's direction its rim ``keeps`` (A,) to, if that is but one's."""
    seen, best = one.seen, int(np.argmax(keeps))
    kind = _kind_of(armies[best], one.placed.outline)
    if kind is None or keeps[best] == -np.inf or (keeps > keeps[best] - _LEAD).sum() > 1:
        return seen
    axis: float | UnsetType = UNSET
    if seen.bearing_deg is not None:
        across = kind.half_width_mm != one.placed.outline.half_width_mm
        axis = (seen.bearing_deg + 90.0 * across) % 180.0
    return replace(
        seen, army=armies[best].name, base=kind.name, bearing_deg=None, bearing_sigma_deg=None, axis_deg=axis
    )


def _kind_of(army: Army, outline: Outline) -> Outline | None:
    """An army's own bases of such an outline, lengthwise or across; None where it has none."""
    kinds = [outline_of(kind) for kind in army.bases]
    return next((own for own in kinds if own.round_ == outline.round_ and _sides(own) == _sides(outline)), None)


def _sides(outline: Outline) -> tuple[float, float]:
    shorter, longer = sorted((outline.half_width_mm, outline.half_depth_mm))
    return shorter, longer
