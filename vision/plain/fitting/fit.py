"""Position and turn of bases fitted to the frame about them, each with its neighbours, and how well they explain
it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.plain.fitting.levels import levels_of, mixed, offsets, weights_of
from vision.plain.fitting.proof import judged
from vision.plain.fitting.underfoot import counting
from vision.plain.picture.matte import Bodies, Matte, Samples, matte, sample
from vision.plain.picture.scene import Scene

__all__ = ["Fit", "fit"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.intp]

_SOFT_MM = 1.2  # the model is blurred by this much more in the first round, by nothing after the fifth
_TOP = 1.5
_STEP_MM, _STEP_DEG = 1.0, 5.0
_FARTHEST_MM = 3.0  # a fit that runs farther is after something else
_STIFF = 40.0  # per mm², against what the pixels say: how firmly solid bases keep apart
_FLUSH = 20_000.0
_COARSE = 1.5  # a first look takes samples so much farther apart


@dataclass(frozen=True, eq=False)
class Fit:
    """Bases as fitted.

    ``covariance`` (N, 3, 3) is of x, y in mm and bearing in degrees, from the samples alone; ``gain`` (N,) how much
    better, per mm of outline, the base explains the picture than does either nothing or something without outline;
    of one on which no figure stands, where figures do, only a part counts.
    """

    placed: list[Placed]
    covariance: Floats
    gain: Floats
    opaque: Floats
    residual: Floats

    def taken(self, which: Sequence[int]) -> Fit:
        """Some of them."""
        at = np.asarray(which, dtype=np.intp)
        told = (values[at] for values in (self.covariance, self.gain, self.opaque, self.residual))
        return Fit([self.placed[k] for k in which], *told)

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
    within_mm: float | None = None,
) -> Fit:
    """Fits the first ``free`` of bases; the others only stand beside.

    ``near`` (N, K) are the bases that each may be covered by, itself where there is none; all about it if not
    given. Those that are known to stand ``within_mm`` of their places feel no edges farther away.
    """
    bodies = Bodies(placed, scene.camera, scene.shade)
    near = bodies.neighbours() if near is None else near
    groups = [
        _Group(which, near[which], _samples(scene, placed, which, grey=grey, coarse=coarse))
        for which in _by_kind(placed[:free])
    ]
    _advance(bodies, groups, near, scene.blur_mm, rounds, within_mm)
    covariance, gain, opaque, residual = np.zeros((free, 3, 3)), np.zeros(free), np.zeros(free), np.zeros(free)
    for group in groups:
        which = group.which
        covariance[which] = _step_of(bodies, group, scene.blur_mm, 1)[1]
        gain[which], opaque[which], residual[which] = judged(
            bodies, which, group.near, group.samples, scene.blur_mm
        )
    moved = [_moved(p, bodies, k) for k, p in enumerate(placed[:free])]
    if scene.feet is not None:
        gain = np.where(gain > 0, gain * counting(moved, scene.feet), gain)
    return Fit(moved, covariance, gain, opaque, residual)


@dataclass(eq=False)
class _Group:
    """The bases of one kind under way: which of all they are, those near each, their samples, and what each sample
    counts, which changes from round to round."""

    which: Ints
    near: Ints
    samples: Samples
    weights: Singles = field(init=False)

    def __post_init__(self) -> None:
        self.weights = self.samples.seen.astype(np.float32)


def _by_kind(placed: Sequence[Placed]) -> list[Ints]:
    """Which bases are of each kind."""
    kinds = dict.fromkeys(p.outline for p in placed)
    return [np.array([k for k, p in enumerate(placed) if p.outline == kind], dtype=np.intp) for kind in kinds]


def _samples(scene: Scene, placed: Sequence[Placed], which: Ints, *, grey: bool, coarse: bool) -> Samples:
    some = [placed[k] for k in which]
    spread = _COARSE if coarse else 1.0
    return sample(some, scene.frame, scene.backdrop, scene.camera, scene.px_per_mm, grey, spread, scene.vivid)


def _advance(
    bodies: Bodies, groups: Sequence[_Group], near: Ints, blur_mm: float, rounds: int, within_mm: float | None
) -> None:
    """Moves the bodies to where they fit, the model blurred more at first, that edges farther away are felt."""
    most_soft_mm = _SOFT_MM if within_mm is None else 0.0
    farthest_mm = _FARTHEST_MM if within_mm is None else within_mm
    began = bodies.x.copy(), bodies.y.copy()
    for turn in range(rounds):
        push, firm = bodies.pushes(near)
        soft = float(np.hypot(blur_mm, most_soft_mm * max(0.0, 1.0 - turn / 5)))
        for group in groups:
            steps, _ = _step_of(bodies, group, soft, 2 if turn else 3, push, firm)
            _move(bodies, group.which, steps)
        np.clip(bodies.x, began[0] - farthest_mm, began[0] + farthest_mm, out=bodies.x)
        np.clip(bodies.y, began[1] - farthest_mm, began[1] + farthest_mm, out=bodies.y)


def _moved(base: Placed, bodies: Bodies, which: int) -> Placed:
    """A base where its body has come to stand, the same way round: the bases of a block that lies along the table's
    edge would change places with each other if a hundredth of a degree less were half a turn more."""
    bearing = float(np.rad2deg(bodies.angle[which]))
    return replace(base, x_mm=float(bodies.x[which]), y_mm=float(bodies.y[which]), bearing_deg=bearing)


def _step_of(
    bodies: Bodies,
    group: _Group,
    blur_mm: float,
    often: int,
    push: Floats | None = None,
    firm: Floats | None = None,
) -> tuple[Floats, Floats]:
    """A Gauss-Newton step (N, 3) in mm, mm, radians, and the covariance (N, 3, 3), degrees for the turn.

    What each sample counts is worked out anew so ``often``.
    """
    which, samples = group.which, group.samples
    of = matte(bodies, which, group.near, samples.xy_mm, blur_mm)
    at = offsets(bodies, which, samples.xy_mm)
    mix = mixed(of.top, of.side, of.lit, of.beside, of.table, of.band, at, samples)
    for _ in range(often):
        levels, made = levels_of(mix, samples, group.weights)
        off = samples.now - made
        group.weights = weights_of(off, samples.seen)
    weights = group.weights
    normal, right = np.zeros((len(which), 3, 3)), np.zeros((len(which), 3))
    for channel in range(off.shape[1]):
        slopes = _slopes_of(of, samples.then[:, channel], levels[:, channel].astype(np.float32), at)
        weighted = slopes * weights[:, None]
        normal += weighted @ slopes.transpose(0, 2, 1)
        right += (weighted @ off[:, channel, :, None])[..., 0]
    pull = np.zeros_like(normal)
    pull[:, 0, 0] = pull[:, 1, 1] = 0.5
    pull[:, 2, 2] = np.where(bodies.round_[which], 1e9, 10.0)
    if push is not None and firm is not None:
        stiff = np.array([_STIFF, _STIFF, _FLUSH])
        pull += (stiff * firm[which])[:, :, None] * np.eye(3)
        right = right + stiff * push[which]
    inverse = np.linalg.inv(normal + pull)
    spread = np.einsum("np,np->n", weights, (off * off).mean(axis=1)) / (weights.sum(axis=1) + 1e-9)
    scale = np.diag([1.0, 1.0, 180.0 / np.pi])
    covariance = scale @ inverse @ scale * np.maximum(spread, 0.3)[:, None, None]
    return np.einsum("nij,nj->ni", inverse, right), covariance


def _slopes_of(of: Matte, then: Singles, levels: Singles, at: tuple[Singles, Singles]) -> Singles:
    """How one channel of the picture (N, P) that levels (N, 13 or 14) make changes with x, y (mm) and turn (rad),
    (N, 3, P)."""
    dx, dy = at

    def sloped(first: int) -> Singles:
        even, across, along = levels[:, first : first + 3].T[:, :, None]
        return np.asarray(even + across * dx + along * dy, dtype=np.float32)

    top, side, foot = sloped(0), sloped(3), sloped(10) * then * of.band
    ground = sloped(7) * then + foot
    slopes = of.by_top * top[:, None]
    slopes += of.by_side * side[:, None]
    slopes += of.by_table * ground[:, None]
    slopes += of.by_band * foot[:, None]
    return slopes


def _move(bodies: Bodies, which: Ints, steps: Floats) -> None:
    bodies.x[which] += np.clip(steps[:, 0], -_STEP_MM, _STEP_MM)
    bodies.y[which] += np.clip(steps[:, 1], -_STEP_MM, _STEP_MM)
    limit = np.deg2rad(_STEP_DEG)
    bodies.angle[which] += np.clip(steps[:, 2], -limit, limit)
