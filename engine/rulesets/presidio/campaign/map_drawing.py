"""``map-draw``: what lies in hexes of the campaign's map, before anybody is on it (PR-1101)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.events import Event
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.campaign.standing import Campaign, Hex, campaign_of, cell_of, changed, written

__all__ = ["DrawKeys", "map_draw"]


class DrawKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``map-draw``: the hexes, and what is drawn into them; None: as it is."""

    hexes: tuple[str, ...]
    terrain: Literal["woods", "fields", "settlement"] | None = None
    hill: bool | None = None
    road: bool | None = None
    river: bool | None = None
    name: str | None = None


def map_draw(game: Game, action: Action, keys: DrawKeys) -> Procedure[None]:
    """Hexes are drawn. Raises ActionRefused once a marker is on the map, UnusableFile for what is no hex."""
    campaign = campaign_of(game)
    cells = [cell_of(one) for one in keys.hexes]
    reasons = Reasons()
    reasons.add(not cells, "no hex is named", "PR-1101")
    reasons.add(any(one.hex is not None for one in campaign.markers), "markers are on the map already", "PR-1101")
    names = {cell_of(name): name for name in campaign.hexes}
    drawn = {names.get(cell, written(cell)): _drawn(campaign, names.get(cell), keys) for cell in cells}
    return _draw(
        game, replace(campaign, hexes={**campaign.hexes, **drawn}), action, allow(action, reasons), len(drawn)
    )


def _drawn(campaign: Campaign, name: str | None, keys: DrawKeys) -> Hex:
    """A hex as it is, with what is drawn now."""
    given = {key: getattr(keys, key) for key in ("terrain", "hill", "road", "river", "name")}
    before = Hex() if name is None else campaign.hexes[name]
    return replace(before, **{key: value for key, value in given.items() if value is not None})


def _draw(game: Game, campaign: Campaign, action: Action, against: tuple[str, ...], count: int) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    event = Event(event="map-drawn", facts={"hexes": count}, changes=changed(game, campaign), rule="PR-1101")
    yield from happen(event)
