"""What a measurement can settle: yes, no, or borderline, for whole arrays at once.

A limit within two sigma of the measured value is not decided by it. Where sigma is 0 nothing is borderline. Limits
are inclusive and allow a thousandth for the arithmetic, as everywhere (`engine.geometry.plane.tolerance`).
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.geometry.plane.tolerance import MM

__all__ = ["SIGMAS", "Verdict", "Verdicts", "all_of", "any_of", "at_least", "at_most", "negated", "settled"]

#: How many sigmas a limit must lie from the measured value for the measurement to settle it.
SIGMAS = 2.0

Verdicts = NDArray[np.int8]


class Verdict(IntEnum):
    """What is known of a statement; the order makes "and" the least and "or" the greatest."""

    NO = 0
    BORDERLINE = 1
    YES = 2


def at_most(value: ArrayLike, limit: ArrayLike, sigma: ArrayLike = 0.0, allowance: float = MM) -> Verdicts:
    """Whether values are within inclusive limits, as verdicts of the broadcast shape.

    ``value``, ``limit`` and ``sigma`` are in one unit, mm or degrees; so is the ``allowance`` for the arithmetic.

    >>> at_most([457.2, 458.0, 458.0], 457.2, [0.0, 0.0, 0.5]).tolist()
    [2, 0, 1]
    """
    value, limit, sigma = np.asarray(value, float), np.asarray(limit, float), np.asarray(sigma, float)
    return _verdicts(value <= limit + allowance, (sigma > 0) & (np.abs(value - limit) <= SIGMAS * sigma))


def at_least(value: ArrayLike, limit: ArrayLike, sigma: ArrayLike = 0.0, allowance: float = MM) -> Verdicts:
    """Whether values reach inclusive limits, as verdicts of the broadcast shape.

    >>> at_least([609.6, 609.0, 609.0], 609.6, [0.0, 0.0, 0.5]).tolist()
    [2, 0, 1]
    """
    return at_most(-np.asarray(value, float), -np.asarray(limit, float), sigma, allowance)


def settled(yes: ArrayLike, doubtful: ArrayLike = False) -> Verdicts:
    """Verdicts from what holds as measured and what is in doubt.

    >>> settled([True, False, True], [False, False, True]).tolist()
    [2, 0, 1]
    """
    return _verdicts(np.asarray(yes, bool), np.asarray(doubtful, bool))


def all_of(*verdicts: ArrayLike) -> Verdicts:
    """Whether all statements hold: no where any is no, else borderline where any is.

    >>> all_of([2, 2, 1], [2, 1, 0]).tolist()
    [2, 1, 0]
    """
    return np.asarray(np.minimum.reduce(np.broadcast_arrays(*verdicts)), dtype=np.int8)


def any_of(*verdicts: ArrayLike) -> Verdicts:
    """Whether any statement holds: yes where any is yes, else borderline where any is.

    >>> any_of([0, 2, 1], [0, 1, 0]).tolist()
    [0, 2, 1]
    """
    return np.asarray(np.maximum.reduce(np.broadcast_arrays(*verdicts)), dtype=np.int8)


def negated(verdicts: ArrayLike) -> Verdicts:
    """Whether the statements fail; borderline stays borderline.

    >>> negated([0, 1, 2]).tolist()
    [2, 1, 0]
    """
    return np.asarray(2 - np.asarray(verdicts), dtype=np.int8)


def _verdicts(yes: NDArray[np.bool_], doubtful: NDArray[np.bool_]) -> Verdicts:
    # As numbers: choosing between members of an enum makes eight bytes of each and takes twenty times as long.
    return np.asarray((yes > doubtful) * np.int8(Verdict.YES) + doubtful, dtype=np.int8)
