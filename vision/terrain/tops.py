"""Where the top of a block ends beside a side of it that the camera sees, too: read from colours across an outline.

A side as narrow as the picture's blur makes no edge of its own. But the block's height and the camera tell how
broad it is seen, so that three even colours, of the top, the side and the ground, blurred, have one place unknown.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

__all__ = ["steps_across", "top_end"]

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_STEP = 0.5  # px between the samples of a profile
_BEYOND = 2.5  # px of ground beside the foot that are looked at: what lies farther off may be anything
_AROUND = 0.5  # px to either side of the outline and of where the top would end if that were the foot
_FINE = 0.1
_LEAST_TOP = 1.0  # px of a top that must be seen
_BLURS_PX = np.array([0.5, 0.6, 0.72, 0.86, 1.0, 1.2, 1.45])  # standard deviations
_SHADE, _SHADES = 0.7, 0.1  # what a side has of its top's colour, being of the same paint and lit from above …
_LIGHTEST, _LIGHTER = 0.9, 0.01  # … and hardly more than that
_UNLIKE, _BETTER = 150.0, 3.0  # of its squares: what leaves more, and so much more, is a side of another paint
_HARDLY = 1e-3  # … of which no more is known beforehand
_MISFIT = 0.012  # of even colours, in light to the power that profiles are read in


def steps_across(inner_px: float, depth_px: float) -> Floats:
    """How far outward (M,) of an outline, in px, colours are to be read, where a side is ``depth_px`` broad: from
    ``inner_px`` within to beyond its foot."""
    return np.arange(-inner_px, _AROUND + depth_px + _BEYOND, _STEP)


def top_end(roots: Floats32, steps_px: Floats, depth_px: float) -> float:
    """How far outward of an outline, in px, a block's top ends, beside which a side ``depth_px`` broad is seen.

    ``roots`` (M, 3) are the colours at ``steps_px`` (M,) outward of the outline: top, side, then ground. It may be
    the outline of the top, or the side's foot.
    """
    least = max(-depth_px - _AROUND, steps_px[0] + _LEAST_TOP)
    ends = np.arange(min(least, 0.0), _AROUND + _FINE / 2, _FINE)
    end, blur = (part.ravel()[:, None] for part in np.meshgrid(ends, _BLURS_PX))
    top = ndtr((end - steps_px) / blur)
    ground = ndtr((steps_px - end - depth_px) / blur)
    farther = ground * np.maximum(steps_px - end - depth_px, 0.0) / _BEYOND
    parts = np.stack([top, 1.0 - top - ground, ground, farther], axis=2)
    plain = float(np.linalg.norm(roots[:2].mean(axis=0)))
    weight = _MISFIT / (_SHADES * max(plain, _MISFIT))
    slow = weight * np.array([0.0, 0.0, 0.0, 1.0])
    any_paint = _misfit(parts, roots, np.array([slow, _HARDLY * np.array([0.0, 1.0, 0.0, 0.0])]))[1]
    colours, cost = _misfit(parts, roots, np.array([slow, weight * np.array([-_SHADE, 1.0, 0.0, 0.0])]))
    shade = (colours[:, 0] * colours[:, 1]).sum(axis=1) / (colours[:, 0] ** 2).sum(axis=1)
    cost += (_MISFIT / _LIGHTER * np.maximum(shade - _LIGHTEST, 0.0)) ** 2
    if cost.min() > max(_UNLIKE * _MISFIT**2, _BETTER * any_paint.min()):
        cost = any_paint
    return float(end[cost.argmin(), 0])


def _misfit(parts: Floats, roots: Floats32, rows: Floats) -> tuple[Floats, Floats]:
    """The best colours (T, K, 3) for their shares (T, M, K) of what is seen (M, 3), and what they leave of it (T,).

    ``rows`` (R, K) are what of them is usually small.
    """
    normal = parts.transpose(0, 2, 1) @ parts + rows.T @ rows
    colours = np.asarray(np.linalg.solve(normal, parts.transpose(0, 2, 1) @ roots), dtype=np.float64)
    rest: Floats = ((roots - parts @ colours) ** 2).sum(axis=(1, 2)) + ((rows @ colours) ** 2).sum(axis=(1, 2))
    return colours, rest
