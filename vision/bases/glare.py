"""Bases in a lamp's glare: varnish shows some of its light over their paint, and dark rims look pale there.

They are looked for once more, as of a paint with so much white in it, by what is usual for their army. What is seen
so must be seen well: a thing of any colour is grey in some glare.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from calibration.records import Army
from vision.bases.armies import Claim
from vision.bases.belief import believed
from vision.bases.picture.paint import Paint, features_of, paint_of
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.proposing.proposed import proposed
from vision.bases.search import Found, search_again, usual_of
from vision.bases.usual import Usual
from vision.bases.weighing.choose import clear_of, in_the_way
from vision.bases.weighing.confidence import confidence_in_ranks
from vision.bases.weighing.like_terrain import beside_terrain
from vision.light import linear_of_hex

__all__ = ["in_glare"]

Mask = NDArray[np.bool_]

_GLARE = 0.16  # of white, over the paint: satin varnish beside a lamp's reflection; rims of half or twice that pass
_MOVED = 0.9  # the cosine between a paint in glare and out of it from which it is found without this
_LIKE_ANOTHER = 0.9  # … and between it and another army's from which nothing can be told
_ENOUGH = 3  # bases out of it tell what is usual for an army
_CONTRAST, _SUPPORT, _PROOF, _LIKELY = 0.42, 0.8, 0.45, 0.95  # the least of each that is believed
_COMPANY_MM = 150.0  # from one to another: what is alone in a glare is no base
_RIVALS_MM = 1.5  # two bases may run into each other by twice this


def in_glare(scene: Scene, standing: Sequence[Claim], known: Mapping[str, Usual]) -> list[Claim]:
    """What the armies that are ``standing`` or ``known`` have besides, in glare: a claim for each that has some."""
    usual = {c.army.name: usual_of(c.fit, c.paint) for c in standing if len(c.fit.placed) >= _ENOUGH}
    usual |= known
    stands = [placed for claim in standing for placed in claim.fit.placed]
    claims = []
    for army in scene.table.armies:
        colour = army.base_colour
        if colour is UNSET or army.name not in usual:
            continue
        if paint := _paint_in_glare(scene, army.name, colour, usual):
            others = [one.paint for one in usual.values()]
            fit = search_again(scene, paint, usual[army.name], proposed(scene, army, paint, others), others)
            if fit is not None and (kept := _well_seen(scene, army, fit, paint, stands)):
                claims.append(Claim(army, paint, fit.taken(kept)))
    return _without_rivals(claims)


def _paint_in_glare(scene: Scene, army: str, colour: str, usual: Mapping[str, Usual]) -> Paint | None:
    """An army's paint with some white over it; None where that is found as its paint, or as another army's."""
    own = linear_of_hex(colour)
    shown = features_of(((1 - _GLARE) * own + _GLARE).astype(np.float32)[None])[0].astype(np.float64)
    if usual[army].paint.is_like(shown, _MOVED):
        return None
    paint = paint_of(shown, scene.background)
    others = (one.paint.paint for name, one in usual.items() if name != army)
    return None if any(paint.is_like(other, _LIKE_ANOTHER) for other in others) else paint


def _well_seen(scene: Scene, army: Army, fit: Found, paint: Paint, stands: Sequence[Placed]) -> list[int]:
    """Which bases are beyond doubt, not in the way of those that stand, and not alone."""
    sure = believed(fit, paint, off_the_mat=scene.off_the_mat(fit.placed))
    sure &= (fit.contrast > _CONTRAST) & (fit.support > _SUPPORT) & (fit.proof > _PROOF)
    sure &= confidence_in_ranks(fit) > _LIKELY
    sure &= ~in_the_way(fit.placed, stands, _RIVALS_MM).any(axis=1)
    if beside := beside_terrain(scene, army, paint):
        sure &= ~beside(fit.placed)
    if scene.within is None:  # else its company may stand beside what is looked at
        sure &= _in_company(fit.placed, sure)
    return np.flatnonzero(sure).tolist()


def _in_company(placed: Sequence[Placed], sure: Mask) -> Mask:
    """Near which bases (N,) another is that is ``sure`` (N,)."""
    at = np.array([[p.x_mm, p.y_mm] for p in placed])
    near = np.linalg.norm(at[:, None] - at, axis=2) < _COMPANY_MM
    return np.asarray((near & sure).sum(axis=1) - sure > 0)


def _without_rivals(claims: Sequence[Claim]) -> list[Claim]:
    """Of bases of two armies in one place those that are seen more clearly."""
    each = [(claim.fit.contrast[k], n, k) for n, claim in enumerate(claims) for k in range(len(claim.fit.placed))]
    each.sort(key=lambda one: -one[0])
    clear = clear_of([claims[n].fit.placed[k] for _, n, k in each], _RIVALS_MM)
    kept = [sorted(each[c][2] for c in clear if each[c][1] == n) for n in range(len(claims))]
    return [replace(claim, fit=claim.fit.taken(few)) for claim, few in zip(claims, kept, strict=True) if few]
