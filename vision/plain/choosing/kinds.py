"""Of which kind the bases of a company are: those that stand together are mostly of one, and their outlines tell it
together, where each by itself may be taken for another's that is nearly as large.

How clear outlines are does not tell kinds apart: each is judged by what lies about itself, and a larger one has
more of that. What counts is how well both explain the same pixels. But a larger one also covers what is a shadow:
it is believed only where shadows are known, and its outline tells more, too.

Another kind that is not preferred may be the right one all the same, and would stand a little elsewhere: so far a
base may be aside of where it is held to stand, however exactly its own kind fits there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.bases.shapes import Outline
from vision.plain.block import Block
from vision.plain.fitting.fit import Fit, fit
from vision.plain.fitting.proof import unexplained
from vision.plain.proposing.outlined import turns_of
from vision.plain.stage import Stage, apart_mm, clear
from vision.plain.weighing.judging import SHRINK_MM, heaviest_of, tried

__all__ = ["ABOUT_MM", "agreed"]

Floats = NDArray[np.float64]

_ABOUT = 4.5  # reaches: so near is the next of a company
_SIZES = 2.5  # no kind is taken for one so many times as large
_TELLING = 30.0  # sigmas squared by which one kind must explain more to be e times as likely
_CLEARLY = 3 * _TELLING  # another kind must be 20 times as likely
ABOUT_MM = 3.0  # what lies so far outside the larger of two kinds is looked at; farther out are figures' shadows
_NEARLY = 0.7  # and a smaller one's outline so much of what the larger one's does: else it is none, either
_TRIED, _ROUNDS = 4, 6


def agreed(
    stage: Stage, held: Sequence[Placed], blocks: Sequence[Block], outlines: Sequence[Outline]
) -> tuple[list[Placed], list[Block], Floats]:
    """The bases held to stand singly, and the lines and blocks, each company's of the kind that explains the most;
    and how far aside, one sigma each way in mm, each of their bodies (N,) may be as it may be of another kind.

    Blocks of round bases whose kind is another are none; of rectangles their whole outline has told the kind.
    """
    stage = stage.with_blocks([block for block in blocks if not block.members])
    bases = [*held, *(base for block in blocks for base in block.members)]
    now = list(bases)
    aside: dict[int, float] = {}
    for company in _companies(bases):
        others = [base for k, base in enumerate(now) if k not in company]
        told, aside_mm = _of_one_kind(stage, [now[k] for k in company], others, outlines)
        for k, base, mm in zip(company, told, aside_mm.tolist(), strict=True):
            now[k] = base
            aside[id(base)] = mm
    same = {id(base) for base in now}
    kept = [block for block in blocks if all(id(base) in same for base in block.members)]
    formed = {id(base) for block in kept for base in block.members}
    singly = [base for base in now if id(base) not in formed]
    bodies = [*singly, *(body for block in kept for body in block.bodies)]
    return singly, kept, np.array([aside.get(id(body), 0.0) for body in bodies])


def _companies(bases: Sequence[Placed]) -> list[list[int]]:
    """Which bases stand together and are held to be of one kind, for each company."""
    left, companies = list(range(len(bases))), []
    while left:
        new, company = [left.pop(0)], []
        while new:
            one = bases[new.pop()]
            company.append(one)
            far = _ABOUT * one.outline.reach_mm
            near = [j for j in left if bases[j].outline == one.outline and apart_mm(bases[j], one) < far]
            left = [j for j in left if j not in near]
            new += near
        own = {id(one) for one in company}
        companies.append([k for k, base in enumerate(bases) if id(base) in own])
    return companies


def _of_one_kind(
    stage: Stage, company: list[Placed], others: Sequence[Placed], outlines: Sequence[Outline]
) -> tuple[list[Placed], Floats]:
    """A company's bases, of the kind that they are held to be or of another that clearly explains more; and how far
    aside (N,) in mm they may be as they may be of none but those kinds."""
    kind = company[0].outline
    most, best = _CLEARLY, company
    now: Fit | None = None
    ways: list[tuple[float, Sequence[Placed]]] = []
    for other in outlines:
        larger = other.area_mm2 > kind.area_mm2
        if other == kind or not 1 / _SIZES < other.area_mm2 / kind.area_mm2 < _SIZES:
            continue
        if larger and stage.scene.shade is None:
            continue
        instead = _instead(stage, company, others, other)
        if instead is None:
            continue
        now = now or _fitted(stage, company, others)
        more = _more(stage, now.placed, instead.placed, others)
        ways.append((more, instead.placed))
        if more > most and _outlined(instead) > (1.0 if larger else _NEARLY) * _outlined(now):
            most, best = more, instead.placed
    if now is None:
        return best, np.zeros(len(company))
    return best, _aside_mm(best, [(0.0, now.placed if best is not company else company), *ways])


def _aside_mm(best: Sequence[Placed], ways: Sequence[tuple[float, Sequence[Placed]]]) -> Floats:
    """How far aside (N,), one sigma each way in mm, bases may be that may stand in some ``ways``, each of which
    explains so much more than another."""
    more = np.array([way[0] for way in ways])
    likely = np.exp((more - more.max()) / _TELLING)
    at = np.array([[(p.x_mm, p.y_mm) for p in placed] for _, placed in ways])
    away = np.square(at - [(p.x_mm, p.y_mm) for p in best]).sum(axis=2)
    return np.asarray(np.sqrt(likely @ away / likely.sum() / 2))


def _instead(stage: Stage, company: list[Placed], others: Sequence[Placed], kind: Outline) -> Fit | None:
    """The bases of another kind in a company's places; None where they have no room."""
    turns = [0.0] if kind.round_ else turns_of(kind).tolist()
    pool = [replace(base, outline=kind, bearing_deg=turn) for base in company for turn in turns]
    now = tried(stage, pool, [*company, *others], _TRIED, coarse=True)
    best = now.gain.reshape(len(company), -1).argmax(axis=1) + np.arange(len(company)) * len(turns)
    placed = [now.placed[k] for k in best.tolist()]
    free = clear(placed, [*others, *stage.known])
    together = heaviest_of(free, [1.0] * len(free), SHRINK_MM)
    return _fitted(stage, placed, others) if len(together) == len(company) else None


def _fitted(stage: Stage, placed: Sequence[Placed], others: Sequence[Placed]) -> Fit:
    """Bases fitted together beside others."""
    return fit(stage.scene, [*placed, *others, *stage.known], _ROUNDS, free=len(placed), grey=True)


def _outlined(now: Fit) -> float:
    """How much the outlines of bases of one kind explain."""
    return float(now.gain.sum()) * now.placed[0].outline.perimeter_mm


def _more(stage: Stage, now: Sequence[Placed], instead: Sequence[Placed], others: Sequence[Placed]) -> float:
    """How much more, in sigmas squared, others in their places explain than bases do."""
    reach_mm = max(p.outline.reach_mm for p in (now[0], instead[0])) + ABOUT_MM
    beside = [*others, *stage.known]
    middles = np.array([(p.x_mm, p.y_mm) for p in now])
    left = [unexplained(stage.scene, some, beside, middles, reach_mm) for some in (now, instead)]
    return float((left[0] - left[1]).sum())
