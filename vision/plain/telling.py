"""What is told of the bases that are held to stand: where, how exactly and how surely, and only what is likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from msgspec.structs import replace as but_for
from numpy.typing import NDArray

from vision.bases.shapes import Outline
from vision.bases.weighing.choose import clear_of
from vision.plain.choosing.abreast import abreast
from vision.plain.choosing.companions import Told, but_on, companions
from vision.plain.choosing.crowds import crowds
from vision.plain.choosing.dressing import dressed
from vision.plain.choosing.packing import LEAST_SHARE, Settled
from vision.plain.choosing.ranked import by_rank_and_file
from vision.plain.choosing.vetting import Formed, aside_of, formed_of, holds, wholes
from vision.plain.fitting.doubt import LIKELY, Doubt, doubted
from vision.plain.fitting.fallen import shaded
from vision.plain.fitting.fit import Fit, fit
from vision.plain.fitting.seams import Loosened, loosened
from vision.plain.fitting.spacing import spaced
from vision.plain.picture.scene import Scene
from vision.plain.stage import Stage, clear
from vision.plain.weighing.bare import bare
from vision.plain.weighing.judging import explaining, good
from vision.plain.weighing.lamp import WITHIN_MM, in_shade
from vision.plain.weighing.presence import there
from vision.records import BaseSeen

__all__ = ["told"]

Floats = NDArray[np.float64]

_LEAST_OPEN, _SURE = 0.1, 0.9
_THERE = 0.9  # so sure it is that a base is there, wherever exactly, that is told by its outline
_SHRINK_MM = 1.2  # two bases may seem to run into each other by twice this
_VAGUE_MM = 1.6  # what is told so vaguely its rank and file tell better
_ROUNDS = 8


def told(stage: Stage, outlines: Sequence[Outline], fine: Scene, stands: Settled, noise: float) -> list[Told]:
    """The likely ones of the bases that stand, fitted to the whole picture, ``fine``, of such noise in grey levels;
    the stage is of the smaller one."""
    shade = stands.lit.shade if stands.lit else None
    small = shaded(replace(stage.scene, feet=stands.feet), stage.ground, shade)
    stands = abreast(small, dressed(small, stands, stage.known), stage.known)
    bodies = [*stands.held, *(body for block in stands.blocks for body in block.bodies)]
    if not bodies:
        return []
    exact = shade is not None and shade.exact
    lit = shaded(replace(fine, feet=stands.feet), stage.ground, shade)
    fine = lit.but_for(stage.cast)
    within_mm = WITHIN_MM if exact else None
    now = fit(fine, [*bodies, *stage.known], _ROUNDS, free=len(bodies), within_mm=within_mm)
    formed = formed_of(stands.blocks, len(stands.held))
    whole = wholes(formed, len(bodies))
    aside = aside_of(now, formed, stands.feet, fine.camera.position_mm)
    doubt = doubted(small, now, stage.known, aside, whole)
    cast = shade is not None or bool(stage.cast.any())
    doubt = replace(doubt, otherwise_mm=stands.otherwise_mm, shaded=cast, exact=exact)
    outlined = _clear(stage, now, formed, doubt.likely, noise)
    kept = _manned(lit, now, outlined)
    things = [now.placed[k] for k in outlined if k not in kept]
    kept = _with_an_end(stage, now, kept, doubt.likely)
    of_body = partial(_told, stage, now, doubt, fine, formed)
    if stands.feet is None:
        return [one for k in kept if doubt.likely[k] >= LIKELY for one in of_body(k)]
    likely, others = there(now, doubt, stage.filled(now.placed))
    held = [one for k in kept if likely[k] for one in of_body(k)]
    stage = in_shade(stage, shade)
    feet = but_on(stands.feet, things)
    held = _in_ranks(stage, held, now, formed, feet)
    held += companions(stage, held, feet)
    more = [one for k in kept if others[k] for one in of_body(k)]
    held += [one for one in more if clear([one.placed], [h.placed for h in held])]
    return [*held, *crowds(stage, held, outlines, feet)]


def _told(stage: Stage, now: Fit, doubt: Doubt, fine: Scene, formed: Sequence[Formed], k: int) -> list[Told]:
    """What is told of one body of a fit: itself, or the bases of a line or block."""
    one = _seen(now, k, doubt, fine)
    block = next((f.block for f in formed if f.which == [k] and not f.block.members), None)
    if block is not None:
        block = replace(block, whole=now.placed[k])
        others = [*now.placed[:k], *now.placed[k + 1 :], *stage.known]
        return _singly(one, loosened(fine, spaced(fine, block, others), others))
    return [Told(one, now.placed[k], max(one.confidence, _THERE))]


def _in_ranks(stage: Stage, likely: Sequence[Told], now: Fit, formed: Sequence[Formed], feet: Floats) -> list[Told]:
    """What is told, with the bases of blocks that only the others of their rank and file tell, or tell better,
    where nothing else stands."""
    held = list(likely)
    for one in formed:
        told = {(h.seen.x_mm, h.seen.y_mm): h.seen for h in held}
        at = [(now.placed[k].x_mm, now.placed[k].y_mm) for k in one.which]
        own = {k: told[place] for k, place in enumerate(at) if place in told}
        firm = {k: seen for k, seen in own.items() if seen.sigma_mm < _VAGUE_MM}
        room = 2 * one.block.base.half_width_mm - 2 * _SHRINK_MM
        for base in by_rank_and_file(one.block, firm, feet, stage.filled):
            here = [h for h in held if np.hypot(h.seen.x_mm - base.x_mm, h.seen.y_mm - base.y_mm) <= room]
            if all(any(h.seen is seen for k, seen in own.items() if k not in firm) for h in here):
                held = [h for h in held if all(h is not other for other in here)]
                place = replace(one.block.bodies[0], x_mm=base.x_mm, y_mm=base.y_mm)
                held.append(Told(base, place, base.confidence))
    return held


def _clear(stage: Stage, now: Fit, formed: Sequence[Formed], likely: Floats, noise: float) -> list[int]:
    """The bodies that are clear and explain what is about them, of lines and blocks all in all, and those that are
    surely right; of those that stand in each other the likeliest."""
    single = set(range(len(now.placed))) - {k for one in formed for k in one.which}
    kept = single & set(explaining(now, good(stage, now, LEAST_SHARE, hidden=True), noise))
    for one in formed:
        if holds(now, one, noise):
            kept |= set(one.which)
    kept |= set(np.flatnonzero(likely >= _SURE).tolist())
    order = sorted(kept, key=lambda k: -float(likely[k]))
    return [order[k] for k in clear_of([now.placed[k] for k in order], _SHRINK_MM)]


def _manned(fine: Scene, now: Fit, kept: Sequence[int]) -> list[int]:
    """Those kept, but where bases have figures none that is bare: that is a box, or the case of a tape.

    A man alone on a broad base hides little of it, but his shadow lies on it, too.
    """
    if fine.feet is None:
        return list(kept)
    empty = bare(fine, [now.placed[k] for k in kept])
    return [k for k, none in zip(kept, empty, strict=True) if not none]


def _with_an_end(stage: Stage, now: Fit, kept: list[int], likely: Floats) -> list[int]:
    """The bases that have something else about them than what they are thought to be part of, or are surely bases:
    where terrain has been moved by a little, all about them has changed."""
    seen = next(iter(stage.levels.values()))
    while kept:
        open_ = seen.open([now.placed[k] for k in kept], stage.known, stage.scene.camera)
        fewer = [k for k, share in zip(kept, open_, strict=True) if share >= _LEAST_OPEN or likely[k] >= _SURE]
        if len(fewer) == len(kept):
            break
        kept = fewer
    return kept


def _seen(now: Fit, k: int, doubt: Doubt, scene: Scene) -> BaseSeen:
    placed = now.placed[k]
    round_ = placed.outline.round_
    return BaseSeen(
        army=None,
        base=placed.outline.name,
        x_mm=placed.x_mm,
        y_mm=placed.y_mm,
        z_mm=placed.z_mm,
        bearing_deg=None if round_ else placed.bearing_deg % placed.outline.turn_deg,
        sigma_mm=float(doubt.place_mm(scene.px_per_mm)[k]),
        bearing_sigma_deg=None if round_ else float(np.sqrt(now.covariance[k, 2, 2]) * 2.5 + 0.3),
        confidence=float(doubt.likely[k]),
    )


def _singly(whole: BaseSeen, loose: Loosened) -> list[Told]:
    """The bases of a line or block that is seen as one: what its turn leaves open grows towards its ends."""
    told = []
    turn = np.deg2rad(whole.bearing_sigma_deg or 0.0)
    for place, open_mm in zip(loose.bases, loose.sigma_mm.tolist(), strict=True):
        away = float(np.hypot(place.x_mm - whole.x_mm, place.y_mm - whole.y_mm))
        sigma = float(np.sqrt(whole.sigma_mm**2 + (turn * away) ** 2 / 2 + open_mm**2))
        base = but_for(
            whole, base=place.outline.name, x_mm=place.x_mm, y_mm=place.y_mm, bearing_deg=place.bearing_deg,
            sigma_mm=sigma,
        )  # fmt: skip
        told.append(Told(base, place, max(base.confidence, _THERE)))
    return told
