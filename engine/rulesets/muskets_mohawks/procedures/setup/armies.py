"""Who can be raised for each army: the lists of every period (MM-35 to MM-37, MM-241 to MM-255)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.errors import UnknownAction
from engine.records.game import Game
from engine.records.reading import convert
from engine.rulesets.base.data.tables import of_tables, table
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import side_campaign
from engine.rulesets.muskets_mohawks.vocabulary import Special, conditions_of

__all__ = ["Army", "Entry", "Shares", "armies", "army_of", "check_side"]


class _Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all records of the lists share."""


class Entry(_Record, frozen=True, kw_only=True):
    """A unit of a list; ``armies.toml`` explains the keys. What has six values is read by a die."""

    type: str
    rep: int | tuple[int, ...]
    weapon: str | tuple[str, ...]
    special: tuple[Special, ...] = ()
    years: Mapping[str, int] = {}
    or_rep: int | None = None
    or_rep_from: int | None = None
    of: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    def reps(self, year: int | None) -> tuple[int, ...]:
        """The Reps that it may have in a year, the usual one first; those of a die where one decides."""
        if isinstance(self.rep, tuple):
            return self.rep
        usual = self.years.get(str(year), self.rep)
        free = self.or_rep_from is None or (year is not None and year >= self.or_rep_from)
        return (usual,) if self.or_rep is None or not free else (usual, self.or_rep)


class Shares(_Record, frozen=True, kw_only=True):
    """The most that a kind of troops should be of an army, as shares of its units, and the row that says so.

    ``picked`` are light infantry, grenadiers and guards. All but ``artillery`` are of ``infantry``.
    """

    infantry: float
    artillery: float
    militia: float
    irregular: float
    picked: float
    rule: str


class Army(_Record, frozen=True, kw_only=True):
    """An army's list."""

    rule: str
    units: Mapping[str, Entry]
    shares: Shares | None = None


@of_tables
def armies() -> Mapping[str, Mapping[str, Army]]:
    """The lists by period and army.

    >>> armies()["napoleonic"]["france"].units["legere"].reps(1814)
    (3,)
    """
    return convert(table(__package__, "armies.toml"), dict[str, dict[str, Army]], "armies")


def army_of(game: Game, side: str, name: str | None, action: str) -> Army:
    """The list of that name, else of the side's army in the campaign, else of the side's own name.

    Raises UnknownAction for a side or list that there is not.
    """
    check_side(game, side, action)
    known = armies()[conditions_of(game).period]
    wanted = name or side_campaign(game, side).army or side
    if wanted not in known:
        raise UnknownAction(f"{action}: list: expected one of {', '.join(known)}, got {wanted!r}")
    return known[wanted]


def check_side(game: Game, side: str, action: str) -> None:
    """Raises UnknownAction for a side that there is not."""
    sides = [one.name for one in game.sides]
    if side not in sides:
        raise UnknownAction(f"{action}: side: expected one of {', '.join(sides)}, got {side!r}")
