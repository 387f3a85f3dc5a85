"""Where on the table an army's bases may stand: what the likeness map proposes, as places on the ground."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.records import Army
from vision.bases.picture.paint import Paint
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.proposing.proposals import propose
from vision.bases.shapes import Outline, outline_of
from vision.bases.usual import Look
from vision.bases.weighing.choose import distinct
from vision.bases.weighing.judged import judged_alone

__all__ = ["proposed"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_MOST = 500  # proposals: more are the table's own colours, or the many ways to see a crowd …
_AT_ONE_PLACE = 3  # … of which so many at each place come before any more of them
_LOOKED_AT = 3000
_LEAST_OF_BEST = 0.3  # of the score of the best that may be this army's: what is hardly as clear is not looked at
_BEST = 100  # so many tell which that is
_OVER_AN_EDGE = 0.2  # share of a base that may lie over higher ground, for edges are not known better
_IN_FRAME = 0.6  # share of the rim


def proposed(scene: Scene, army: Army, paint: Paint, others: Sequence[Paint] = ()) -> list[Placed]:
    """Where the army's bases may be, best first, each once.

    The rims of another army, whose paints are ``others``, may be more like this paint than its own in the shade.
    """
    told: list[tuple[Outline, Floats]] = []
    for height in sorted({kind.height_mm for kind in army.bases}):
        laid = scene.likeness(paint, height)
        if laid is None:
            continue
        flat, likeness, usable = laid
        outlines = [outline_of(kind) for kind in army.bases if kind.height_mm == height]
        for found in propose(likeness, usable, outlines, flat.cell_mm, Look.rim_mm):
            points, heights = _standing(scene, found.outline, flat.point_of(found.columns, found.rows))
            rows = np.column_stack([points, heights, found.bearings, found.scores])
            told.append((found.outline, rows[_in_frame(found.outline, points, heights, scene)]))
    ranked = sorted(
        ((float(row[4]), Placed(outline, *row[:4].tolist())) for outline, rows in told for row in rows),
        key=lambda pair: -pair[0],
    )
    least = _LEAST_OF_BEST * _best_of(scene, ranked[:_BEST], paint, others)
    return _from_all_over([placed for score, placed in ranked[:_LOOKED_AT] if score > least])


def _best_of(scene: Scene, ranked: Sequence[tuple[float, Placed]], paint: Paint, others: Sequence[Paint]) -> float:
    """The score of the best proposal that is not clearly of another paint; the last one's, if all are."""
    likely = [placed for _, placed in ranked]
    own = set(judged_alone(scene, likely, paint, Look(), 0).painted(paint, others).placed) if likely else set()
    return next((score for score, placed in ranked if placed in own), ranked[-1][0] if ranked else 0.0)


def _from_all_over(likely: list[Placed]) -> list[Placed]:
    """Of some bases, best first, as many as differ among the best: those best at their places before others."""
    each = distinct(likely)
    most = sum(k < _MOST for k in each)
    likely = [likely[k] for k in each]
    if len(likely) == most:
        return likely
    first = _better_here(likely) < _AT_ONE_PLACE
    order = np.concatenate([np.flatnonzero(first), np.flatnonzero(~first)])[:most]
    return [likely[k] for k in sorted(order.tolist())]


def _better_here(placed: Sequence[Placed]) -> NDArray[np.intp]:
    """How many better ones (N,) lie on each of some bases, best first: with its middle on the other, or the other's
    on it."""
    at = np.array([[base.x_mm, base.y_mm] for base in placed])
    half = np.array([min(base.outline.half_width_mm, base.outline.half_depth_mm) for base in placed])
    apart = np.hypot(at[:, None, 0] - at[:, 0], at[:, None, 1] - at[:, 1])
    return np.asarray(np.tril(apart < np.maximum(half[:, None], half), -1).sum(axis=1), dtype=np.intp)


def _standing(scene: Scene, outline: Outline, points: Floats) -> tuple[Floats, Floats]:
    """Where bases seen at points (N, 2) stand, and on ground how high (N,): one that would run into the side of a
    hill stands on it, and is seen through other points of its top."""
    heights = scene.ground.height_at(points)
    if not len(points):
        return points, heights
    around, _ = outline.ring(0.3 * outline.half_width_mm, outline.perimeter_mm / 16)
    under = scene.ground.height_at((points[:, None] + around).reshape(-1, 2)).reshape(len(points), -1)
    blocked = np.flatnonzero((under > heights[:, None] + 1.0).mean(axis=1) > _OVER_AN_EDGE)
    if len(blocked):
        points, top = points.copy(), under[blocked].max(axis=1)
        at = np.column_stack([points[blocked], heights[blocked] + outline.height_mm])
        points[blocked] = scene.camera.to_plane(scene.camera.project(at), top + outline.height_mm)
        heights = heights.copy()
        heights[blocked] = top
    return points, heights


def _in_frame(outline: Outline, points: Floats, heights: Floats, scene: Scene) -> Mask:
    """Which bases at points (N, 2) on ground so high (N,) have enough of their rims in the picture."""
    around, _ = outline.ring(0.0, outline.perimeter_mm / 16)
    if not len(points):
        return np.zeros(0, dtype=bool)
    at = points[:, None] + around
    tops = np.broadcast_to((heights + outline.height_mm)[:, None, None], (*at.shape[:2], 1))
    seen = scene.camera.project(np.concatenate([at, tops], axis=-1).reshape(-1, 3)).reshape(*at.shape[:2], 2)
    size = np.array([scene.frame.shape[1] - 1, scene.frame.shape[0] - 1])
    with np.errstate(invalid="ignore"):
        return np.asarray(((seen >= 0) & (seen <= size)).all(axis=-1).mean(axis=1) > _IN_FRAME)
