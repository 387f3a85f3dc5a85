"""The tables of raids and of the campaign, from ``raids.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from engine.records.reading import convert
from engine.rulesets.base.data.tables import of_tables, table

__all__ = ["Camp", "CampaignNumbers", "RaidBook", "Share", "raid_book"]


class _Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all parts share: immutable, no unknown key."""


class Camp(_Part, frozen=True, kw_only=True):
    """What three dice make of a camp (PR-802), and how far apart the sides begin (PR-801)."""

    terrain: tuple[str, ...]
    with_horses: str
    feature: tuple[str, ...]
    sentries: tuple[int | str, ...]
    apart_in: float


class Share(_Part, frozen=True, kw_only=True):
    """Where villagers are: shares of them, the rest in houses, and guards besides (PR-803)."""

    fields: float
    plaza: float
    guards: int


class Travel(_Part, frozen=True, kw_only=True):
    """A day's leagues, and forced marches (PR-804 to PR-806)."""

    pursuer: tuple[int, ...]
    fugitive: tuple[int, ...]
    head_start_days: int
    forced: float
    forced_within: int
    forced_nights: int
    noticed: int


class Sentry(_Part, frozen=True, kw_only=True):
    """What sentries see (PR-820)."""

    states: tuple[Literal["sleeping", "daydreaming", "alert"], ...]
    day: int
    night: int
    kneeling: int
    prone: int
    platoon: int
    company: int
    daydreaming: int


class Strayed(_Part, frozen=True, kw_only=True):
    """What becomes of a lost animal (PR-816)."""

    waiting: tuple[str, ...]
    searching: tuple[str, ...]


class Herd(_Part, frozen=True, kw_only=True):
    """Herds: which ram, which are driven on foot, how many to a herder (PR-813, PR-815)."""

    rams: tuple[str, ...]
    herded_on_foot: tuple[str, ...]
    beasts_a_herder: int


class CampaignNumbers(_Part, frozen=True, kw_only=True):
    """Marches, entries, hours and reinforcements on the map (PR-1102 to PR-1108)."""

    day_price: int
    road: int
    fields: int
    slow: int
    most_in_hex: int
    battery: int
    entry_points: int
    dark: int
    reinforced_turn: int
    reinforced_small: Mapping[str, int]
    reinforced_large: int
    first_hour: int
    town_in: float
    village_in: float
    hours: Mapping[str, int]


class RaidBook(_Part, frozen=True, kw_only=True):
    """All tables."""

    camp: Camp
    village: Mapping[str, Share]
    travel: Travel
    sentry: Sentry
    strayed: Strayed
    points: Mapping[str, int]
    herd: Herd
    plunder: Mapping[str, int]
    campaign: CampaignNumbers


@of_tables
def raid_book() -> RaidBook:
    """The tables of raids and of the campaign."""
    return convert(table(__package__, "raids.toml"), RaidBook, "raids")
