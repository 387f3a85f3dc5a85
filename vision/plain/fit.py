"""Position and turn of bases fitted to the frame about them, each with its neighbours, and how well they explain
it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from msgspec.structs import replace as lens_of
from numpy.typing import NDArray

from calibration.camera import CameraModel
from vision.bases.pixels import Placed
from vision.plain.backdrop import Backdrop, Picture
from vision.plain.matte import Bodies, Matte, Samples, gridded, matte, sample

__all__ = ["Fit", "Scene", "explained", "fit"]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_BLUR_PX = 0.55  # the lens's blur and half a pixel's own width, one sigma
_SOFT_MM = 1.2  # the model is blurred by this much more in the first round, by nothing after the fifth
_ODD = 2.0  # a sample off by so many times the usual counts a quarter
_TOP = 1.5
_ABOUT_MM = 4.0
_CAP = 9.0  # and what is this many sigmas squared off may be anything
_STEP_MM, _STEP_DEG = 1.0, 5.0
_FARTHEST_MM = 3.0  # a fit that runs farther is after something else
_STIFF = 40.0  # per mm², against what the pixels say: how firmly solid bases keep apart
_FLUSH = 20_000.0
_BAND_PULL = 0.5


@dataclass(frozen=True, eq=False)
class Scene:
    """A frame (H, W, 3) as single floats, what it would show were nothing put down, and its camera."""

    frame: Picture
    backdrop: Backdrop
    camera: CameraModel
    px_per_mm: float

    def smaller(self, times: int) -> Scene:
        """The same scene with so many times fewer pixels each way."""
        if times <= 1:
            return self
        lens = self.camera.intrinsics
        height, width = (n // times for n in self.frame.shape[:2])
        seen = lens_of(
            lens, width_px=width, height_px=height, fx=lens.fx / times, fy=lens.fy / times,
            cx=(lens.cx + 0.5) / times - 0.5, cy=(lens.cy + 0.5) / times - 0.5,
        )  # fmt: skip
        back = self.backdrop
        camera = replace(self.camera, intrinsics=seen)

        def less(picture: Picture) -> Picture:
            part = picture[: height * times, : width * times]
            return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)

        known = less(back.known.astype(np.float32)) > 0.99
        small = Backdrop(less(back.then), less(back.noise) / times**0.5, known)
        return Scene(less(self.frame), small, camera, self.px_per_mm / times)

    def reduced(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """A mask (H, W) of the whole picture, for this one."""
        height, width = self.frame.shape[:2]
        if mask.shape == (height, width):
            return mask
        return np.asarray(cv2.resize(mask.astype(np.uint8), (width, height), interpolation=cv2.INTER_AREA) > 0)


@dataclass(frozen=True, eq=False)
class Fit:
    """Bases as fitted.

    ``covariance`` (N, 3, 3) is of x, y in mm and bearing in degrees, from the samples alone; ``gain`` (N,) how much
    better, per mm of outline, the base explains the picture than does either nothing or something without outline.
    """

    placed: list[Placed]
    covariance: Floats
    gain: Floats
    opaque: Floats
    residual: Floats

    @property
    def worth(self) -> Floats:
        """What speaks for each base (N,): its outline, and that its top hides the table."""
        return np.asarray(self.gain + _TOP * np.clip(self.opaque, -_TOP, _TOP))


def fit(
    scene: Scene,
    placed: Sequence[Placed],
    rounds: int,
    near: Ints | None = None,
    *,
    free: int,
    grey: bool = False,
    coarse: bool = False,
) -> Fit:
    """Fits the first ``free`` of bases; the others only stand beside.

    ``near`` (N, K) are the bases that each may be covered by, itself where there is none; all about it if not
    given.
    """
    bodies = Bodies(placed, scene.camera)
    near = bodies.neighbours() if near is None else near
    kinds = list(dict.fromkeys(p.outline for p in placed[:free]))
    groups = []
    for kind in kinds:
        which = np.array([k for k in range(free) if placed[k].outline == kind], dtype=np.intp)
        groups.append(
            (
                which,
                sample(
                    [placed[k] for k in which],
                    scene.frame,
                    scene.backdrop,
                    scene.camera,
                    scene.px_per_mm,
                    grey,
                    1.5 if coarse else 1.0,
                ),
            )
        )
    covariance, gain, opaque, residual = np.zeros((free, 3, 3)), np.zeros(free), np.zeros(free), np.zeros(free)
    blur = _BLUR_PX / scene.px_per_mm
    weights = [samples.seen.astype(np.float64) for _, samples in groups]
    began = bodies.x.copy(), bodies.y.copy()
    for turn in range(rounds):
        push, firm = bodies.pushes(near)
        soft = float(np.hypot(blur, _SOFT_MM * max(0.0, 1.0 - turn / 5)))
        for k, (which, samples) in enumerate(groups):
            steps, _, weights[k] = _step_of(
                bodies, which, near[which], samples, soft, weights[k], 2 if turn else 3, push, firm
            )
            _move(bodies, which, steps)
        np.clip(bodies.x, began[0] - _FARTHEST_MM, began[0] + _FARTHEST_MM, out=bodies.x)
        np.clip(bodies.y, began[1] - _FARTHEST_MM, began[1] + _FARTHEST_MM, out=bodies.y)
    for k, (which, samples) in enumerate(groups):
        covariance[which] = _step_of(bodies, which, near[which], samples, blur, weights[k], 1)[1]
        gain[which], opaque[which], residual[which] = _judge(bodies, which, near[which], samples, blur)
    found = [
        replace(
            p,
            x_mm=float(bodies.x[k]),
            y_mm=float(bodies.y[k]),
            bearing_deg=float(np.rad2deg(bodies.angle[k])) % p.outline.turn_deg,
        )
        for k, p in enumerate(placed[:free])
    ]
    return Fit(found, covariance, gain, opaque, residual)


def explained(scene: Scene, placed: Sequence[Placed], among: Sequence[Placed] = ()) -> Floats:
    """How much better (N,) each base explains the picture than does the empty table, pixel by pixel, in sigmas
    squared.

    Each pixel is explained by one base only, the nearest: packings of the same place can be compared by their sums.
    """
    if not placed:
        return np.zeros(0)
    both = [*placed, *among]
    bodies = Bodies(both, scene.camera)
    near, blur = bodies.neighbours(), _BLUR_PX / scene.px_per_mm
    owner, keys, away, better = [], [], [], []
    for kind in dict.fromkeys(p.outline for p in placed):
        which = np.array([k for k, p in enumerate(placed) if p.outline == kind], dtype=np.intp)
        samples, cells = gridded(
            [placed[k] for k in which], scene.frame, scene.backdrop, scene.camera, scene.px_per_mm
        )
        of = matte(bodies, which, near[which], samples.xy_mm, blur)
        _, hull, *_ = bodies.away(which, samples.xy_mm)
        dx, dy = _offsets(bodies, which, samples.xy_mm)
        square = _square(_columns(of, dx, dy), of.table, of.band, dx, dy, samples, samples.seen)
        null = np.minimum(((samples.now - samples.then) ** 2).mean(axis=-1), _CAP)
        mine = samples.seen & (hull < _ABOUT_MM)
        owner.append(np.broadcast_to(which[:, None], hull.shape)[mine])
        keys.append(cells[mine])
        away.append(hull[mine])
        better.append((null - square)[mine])
    order = np.lexsort((np.concatenate(away), np.concatenate(keys)))
    _, first = np.unique(np.concatenate(keys)[order], return_index=True)
    pick = order[first]
    return np.bincount(np.concatenate(owner)[pick], np.concatenate(better)[pick], len(placed)).astype(np.float64)


def _columns(of: Matte, dx: Floats, dy: Floats) -> Floats:
    """What makes up a sample (N, P, 7): top and side, each even and with slopes over the base; a neighbour's
    top."""
    return np.stack([of.top, of.top * dx, of.top * dy, of.side, of.side * dx, of.side * dy, of.beside], axis=-1)


def _offsets(bodies: Bodies, which: Ints, xy: Floats) -> tuple[Floats, Floats]:
    reach = bodies.reach[which, None]
    return (xy[..., 0] - bodies.x[which, None]) / reach, (xy[..., 1] - bodies.y[which, None]) / reach


def _levels(
    columns: Floats, table: Floats, band: Floats, dx: Floats, dy: Floats, samples: Samples, weights: Floats
) -> tuple[Floats, Floats]:
    """The levels (N, 3, 10) of each channel, and the picture (N, P, 3) that they make."""
    levels, made = [], []
    count = columns.shape[-1]
    for channel in range(samples.now.shape[-1]):
        ground = table * samples.then[..., channel]
        foot = ground * band
        terms = np.concatenate(
            [columns, np.stack([ground, ground * dx, ground * dy, foot, foot * dx, foot * dy], axis=-1)], axis=-1
        )
        middle = np.average(samples.now[..., channel], axis=1, weights=weights + 1e-6)
        pull = np.zeros(count + 6)
        pull[0::3] = 1.0
        pull[1:count:3] = pull[2:count:3] = 12.0
        prior = np.zeros((len(columns), count + 6))
        prior[:, 0:count:3] = middle[:, None]
        prior[:, count] = 1.0
        bright = np.mean(samples.then[..., channel] ** 2, axis=1)
        pulls = np.broadcast_to(pull, prior.shape).copy()
        pulls[:, count:] = bright[:, None] * np.array([20.0, 20.0, 20.0, _BAND_PULL, _BAND_PULL, _BAND_PULL])
        weighted = terms * weights[..., None]
        normal = weighted.transpose(0, 2, 1) @ terms + pulls[:, :, None] * np.eye(count + 6)
        right = (weighted.transpose(0, 2, 1) @ samples.now[..., channel, None])[..., 0] + pulls * prior
        solved = np.linalg.solve(normal, right[..., None])[..., 0]
        levels.append(solved)
        made.append((terms @ solved[..., None])[..., 0])
    return np.stack(levels, axis=1), np.stack(made, axis=-1)


def _weights(off: Floats, seen: NDArray[np.bool_]) -> Floats:
    """How much each sample counts, by how far it is off (N, P, 3), against what is usual about its base."""
    square = (off**2).mean(axis=-1)
    usual = np.median(square, axis=1, keepdims=True) + 0.3
    return np.asarray(seen / (1.0 + square / (_ODD**2 * usual)) ** 2)


def _step_of(
    bodies: Bodies,
    which: Ints,
    near: Ints,
    samples: Samples,
    blur: float,
    weights: Floats,
    often: int,
    push: Floats | None = None,
    firm: Floats | None = None,
) -> tuple[Floats, Floats, Floats]:
    """A Gauss-Newton step (N, 3) in mm, mm, radians, and the covariance (N, 3, 3), degrees for the turn."""
    of = matte(bodies, which, near, samples.xy_mm, blur)
    dx, dy = _offsets(bodies, which, samples.xy_mm)
    columns = _columns(of, dx, dy)
    for _ in range(often):
        levels, made = _levels(columns, of.table, of.band, dx, dy, samples, weights)
        off = samples.now - made
        weights = _weights(off, samples.seen)
    terms = np.stack([np.ones_like(dx), dx, dy], axis=-1)
    top = np.einsum("npt,nct->npc", terms, levels[..., 0:3])
    side = np.einsum("npt,nct->npc", terms, levels[..., 3:6])
    ground = np.einsum("npt,nct->npc", terms, levels[..., 7:10]) * samples.then
    foot = np.einsum("npt,nct->npc", terms, levels[..., 10:13]) * samples.then * of.band[..., None]
    ground = ground + foot
    slopes = (
        of.by_top[:, :, None, :] * (top - side)[..., None] + of.by_hull[:, :, None, :] * (side - ground)[..., None]
    ) + of.by_band[:, :, None, :] * foot[..., None]
    weighted = slopes * weights[:, :, None, None]
    rows = slopes.reshape(len(slopes), -1, 3)
    normal = weighted.reshape(rows.shape).transpose(0, 2, 1) @ rows
    right = (weighted.reshape(rows.shape).transpose(0, 2, 1) @ off.reshape(len(off), -1, 1))[..., 0]
    pull = np.zeros_like(normal)
    pull[:, 0, 0] = pull[:, 1, 1] = 0.5
    pull[:, 2, 2] = np.where(bodies.round_[which], 1e9, 10.0)
    if push is not None and firm is not None:
        stiff = np.array([_STIFF, _STIFF, _FLUSH])
        pull += (stiff * firm[which])[:, :, None] * np.eye(3)
        right = right + stiff * push[which]
    inverse = np.linalg.inv(normal + pull)
    spread = np.einsum("np,npc->n", weights, off**2) / (off.shape[-1] * weights.sum(axis=1) + 1e-9)
    scale = np.diag([1.0, 1.0, 180.0 / np.pi])
    covariance = scale @ inverse @ scale * np.maximum(spread, 0.3)[:, None, None]
    return np.einsum("nij,nj->ni", inverse, right), covariance, weights


def _move(bodies: Bodies, which: Ints, steps: Floats) -> None:
    bodies.x[which] += np.clip(steps[:, 0], -_STEP_MM, _STEP_MM)
    bodies.y[which] += np.clip(steps[:, 1], -_STEP_MM, _STEP_MM)
    limit = np.deg2rad(_STEP_DEG)
    bodies.angle[which] += np.clip(steps[:, 2], -limit, limit)


def _judge(bodies: Bodies, which: Ints, near: Ints, samples: Samples, blur: float) -> tuple[Floats, Floats, Floats]:
    """The gain (N,) per mm of outline over having no outline here, how opaque (N,) the top is, the residual
    (N,)."""
    of = matte(bodies, which, near, samples.xy_mm, blur)
    dx, dy = _offsets(bodies, which, samples.xy_mm)
    none, all_ = np.zeros_like(of.top), 1 - of.covered
    rest = np.maximum(1 - all_ - of.beside, 0)
    own = of.top * (1 - of.covered) * samples.seen
    costs, hidden = [], []
    for top, side, table in ((of.top, of.side, of.table), (none, rest, all_), (all_, rest, none)):
        columns = _columns(
            Matte(top, side, of.beside, table, of.by_top, of.by_hull, of.covered, of.band, of.by_band), dx, dy
        )
        square = _square(columns, table, of.band * (table is of.table), dx, dy, samples, samples.seen)
        costs.append((samples.seen * square).sum(axis=1))
        if table is not of.table:
            square = _square(columns, table, 0 * of.band, dx, dy, samples, own)
            hidden.append(square)
    half_u, half_v = bodies.half_u[which], bodies.half_v[which]
    length = np.where(bodies.round_[which], 2 * np.pi * half_u, 4 * (half_u + half_v))
    gain = (np.minimum(costs[1], costs[2]) - costs[0]) / length
    opaque = ((hidden[0] - hidden[1]) * own).sum(axis=1) / np.maximum(own.sum(axis=1), 1.0)
    return gain, opaque, costs[0] / np.maximum(samples.seen.sum(axis=1), 1)


def _square(
    columns: Floats,
    table: Floats,
    band: Floats,
    dx: Floats,
    dy: Floats,
    samples: Samples,
    trust: NDArray[np.generic],
) -> Floats:
    """How far off (N, P) the best picture of some columns is, in sigmas squared, capped."""
    weights = trust.astype(np.float64)
    for _ in range(2):
        _, made = _levels(columns, table, band, dx, dy, samples, weights)
        square = ((samples.now - made) ** 2).mean(axis=-1)
        weights = trust / (1.0 + square / 4.0) ** 2
    return np.asarray(np.minimum(square, _CAP), dtype=np.float64)
