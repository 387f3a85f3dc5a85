"""How sure the share of a base's area is that lies in terrain: what errors of its place and bearing do to it.

To first order a base that is shifted gains and loses along those parts of a piece's rim that run in it, each by how
far it moves across the rim there. So the rim in the base tells all: exactly, and nothing is tried out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.geometry.shapes.bases import Bases
from engine.geometry.shapes.pieces import Pieces

__all__ = ["area_share_sigma"]

Array = NDArray[np.float64]


def area_share_sigma(bases: Bases, pieces: Pieces) -> Array:
    """(n, p) the sigma of `cover.area_share` by the sigmas of the bases' places and bearings; 0 where no rim of a
    piece runs in the base.

    >>> from dataclasses import replace
    >>> from engine.geometry.shapes.bases import bases_of
    >>> from engine.geometry.shapes.pieces import pieces_of
    >>> from engine.records.game import Rect
    >>> half = pieces_of([[(0, -50), (50, -50), (50, 50), (0, 50)]])
    >>> base = replace(bases_of([(0, 0)], [Rect(width_mm=20, depth_mm=10)], [0]), sigma_mm=np.array([0.5]))
    >>> area_share_sigma(base, half).round(6).tolist()  # half a millimetre of twenty
    [[0.025]]
    """
    sigma = np.zeros((len(bases), len(pieces)))
    for number in range(len(pieces)):
        edge, edge_end = (end[None] - bases.centre[:, None] for end in pieces.edges(number))
        enters, leaves = _inside(bases, edge, edge_end)
        along = edge_end - edge
        start, stop = edge + enters[..., None] * along, edge + leaves[..., None] * along
        shift = np.hypot(*(stop - start).sum(axis=1).T) * bases.sigma_mm
        turn = ((stop**2).sum(axis=2) - (start**2).sum(axis=2)).sum(axis=1) / 2
        turn = np.where(bases.is_rect, turn, 0.0) * np.radians(bases.bearing_sigma_deg)
        sigma[:, number] = np.hypot(shift, turn) / bases.area
    return sigma


def _inside(bases: Bases, edge: Array, edge_end: Array) -> tuple[Array, Array]:
    """(n, e) between which shares of their length edges (n, e, 2), from the bases' centres, run in the bases."""
    along = edge_end - edge
    in_disc = _in_disc(bases.radius[:, None], edge, along)
    right, ahead = bases.right[:, None], bases.ahead[:, None]
    sides = [
        _between(half[:, None], (edge * way).sum(axis=2), (along * way).sum(axis=2))
        for half, way in ((bases.half[:, 0], right), (bases.half[:, 1], ahead))
    ]
    in_rect = np.maximum(sides[0][0], sides[1][0]), np.minimum(sides[0][1], sides[1][1])
    enters, leaves = (
        np.clip(np.where(bases.is_rect[:, None], rect, disc), 0.0, 1.0)
        for rect, disc in zip(in_rect, in_disc, strict=True)
    )
    return enters, np.maximum(leaves, enters)


def _in_disc(radius: Array, start: Array, along: Array) -> tuple[Array, Array]:
    squared = (along**2).sum(axis=2)
    safe = np.where(squared > 0, squared, 1.0)
    middle = -(start * along).sum(axis=2) / safe
    root = middle**2 - ((start**2).sum(axis=2) - radius**2) / safe
    spread = np.sqrt(np.maximum(root, 0.0))
    return middle - spread, middle + spread


def _between(half: Array, start: Array, along: Array) -> tuple[Array, Array]:
    """Between which shares a coordinate lies within a half size of 0; all or nothing where it does not change."""
    still = along == 0
    run = np.where(still, 1.0, along)
    one, other = (-half - start) / run, (half - start) / run
    within = np.abs(start) <= half
    low = np.where(still, np.where(within, 0.0, 1.0), np.minimum(one, other))
    return low, np.where(still, np.where(within, 1.0, 0.0), np.maximum(one, other))
