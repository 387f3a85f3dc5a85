"""Bases that may be there as the picture judges them: each as if it stood alone, or with those that it touches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.bases.fitting.fit import Fitted, Seen, fit
from vision.bases.fitting.touching import beside, keeping_apart
from vision.bases.picture.lamp import Lamp, slanted
from vision.bases.picture.paint import CLEARLY, Paint
from vision.bases.picture.profiles import Group, Pattern, grouped, moved, pattern_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.usual import CORE, Look, Usual
from vision.bases.weighing.choose import clear_of

__all__ = [
    "COARSE",
    "FINE",
    "HARDLY_PROVEN",
    "LENIENT",
    "STRICT",
    "SURE",
    "Demand",
    "Found",
    "Rivals",
    "Where",
    "fitted_together",
    "judged_alone",
    "likeness_along",
    "painted_of",
    "seen_of",
    "well_seen",
]

Floats = NDArray[np.float64]

COARSE = (2.4, 0.9, 6.4, 4.0)  # sampled along, across, inside, outside the outline; mm
FINE = (1.7, 0.8, 6.4, 4.0)
_CLEAR_OF_RIM = 0.8  # of the blur, from the inner edge of a rim
_SHRINK_FITTED_MM = 0.9
_KIN, _ASTRAY = 0.6, 0.3  # what a rim of this paint must keep to, if only just: see `vision.bases.belief`
_HOPEFUL = 0.4  # of the best contrast as proposed: fainter rivals are not worth a fit
SURE = 0.5  # of the best contrast: rectangles so clear that others are looked for right beside them
_LEAST_CONTRAST = 0.42  # of what is usual for the army
HARDLY_PROVEN = 0.2  # a usual proof so small, as beside tops of their paint, asks no less than this one would
_FAINTEST = 0.14  # contrast, whatever is usual: where an army is away, faint likenesses are all there is
_LEAST_GAIN = 0.35  # paint's strength, against the army's usual
_LEAST_SUPPORT = 0.35  # share of the ring seen painted
_LEAST_RELIEF = 0.05  # more paint on the ring than on its barer side: else all is of one colour, as on a hill's top


@dataclass(frozen=True, eq=False)
class Found:
    """The bases of an army as fitted, and what the fit says of each; see `Fitted` for the arrays (N, ...).

    ``spread`` tells the ``covariance`` (N, 3, 3) of x, y in mm and bearing in degrees, the camera's apart;
    ``colours`` (N, 3) are the features of each rim's more painted half, ``tops`` (N, 3) the usual ones within it.
    """

    placed: list[Placed]
    spread: Callable[[], Floats] = field(repr=False)
    gain: Floats
    residual: Floats
    support: Floats
    contrast: Floats
    relief: Floats
    proof: Floats
    counted: Floats
    colours: Floats
    tops: Floats
    look: Look

    @cached_property
    def covariance(self) -> Floats:
        """What ``spread`` tells; worked out when it is asked for, for most fits are not the last."""
        return self.spread()

    def moved(self, which: Sequence[int], now: Found) -> Found:
        """With some of them as they are ``now``, where others may have come to them, and the rest as it was."""
        gone = set(which)
        rest = self.taken([k for k in range(len(self.placed)) if k not in gone])
        told = {name: np.concatenate([getattr(rest, name), getattr(now, name)]) for name in _PER_BASE}
        return Found(
            placed=[*rest.placed, *now.placed],
            spread=lambda: np.concatenate([rest.covariance, now.covariance]),
            look=self.look,
            **told,
        )

    @classmethod
    def none(cls, look: Look) -> Found:
        """No bases, whose rims would look so."""
        return _found([], [], look)

    @property
    def explained(self) -> float:
        """How much of the picture they explain: their proof, each counted by its outline's length in mm."""
        return float(sum(p.outline.perimeter_mm * proof for p, proof in zip(self.placed, self.proof, strict=True)))

    def taken(self, which: Sequence[int]) -> Found:
        """Some of them."""
        at = np.asarray(which, dtype=np.intp)
        return replace(
            self,
            placed=[self.placed[k] for k in which],
            spread=lambda: self.covariance[at],
            **{name: getattr(self, name)[at] for name in _PER_BASE},
        )


_PER_BASE = ("gain", "residual", "support", "contrast", "relief", "proof", "counted", "colours", "tops")


#: Tells where (N,) of some bases something holds.
Where = Callable[[Sequence[Placed]], NDArray[np.bool_]]


@dataclass(frozen=True)
class Demand:
    """How much the proof of rims is asked for.

    The proof of a rim that is half shaded, hidden or joined with others' is poor, however plainly it is seen.
    ``unproven`` is what remains of the contrast of one that proves nothing; ``least`` of the army's usual proof
    is asked of each: below zero a rim is in the way. ``where`` tells which bases it is asked of, if not of all:
    the others need no more than the rule.
    """

    unproven: float
    least: float
    where: Where | None = None

    def strength(self, contrast: Floats, proof: Floats, best: Sequence[float], placed: Sequence[Placed]) -> Floats:
        """How surely (N,) rims of such contrast and proof are bases, 1 for the best of both."""
        unproven = self._asked(placed, self.unproven, LENIENT.unproven)
        doubt = np.clip(unproven + (1 - unproven) * proof / best[1], 0.0, 1.0)
        return np.asarray(contrast / best[0] * doubt, dtype=np.float64)

    def least_proof(self, placed: Sequence[Placed]) -> Floats:
        """The share of the usual proof that is asked of each (N,)."""
        return self._asked(placed, self.least, LENIENT.least)

    def _asked(self, placed: Sequence[Placed], here: float, elsewhere: float) -> Floats:
        if self.where is None or not len(placed):
            return np.full(len(placed), here)
        return np.where(self.where(placed), here, elsewhere)


#: The rule; and where terrain is of the army's colour, too.
LENIENT, STRICT = Demand(unproven=0.5, least=-0.5), Demand(unproven=0.0, least=0.1)


@dataclass(frozen=True, eq=False)
class Rivals:
    """Bases that may be there, each judged alone; see `Fitted`."""

    placed: list[Placed]
    contrast: Floats
    proof: Floats
    colours: Floats
    look: Look

    def strength(self, demand: Demand) -> Floats:
        """How surely (N,) each is a base, 1 for the best; what explains nothing, be it ever so clear, is not it."""
        best = [max(float(np.percentile(told, 95)), 1e-6) for told in (self.contrast, self.proof)]
        if (proven := self.proof > 0).any():
            best[0] = min(best[0], float(np.percentile(self.contrast[proven], 95)))
        return demand.strength(self.contrast, self.proof, best, self.placed)

    def painted(self, paint: Paint, others: Sequence[Paint]) -> Rivals:
        """Those whose rims are painted with this paint, and not clearly with another."""
        if not self.placed:
            return self
        kin = paint.kinship(self.colours)
        own = (kin > _KIN) & (paint.astray(self.colours) < _ASTRAY)
        for other in others:
            own &= paint.lead(other, self.colours) > -CLEARLY
        at = np.flatnonzero(own)
        return Rivals([self.placed[k] for k in at], self.contrast[at], self.proof[at], self.colours[at], self.look)

    def hopeful(self) -> list[Placed]:
        """Those that show paint enough where they were proposed to become bases a millimetre or two away."""
        least = _HOPEFUL * float(np.percentile(self.contrast, 95))
        return [p for p, contrast in zip(self.placed, self.contrast, strict=True) if contrast >= least]


def judged_alone(
    scene: Scene, placed: list[Placed], paint: Paint, look: Look, rounds: int, others: Sequence[Placed] = ()
) -> Rivals:
    """Bases fitted each as if it stood alone, but for some ``others`` that surely stand."""
    groups = grouped(placed)
    about = grouped(list(others))
    seen = [seen_of(scene, group, pattern_of(group.outline, *COARSE), paint, about, look) for group in groups]
    fitted, _ = fit([one for one, _ in seen], look, rounds)
    out: list[Placed] = list(placed)
    contrast, proof, colours = np.zeros(len(placed)), np.zeros(len(placed)), np.zeros((len(placed), 3))
    for group, one, told in zip(groups, seen, fitted, strict=True):
        for number, base in zip(group.number, moved(group, told.steps).placed(), strict=True):
            out[number] = base
        contrast[group.number], proof[group.number] = told.contrast, told.proof
        colours[group.number] = _rim_colours(scene, paint, *one, told, look)
    return Rivals(out, contrast, proof, colours, look)


def fitted_together(
    scene: Scene,
    placed: list[Placed],
    sure: Floats,
    paint: Paint,
    look: Look,
    rounds: int,
    soft_mm: float,
    shared: bool = True,
    held: float = 0.0,
    lamp: Lamp | None = None,
) -> Found:
    """Bases fitted with those that they touch and with what they all share, as the ``sure`` (N,) ones tell it, or,
    if it is not ``shared``, as ``look`` has it; and with the shadows that a ``lamp`` makes them cast."""
    clear = sure >= SURE * np.percentile(sure, 90)
    groups = grouped(placed)
    seen, features = [], []
    for group in groups:
        pattern = pattern_of(group.outline, *FINE)
        one, colours = seen_of(scene, group, pattern, paint, groups, look, lamp)
        seen.append(replace(one, clear=clear[group.number]))
        features.append(colours)
    apart = keeping_apart(groups)
    fitted, look = fit(
        seen, look, rounds, soft_mm, shared=shared, lenient=1.0 + 2.5 * soft_mm, apart=apart, held=held
    )
    found = _found(groups, fitted, look)
    for group, one, result, colours in zip(groups, seen, fitted, features, strict=True):
        found.colours[group.number] = _rim_colours(scene, paint, one, colours, result, look)
        found.tops[group.number] = _top_colours(one.pattern, colours, look)
    return found


def seen_of(
    scene: Scene,
    group: Group,
    pattern: Pattern,
    paint: Paint,
    others: Sequence[Group] = (),
    look: Look | None = None,
    lamp: Lamp | None = None,
) -> tuple[Seen, NDArray[np.float32]]:
    """What the frame shows of a group's rims beside ``others`` that look as told, in the light of a ``lamp``, if
    there is one; and the samples' features (N, K, M, 3)."""
    features, likeness, inside, cast = scene.sampled(group, pattern, paint, lamp)
    eye = scene.camera.position_mm
    side = np.maximum(slanted(group, pattern, eye), np.float32(0))
    trust = inside * np.float32(pattern.area_mm2)
    near = beside(group, pattern, others, eye, look) if look is not None else None
    rim = None if near is None else near[0]
    trust = trust if near is None else trust * (1 - near[1])
    mottle, pixel_mm = 1 / max(paint.contrast, 1.0), 1 / scene.px_per_mm
    seen = Seen(group, pattern, likeness, trust, rim, side, cast=cast, mottle=mottle, pixel_mm=pixel_mm)
    return seen, features


def likeness_along(seen: Seen, where: NDArray[np.bool_]) -> Floats:
    """The mean likeness (N, K) at each place along rims of the samples of ``where`` (N, K, M); nan without any."""
    where = where & (seen.trust > 0)
    count = where.sum(axis=2)
    total = (np.clip(seen.likeness, -0.2, 1.2) * where).sum(axis=2)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan).astype(np.float64)


def _found(
    groups: Sequence[Group],
    fitted: Sequence[Fitted],
    look: Look,
) -> Found:
    """What groups of bases were fitted to, in the order in which they were given, but for their colours."""
    count = sum(len(group) for group in groups)
    placed: list[Placed | None] = [None] * count
    told = {name: np.zeros((count, *shape)) for name, shape in zip(_PER_BASE, _SHAPES, strict=True)}
    for group, result in zip(groups, fitted, strict=True):
        for number, base in zip(group.number, moved(group, result.steps).placed(), strict=True):
            placed[number] = base
        for name in ("gain", "residual", "support", "contrast", "relief", "proof", "counted"):
            told[name][group.number] = getattr(result, name)

    def spread() -> Floats:
        covariance = np.zeros((count, 3, 3))
        for group, result in zip(groups, fitted, strict=True):
            covariance[group.number] = _on_table(result.covariance, group.bearing)
        return covariance

    return Found([p for p in placed if p is not None], spread, look=look, **told)


_SHAPES: tuple[tuple[int, ...], ...] = ((), (), (), (), (), (), (), (3,), (3,))


def _on_table(covariance: Floats, bearing: Floats) -> Floats:
    """Covariances (N, 3, 3) of right, forward and turn in radians as those of x, y and bearing in degrees."""
    angle = np.deg2rad(bearing)
    turn = np.zeros((len(bearing), 3, 3))
    turn[:, 0, 0] = turn[:, 1, 1] = np.cos(angle)
    turn[:, 0, 1], turn[:, 1, 0] = np.sin(angle), -np.sin(angle)
    turn[:, 2, 2] = 180 / np.pi
    return turn @ covariance @ turn.transpose(0, 2, 1)


def _rim_colours(
    scene: Scene, paint: Paint, seen: Seen, features: NDArray[np.float32], fitted: Fitted, look: Look
) -> Floats:
    """The mean features (N, 3) of the more painted half of each base's rim, as they would be on the mat."""
    pattern = seen.pattern
    outwards = fitted.steps @ np.column_stack([pattern.normals, pattern.lever]).T
    depth = pattern.depths - outwards[..., None]
    core = (np.abs(depth + look.rim_mm / 2) < CORE * look.rim_mm) & (seen.trust > 0)
    which = np.flatnonzero(core.any(axis=(0, 1)))  # few of the depths are on any rim
    count = len(core)
    core = core[:, :, which].reshape(count, -1)
    like = seen.likeness[:, :, which].reshape(count, -1)
    # the median of what is on the rim, and of a zero, lest there be nothing
    ordered = np.sort(np.concatenate([np.where(core, like, np.inf), np.zeros((count, 1))], axis=1), axis=1)
    number, row = core.sum(axis=1), np.arange(count)
    usual = (ordered[row, number // 2] + ordered[row, (number + 1) // 2]) / 2
    best = core & (like >= usual[:, None])
    colours = features[:, :, which].reshape(count, -1, 3)
    total = (best[:, None].astype(np.float32) @ colours)[:, 0].astype(np.float64)
    mean = np.asarray(total / np.maximum(best.sum(axis=1), 1)[:, None])
    return scene.surfaces.as_on_mat(mean, np.column_stack([seen.group.x, seen.group.y]), paint)


def _top_colours(pattern: Pattern, features: NDArray[np.float32], look: Look) -> Floats:
    """The usual features (N, 3) of what lies within each base's rim, farther in than blur carries the rim's."""
    within = pattern.depths < min(-look.rim_mm - _CLEAR_OF_RIM * look.blur_mm, float(pattern.depths[1]))
    return np.asarray(np.median(features[:, :, within].reshape(len(features), -1, 3), axis=1), dtype=np.float64)


def painted_of(fit: Found) -> float:
    """The usual gain of bases of which much is in sight."""
    return float(np.median(fit.gain[fit.support >= np.median(fit.support)]))


def well_seen(fit: Found, demand: Demand, usual: Usual | None = None) -> list[int]:
    """The bases that are well enough seen, beside what is usual, and do not stand in better ones."""
    painted = painted_of(fit) if usual is None else usual.painted
    proof = np.median(fit.proof) if usual is None else usual.proof
    contrast = float(np.median(fit.contrast)) if usual is None else usual.contrast
    least = max(_LEAST_CONTRAST * contrast, _FAINTEST)
    asked = demand.least_proof(fit.placed) * max(float(proof), HARDLY_PROVEN)
    order = [
        int(k)
        for k in np.argsort(-fit.contrast)
        if fit.proof[k] > asked[k]
        and fit.gain[k] > _LEAST_GAIN * painted
        and fit.support[k] > _LEAST_SUPPORT
        and fit.contrast[k] > least
        and fit.relief[k] > _LEAST_RELIEF
    ]
    kept = clear_of([fit.placed[k] for k in order], _SHRINK_FITTED_MM)
    return sorted(order[k] for k in kept)
