"""The limits of sight that the measurement does not settle, in words with their figures."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry.shapes.bases import each_to_segment
from engine.geometry.sight import Crests, Limit, Opaque, Standing, Veil
from engine.geometry.sight.clearance import clearance_of_couples, from_path
from engine.geometry.sight.crossing import lengths_of_couples
from engine.rulesets.muskets_mohawks.seeing.obstacles import WOOD_EDGE_MM
from engine.rulesets.muskets_mohawks.seeing.pairs import ARC_DEG, Pairs
from engine.rulesets.muskets_mohawks.table.sheet import Sheet

__all__ = ["Doubts", "doubts_of_side", "pair_borderline", "sight_doubts"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]
#: A looker and a figure looked at, by their numbers.
Line = tuple[int, int]
Words = dict[Hashable, str]


def sight_doubts(seen: Pairs, looker: int, other: int, known: Doubts | None = None) -> list[str]:
    """Each limit of sight that is in doubt between a looker and a figure looked at, by their numbers."""
    known = known or Doubts(seen, {}, {})
    known.learn([(looker, other)])
    return [known.tell(rule, looker, other) for rule, mask in seen.doubtful_by.items() if mask[looker, other]]


def doubts_of_side(sheet: Sheet, side: str, seen: Pairs) -> Doubts:
    """Those of all that a side sees: limits told for an earlier game are told again where figures, places and
    obstacle are the same."""
    now: Words = sheet.memo(("doubts", side), dict)
    before = sheet.earlier(("doubts", side))
    return Doubts(
        seen, now, before.value if before is not None and sheet.moved_since(before.game) is not None else {}
    )


class Doubts:
    """Limits in words: those told so far, and those of an earlier game, by all that they follow from."""

    def __init__(self, seen: Pairs, now: Words, old: Words) -> None:
        self._seen, self._now, self._old = seen, now, old

    def tell(self, rule: str, looker: int, other: int) -> str:
        """A limit that was learnt."""
        return self._now[self._key(rule, looker, other)]

    def learn(self, lines: Sequence[Line]) -> None:
        """Puts all limits in doubt of some lines into words; together they take less time."""
        for rule, mask in self._seen.doubtful_by.items():
            keys = {self._key(rule, *line): line for line in lines if mask[line]}
            self._now |= {key: self._old[key] for key in keys if key in self._old and key not in self._now}
            fresh = {key: line for key, line in keys.items() if key not in self._now}
            if fresh:
                looker, other = np.array(list(fresh.values()), dtype=np.intp).T
                self._now |= zip(fresh, _said(self._seen, rule, looker, other), strict=True)

    def _key(self, rule: str, looker: int, other: int) -> Hashable:
        return (rule, *_mark(self._seen, rule, looker, other))


def _mark(seen: Pairs, rule: str, i: int, j: int) -> tuple[Hashable, ...]:
    """All that the words of a limit follow from, but for the terrain and the game's conditions."""
    obstacle, part = seen.obstacles[rule], int(seen.part[rule][i, j])
    ends = seen.start[i, j].tobytes(), seen.end[i, j].tobytes()
    sigmas = float(seen.lookers.sigma_mm[i]), float(seen.seen.sigma_mm[j]), float(seen.sigma_mm[i, j])
    who = seen.lookers.ids[i], seen.seen.ids[j], obstacle.names[part] if obstacle.names else ""
    stands: tuple[bytes, ...] = ()
    if isinstance(obstacle.blocker, Standing):
        bases = obstacle.blocker.bases
        arrays = bases.centre, bases.radius, bases.half, bases.bearing_rad
        stands = tuple(np.asarray(array[part]).tobytes() for array in arrays)
    return (*who, *ends, *sigmas, float(seen.gap_mm[i, j]), part, *stands)


def _said(seen: Pairs, rule: str, i: Index, j: Index) -> list[str]:
    """The limits of one row for lookers (k,) and figures looked at (k,)."""
    obstacle = seen.obstacles[rule]
    part: Index = seen.part[rule][i, j].astype(np.intp)
    who = [
        f"{seen.lookers.ids[one]} to {seen.seen.ids[other]}"
        for one, other in zip(i.tolist(), j.tolist(), strict=True)
    ]
    names = [obstacle.names[number] for number in part.tolist()] if obstacle.names else []
    start, end, sigma = seen.start[i, j], seen.end[i, j], seen.sigma_mm[i, j]
    match obstacle.blocker:
        case Limit(most_mm=most):
            limit = np.asarray(most)[0, seen.first_column + j]
            return _against([f"sight, {one}" for one in who], seen.gap_mm[i, j], sigma, limit)
        case Veil() as veil:
            return _in_wood(seen, veil, part, list(zip(names, who, strict=True)), i, j)
        case Opaque(pieces=pieces):
            way = clearance_of_couples(pieces, part, start, end)
        case Crests(paths=paths):
            ends = zip(part.tolist(), start[:, None], end[:, None], strict=True)
            way = np.array([from_path(paths[number], *line)[1][0] for number, *line in ends])
        case Standing(bases=bases):
            some = bases.pick(part)
            way = each_to_segment(some, start, end) - 0.1 * some.width
        case _:
            raise AssertionError(f"no such obstacle in this ruleset: {obstacle.blocker!r}")
    told = zip(names, who, way.tolist(), sigma.tolist(), strict=True)
    return [
        f"sight past {name}, {line}: {abs(far):.1f} ± {error:.1f} mm {'clear' if far > 0 else 'short'} of it"
        for name, line, far, error in told
    ]


def _in_wood(
    seen: Pairs, veil: Veil, part: Index, names: Sequence[tuple[str, str]], i: Index, j: Index
) -> list[str]:
    """How far lines run in woods, or how deep their one ends stand in them."""
    start, end, sigma, every = seen.start[i, j], seen.end[i, j], seen.sigma_mm[i, j], np.arange(len(part))
    value = lengths_of_couples(veil.pieces, part, start, end)
    if np.ndim(veil.inside_mm):
        limit = np.asarray(veil.inside_mm)[0, seen.first_column + j]
        return _against([f"sight in {name}, {line}" for name, line in names], value, sigma, limit)
    begins, finishes = (veil.pieces.contains(point)[every, part] for point in (start, end))
    one = begins != finishes
    depth = veil.pieces.to_rim(np.where(begins[:, None], start, end), part)
    own = np.where(begins, seen.lookers.sigma_mm[i], seen.seen.sigma_mm[j])
    how = ["depth in" if ending else "sight through" for ending in one.tolist()]
    what = [f"{words} {name}, {line}" for words, (name, line) in zip(how, names, strict=True)]
    return _against(what, np.where(one, depth, value), np.where(one, own, sigma), np.full(len(part), WOOD_EDGE_MM))


def _against(what: Sequence[str], value: Array, sigma: Array, limit: Array) -> list[str]:
    told = zip(what, value.tolist(), sigma.tolist(), limit.tolist(), strict=True)
    return [f"{name}: {far:.1f} ± {error:.1f} mm against {most:.1f} mm" for name, far, error, most in told]


def pair_borderline(seen: Pairs, i: int, j: int, *, arc: bool, known: Doubts | None = None) -> list[str]:
    """The limits in doubt between two figures in words; ``known`` tells those of sight (`sight_doubts`)."""
    looker, other = seen.lookers.ids[i], seen.seen.ids[j]
    lines = []
    if arc and seen.arc_doubt[i, j]:
        off, sigma = seen.off_deg[i, j], seen.arc_sigma_deg[i, j]
        lines.append(f"arc from {looker} to {other}: {off:.1f} ± {sigma:.1f} degrees against {ARC_DEG:.0f} degrees")
    return lines + sight_doubts(seen, i, j, known)
