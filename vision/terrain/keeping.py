"""Outlines that stay exactly as they were while nothing contradicts them, so that a wood does not shimmer."""

from __future__ import annotations

from collections.abc import Sequence

from shapely import Polygon, hausdorff_distance

from vision.records import TerrainSeen

__all__ = ["kept"]

_APART = 2.0  # sigma, in the mean over the whole outline
_FARTHEST = 20.0  # sigma: a corner strays farther than an edge, but not so far


def kept(seen: Sequence[TerrainSeen], before: Sequence[TerrainSeen]) -> list[TerrainSeen]:
    """The pieces seen, each replaced by what it was ``before`` where both outlines agree within their sigma.

    Each earlier piece is used once. What has moved, grown or changed its shape by more than the measurement's noise
    is as it is seen now. Slow drift does not add up unseen: each new outline is held against the one kept.
    """
    left = [(piece, Polygon(piece.polygon_mm)) for piece in before]
    result = []
    for piece in seen:
        shape = Polygon(piece.polygon_mm)
        same = next((i for i, (old, was) in enumerate(left) if _agree(piece, shape, old, was)), None)
        result.append(piece if same is None else left.pop(same)[0])
    return result


def _agree(piece: TerrainSeen, shape: Polygon, old: TerrainSeen, was: Polygon) -> bool:
    if piece.kind != old.kind or not was.is_valid or not shape.intersects(was):
        return False
    sigma = max(piece.sigma_mm, old.sigma_mm)
    apart = shape.symmetric_difference(was).area / max(shape.length, was.length)
    return apart <= _APART * sigma and float(hausdorff_distance(shape.exterior, was.exterior)) <= _FARTHEST * sigma
