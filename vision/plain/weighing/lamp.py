"""Which way the bases of a table cast their shadows, how far, and how soft those are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from vision.bases.pixels import Placed
from vision.plain.fitting.fallen import but_for_figures, shaded
from vision.plain.fitting.fit import Fit, fit
from vision.plain.picture.shade import Lit, Shade
from vision.plain.stage import Stage
from vision.plain.weighing.judging import heaviest_of, merged, tried

__all__ = ["WITHIN_MM", "exactly", "falls_about", "in_shade", "lamp_of"]

_TELLING = 120  # places, the clearest, that are asked
_BASES = 4  # one base alone, or two, tell the light from chance no better than they tell themselves
_REACH = 0.5  # mm that a thing 1 mm high casts its shadow: a base is too low for more to show than the way …
_REACHES = (0.5, 1.0, 1.5)  # … but for a lamp so low that figures cast hard shadows
_SOFT_MM, _HARD_MM = (1.5, 3.0, 5.0), (0.7, 1.5)
_USUAL_SOFT_MM = 3.0
_WAYS = 16
_MORE = 1.08  # so much more must be explained with shadows than without
# How far they fall, by so many mm, and how soft they are, by so many times, is told ever finer, and so often
_STEPS = ((0.3, 1.5, 3), (0.15, 1.25, 2), (0.08, 1.15, 1))
_FIRST_WAYS = 8
_LONGEST, _HARDEST_MM, _SOFTEST_MM = 2.0, 0.2, 9.0
_ROUNDS = 3
WITHIN_MM = 1.5  # so far aside bases may have been fitted without it
_WIDE_DEG = 30.0  # bases' shadows fall so wide, at most, of the way on which figures' seem to fall
_LESS = 0.97  # so much less must be left unexplained


def lamp_of(stage: Stage, alone: Fit) -> tuple[Lit | None, list[Placed]]:
    """The shadows with which the places of a fit explain the most, none where a dark seam about each foot explains
    as much; None where they are too few to tell. And the clearest of them that may stand together.

    Without them a base of the table's own colour seems to stand some millimetres towards its soft shadow. Bases
    that are known stand where they stand, and tell the way of the light; without such, the places tell that too.
    Where figures cast hard shadows these tell it: the places are then as often edges of such shadows as bases.
    """
    places = [alone.placed[k] for k in merged(alone, 0.0)[:_TELLING]]

    def gained(shade: Shade | None) -> tuple[float, Fit]:
        one = tried(in_shade(stage, shade), places, [], 4, coarse=True)
        worth = [max(float(g), 0.0) * p.outline.perimeter_mm for g, p in zip(one.gain, one.placed, strict=True)]
        which = heaviest_of(one.placed, worth)
        return sum(worth[k] for k in which), one.taken(which)

    def explained(shade: Shade) -> float:
        if len(stage.known) < _BASES:
            return gained(shade)[0]
        known = fit(in_shade(stage, shade).scene, stage.known, 0, free=len(stage.known))
        return -float(known.residual.mean())

    without, bases = gained(None)
    if len(bases.placed) < _BASES:
        return None, []
    if stage.way is not None:
        shades = [_cast(stage.way, soft_mm, reach) for reach in _REACHES for soft_mm in _SOFT_MM]
        least = without  # who casts a shadow stands on a base that casts one, too
    else:
        way = max(np.arange(_WAYS) * 2 * np.pi / _WAYS, key=lambda turn: explained(_cast(turn, _USUAL_SOFT_MM)))
        shades = [_cast(way, soft_mm) for soft_mm in _SOFT_MM]
        least = _MORE * without
    most, lit, shade = max(((*gained(shade), shade) for shade in shades), key=lambda told: told[0])
    return (Lit(shade), _clearest(lit)) if most > least else (Lit(None), _clearest(bases))


def _clearest(of: Fit) -> list[Placed]:
    """The clearer half of the bases of a fit."""
    return [p for p, gain in zip(of.placed, of.gain.tolist(), strict=True) if gain >= np.median(of.gain)]


def exactly(stage: Stage, standing: Sequence[Placed], roughly: Shade | None) -> Shade | None:
    """The shadows with which bases that seem to stand, their sides and their figures' shadows, leave the least
    unexplained; None where they are too few to tell, or leave hardly less so than ``roughly``, without any of that.

    How far a low base's soft shadow falls hardly shows by itself, and places that are not yet known to be bases may
    tell the wrong way; but how bright sides are, and where figures' shadows fall, tells both. The clearest places
    tell it well enough to search by; once bases stand, what is ``roughly`` so and exact is only told finer.
    """
    if len(standing) < _BASES:
        return None
    length = np.array([base.outline.perimeter_mm for base in standing])
    stage = replace(stage, scene=but_for_figures(stage.scene, stage.ground))

    def unexplained(shade: Shade | None) -> float:
        scene = in_shade(stage, shade).scene
        both = [*standing, *stage.known]
        now = fit(scene, both, _ROUNDS, free=len(standing), grey=True, coarse=True, within_mm=WITHIN_MM)
        return float(now.residual @ length)

    if roughly is not None and roughly.exact:
        return _downhill(unexplained, roughly, unexplained(roughly), _STEPS[1:], stage.way)[0]
    soft_mm = _USUAL_SOFT_MM if roughly is None else roughly.soft_mm
    first = [replace(one, exact=True) for one in _likely(stage.way, soft_mm)]
    first += [replace(roughly, exact=True)] if roughly else []
    left, shade = min(((unexplained(one), one) for one in first), key=lambda pair: pair[0])
    shade, left = _downhill(unexplained, shade, left, _STEPS, stage.way)
    return shade if left < _LESS * unexplained(roughly) else None


def _likely(way: float | None, soft_mm: float) -> list[Shade]:
    """The shadows from which the exact ones are looked for: they fall some ``way``, as figures' hard ones do, or
    any way, or none."""
    if way is not None:
        return [_cast(way, hard_mm, reach) for reach in _REACHES for hard_mm in _HARD_MM]
    ways = np.arange(_FIRST_WAYS) * 2 * np.pi / _FIRST_WAYS
    return [*(_cast(turn, soft_mm) for turn in ways), Shade(0.0, 0.0, soft_mm)]  # the last: of a lamp overhead


def _downhill(
    unexplained: Callable[[Shade], float],
    shade: Shade,
    left: float,
    steps: Sequence[tuple[float, float, int]],
    way: float | None,
) -> tuple[Shade, float]:
    """The shadows, found from such on in such steps, that leave the least unexplained, and how much: such as fall
    about some ``way``, if that is known."""
    for step_mm, times, often in steps:
        for _ in range(often):
            some = [one for one in _about(shade, step_mm, times) if falls_about(one, way)]
            less, other = min(((unexplained(one), one) for one in some), key=lambda t: t[0], default=(left, shade))
            if less >= left:
                break
            left, shade = less, other
    return shade, left


def falls_about(shade: Shade, way: float | None) -> bool:
    """Whether shadows fall about some way, wherever that is known."""
    if way is None:
        return True
    off = np.arctan2(shade.y_mm, shade.x_mm) - way
    return bool(np.cos(off) >= np.cos(np.deg2rad(_WIDE_DEG)))


def _about(shade: Shade, step_mm: float, times: float) -> list[Shade]:
    """Shadows that fall a little more and less to the right, and up the table, and are a little softer and
    harder."""
    ways = [(step_mm, 0.0), (-step_mm, 0.0), (0.0, step_mm), (0.0, -step_mm)]
    told = [replace(shade, x_mm=shade.x_mm + x, y_mm=shade.y_mm + y) for x, y in ways]
    told += [replace(shade, soft_mm=shade.soft_mm * some) for some in (times, 1 / times)]
    return [
        one for one in told if np.hypot(one.x_mm, one.y_mm) < _LONGEST and _HARDEST_MM < one.soft_mm < _SOFTEST_MM
    ]


def _cast(turn: float, soft_mm: float, reach: float = _REACH) -> Shade:
    """A shadow that falls along a way (radians, anticlockwise from the table's right), so far for each mm of
    height."""
    return Shade(reach * float(np.cos(turn)), reach * float(np.sin(turn)), soft_mm)


def in_shade(stage: Stage, shade: Shade | None) -> Stage:
    """The stage as it is seen if its bases cast such shadows."""
    return replace(stage, scene=shaded(stage.scene, stage.ground, shade))
