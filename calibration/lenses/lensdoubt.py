"""How well a lens is known over the whole picture, told by how much it changes when views are left out in turn.

A fit's own residual says nothing of places that no view has shown; there, lenses fitted to different views part.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.optics import pixels_of_rays, rays_of_pixels
from calibration.records import Intrinsics

__all__ = ["but_for_a_turn", "lens_doubt", "place_in_words"]

Points = NDArray[np.float64]

_ACROSS, _DOWN = 13, 9  # places at which lenses are compared


def lens_doubt(lens: Intrinsics, others: Sequence[Intrinsics]) -> tuple[Points, Points]:
    """Places (N, 2) over the picture, and the sigma (N,) in px of where the lens has them: a jackknife.

    ``others`` are the lenses fitted without each part of the views in turn. A turn of the camera that makes two
    lenses agree does no harm, since every pose makes good for it, and does not count.
    """
    x, y = np.meshgrid(np.linspace(0, lens.width_px - 1, _ACROSS), np.linspace(0, lens.height_px - 1, _DOWN))
    places = np.column_stack([x.ravel(), y.ravel()])
    rays = rays_of_pixels(places, lens)
    known = np.isfinite(rays).all(axis=1)
    places, rays = places[known], rays[known]
    off = np.array([but_for_a_turn(pixels_of_rays(rays, other) - places, rays, lens) for other in others])
    spread = ((off - off.mean(axis=0)) ** 2).sum(axis=(0, 2)) * (len(others) - 1) / len(others)
    return places, np.sqrt(spread)


def place_in_words(place_px: Points, lens: Intrinsics) -> str:
    """Where in the picture a place (2,) lies, in words."""
    column = int(np.clip(3 * place_px[0] // lens.width_px, 0, 2))
    row = int(np.clip(3 * place_px[1] // lens.height_px, 0, 2))
    words = [("top", "", "bottom")[row], ("left", "", "right")[column]]
    told = " ".join(word for word in words if word)
    kind = {0: "middle", 1: "edge", 2: "corner"}[sum(map(bool, words))]
    return f"{told} {kind}".strip()


def but_for_a_turn(off: Points, rays: Points, lens: Intrinsics) -> Points:
    """Differences (N, 2) in px without what a small turn of the camera makes of them."""
    x, y = rays.T
    by_turn = np.stack(
        [
            np.column_stack([lens.fx * x * y, -lens.fx * (1 + x * x), lens.fx * y]),
            np.column_stack([lens.fy * (1 + y * y), -lens.fy * x * y, -lens.fy * x]),
        ],
        axis=1,
    )
    turn = np.linalg.lstsq(by_turn.reshape(-1, 3), off.ravel(), rcond=None)[0]
    return np.asarray(off - by_turn @ turn, dtype=np.float64)
