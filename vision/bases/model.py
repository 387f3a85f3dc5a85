"""How the rims of an army look: rings of known size, their visible sides, blurred, joined where they touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.bases.pixels import Pixels, Placed

__all__ = ["Look", "Rims"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_TOUCH_MM = 6.0  # rims nearer than this are modelled together
_NEIGHBOURS = 8
_STEP_MM, _STEP_DEG = 1.0, 5.0  # the longest step of a round
_STIFF = 4.0  # per square mm: how firmly solid bases keep apart, beside what a rim's pixels say (about 2)
_SIDE = 0.9  # share of the upright side that looks as painted as the top


@dataclass(frozen=True)
class Look:
    """What all rims of an army share in a frame: the painted ring's width, the blur (sigma) and how much of the
    side's paint is seen."""

    rim_mm: float = 2.6
    blur_mm: float = 1.0
    side: float = _SIDE


class Rims:
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
        """What keeps solid bases apart.

        Normal matrices (N, 3, 3) and right sides (N, 3) that push each base half of the way out of those that it
        runs into.
        """
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
        for axis in (
            self.angle[first],
            self.angle[first] + np.pi / 2,
            self.angle[second],
            self.angle[second] + np.pi / 2,
            between,
        ):
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

    def placed(self) -> list[Placed]:
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
