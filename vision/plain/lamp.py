"""Which way the bases of a table cast their shadows, and how soft those are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.plain.fit import Fit, fit
from vision.plain.judging import heaviest_of, merged, tried
from vision.plain.shade import Lit, Shade
from vision.plain.stage import Stage

__all__ = ["in_shade", "lamp_of"]

_TELLING = 120  # places, the clearest, that are asked
_BASES = 4  # one base alone, or two, tell the light from chance no better than they tell themselves
_REACH = 0.5  # mm that a thing 1 mm high casts its shadow: a base is too low for more to show than the way …
_REACHES = (0.5, 1.0, 1.5)  # … but for a lamp so low that figures cast hard shadows
_SOFT_MM = (1.5, 3.0, 5.0)
_USUAL_SOFT_MM = 3.0
_WAYS = 16
_MORE = 1.08  # so much more must be explained with shadows than without


def lamp_of(stage: Stage, alone: Fit) -> Lit | None:
    """The shadows with which the places of a fit explain the most, none where a dark seam about each foot explains
    as much; None where they are too few to tell.

    Without them a base of the table's own colour seems to stand some millimetres towards its soft shadow. Bases
    that are known stand where they stand, and tell the way of the light; without such, the places tell that too.
    Where figures cast hard shadows these tell it: the places are then as often edges of such shadows as bases.
    """
    places = [alone.placed[k] for k in merged(alone, 0.0)[:_TELLING]]

    def gained(shade: Shade | None) -> tuple[float, int]:
        one = tried(in_shade(stage, shade), places, [], 4, coarse=True)
        worth = [max(float(g), 0.0) * p.outline.perimeter_mm for g, p in zip(one.gain, one.placed, strict=True)]
        which = heaviest_of(one.placed, worth)
        return sum(worth[k] for k in which), len(which)

    def explained(shade: Shade) -> float:
        if len(stage.known) < _BASES:
            return gained(shade)[0]
        known = fit(in_shade(stage, shade).scene, stage.known, 0, free=len(stage.known))
        return -float(known.residual.mean())

    without, bases = gained(None)
    if bases < _BASES:
        return None
    if stage.way is not None:
        shades = [_cast(stage.way, soft_mm, reach) for reach in _REACHES for soft_mm in _SOFT_MM]
        least = without  # who casts a shadow stands on a base that casts one, too
    else:
        way = max(np.arange(_WAYS) * 2 * np.pi / _WAYS, key=lambda turn: explained(_cast(turn, _USUAL_SOFT_MM)))
        shades = [_cast(way, soft_mm) for soft_mm in _SOFT_MM]
        least = _MORE * without
    most, shade = max(((gained(shade)[0], shade) for shade in shades), key=lambda pair: pair[0])
    return Lit(shade if most > least else None)


def _cast(turn: float, soft_mm: float, reach: float = _REACH) -> Shade:
    """A shadow that falls along a way (radians, anticlockwise from the table's right), so far for each mm of
    height."""
    return Shade(reach * float(np.cos(turn)), reach * float(np.sin(turn)), soft_mm)


def in_shade(stage: Stage, shade: Shade | None) -> Stage:
    """The stage as it is seen if its bases cast such shadows."""
    return replace(stage, scene=replace(stage.scene, shade=shade))
