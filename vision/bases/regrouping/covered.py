"""Several bases that were found where one larger one stands: two squares fill a rectangle of their sizes exactly.

All of its rim is theirs, too, and a figure in the middle may look like the sides that they should have between
them. But each of them owes a side to something else: the one is clearer than any of them and proven better, or
leaves less to be explained.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from vision.bases.picture.paint import Paint
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.regrouping.halved import seamed
from vision.bases.weighing.choose import in_the_way, polygons_of
from vision.bases.weighing.judged import Found, fitted_together
from vision.bases.weighing.packing import groups_of, ways_to_fill

__all__ = ["covered"]

_LARGER = 1.6  # times as large as another kind, to stand where several of it were found
_WITHIN = 0.75  # of a base's area: so much lies under the larger one, if that stands in its place
_CLEAR_MM = 1.5  # into others it runs by less than twice this
_LEFT = 0.93  # of what is left unexplained about each of several, the one leaves about itself at most this
_OF_BEFORE = 0.97  # of what is explained now, the one explains at least this; of what is not, it leaves less
_FULLER = 1.01  # of what is explained now, this is clearly more
_SAME_MM = 3.0  # a rival so near is what was found there


def covered(scene: Scene, found: Found, spare: Sequence[Placed], paint: Paint) -> Found:
    """The bases found, with one in place of several where one of those to ``spare``, best first, explains the
    picture better; ``found`` itself where there is none."""
    now = found
    for base in _likelier(found.placed, spare):
        under = _under(base, now.placed)
        if not under or _seamed(scene, [now.placed[k] for k in under], found, paint):
            continue
        group = next(group for group in groups_of(now.placed) if under[0] in group)
        rest = [k for k in group if k not in under]
        told = fitted_together(
            scene,
            [base, *(now.placed[k] for k in rest)],
            np.ones(1 + len(rest)),
            paint,
            found.look,
            5,
            soft_mm=0.0,
            shared=False,
        )
        if _clearer(told, now.taken(group), now.taken(under)) or (
            told.residual[0] < now.residual[under].min() and _explains_more(scene, base, now, under, rest, paint)
        ):
            now = now.moved(group, told)
    return now


def _seamed(scene: Scene, under: Sequence[Placed], found: Found, paint: Paint) -> bool:
    """Whether a seam is seen between two bases."""
    return (
        len(under) == 2 and not any(one.outline.round_ for one in under) and seamed(scene, [under], found, paint)[0]
    )


def _clearer(told: Found, standing: Found, gone: Found) -> bool:
    """Whether the first of a group is clearer than each of those that it would stand for and proven better, and
    leaves no seam between them: all explain more with it, or hardly less but leave clearly less unexplained."""
    clearer = told.contrast[0] > gone.contrast.max() and told.proof[0] > gone.proof.max()
    fuller = told.explained > _FULLER * standing.explained
    evener = told.explained > _OF_BEFORE * standing.explained and told.residual[0] < _LEFT * gone.residual.min()
    return bool(clearer and (fuller or evener))


def _explains_more(
    scene: Scene, base: Placed, now: Found, under: Sequence[int], rest: Sequence[int], paint: Paint
) -> bool:
    """Whether a group is packed better with one base in place of several: each of its cells being looked at."""
    laid = scene.likeness(paint, base.outline.height_mm)
    if laid is None:
        return False
    ways = ways_to_fill(*laid, [now.placed[k] for k in (*rest, *under)], [base], now.look)
    one = [*range(len(rest)), len(rest) + len(under)]
    return ways.unexplained(one) < _OF_BEFORE * ways.unexplained(ways.standing)


def _likelier(held: Sequence[Placed], spare: Sequence[Placed]) -> list[Placed]:
    """Those to spare under which several of those held would lie, and that come before most of them."""
    large = [k for k, base in enumerate(spare) if any(_is_larger(base, than) for than in held)]
    ranks = _ranks(held, spare) if large else np.zeros(0)
    likelier = []
    for k in large:
        under = _under(spare[k], held)
        if under and k < np.median(ranks[under]):
            likelier.append(spare[k])
    return likelier


def _is_larger(base: Placed, than: Placed) -> bool:
    return base.outline.area_mm2 > _LARGER * than.outline.area_mm2


def _under(base: Placed, held: Sequence[Placed]) -> list[int]:
    """Which several of those held, all of them smaller, lie where a base would stand; none if others do."""
    under: list[int] = np.flatnonzero(in_the_way([base], held, _CLEAR_MM)[0]).tolist()
    if len(under) < 2 or not all(_is_larger(base, held[k]) for k in under):
        return []
    theirs = polygons_of([held[k] for k in under])
    shared = shapely.area(shapely.intersection(theirs, polygons_of([base])[0]))
    return under if (shared > _WITHIN * shapely.area(theirs)).all() else []


def _ranks(held: Sequence[Placed], spare: Sequence[Placed]) -> NDArray[np.float64]:
    """At which place (N,) among those to spare each of those held is; after all of them, if it is not one."""
    at, theirs = (np.array([[p.x_mm, p.y_mm] for p in some]) for some in (held, spare))
    same = np.array([[p.outline == other.outline for other in spare] for p in held])
    same &= np.linalg.norm(at[:, None] - theirs, axis=2) < _SAME_MM
    return np.where(same.any(axis=1), same.argmax(axis=1), len(spare)).astype(np.float64)
