"""Whose the bases are that no paint told: an army's, where its paint is seen on their rims once it is known where
these are.

A dull paint, or a thin rim, may be too faint to be looked for; but against the empty table a base's place is told
without it, and there a rim is set off from its top, or is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as but_for

import numpy as np
from msgspec import UNSET
from msgspec.structs import replace
from numpy.typing import NDArray

from calibration.records import Table
from vision.bases.picture.paint import expected_features
from vision.bases.shapes import outline_of
from vision.bases.weighing.bordered import bordered
from vision.plain.choosing.companions import Told
from vision.plain.pictures import Pictures
from vision.records import BaseSeen
from vision.unpainted import as_of, shapes_of

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
    told = [_called(one, pictures.table) for one in told]
    placed = [one.placed for one in told]
    scene, armies = pictures.about(placed), pictures.table.armies
    keeps = np.full((len(armies), len(placed)), -np.inf)
    for number, army in enumerate(armies):
        if army.base_colour is UNSET:
            continue
        shown = bordered(scene, placed, expected_features(army.base_colour))
        painted = (shown.strength >= _STRENGTH) & (shown.strength * shown.apart >= _ALONG) & (shown.keeps >= _KEEPS)
        has = [one.seen.sigma_mm < _PLACE_MM and as_of(one.seen, army, pictures.table) is not None for one in told]
        keeps[number] = np.where(painted & np.array(has), shown.keeps, -np.inf)
    return [_as_of(one, pictures.table, keeps[:, k]) for k, one in enumerate(told)]


def _called(one: Told, table: Table) -> Told:
    """A base that is called as its shape is."""
    for (_, army), kind in shapes_of(table):
        if army is not None and outline_of(kind) == one.placed.outline:
            return but_for(one, seen=replace(one.seen, like_army=army))
    return one


def _as_of(one: Told, table: Table, keeps: Floats) -> BaseSeen:
    """A base as that army's whose paint's direction its rim ``keeps`` (A,) to, if that is but one's."""
    best = int(np.argmax(keeps))
    own = as_of(one.seen, table.armies[best], table)
    if own is None or keeps[best] == -np.inf or (keeps > keeps[best] - _LEAD).sum() > 1:
        return one.seen
    axis = UNSET if own.lies_deg is None else own.lies_deg % 180.0
    return replace(own, bearing_deg=None, bearing_sigma_deg=None, axis_deg=axis)
