"""Comparisons with an inclusive limit and a small allowance for the arithmetic.

Lengths allow 0.001 mm and angles 0.001 degrees, so that a thing at exactly 18.00 in is within 18 in.
"""

from __future__ import annotations

import math

MM = 0.001
DEG = 0.001


def at_most(length_mm: float, limit_mm: float) -> bool:
    """Whether a length in millimetres is within an inclusive limit.

    >>> at_most(457.2000000001, 457.2), at_most(457.21, 457.2)
    (True, False)
    """
    return length_mm <= limit_mm + MM


def at_least(length_mm: float, limit_mm: float) -> bool:
    """Whether a length in millimetres reaches an inclusive limit.

    >>> at_least(609.5999999, 609.6), at_least(609.5, 609.6)
    (True, False)
    """
    return length_mm >= limit_mm - MM


def angle_at_most(angle_deg: float, limit_deg: float) -> bool:
    """Whether an angle in degrees is within an inclusive limit.

    >>> angle_at_most(45.0000001, 45.0), angle_at_most(45.01, 45.0)
    (True, False)
    """
    return angle_deg <= limit_deg + DEG


def round_up(value: float) -> int:
    """The next whole number, where rounding errors below a thousandth do not count as more.

    >>> round_up(10.0000001), round_up(10.01), round_up(-0.5)
    (10, 11, 0)
    """
    return math.ceil(value - 0.001)
