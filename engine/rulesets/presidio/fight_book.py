"""The numbers of charges, melee, morale and gunnery, from ``fights.toml``; lengths as given there, in inches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from engine.records.reading import convert
from engine.rulesets.base.data.tables import of_tables, table

__all__ = ["Charging", "FightBook", "Gunnery", "Melee", "Morale", "Result", "fight_book", "loss_modifier"]


#: What a morale check comes to in the end (PR-710).
Result = Literal[
    "pass", "hold", "flinch", "hunker-down", "disordered", "fall-back", "retreat", "panic", "surrender",
]  # fmt: skip


class _Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all parts share: immutable, no unknown key."""


class Morale(_Part, frozen=True, kw_only=True):
    """What levels need and what alters it (PR-701 to PR-709, PR-712)."""

    elite: int
    veteran: int
    average: int
    inexperienced: int
    again: int
    charging: int
    charged: int
    comfort: int
    line: int
    leader_lost: int
    hero: int
    fall_back: int
    retreat: int
    panic: int
    short_fall_back: int
    short_retreat: int
    short_panic: int
    quarters: int
    surrounded_in: float
    losses: Mapping[str, float]
    cover: Mapping[str, int]
    results: Mapping[str, Mapping[str, tuple[Result, ...]]]


class Charging(_Part, frozen=True, kw_only=True):
    """What a charge costs, where it stops, what its impact is worth (PR-501 to PR-508)."""

    actions: int
    stops_in: float
    repelled_in: float
    die: int
    foot: int
    mounted: int
    points: int
    mounted_points: int


class Melee(_Part, frozen=True, kw_only=True):
    """Reach and modifiers of melee (PR-510, PR-511)."""

    reach: float
    long: tuple[str, ...]
    low_wall: int
    high_wall: int
    uphill: int
    struck_mounted: int
    mounted: int
    ladder: int
    low_wall_ft: float
    palisade_ft: float
    least: int
    capture: int


class Climb(_Part, frozen=True, kw_only=True):
    """Ladders (PR-518)."""

    rise: float
    men: int


class Gunnery(_Part, frozen=True, kw_only=True):
    """Numbers, arcs, scatter and blasts of artillery (PR-903 to PR-935)."""

    direct_smoothbore: int
    direct_rifled: int
    directed: int
    blind: int
    arc_deg: float
    cone_deg: float
    observer: float
    line_before: float
    bounce_near: float
    bounce_on: int
    missing_crew: int
    weakened: int
    breach: float
    lethal: float
    damage_lethal: float
    damage_radius: float
    mended: int
    limber_near: float
    limber_far: float
    scatter: Mapping[str, int]
    radius: Mapping[str, int]


class Grenade(_Part, frozen=True, kw_only=True):
    """What a grenade does (PR-936)."""

    damage: int
    radius: float


class FightBook(_Part, frozen=True, kw_only=True):
    """All numbers."""

    morale: Morale
    charge: Charging
    melee: Melee
    reactions: Mapping[str, int]
    climb: Climb
    gun: Gunnery
    grenade: Grenade
    strengths: Mapping[str, int]


@of_tables
def fight_book() -> FightBook:
    """The numbers of charges, melee, morale and gunnery."""
    return convert(table(__package__, "fights.toml"), FightBook, "fights")


def loss_modifier(strength: int, casualties: int) -> int:
    """What casualties add to the morale number, by the strength that a unit began with (PR-702).

    >>> loss_modifier(16, 3), loss_modifier(10, 3), loss_modifier(9, 2), loss_modifier(4, 2)
    (1, 3, 4, 6)
    """
    table = sorted(((int(least), each) for least, each in fight_book().morale.losses.items()), reverse=True)
    each = next((each for least, each in table if strength >= least), 0.0)
    return int(casualties * each)
