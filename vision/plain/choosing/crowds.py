"""Crowds of bases of which nothing tells but the figures on them.

Figures that stand about as far apart as bases of a kind would let them, on ground that has changed as far as those
would reach, are not a mug's or a book's colours: these lie nearer to each other than any two bases could. Nor are
they the corners of a tape's case: figures part the tops of bases, and a case is even between its edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.bases.shapes import Outline
from vision.plain.choosing.companions import (
    FILLED,
    SHRINK_MM,
    Told,
    near,
    on_none,
    seen_aside,
    turn_sigma_deg,
    turned_best,
)
from vision.plain.choosing.kinds import ABOUT_MM
from vision.plain.fitting.fit import fit
from vision.plain.fitting.proof import unexplained
from vision.plain.stage import Stage, clear
from vision.plain.weighing.bare import bare
from vision.plain.weighing.judging import heaviest_of
from vision.records import BaseSeen

__all__ = ["crowds"]

Floats = NDArray[np.float64]

_LEAST = 4  # figures are a crowd
_FARTHEST_MM = 65.0  # from one figure of a crowd to the next
_LOOSE_MM, _TIGHT_MM = 6.0, 3.0  # figures are so much farther apart, or nearer, than bases that touch have them
_MOST = 0.8  # of the figures must have room for a base
_BARE = 0.5  # of a crowd's bases may look as if nothing stood on them
_SURE = 0.85
_ROUNDS = 4
_MAN_MM = 2.1  # so exactly figures tell the middles of a crowd's bases: none tells how far aside they are seen


def crowds(stage: Stage, told: Sequence[Told], outlines: Sequence[Outline], feet: Floats) -> list[Told]:
    """The bases under figures at ``feet`` (N, 2), mm, on none of the bases ``told``, that stand close together."""
    left = feet[on_none(feet, [*(one.placed for one in told), *stage.known])]
    more: list[Told] = []
    for group in _groups(left):
        if len(group) < _LEAST:
            continue
        held = [*told, *more]
        ways = [places for kind in outlines if (places := _stood(stage, kind, left[group], held))]
        more += [_told(place) for place in _likeliest(stage, ways, held)]
    return more


def _likeliest(stage: Stage, ways: Sequence[list[Placed]], held: Sequence[Told]) -> list[Placed]:
    """The bases of that kind which leaves the least unexplained of what lies about a crowd's figures."""
    if len(ways) < 2:
        return ways[0] if ways else []
    others = [*(one.placed for one in held), *stage.known]
    reach_mm = max(way[0].outline.reach_mm for way in ways) + ABOUT_MM
    left = []
    for way in ways:
        now = fit(stage.scene, [*way, *others], _ROUNDS, free=len(way), grey=True)
        middles = np.array([(p.x_mm, p.y_mm) for p in way])
        left.append(float(unexplained(stage.scene, now.placed, others, middles, reach_mm).mean()))
    return ways[int(np.argmin(left))]


def _groups(feet: Floats) -> list[list[int]]:
    """Which of figures (N, 2) stand together."""
    beside = np.hypot(*(feet[:, None] - feet).transpose(2, 0, 1)) < _FARTHEST_MM
    groups, left = [], set(range(len(feet)))
    while left:
        group, new = [], [left.pop()]
        while new:
            one = new.pop()
            group.append(one)
            more = [k for k in np.flatnonzero(beside[one]).tolist() if k in left]
            left.difference_update(more)
            new += more
        groups.append(sorted(group))
    return groups


def _stood(stage: Stage, kind: Outline, feet: Floats, held: Sequence[Told]) -> list[Placed]:
    """The bases of a kind under a crowd's figures (N, 2); none where it is too wide or too narrow for them."""
    away = np.hypot(*(feet[:, None] - feet).transpose(2, 0, 1)) + np.diag(np.full(len(feet), np.inf))
    apart = float(np.median(away.min(axis=1)))
    least, most = 2 * min(kind.half_width_mm, kind.half_depth_mm), 2 * kind.reach_mm
    if not least - _TIGHT_MM < apart < most + _LOOSE_MM:
        return []
    others = [*(one.placed for one in held), *stage.known]
    at = feet - [seen_aside(stage.feet, foot, held) for foot in feet]
    heights = stage.ground.height_at(at)
    places = [Placed(kind, x, y, z, 0.0) for (x, y), z in zip(at.tolist(), heights.tolist(), strict=True)]
    places = [p for p, share in zip(places, stage.filled(places), strict=True) if share > FILLED]
    places = _with_room(places, others)
    if len(places) < max(_LEAST, _MOST * len(feet)):
        return []
    if bare(stage.scene, places).mean() > _BARE:
        return []
    places = clear([turned_best(stage, p, others) for p in places], others, SHRINK_MM)
    places = [places[k] for k in heaviest_of(places, [1.0] * len(places), SHRINK_MM)]
    return places if len(places) >= max(_LEAST, _MOST * len(feet)) else []


def _with_room(places: Sequence[Placed], others: Sequence[Placed]) -> list[Placed]:
    """Those of places, however their bases were turned, that others leave free."""
    free = []
    for place in places:
        least_mm = min(place.outline.half_width_mm, place.outline.half_depth_mm)
        slim = replace(place.outline, round_=True, half_width_mm=least_mm, half_depth_mm=least_mm)
        free += [place] if clear([replace(place, outline=slim)], others, SHRINK_MM) else []
    return free


def _told(place: Placed) -> Told:
    seen = BaseSeen(
        army=None, base=place.outline.name, x_mm=place.x_mm, y_mm=place.y_mm, z_mm=place.z_mm,
        bearing_deg=None if place.outline.round_ else place.bearing_deg % place.outline.turn_deg, sigma_mm=_MAN_MM,
        bearing_sigma_deg=turn_sigma_deg(place.outline), confidence=_SURE * near(_MAN_MM),
    )  # fmt: skip
    return Told(seen, place, _SURE)
