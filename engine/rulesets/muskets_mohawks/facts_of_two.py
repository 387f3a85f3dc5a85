"""Facts of one unit against another: out of those of its whole side at once, or of the two alone.

Both say the same, to the last bit; alone are stand-ins and those in buildings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from engine.records.game import Unit
from engine.rulesets.muskets_mohawks.outlook import Outlook, outlook_of
from engine.rulesets.muskets_mohawks.sheet import Sheet
from engine.rulesets.muskets_mohawks.sight import pairs
from engine.rulesets.muskets_mohawks.told import Told
from engine.rulesets.muskets_mohawks.viewing import view_from

__all__ = ["FactsOfTwo", "OfSide"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class OfSide(Protocol[T_co]):
    """The facts of a whole side against its enemies."""

    def of(self, unit: Unit, target: Unit) -> T_co:
        """Those of two units that the side's view holds."""


@dataclass(frozen=True)
class FactsOfTwo(Generic[T]):
    """Facts of one kind (``what``), and how they are worked out ``alone`` and for a side at once.

    Those of two units alone follow from the two, from the terrain and from what they see of each other; they are
    kept from game to game while all that stays.
    """

    what: str
    alone: Callable[[Sheet, Unit, Unit], T]
    of_side: Callable[[Sheet, str, Outlook], OfSide[T]]

    def of(self, sheet: Sheet, unit: Unit, target: Unit) -> T:
        """The facts of a unit against another."""
        if not sheet.owns(unit, target) or unit.side == target.side:
            return self.alone(sheet, unit, target)
        return self.at_enemies(sheet, unit)(target)

    def at_enemies(self, sheet: Sheet, unit: Unit) -> Callable[[Unit], T]:
        """As `of` for all enemies of one of the game's own units."""
        view, side = view_from(sheet, unit), unit.side
        told: Told[T] = Told(sheet, f"{self.what} alone", unit)

        def by_itself(target: Unit) -> T:
            seen = pairs(sheet, unit, target)
            return told.option(target, "", (seen,), lambda: self.alone(sheet, unit, target))

        if view is None:
            return by_itself
        whole = sheet.memo(
            (self.what, "of", side), lambda: self.of_side(sheet, side, outlook_of(sheet, side, view))
        )
        return lambda target: whole.of(unit, target) if target.id in view.columns else by_itself(target)
