"""The campaign as it stands (``conditions.campaign``): the map, markers on it, parties on a trail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.errors import UnusableFile
from engine.events import SetCondition
from engine.records.game import Cell, Game
from engine.rulesets.base.fitting import expected, fits
from engine.rulesets.base.kept import once
from engine.rulesets.presidio.vocabulary import conditions_of, figures_of, state_of

__all__ = [
    "Campaign",
    "Hex",
    "Marker",
    "Party",
    "campaign_faults",
    "campaign_of",
    "cell_of",
    "changed",
    "known_as",
    "marker_of",
    "next_day",
    "party_of",
    "with_marker",
    "with_party",
    "written",
]

#: How a hex is written.
_CELL = r"\s*(-?\d+)\s*,\s*(-?\d+)\s*"

Count = Annotated[int, Meta(ge=0)]


class _Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all parts share: immutable, no unknown key."""


class Hex(_Part, frozen=True, kw_only=True):
    """A hex of the map (PR-1101); ``name`` is what its settlement or spring is called."""

    name: str = ""
    terrain: Literal["woods", "fields", "settlement"] = "fields"
    hill: bool = False
    road: bool = False
    river: bool = False


class Marker(_Part, frozen=True, kw_only=True):
    """A marker: the units that it stands for, or a blank; ``hex`` None: not on the map yet (PR-1102).

    ``moved``: today; ``entered_from`` is the hex that it came from.
    """

    id: str
    side: str
    hex: str | tuple[int, int] | None = None
    units: tuple[str, ...] = ()
    blank: bool = False
    seen: bool = False
    moved: bool = False
    entered_from: str | tuple[int, int] | None = None


class Party(_Part, frozen=True, kw_only=True):
    """A party that pursues or is pursued (PR-804 to PR-806)."""

    id: str
    role: Literal["pursuer", "raider"]
    mounted: bool = False
    leagues: Count = 0
    knows_pursued: bool = False
    nights_marched: Count = 0


class Campaign(_Part, frozen=True, kw_only=True, omit_defaults=True):
    """All of it; ``scale`` large: hexes of twenty miles.

    ``order`` is who moves first today, ``hour`` when the day's contact is, ``marched`` the last day of each party's
    march.
    """

    day: Annotated[int, Meta(ge=0)] = 1
    scale: Literal["small", "large"] = "small"
    hexes: Mapping[str, Hex] = {}
    markers: tuple[Marker, ...] = ()
    parties: tuple[Party, ...] = ()
    plunder: Any = None
    order: tuple[str, ...] = ()
    hour: Annotated[int, Meta(ge=0, le=30)] | None = None
    marched: Mapping[str, int] = {}


def campaign_of(game: Game) -> Campaign:
    """The game's campaign with the defaults filled in."""
    return once(game, "pr_campaign", lambda: msgspec.convert(conditions_of(game).campaign, Campaign))


def campaign_faults(game: Game, sides: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The key path and the fault of whatever in the campaign is outside the vocabulary."""
    raw = game.conditions.get("campaign") or {}
    faults = list(fits(raw, Campaign, "conditions.campaign"))
    yield from faults
    if faults:
        return
    campaign = msgspec.convert(raw, Campaign)
    places = [(f"conditions.campaign.hexes.{name}", name) for name in campaign.hexes]
    for number, marker in enumerate(campaign.markers):
        where = f"conditions.campaign.markers[{number}]"
        if marker.side not in sides:
            yield f"{where}.side", expected(sides, marker.side)
        if isinstance(marker.hex, str):
            places.append((f"{where}.hex", marker.hex))
    for where, place in places:
        if re.fullmatch(_CELL, place) is None:
            yield where, f"expected a column and a row such as '3,2', got {place!r}"


def changed(game: Game, campaign: Campaign) -> tuple[SetCondition, ...]:
    """The campaign takes these values; keys that it had stay written."""
    had = {key: msgspec.to_builtins(getattr(campaign, key)) for key in conditions_of(game).campaign}
    return (SetCondition(key="campaign", value={**had, **msgspec.to_builtins(campaign)}),)


def next_day(game: Game, campaign: Campaign) -> Campaign:
    """The campaign on the next day: markers may move again, those of whom nobody is left are gone (PR-1109)."""
    fresh = tuple(
        replace(marker, moved=False, entered_from=None)
        for marker in campaign.markers
        if not _wiped_out(game, marker)
    )
    return replace(campaign, day=campaign.day + 1, markers=fresh, order=(), hour=None)


def _wiped_out(game: Game, marker: Marker) -> bool:
    """Whether all the units that a marker stands for have fallen to the last figure."""
    units = [game.by_id.get(name) for name in marker.units]
    return bool(units) and all(
        unit is not None and not figures_of(unit) and state_of(unit).casualties > 0 for unit in units
    )


def cell_of(place: str | tuple[int, int]) -> Cell:
    """The column and row of a hex that is written ``"3,2"`` or ``[3, 2]``. Raises UnusableFile.

    >>> cell_of("3,2"), cell_of((0, 1))
    ((3, 2), (0, 1))
    """
    if not isinstance(place, str):
        return place
    found = re.fullmatch(_CELL, place)
    if found is None:
        raise UnusableFile(f"hex {place!r}: expected a column and a row such as '3,2'")
    return int(found[1]), int(found[2])


def written(cell: Cell) -> str:
    """A hex as files and players write it.

    >>> written((3, 2))
    '3,2'
    """
    return f"{cell[0]},{cell[1]}"


def known_as(marker: Marker) -> str:
    """What people call a marker: ``Spanish 2``."""
    words = marker.id.replace("-", " ").replace("_", " ")
    return words[:1].upper() + words[1:]


def marker_of(campaign: Campaign, name: str) -> Marker:
    """The marker of that id. Raises UnusableFile naming those that there are."""
    for marker in campaign.markers:
        if marker.id == name:
            return marker
    known = ", ".join(marker.id for marker in campaign.markers) or "none"
    raise UnusableFile(f"marker {name!r}: no such marker in the campaign; there are: {known}")


def party_of(campaign: Campaign, name: str) -> Party:
    """The party of that id. Raises UnusableFile naming those that there are."""
    for party in campaign.parties:
        if party.id == name:
            return party
    known = ", ".join(party.id for party in campaign.parties) or "none"
    raise UnusableFile(f"party {name!r}: no such party in the campaign; there are: {known}")


def with_marker(campaign: Campaign, marker: Marker) -> Campaign:
    """The campaign with one marker as it is now."""
    return replace(campaign, markers=tuple(marker if one.id == marker.id else one for one in campaign.markers))


def with_party(campaign: Campaign, party: Party) -> Campaign:
    """The campaign with one party as it is now."""
    return replace(campaign, parties=tuple(party if one.id == party.id else one for one in campaign.parties))
