"""Which lines and blocks of bases stand, of those that figures tell.

Rectangles are fitted as one body to their outer edge, round bases each for itself; what explains the most stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, turned
from vision.bases.weighing.choose import in_the_way
from vision.plain.block import GAPS_MM, Block
from vision.plain.choosing.drill import drilled
from vision.plain.fitting.fit import Fit, fit
from vision.plain.fitting.underfoot import roomy
from vision.plain.stage import Stage
from vision.plain.weighing.judging import COST, LEAST_GAIN, SHRINK_MM, heaviest_of, tried

__all__ = ["LEAST_OF_ROUNDS", "astray", "flanked", "formed", "loosely", "men_on"]

Floats = NDArray[np.float64]

_MOST, _MOST_ROUND, _MOST_LONGER = 120, 24, 12  # lines and blocks that are looked at
_LONGER = 3  # files or ranks whose figures may be unseen
_ASIDE_MM = 3.0  # an outer edge is looked for about where the figures tell, and so far aside
# … and round ones, which no edge of all of them tells, so far: where coats are in shadow, only a hat may be seen
_ABOUT_MM = ((0.0, 0.0), *((r * x, r * y) for r in (2.5, 5.0) for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1))))
_ROUNDS = 6
_THERE_MM = 4.0  # a figure is so near its base's middle …
_SHADED_MM = 5.0  # … but for what all are aside together, where shadows hide their one side
_ON_MM = 6.0  # and so near to it, all of them aside or not, at the most
_BROAD_MM = 20.0  # half a side, of the shorter ones: there is room for several figures
_OWN = 0.75  # of the figures within a block, so many stand where it has the middles of bases
_LEAST = 3
_SEVERAL = 2  # figures in ranks and files of round bases are no one base's
_LEAST_SHARE = 0.5  # of the usual gain …
_LEAST_MANNED = 0.3  # … or of round bases so many of which have a figure in their middle as chance does not give:
_MANY, _MANNED = 6, 0.85
LEAST_OF_ROUNDS = 0.8  # many round bases on a grid may each be fainter than one alone
# What speaks for a block besides its outline, in sigmas squared: each figure in its place, and against it each that
# is missing, each mm² that all are aside, and each sigma² of the gap.
_FIGURE, _MISSING, _ASIDE, _GAP = 60.0, 400.0, 25.0, 60.0
_MISSING_MM = 10.0  # figures that are all missing are worth so much aside


@dataclass(frozen=True, eq=False)
class _Tried:
    """A block as fitted, and how much it explains, in sigmas squared: in all, and for each mm of outline."""

    block: Block
    worth: float
    gain: float


def formed(stage: Stage, outlines: Sequence[Outline], alone: Fit) -> list[Block]:
    """The lines and blocks that stand clear of what is known to stand, and of each other, and explain more than
    loose bases, each as it fits ``alone``, would in their place."""
    some = drilled(stage.feet, outlines, stage.ground)
    tries = _edged(stage, [b for b in some if not b.base.round_][:_MOST])
    tries += _rounds(stage, [b for b in some if b.base.round_])
    weights = [_speaks(stage, one) for one in tries]
    which = heaviest_of([one.block.whole for one in tries], weights)
    blocks = [tries[k].block for k in which if weights[k] > loosely(tries[k].block, alone, stage.usual, stage.feet)]
    free = [not in_the_way(b.bodies, stage.known, SHRINK_MM).any() if stage.known else True for b in blocks]
    return [block for block, stands in zip(blocks, free, strict=True) if stands]


def loosely(block: Block, alone: Fit, usual: float, feet: Floats) -> float:
    """What loose bases, each as it fits ``alone`` where one usually gains so much, explain together in a block's
    place.

    Three figures of a line of horse may lie on a grid of foot, and some edge of their bases near its own: each
    horse base tells more by itself. But where figures at ``feet`` (N, 2) stand in ranks and files of round bases,
    one on which several of them stand is only laid over these.
    """
    against = in_the_way(alone.placed, block.bodies, SHRINK_MM)
    some = alone.taken(np.flatnonzero(against.any(axis=1)).tolist())
    length = np.array([p.outline.perimeter_mm for p in some.placed])
    weights = np.maximum(some.gain - COST * usual, 0.0) * length
    if block.members and min(block.files, block.ranks) > 1:
        weights[[_standing_on(p, feet) >= _SEVERAL for p in some.placed]] = 0.0
    return float(weights[heaviest_of(some.placed, weights.tolist())].sum())


def flanked(block: Block, feet: Floats) -> int:
    """How many places of ranks and files have no figure (N, 2), but one on both sides in their rank or file.

    A formation that ends elsewhere shows no figures at an end; within it a base stands, and its figure is not seen.
    """
    if min(block.files, block.ranks) < 2 or not len(feet):
        return 0
    middles = np.array([[p.x_mm, p.y_mm] for p in block.bases()])
    near = np.hypot(*(middles[:, None] - feet).transpose(2, 0, 1)).min(axis=1) < _ON_MM
    seen = near.reshape(block.ranks, block.files)
    between = np.zeros(seen.shape, np.bool_)
    between[:, 1:-1] |= seen[:, :-2] & seen[:, 2:]
    between[1:-1] |= seen[:-2] & seen[2:]
    return int((between & ~seen).sum())


def _edged(stage: Stage, blocks: Sequence[Block]) -> list[_Tried]:
    """Blocks of rectangles fitted to their outer edges."""
    if not blocks:
        return []
    ways = np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]) * _ASIDE_MM
    aside = [_moved(b, x, y) for b in blocks for x, y in turned(ways, b.whole.bearing_deg).tolist()]
    near = [one.block for one in _best_of(stage, aside, len(blocks), coarse=True)]
    tries = _best_of(stage, [b.spaced(gap) for b in near for gap in GAPS_MM], len(blocks))
    likely = [one for one in tries if _speaks(stage, one) > 0]
    likely.sort(key=lambda one: -_speaks(stage, one))
    for _ in range(_LONGER):
        likely = _longer(stage, likely[:_MOST_LONGER])
    return likely


def _moved(block: Block, x: float, y: float) -> Block:
    return replace(block, whole=replace(block.whole, x_mm=block.whole.x_mm + x, y_mm=block.whole.y_mm + y))


def _all(stage: Stage, some: Sequence[Block], *, coarse: bool = False) -> list[_Tried]:
    """Blocks of rectangles as each fits alone."""
    now = tried(stage, [b.whole for b in some], [], _ROUNDS, coarse=coarse)
    return [
        _Tried(replace(b, whole=p), g * p.outline.perimeter_mm, g)
        for b, p, g in zip(some, now.placed, now.gain.tolist(), strict=True)
    ]


def _best_of(stage: Stage, some: Sequence[Block], count: int, *, coarse: bool = False) -> list[_Tried]:
    """Of so many ways with each block the one that explains the most."""
    tries, ways = _all(stage, some, coarse=coarse), len(some) // count
    return [
        max(tries[k * ways : (k + 1) * ways], key=lambda one: one.worth - _against(stage, one.block))
        for k in range(count)
    ]


def _longer(stage: Stage, tries: Sequence[_Tried]) -> list[_Tried]:
    """Blocks, or what each is with a file or rank more or less at one end, where more speaks for that."""
    if not tries:
        return []
    others = _all(stage, [other for one in tries for other in one.block.otherwise()])
    ways = len(others) // len(tries)
    return [
        max([one, *others[k * ways : (k + 1) * ways]], key=lambda other: _speaks(stage, other))
        for k, one in enumerate(tries)
    ]


def _rounds(stage: Stage, blocks: Sequence[Block]) -> list[_Tried]:
    """Blocks of round bases, each fitted for itself beside the others; those within larger ones are passed over."""
    tries: list[_Tried] = []
    for block in blocks:
        places = block.bases()
        at = np.array([[p.x_mm, p.y_mm] for p in places])
        if any(one.block.base == block.base and _within(one.block, at).all() for one in tries):
            continue
        tries.append(max((_singly(stage, block, x, y) for x, y in _ABOUT_MM), key=lambda one: _speaks(stage, one)))
        if len(tries) == _MOST_ROUND:
            break
    return tries


def _singly(stage: Stage, block: Block, x_mm: float, y_mm: float) -> _Tried:
    """A block of round bases, looked for so far aside of where its figures tell."""
    places = _moved(block, x_mm, y_mm).bases()
    now = fit(stage.scene, [*places, *stage.known], _ROUNDS, free=len(places), grey=True)
    gain = np.maximum(now.gain, 0.0)
    worth = float(gain.sum()) * block.base.perimeter_mm
    return _Tried(replace(block, members=tuple(now.placed)), worth, float(gain.mean()))


def _speaks(stage: Stage, one: _Tried) -> float:
    """What speaks for a block: what it explains, and the figures on it; 0 where it does not stand."""
    block = one.block
    mine, inside, _ = men_on(block, stage.feet)
    places = block.files * block.ranks
    manned = mine >= max(_MANY, _MANNED * places)
    share = _LEAST_MANNED if manned and block.members else _LEAST_SHARE
    least = max(LEAST_OF_ROUNDS if block.members else LEAST_GAIN, share * stage.usual)
    if one.gain <= least or mine < _LEAST or (mine < _OWN * inside and not manned):
        return 0.0
    missing = max(0, places - mine - flanked(block, stage.feet))
    return max(0.0, one.worth + _FIGURE * mine - _MISSING * missing - _against(stage, block))


def _against(stage: Stage, block: Block) -> float:
    """What the figures' places speak against a block's place and its gap."""
    gap, sigma = block.told_gap_mm
    aside = men_on(block, stage.feet)[2]
    return float(_ASIDE * aside**2 + _GAP * ((block.gap_mm - gap) / sigma) ** 2)


def men_on(block: Block, feet: Floats) -> tuple[int, int, float]:
    """How many figures (N, 2) stand where a block has the middles of bases, all of them perhaps aside by a little,
    how many within it, and how far aside. A figure that is as long as its base counts once, whatever of it is
    seen."""
    feet = feet[_within(block, feet)]
    if not len(feet):
        return 0, 0, 0.0
    middles = np.array([[p.x_mm, p.y_mm] for p in block.bases()])
    on = np.argmin(np.square(feet[:, None] - middles).sum(axis=2), axis=1)
    if _is_broad(block.base):  # a gun and its crew: they stand where there is room
        manned = len(np.unique(on))
        return manned, manned, 0.0
    off, long = feet - middles[on], not block.base.round_ and roomy(block.base)
    off = _but_for_leaning(block, off, on) if long else off
    aside = np.median(off, axis=0)
    if np.hypot(*aside) > _SHADED_MM:
        aside = np.zeros(2)
    mine = np.hypot(*(off - aside).T) < _THERE_MM
    others = ~mine & ~(_along(block, off) & np.isin(on, on[mine]))
    told = off[mine] if long and mine.any() else off  # a horse's head is no sign that its rider is aside
    return int(mine.sum()), int((mine | others).sum()), float(np.hypot(*np.median(told, axis=0)))


def _is_broad(base: Outline) -> bool:
    """Whether several figures stand on a base, and none need be in its middle."""
    return not base.round_ and min(base.half_width_mm, base.half_depth_mm) > _BROAD_MM


def _but_for_leaning(block: Block, off: Floats, on: NDArray[np.intp]) -> Floats:
    """How far (N, 2) figures are from the middles of a block's long bases, but for how far along them most riders
    are seen, about: they lean as they are high, and nobody knows where along its base a horse stands.

    ``off`` (N, 2) is how far each is from the middle of that base (N,) which it is ``on``.
    """
    axis = int(block.base.half_depth_mm > block.base.half_width_mm)
    own = turned(off, -block.whole.bearing_deg)
    amid = np.abs(own[:, 1 - axis]) < _THERE_MM
    along = own[:, axis]
    some = sorted({0.0, *along[amid].tolist()}, key=abs)
    best = max(some, key=lambda spot: len(set(on[amid & (np.abs(along - spot) < _ON_MM)].tolist())))
    own[:, axis] = np.where(np.abs(along - best) < _ON_MM, 0.0, along - best)
    return turned(own, block.whole.bearing_deg)


def _along(block: Block, off: Floats) -> NDArray[np.bool_]:
    """Which of what is seen so far (N, 2) from the middles of a block's long bases lies along these: beside a rider
    in the middle that is no other figure, but his horse's head, or its croup."""
    base = block.base
    if base.round_ or not roomy(base):
        return np.zeros(len(off), dtype=np.bool_)
    across = 0 if base.half_depth_mm > base.half_width_mm else 1
    return np.asarray(np.abs(turned(off, -block.whole.bearing_deg)[:, across]) < _ON_MM)


def _standing_on(base: Placed, feet: Floats) -> int:
    """How many figures (N, 2) stand on a base."""
    own = turned(feet - [base.x_mm, base.y_mm], -base.bearing_deg)
    return int((base.outline.distance(own[:, 0], own[:, 1]) < 0).sum())


def _within(block: Block, feet: Floats) -> NDArray[np.bool_]:
    """Which figures (N, 2) stand on a block."""
    whole = block.whole
    own = turned(feet - [whole.x_mm, whole.y_mm], -whole.bearing_deg)
    return np.asarray(whole.outline.distance(own[:, 0], own[:, 1]) < -2.0)


def astray(block: Block, feet: Floats) -> float:
    """How far the figures (N, 2) on a block are aside, in mm; more where some are missing."""
    mine, _, aside = men_on(block, feet)
    return aside + _MISSING_MM * (1 - mine / (block.files * block.ranks))
