"""How likely plain bases stand within 3 mm of where they were fitted, and how exactly.

Some outline always fits somewhere. What gives those away that are wrong is that others explain as much (fitted
anew from a little beside, or turned, they come to stand elsewhere, hardly worse), that the picture is explained
worse than it can be, that little holds the fit, and that no figure stands where one should.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.plain.fitting.fit import Fit, fit
from vision.plain.picture.matte import Bodies
from vision.plain.picture.scene import Scene
from vision.plain.stage import apart_mm

__all__ = ["LIKELY", "TELLING", "Doubt", "doubted"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

# What may as well not be there is not told: a base made up does more harm than one missed. Where bases have
# figures, `presence` tells of those that are there although their places are less sure.
LIKELY = 0.6
_NEAR_MM, _FAR_MM = 2.5, 6.0  # so far beside a base it is tried anew …
_WAYS = 8
_TURNS_DEG = (-30.0, -15.0, 15.0, 30.0, 45.0)  # … and so far turned
_TURNED_DEG, _STAYED_MM = 8.0, 3.0
TELLING = 30.0  # sigmas squared by which one place must explain more than another to be e times as likely
_MOST_TURN, _MOST_ASIDE_MM = 8.0, 10.0
_LEAST_MM = 0.1
_ROUNDS = 5
_MEN_MM = 2.0  # so exactly the figures on a line or block tell where it is, one sigma
_USUAL_MM = 3.0  # figures are aside by as much on any base
_ABOUT = 2.6  # reaches: so near are those that stand beside a base in its line
_MOST_BESIDE = 1.5

# logistic regressions over 1,200 bases that were held to stand on 56 tables, 180 of them wrongly: turned, the
# logarithms of spread and sigma, residual, aside, and whether it is a line or block; for each alone, and with how
# likely those of its kind beside it are
_ALONE = (1.42, 0.272, -1.617, -0.058, -0.231, -0.485, -1.473)
_BESIDE = (-0.03, 0.109, -1.345, -0.674, -0.399, -0.468, 0.03, 1.851)
# Of 480 bases that were told singly on 16 tables 96 % are within 2.45 sigma so: what holds the fit, the spread, a
# share of a pixel, and doubt; and that all of a table are seen 0.3 to 0.6 mm towards a lamp that casts shadows, or
# up to 0.2 mm aside where it is exactly known: of 439 bases on 10 such tables 97 % are.
# What holds the fit counts three times as much since: neighbours whose edges hardly show hold each other, and go
# astray together (within 2.45 sigma were 89 % on ten further tables, two of them with such groups, and are 92 %).
_HELD, _SPREADS, _PIXEL, _WIDER = 12.0, 0.35, 0.15, 4.2
_LAMP_MM, _EXACTLY_MM = 0.33, 0.15


@dataclass(frozen=True, eq=False)
class Doubt:
    """What speaks for and against each base (N,) being right.

    How much worse it is ``turned``, per mm of its outline; how far, in mm, those places are spread that explain
    nearly as much; the fit's own sigma in mm; what is left unexplained, in sigmas squared; how far its figure is
    aside, in mm; whether it is a ``whole`` line or block; and which of all (N, N) stand ``beside`` it, alike.
    ``shaded`` tells that a lamp casts shadows beside all of them, ``exact`` that it is exactly known; and
    ``otherwise_mm`` (N,) is how far aside each may be as it may stand otherwise, or be of another kind; None while
    that is not asked.
    """

    turned: Floats
    spread_mm: Floats
    sigma_mm: Floats
    residual: Floats
    aside_mm: Floats
    whole: Mask
    beside: Mask
    shaded: bool = False
    exact: bool = False
    otherwise_mm: Floats | None = None

    @cached_property
    def likely(self) -> Floats:
        """The probability (N,) that each is right."""
        told = [
            np.ones(len(self.turned)), self.turned, np.log(self.spread_mm + _LEAST_MM), np.log(self.sigma_mm),
            self.residual, np.maximum(self.aside_mm - _USUAL_MM, 0), self.whole,
        ]  # fmt: skip
        alone = _logistic(_ALONE, told)
        return _logistic(_BESIDE, [*told, np.minimum(self.beside @ alone, _MOST_BESIDE)])

    def place_mm(self, px_per_mm: float) -> Floats:
        """One sigma (N,) of each place, each way, in mm, in a picture so fine."""
        lamp_mm = _EXACTLY_MM if self.exact else _LAMP_MM * self.shaded
        picture_mm = np.hypot(_PIXEL / px_per_mm, lamp_mm)
        exact = np.sqrt(_HELD * self.sigma_mm**2 + (_SPREADS * self.spread_mm) ** 2 + picture_mm**2)
        exact = exact * (1 + _WIDER * (1 - self.likely))
        return np.asarray(np.hypot(exact, 0.0 if self.otherwise_mm is None else self.otherwise_mm))


def _logistic(weights: Sequence[float], told: Sequence[Floats]) -> Floats:
    odds = np.asarray(weights) @ np.array(told, dtype=np.float64)
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30.0, 30.0))), dtype=np.float64)


def doubted(scene: Scene, now: Fit, known: Sequence[Placed], aside_mm: Floats, whole: Mask) -> Doubt:
    """What the scene tells for and against the bodies of a fit beside those known.

    ``aside_mm`` (N,) is how far their figures are aside, NaN where bases have none, ``whole`` (N,) whether each is
    a whole line or block.
    """
    count = len(now.placed)
    some = [_tries(base) for base in now.placed]
    own = np.repeat(np.arange(count), [len(tries) for tries in some])
    tries = [one for few in some for one in few]
    both = [*tries, *now.placed, *known]
    ends = fit(scene, both, _ROUNDS, _about(own, [*now.placed, *known], scene), free=len(tries), grey=True)
    where = np.array([[p.x_mm, p.y_mm, p.bearing_deg] for p in ends.placed])
    turned, spread = np.full(count, _MOST_TURN), np.zeros(count)
    for k, base in enumerate(now.placed):
        mine = own == k
        at, gain = where[mine], ends.gain[mine]
        away = np.hypot(at[:, 0] - base.x_mm, at[:, 1] - base.y_mm)
        most = float(max(gain[0], gain[away < _NEAR_MM / 2].max(initial=gain[0])))
        weight = np.exp(np.clip((gain - most) * base.outline.perimeter_mm / TELLING, -50, 0))
        if whole[k]:
            weight *= np.exp(-0.5 * (away / _MEN_MM) ** 2)
        spread[k] = np.sqrt((weight * away**2).sum() / weight.sum())
        if not base.outline.round_ and not whole[k]:  # figures tell how a line or block is turned
            turn = np.abs(base.outline.askew_deg(at[:, 2] - base.bearing_deg))
            other = gain[(turn > _TURNED_DEG) & (away <= _STAYED_MM)]
            turned[k] = np.clip(most - other.max(initial=most - _MOST_TURN), -2.0, _MOST_TURN)
    sigma = np.sqrt(np.trace(now.covariance[:, :2, :2], axis1=1, axis2=2) / 2)
    aside = np.where(np.isnan(aside_mm), 0.0, np.minimum(aside_mm, _MOST_ASIDE_MM))
    return Doubt(turned, spread, sigma, now.residual, aside, whole, _beside(now.placed))


def _beside(placed: Sequence[Placed]) -> Mask:
    """Which bases (N, N) stand beside each other and are of one kind."""
    return np.array(
        [
            [p is not q and p.outline == q.outline and apart_mm(p, q) < _ABOUT * p.outline.reach_mm for q in placed]
            for p in placed
        ],
        dtype=np.bool_,
    )


def _tries(base: Placed) -> list[Placed]:
    """A base, and where else it is tried."""
    angles = np.arange(_WAYS) * 2 * np.pi / _WAYS
    told = [base]
    for far in (_NEAR_MM, _FAR_MM):
        for angle in angles:
            x, y = base.x_mm + far * float(np.cos(angle)), base.y_mm + far * float(np.sin(angle))
            told.append(replace(base, x_mm=x, y_mm=y))
    if not base.outline.round_:
        whole = base.outline.turn_deg
        told += [replace(base, bearing_deg=(base.bearing_deg + turn) % whole) for turn in _TURNS_DEG]
    return told


def _about(own: NDArray[np.intp], standing: Sequence[Placed], scene: Scene) -> NDArray[np.intp]:
    """For each try, of which base it is ``own``, those that stand beside that base; each of these alone."""
    count = len(own)
    near = Bodies(standing, scene.camera).neighbours()
    mine = near[own]
    itself = mine == own[:, None]
    tries = np.where(itself, np.arange(count)[:, None], mine + count)
    rest = np.broadcast_to(np.arange(len(standing))[:, None] + count, near.shape)
    return np.asarray(np.concatenate([tries, rest]), dtype=np.intp)
