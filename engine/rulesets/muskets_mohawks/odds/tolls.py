"""Who falls: the Leader checks of a number of casualties, as a spread (MM-115 to MM-117, MM-161)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from engine.records.game import Figure, Unit
from engine.rulesets.muskets_mohawks.procedures.nerve.losses import HORSE_HIT, LEADER_FALLS, rides, rides_alone
from engine.spreads import merged, reaching

__all__ = ["Ranks", "Toll", "ranks_of", "tolls"]


class Ranks(Struct, frozen=True, kw_only=True):
    """A unit's figures in the order in which they fall: the role of each, and who is a Leader on horseback.

    ``rides_alone``: they are one mounted Leader and nobody else.
    """

    roles: tuple[str, ...]
    mounted: tuple[bool, ...]
    rides_alone: bool = False


class Toll(Struct, frozen=True, kw_only=True):
    """What a number of casualties came to: who has fallen (places in the `Ranks`), who has lost his horse."""

    fallen: tuple[int, ...] = ()
    leader_lost: bool = False
    unhorsed: int | None = None


def ranks_of(unit: Unit, order: Sequence[Figure]) -> Ranks:
    """The figures of a unit in the order in which they fall."""
    return Ranks(
        roles=tuple(figure.role for figure in order),
        mounted=tuple(figure.role in ("leader", "officer") and rides(unit, figure) for figure in order),
        rides_alone=rides_alone(unit, order),
    )


@lru_cache(maxsize=4096)
def tolls(ranks: Ranks, casualties: int, *, ranged: bool) -> tuple[tuple[Toll, float], ...]:
    """What so many casualties come to, with the chance of each."""
    everyone = tuple(range(len(ranks.roles)))
    if casualties <= 0 or not everyone:
        return ((Toll(), 1.0),)
    if casualties >= len(everyone):
        all_gone = Toll(fallen=everyone, leader_lost="leader" in ranks.roles)
        if ranged and ranks.rides_alone:
            return ((all_gone, 1.0 - HORSE_HIT / 6), (Toll(unhorsed=0), HORSE_HIT / 6))
        return ((all_gone, 1.0),)
    found = {Toll(): 1.0}
    for _ in range(casualties):
        found = merged(
            (after, chance * share)
            for toll, chance in found.items() for after, share in _casualty(ranks, toll, ranged=ranged)
        )  # fmt: skip
    return tuple(found.items())


def _casualty(ranks: Ranks, toll: Toll, *, ranged: bool) -> list[tuple[Toll, float]]:
    """One more casualty: the Leader checked, or his horse, else the next figure."""
    standing = [place for place in range(len(ranks.roles)) if place not in toll.fallen]
    chief = _first(ranks, standing, "leader")
    chief = _first(ranks, standing, "officer") if chief is None else chief
    others = [place for place in standing if ranks.roles[place] not in ("leader", "officer")]
    next_one = _fell(ranks, toll, (others or standing)[0])
    if chief is None or len(standing) == 1:
        return [(next_one, 1.0)]
    mounted = ranks.mounted[chief] and toll.unhorsed is None
    struck = reaching(2, LEADER_FALLS[mounted])
    horse = struck * HORSE_HIT / 6 if mounted and ranged else 0.0
    unhorsed = Toll(fallen=toll.fallen, leader_lost=toll.leader_lost, unhorsed=chief)
    return [(next_one, 1.0 - struck), (_fell(ranks, toll, chief), struck - horse), (unhorsed, horse)]


def _first(ranks: Ranks, standing: Sequence[int], role: str) -> int | None:
    return next((place for place in standing if ranks.roles[place] == role), None)


def _fell(ranks: Ranks, toll: Toll, place: int) -> Toll:
    return Toll(
        fallen=tuple(sorted((*toll.fallen, place))),
        leader_lost=toll.leader_lost or ranks.roles[place] == "leader",
        unhorsed=toll.unhorsed,
    )
