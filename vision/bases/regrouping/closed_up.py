"""Holes in lines: where one more base would stand in touch with two that stand in one line with a third.

Its own rim may prove next to nothing, between theirs and with a figure on it in the colours of the paint. But so
wide a gap, in such a line, is no accident: what shows a rim there is a base.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.paint import Paint
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.weighing.choose import distinct, in_the_way
from vision.bases.weighing.judged import Demand, Found, fitted_together, well_seen

__all__ = ["closed_up", "holes_in_lines"]

Floats = NDArray[np.float64]

_IN_TOUCH_MM = 1.6  # bases so nearly touching stand in one line
_ASTRAY_MM = 2.5  # so far from where the line would go on stands the one beyond a hole
_CLEAR_MM = 2.0  # what runs into others by twice this is no hole
_ABOUT_MM = 5.0  # those nearer than this may make room
_ROUNDS = 8


def closed_up(scene: Scene, found: Found, paint: Paint, demand: Demand) -> Found:
    """The bases found, and what stands in the holes of their lines, where all about each explain more with it."""
    now = found
    for hole in holes_in_lines(found.placed):
        about = _about(hole, now.placed)
        before = now.taken(about)
        told = fitted_together(
            scene,
            [*before.placed, hole],
            np.ones(len(about) + 1),
            paint,
            found.look,
            _ROUNDS,
            soft_mm=0.0,
            shared=False,
        )
        if told.explained > before.explained and len(well_seen(told, demand)) == len(told.placed):
            now = now.moved(about, told)
    return now


def holes_in_lines(placed: Sequence[Placed]) -> list[Placed]:
    """Where one round base is wanting in a line: in the middle between two, of which one touches a third that
    stands in line with both, and clear of all others."""
    at = np.array([[p.x_mm, p.y_mm] for p in placed]).reshape(-1, 2)
    holes = list[Placed]()
    for spot, base in _where_lines_go_on(placed):
        beyond = np.hypot(*(at - (2 * spot - [base.x_mm, base.y_mm])).T)
        for k in np.flatnonzero(beyond < _ASTRAY_MM).tolist():
            if placed[k].outline == base.outline:
                x_mm, y_mm = ((at[k] + [base.x_mm, base.y_mm]) / 2).tolist()
                holes.append(replace(base, x_mm=x_mm, y_mm=y_mm))
    blocked = np.any(in_the_way(holes, placed, _CLEAR_MM), axis=1)
    return [holes[k] for k in distinct(holes) if not blocked[k]]


def _where_lines_go_on(placed: Sequence[Placed]) -> list[tuple[Floats, Placed]]:
    """The spots (2,) beyond round bases, seen from one of their kind that touches them; and those bases."""
    at = np.array([[p.x_mm, p.y_mm] for p in placed]).reshape(-1, 2)
    apart = np.linalg.norm(at[:, None] - at, axis=2)
    told = []
    for a, b in np.argwhere(apart > 0).tolist():
        base = placed[a]
        alike = base.outline.round_ and placed[b].outline == base.outline
        if alike and abs(apart[a, b] - 2 * base.outline.half_width_mm) < _IN_TOUCH_MM:
            told.append((2 * at[a] - at[b], base))
    return told


def _about(hole: Placed, placed: Sequence[Placed]) -> list[int]:
    """Which bases stand so near to a hole that they may have to make room."""
    return np.flatnonzero(in_the_way([hole], placed, -_ABOUT_MM / 2)[0]).tolist()
