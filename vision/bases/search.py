"""The search for the bases of one army: proposed, fitted alone, chosen, fitted together, gaps filled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.records import Army
from vision.bases.choose import beside_them, clear_of, conflicts, distinct, heaviest
from vision.bases.fit import Fitted, Look, Seen, fit
from vision.bases.paint import CLEARLY, Paint
from vision.bases.pixels import Placed
from vision.bases.profiles import Group, Pattern, grouped, moved, pattern_of
from vision.bases.proposed import proposed
from vision.bases.scene import Scene
from vision.bases.touching import beside, keeping_apart
from vision.bases.usual import Usual, UsualMarks

__all__ = ["LENIENT", "STRICT", "Found", "search", "search_again", "usual_of"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_COARSE = (2.4, 0.9, 6.4, 4.0)  # sampled along, across, inside, outside the outline; mm
_FINE = (1.7, 0.8, 6.4, 4.0)
_SHRINK_MM = 1.0  # two rivals may run into each other by twice this
_SHRINK_GAP_MM = 1.0
_SHRINK_FITTED_MM = 0.9
_BLUR_PX, _BLUR_MM = 1.3, (0.5, 2.2)  # the usual blur of a picture
_CLEAREST = 40  # so many rivals tell what all rims look like
_KIN, _ASTRAY = 0.6, 0.3  # what a rim of this paint must keep to, if only just: see `vision.bases.belief`
_HOPEFUL = 0.4  # of the best contrast as proposed: fainter rivals are not worth a fit
_SURE = 0.5  # of the best contrast: rectangles so clear that others are looked for right beside them
_LEAST_PROOF = 0.3  # of the best: what explains less of the picture is no base
_LEAST_CONTRAST = 0.42  # of what is usual for the army
_FAINTEST = 0.14  # contrast, whatever is usual: where an army is away, faint likenesses are all there is
_LEAST_GAIN = 0.35  # paint's strength, against the army's usual
_LEAST_SUPPORT = 0.35  # share of the ring seen painted
_RIVALS, _TOUCHING = 0.8, 1.25  # of the sum of their half sides: centres so near are rivals, so near touch
_CLEAR, _GROWN = 0.7, 3  # of the best contrast: rectangles beside which others are looked for, so often
_COMPANY = 0.35
_INCUMBENT = 0.1  # by so much of the best what stands already is preferred
_CLEAR_SPARE = 0.35  # of the best contrast: what fills a gap must look like a base, lest it push its neighbours
_LEAST_SPARE = 0.5  # … and show so much paint where nothing but its company tells of it
_FILLED = 4  # how often gaps are looked at again


@dataclass(frozen=True, eq=False)
class Found:
    """The bases of an army as fitted, and what the fit says of each; see `Fitted` for the arrays (N, ...).

    ``covariance`` (N, 3, 3) is of x, y in mm and bearing in degrees, the camera's apart; ``colours`` (N, 3) are
    the features of each rim's more painted half.
    """

    placed: list[Placed]
    covariance: Floats
    gain: Floats
    residual: Floats
    support: Floats
    contrast: Floats
    proof: Floats
    counted: Floats
    colours: Floats
    look: Look

    def taken(self, which: Sequence[int]) -> Found:
        """Some of them."""
        at = np.asarray(which, dtype=np.intp)
        return replace(
            self,
            placed=[self.placed[k] for k in which],
            **{name: getattr(self, name)[at] for name in _PER_BASE},
        )


_PER_BASE = ("covariance", "gain", "residual", "support", "contrast", "proof", "counted", "colours")


@dataclass(frozen=True)
class Demand:
    """How much the proof of rims is asked for.

    The proof of a rim that is half shaded, hidden or joined with others' is poor, however plainly it is seen.
    ``unproven`` is what remains of the contrast of one that proves nothing; ``least`` of the army's usual proof
    is asked of each: below zero a rim is in the way.
    """

    unproven: float
    least: float

    def strength(self, contrast: Floats, proof: Floats, best: Sequence[float]) -> Floats:
        """How surely (N,) rims of such contrast and proof are bases, 1 for the best of both."""
        doubt = np.clip(self.unproven + (1 - self.unproven) * proof / best[1], 0.0, 1.0)
        return np.asarray(contrast / best[0] * doubt, dtype=np.float64)


#: The rule; and where terrain is of the army's colour, too.
LENIENT, STRICT = Demand(unproven=0.5, least=-0.5), Demand(unproven=0.0, least=0.1)


def search(
    scene: Scene, army: Army, paint: Paint, others: Sequence[Paint] = (), demand: Demand = LENIENT
) -> Found | None:
    """The bases of one army, fitted; None where there are none. ``others`` are the paints of other armies."""
    likely = proposed(scene, army, paint)
    if not likely:
        return None
    rivals = _rivals(scene, likely, paint, others)
    if not rivals.placed:
        return None
    kept = _heaviest(rivals.placed, rivals.strength(demand) - _LEAST_PROOF, _SHRINK_MM)
    if not kept[0]:
        return None
    found = _together(scene, *kept, paint, rivals.look, 5, soft_mm=0.5)
    for _ in range(_FILLED):
        good = _believed(found, demand)
        if not good:
            return None
        held = found.taken(good)
        stand, sure = _challenged(scene, held, rivals, paint, demand)
        if len(good) == len(found.placed) and stand == held.placed:
            break
        found = _together(scene, stand, sure, paint, found.look, 4, soft_mm=0.5)
    both = [*found.placed, *held.placed]  # what was dropped as none too clear, but for nothing better, stands
    sure = np.minimum(
        *(np.concatenate([getattr(one, name) for one in (found, held)]) for name in ("contrast", "proof"))
    )
    clear = clear_of(both, _SHRINK_GAP_MM)
    found = _together(scene, [both[k] for k in clear], sure[clear], paint, found.look, 5, soft_mm=0.0)
    good = _believed(found, demand)
    return found.taken(good) if good else None


def search_again(
    scene: Scene, army: Army, paint: Paint, usual: Usual, others: Sequence[Paint] = ()
) -> Found | None:
    """The bases of an army in a part of a frame, fitted, by what is usual for it; None where there are none.

    What they all share is known, so that each is fitted alone and then once with those that it touches.
    """
    likely = proposed(scene, army, paint)
    if not likely:
        return None
    given = _alone(scene, likely, paint, usual.look, 0)
    hopeful = [p for p, c in zip(given.placed, given.contrast, strict=True) if c >= _HOPEFUL * usual.contrast]
    alone = _alone(scene, hopeful, paint, usual.look, 5).painted(paint, others)
    strength = np.minimum(alone.contrast / usual.clear_contrast, alone.proof / usual.clear_proof)
    placed, sure = _heaviest(alone.placed, strength - _LEAST_PROOF, _SHRINK_MM)
    if not placed:
        return None
    found = _together(scene, placed, sure, paint, usual.look, 5, soft_mm=0.5, shared=False)
    good = _believed(found, LENIENT, usual)
    if not good:
        return None
    held = found.taken(good)
    found = _together(scene, held.placed, held.contrast, paint, usual.look, 4, soft_mm=0.0, shared=False)
    good = _believed(found, LENIENT, usual)
    return found.taken(good) if good else None


def usual_of(found: Found, paint: Paint, marks: UsualMarks | None) -> Usual:
    """What is usual for the bases of an army, as told by all that were found."""
    return Usual(
        paint=paint,
        look=found.look,
        gain=float(np.median(found.gain)),
        painted=_painted(found),
        contrast=float(np.median(found.contrast)),
        proof=float(np.median(found.proof)),
        clear_contrast=float(np.percentile(found.contrast, 90)),
        clear_proof=float(np.percentile(found.proof, 90)),
        marks=marks,
    )


@dataclass(frozen=True, eq=False)
class _Rivals:
    """Bases that may be there, each judged alone; see `Fitted`."""

    placed: list[Placed]
    contrast: Floats
    proof: Floats
    colours: Floats
    look: Look

    def strength(self, demand: Demand) -> Floats:
        """How surely (N,) each is a base, 1 for the best."""
        best = [max(float(np.percentile(told, 95)), 1e-6) for told in (self.contrast, self.proof)]
        return demand.strength(self.contrast, self.proof, best)

    def painted(self, paint: Paint, others: Sequence[Paint]) -> _Rivals:
        """Those whose rims are painted with this paint, and not clearly with another."""
        if not self.placed:
            return self
        kin = paint.kinship(self.colours)
        own = (kin > _KIN) & (paint.astray(self.colours) < _ASTRAY)
        for other in others:
            own &= paint.lead(other, self.colours) > -CLEARLY
        at = np.flatnonzero(own)
        return _Rivals([self.placed[k] for k in at], self.contrast[at], self.proof[at], self.colours[at], self.look)

    def hopeful(self) -> list[Placed]:
        """Those that show paint enough where they were proposed to become bases a millimetre or two away."""
        least = _HOPEFUL * float(np.percentile(self.contrast, 95))
        return [p for p, contrast in zip(self.placed, self.contrast, strict=True) if contrast >= least]


def _rivals(scene: Scene, likely: list[Placed], paint: Paint, others: Sequence[Paint]) -> _Rivals:
    """All rivals: as proposed, as fitted alone, and right beside the clear rectangles."""
    look = Look(blur_mm=float(np.clip(_BLUR_PX / scene.px_per_mm, *_BLUR_MM)))
    given = _alone(scene, likely, paint, look, 0)
    alone = _alone(scene, given.hopeful(), paint, look, 5)
    alone = alone.painted(paint, others)
    if not alone.placed:
        return alone
    look = _look_of(scene, alone, paint, look)
    alone = _alone(scene, alone.placed, paint, look, 1)
    told, tried = [given, alone], list[Placed]()
    for _ in range(_GROWN):
        spots = beside_them(_clearest(told))
        spots = [spots[k - len(tried)] for k in distinct([*tried, *spots], 1.5) if k >= len(tried)]
        if not spots:
            break
        tried += spots
        there = _alone(scene, spots, paint, look, 0)
        told += [there, _alone(scene, there.hopeful(), paint, look, 4)]
    return _Rivals(
        [p for rivals in told for p in rivals.placed],
        np.concatenate([rivals.contrast for rivals in told]),
        np.concatenate([rivals.proof for rivals in told]),
        np.concatenate([rivals.colours for rivals in told]),
        look,
    ).painted(paint, others)


def _clearest(told: Sequence[_Rivals]) -> list[Placed]:
    """Rectangles so clear, and clear of better ones, that the next of a formed block may stand beside them."""
    placed = [p for rivals in told for p in rivals.placed]
    strength = np.concatenate([rivals.contrast for rivals in told])
    order = np.argsort(-strength)[: np.count_nonzero(strength >= _CLEAR * np.percentile(told[1].contrast, 90))]
    return [
        base
        for base in (placed[int(order[k])] for k in clear_of([placed[int(k)] for k in order], _SHRINK_MM))
        if not base.outline.round_
    ]


def _challenged(
    scene: Scene, held: Found, rivals: _Rivals, paint: Paint, demand: Demand
) -> tuple[list[Placed], Floats]:
    """Which bases stand, once rivals and the next ones in lines have been judged beside those held; and how surely
    (N,) they were held before."""
    strength = rivals.strength(demand)
    spare = [rivals.placed[int(k)] for k in np.argsort(-strength) if strength[k] > _LEAST_PROOF]
    beside_held = beside_them(held.placed)
    both = held.placed + beside_held + spare
    which = [k for k in distinct(both) if k >= len(held.placed)]
    fresh = [both[k] for k in which]
    best = [float(np.percentile(values, 90)) for values in (held.contrast, held.proof)]
    if not fresh:
        return held.placed, demand.strength(held.contrast, held.proof, best)
    told = _alone(scene, fresh, paint, held.look, 3, held.placed)
    placed = held.placed + told.placed
    sure = np.concatenate(
        [
            _INCUMBENT + demand.strength(held.contrast, held.proof, best),
            demand.strength(told.contrast, told.proof, best),
        ]
    )
    excess = sure + _COMPANY * _company(placed, held.placed) - _CLEAR_SPARE
    made_up = np.array([k < len(held.placed) + len(beside_held) for k in which])
    excess[len(held.placed) :][made_up & (told.contrast / best[0] < _LEAST_SPARE)] = 0.0
    sure[len(held.placed) :] = 0.0
    return _heaviest(placed, excess, _SHRINK_GAP_MM, sure)


def _heaviest(
    placed: Sequence[Placed], strength: Floats, shrink_mm: float, told: Floats | None = None
) -> tuple[list[Placed], Floats]:
    """Of rivals so strong (N,) those that can stand together and show the most rim, in their order; and what is
    ``told`` of these, else their strength."""
    worthy = [int(k) for k in np.flatnonzero(strength > 0)]
    some = [placed[k] for k in worthy]
    weights = [float(strength[k]) * placed[k].outline.perimeter_mm for k in worthy]
    kept = sorted(heaviest(weights, conflicts(some, shrink_mm)))
    return [some[k] for k in kept], (strength if told is None else told)[[worthy[k] for k in kept]]


def _company(placed: Sequence[Placed], held: Sequence[Placed]) -> Floats:
    """For each base 1 if it touches some of its kind, less 1 if some of another: units are of one kind."""
    at, theirs = (np.array([[p.x_mm, p.y_mm] for p in some]) for some in (placed, held))
    least, their_least = (
        np.array([min(p.outline.half_width_mm, p.outline.half_depth_mm) for p in some]) for some in (placed, held)
    )
    apart = np.linalg.norm(at[:, None] - theirs, axis=2) / (least[:, None] + their_least)
    near = (apart > _RIVALS) & (apart < _TOUCHING)
    kinds = list(dict.fromkeys(p.outline for p in (*placed, *held)))
    kind, their_kind = (np.array([kinds.index(p.outline) for p in some]) for some in (placed, held))
    same = kind[:, None] == their_kind
    return np.asarray((near & same).any(axis=1).astype(np.float64) - (near & ~same).any(axis=1))


def _look_of(scene: Scene, rivals: _Rivals, paint: Paint, look: Look) -> Look:
    """What the clearest of rivals share."""
    order = np.argsort(-rivals.proof)[:_CLEAREST]
    order = order[rivals.proof[order] > _SURE * rivals.proof[order[0]]]
    best = [rivals.placed[int(k)] for k in order]
    groups = grouped([best[k] for k in clear_of(best, _SHRINK_MM)])
    seen = [_seen(scene, group, pattern_of(group.outline, *_COARSE), paint)[0] for group in groups]
    return fit(seen, look, 4, soft_mm=0.0, shared=True, lenient=1.0)[1]


def _alone(
    scene: Scene, placed: list[Placed], paint: Paint, look: Look, rounds: int, others: Sequence[Placed] = ()
) -> _Rivals:
    """Bases fitted each as if it stood alone, but for some ``others`` that surely stand."""
    groups = grouped(placed)
    about = grouped(list(others))
    seen = [_seen(scene, group, pattern_of(group.outline, *_COARSE), paint, about, look) for group in groups]
    fitted, _ = fit([one for one, _ in seen], look, rounds)
    out: list[Placed] = list(placed)
    contrast, proof, colours = np.zeros(len(placed)), np.zeros(len(placed)), np.zeros((len(placed), 3))
    for group, one, told in zip(groups, seen, fitted, strict=True):
        for number, base in zip(group.number, moved(group, told.steps).placed(), strict=True):
            out[number] = base
        contrast[group.number], proof[group.number] = told.contrast, told.proof
        colours[group.number] = _rim_colours(*one, told, look)
    return _Rivals(out, contrast, proof, colours, look)


def _together(
    scene: Scene,
    placed: list[Placed],
    sure: Floats,
    paint: Paint,
    look: Look,
    rounds: int,
    soft_mm: float,
    shared: bool = True,
) -> Found:
    """Bases fitted with those that they touch and with what they all share, as the ``sure`` (N,) ones tell it, or,
    if it is not ``shared``, as ``look`` has it."""
    clear = sure >= _SURE * np.percentile(sure, 90)
    groups = grouped(placed)
    seen, features = [], []
    for group in groups:
        pattern = pattern_of(group.outline, *_FINE)
        one, colours = _seen(scene, group, pattern, paint, groups, look)
        seen.append(replace(one, clear=clear[group.number]))
        features.append(colours)
    apart = keeping_apart(groups)
    fitted, look = fit(seen, look, rounds, soft_mm, shared=shared, lenient=1.0 + 2.5 * soft_mm, apart=apart)
    return _found(groups, seen, fitted, features, look)


def _seen(
    scene: Scene,
    group: Group,
    pattern: Pattern,
    paint: Paint,
    others: Sequence[Group] = (),
    look: Look | None = None,
) -> tuple[Seen, NDArray[np.float32]]:
    """What the frame shows of a group's rims beside ``others`` that look as told; and the samples' features."""
    features, inside = scene.sampled(group, pattern, paint)
    eye = scene.camera.position_mm
    drop = group.outline.height_mm / (eye[2] - group.z - group.outline.height_mm)
    angle = np.deg2rad(group.bearing)
    x, y = (eye[0] - group.x) * drop, (eye[1] - group.y) * drop
    across = np.column_stack([x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)])
    side = np.maximum(across @ pattern.normals.T, 0.0).astype(np.float32)
    trust = inside * np.float32(pattern.area_mm2)
    near = beside(group, pattern, others, eye, look) if look is not None else None
    rim = None if near is None else near[0]
    trust = trust if near is None else trust * (1 - near[1])
    mottle, pixel_mm = 1 / max(paint.contrast, 1.0), 1 / scene.px_per_mm
    seen = Seen(group, pattern, paint.likeness(features), trust, rim, side, mottle=mottle, pixel_mm=pixel_mm)
    return seen, features


def _found(
    groups: Sequence[Group],
    seen: Sequence[Seen],
    fitted: Sequence[Fitted],
    features: Sequence[NDArray[np.float32]],
    look: Look,
) -> Found:
    """What groups of bases were fitted to, in the order in which they were given."""
    count = sum(len(group) for group in groups)
    placed: list[Placed | None] = [None] * count
    told = {name: np.zeros((count, *shape)) for name, shape in zip(_PER_BASE, _SHAPES, strict=True)}
    for group, one, result, colours in zip(groups, seen, fitted, features, strict=True):
        for number, base in zip(group.number, moved(group, result.steps).placed(), strict=True):
            placed[number] = base
        for name in ("gain", "residual", "support", "contrast", "proof", "counted"):
            told[name][group.number] = getattr(result, name)
        told["covariance"][group.number] = _on_table(result.covariance, group.bearing)
        told["colours"][group.number] = _rim_colours(one, colours, result, look)
    return Found([p for p in placed if p is not None], look=look, **told)


_SHAPES: tuple[tuple[int, ...], ...] = ((3, 3), (), (), (), (), (), (), (3,))


def _on_table(covariance: Floats, bearing: Floats) -> Floats:
    """Covariances (N, 3, 3) of right, forward and turn in radians as those of x, y and bearing in degrees."""
    angle = np.deg2rad(bearing)
    turn = np.zeros((len(bearing), 3, 3))
    turn[:, 0, 0] = turn[:, 1, 1] = np.cos(angle)
    turn[:, 0, 1], turn[:, 1, 0] = np.sin(angle), -np.sin(angle)
    turn[:, 2, 2] = 180 / np.pi
    return turn @ covariance @ turn.transpose(0, 2, 1)


def _rim_colours(seen: Seen, features: NDArray[np.float32], fitted: Fitted, look: Look) -> Floats:
    """The mean features (N, 3) of the more painted half of each base's rim."""
    pattern = seen.pattern
    outwards = fitted.steps @ np.column_stack([pattern.normals, pattern.lever]).T
    depth = pattern.depths - outwards[..., None]
    core = (np.abs(depth + look.rim_mm / 2) < 0.35 * look.rim_mm) & (seen.trust > 0)
    like = np.where(core, seen.likeness, np.nan).reshape(len(core), -1)
    usual = np.nanmedian(np.concatenate([like, np.zeros((len(core), 1))], axis=1), axis=1)
    best = core.reshape(len(core), -1) & (like >= usual[:, None])
    number = np.maximum(best.sum(axis=1), 1)
    return np.asarray((features.reshape(len(core), -1, 3) * best[..., None]).sum(axis=1) / number[:, None])


def _painted(fit: Found) -> float:
    """The usual gain of bases of which much is in sight."""
    return float(np.median(fit.gain[fit.support >= np.median(fit.support)]))


def _believed(fit: Found, demand: Demand, usual: Usual | None = None) -> list[int]:
    """The bases that are well enough seen, beside what is usual, and do not stand in better ones."""
    painted = _painted(fit) if usual is None else usual.painted
    proof = np.median(fit.proof) if usual is None else usual.proof
    contrast = float(np.median(fit.contrast)) if usual is None else usual.contrast
    least = max(_LEAST_CONTRAST * contrast, _FAINTEST)
    order = [
        int(k)
        for k in np.argsort(-fit.contrast)
        if fit.proof[k] > demand.least * proof
        and fit.gain[k] > _LEAST_GAIN * painted
        and fit.support[k] > _LEAST_SUPPORT
        and fit.contrast[k] > least
    ]
    kept = clear_of([fit.placed[k] for k in order], _SHRINK_FITTED_MM)
    return sorted(order[k] for k in kept)
