"""Rectangles side by side that stand crosswise: two of them, half as deep as long, fill a square either way.

The seam between them tells which way; where figures and their shadows hide the most of it, the other was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from vision.bases.picture.paint import Paint
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.weighing.judged import Found, fitted_together

__all__ = ["crosswise"]

_HALF = 0.15  # of the longer side: by so little twice the shorter one differs from it
_BESIDE_MM, _ALIKE_DEG = 4.0, 15.0  # so far from where it would stand right beside the other, and so far turned
_SURE = 0.8  # of the best: what is proven as well is left as it stands
_ABOUT_MM = 25.0  # bases nearer than this may have to make room
_LEAST_GAIN = 1.02  # of what is explained now, so much is explained crosswise


def crosswise(scene: Scene, found: Found, paint: Paint) -> Found:
    """The bases found, with pairs of rectangles turned as one where that explains the picture better; ``found``
    itself where there are none."""
    now = found
    for pair in _doubtful(found):
        if any(base not in now.placed for base in pair):
            continue
        which = [now.placed.index(base) for base in pair]
        which += [k for k, base in enumerate(now.placed) if k not in which and _is_near(base, pair)]
        told = fitted_together(
            scene,
            [*each_crosswise(*pair), *(now.placed[k] for k in which[2:])],
            np.ones(len(which)),
            paint,
            now.look,
            5,
            soft_mm=0.0,
            shared=False,
        )
        if told.explained > _LEAST_GAIN * now.taken(which).explained:
            now = now.moved(which, told)
    return now


def _doubtful(found: Found) -> Iterator[tuple[Placed, Placed]]:
    """The pairs that fill a square side by side and are not both proven well."""
    least = _SURE * float(np.percentile(found.proof, 90)) if found.placed else 0.0
    for k, one in enumerate(found.placed):
        for n, other in enumerate(found.placed[:k]):
            if min(found.proof[k], found.proof[n]) < least and fill_a_square(one, other):
                yield one, other


def fill_a_square(one: Placed, other: Placed) -> bool:
    """Whether two bases are rectangles of a kind that stand side by side, and half as wide as long."""
    kind = one.outline
    short, long = sorted((2 * kind.half_width_mm, 2 * kind.half_depth_mm))
    if kind.round_ or kind != other.outline or abs(2 * short - long) > _HALF * long:
        return False
    x, y = other.x_mm - one.x_mm, other.y_mm - one.y_mm
    bearing = np.deg2rad(one.bearing_deg)
    across, ahead = x * np.cos(bearing) - y * np.sin(bearing), x * np.sin(bearing) + y * np.cos(bearing)
    along, aside = (ahead, across) if kind.half_width_mm < kind.half_depth_mm else (across, ahead)
    askew = abs((other.bearing_deg - one.bearing_deg + 90.0) % 180.0 - 90.0)
    return bool(np.hypot(abs(aside) - short, along) < _BESIDE_MM and askew < _ALIKE_DEG)


def each_crosswise(one: Placed, other: Placed) -> list[Placed]:
    """The two bases that fill the same square crosswise."""
    x, y = (one.x_mm + other.x_mm) / 2, (one.y_mm + other.y_mm) / 2
    right, up = (other.x_mm - one.x_mm) / 2, (other.y_mm - one.y_mm) / 2
    turned = replace(one, bearing_deg=one.bearing_deg + 90.0)
    return [replace(turned, x_mm=x - side * up, y_mm=y + side * right) for side in (1, -1)]


def _is_near(base: Placed, pair: Sequence[Placed]) -> bool:
    """Whether a base stands so near that it may have to make room."""
    away = min(np.hypot(base.x_mm - one.x_mm, base.y_mm - one.y_mm) for one in pair)
    return bool(away < base.outline.reach_mm + pair[0].outline.reach_mm + _ABOUT_MM)
