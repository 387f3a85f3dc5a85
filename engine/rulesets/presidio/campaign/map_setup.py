"""``map-begin``: a campaign's map with its markers, laid out before the first day (PR-1101, PR-1102)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.events import Event
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.campaign.standing import Campaign, Hex, Marker, campaign_of, changed

__all__ = ["BeginKeys", "map_begin"]

Size = Annotated[int, Meta(ge=1, le=40)]


class BeginKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``map-begin``: the map's size in hexes, its scale, blank markers for each side."""

    columns: Size = 8
    rows: Size = 6
    scale: Literal["small", "large"] = "small"
    blanks: Annotated[int, Meta(ge=0, le=20)] = 1


def map_begin(game: Game, action: Action, keys: BeginKeys) -> Procedure[None]:
    """A campaign begins: hexes that nobody has drawn are fields, every unit has a marker. Raises ActionRefused."""
    reasons = Reasons()
    begun = bool(campaign_of(game).markers)
    reasons.add(begun, "a campaign has begun: its markers are out", "PR-1102")
    return _begin(game, keys, action, allow(action, reasons))


def _begin(game: Game, keys: BeginKeys, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    drawn = campaign_of(game).hexes
    hexes = {
        name: drawn.get(name, Hex())
        for name in (f"{column},{row}" for column in range(keys.columns) for row in range(keys.rows))
    }
    markers = tuple(_markers(game, keys.blanks))
    campaign: Campaign = replace(
        campaign_of(game), day=1, scale=keys.scale, hexes={**hexes, **drawn}, markers=markers, order=()
    )
    facts = {"hexes": len(campaign.hexes), "markers": len(markers)}
    event = Event(event="campaign-begun", facts=facts, changes=changed(game, campaign), rule="PR-1101")
    yield from happen(event)


def _markers(game: Game, blanks: int) -> Iterator[Marker]:
    """A marker for each unit, by its number on its side, and blanks that look the same (PR-1102)."""
    for side in game.sides:
        units = [unit.id for unit in game.units if unit.side == side.name]
        for number in range(len(units) + blanks):
            blank = number >= len(units)
            yield Marker(
                id=f"{side.name}-{number + 1}", side=side.name, blank=blank,
                units=() if blank else (units[number],),
            )  # fmt: skip
