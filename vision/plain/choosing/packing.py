"""Which plain bases stand: all ways of packing what has changed with bases, and the one that explains the most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.bases.shapes import Outline
from vision.plain.block import Block
from vision.plain.choosing.formed import formed
from vision.plain.choosing.kinds import agreed
from vision.plain.choosing.rows import row_outlines, singly
from vision.plain.choosing.vetting import vetted
from vision.plain.fitting.fit import Fit, fit
from vision.plain.fitting.underfoot import beside_feet, roomy
from vision.plain.picture.shade import Lit
from vision.plain.stage import Stage, apart_mm, beside_each_other, clear
from vision.plain.weighing.judging import (
    ALL_FILLED,
    COST,
    LEAST_FILLED,
    LEAST_GAIN,
    OPAQUE,
    best,
    good,
    heaviest_of,
    merged,
    standing,
    tried,
)
from vision.plain.weighing.lamp import exactly, in_shade, lamp_of

__all__ = ["LEAST_SHARE", "Settled", "settled", "trimmed"]

Floats = NDArray[np.float64]

LEAST_SHARE = 0.3  # of the usual gain
_SHARES = (0.6, 0.4, 0.0)  # of the best gain nearby that rivals must have, turn by turn
_HOPEFUL = 0.25
_SURE, _SEVERAL = 1.1, 2
_SAME_MM = 4.0
_MIXED = 0.85
_ROWS = 0.85  # where figures tell bases singly, rows must explain clearly more: two men may stand on one long base
_OTHERWISE = 0.3
_ALIGNED_DEG = 15.0
_WAYS = 3
_HIDDEN = 2
_MOST, _MOST_HOPEFUL = 1500, 450  # places that are looked at: as many as two hundred bases need …
_LEAST_UNMANNED = 500  # … and of those that no figure tells at least so many
_LAMP = 3  # one in so many places tells as much of the lamp as all do
_UNDER_MM, _FIGURED = 6.0, 0.3  # where fewer bases have a figure so near their middle, they have none
_WORKERS = 2  # ways of packing that are tried at a time: numpy and OpenCV let others work meanwhile


@dataclass(frozen=True, eq=False)
class Settled:
    """What stands: the bases ``held`` singly, the lines and ``blocks`` of them; what is known of the lamp; the
    ``feet`` (N, 2) of figures on the table, None where its bases have none; and how far aside, in mm, each of all
    bodies (N,) may be as it may stand otherwise, or be of another kind."""

    held: list[Placed]
    blocks: list[Block]
    lit: Lit | None
    feet: Floats | None
    otherwise_mm: Floats


def settled(stage: Stage, outlines: Sequence[Outline], known: Lit | None) -> Settled:
    """What stands, and what is known of the lamp: as ``known`` has it, else as the bases tell it.

    Lines and blocks that figures tell come first. Each rival is then judged beside those that are held to stand,
    but for those whose place it would take; which of them then explain the most together are held to stand, until
    that changes no more.
    """
    pool = _places(stage, outlines)
    if not pool:
        return Settled([], [], known, stage.scene.feet, np.zeros(0))
    open_, alone, lit = _alone(in_shade(stage, known.shade if known else None), pool, known)
    blocks = vetted(open_, formed(open_, outlines, alone))
    left = open_.with_blocks(blocks)
    free = {id(p) for p in clear(alone.placed, left.known)}
    pick = [k for k in merged(alone, _HOPEFUL * left.usual) if id(alone.placed[k]) in free]
    pick = [pick[k] for k in trimmed(left, [alone.placed[k] for k in pick], _MOST_HOPEFUL)]
    held = _settled(left, alone.taken(pick)) if pick else []
    held, blocks, otherwise_mm = agreed(open_, held, blocks, outlines)
    if known is None:
        seen = replace(open_, scene=replace(open_.scene, backdrop=stage.scene.backdrop))  # and what shadows cover
        lit = _told_exactly(seen, lit, [*held, *(body for block in blocks for body in block.bodies)])
    return Settled(held, blocks, lit, open_.scene.feet, otherwise_mm)


def _told_exactly(stage: Stage, lit: Lit | None, bodies: Sequence[Placed]) -> Lit | None:
    """What such bodies tell exactly of the lamp, or else what is known of it already."""
    exact = exactly(stage, bodies, lit.shade if lit else None)
    return lit if exact is None else Lit(exact)


def _places(stage: Stage, outlines: Sequence[Outline]) -> list[Placed]:
    """The places that are looked at: all likely ones under figures that show enough change, and of others those
    that are clearest."""
    manned = clear(stage.manned(outlines), stage.known)
    manned = [p for p, share in zip(manned, stage.filled(manned), strict=True) if share > LEAST_FILLED]
    rest = clear(stage.rivals(outlines), stage.known)
    return [*manned, *(rest[k] for k in trimmed(stage, rest, max(_LEAST_UNMANNED, _MOST - len(manned))))]


def _alone(stage: Stage, pool: Sequence[Placed], lit: Lit | None) -> tuple[Stage, Fit, Lit | None]:
    """Places fitted each for itself, and the stage with what they tell: of the lamp if that is not yet ``lit``, of
    what a base gains here, and that bases here have no figures."""
    if lit is None:
        few = pool if len(pool) <= _MOST else pool[::_LAMP]
        alone = tried(stage, few, [], 4, coarse=True)
        roughly, clearest = lamp_of(stage, alone)  # by shadows: those of bases may lie in those of figures
        lit = _told_exactly(_figured(stage, clearest), roughly, clearest)
        shade = lit.shade if lit else None
        if shade is None and not stage.cast.any() and few is pool:
            return _usual(stage, alone, pool, lit)
        stage = in_shade(stage, shade)
    stage = stage.out_of_shadows()
    return _usual(stage, tried(stage, pool, [], 4, coarse=True), pool, lit)


def _figured(stage: Stage, clearest: Sequence[Placed]) -> Stage:
    """The stage, or that of a table without figures where those bases that are ``clearest`` have none."""
    if clearest and (beside_feet(clearest, stage.feet) < _UNDER_MM).mean() < _FIGURED:
        return stage.without_figures()
    return stage


def _usual(stage: Stage, alone: Fit, pool: Sequence[Placed], lit: Lit | None) -> tuple[Stage, Fit, Lit | None]:
    """What places fitted each for itself tell of what a base gains, and of whether bases have figures."""
    order = heaviest_of(alone.placed, alone.gain.tolist())
    figured = _figured(stage, [alone.placed[k] for k in order])
    if figured is not stage:
        stage, alone = figured, tried(figured, pool, [], 4, coarse=True)
        order = heaviest_of(alone.placed, alone.gain.tolist())
    usual = float(np.median(alone.gain[order])) if order else 0.0
    return replace(stage, usual=max(LEAST_GAIN, usual)), alone, lit


def _settled(stage: Stage, alone: Fit) -> list[Placed]:
    """The bases that stand, of places as each fits alone."""
    pool = alone.placed
    ways = _ways(stage, pool, alone.gain)
    kinds = list(dict.fromkeys(p.outline for way in ways[1:3] for p in way))
    single = tried(stage, pool, [], 4)
    number = {id(p): k for k, p in enumerate(pool)}
    firsts = [single.taken([number[id(p)] for p in way]) for way in ways]
    manned = stage.scene.feet is not None
    unmanned = [kind for kind in kinds if not manned or roomy(kind)]  # figures tell the lines and blocks of others
    jobs = [partial(_in_rows, stage, unmanned), *(partial(_packed, stage, first) for first in firsts)]
    with ThreadPoolExecutor(_WORKERS) as workers:
        rows, *packed = workers.map(lambda job: job(), jobs)
    held = _best_by_group(stage, [*((1.0, way) for way in packed), (_ROWS if manned else 1.0, rows)])
    for _ in range(2):
        again = tried(stage, [*pool, *stage.beside(held)], held, 4)
        left = {id(p) for p in clear(again.placed, [*held, *stage.known])}
        more = [again.placed[k] for k in best(stage, again, 0.0, left)]
        held = _challenged(stage, _fitted(stage, [*held, *more], 6), again)
    return _with_hidden(stage, held, pool)


def trimmed(stage: Stage, ranked: Sequence[Placed], most: int) -> list[int]:
    """Which of places, best first, are looked at: no more than so many, the better ones of each connected piece of
    what has changed, for what is clear on one piece may be faint beside another."""
    if len(ranked) <= most:
        return list(range(len(ranked)))
    piece = stage.groups(ranked)
    before: dict[int, int] = {}
    place = np.empty(len(ranked))
    for k, group in enumerate(piece.tolist()):
        place[k] = before[group] = before.get(group, -1) + 1
    share = place / (np.bincount(piece)[piece])
    return sorted(np.argsort(share, kind="stable")[:most].tolist())


def _fitted(stage: Stage, held: Sequence[Placed], rounds: int) -> list[Placed]:
    """Bases fitted together, those that are clear enough."""
    now = fit(stage.scene, [*held, *stage.known], rounds, free=len(held))
    return [now.placed[k] for k in good(stage, now, LEAST_SHARE)]


def _ways(stage: Stage, pool: Sequence[Placed], gain: Floats) -> list[list[Placed]]:
    """What is tried to be packed: all together, and on each connected piece the kinds that promise the most there.

    Figures that stand together are mostly of one kind, and rectangles mostly stand all one way.
    """
    ways: list[list[Placed]] = [[] for _ in range(_WAYS)]
    piece = stage.groups(pool)
    for group in set(piece.tolist()):
        mine = [k for k in range(len(pool)) if piece[k] == group]
        options = [
            option
            for kind in dict.fromkeys(pool[k].outline for k in mine)
            for option in _promises(kind, [k for k in mine if pool[k].outline == kind], pool, gain)
        ]
        options.sort(key=lambda option: -option[0])
        for way, (_, places) in zip(ways, options, strict=False):
            way += places
    return [way for way in (list(pool), *ways) if way]


def _promises(
    kind: Outline, alike: Sequence[int], pool: Sequence[Placed], gain: Floats
) -> list[tuple[float, list[Placed]]]:
    """What bases of one kind promise: all of them, or of rectangles those along the clearest and those across."""
    first = pool[max(alike, key=lambda k: gain[k])].bearing_deg
    told = []
    for across in (0.0,) if kind.round_ else (0.0, 90.0):
        off = [abs((pool[k].bearing_deg - first - across + 90) % 180 - 90) for k in alike]
        some = [k for k, turn in zip(alike, off, strict=True) if kind.round_ or turn < _ALIGNED_DEG]
        if some:
            places = [pool[k] for k in some]
            weights = [float(max(gain[k], 0.0)) * kind.perimeter_mm for k in some]
            told.append((sum(weights[k] for k in heaviest_of(places, weights)), places))
    return told


def _in_rows(stage: Stage, kinds: Sequence[Outline]) -> list[Placed]:
    """The bases of rows of some kinds that stand together and explain the most."""
    made_of = row_outlines(kinds)
    rows = clear(stage.rivals(list(made_of)), stage.known)
    rows = [rows[k] for k in trimmed(stage, rows, _MOST_HOPEFUL)]
    if not rows:
        return []
    one = tried(stage, rows, [], 6, coarse=True)
    held = singly([one.placed[k] for k in best(stage, one, 0.0)], made_of)
    return _fitted(stage, held, 6) if held else []


def _packed(stage: Stage, one: Fit) -> list[Placed]:
    """Those of some rivals, as each fits alone, that stand together and explain the most."""
    held: list[Placed] = []
    pool = one.placed
    for share in _SHARES:
        if held:
            one = tried(stage, [*pool, *stage.beside(held)], held, 4)
        held = _fitted(stage, [one.placed[k] for k in best(stage, one, share)], 6)
        if not held:
            return []
        held = _challenged(stage, held, one)
        pool = [*(one.placed[k] for k in merged(one, 0.5 * _HOPEFUL * stage.usual)), *held]
    return _with_hidden(stage, held, pool)


def _best_by_group(stage: Stage, packed: Sequence[tuple[float, list[Placed]]]) -> list[Placed]:
    """For each connected piece of the table that has changed, the way of packing it that explains the most, each
    counting for its share.

    Figures that stand together are mostly of one kind, so that packings of one kind are tried by themselves.
    """
    most: dict[int, tuple[float, list[Placed]]] = {}
    for share, held in packed:
        if not held:
            continue
        now = fit(stage.scene, [*held, *stage.known], 4, free=len(held))
        piece = stage.groups(held)
        worth = standing(stage, now, stage.known)
        for group in set(piece.tolist()):
            mine = [k for k in range(len(held)) if piece[k] == group]
            sum_ = float(worth[mine].sum()) * (_MIXED if len({held[k].outline for k in mine}) > 1 else 1.0)
            if group not in most or share * sum_ > most[group][0]:
                most[group] = (share * sum_, [now.placed[k] for k in mine])
    return [p for _, group in most.values() for p in group]


def _challenged(stage: Stage, held: list[Placed], rivals: Fit) -> list[Placed]:
    """The bases held to stand, each doubtful one replaced by the rivals that together explain more in its place,
    and one that is clear only by several of them."""
    now = fit(stage.scene, [*held, *stage.known], 2, free=len(held))
    gains = dict(zip(map(id, held), now.gain.tolist(), strict=True))
    filled = stage.filled(rivals.placed)
    pool = {
        k: p
        for k, p in enumerate(rivals.placed)
        if rivals.gain[k] > COST * stage.usual and filled[k] > LEAST_FILLED
    }
    # One across two that stand side by side may gain as much as bases usually do
    sure = _SURE * max(stage.usual, float(np.median(now.gain)) if held else 0.0)
    for doubtful in sorted(held, key=lambda p: gains[id(p)]):
        if gains[id(doubtful)] > sure:
            break
        others = [p for p in held if p is not doubtful]
        instead = _instead(stage, doubtful, others, pool, rivals.gain)
        if len(instead) < _SEVERAL and gains[id(doubtful)] > _SURE * stage.usual:
            continue
        near = [p for p in others if apart_mm(p, doubtful) < 2 * doubtful.outline.reach_mm + p.outline.reach_mm]
        rest = [p for p in others if p not in near]
        after = _better(stage, doubtful, instead, near, rest)
        if after is not None:
            held = [*after.placed, *rest]
            gains.update(zip(map(id, after.placed), after.gain.tolist(), strict=True))
    return held


def _instead(
    stage: Stage, doubtful: Placed, others: Sequence[Placed], pool: Mapping[int, Placed], gain: Floats
) -> list[Placed]:
    """The rivals that may take a doubtful base's place beside all others, as many as explain the most."""
    near = {
        k: p
        for k, p in pool.items()
        if apart_mm(p, doubtful) < p.outline.reach_mm + doubtful.outline.reach_mm
        and not (p.outline == doubtful.outline and apart_mm(p, doubtful) < _SAME_MM)
    }
    free = {id(p) for p in clear(list(near.values()), [*others, *stage.known])}
    near = {k: p for k, p in near.items() if id(p) in free}
    places = list(near.values())
    weights = [float(gain[k] - COST * stage.usual) * p.outline.perimeter_mm for k, p in near.items()]
    return [places[k] for k in heaviest_of(places, weights)]


def _better(
    stage: Stage,
    doubtful: Placed,
    instead: Sequence[Placed],
    near: Sequence[Placed],
    rest: Sequence[Placed],
) -> Fit | None:
    """How those ``instead`` of a doubtful base fit beside those near it; None where they do not explain more.

    Those of another kind must explain clearly more: neighbours are mostly of one kind.
    """
    before = fit(stage.scene, [doubtful, *near, *rest, *stage.known], 3, free=1 + len(near))
    after = fit(stage.scene, [*instead, *near, *rest, *stage.known], 6, free=len(instead) + len(near))
    stood = standing(stage, before, [*rest, *stage.known])
    other = any(p.outline != doubtful.outline for p in instead)
    asked = float(stood.sum()) + (_OTHERWISE * max(0.0, float(stood[0])) if other else 1e-6)
    return after if float(standing(stage, after, [*rest, *stage.known]).sum()) > asked else None


def _with_hidden(stage: Stage, held: list[Placed], pool: Sequence[Placed]) -> list[Placed]:
    """Those held, and others right beside them whose outline hardly shows, but whose top hides the table all
    over."""
    for _ in range(_HIDDEN):
        spots = clear([*stage.beside(held), *pool], [*held, *stage.known])
        if not spots:
            break
        one = tried(stage, spots, held, 5)
        filled = stage.filled(one.placed)
        free = {id(p) for p in clear(one.placed, [*held, *stage.known])}
        weights = [
            float(one.worth[k]) if id(p) in free and filled[k] > ALL_FILLED and one.opaque[k] > OPAQUE
            and one.worth[k] > COST * stage.usual and _touched(p, held) >= 2 else 0.0
            for k, p in enumerate(one.placed)
        ]  # fmt: skip
        more = [one.placed[k] for k in heaviest_of(one.placed, weights)]
        if not more:
            break
        now = fit(stage.scene, [*more, *held, *stage.known], 5, free=len(more) + len(held))
        held = now.placed
    return held


def _touched(base: Placed, held: Sequence[Placed]) -> int:
    """How many bases of its kind stand right beside one."""
    return sum(p.outline == base.outline and beside_each_other(base, p) for p in held)
