"""The lamp over a table, told once for all armies by the shadows that bases cast on the ground beside their rims.

How bright the ground is about a base is compared with what a base without a shadow makes of it: rim, top and
ground, each of its own brightness, blurred into each other. What is darker than that at one side of all bases is a
shadow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from vision.bases.fitting.touching import beside
from vision.bases.picture.lamp import Cast, Lamp, slanted
from vision.bases.picture.profiles import Group, Pattern, grouped, pattern_of
from vision.bases.picture.scene import Scene
from vision.bases.usual import Look
from vision.bases.weighing.judged import Found

__all__ = ["lamp_of"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

_SAMPLED = (2.4, 0.8, 6.4, 6.4)  # along, across, inside, outside the outlines; mm
_MOST_BASES, _FEWEST = 60, 5  # so many tell the lamp as well as more; fewer do not tell it from chance
_BESIDE = 0.02  # what is so much a neighbour's shows no ground
_WAYS, _REACHES = 12, (0.3, 0.6, 1.0)  # from which the search sets out: mm a thing 1 mm high casts its shadow
_LONGEST = 2.5  # … at most: no lamp stands lower over a table
_PER_M = (0.25, 0.2)  # how much farther shadows fall a metre on: a lamp hangs some metres off, or is a window
_MOST_PER_M = 0.67  # … and not nearer than a boom
_STEP = 0.15
_ALIKE = 6.0  # so many samples beside each other tell no more than one
_DOUBT = 30.0  # in samples: by so many that show none shadows are taken to be paler
_ODD, _ROUNDS = 2.5, 4  # a sample off by so many times the usual counts half; so often that is told again
_FAINT = 1e-3
_LEAST_DARK, _DARKEST = 0.1, 0.85  # a paler shadow is none; and none is darker, for ceilings send light back
_SURE = 7.0  # sigmas, as bases differ in what they tell; what they have in common errs by some more


@dataclass(frozen=True, eq=False)
class _Lit:
    """What a group's samples (N, S) tell of shadows: how ``bright`` they are, what ground, top and ring, and how
    those slope, are in them (``rows``, N, T, S), which are free (``trust``) and what each counts (``weights``).

    ``off`` (N, S) is how much brighter they are than a base without a shadow is, in shares of the ground's light,
    and ``normal`` (N, T, T) are the normal matrices that this was told by; ``foot`` (N, K) as `slanted` has it.
    """

    group: Group
    pattern: Pattern
    foot: Singles
    blur_mm: float
    bright: Floats
    rows: Floats
    trust: Floats
    weights: Floats
    off: Floats
    normal: Floats


def lamp_of(scene: Scene, fits: Sequence[Found], before: Lamp | None = None) -> Lamp | None:
    """The lamp whose shadows explain best how bright the ground is about the bases of all armies; None where none
    does so surely. ``before`` is what was told while the bases were known less well."""
    number = sum(len(fit.placed) for fit in fits)
    if number < _FEWEST:
        return None
    lit = [one for fit in fits for one in _about(scene, fit, -(-number // _MOST_BASES))]
    size = scene.table.table
    lamp = before
    for _ in range(1 if before else 2):  # what is in shadow seems odd until the shadow is known
        if lamp is not None:
            lit = [_weighed(one, _shade(one, lamp) * lamp.dark) for one in lit]
        lamp = _best(lit, (size.width_mm / 2, size.depth_mm / 2), lamp)
        if lamp is None:
            return None
    told, sure = _darkened(lit, lamp) if lamp is not None else (None, 0.0)
    return told if told is not None and told.dark > _LEAST_DARK and sure > _SURE else None


def _about(scene: Scene, fit: Found, every: int) -> list[_Lit]:
    """What each ``every`` one of an army's bases tells."""
    groups, eye = grouped(fit.placed), scene.camera.position_mm
    told = []
    for whole in groups:
        group = whole.taken(np.arange(0, len(whole), every))
        pattern = pattern_of(group.outline, *_SAMPLED)
        bright, free = scene.brightness(group, pattern)
        near = beside(group, pattern, groups, eye, fit.look)
        if near is not None:
            free = free & (near[0] < _BESIDE) & (near[1] < _BESIDE)
        foot = slanted(group, pattern, eye)
        rows = _rows(pattern, foot, fit.look)
        flat = bright.reshape(len(group), -1), free.reshape(len(group), -1).astype(np.float64)
        one = _Lit(group, pattern, foot, fit.look.blur_mm, flat[0], rows, flat[1], flat[1], flat[0], rows)
        told.append(_weighed(one, np.zeros_like(flat[0])))
    return told


def _rows(pattern: Pattern, foot: Singles, look: Look) -> Floats:
    """How much (N, 7, S) of each sample is ground, top, its slopes right and forward, ring, and its slopes."""
    scale, depths = 0.8 / look.blur_mm, pattern.depths.astype(np.float64)
    top, side = np.tanh(depths * scale), np.tanh((depths - np.maximum(foot, 0)[..., None]) * scale)
    ground = 0.5 + 0.5 * ((1 - look.side) * top + look.side * side)
    inside = np.broadcast_to(0.5 - 0.5 * np.tanh((depths + look.rim_mm) * scale), ground.shape)
    x, y = pattern.normals[:, 0, None], pattern.normals[:, 1, None]
    ring = 1 - ground - inside
    rows = np.stack([ground, inside, inside * x, inside * y, ring, ring * x, ring * y], axis=1)
    return np.asarray(rows.reshape(len(foot), 7, -1), dtype=np.float64)


def _weighed(one: _Lit, shade: Floats) -> _Lit:
    """The same with weights for what is odd, where shadows take such shares (N, S) of the ground's light away."""
    weights, rows = one.trust, one.rows.copy()
    rows[:, 0] -= shade
    for _ in range(_ROUNDS):
        levels, _ = _solved(rows, weights, one.bright)
        off = one.bright - (rows.transpose(0, 2, 1) @ levels)[..., 0]
        usual = np.median(np.abs(off[one.trust > 0])) if one.trust.any() else 1.0
        weights = one.trust / (1 + np.square(off / (_ODD * max(float(usual), _FAINT))))
    ground = np.maximum(levels[:, 0], 10 * _FAINT)
    levels, normal = _solved(one.rows, weights, one.bright)
    off = (one.bright - (one.rows.transpose(0, 2, 1) @ levels)[..., 0]) / ground
    return replace(one, weights=weights, off=off, normal=normal)


def _solved(rows: Floats, weights: Floats, bright: Floats) -> tuple[Floats, Floats]:
    """The levels (N, T, 1) that explain how bright samples are, and their normal matrices (N, T, T)."""
    weighted = rows * weights[:, None]
    normal = weighted @ rows.transpose(0, 2, 1) + _FAINT * np.eye(rows.shape[1])
    return np.asarray(np.linalg.solve(normal, weighted @ bright[..., None])), np.asarray(normal)


def _shade(one: _Lit, lamp: Lamp) -> Floats:
    """How much (N, S) of each sample is ground in the shadow of its base."""
    cast = Cast.along(one.group, one.pattern, one.foot, lamp)
    shade = cast.share(one.pattern.depths, one.blur_mm)
    return shade.reshape(len(shade), -1).astype(np.float64)


def _tells(lit: Sequence[_Lit], lamp: Lamp) -> tuple[Floats, Floats]:
    """For each base how much (B,) the shadows of a lamp go with what is seen, and how much (B,) they would if they
    took all of the light: what its levels may explain as well is left out."""
    along, full = [], []
    for one in lit:
        shade = -_shade(one, lamp)
        shown = (one.rows * one.weights[:, None]) @ shade[..., None]
        own = shade - (one.rows.transpose(0, 2, 1) @ np.linalg.solve(one.normal, shown))[..., 0]
        along.append((one.weights * own * one.off).sum(axis=1))
        full.append((one.weights * own * own).sum(axis=1))
    return np.concatenate(along), np.concatenate(full)


def _darkened(lit: Sequence[_Lit], lamp: Lamp) -> tuple[Lamp, float]:
    """The lamp with the darkness of its shadows, and how many sigmas that is off none."""
    along, full = _tells(lit, lamp)
    total = float(full.sum()) + _DOUBT
    dark = float(along.sum()) / total
    sigma = float(np.sqrt(np.square(along - dark * full).sum())) / total
    return replace(lamp, dark=float(np.clip(dark, 0, _DARKEST))), dark / max(sigma, 1e-9)


def _best(lit: Sequence[_Lit], middle_mm: tuple[float, float], before: Lamp | None) -> Lamp | None:
    """The lamp that explains the most, near what was told ``before`` if anything was; None where none does."""
    noise = sum(float((o.weights * o.off**2).sum()) for o in lit) / sum(float(o.weights.sum()) + 1 for o in lit)

    def lamp_at(at: Floats) -> Lamp:
        spread = float(np.clip(at[2], 0.0, _MOST_PER_M)) / 1000
        return Lamp((float(at[0]), float(at[1])), spread, middle_mm, 1.0)

    def unexplained(at: Floats) -> float:
        if np.hypot(*at[:2]) > _LONGEST:
            return 0.0
        along, full = _tells(lit, lamp_at(at))
        explained = max(float(along.sum()), 0.0) ** 2 / (float(full.sum()) + _DOUBT)
        return _ALIKE * noise * ((float(at[2]) - _PER_M[0]) / _PER_M[1]) ** 2 - explained

    turns = np.arange(_WAYS) * (2 * np.pi / _WAYS)
    starts = [np.array([r * np.sin(turn), r * np.cos(turn), _PER_M[0]]) for turn in turns for r in _REACHES]
    if before is not None:
        starts = [np.array([*before.cast, before.spread * 1000])]
    start = min(starts, key=unexplained)
    simplex = start + _STEP * np.vstack([np.zeros(3), np.eye(3)])
    how: dict[str, Any] = {
        "initial_simplex": simplex,
        "maxiter": 60,
        "xatol": 0.02,
        "fatol": 1e-3 * abs(unexplained(start)),
    }
    told = minimize(unexplained, start, method="Nelder-Mead", options=how)  # type: ignore[call-overload]
    return _darkened(lit, lamp_at(told.x))[0] if told.fun < 0 else None
