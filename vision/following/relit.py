"""An earlier picture in a later one's light: a lamp brightened or dimmed, on one side too, moves nothing."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Relight", "relight"]

Image = NDArray[np.uint8] | NDArray[np.float32]
Floats = NDArray[np.float64]

_ROWS = 60  # of a picture that are compared: the light changes slowly from place to place
_ROUNDS = 6
_FAR = 4.7  # spreads from which on a pixel has no say: an arm, or a base that went
_LEAST_SPREAD = 1.0  # of 255
_BLOWN = 248.0  # from there on a level tells nothing of the light
_NEARLY_BLOWN = 225.0  # on the average of a few pixels, of which some may be blown
_FEWEST = 50  # pixels
_PLAUSIBLE = (0.3, 3.0)  # gains beyond these are no lamp: a cap on the lens, or another picture
_PLAUSIBLE_LEVELS = 40.0


@dataclass(frozen=True, eq=False)
class Relight:
    """By what each level is to be multiplied (6, 3), as a polynomial of the place, and what is then added (3,)."""

    gains: Floats
    added: Floats

    def gain_over(self, height: int, width: int) -> NDArray[np.float32]:
        """The gains (H, W, 3) of blue, green and red over a picture."""
        terms = _terms(*_grid(_ROWS, _ROWS))
        small = np.asarray(terms @ self.gains, dtype=np.float32).reshape(_ROWS, _ROWS, 3)
        return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.float32)

    @property
    def amount(self) -> float:
        """By how much the light has changed at most anywhere, as a share of it."""
        gains = _terms(*_grid(5, 5)) @ self.gains + self.added / 100.0
        return float(np.abs(gains - 1.0).max())

    def applied(self, before: Image) -> NDArray[np.float32]:
        """An earlier picture (H, W, 3) in the later one's light."""
        return np.asarray(np.clip(self._unclipped(before), 0, 255), dtype=np.float32)

    def blown(self, before: Image) -> NDArray[np.bool_]:
        """Where (H, W) it, or what is next to it, is too bright in either light for levels to tell anything."""
        most = np.maximum(before, self._unclipped(before)).max(axis=2)
        return np.asarray(cv2.dilate(most, np.ones((5, 5), np.uint8)) > _NEARLY_BLOWN, dtype=np.bool_)

    def _unclipped(self, before: Image) -> NDArray[np.float32]:
        lit = before * self.gain_over(before.shape[0], before.shape[1]) + self.added.astype(np.float32)
        return np.asarray(lit, dtype=np.float32)


def relight(before: Image, after: Image) -> Relight:
    """How the light has changed from one picture (H, W, 3) to another of the same size, whatever else has.

    What differs from all else about it (a hand, a figure that went) has no say. Where no lamp explains the change
    it is the same for all of the picture, and only its middle value.
    """
    step = max(1, before.shape[0] // _ROWS)
    then, now = before[::step, ::step].astype(np.float64), after[::step, ::step].astype(np.float64)
    y, x = _grid(*then.shape[:2])
    terms = _terms(y, x)
    gains, added = np.zeros((terms.shape[1], 3)), np.zeros(3)
    for band in range(3):
        own_then, own_now = then[..., band].ravel(), now[..., band].ravel()
        middle = float(np.median((own_now + 1.0) / (own_then + 1.0)))
        fitted = _fitted(terms, own_then, own_now, middle)
        gains[0, band] = middle
        if fitted is not None:
            gains[:, band], added[band] = fitted[:-1], fitted[-1]
    return Relight(gains, added)


def _fitted(terms: Floats, then: Floats, now: Floats, gain: float) -> Floats | None:
    """The polynomial's factors and what is added (7,), by those pixels that agree; None where no lamp does that."""
    usable = (then < _BLOWN) & (now < _BLOWN)
    if np.count_nonzero(usable) < _FEWEST:
        return None
    rows = np.column_stack([terms * then[:, None], np.ones(len(then))])[usable]
    now = now[usable]
    off, found = now - then[usable] * gain, None
    for _ in range(_ROUNDS):
        spread = max(1.48 * float(np.median(np.abs(off))), _LEAST_SPREAD)
        weight = np.clip(1 - (off / (_FAR * spread)) ** 2, 0, None) ** 2
        weighted = rows * weight[:, None]
        found = np.linalg.lstsq(rows.T @ weighted + 1e-6 * np.eye(rows.shape[1]), weighted.T @ now, rcond=None)[0]
        off = now - rows @ found
    assert found is not None
    over = terms @ found[:-1]
    plausible = _PLAUSIBLE[0] < over.min() and over.max() < _PLAUSIBLE[1] and abs(found[-1]) < _PLAUSIBLE_LEVELS
    return np.asarray(found, dtype=np.float64) if plausible else None


def _grid(rows: int, columns: int) -> tuple[Floats, Floats]:
    """The places of so many rows and columns of pixels, -1 to 1 each way."""
    y, x = np.meshgrid((np.arange(rows) + 0.5) / rows, (np.arange(columns) + 0.5) / columns, indexing="ij")
    return np.asarray(2 * y - 1), np.asarray(2 * x - 1)


def _terms(y: Floats, x: Floats) -> Floats:
    """The terms (N, 6) of a polynomial of the second degree."""
    x, y = x.ravel(), y.ravel()
    return np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])
