"""How lengths and angles are said to players, and the modifiers that answers are made of."""

from __future__ import annotations

from functools import lru_cache

from engine.records.answer import Modifier
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH

#: How many of the lengths, angles and modifiers said last are kept in words: the same come again and again.
_KEPT = 4096


@lru_cache(maxsize=_KEPT)
def length(mm: float) -> str:
    """A length as players say it, with the millimetres beside it.

    >>> length(356.616), length(457.2)
    ('14.04 in (356.6 mm)', '18 in (457.2 mm)')
    """
    return f"{_short(mm / MM_PER_INCH, 2)} in ({_short(mm, 1)} mm)"


@lru_cache(maxsize=_KEPT)
def angle(deg: float) -> str:
    """An angle as players say it.

    >>> angle(45.0), angle(46.04)
    ('45 degrees', '46 degrees')
    >>> angle(45.03)
    '45.03 degrees'
    """
    return f"{_short(deg, 1) if abs(deg - 45) > 0.1 else _short(deg, 2)} degrees"


def _short(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


@lru_cache(maxsize=_KEPT)
def dice(name: str, change: int, rule: str, **extra: str) -> Modifier:
    """A modifier that adds or takes dice."""
    return Modifier(name=name, effect=f"{change:+d}d6", rule=rule, extra={**extra, "value": change})


@lru_cache(maxsize=_KEPT)
def factor(name: str, by: float, rule: str) -> Modifier:
    """A modifier that multiplies the hits."""
    return Modifier(name=name, effect=f"x{by:g}", rule=rule, extra={"factor": by})
