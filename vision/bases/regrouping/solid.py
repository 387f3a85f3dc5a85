"""Rings that are no rims: the shadow about a white ball, places on what is painted all over, as coffee in a cup or
a tape measure, the white border of a printed tag, or what but for the border of a piece of terrain, or for the
rims of others that it touches, is no ring.

A rim is a ring wherever it is seen: on one of its sides, there, lies less of its paint. And within a dark one is a
base's top with a figure, of which something is darker than paper.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from vision.bases.fitting.fit import Seen
from vision.bases.picture.paint import Paint
from vision.bases.picture.prints import on_prints
from vision.bases.picture.profiles import Group, grouped, pattern_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.regrouping.beyond import painted_beyond
from vision.bases.shapes import turned
from vision.bases.usual import Look
from vision.bases.weighing.judged import FINE, Found, likeness_along, seen_of
from vision.bases.weighing.packing import groups_of

__all__ = ["solid"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_MARGIN_MM = 5.5  # from the outline: within lie no rim, its blur and its shadow
_GRID = 13  # points across the top
_WHITE, _HUELESS = 0.5, 0.15  # all of a top is at least so bright (others reach 0.3), and most of so little hue
_RING, _SIDE = 0.35, (0.7, 3.0)  # of the rim's width about its middle; and mm beside it
_STANDS_OUT, _LEAST = 0.35, 0.4  # of the usual paint on the ring, in such a share of the directions
_PAINTED = 0.25
_LARGE_MM = 35.0  # the least side of one that may be such a thing itself: less is a top in a figure's shadow
_NO_TOP, _TOPS = 0.2, 0.5  # of the directions: one that fills its ring; and usual, where tops are of another colour
# Of the directions: a ring on a band of its paint, as a tape measure, has no top, and stands out across the band
# alone, in half of them; and the band goes on along itself
_BAND, _GOES_ON = 0.58, 0.2
_BLURRED = 0.6  # of a rim's width: with more blur a small top is painted, too
_CROWD, _HALF, _MOSTLY = 4, 0.5, 0.75  # so many stand together; of them
_ALONG_MM, _BORDER = 3.5, 0.15  # from a border, where mat and terrain mix in the picture; such a share of a ring
_PRINTED = 0.5  # of a rim: what lies on a print so far is its paper
_SUPPORT = 0.35  # of the rest of it is seen painted
_SHARED, _TOUCH_MM = 0.3, (-0.5, 3.0)  # a sample that others' rims cover so far, so deep outside the outline
_OWN, _UNPAINTED = 0.3, 0.2  # of a ring is shared with nobody, and so little of that is painted


def solid(scene: Scene, found: Found, paint: Paint) -> Mask:
    """Which bases (N,) are no rims of this paint, but lie on or about something of one colour."""
    groups = grouped(found.placed)
    looked = [seen_of(scene, one, pattern_of(one.outline, *FINE), paint, groups, found.look)[0] for one in groups]
    ringed, from_within = np.zeros((2, len(found.placed)))
    for one, seen in zip(groups, looked, strict=True):
        ringed[one.number], from_within[one.number] = _ringed(seen, found.look)
    none = _painted_all_over(scene, found, paint, groups, ringed, from_within)
    together = [group for group in groups_of(found.placed) if len(group) >= _CROWD]
    for group in together:  # in a coarse picture the rims of many make all of their ground painted
        none[group] = np.mean(none[group]) > _HALF and _others_have_tops(from_within, group)
    none |= (
        _but_for_a_border(scene, found, groups, looked)
        | _but_for_others(found, groups, looked)
        | _of_a_print(scene, found, groups)
    )
    band = (from_within < _NO_TOP) & (ringed < _BAND) & (found.look.blur_mm < _BLURRED * found.look.rim_mm)
    tops = np.count_nonzero(from_within > _TOPS) >= _CROWD
    if band.any() and not tops:  # where none of the army shows one
        band &= painted_beyond(scene, found, paint) > _GOES_ON
    for group in together:  # seams that a deep shadow hides leave some of a block's no ring, a band leaves none one
        band[group] &= np.mean(band[group]) > _MOSTLY
    none |= band
    return none | _white_within(scene, found.placed) if paint.is_dark else none


def _others_have_tops(from_within: Floats, group: Sequence[int]) -> bool:
    """Whether most of those who are not of a group, and at least a few, stand out from their tops in most
    directions, by the share of them (N,): then that group is a roof, or a rug."""
    others = np.delete(from_within, group)
    return len(others) >= _CROWD and float(np.median(others)) > _TOPS


def _white_within(scene: Scene, placed: Sequence[Placed]) -> Mask:
    """Within which of some bases (N,) all is as white as paper."""
    grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, _GRID)] * 2), axis=-1).reshape(-1, 2)
    grid = grid[np.hypot(*grid.T) <= 1]
    white = np.zeros(len(placed), dtype=np.bool_)
    for k, base in enumerate(placed):
        reach = min(base.outline.half_width_mm, base.outline.half_depth_mm) - _MARGIN_MM
        at = grid * max(reach, 0.0) + [base.x_mm, base.y_mm]
        features = scene.features_of_points(at, base.z_mm + base.outline.height_mm)
        if len(features):
            white[k] = features[:, 2].min() > _WHITE and np.median(np.hypot(*features[:, :2].T)) < _HUELESS
    return white


def _painted_all_over(
    scene: Scene, found: Found, paint: Paint, groups: Sequence[Group], ringed: Floats, from_within: Floats
) -> Mask:
    """Which bases (N,) stand on what is painted all over and are hardly anywhere rings on it: beside them, on both
    sides, lies as much of the paint; or, though the others of their army have tops of another colour, within."""
    on = np.zeros(len(found.placed), dtype=np.bool_)
    for group in groups:
        wide = scene.lookalikes(paint, group.outline.height_mm)
        if wide is not None:
            on[group.number] = wide.on(np.column_stack([group.x, group.y]))
    if not on.any():
        return on
    large = np.array([min(p.outline.half_width_mm, p.outline.half_depth_mm) > _LARGE_MM / 2 for p in found.placed])
    filled = large & (from_within < _NO_TOP) & (np.median(from_within) > _TOPS)
    return np.asarray(on & ((ringed < _LEAST) | filled))


def _but_for_a_border(scene: Scene, found: Found, groups: Sequence[Group], looked: Sequence[Seen]) -> Mask:
    """Which bases (N,) lie along the border of a piece of terrain and show hardly any paint on the rest of their
    rims: where mat and terrain mix in a pixel, they make a line of a third colour."""
    none = np.zeros(len(found.placed), dtype=np.bool_)
    if not scene.ground.outlines_mm:
        return none
    borders = shapely.MultiLineString([np.concatenate([o, o[:1]]) for o in scene.ground.outlines_mm])
    for group, seen in zip(groups, looked, strict=True):
        pattern = seen.pattern
        at = turned(pattern.points - pattern.normals * (found.look.rim_mm / 2), group.bearing[:, None])
        at = at + np.stack([group.x, group.y], axis=-1)[:, None]
        along = shapely.distance(borders, shapely.points(at)) < _ALONG_MM
        which = along.mean(axis=1) > _BORDER
        if which.any():
            on = _on(seen, found.look)
            painted = on > 0.5 * np.maximum(_mean_of(on), 0.3)
            rest = (painted & ~along).sum(axis=1) / np.maximum((~along).sum(axis=1), 1)
            none[group.number] = which & (rest < _SUPPORT)
    return none


def _but_for_others(found: Found, groups: Sequence[Group], looked: Sequence[Seen]) -> Mask:
    """Which bases (N,) show hardly any paint but where they touch others: such a spot beside a base has its rim."""
    none = np.zeros(len(found.placed), dtype=np.bool_)
    for group, seen in zip(groups, looked, strict=True):
        if seen.beside is None:
            continue
        near, far = _TOUCH_MM
        about = (seen.pattern.depths > near) & (seen.pattern.depths < far)
        shared = (np.where(about, seen.beside, 0.0) > _SHARED).any(axis=2)
        on = _on(seen, found.look)
        own = ~shared & np.isfinite(on)
        painted = own & (on > 0.5 * np.maximum(_mean_of(on), 0.3))
        none[group.number] = (own.mean(axis=1) > _OWN) & (painted.sum(axis=1) < _UNPAINTED * own.sum(axis=1))
    return none


def _of_a_print(scene: Scene, found: Found, groups: Sequence[Group]) -> Mask:
    """Which bases (N,) have most of their rims on a marker or a tag: a pale ring is as white and as wide as the
    border of one."""
    printed = np.zeros(len(found.placed), dtype=np.bool_)
    for group in groups:
        pattern = pattern_of(group.outline, *FINE)
        at = turned(pattern.points - pattern.normals * (found.look.rim_mm / 2), group.bearing[:, None])
        at = at + np.stack([group.x, group.y], axis=-1)[:, None]
        top = np.broadcast_to((group.z + group.outline.height_mm)[:, None, None], (*at.shape[:2], 1))
        seen = scene.camera.project(np.concatenate([at, top], axis=-1).reshape(-1, 3))
        on = on_prints(np.nan_to_num(seen), scene.found).reshape(at.shape[:2])
        printed[group.number] = on.mean(axis=1) > _PRINTED
    return printed


def _ringed(seen: Seen, look: Look) -> tuple[Floats, Floats]:
    """In which share (N,) of the directions in which they are seen rims stand out from one of their sides; and in
    which from what lies within them."""
    depth = np.broadcast_to(seen.pattern.depths, seen.likeness.shape)
    away = depth - seen.side[..., None]
    near, far = _SIDE
    on = _on(seen, look)
    within = likeness_along(seen, (depth < -look.rim_mm - near) & (depth > -look.rim_mm - far))
    without = (away > near) & (away < far)
    if seen.beside is not None:
        without = without & (seen.beside < 0.3)
    painted = np.where(on > _PAINTED, on, np.nan)
    painted[~np.isfinite(painted).any(axis=1)] = 1.0  # where nothing is painted, nothing stands out
    paint = np.nanmedian(painted, axis=1, keepdims=True)

    def share(barer: Floats) -> Floats:
        told = np.isfinite(on) & np.isfinite(barer)
        stands = told & (on - barer > _STANDS_OUT * paint)
        return np.asarray(stands.sum(axis=1) / np.maximum(told.sum(axis=1), 1), dtype=np.float64)

    return share(np.fmin(within, likeness_along(seen, without))), share(within)


def _mean_of(on: Floats) -> Floats:
    """The mean (N, 1) of what is seen (N, K) along rims; 0 of those of which nothing is."""
    seen = np.isfinite(on)
    return np.asarray(np.where(seen, on, 0.0).sum(axis=1) / np.maximum(seen.sum(axis=1), 1))[:, None]


def _on(seen: Seen, look: Look) -> Floats:
    """The mean likeness (N, K) on rims."""
    return likeness_along(seen, np.abs(seen.pattern.depths + look.rim_mm / 2) < _RING * look.rim_mm)
