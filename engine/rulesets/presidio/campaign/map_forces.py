"""What stands under the markers: ``map-allot``, and ``map-reinforce``, who comes to a battle (PR-1102, PR-1108)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.errors import UnusableFile
from engine.events import Event
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.campaign.mapping import against_woods, enemies_in, reinforcements, side_entered
from engine.rulesets.presidio.campaign.standing import (
    Campaign,
    Marker,
    campaign_of,
    cell_of,
    changed,
    marker_of,
    with_marker,
    written,
)
from engine.rulesets.presidio.raid_book import raid_book
from engine.rulesets.presidio.vocabulary import figures_of, is_artillery

__all__ = ["AllotKeys", "ReinforceKeys", "map_allot", "map_reinforce", "own_marker"]


class AllotKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``map-allot``: the marker, and the units that it stands for; none: a blank."""

    marker: str
    units: tuple[str, ...] = ()
    side: str | None = None


class ReinforceKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``map-reinforce``: the marker that comes, and the hex of the battle."""

    marker: str
    to: str
    side: str | None = None


def own_marker(game: Game, campaign: Campaign, name: str, side: str | None) -> Marker:
    """The marker of that id, of that side where one is named. Raises UnusableFile."""
    marker = marker_of(campaign, name)
    if side is not None:
        game.side(side)
        if marker.side != side:
            raise UnusableFile(f"marker {name!r}: expected one of side {side!r}, it is of {marker.side!r}")
    return marker


def map_allot(game: Game, action: Action, keys: AllotKeys) -> Procedure[None]:
    """A side says in secret what a marker stands for. Raises ActionRefused, UnusableFile (PR-1102)."""
    campaign = campaign_of(game)
    marker = own_marker(game, campaign, keys.marker, keys.side)
    for name in keys.units:
        if game.unit(name).side != marker.side:
            raise UnusableFile(f"units: {name!r} is not of side {marker.side!r}")
    reasons, numbers = Reasons(), raid_book().campaign
    reasons.add(marker.seen, f"{marker.id} has been revealed", "PR-1102")
    reasons.add(set(keys.units) == set(marker.units), f"{marker.id} stands for that already", "PR-1102")
    units = [game.unit(name) for name in keys.units]
    guns = sum(map(is_artillery, units))
    reasons.add(guns > numbers.battery, f"{guns} guns in one marker: a battery has {numbers.battery}", "PR-1102")
    men, most = sum(len(figures_of(unit)) for unit in units if not is_artillery(unit)), book().bodies["company"]
    reasons.add(
        men > most and len(units) > 1, f"{men} figures in one marker: a company has {most} at most", "PR-1102"
    )
    for other in _givers(campaign, marker, keys.units):
        apart = other.hex != marker.hex or other.seen
        reasons.add(apart, f"{other.id}, which stands for some of them, is not with {marker.id}", "PR-1102")
    return _allot(game, campaign, marker, keys.units, action, allow(action, reasons))


def _givers(campaign: Campaign, marker: Marker, units: tuple[str, ...]) -> Iterator[Marker]:
    """The other markers that stood for some of the units."""
    for other in campaign.markers:
        if other.id != marker.id and set(other.units) & set(units):
            yield other


def _allot(
    game: Game, campaign: Campaign, marker: Marker, units: tuple[str, ...], action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    for other in tuple(_givers(campaign, marker, units)):
        left = tuple(name for name in other.units if name not in units)
        campaign = with_marker(campaign, replace(other, units=left, blank=not left))
    campaign = with_marker(campaign, replace(marker, units=units, blank=not units))
    facts: dict[str, Any] = {"marker": marker.id, "side": marker.side, "known_to": marker.side}
    if units:
        facts["units"] = list(units)
    yield from happen(Event(event="allotted", facts=facts, changes=changed(game, campaign), rule="PR-1102"))


def map_reinforce(game: Game, action: Action, keys: ReinforceKeys) -> Procedure[None]:
    """A marker near enough comes to a battle and is revealed. Raises ActionRefused, UnusableFile (PR-1108)."""
    campaign, cell = campaign_of(game), cell_of(keys.to)
    marker = own_marker(game, campaign, keys.marker, keys.side)
    there = tuple(one for one in campaign.markers if one.hex is not None and cell_of(one.hex) == cell and one.seen)
    reasons = Reasons()
    battle = any(enemies_in(campaign, one, cell) for one in there)
    reasons.add(not battle, f"nobody has met in {written(cell)}", "PR-1108")
    reasons.add(marker.hex is None, f"{marker.id} is not on the map yet", "PR-1103")
    reasons.add(marker.blank, f"{marker.id} is a blank", "PR-1102")
    near = marker.id in reinforcements(campaign, cell, there)
    reasons.add(not near and not marker.blank, f"{marker.id} is too far away to come in time", "PR-1108")
    reasons.extend(against_woods(game, campaign, marker, cell))
    return _reinforce(game, campaign, marker, keys.to, action, allow(action, reasons))


def _reinforce(
    game: Game, campaign: Campaign, marker: Marker, to: str, action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    came = replace(marker, hex=to, seen=True, moved=True, entered_from=marker.hex)
    start = marker.hex if marker.hex is not None else to
    facts = {
        "marker": marker.id, "side": marker.side, "hex": to, "units": list(marker.units),
        "turn": raid_book().campaign.reinforced_turn, "from": side_entered(cell_of(start), cell_of(to)),
    }  # fmt: skip
    changes = changed(game, with_marker(campaign, came))
    yield from happen(Event(event="reinforced", facts=facts, changes=changes, rule="PR-1108"))
