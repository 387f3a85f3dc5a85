"""How lengths and angles are said to players, and the reasons and modifiers that answers are made of."""

from __future__ import annotations

from collections.abc import Iterable

from engine.records.answer import Modifier
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH


def length(mm: float) -> str:
    """A length as players say it, with the millimetres beside it.

    >>> length(356.616), length(457.2)
    ('14.04 in (356.6 mm)', '18 in (457.2 mm)')
    """
    return f"{_short(mm / MM_PER_INCH, 2)} in ({_short(mm, 1)} mm)"


def angle(deg: float) -> str:
    """An angle as players say it.

    >>> angle(45.0), angle(46.04)
    ('45 degrees', '46 degrees')
    >>> angle(45.03)
    '45.03 degrees'
    """
    return f"{_short(deg, 1) if abs(deg - 45) > 0.1 else _short(deg, 2)} degrees"


def listed(names: Iterable[str], most: int = 3) -> str:
    """Names in one phrase, the first few of them.

    >>> listed(["a"]), listed(["a", "b", "c"]), listed(["a", "b", "c", "d", "e"])
    ('a', 'a, b and c', 'a, b, c and 2 more')
    """
    known = list(dict.fromkeys(names))
    if len(known) > most:
        return f"{', '.join(known[:most])} and {len(known) - most} more"
    return " and ".join(part for part in (", ".join(known[:-1]), known[-1] if known else "") if part)


def _short(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class Reasons:
    """Everything that speaks against an option, each with the row that says so."""

    def __init__(self) -> None:
        self._found: list[tuple[str, str]] = []

    def add(self, holds: bool, text: str, rule: str) -> None:
        """Notes a reason where it holds."""
        if holds:
            self._found.append((text, rule))

    def extend(self, more: Iterable[tuple[str, str]]) -> None:
        """Notes further reasons, as pairs of text and row."""
        self._found.extend(more)

    @property
    def texts(self) -> tuple[str, ...]:
        """The reasons in plain words."""
        return tuple(text for text, _ in self._found)

    @property
    def rules(self) -> tuple[str, ...]:
        """The row of each reason."""
        return tuple(rule for _, rule in self._found)

    def __bool__(self) -> bool:
        return bool(self._found)


def dice(name: str, change: int, rule: str, **extra: str) -> Modifier:
    """A modifier that adds or takes dice."""
    return Modifier(name=name, effect=f"{change:+d}d6", rule=rule, extra={**extra, "value": change})


def factor(name: str, by: float, rule: str) -> Modifier:
    """A modifier that multiplies the hits."""
    return Modifier(name=name, effect=f"x{by:g}", rule=rule, extra={"factor": by})
