"""The known shape laid on the rims seen, to a fraction of a pixel, every base of an army at once.

The picture of a rim is modelled whole: a ring of known outer size and common width, the upright side below it on
the side that faces the camera, blurred by the lens, and joined with the rims that touch it. Position, turn and
brightness of each base are fitted to the pixels about its rim; what stands before the rim is outvoted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.bases.plane import Ground
from vision.bases.shapes import Outline, turned

__all__ = ["Fit", "Look", "Placed", "Pixels", "gather", "refine"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_ROUNDS = 12
_TOUCH_MM = 6.0  # rims nearer than this are modelled together
_BAND_OUT_MM, _BAND_IN_MM = 4.0, 3.5  # pixels this far outside the outline and inside the ring take part
_ODD = 0.22  # a pixel off by this share of the paint counts half
_STEP_MM, _STEP_DEG = 1.0, 5.0  # the longest step of a round
_NEIGHBOURS = 8
_SOFT_MM = 1.0  # the model is blurred by this much more in the first round, by nothing after the fifth
_LENIENT = 3.5  # and odd pixels are held against it so much less
_STIFF = 4.0  # per square mm: how firmly solid bases keep apart, beside what a rim's pixels say (about 2)
_SIDE = 0.9  # share of the upright side that looks as painted as the top



@dataclass(frozen=True)
class Placed:
    """A base taken to be there: the ground point under its centre, the ground's height, its bearing up to its turn."""

    outline: Outline
    x_mm: float
    y_mm: float
    z_mm: float
    bearing_deg: float


@dataclass(frozen=True)
class Look:
    """What all rims of an army share in a frame: the painted ring's width, the blur (sigma) and how much of the
    side's paint is seen."""

    rim_mm: float = 2.6
    blur_mm: float = 1.0
    side: float = _SIDE


@dataclass(frozen=True, eq=False)
class Pixels:
    """Pixels about rims: which base (N,), where on the plane of its rim (N, 2) mm, and where in the frame (N, 2)."""

    base: Ints
    xy_mm: Floats
    px: Ints
    starts: Ints


@dataclass(frozen=True, eq=False)
class Fit:
    """The bases as fitted; ``covariance`` (N, 3, 3) of x, y in mm and bearing in degrees, ``gain`` (N,) their paint's
    strength, ``residual`` (N,) robust rms, ``support`` (N,) the share of the ring that is seen painted, ``contrast``
    (N,) how much more paint there is on the ring than off it."""

    placed: list[Placed]
    covariance: Floats
    gain: Floats
    residual: Floats
    support: Floats
    contrast: Floats
    look: Look


def gather(
    placed: Sequence[Placed], camera: CameraModel, shape: tuple[int, int], rim_mm: float, stride: int = 1
) -> Pixels:
    """The pixels about the rims of bases, in a frame of ``shape`` (rows, columns); every ``stride``-th of a row and
    column."""
    which, points, pixels = [], [], []
    height, width = shape
    for number, (base, (corners, terms)) in enumerate(zip(placed, _local_maps(placed, camera), strict=True)):
        if not np.isfinite(corners).all():
            continue
        left, top = np.maximum(np.floor(corners.min(axis=0)), 0).astype(int)
        right, bottom = np.minimum(np.ceil(corners.max(axis=0)), [width - 1, height - 1]).astype(int)
        if right <= left or bottom <= top:
            continue
        across, down = np.meshgrid(np.arange(left, right + 1, stride), np.arange(top, bottom + 1, stride))
        px = np.column_stack([across.ravel(), down.ravel()])
        middle = corners.mean(axis=0)
        offset = _terms(px - middle) @ terms
        u, v = _own(offset, np.deg2rad(base.bearing_deg))
        away = base.outline.distance(u, v)
        near = (away < _BAND_OUT_MM) & (away > -rim_mm - _BAND_IN_MM)
        which.append(np.full(int(near.sum()), number, dtype=np.intp))
        points.append(offset[near] + [base.x_mm, base.y_mm])
        pixels.append(px[near])
    if not which:
        return Pixels(np.zeros(0, np.intp), np.zeros((0, 2)), np.zeros((0, 2), np.intp), np.zeros(0, np.intp))
    base_of = np.concatenate(which)
    starts = np.searchsorted(base_of, np.arange(len(placed)))
    return Pixels(base_of, np.concatenate(points), np.concatenate(pixels), starts)


_GRID = np.stack(np.meshgrid(np.linspace(-1, 1, 5), np.linspace(-1, 1, 5)), axis=-1).reshape(-1, 2)


def _terms(offset_px: Floats) -> Floats:
    """The terms (..., 10) of a cubic in offsets (..., 2)."""
    x, y = offset_px[..., 0], offset_px[..., 1]
    one = np.ones_like(x, dtype=np.float64)
    return np.stack([one, x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3], axis=-1)


def _local_maps(placed: Sequence[Placed], camera: CameraModel) -> list[tuple[Floats, Floats]]:
    """For each base the pixels (25, 2) of a grid over it, and the cubic (10, 2) that turns offsets from their mean
    into millimetres from its centre: exact to a thousandth, and far cheaper than the lens pixel by pixel."""
    if not placed:
        return []
    reach = np.array([p.outline.reach_mm + _BAND_OUT_MM + 1.0 for p in placed])
    grid = _GRID * reach[:, None, None]
    centre = np.array([[p.x_mm, p.y_mm] for p in placed])[:, None]
    tops = np.array([p.z_mm + p.outline.height_mm for p in placed])
    points = np.concatenate([grid + centre, np.broadcast_to(tops[:, None, None], (*grid.shape[:2], 1))], axis=-1)
    seen = camera.project(points.reshape(-1, 3)).reshape(len(placed), -1, 2)
    safe = np.nan_to_num(seen)
    terms = _terms(safe - safe.mean(axis=1, keepdims=True))
    scale = np.maximum(np.abs(terms).max(axis=1, keepdims=True), 1e-12)
    scaled = terms / scale
    normal = scaled.transpose(0, 2, 1) @ scaled + 1e-10 * np.eye(10)
    solved = np.linalg.solve(normal, scaled.transpose(0, 2, 1) @ grid) / scale.transpose(0, 2, 1)
    return [(seen[k], solved[k]) for k in range(len(placed))]


def refine(
    placed: Sequence[Placed],
    likeness: Floats,
    pixels: Pixels,
    camera: CameraModel,
    ground: Ground,
    look: Look,
    foreign: Floats | None = None,
    rounds: int = _ROUNDS,
    together: bool = True,
) -> Fit:
    """Bases of one army fitted to the ``likeness`` (N,) of ``pixels``; ``foreign`` (N,) is how much each pixel
    belongs to another army's rim."""
    state = _State(placed, camera, look)
    trust = np.ones(len(likeness)) if foreign is None else 1.0 - foreign
    near = state.neighbours() if together else np.arange(len(placed))[:, None]
    shared = state.shared(pixels, near)
    levels = np.tile([0.0, 0.0, 1.0], (len(placed), 1))
    weights = trust
    for turn in range(rounds):
        state.softness = max(0.0, _SOFT_MM * (1.0 - turn / 5))
        ring, inside, slopes = state.render(pixels, shared, slopes=True)
        levels, fitted = _levels(pixels.base, likeness, ring, inside, weights, len(placed))
        off = likeness - fitted
        odd = _ODD * max(1.0, _LENIENT - 0.4 * turn)
        weights = trust / (1.0 + (off / (odd * np.maximum(levels[pixels.base, 2], 0.3))) ** 2) ** 2
        push = state.overlaps(near) if together else None
        steps, _ = _solve(pixels.base, slopes * levels[pixels.base, 2][:, None], off, weights, state, push)
        state.move(steps, 0.8 if turn < rounds - 3 else 1.0)
        if together and turn in (4, 7, 10):
            state.look = _relook(state, pixels, shared, likeness, weights, levels)
    ring, inside, slopes = state.render(pixels, shared, slopes=True)
    levels, fitted = _levels(pixels.base, likeness, ring, inside, weights, len(placed))
    off = likeness - fitted
    _, covariance = _solve(pixels.base, slopes * levels[pixels.base, 2][:, None], off, weights, state)
    total = np.maximum(np.bincount(pixels.base, weights, len(placed)), 1e-9)
    residual = np.sqrt(np.bincount(pixels.base, weights * off**2, len(placed)) / total)
    support, contrast = state.seen(pixels, likeness)
    scatter = covariance * np.maximum(residual, 0.03)[:, None, None] ** 2
    return Fit(state.placed(ground), scatter, levels[:, 2], residual, support, contrast, state.look)


def _own(offset: Floats, angle: Floats | float) -> tuple[Floats, Floats]:
    """Offsets (N, 2) from the centre as right and forward of the base's own frame."""
    sine, cosine = np.sin(angle), np.cos(angle)
    return offset[:, 0] * cosine - offset[:, 1] * sine, offset[:, 0] * sine + offset[:, 1] * cosine


class _State:
    """The parameters under way: centre and turn of each base, and what they share."""

    def __init__(self, placed: Sequence[Placed], camera: CameraModel, look: Look) -> None:
        self.given = list(placed)
        self.x = np.array([p.x_mm for p in placed], dtype=np.float64)
        self.y = np.array([p.y_mm for p in placed], dtype=np.float64)
        self.angle = np.deg2rad(np.array([p.bearing_deg for p in placed], dtype=np.float64))
        self.round_ = np.array([p.outline.round_ for p in placed], dtype=bool)
        self.half_u = np.array([p.outline.half_width_mm for p in placed])
        self.half_v = np.array([p.outline.half_depth_mm for p in placed])
        self.reach = np.array([p.outline.reach_mm for p in placed])
        height = np.array([p.outline.height_mm for p in placed])
        top = height + np.array([p.z_mm for p in placed])
        eye = camera.position_mm
        drop = height / (eye[2] - top)
        self.side_x, self.side_y = (eye[0] - self.x) * drop, (eye[1] - self.y) * drop
        self.look = look
        self.softness = 0.0

    def neighbours(self) -> Ints:
        """For each base (N, K) the others that its rim may touch; itself where there is none."""
        count = len(self.x)
        gap = np.hypot(self.x[:, None] - self.x, self.y[:, None] - self.y) - self.reach[:, None] - self.reach
        gap[np.arange(count), np.arange(count)] = np.inf
        order = np.argsort(gap, axis=1)[:, :_NEIGHBOURS]
        near = np.take_along_axis(gap, order, axis=1) < _TOUCH_MM
        keep = max(1, int(near.sum(axis=1).max(initial=0)))
        return np.where(near, order, np.arange(count)[:, None])[:, :keep]

    def shared(self, pixels: Pixels, near: Ints) -> tuple[Ints, Ints]:
        """Pixels (M,) that a neighbouring base's rim may reach, and which base (M,) that is."""
        picks, others = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
        for column in range(near.shape[1]):
            other = near[pixels.base, column]
            dx, dy = pixels.xy_mm[:, 0] - self.x[other], pixels.xy_mm[:, 1] - self.y[other]
            pick = np.flatnonzero((other != pixels.base) & (np.hypot(dx, dy) < self.reach[other] + _TOUCH_MM))
            picks.append(pick)
            others.append(other[pick])
        return np.concatenate(picks), np.concatenate(others)

    def overlaps(self, near: Ints) -> tuple[Floats, Floats]:
        """What keeps solid bases apart: normal matrices (N, 3, 3) and right sides (N, 3) that push each base half of
        the way out of those that it runs into."""
        count = len(self.x)
        matrix, right = np.zeros((count, 3, 3)), np.zeros((count, 3))
        first = np.repeat(np.arange(count), near.shape[1])
        second = near.ravel()
        real = first != second
        first, second = first[real], second[real]
        if not len(first):
            return matrix, right
        dx, dy = self.x[first] - self.x[second], self.y[first] - self.y[second]
        gap, nx, ny = np.full(len(first), -np.inf), np.zeros(len(first)), np.zeros(len(first))
        between = np.arctan2(dx, dy)
        for axis in (self.angle[first], self.angle[first] + np.pi / 2, self.angle[second],
                     self.angle[second] + np.pi / 2, between):
            ax, ay = np.sin(axis), np.cos(axis)
            along = dx * ax + dy * ay
            apart = np.abs(along) - self._extent(first, axis) - self._extent(second, axis)
            better = apart > gap
            gap = np.where(better, apart, gap)
            nx, ny = np.where(better, ax * np.sign(along), nx), np.where(better, ay * np.sign(along), ny)
        deep = np.where(gap < 0, -gap, 0.0)
        stiff = np.where(deep > 0, _STIFF, 0.0)
        normal = np.stack([nx, ny, np.zeros_like(nx)], axis=1)
        np.add.at(matrix, first, stiff[:, None, None] * normal[:, :, None] * normal[:, None, :])
        np.add.at(right, first, (0.5 * stiff * deep)[:, None] * normal)
        return matrix, right

    def _extent(self, of: Ints, axis: Floats) -> Floats:
        """How far bases ``of`` reach from their centres along bearings ``axis`` (radians)."""
        turn = axis - self.angle[of]
        box = np.abs(np.sin(turn)) * self.half_u[of] + np.abs(np.cos(turn)) * self.half_v[of]
        return np.where(self.round_[of], self.half_u[of], box)

    def away(self, of: Ints, xy: Floats, side: float) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """For points (N, 2) and the bases ``of`` (N,): distance from the top's outline, from the outline with its
        visible side, the outward normal (x, y), and how the distance changes with the turn (per radian)."""
        dx, dy = xy[:, 0] - self.x[of], xy[:, 1] - self.y[of]
        sine, cosine = np.sin(self.angle)[of], np.cos(self.angle)[of]
        u, v = dx * cosine - dy * sine, dx * sine + dy * cosine
        tu = (self.side_x[of] * cosine - self.side_y[of] * sine) * side
        tv = (self.side_x[of] * sine + self.side_y[of] * cosine) * side
        length = np.maximum(np.hypot(u, v), 1e-6)
        if self.round_.all():
            nu, nv, top, turn = u / length, v / length, length - self.half_u[of], np.zeros_like(u)
        else:
            nu, nv, top = _box(u, v, self.half_u[of], self.half_v[of])
            turn = nu * -v + nv * u
            flat = self.round_[of]
            nu, nv = np.where(flat, u / length, nu), np.where(flat, v / length, nv)
            top, turn = np.where(flat, length - self.half_u[of], top), np.where(flat, 0.0, turn)
        hull = top - np.maximum(tu * nu + tv * nv, 0.0)
        return top, hull, nu * cosine + nv * sine, nv * cosine - nu * sine, turn

    def render(self, pixels: Pixels, shared: tuple[Ints, Ints], slopes: bool) -> tuple[Floats, Floats, Floats]:
        """The model at the pixels: how much ring (own and touching), how much of the base's inside, and the ring's
        slopes (N, 3) with x, y (per mm) and turn (per radian) of the pixel's own base."""
        blur = float(np.hypot(self.look.blur_mm, self.softness))
        of = pixels.base
        top, hull, nx, ny, turn = self.away(of, pixels.xy_mm, self.look.side)
        outer, inner = _step(hull / blur), _step((top + self.look.rim_mm) / blur)
        ring, inside = outer - inner, inner
        by = np.zeros((0, 3))
        if slopes:
            # moving the base along its normal by 1 mm brings the distance down by 1 mm
            change = _bell(hull / blur) / blur - _bell((top + self.look.rim_mm) / blur) / blur
            by = np.stack([change * nx, change * ny, change * -turn], axis=1)
        left = 1.0 - ring
        pick, other = shared
        if len(pick):
            o_top, o_hull, *_ = self.away(other, pixels.xy_mm[pick], self.look.side)
            o_outer, o_inner = _step(o_hull / blur), _step((o_top + self.look.rim_mm) / blur)
            left -= np.bincount(pick, o_outer - o_inner, len(left))
        return np.clip(1.0 - left, 0.0, 1.0), inside, by

    def seen(self, pixels: Pixels, likeness: Floats) -> tuple[Floats, Floats]:
        """For each base the share of its ring that is painted, and how much more paint is on it than beside it."""
        of, rim, count = pixels.base, self.look.rim_mm, len(self.x)
        top, hull, *_ = self.away(of, pixels.xy_mm, self.look.side)
        like = np.clip(likeness, -0.2, 1.2)

        def mean(pick: NDArray[np.bool_], values: Floats) -> Floats:
            number = np.bincount(of[pick], minlength=count)
            return np.asarray(np.bincount(of[pick], values[pick], count) / np.maximum(number, 1))

        core = np.abs(top + rim / 2) < 0.35 * rim
        within = (top < -rim - 0.7) & (top > -rim - 3.0)
        without = (hull > 0.7) & (hull < 3.0)
        on = mean(core, like)
        share = mean(core, (likeness > 0.5 * np.maximum(on, 0.3)[of]).astype(np.float64))
        return share, on - 0.5 * mean(within, like) - 0.25 * mean(without, like)

    def move(self, steps: Floats, share: float) -> None:
        """Adds steps (N, 3) in mm, mm and radians, held to the longest allowed."""
        self.x += share * np.clip(steps[:, 0], -_STEP_MM, _STEP_MM)
        self.y += share * np.clip(steps[:, 1], -_STEP_MM, _STEP_MM)
        limit = np.deg2rad(_STEP_DEG)
        self.angle += share * np.clip(steps[:, 2], -limit, limit)

    def placed(self, ground: Ground) -> list[Placed]:
        """The bases where they are now."""
        return [
            replace(p, x_mm=float(x), y_mm=float(y), bearing_deg=float(np.rad2deg(a)) % p.outline.turn_deg)
            for p, x, y, a in zip(self.given, self.x, self.y, self.angle, strict=True)
        ]


def _box(u: Floats, v: Floats, half_u: Floats, half_v: Floats) -> tuple[Floats, Floats, Floats]:
    """The outward normal (u, v) and the signed distance of points from boxes."""
    du, dv = np.abs(u) - half_u, np.abs(v) - half_v
    corner = (du > 0) & (dv > 0)
    reach = np.maximum(np.hypot(du, dv), 1e-6)
    nu = np.where(corner, du / reach, (du >= dv).astype(np.float64)) * np.sign(u)
    nv = np.where(corner, dv / reach, (du < dv).astype(np.float64)) * np.sign(v)
    return nu, nv, np.where(corner, reach, np.maximum(du, dv))


def _step(x: Floats) -> Floats:
    """1 well inside (x << 0), 0 well outside: a blurred edge; x in sigmas."""
    return np.asarray(0.5 - 0.5 * np.tanh(0.8 * x))


def _bell(x: Floats) -> Floats:
    """Minus the slope of `_step`."""
    return np.asarray(0.4 / np.cosh(np.clip(0.8 * x, -20, 20)) ** 2)


def _levels(
    of: Ints, likeness: Floats, ring: Floats, inside: Floats, weights: Floats, count: int
) -> tuple[Floats, Floats]:
    """The likeness outside, inside and on the ring of each base (N, 3), and the model's likeness at the pixels.

    A pull towards 0, 0 and the common strength settles what too few pixels tell.
    """
    outside = np.clip(1.0 - ring - inside, 0.0, 1.0)
    columns = np.stack([outside, np.minimum(inside, 1.0 - ring), ring], axis=1)
    weighted = columns * weights[:, None]
    matrix = np.stack([np.bincount(of, weighted[:, i] * columns[:, j], count) for i in range(3) for j in range(3)], -1)
    right = np.stack([np.bincount(of, weighted[:, i] * likeness, count) for i in range(3)], -1)
    pull = np.diag([3.0, 3.0, 3.0])
    prior = np.array([0.0, 0.0, 0.8])
    solved = np.linalg.solve(matrix.reshape(-1, 3, 3) + pull, (right + pull @ prior)[..., None])[..., 0]
    return solved, np.asarray((columns * solved[of]).sum(axis=1))


def _solve(of: Ints, slopes: Floats, off: Floats, weights: Floats, state: _State,
           push: tuple[Floats, Floats] | None = None) -> tuple[Floats, Floats]:
    """The Gauss-Newton steps (N, 3) and the inverses (N, 3, 3) of their normal matrices (degrees for the turn)."""
    count = len(state.x)
    weighted = slopes * weights[:, None]
    normal = np.stack([np.bincount(of, weighted[:, i] * slopes[:, j], count) for i in range(3) for j in range(3)], -1)
    normal = normal.reshape(-1, 3, 3)
    right = np.stack([np.bincount(of, weighted[:, i] * off, count) for i in range(3)], -1)
    pull = np.zeros((count, 3, 3))
    pull[:, 0, 0] = pull[:, 1, 1] = 0.05
    pull[:, 2, 2] = np.where(state.round_, 1e6, 1.0)
    if push is not None:
        pull = pull + push[0]
        right = right + push[1]
    inverse = np.linalg.inv(normal + pull)
    scale = np.diag([1.0, 1.0, 180.0 / np.pi])
    return np.einsum("nij,nj->ni", inverse, right), scale @ inverse @ scale


def _relook(
    state: _State, pixels: Pixels, shared: tuple[Ints, Ints], likeness: Floats, weights: Floats, levels: Floats
) -> Look:
    """One damped Gauss-Newton step for what all rims share."""
    look, count = state.look, len(levels)
    ring, inside, _ = state.render(pixels, shared, slopes=False)
    _, fitted = _levels(pixels.base, likeness, ring, inside, weights, count)
    columns = []
    for name, step in (("rim_mm", 0.1), ("blur_mm", 0.05)):
        state.look = replace(look, **{name: getattr(look, name) + step})
        ring, inside, _ = state.render(pixels, shared, slopes=False)
        columns.append((_levels(pixels.base, likeness, ring, inside, weights, count)[1] - fitted) / step)
    state.look = look
    slopes = np.stack(columns, axis=1)
    pull = np.diag([20.0, 20.0])
    prior = np.array([2.6 - look.rim_mm, 0.0])
    normal = (slopes * weights[:, None]).T @ slopes + pull
    change = np.linalg.solve(normal, (slopes * weights[:, None]).T @ (likeness - fitted) + pull @ prior)
    return replace(
        look,
        rim_mm=float(np.clip(look.rim_mm + np.clip(change[0], -0.5, 0.5), 1.2, 5.0)),
        blur_mm=float(np.clip(look.blur_mm + np.clip(change[1], -0.25, 0.25), 0.3, 2.5)),
    )


def ring_points(base: Placed, depth_mm: float, spacing_mm: float) -> tuple[Floats, Floats]:
    """Points (N, 3) of the table ``depth_mm`` inside the outline on the rim's top, and the outward normals (N, 2)."""
    points, normals = base.outline.ring(depth_mm, spacing_mm)
    at = turned(points, base.bearing_deg) + [base.x_mm, base.y_mm]
    return np.column_stack([at, np.full(len(at), base.z_mm + base.outline.height_mm)]), turned(normals, base.bearing_deg)
