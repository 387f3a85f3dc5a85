"""Walls, fences and hedges are narrow: what has a wall's colour and is as broad as a house is none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.terrain.kinds import Colours, Labels
from vision.terrain.paints import Paint
from vision.terrain.scene import Scene, opened

__all__ = ["NARROW", "without_broad_walls"]

#: The kinds of terrain that are strips in every rulebook.
NARROW = frozenset({"wall", "fence", "hedge", "stone-wall", "stone wall", "stockade", "breastwork"})

_BROAD_MM = 32.0  # no wall, hedge or fence is as broad


def without_broad_walls(labels: Labels, paints: Sequence[Paint], colours: Colours, scene: Scene) -> Labels:
    """Labels (h, w) of ``paints``, where what is too broad to be a wall has the nearest other paint; 0 where it is
    near none.

    A grey house in the lamp's light is of the colour that a paler wall has elsewhere.
    """
    strips = [index + 1 for index, paint in enumerate(paints) if paint.kind in NARROW]
    blocks = [index + 1 for index, paint in enumerate(paints) if not paint.flat and index + 1 not in strips]
    if not strips:
        return labels
    # where a house's colour lies between both paints, the noise gives every other cell to either
    both = np.isin(labels, [*strips, *blocks]).astype(np.uint8)
    broad = np.isin(labels, strips) & (opened(both, _BROAD_MM / 2 * scene.px_per_mm) > 0)
    if not broad.any():
        return labels
    others = [index + 1 for index in range(len(paints)) if index + 1 not in strips]
    nearest = np.array([0, *others], np.uint8)[colours.nearest([paints[label - 1] for label in others])]
    return np.where(broad, nearest, labels)
