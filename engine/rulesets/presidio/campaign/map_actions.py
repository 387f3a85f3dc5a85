"""The campaign's map: ``strategic-initiative``, ``map-entry``, ``map-move``, ``map-day``, ``contact-time``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.dice import Roll
from engine.errors import UnusableFile
from engine.events import Event
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.presidio.campaign.map_forces import own_marker
from engine.rulesets.presidio.campaign.mapping import (
    against_entry,
    against_move,
    enemies_in,
    lie_of_the_land,
    reinforcements,
    side_entered,
)
from engine.rulesets.presidio.campaign.standing import (
    Campaign,
    Marker,
    campaign_of,
    cell_of,
    changed,
    marker_of,
    next_day,
    with_marker,
)
from engine.rulesets.presidio.raid_book import raid_book

__all__ = [
    "EntryKeys", "MapMoveKeys", "TimeKeys", "contact_time", "map_day", "map_entry", "map_move",
    "strategic_initiative",
]  # fmt: skip

Place = str | tuple[int, int]
Moved = Literal["road-1", "road-2", "road-3", "fields-1", "fields-2", "woods-1"]


class EntryKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``map-entry``: whose marker, and the hexes that the die chooses from, or the one it enters by."""

    marker: str
    to: str | tuple[int | str | tuple[int, int], ...]
    side: str | None = None


class MapMoveKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``map-move``: whose marker, to which hex."""

    marker: str
    to: Place
    side: str | None = None


class TimeKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``contact-time``: how the marker that moved came; on a large map it does not matter."""

    moved: Moved = "road-1"


def contact_time(game: Game, action: Action, keys: TimeKeys) -> Procedure[None]:
    """The hour at which two markers meet (PR-1105)."""
    numbers = raid_book().campaign
    campaign = campaign_of(game)
    large = campaign.scale == "large"
    request = Roll(purpose="the hour of contact", count=1, die="d12" if large else "d4", rule="PR-1105")
    score = (yield from roll(request)).total
    hour = (numbers.first_hour if large else numbers.hours[keys.moved]) + score - 1
    facts = {"hour": hour, "dark": hour >= numbers.dark}
    changes = changed(game, replace(campaign, hour=hour))
    yield from happen(Event(event="contact", facts=facts, changes=changes, rule="PR-1105"))


def strategic_initiative(game: Game, action: Action) -> Procedure[None]:
    """A die for each side says who moves first today; all again on a tie (PR-1103)."""
    sides = [side.name for side in game.sides]
    while True:
        scores: dict[str, int] = {}
        for side in sides:
            request = Roll(purpose=f"strategic initiative of {side}", count=1, rule="PR-1103")
            scores[side] = (yield from roll(request)).total
        if len(set(scores.values())) == len(sides):
            break
    order = tuple(sorted(sides, key=lambda side: -scores[side]))
    campaign = replace(campaign_of(game), order=order)
    facts = {"order": list(order), "scores": scores}
    yield from happen(Event(event="initiative", facts=facts, changes=changed(game, campaign), rule="PR-1103"))


def map_day(game: Game, action: Action) -> Procedure[None]:
    """The strategic turn ends: another day, and every marker may move again (PR-1103)."""
    campaign = next_day(game, campaign_of(game))
    facts = {"day": campaign.day}
    yield from happen(Event(event="map-day", facts=facts, changes=changed(game, campaign), rule="PR-1103"))


def map_entry(game: Game, action: Action, keys: EntryKeys) -> Procedure[None]:
    """A marker comes onto the map where a die says. Raises ActionRefused, UnusableFile (PR-1103)."""
    campaign = campaign_of(game)
    marker, points = own_marker(game, campaign, keys.marker, keys.side), _points(keys.to)
    reasons = against_entry(campaign, marker, [cell_of(point) for point in points])
    least = raid_book().campaign.entry_points
    reasons.add(1 < len(points) < least, f"{len(points)} entry points: expected {least} at least", "PR-1103")
    return _enter(game, campaign, marker, points, action, allow(action, reasons))


def _points(to: str | tuple[int | str | tuple[int, int], ...]) -> tuple[Place, ...]:
    """The hexes that are named: one as ``"3,2"`` or ``[3, 2]``, or a list of such. Raises UnusableFile."""
    if isinstance(to, str):
        return (to,)
    numbers = [one for one in to if isinstance(one, int)]
    if len(numbers) == len(to) == 2:
        return ((numbers[0], numbers[1]),)
    if numbers or not to:
        raise UnusableFile(f"map-entry: to: expected hexes such as '3,2', got {list(to)!r}")
    return tuple(one for one in to if not isinstance(one, int))


def _enter(
    game: Game, campaign: Campaign, marker: Marker, points: tuple[Place, ...], action: Action,
    against: tuple[str, ...],
) -> Procedure[None]:  # fmt: skip
    game = yield from overruled(game, action, against)
    score = (yield from roll(Roll(purpose=f"where {marker.id} enters", count=1, rule="PR-1103"))).total
    here = points[(score - 1) * len(points) // 6]
    campaign = with_marker(campaign, replace(marker, hex=here))
    facts = {"marker": marker.id, "side": marker.side, "score": score, "hex": _plain(here)}
    event = Event(event="entered", facts=facts, changes=changed(game, campaign), rule="PR-1103")
    game = yield from happen(event)
    yield from _contact(game, marker.id, here)


def map_move(game: Game, action: Action, keys: MapMoveKeys) -> Procedure[None]:
    """A marker moves to another hex; what it meets is revealed. Raises ActionRefused, UnusableFile (PR-1104)."""
    campaign = campaign_of(game)
    marker = own_marker(game, campaign, keys.marker, keys.side)
    reasons = against_move(game, campaign, marker, cell_of(keys.to))
    return _move(game, campaign, marker, keys.to, action, allow(action, reasons))


def _move(
    game: Game, campaign: Campaign, marker: Marker, goal: Place, action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    campaign = with_marker(campaign, replace(marker, hex=goal, moved=True, entered_from=marker.hex))
    start = None if marker.hex is None else _plain(marker.hex)
    facts = {"marker": marker.id, "side": marker.side, "from": start, "hex": _plain(goal)}
    event = Event(event="moved", facts=facts, changes=changed(game, campaign), rule="PR-1104")
    game = yield from happen(event)
    yield from _contact(game, marker.id, goal)


def _contact(game: Game, name: str, here: Place) -> Procedure[None]:
    """Opposed markers in one hex are revealed; blanks among them leave the map (PR-1102, PR-1105)."""
    campaign = campaign_of(game)
    marker = marker_of(campaign, name)
    met = enemies_in(campaign, marker, cell_of(here))
    if not met:
        return
    numbers = raid_book().campaign
    both = (marker, *met)
    gone = {one.id for one in both if one.blank}
    shown = {one.id for one in both} - gone
    kept = tuple(
        replace(one, seen=True) if one.id in shown else one for one in campaign.markers if one.id not in gone
    )
    facts: dict[str, Any] = {
        "hex": _plain(here), "markers": [one.id for one in both if one.id in shown],
        "units": [unit for one in both if one.id in shown for unit in one.units], "blanks": sorted(gone),
    }  # fmt: skip
    if len({one.side for one in both if one.id in shown}) > 1:
        facts["reinforcements"] = reinforcements(campaign, cell_of(here), both)
        facts["reinforcements_turn"] = numbers.reinforced_turn
        facts["enters_from"] = _entries(here, both)
        facts |= lie_of_the_land(campaign, cell_of(here))
    changes = changed(game, replace(campaign, markers=kept))
    yield from happen(Event(event="revealed", facts=facts, changes=changes, rule="PR-1105"))


def _entries(here: Place, markers: tuple[Marker, ...]) -> Mapping[str, str]:
    """From which side of the table each marker that has moved comes (PR-1107)."""
    return {
        one.id: side_entered(cell_of(one.entered_from), cell_of(here))
        for one in markers
        if one.entered_from is not None
    }


def _plain(place: Place) -> str | list[int]:
    """A hex as it is written in the game's file."""
    return place if isinstance(place, str) else list(place)
