"""What a frame shows about a base: the empty table outside it, its top inside, its upright side between.

Each base is a matte over the empty table's picture. Outside, the table is seen as it was, perhaps in a shadow;
inside and on the side that faces the camera are surfaces of which nothing is known but that they are smooth, or
where the lamp is exactly known, that the side, and the edge, worn all round, are about of the top's colour in the
light that falls on them; where a neighbour covers the outline, the neighbour is seen. Only the outlines are known,
and by them position and turn are fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, turned
from vision.lookups import looked_up
from vision.plain.picture.backdrop import Backdrop, Picture
from vision.plain.picture.shade import SLOPING, UPRIGHT, Shade, light_on

__all__ = ["Bodies", "Matte", "Samples", "about", "gridded", "matte", "sample"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.intp]
Image = NDArray[np.uint8]

_OUT_MM, _IN_MM = 4.5, 4.5  # so far outside and inside the outline pixels take part …
_OUT_PX, _IN_PX = 4.0, 3.5  # … or so far, if that is more
_TOUCH_MM = 8.0  # bases nearer than this may cover each other's surroundings
_NEIGHBOURS = 8
_FLUSH_MM, _FLUSH_RAD = 1.5, 0.12  # rectangles that touch so stand flush
_BAND_MM = 0.8
_WORN_MM = 0.3  # so much of a top is its edge, bevelled, rounded or worn
_TALL_MM = 28.0  # of a figure, above the top
_MIDDLE, _STOUT_MM = 0.65, 8.2  # a figure keeps to this share of a base, or to so much about its middle
_BROAD_MM = 17.5  # half sides from which horses, guns and groups may stand anywhere along them
_GREY = 1.5  # the mean of three channels has so much less noise than one


@dataclass(frozen=True, eq=False)
class Samples:
    """The frame and the backdrop about bases of one outline: ``xy_mm`` (N, P, 2) on the plane of the base's top,
    ``now`` and ``then`` (N, 3 or 1, P) in sigmas of its `Backdrop.spread`, ``seen`` (N, P) where both pictures
    show the place, ``vivid`` (N, P) how surely neither the table nor its shade is there, if that was asked for,
    ``fallen`` (N, P) how deep it lies in figures' shadows, if any are known."""

    xy_mm: Floats
    now: Picture
    then: Picture
    seen: NDArray[np.bool_]
    vivid: Singles | None = None
    fallen: Singles | None = None


def sample(
    placed: Sequence[Placed],
    frame: Picture,
    backdrop: Backdrop,
    camera: CameraModel,
    px_per_mm: float,
    grey: bool = False,
    step_px: float = 1.0,
    vivid: Picture | None = None,
) -> Samples:
    """What lies about bases of one outline, where they are now thought to be; in colour or, cheaper, in
    ``grey``."""
    outline = placed[0].outline
    step = 1.0 / px_per_mm
    own = _grid(outline, max(_OUT_MM, _OUT_PX * step), max(_IN_MM, _IN_PX * step), step * step_px)
    bearing = np.array([p.bearing_deg for p in placed])[:, None]
    centre = np.array([[p.x_mm, p.y_mm] for p in placed])
    xy = turned(np.broadcast_to(own, (len(placed), *own.shape)), bearing) + centre[:, None]
    return _sampled(xy, placed, frame, backdrop, camera, grey, vivid)


def gridded(
    placed: Sequence[Placed], frame: Picture, backdrop: Backdrop, camera: CameraModel, px_per_mm: float
) -> tuple[Samples, Ints]:
    """All that lies on bases of one outline and about them, on one grid of the table; and the cells' numbers (N,
    P)."""
    cell = 1.0 / px_per_mm
    reach = placed[0].outline.reach_mm + _OUT_MM
    count = 2 * int(np.ceil(reach / cell)) + 1
    centre = np.array([[p.x_mm, p.y_mm] for p in placed])
    first = np.rint((centre - reach) / cell).astype(np.intp)
    span = np.arange(count)
    columns, rows = (g.ravel() for g in np.meshgrid(span, span))
    cells = np.stack([first[:, :1] + columns, first[:, 1:] + rows], axis=-1)
    samples = _sampled(cells * cell, placed, frame, backdrop, camera, False)
    return samples, (cells[..., 0] + 100_000) * 1_000_000 + cells[..., 1] + 100_000


def about(
    placed: Sequence[Placed],
    frame: Picture,
    backdrop: Backdrop,
    camera: CameraModel,
    px_per_mm: float,
    middles: Floats,
    reach_mm: float,
) -> Samples:
    """What lies within a reach of places ``middles`` (N, 2), mm, in grey, on the planes of bases' tops there."""
    cell = 1.0 / px_per_mm
    span = np.arange(-np.ceil(reach_mm / cell), np.ceil(reach_mm / cell) + 1) * cell
    x, y = (g.ravel() for g in np.meshgrid(span, span))
    own = np.column_stack([x, y])[np.hypot(x, y) < reach_mm]
    return _sampled(middles[:, None] + own, placed, frame, backdrop, camera, True)


def _sampled(
    xy: Floats,
    placed: Sequence[Placed],
    frame: Picture,
    backdrop: Backdrop,
    camera: CameraModel,
    grey: bool,
    vivid: Picture | None = None,
) -> Samples:
    """The pictures at table points (N, P, 2), each on the plane of its base's top."""
    tops = np.array([p.z_mm + p.outline.height_mm for p in placed])
    points = np.concatenate([xy, np.broadcast_to(tops[:, None, None], (*xy.shape[:2], 1))], axis=-1)
    at = camera.project(points.reshape(-1, 3)).reshape(*xy.shape)
    height, width = frame.shape[:2]
    with np.errstate(invalid="ignore"):
        seen = np.asarray(((at >= 0) & (at <= np.array([width - 1, height - 1]))).all(axis=-1), dtype=np.bool_)
    pixels: Picture = np.where(np.asarray(seen)[..., None], at, 0.0).astype(np.float32)
    spread = looked_up(backdrop.spread, pixels, border=cv2.BORDER_REPLICATE)
    seen &= looked_up(backdrop.known.astype(np.float32), pixels, border=cv2.BORDER_REPLICATE) > 0.99
    even = np.median(spread, axis=1, keepdims=True)
    now = _cubic(frame, pixels) / even
    then = _cubic(backdrop.then, pixels) / even
    if grey:
        now, then = now.mean(axis=2, keepdims=True) * _GREY, then.mean(axis=2, keepdims=True) * _GREY
    now, then = (np.ascontiguousarray(picture.transpose(0, 2, 1)) for picture in (now, then))
    what, fallen = (
        None if of is None else np.asarray(looked_up(of, pixels, border=cv2.BORDER_REPLICATE), dtype=np.float32)
        for of in (vivid, backdrop.fallen)
    )
    return Samples(xy, now, then, seen, what, fallen)


def _cubic(picture: Picture, pixels: Picture) -> Picture:
    return np.asarray(looked_up(picture, pixels, cv2.INTER_CUBIC, cv2.BORDER_REPLICATE), dtype=np.float32)


def _grid(outline: Outline, out_mm: float, in_mm: float, step_mm: float) -> Floats:
    """Points (P, 2) of the own frame about the outline."""
    a, b = outline.half_width_mm + out_mm, outline.half_depth_mm + out_mm
    across = np.arange(-np.ceil(a / step_mm), np.ceil(a / step_mm) + 1) * step_mm
    down = np.arange(-np.ceil(b / step_mm), np.ceil(b / step_mm) + 1) * step_mm
    u, v = (g.ravel() for g in np.meshgrid(across, down))
    away = outline.distance(u, v)
    near = (away < out_mm) & (away > -in_mm)
    return np.column_stack([u, v])[near]


class Bodies:
    """Where bases are thought to be: centre, turn, how far each's visible side reaches, and what shadow they
    cast."""

    def __init__(self, placed: Sequence[Placed], camera: CameraModel, shade: Shade | None = None) -> None:
        self.shade = shade
        self.x = np.array([p.x_mm for p in placed], dtype=np.float64)
        self.y = np.array([p.y_mm for p in placed], dtype=np.float64)
        self.angle = np.deg2rad(np.array([p.bearing_deg for p in placed], dtype=np.float64))
        self.round_ = np.array([p.outline.round_ for p in placed], dtype=np.bool_)
        self.half_u = np.array([p.outline.half_width_mm for p in placed], dtype=np.float64)
        self.half_v = np.array([p.outline.half_depth_mm for p in placed], dtype=np.float64)
        self.reach = np.array([p.outline.reach_mm for p in placed], dtype=np.float64)
        self.height = height = np.array([p.outline.height_mm for p in placed], dtype=np.float64)
        eye = camera.position_mm
        drop = height / (eye[2] - height - np.array([p.z_mm for p in placed]))
        self.side_x, self.side_y = (eye[0] - self.x) * drop, (eye[1] - self.y) * drop
        far = _TALL_MM / (eye[2] - height - _TALL_MM - np.array([p.z_mm for p in placed]))
        self.lean_x, self.lean_y = (self.x - eye[0]) * far, (self.y - eye[1]) * far

    def neighbours(self, apart: NDArray[np.bool_] | None = None) -> Ints:
        """For each base (N, K) the others that stand near; itself where there is none.

        None of two that are kept ``apart`` (N, N) is a neighbour of the other.
        """
        count = len(self.x)
        gap = np.hypot(self.x[:, None] - self.x, self.y[:, None] - self.y) - self.reach[:, None] - self.reach
        np.fill_diagonal(gap, np.inf)
        if apart is not None:
            gap[apart] = np.inf
        order = np.argsort(gap, axis=1)[:, :_NEIGHBOURS]
        near = np.take_along_axis(gap, order, axis=1) < _TOUCH_MM
        keep = int(near.sum(axis=1).max(initial=0))
        return np.asarray(np.where(near, order, np.arange(count)[:, None])[:, :keep], dtype=np.intp)

    def astray(self, of: Ints, xy: Floats) -> Singles:
        """Where (N, P) points lie on tops, but beside the figures that may stand there."""
        pick = of[:, None]
        dx, dy = xy[..., 0] - self.x[pick], xy[..., 1] - self.y[pick]
        sine, cosine = np.sin(self.angle)[pick], np.cos(self.angle)[pick]

        def own(x: Floats, y: Floats) -> tuple[Floats, Floats]:
            return (x * cosine - y * sine) / self.half_u[pick], (x * sine + y * cosine) / self.half_v[pick]

        small_u, small_v = (self.half_u < _BROAD_MM)[pick], (self.half_v < _BROAD_MM)[pick]

        u, v = own(dx, dy)
        a, b = own(self.lean_x[pick], self.lean_y[pick])
        along = np.clip((u * a + v * b) / np.maximum(a * a + b * b, 1e-9), 0, 1)
        away = np.hypot((u - along * a) * small_u, (v - along * b) * small_v)
        inside = np.where(self.round_[pick], np.hypot(u, v), np.maximum(np.abs(u), np.abs(v))) < 1
        least = np.maximum(_MIDDLE, _STOUT_MM / np.minimum(self.half_u, self.half_v))[pick]
        return np.asarray(inside & (away > least), dtype=np.float32)

    def pushes(self, near: Ints) -> tuple[Floats, Floats]:
        """What solid bases do to each other: the sums (N, 3) of the ways in mm and radians that each is pushed and
        turned by others, and by how many (N, 3)."""
        way, firm = np.zeros((len(self.x), 3)), np.zeros((len(self.x), 3))
        first = np.repeat(np.arange(len(near)), near.shape[1])
        second = near.ravel()
        first, second = first[first != second], second[first != second]
        if not len(first):
            return way, firm
        dx, dy = self.x[first] - self.x[second], self.y[first] - self.y[second]
        axes = np.stack([self.angle[first], self.angle[first] + np.pi / 2, self.angle[second],
                         self.angle[second] + np.pi / 2, np.arctan2(dx, dy)])  # fmt: skip
        along = dx * np.sin(axes) + dy * np.cos(axes)
        gaps = np.abs(along) - self._extent(first, axes) - self._extent(second, axes)
        best = gaps.argmax(axis=0), np.arange(len(first))
        deep = np.maximum(-gaps[best], 0.0)
        by = deep * np.sign(along[best])
        half = 0.5 * by
        turn = (self.angle[second] - self.angle[first] + np.pi / 4) % (np.pi / 2) - np.pi / 4
        flush = ~self.round_[first] & ~self.round_[second] & (gaps[best] < _FLUSH_MM) & (np.abs(turn) < _FLUSH_RAD)
        np.add.at(
            way, first, np.stack([half * np.sin(axes[best]), half * np.cos(axes[best]), flush * turn / 2], axis=1)
        )
        np.add.at(firm, first, np.stack([deep > 0, deep > 0, flush], axis=1).astype(np.float64))
        return way, firm

    def _extent(self, of: Ints, axis: Floats) -> Floats:
        """How far bases ``of`` reach from their centres along bearings ``axis`` (radians)."""
        turn = axis - self.angle[of]
        box = np.abs(np.sin(turn)) * self.half_u[of] + np.abs(np.cos(turn)) * self.half_v[of]
        return np.asarray(np.where(self.round_[of], self.half_u[of], box))

    def away(self, of: Ints, xy: Floats) -> tuple[Singles, Singles, Singles, Singles, Singles]:
        """For points (N, P, 2) and one base each (N,): the distance from its top's outline, from its silhouette,
        the outward normal (x, y), and how the distance changes with the turn (per radian); all (N, P)."""
        round_ = self.round_[of]
        if round_.all() or not round_.any():
            return self._away(of, xy, round_=bool(round_.all()))
        out = tuple(np.empty(xy.shape[:2], np.float32) for _ in range(5))
        for own, kind in ((round_, True), (~round_, False)):
            for whole, part in zip(out, self._away(of[own], xy[own], round_=kind), strict=True):
                whole[own] = part
        top, hull, nx, ny, turn = out
        return top, hull, nx, ny, turn

    def _away(self, of: Ints, xy: Floats, *, round_: bool) -> tuple[Singles, Singles, Singles, Singles, Singles]:
        """The same for bases that are all round, or all rectangles. Single floats do about a base, some hundred mm
        across."""
        pick = of[:, None]
        dx, dy = (xy[..., 0] - self.x[pick]).astype(np.float32), (xy[..., 1] - self.y[pick]).astype(np.float32)

        def of_each(values: Floats) -> Singles:
            return np.asarray(values[pick], dtype=np.float32)

        sine, cosine = of_each(np.sin(self.angle)), of_each(np.cos(self.angle))
        half_u, half_v = of_each(self.half_u), of_each(self.half_v)
        if round_:
            length = np.asarray(np.maximum(np.sqrt(dx * dx + dy * dy), np.float32(1e-6)), dtype=np.float32)
            nx, ny, top, turn = dx / length, dy / length, length - half_u, np.zeros_like(dx)
        else:
            u, v = dx * cosine - dy * sine, dx * sine + dy * cosine
            nu, nv, top = _box(u, v, half_u, half_v)
            turn = nv * u - nu * v
            nx, ny = nu * cosine + nv * sine, nv * cosine - nu * sine
        hull = top - np.maximum(of_each(self.side_x) * nx + of_each(self.side_y) * ny, np.float32(0))
        return top, hull, nx, ny, turn


def _box(u: Singles, v: Singles, half_u: Singles, half_v: Singles) -> tuple[Singles, Singles, Singles]:
    """The outward normal (u, v) and the signed distance of points from boxes."""
    du, dv = np.abs(u) - half_u, np.abs(v) - half_v
    corner = (du > 0) & (dv > 0)
    reach = np.maximum(np.sqrt(du * du + dv * dv), np.float32(1e-6))
    nu = np.where(corner, du / reach, (du >= dv).astype(np.float32)) * np.sign(u)
    nv = np.where(corner, dv / reach, (du < dv).astype(np.float32)) * np.sign(v)
    return nu, nv, np.where(corner, reach, np.maximum(du, dv))


@dataclass(frozen=True, eq=False)
class Matte:
    """How much (N, P) of each sample is the base's ``top``, an upright ``side`` or its worn edge, a neighbour's top
    (``beside``) and the table (``table``); and how much of the top's colour the sides show in the light on them
    (``lit``), None where that is not known.

    Their slopes (N, 3, P) with x, y (mm) and turn (rad) are those of what shows the top's colour (``by_top``), of
    the sides, of the table and of what is about the foot.
    """

    top: Singles
    side: Singles
    lit: Singles | None
    beside: Singles
    table: Singles
    by_top: Singles
    by_side: Singles
    by_table: Singles
    covered: Singles
    band: Singles
    by_band: Singles


def matte(bodies: Bodies, which: Ints, near: Ints, xy: Floats, blur_mm: float) -> Matte:
    """The matte of bases ``which`` (N,) at samples (N, P, 2), with their neighbours (N, K)."""
    exact = bodies.shade if bodies.shade is not None and bodies.shade.exact else None
    blur, worn = np.float32(blur_mm), np.float32(0.0 if exact is None else _WORN_MM)
    over_top, over_hull = np.zeros(xy.shape[:2], np.float32), np.zeros(xy.shape[:2], np.float32)
    for column in range(near.shape[1]):
        other = near[:, column]
        real = np.flatnonzero(other != which)
        if len(real):
            o_top, o_hull, *_ = bodies.away(other[real], xy[real])
            over_top[real] = np.maximum(over_top[real], _step((o_top + worn) / blur))
            over_hull[real] = np.maximum(over_hull[real], _step(o_hull / blur))
    top, hull, nx, ny, turn = bodies.away(which, xy)
    level, shape = _step((top + worn) / blur), _step(hull / blur)
    beside = over_top * (1 - level)
    free = (1 - over_hull) * (1 - shape)
    side = np.maximum(1 - free - level - beside, 0.0)
    bell = np.float32(1.6) / blur  # the slope of a step, by its own height
    by_level, by_hull = bell * level * (1 - level), bell * shape * (1 - shape) * (1 - over_hull)
    lit, by_top = None, by_level
    if exact is not None:
        own = _step(top / blur)
        edge = np.minimum(own - level, side)
        on_edge, on_side = (light_on(exact, (nx, ny), up) for up in (SLOPING, UPRIGHT))
        lit = edge * on_edge + (side - edge) * on_side
        by_top = by_level * (1 - on_edge) + bell * own * (1 - own) * (on_edge - on_side) + by_hull * on_side
    way = np.stack([nx, ny, -turn], axis=1)
    band, thinning = _foot(bodies, which, top, hull, (nx, ny), blur_mm)
    foot = free * thinning
    return Matte(
        level, side, lit, beside, free,
        by_top[:, None] * way, (by_hull - by_level)[:, None] * way, -by_hull[:, None] * way,
        over_hull, band, foot[:, None] * way,
    )  # fmt: skip


def _foot(
    bodies: Bodies, which: Ints, top: Singles, hull: Singles, normal: tuple[Singles, Singles], blur_mm: float
) -> tuple[Singles, Singles]:
    """How much (N, P) each sample lies in what is about the foot, a dark seam or a cast shadow; and by what share
    per mm outwards that grows less.

    The foot lies on the ground: on the plane of the top it is seen as far aside as the visible side is broad, which
    only a fit tells from a shadow a little longer that knows this exactly.
    """
    if bodies.shade is None:
        seam = np.exp(np.maximum(hull, np.float32(0)) * np.float32(-1 / _BAND_MM))
        return seam, (hull > 0) * np.float32(1 / _BAND_MM)
    cast, soft = bodies.shade, np.float32(np.hypot(bodies.shade.soft_mm, blur_mm))
    height = bodies.height[which, None].astype(np.float32)
    reach = height * (np.float32(cast.x_mm) * normal[0] + np.float32(cast.y_mm) * normal[1])
    foot = top
    if cast.exact:
        aside_x, aside_y = (side[which, None].astype(np.float32) for side in (bodies.side_x, bodies.side_y))
        foot = top - aside_x * normal[0] - aside_y * normal[1]
    shadow = _step((foot - np.maximum(reach, np.float32(0))) / soft)
    return shadow, (1 - shadow) * (np.float32(1.6) / soft)


def _step(x: Singles) -> Singles:
    """1 well inside (x << 0), 0 well outside: a blurred edge; x in sigmas."""
    half = np.float32(0.5)
    return np.asarray(half - half * np.tanh(np.float32(0.8) * x), dtype=np.float32)
