"""The search for the bases of one army: proposed, fitted alone, chosen, fitted together, gaps filled, and what
is wedged in between others let in."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.records import Army
from vision.bases.fitting.fit import fit
from vision.bases.picture.paint import Paint
from vision.bases.picture.profiles import grouped, pattern_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.regrouping.carried_on import carried_on
from vision.bases.regrouping.closed_up import closed_up
from vision.bases.regrouping.covered import covered
from vision.bases.regrouping.crosswise import crosswise
from vision.bases.regrouping.dressed import dressed
from vision.bases.regrouping.halved import doubled, halved
from vision.bases.regrouping.repacked import repacked
from vision.bases.regrouping.retyped import retyped
from vision.bases.regrouping.squeezed import with_squeezed
from vision.bases.rims import rims_of, shown_of
from vision.bases.shapes import outline_of
from vision.bases.usual import Look, Section, Usual, UsualMarks
from vision.bases.weighing.choose import beside_them, clear_of, conflicts, distinct, heaviest, in_line, in_the_way
from vision.bases.weighing.confidence import FOLLOWED, confidence
from vision.bases.weighing.judged import (
    COARSE,
    HARDLY_PROVEN,
    LENIENT,
    STRICT,
    SURE,
    Demand,
    Found,
    Rivals,
    fitted_together,
    judged_alone,
    painted_of,
    seen_of,
    well_seen,
)

__all__ = ["LENIENT", "STRICT", "Found", "search", "search_again", "usual_of"]

Floats = NDArray[np.float64]

_SHRINK_MM = 1.0  # two rivals may run into each other by twice this
_SHRINK_GAP_MM = 1.0
_BLUR_MM = (0.5, 2.2)  # the usual blur of a picture
_CLEAREST = 40  # so many rivals tell what all rims look like
_HOPEFUL = 0.4  # of the best contrast as proposed: fainter rivals are not worth a fit
_PROVES = 0.4  # proof of an army's clear rims, below which that of others tells little
_LEAST_PROOF = 0.3  # of the best: what explains less of the picture is no base
_RIVALS, _TOUCHING = 0.8, 1.25  # of the sum of their half sides: centres so near are rivals, so near touch
_CLEAR, _GROWN = 0.7, 3  # of the best contrast: rectangles beside which others are looked for, so often
_COMPANY = 0.35
_INCUMBENT = 0.1  # by so much of the best what stands already is preferred
_CLEAR_SPARE = 0.35  # of the best contrast: what fills a gap must look like a base, lest it push its neighbours
_LEAST_SPARE = 0.5  # … and show so much paint where nothing but its company tells of it
_FILLED = 4  # how often gaps are looked at again
_STRONG = 0.25  # of the best: what may be another kind than was found there
_LEAST_HOPE, _PACKED = 0.15, 2  # of the best: what may be part of another packing; and how often that is tried


def search(
    scene: Scene,
    army: Army,
    paint: Paint,
    likely: list[Placed],
    others: Sequence[Paint] = (),
    demand: Demand = LENIENT,
) -> Found | None:
    """The bases of one army, fitted, by where they are ``likely``; None where there are none. ``others`` are the
    paints of other armies."""
    if not likely:
        return None
    rivals = _rivals(scene, likely, paint, others)
    if not rivals.placed:
        return None
    kept = _heaviest(rivals.placed, rivals.strength(demand) - _LEAST_PROOF, _SHRINK_MM)
    if not kept[0]:
        return None
    found = fitted_together(scene, *kept, paint, rivals.look, 5, soft_mm=0.5)
    for _ in range(_FILLED):
        good = well_seen(found, demand)
        if not good:
            return None
        held = found.taken(good)
        stand, sure = _challenged(scene, held, rivals, paint, demand)
        if len(good) == len(found.placed) and stand == held.placed:
            other = retyped(scene, held, paint, demand)
            if other is held:
                break
            found = other
        else:
            found = fitted_together(scene, stand, sure, paint, found.look, 4, soft_mm=0.5)
    full = with_squeezed(scene, held, _spare(rivals, demand), paint, demand)
    if full is not held:
        found = full
    both = [*found.placed, *held.placed]  # what was dropped as none too clear, but for nothing better, stands
    sure = np.minimum(
        *(np.concatenate([getattr(one, name) for one in (found, held)]) for name in ("contrast", "proof"))
    )
    clear = clear_of(both, _SHRINK_GAP_MM)
    found = fitted_together(scene, [both[k] for k in clear], sure[clear], paint, found.look, 5, soft_mm=0.0)
    found = _packed_anew(scene, found, rivals.placed, rivals.strength(demand), paint)
    found = _thought_over(scene, army, found, _spare(rivals, demand), paint, demand)
    good = well_seen(found, demand)
    return found.taken(good) if good else None


def _thought_over(
    scene: Scene, army: Army, found: Found, spare: list[Placed], paint: Paint, demand: Demand
) -> Found:
    """The bases found, as their lines, blocks and neighbours tell them, of themselves and of those to ``spare``."""
    found = dressed(scene, found, paint, demand)
    found = carried_on(scene, found, paint)
    found = closed_up(scene, found, paint, demand)
    found = crosswise(scene, found, paint)
    kinds = [outline_of(kind) for kind in army.bases]
    found = doubled(scene, halved(scene, found, kinds, paint, demand), kinds, paint, demand)
    return covered(scene, found, spare, paint)


def _packed_anew(
    scene: Scene, found: Found, rivals: Sequence[Placed], strength: Floats, paint: Paint, shared: bool = True
) -> Found:
    """The bases found, with doubtful groups packed, of themselves and of ``rivals`` so strong (N,), as the picture
    bears it out best, and fitted so."""
    spare = [rivals[int(k)] for k in np.argsort(-strength) if strength[k] > _LEAST_HOPE]
    strong = int(np.count_nonzero(strength > _STRONG))
    for _ in range(_PACKED):
        anew = repacked(scene, found, spare, paint, strong, shared)
        if anew is None:
            break
        found = anew
    return found


def search_again(
    scene: Scene, paint: Paint, usual: Usual, likely: list[Placed], others: Sequence[Paint] = ()
) -> Found | None:
    """The bases of an army in a part of a frame, fitted, by what is usual for it and where they are ``likely``;
    None where there are none.

    What they all share is known, so that each is fitted alone and then once with those that it touches.
    """
    if not likely:
        return None
    given = judged_alone(scene, likely, paint, usual.look, 0)
    hopeful = [p for p, c in zip(given.placed, given.contrast, strict=True) if c >= _HOPEFUL * usual.contrast]
    alone = judged_alone(scene, hopeful, paint, usual.look, 5).painted(paint, others)
    strength = _strength_again(alone, usual)
    placed, sure = _heaviest(alone.placed, strength - _LEAST_PROOF, _SHRINK_MM)
    if not placed:
        return None
    found = fitted_together(scene, placed, sure, paint, usual.look, 5, soft_mm=0.5, shared=False)
    good = well_seen(found, LENIENT, usual)
    if not good:
        return None
    held = _packed_anew(scene, found.taken(good), alone.placed, strength, paint, shared=False)
    found = fitted_together(scene, held.placed, held.contrast, paint, usual.look, 4, soft_mm=0.0, shared=False)
    good = well_seen(found, LENIENT, usual)
    return found.taken(good) if good else None


def _strength_again(alone: Rivals, usual: Usual) -> Floats:
    """How surely (N,) rims in a part of a frame are bases: 1 is as the army's clear ones are. Where not even these
    prove much, as beside tops of their own paint, proof tells little."""
    if usual.clear_proof < _PROVES:
        best = (usual.clear_contrast, max(usual.clear_proof, HARDLY_PROVEN))
        return LENIENT.strength(alone.contrast, alone.proof, best, alone.placed)
    return np.minimum(alone.contrast / usual.clear_contrast, alone.proof / usual.clear_proof)


def usual_of(found: Found, paint: Paint, marks: UsualMarks | None = None, section: Section | None = None) -> Usual:
    """What is usual for the bases of an army, as told by all that were found."""
    return Usual(
        paint=paint,
        look=found.look,
        painted=painted_of(found),
        contrast=float(np.median(found.contrast)),
        proof=float(np.median(found.proof)),
        clear_contrast=float(np.percentile(found.contrast, 90)),
        clear_proof=float(np.percentile(found.proof, 90)),
        rims=shown_of(found, rims_of(found, paint), np.ones(len(found.placed), dtype=np.bool_)),
        marks=marks,
        section=section,
    )


def _rivals(scene: Scene, likely: list[Placed], paint: Paint, others: Sequence[Paint]) -> Rivals:
    """All rivals: as proposed, as fitted alone, and right beside the clear rectangles."""
    look = Look(blur_mm=float(np.clip(scene.blur_mm, *_BLUR_MM)))
    given = judged_alone(scene, likely, paint, look, 0)
    alone = judged_alone(scene, given.hopeful(), paint, look, 5)
    alone = alone.painted(paint, others)
    if not alone.placed:
        return alone
    look = _look_of(scene, alone, paint, look)
    alone = judged_alone(scene, alone.placed, paint, look, 1)
    told, tried = [given, alone], list[Placed]()
    for _ in range(_GROWN):
        spots = beside_them(_clearest(told))
        spots = [spots[k - len(tried)] for k in distinct([*tried, *spots], 1.5) if k >= len(tried)]
        if not spots:
            break
        tried += spots
        there = judged_alone(scene, spots, paint, look, 0)
        told += [there, judged_alone(scene, there.hopeful(), paint, look, 4)]
    return Rivals(
        [p for rivals in told for p in rivals.placed],
        np.concatenate([rivals.contrast for rivals in told]),
        np.concatenate([rivals.proof for rivals in told]),
        np.concatenate([rivals.colours for rivals in told]),
        look,
    ).painted(paint, others)


def _clearest(told: Sequence[Rivals]) -> list[Placed]:
    """Rectangles so clear, and clear of better ones, that the next of a formed block may stand beside them."""
    placed = [p for rivals in told for p in rivals.placed]
    strength = np.concatenate([rivals.contrast for rivals in told])
    order = np.argsort(-strength)[: np.count_nonzero(strength >= _CLEAR * np.percentile(told[1].contrast, 90))]
    return [
        base
        for base in (placed[int(order[k])] for k in clear_of([placed[int(k)] for k in order], _SHRINK_MM))
        if not base.outline.round_
    ]


def _spare(rivals: Rivals, demand: Demand) -> list[Placed]:
    """Rivals that explain enough of the picture to be bases, best first."""
    strength = rivals.strength(demand)
    return [rivals.placed[int(k)] for k in np.argsort(-strength) if strength[k] > _LEAST_PROOF]


def _challenged(
    scene: Scene, held: Found, rivals: Rivals, paint: Paint, demand: Demand
) -> tuple[list[Placed], Floats]:
    """Which bases stand, once rivals and the next ones in lines have been judged beside those held; and how surely
    (N,) they were held before."""
    beside_held = beside_them(held.placed)
    known = held.placed + beside_held + _spare(rivals, demand)
    surely = np.flatnonzero(confidence(held) >= FOLLOWED).tolist()
    both = known + in_line([held.placed[k] for k in surely])
    which = [k for k in distinct(both) if k >= len(held.placed)]
    fresh = [both[k] for k in which]
    best = [float(np.percentile(values, 90)) for values in (held.contrast, held.proof)]
    if not fresh:
        return held.placed, demand.strength(held.contrast, held.proof, best, held.placed)
    told = judged_alone(scene, fresh, paint, held.look, 3, held.placed)
    placed = held.placed + told.placed
    sure = np.concatenate(
        [
            _INCUMBENT + demand.strength(held.contrast, held.proof, best, held.placed),
            demand.strength(told.contrast, told.proof, best, told.placed),
        ]
    )
    excess = sure + _COMPANY * company_of(placed, held.placed) - _CLEAR_SPARE
    made_up = np.array([k < len(held.placed) + len(beside_held) or k >= len(known) for k in which])
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


def company_of(placed: Sequence[Placed], held: Sequence[Placed]) -> Floats:
    """For each base 1 if it touches some of its kind, less 1 if some of another: units are of one kind.

    Whom it would push aside is no company.
    """
    at, theirs = (np.array([[p.x_mm, p.y_mm] for p in some]) for some in (placed, held))
    least, their_least = (
        np.array([min(p.outline.half_width_mm, p.outline.half_depth_mm) for p in some]) for some in (placed, held)
    )
    apart = np.linalg.norm(at[:, None] - theirs, axis=2) / (least[:, None] + their_least)
    near = (apart > _RIVALS) & (apart < _TOUCHING) & ~in_the_way(placed, held, _SHRINK_GAP_MM)
    kinds = list(dict.fromkeys(p.outline for p in (*placed, *held)))
    kind, their_kind = (np.array([kinds.index(p.outline) for p in some]) for some in (placed, held))
    same = kind[:, None] == their_kind
    return np.asarray((near & same).any(axis=1).astype(np.float64) - (near & ~same).any(axis=1))


def _look_of(scene: Scene, rivals: Rivals, paint: Paint, look: Look) -> Look:
    """What the clearest of rivals share."""
    order = np.argsort(-rivals.proof)[:_CLEAREST]
    order = order[rivals.proof[order] > SURE * rivals.proof[order[0]]]
    best = [rivals.placed[int(k)] for k in order]
    groups = grouped([best[k] for k in clear_of(best, _SHRINK_MM)])
    seen = [seen_of(scene, group, pattern_of(group.outline, *COARSE), paint)[0] for group in groups]
    return fit(seen, look, 4, soft_mm=0.0, shared=True, lenient=1.0)[1]
