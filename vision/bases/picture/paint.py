"""How much like an army's paint each pixel is: 0 for the table, 1 for the rim.

Colours are compared as linear shares of white (see `vision.light`), in three features that a shadow hardly moves:
two of hue, one of brightness. What tells the paint from this table is learnt from the frame itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.light import linear_of_hex

__all__ = [
    "CLEARLY",
    "FADING",
    "ONE_PAINT",
    "Paint",
    "expected_features",
    "features_of",
    "linear_of_features",
    "paint_of",
]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

FADING = 0.10  # below this sum of channels, hue fades into noise
_SAMPLES = 5000  # of the background tell what is usual there
_SPREAD = np.array([0.08, 0.08, 0.08])  # how far a paint's features stray in light and mixture, one sigma

_AS_TOPS = 4.0  # how much rather than what is usual on the background its direction of tops is (variances)
ONE_PAINT = 0.04  # what lies nearer to each other cannot be told apart (see `Paint.apart`)
CLEARLY = 0.4  # a lead of one paint over another that leaves no doubt (see `Paint.lead`)
_PALE, _HUELESS = 0.4, 0.2  # brightness, and both features of hue together
_KIN = 0.8  # the cosine between two paints' ways from the mat from which they are alike
_USUAL_STRENGTH = 0.7  # how far a rim's colour goes from the mat's to its paint's
_SHOWS = (0.85, 1.6)  # of what a rim so blurred shows of its paint, by 2700 of 100 tables


def features_of(reflectance: Singles) -> Singles:
    """The features (..., 3) of linear blue, green, red (..., 3)."""
    blue, green, red = reflectance[..., 0], reflectance[..., 1], reflectance[..., 2]
    total = blue + green + red
    scale = 1 / (total + np.float32(FADING))
    return np.stack(
        [(red - green) * scale, (blue - green) * scale, np.sqrt(np.maximum(total, 0)) * np.float32(0.5)], -1
    )


def linear_of_features(features: Floats) -> Floats:
    """The linear blue, green, red (3,) that have these features (3,).

    >>> linear_of_features(features_of(np.array([0.1, 0.2, 0.4], np.float32)).astype(np.float64)).round(5).tolist()
    [0.1, 0.2, 0.4]
    """
    total = (2 * float(features[2])) ** 2
    red, blue = features[:2] * (total + FADING)  # more than green
    green = (total - red - blue) / 3
    return np.array([green + blue, green, green + red])


@dataclass(frozen=True, eq=False)
class Paint:
    """One paint against one background: likeness = (features - ground) . weights, 0 on the ground, 1 on the paint.

    ``contrast`` is the distance between both in sigmas of the background, ``precision`` (3, 3) the inverse of its
    covariance. Where bases' tops count as background, too, ``from_mat`` is the paint as it is told without them: by
    that it is held against other paints.
    """

    weights: Singles
    ground: Singles
    paint: Floats
    contrast: float
    precision: Floats
    from_mat: Paint | None = None

    @property
    def on_mat(self) -> Paint:
        """This paint as it is told from the mat, whatever the tops are."""
        return self.from_mat or self

    @property
    def off_mat(self) -> float:
        """The distance from the mat's colours in sigmas of theirs, whatever the tops' are."""
        return self.on_mat.contrast

    @property
    def is_pale(self) -> bool:
        """Whether it is so light that no dark one looks like it, but in glare."""
        return bool(self.paint[2] > _PALE)

    @property
    def is_dark(self) -> bool:
        """Whether it is darker than the background, so that it looks like a shadow where it is mixed with that."""
        return bool(self.paint[2] < self.ground[2])

    @property
    def is_like_paper(self) -> bool:
        """Whether it is light and has so little hue that paper may be taken for it."""
        return self.is_pale and float(np.hypot(*self.paint[:2])) < _HUELESS

    def likeness(self, features: Singles) -> Singles:
        """The share of paint (...) in pixels of ``features`` (..., 3), held to -0.5 to 1.5."""
        a, b, c = self.weights  # by hand: products of long thin matrices are slow
        like = features[..., 0] * a + features[..., 1] * b + features[..., 2] * c
        like = np.clip(like - self.ground @ self.weights, np.float32(-0.5), np.float32(1.5))
        return np.asarray(like, dtype=np.float32)

    def lit(self, reflectance: Singles, share: Singles) -> Singles:
        """Colours (..., 3) on which such a share (...) of the light falls as they would be in all of it, but no
        brighter than both mat and paint: what is as bright as they are is in no shadow."""
        usual = np.float32(max(2 * float(self.paint[2]), 2 * float(self.ground[2])) ** 2)
        total = reflectance[..., 0] + reflectance[..., 1] + reflectance[..., 2]
        own = np.maximum(share, np.minimum(total / usual, np.float32(1)))
        return np.asarray(reflectance / own[..., None], dtype=np.float32)

    def shaded(self, dark: float, share: Singles) -> Singles:
        """How much like the paint (...) the mat looks where a shadow takes the share ``dark`` of the light, and
        such a share (...) of it is taken to fall."""
        mat = linear_of_features(self.ground.astype(np.float64)) * (1 - dark)
        colours = np.broadcast_to(mat.astype(np.float32), (*share.shape, 3))
        return self.likeness(features_of(self.lit(colours, share)))

    def kinship(self, features: Floats) -> Floats:
        """How far colours (N, 3) lie from the background in the direction of this paint: the cosine (N,), whatever
        their strength."""
        off = features - self.ground
        length = np.sqrt(np.maximum(np.einsum("ni,ij,nj->n", off, self.precision, off), 1e-12))
        return np.asarray((off @ self.weights.astype(np.float64)) * self.contrast / length)

    def strength(self, features: Floats) -> Floats:
        """How far colours (N, 3) go from the background's to the paint's: 1 is all the way."""
        return np.asarray((features - self.ground) @ self.weights.astype(np.float64))

    def astray(self, features: Floats, strength: tuple[float, float] = (0.0, np.inf)) -> Floats:
        """How far (N,) colours (N, 3) lie off the line from the background's to the paint's and on, or off the part
        of it where rims may be so strong: what goes the other way from the background, as a dark paint beside a
        light one, is as far off as it goes."""
        on = np.clip(self.strength(features), *strength)[:, None] * (self.paint - self.ground)
        return np.asarray(np.linalg.norm(features - self.ground - on, axis=1))

    def lead(self, other: Paint, colours: Floats, shows: float | None = None) -> Floats:
        """How much rather (N,) rims of such colours (N, 3) are painted with this than with another paint: 1 where
        they are all this, -1 all the other, 0 where there is nothing to choose, as between paints that are one.

        Where it is known how much of its paint any rim ``shows``, a dark blue one is not taken for pale blue all
        over, nor that for little of dark blue.
        """
        if self.from_mat or other.from_mat:
            return self.on_mat.lead(other.on_mat, colours, shows)
        within = (0.0, np.inf) if shows is None else (_SHOWS[0] * shows, _SHOWS[1] * shows)
        apart = self.apart(other, told_by_strength=shows is not None)
        if apart < ONE_PAINT:
            return np.zeros(len(colours))
        return np.asarray(
            (other.astray(colours, within) - self.astray(colours, within)) / (_USUAL_STRENGTH * apart)
        )

    def apart(self, other: Paint, *, told_by_strength: bool = False) -> float:
        """How far each of two paints lies off the other's line, on average; or off what rims of the other may
        be."""
        if self.from_mat or other.from_mat:
            return self.on_mat.apart(other.on_mat, told_by_strength=told_by_strength)
        within = (_SHOWS[0], _SHOWS[1]) if told_by_strength else (0.0, np.inf)
        off = self.astray(other.paint[None], within) + other.astray(self.paint[None], within)
        return float(off[0]) / 2

    def but_for(self, tops: Floats) -> Paint:
        """The same paint as it is told from this background and from bases' tops of such features (3,), which look
        a little like it: what is mixed of both then looks like neither."""
        off = tops - self.ground
        spread = np.linalg.inv(self.precision) + _AS_TOPS * np.outer(off, off)
        return replace(_told(self.paint, self.ground.astype(np.float64), spread), from_mat=self)

    def is_like(self, other: Floats, least: float = _KIN) -> bool:
        """Whether what has another paint's features (3,), mixed and in shadow, may be taken for this one: whether
        the cosine between their ways from the mat is at least so much."""
        return bool(self.on_mat.kinship(other[None])[0] > least)


def paint_of(paint: Floats, background: Floats) -> Paint:
    """What tells a paint's features (3,) from background features (N, 3)."""
    usual = background[:: max(1, len(background) // _SAMPLES)]
    middle = np.median(usual, axis=0)
    off = background - middle
    a, b, c = (np.abs(off) < 4 * np.median(np.abs(usual - middle), axis=0) * 1.48 + 1e-3).T
    near = background[a & b & c]
    middle = near.mean(axis=0)
    return _told(paint, middle, np.cov(near.T) + np.diag(_SPREAD**2))


def _told(paint: Floats, middle: Floats, spread: Floats) -> Paint:
    """What tells a paint's features (3,) from a background of such a middle (3,) and covariance (3, 3)."""
    direction = np.linalg.solve(spread, paint - middle)
    length = float(direction @ (paint - middle))
    weights = direction / max(length, 1e-9)
    return Paint(
        weights.astype(np.float32),
        middle.astype(np.float32),
        paint,
        float(np.sqrt(max(length, 0.0))),
        np.asarray(np.linalg.inv(spread), dtype=np.float64),
    )


def expected_features(colour: str) -> Floats:
    """The features (3,) of a paint in good light."""
    return np.asarray(features_of(linear_of_hex(colour).astype(np.float32)[None])[0], dtype=np.float64)
