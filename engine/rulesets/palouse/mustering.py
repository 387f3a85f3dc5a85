"""What a unit of the Palouse rules is mustered with."""

from __future__ import annotations

from engine.rulesets.base.units.mustering import GridSize, Kind, Roll, stats_fields
from engine.rulesets.palouse.book import our_book
from engine.rulesets.palouse.vocabulary import Stats

__all__ = ["roll"]

_SQUARE_MM = 152.4  # six inches


def roll() -> Roll:
    """The types, weapons and stats of the book."""
    book = our_book()
    return Roll(
        types=tuple(
            Kind(name=name, formations=("unformed",), weapons=tuple(kind.weapons))
            for name, kind in book.types.items()
        ),
        fields=stats_fields(Stats, {}),
        main=("veteran",),
        terrain=tuple(book.kinds),
        grid=GridSize(kind="square", size_mm=_SQUARE_MM),
    )
