"""Everything that speaks against an option, in plain words, each with the row of the rulebook that says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["Reasons", "in_one", "listed"]

_IN_THE_WAY = " is in the way"


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

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._found)

    def __bool__(self) -> bool:
        return bool(self._found)


def in_one(texts: Iterable[str]) -> str:
    """What takes sight away in one phrase; of several things that are in the way that is said once.

    >>> in_one(["a is in the way"]), in_one(["a is in the way", "b is in the way", "beyond what can be seen"])
    ('a is in the way', 'a and b are in the way and beyond what can be seen')
    """
    known = list(dict.fromkeys(texts))
    barring = [text.removesuffix(_IN_THE_WAY) for text in known if text.endswith(_IN_THE_WAY)]
    if len(barring) < 2:
        return listed(known)
    return listed(
        [f"{listed(barring)} are in the way", *(text for text in known if not text.endswith(_IN_THE_WAY))]
    )


def listed(names: Iterable[str], most: int = 3) -> str:
    """Names in one phrase, the first few of them.

    >>> listed(["a"]), listed(["a", "b", "c"]), listed(["a", "b", "c", "d", "e"])
    ('a', 'a, b and c', 'a, b, c and 2 more')
    """
    known = list(dict.fromkeys(names))
    if len(known) > most:
        return f"{', '.join(known[:most])} and {len(known) - most} more"
    return " and ".join(part for part in (", ".join(known[:-1]), known[-1] if known else "") if part)
