"""Bases that their figures and their companions tell, though their own outlines hardly show.

In a mob of bases of the mat's own colour, coats and their shadows are all that is seen, and some outline fits as
well anywhere. But who stands among bases of a kind stands on one, and in its middle: so does a figure that stands
on none of the bases that are told, where the ground has changed as far as a base like theirs would reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from msgspec.structs import replace as but_for
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, turned
from vision.bases.weighing.choose import in_the_way
from vision.plain.proposing.outlined import turns_of
from vision.plain.stage import Stage
from vision.plain.weighing.judging import tried
from vision.records import BaseSeen

__all__ = [
    "FILLED",
    "SHRINK_MM",
    "Told",
    "but_on",
    "companions",
    "near",
    "on_none",
    "seen_aside",
    "turn_sigma_deg",
    "turned_best",
]

Floats = NDArray[np.float64]

_ABOUT = 4.5  # reaches: so near is a companion, or the next but one where they stand in a line
_LEAST = 1.2  # companions, each counting as it is sure
_LESS = 0.95  # as sure as they are is who stands among them
_NEAREST = 4  # of the bases told that tell how far aside figures are seen
_OWN_MM = 7.0  # a figure is seen no farther from the middle of its base
_EDGE_MM = 1.0  # a figure is a base's if it is seen on it, or so little beside it
_THING_MM = 6.0  # so far aside of where it stands what is higher than a base is seen
FILLED = 0.8
SHRINK_MM = 3.0  # what stands where a figure tells may seem to run into others by twice this
_MAN_MM = 1.8  # so exactly a figure tells the middle of its base, one sigma each way
_ROUNDS = 4
_TURNS = 12.0  # a mob's bases stand anyhow, and their faint edges tell no more


@dataclass(frozen=True)
class Told:
    """A base that is told, its outline where it stands, and how sure it is that it is there, wherever exactly."""

    seen: BaseSeen
    placed: Placed
    sure: float


def companions(stage: Stage, told: Sequence[Told], feet: Floats) -> list[Told]:
    """The bases under those of the figures at ``feet`` (N, 2), mm, that stand among the bases ``told`` and on none
    of them; who is told so tells the next."""
    held = list(told)
    left = feet[on_none(feet, [*(one.placed for one in told), *stage.known])]
    while len(left) and held:
        here = [(at, kin) for at in left if (kin := _kin(at, held))]
        best = max(here, key=lambda one: sum(k.sure for k in one[1]), default=None)
        if best is None:
            break
        at, kin = best
        left = left[(left != at).any(axis=1)]
        base = _under(stage, at, kin, held)
        if base is not None:
            held.append(base)
            left = left[on_none(left, [base.placed])]
    return held[len(told) :]


def near(sigma_mm: float) -> float:
    """The probability that what is known so exactly, each way, is within 3 mm of where it is told to be."""
    return 1 - float(np.exp(-0.5 * (3.0 / sigma_mm) ** 2))


def but_on(feet: Floats, things: Sequence[Placed]) -> Floats:
    """The figures (N, 2) but for those on ``things`` on which nothing stands, or right beside one: these are a
    ball's own light and shade."""
    return feet[on_none(feet, things, _THING_MM)]


def on_none(feet: Floats, placed: Sequence[Placed], edge_mm: float = _EDGE_MM) -> NDArray[np.bool_]:
    """Which of figures (N, 2) stand on none of some bases, nor so little beside one."""
    free = np.ones(len(feet), dtype=np.bool_)
    for base in placed:
        own = turned(feet - [base.x_mm, base.y_mm], -base.bearing_deg)
        free &= base.outline.distance(own[:, 0], own[:, 1]) > edge_mm
    return free


def _kin(at: Floats, held: Sequence[Told]) -> list[Told]:
    """The companions of a figure, nearest first: the bases about it of the kind that most of them are."""
    about: dict[object, list[tuple[float, Told]]] = {}
    for one in held:
        away = float(np.hypot(*(at - [one.placed.x_mm, one.placed.y_mm])))
        if away < _ABOUT * one.placed.outline.reach_mm:
            about.setdefault(one.placed.outline, []).append((away, one))
    if not about:
        return []
    most = max(about.values(), key=lambda some: sum(one.sure for _, one in some))
    kin = [one for _, one in sorted(most, key=lambda pair: pair[0])]
    return kin if sum(one.sure for one in kin) > _LEAST else []


def _under(stage: Stage, at: Floats, kin: Sequence[Told], held: Sequence[Told]) -> Told | None:
    """The base under a figure, of its companions' kind; None where there is no room for it, or too little has
    changed."""
    aside = seen_aside(stage.feet, at, held)
    like, (x, y) = kin[0], (at - aside).tolist()
    place = replace(like.placed, x_mm=x, y_mm=y)
    others = [*(one.placed for one in held), *stage.known]
    if stage.filled([place])[0] < FILLED or in_the_way([place], others, SHRINK_MM).any():
        return None
    place = turned_best(stage, place, others)
    sure = _LESS * float(np.mean([one.sure for one in kin]))
    seen = but_for(
        like.seen, x_mm=x, y_mm=y, z_mm=place.z_mm, sigma_mm=_MAN_MM, confidence=sure * near(_MAN_MM),
        bearing_deg=None if place.outline.round_ else place.bearing_deg % place.outline.turn_deg,
        bearing_sigma_deg=turn_sigma_deg(place.outline),
    )  # fmt: skip
    return Told(seen, place, sure)


def turn_sigma_deg(outline: Outline) -> float | None:
    """How exactly a faint outline is turned, one sigma; None if it has no turn."""
    return None if outline.round_ else outline.turn_deg / _TURNS


def turned_best(stage: Stage, place: Placed, others: Sequence[Placed]) -> Placed:
    """A base turned as it explains the most, its middle as it is."""
    if place.outline.round_:
        return place
    turns = [place.bearing_deg, *turns_of(place.outline).tolist()]
    now = tried(stage, [replace(place, bearing_deg=turn) for turn in turns], list(others), _ROUNDS, coarse=True)
    return replace(place, bearing_deg=now.placed[int(np.argmax(now.gain))].bearing_deg)


def seen_aside(feet: Floats, at: Floats, held: Sequence[Told]) -> Floats:
    """How far (x, y), mm, the figures of the bases nearest to a place are seen aside of their middles: shadows and
    the camera's slant move those of neighbours alike."""
    middles = np.array([(one.placed.x_mm, one.placed.y_mm) for one in held]).reshape(-1, 2)
    nearest = middles[np.argsort(np.hypot(*(middles - at).T), kind="stable")]
    off = []
    for middle in nearest:
        own = feet[np.argmin(np.hypot(*(feet - middle).T))] - middle
        if np.hypot(*own) < _OWN_MM:
            off.append(own)
        if len(off) == _NEAREST:
            break
    return np.asarray(np.median(off, axis=0) if off else np.zeros(2), dtype=np.float64)
