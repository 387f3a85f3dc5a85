"""All bases without painted rims in one frame: proposed where the table has changed, fitted, and chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.markers import FoundMarker
from calibration.records import Table
from vision.bases.choose import beside_them, clear_of, conflicts, distinct, heaviest
from vision.bases.pixels import Placed
from vision.bases.plane import Ground
from vision.bases.shapes import Outline, outline_of
from vision.plain.backdrop import backdrop_of
from vision.plain.fit import Fit, Scene, explained, fit
from vision.plain.matte import Bodies
from vision.plain.proposals import Changes, changes, propose
from vision.plain.rows import row_outlines, singly
from vision.records import BaseSeen

__all__ = ["find_plain_bases"]

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

_CARD = 1.7  # a print's card reaches this far, as a share of the black square
_SHRINK_MM = 1.6  # two rivals may run into each other by twice this
_SHRINK_GAP_MM = 2.2
_SHRINK_FITTED_MM = 1.2
_LEAST_GAIN = 1.5
_SHARES = (0.6, 0.4, 0.0)  # of the best gain nearby that rivals must have, turn by turn
_HOPEFUL = 0.25
_SURE = 1.1
_SAME_MM = 4.0
_COST = 0.15
_ABOUT = 4.5  # half breadths: so near are those whose order a base may share
_COVER = 0.05
_PRICE = 100.0
_MIXED = 0.85
_OTHERWISE = 0.3
_PIXELS = 0.5
_ALIGNED_DEG = 15.0
_WAYS = 3
_FINEST = 1.5  # pixels a mm: a finer picture is searched at half its size, or less
_LEAST_OPEN = 0.1
_ABREAST_MM = 4.0
_HIDDEN = 2
_ALL_FILLED = 0.95
_OPAQUE = 0.4
_LEAST_SHARE = 0.3
_LEAST_FILLED = 0.85


def find_plain_bases(
    frame_bgr: Image,
    empty_bgr: Image,
    camera: CameraModel,
    table: Table,
    ground: Ground,
    found: Sequence[FoundMarker],
    painted: Sequence[BaseSeen],
) -> list[BaseSeen]:
    """The bases in a frame (H, W, 3) that no army's paint tells, by what has changed since the table was empty.

    ``empty_bgr`` is that picture, ``found`` are the prints seen in the frame, ``painted`` the bases already known.
    A base has the outline of one of the table's kinds; its army is None, its bearing None if it is round, and one
    of the two ways of its axis if it is a rectangle.
    """
    outlines = _outlines(table)
    if not outlines:
        return []
    size = table.table
    middle = np.array([[size.width_mm / 2, size.depth_mm / 2, 0.0]])
    backdrop = backdrop_of(frame_bgr, empty_bgr, camera, table, ground)
    fine = Scene(frame_bgr.astype(np.float32), backdrop, camera, float(camera.px_per_mm(middle)[0]))
    scene = fine.smaller(int(np.ceil(fine.px_per_mm / _FINEST)))
    known = [p for p in (_placed(base, table) for base in painted) if p is not None]
    hidden = scene.reduced(_hidden(frame_bgr.shape[:2], found, known, camera))
    levels = {h: changes(scene, table, ground, hidden, h) for h in sorted({o.height_mm for o in outlines})}
    rivals = _rivals(scene, ground, outlines, levels)
    held = _settled(scene, rivals, ground, known, levels)
    if not held:
        return []
    now = fit(fine, [*held, *known], 8, free=len(held))
    good = _with_an_end(now, _good(now, levels, _LEAST_SHARE, hidden=True), known, levels, camera)
    return [_seen(now.placed[k], now.covariance[k], float(now.gain[k]), fine) for k in good]


def _outlines(table: Table) -> list[Outline]:
    """The outlines of the table's kinds of base, each once: heights differ by too little to tell kinds apart."""
    kinds: dict[tuple[bool, float, float], Outline] = {}
    for army in table.armies:
        for kind in army.bases:
            o = outline_of(kind)
            across, deep = sorted((o.half_width_mm, o.half_depth_mm))
            kinds.setdefault((o.round_, across, deep), o)
    return list(kinds.values())


def _placed(base: BaseSeen, table: Table) -> Placed | None:
    """A painted base as an outline on the table; None where the table does not know its kind."""
    for army in table.armies:
        for kind in army.bases:
            if (army.name, kind.name) == (base.army, base.base):
                return Placed(outline_of(kind), base.x_mm, base.y_mm, base.z_mm, base.bearing_deg or 0.0)
    return None


def _hidden(
    shape: tuple[int, ...], found: Sequence[FoundMarker], known: Sequence[Placed], camera: CameraModel
) -> NDArray[np.bool_]:
    """The pixels (H, W) whose change prints and known bases explain."""
    mask = np.zeros(shape[:2], np.uint8)
    for marker in found:
        card = marker.centre_px + (marker.corners_px - marker.centre_px) * _CARD
        cv2.fillConvexPoly(mask, np.rint(np.clip(card, -1e4, 1e4)).astype(np.int32), 1)
    for base in known:
        x, y = camera.project(np.array([[base.x_mm, base.y_mm, base.z_mm + base.outline.height_mm]]))[0]
        if np.isfinite([x, y]).all():
            scale = float(camera.px_per_mm(np.array([[base.x_mm, base.y_mm, base.z_mm]]))[0])
            least = min(base.outline.half_width_mm, base.outline.half_depth_mm)
            cv2.circle(mask, (round(x), round(y)), round(0.9 * least * scale), 1, cv2.FILLED)
    return np.asarray(mask > 0)


def _rivals(
    scene: Scene, ground: Ground, outlines: Sequence[Outline], levels: Mapping[float, Changes]
) -> list[Placed]:
    """All places worth a look, clearest first."""
    found: list[tuple[float, Placed]] = []
    for height, seen in levels.items():
        some = [o for o in outlines if o.height_mm == height]
        found += propose(seen, some, scene.camera, ground) if some else []
    return [placed for _, placed in sorted(found, key=lambda pair: -pair[0])]


def _filled(placed: Sequence[Placed], levels: Mapping[float, Changes]) -> Floats:
    """The share (N,) of each base's top that has changed."""
    shares = np.zeros(len(placed))
    for height, seen in levels.items():
        which = [k for k, p in enumerate(placed) if p.outline.height_mm == height]
        if which:
            shares[which] = seen.filled([placed[k] for k in which])
    return shares


def _settled(
    scene: Scene,
    rivals: Sequence[Placed],
    ground: Ground,
    known: Sequence[Placed],
    levels: Mapping[float, Changes],
) -> list[Placed]:
    """The bases that stand.

    Each rival is judged beside those that are held to stand, but for those whose place it would take; which of them
    then explain the most together are held to stand, until that changes no more.
    """
    pool = _clear(rivals, known)
    if not pool:
        return []
    alone = _tried(scene, pool, [], known, 4, coarse=True)
    order = heaviest(np.maximum(alone.gain, 0.0).tolist(), conflicts(alone.placed, _SHRINK_MM))
    usual = max(_LEAST_GAIN, float(np.median(alone.gain[order])))
    pick = _merged(alone, _HOPEFUL * usual)
    pool = [alone.placed[k] for k in pick]
    ways = _ways(pool, alone.gain[pick], levels)
    packed = [_packed(scene, way, known, usual, levels) for way in ways]
    made_of = row_outlines(list(dict.fromkeys(p.outline for way in ways[1:3] for p in way)))
    rows = _rivals(scene, ground, list(made_of), levels)
    packed += [_in_rows(scene, rows, made_of, known, usual, levels)] if rows else []
    held = _best_by_group(scene, packed, known, usual, levels)
    for _ in range(2):
        tried = _tried(scene, [*pool, *_beside(held)], held, known, 4)
        left = {id(p) for p in _clear(tried.placed, [*held, *known])}
        more = [tried.placed[k] for k in _best(tried, usual, known, levels, 0.0, left)]
        now = fit(scene, [*held, *more, *known], 6, free=len(held) + len(more))
        held = [now.placed[k] for k in _good(now, levels, _LEAST_SHARE)]
        held = _challenged(scene, held, tried, known, usual, levels)
    return _with_hidden(scene, held, pool, known, usual, levels)


def _ways(pool: Sequence[Placed], gain: Floats, levels: Mapping[float, Changes]) -> list[list[Placed]]:
    """What is tried to be packed: all together, and on each connected piece the kinds that promise the most there.

    Figures that stand together are mostly of one kind, and rectangles mostly stand all one way.
    """
    ways: list[list[Placed]] = [[] for _ in range(_WAYS)]
    of = _groups(pool, levels)
    for group in set(of.tolist()):
        options: list[tuple[float, list[Placed]]] = []
        mine = [k for k in range(len(pool)) if of[k] == group]
        for kind in dict.fromkeys(pool[k].outline for k in mine):
            alike = [k for k in mine if pool[k].outline == kind]
            first = pool[max(alike, key=lambda k: gain[k])].bearing_deg
            for across in (0.0,) if kind.round_ else (0.0, 90.0):
                off = [abs((pool[k].bearing_deg - first - across + 90) % 180 - 90) for k in alike]
                some = [k for k, turn in zip(alike, off, strict=True) if kind.round_ or turn < _ALIGNED_DEG]
                if some:
                    places = [pool[k] for k in some]
                    weights = [float(max(gain[k], 0.0)) * pool[k].outline.perimeter_mm for k in some]
                    promise = sum(weights[k] for k in heaviest(weights, conflicts(places, _SHRINK_MM)))
                    options.append((promise, places))
        options.sort(key=lambda option: -option[0])
        for way, (_, places) in zip(ways, options, strict=False):
            way += places
    return [way for way in (list(pool), *ways) if way]


def _in_rows(
    scene: Scene,
    rows: Sequence[Placed],
    made_of: Mapping[Outline, tuple[Outline, int]],
    known: Sequence[Placed],
    usual: float,
    levels: Mapping[float, Changes],
) -> list[Placed]:
    """The bases of rows that stand together and explain the most."""
    tried = _tried(scene, _clear(rows, known), [], known, 6, coarse=True)
    best = [tried.placed[k] for k in _best(tried, usual, known, levels, 0.0)] if tried.placed else []
    held = singly(best, made_of)
    if not held:
        return []
    now = fit(scene, [*held, *known], 6, free=len(held))
    return [now.placed[k] for k in _good(now, levels, _LEAST_SHARE)]


def _packed(
    scene: Scene, pool: list[Placed], known: Sequence[Placed], usual: float, levels: Mapping[float, Changes]
) -> list[Placed]:
    """Those of some rivals that stand together and explain the most."""
    held: list[Placed] = []
    for share in _SHARES:
        tried = _tried(scene, [*pool, *_beside(held)], held, known, 4)
        best = _best(tried, usual, known, levels, share)
        now = fit(scene, [*(tried.placed[k] for k in best), *known], 6, free=len(best))
        held = [now.placed[k] for k in _good(now, levels, _LEAST_SHARE)]
        if not held:
            return []
        held = _challenged(scene, held, tried, known, usual, levels)
        pool = [*(tried.placed[k] for k in _merged(tried, 0.5 * _HOPEFUL * usual)), *held]
    return _with_hidden(scene, held, pool, known, usual, levels)


def _beside(held: Sequence[Placed]) -> list[Placed]:
    """Where the next bases of formed lines and blocks would stand: a step on, as their neighbours stand."""
    spots = beside_them(held)
    for one in held:
        near = [p for p in held if p.outline == one.outline and _apart_mm(p, one) < _ABOUT * one.outline.reach_mm]
        for p in near if one.outline.round_ else []:
            for q in near:
                if p is not q and _beside_each_other(p, q):
                    spots.append(replace(one, x_mm=one.x_mm + p.x_mm - q.x_mm, y_mm=one.y_mm + p.y_mm - q.y_mm))
    return _clear([spots[k] for k in distinct(spots, 2.0)], held)


def _best_by_group(
    scene: Scene,
    packed: Sequence[list[Placed]],
    known: Sequence[Placed],
    usual: float,
    levels: Mapping[float, Changes],
) -> list[Placed]:
    """For each connected piece of the table that has changed, the way of packing it that explains the most.

    Figures that stand together are mostly of one kind, so that packings of one kind are tried by themselves.
    """
    best: dict[int, tuple[float, list[Placed]]] = {}
    for held in packed:
        if not held:
            continue
        now = fit(scene, [*held, *known], 4, free=len(held))
        of = _groups(held, levels)
        worth = _standing(scene, now, known)
        for group in set(of.tolist()):
            mine = [k for k in range(len(held)) if of[k] == group]
            sum_ = float(worth[mine].sum()) * (_MIXED if len({held[k].outline for k in mine}) > 1 else 1.0)
            if group not in best or sum_ > best[group][0]:
                best[group] = (sum_, [now.placed[k] for k in mine])
    return [p for _, group in best.values() for p in group]


def _groups(placed: Sequence[Placed], levels: Mapping[float, Changes]) -> NDArray[np.intp]:
    """Which connected piece of what has changed each base (N,) stands on."""
    seen = next(iter(levels.values()))
    columns, rows = seen.at(np.array([[p.x_mm, p.y_mm] for p in placed]))
    height, width = seen.pieces.shape
    at = np.clip(np.rint(rows), 0, height - 1).astype(int), np.clip(np.rint(columns), 0, width - 1).astype(int)
    return np.asarray(seen.pieces[at], dtype=np.intp)


def _challenged(
    scene: Scene,
    held: list[Placed],
    tried: Fit,
    known: Sequence[Placed],
    usual: float,
    levels: Mapping[float, Changes],
) -> list[Placed]:
    """The bases held to stand, each doubtful one replaced by the rivals that together explain more in its place."""
    now = fit(scene, [*held, *known], 2, free=len(held))
    gains = dict(zip(map(id, held), now.gain.tolist(), strict=True))
    filled = _filled(tried.placed, levels)
    worth = [k for k, g in enumerate(tried.gain) if g > _COST * usual and filled[k] > _LEAST_FILLED]
    pool = [tried.placed[k] for k in worth]
    for doubtful in sorted(held, key=lambda p: gains[id(p)]):
        if gains[id(doubtful)] > _SURE * usual:
            break
        others = [p for p in held if p is not doubtful]
        rivals = [
            k for k, p in enumerate(pool) if _apart_mm(p, doubtful) < p.outline.reach_mm + doubtful.outline.reach_mm
        ]
        rivals = [
            k
            for k in rivals
            if not (pool[k].outline == doubtful.outline and _apart_mm(pool[k], doubtful) < _SAME_MM)
        ]
        free = {id(p) for p in _clear([pool[k] for k in rivals], [*others, *known])}
        rivals = [k for k in rivals if id(pool[k]) in free]
        places = [pool[k] for k in rivals]
        weights = [float(tried.gain[worth[k]] - _COST * usual) * pool[k].outline.perimeter_mm for k in rivals]
        instead = [places[k] for k in heaviest(weights, conflicts(places, _SHRINK_MM))]
        near = [p for p in others if _apart_mm(p, doubtful) < 2 * doubtful.outline.reach_mm + p.outline.reach_mm]
        rest = [p for p in others if p not in near]
        before = fit(scene, [doubtful, *near, *rest, *known], 3, free=1 + len(near))
        after = fit(scene, [*instead, *near, *rest, *known], 6, free=len(instead) + len(near))
        stood = _standing(scene, before, [*rest, *known])
        other = any(p.outline != doubtful.outline for p in instead)
        asked = float(stood.sum()) + (_OTHERWISE * max(0.0, float(stood[0])) if other else 1e-6)
        if float(_standing(scene, after, [*rest, *known]).sum()) > asked:
            held = [*after.placed, *rest]
            gains.update(zip(map(id, after.placed), after.gain.tolist(), strict=True))
    return held


def _with_hidden(
    scene: Scene,
    held: list[Placed],
    pool: Sequence[Placed],
    known: Sequence[Placed],
    usual: float,
    levels: Mapping[float, Changes],
) -> list[Placed]:
    """Those held, and others right beside them whose outline hardly shows, but whose top hides the table all
    over."""
    for _ in range(_HIDDEN):
        spots = _clear([*_beside(held), *pool], [*held, *known])
        if not spots:
            break
        tried = _tried(scene, spots, held, known, 5)
        filled = _filled(tried.placed, levels)
        free = {id(p) for p in _clear(tried.placed, [*held, *known])}
        weights = [
            float(tried.worth[k]) if id(p) in free and filled[k] > _ALL_FILLED and tried.opaque[k] > _OPAQUE
            and tried.worth[k] > _COST * usual and _touched(p, held) >= 2 else 0.0
            for k, p in enumerate(tried.placed)
        ]  # fmt: skip
        more = [tried.placed[k] for k in heaviest(weights, conflicts(tried.placed, _SHRINK_MM))]
        if not more:
            break
        now = fit(scene, [*more, *held, *known], 5, free=len(more) + len(held))
        held = now.placed
    return held


def _touched(base: Placed, held: Sequence[Placed]) -> int:
    """How many bases of its kind stand right beside one."""
    return sum(p.outline == base.outline and _beside_each_other(base, p) for p in held)


def _value(of: Fit, usual: float, filled: Floats) -> Floats:
    """How much each base (N,) explains: its outline, and what has changed inside; less what any base costs."""
    return np.array(
        [
            (g - _COST * usual) * p.outline.perimeter_mm
            + _COVER * usual * f * p.outline.half_width_mm * p.outline.half_depth_mm
            for p, g, f in zip(of.placed, of.gain, filled, strict=True)
        ]
    )


def _standing(scene: Scene, of: Fit, among: Sequence[Placed]) -> Floats:
    """How much speaks for each base (N,): its outline, and the pixels that it explains; less what any base
    costs."""
    length = np.array([p.outline.perimeter_mm for p in of.placed])
    return np.asarray(of.gain * length + _PIXELS * explained(scene, of.placed, among) - _PRICE)


def _beside_each_other(one: Placed, other: Placed) -> bool:
    return _apart_mm(one, other) < one.outline.reach_mm + other.outline.reach_mm + _ABREAST_MM


def _apart_mm(one: Placed, other: Placed) -> float:
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))


def _tried(
    scene: Scene,
    pool: Sequence[Placed],
    held: Sequence[Placed],
    known: Sequence[Placed],
    rounds: int,
    coarse: bool = False,
) -> Fit:
    """Rivals fitted each for itself, beside what stands but for what it would stand in."""
    count = len(pool)
    both = [*pool, *held, *known]
    apart = np.zeros((len(both), len(both)), dtype=np.bool_)
    apart[:count, :count] = True
    for k, others in enumerate(conflicts(both, _SHRINK_MM)):
        apart[k, list(others)] = True
    near = Bodies(both, scene.camera).neighbours(apart)
    return fit(scene, both, rounds, near, free=count, grey=True, coarse=coarse)


def _merged(tried: Fit, least: float) -> list[int]:
    """The fitted rivals that are worth another look, each place once."""
    order = [int(k) for k in np.argsort(-tried.gain) if tried.gain[k] > least]
    return [order[k] for k in distinct([tried.placed[k] for k in order], 1.2)]


def _best(
    tried: Fit,
    usual: float,
    known: Sequence[Placed],
    levels: Mapping[float, Changes],
    share: float,
    left: set[int] | None = None,
) -> list[int]:
    """Which rivals explain the most together."""
    pool, gain = tried.placed, tried.gain
    filled = _filled(pool, levels)
    clear = {id(p) for p in _clear(pool, known)} if left is None else left
    of = _groups(pool, levels)
    least = np.zeros(int(of.max(initial=0)) + 1)
    np.maximum.at(least, of, share * gain)
    value = _value(tried, usual, filled)
    weights = [
        max(0.0, float(value[k])) if filled[k] > _LEAST_FILLED and id(p) in clear and gain[k] >= least[of[k]] else
        0.0 for k, p in enumerate(pool)
    ]  # fmt: skip
    return heaviest(weights, conflicts(pool, _SHRINK_MM))


def _clear(placed: Sequence[Placed], of: Sequence[Placed]) -> list[Placed]:
    """Those of bases that do not stand in others."""
    if not of or not placed:
        return list(placed)
    both = [*of, *placed]
    against = conflicts(both, _SHRINK_GAP_MM)
    return [p for k, p in enumerate(both) if k >= len(of) and not any(o < len(of) for o in against[k])]


def _good(now: Fit, levels: Mapping[float, Changes], share: float, hidden: bool = False) -> list[int]:
    """The bases of a fit that are clear enough, or may be ``hidden`` by figures, and do not stand in clearer
    ones."""
    if not now.placed:
        return []
    filled = _filled(now.placed, levels)
    least = max(_LEAST_GAIN, share * float(np.median(now.gain)))
    clear = now.gain > least
    if hidden:
        clear |= (now.opaque > _OPAQUE) & (filled > _ALL_FILLED) & (now.worth > 0.5 * least)
    order = [int(k) for k in np.argsort(-now.gain) if clear[k] and filled[k] > _LEAST_FILLED]
    return [order[k] for k in clear_of([now.placed[k] for k in order], _SHRINK_FITTED_MM)]


def _with_an_end(
    now: Fit, good: list[int], known: Sequence[Placed], levels: Mapping[float, Changes], camera: CameraModel
) -> list[int]:
    """The bases that have something else about them than what they are thought to be part of."""
    seen = next(iter(levels.values()))
    while good:
        open_ = seen.open([now.placed[k] for k in good], known, camera)
        kept = [k for k, share in zip(good, open_, strict=True) if share >= _LEAST_OPEN]
        if len(kept) == len(good):
            break
        good = kept
    return good


def _seen(placed: Placed, covariance: Floats, gain: float, scene: Scene) -> BaseSeen:
    sigma = float(np.sqrt(np.trace(covariance[:2, :2]) / 2 * 6 + (0.15 / scene.px_per_mm) ** 2))
    round_ = placed.outline.round_
    return BaseSeen(
        army=None,
        base=placed.outline.name,
        x_mm=placed.x_mm,
        y_mm=placed.y_mm,
        z_mm=placed.z_mm,
        bearing_deg=None if round_ else placed.bearing_deg,
        sigma_mm=sigma,
        bearing_sigma_deg=None if round_ else float(np.sqrt(covariance[2, 2]) * 2.5 + 0.3),
        confidence=float(np.clip(gain / 6.0, 0, 1)),
    )
