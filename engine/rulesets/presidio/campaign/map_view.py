"""The campaign's map as it is shown, and what a side does not know of it (PR-1101 to PR-1108)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from engine.records.game import Cell, Game
from engine.rulesets.base.campaigns import (
    CampaignView,
    Card,
    Fact,
    Gesture,
    Ground,
    MapHex,
    Mark,
    Piece,
    drawn_hexes,
    drawn_lines,
    named,
)
from engine.rulesets.presidio.campaign.mapping import (
    against_move,
    enemies_in,
    lie_of_the_land,
    march,
    reinforcements,
)
from engine.rulesets.presidio.campaign.standing import (
    Campaign,
    Hex,
    Marker,
    campaign_of,
    cell_of,
    changed,
    known_as,
    written,
)
from engine.rulesets.presidio.raid_book import raid_book
from engine.rulesets.presidio.vocabulary import state_of

__all__ = ["unknown", "veiled", "view"]

_MARKS: tuple[Mark, ...] = ("hill", "road", "river")
_MOVE = Gesture(action="map-move", piece="marker", hex="to", side="side")
_ENTER = Gesture(action="map-entry", piece="marker", hex="to", side="side")


def unknown(game: Game, side: str | None) -> frozenset[str]:
    """The units that stand under other sides' markers and have not been revealed (PR-1102)."""
    return frozenset(
        name
        for marker in campaign_of(game).markers
        if marker.side != side and not marker.seen
        for name in marker.units
        if name in game.by_id
    )


def veiled(game: Game, side: str | None) -> Game:
    """The game as a side knows it: other sides' unseen markers all look the same (PR-1102).

    Who lies hidden on the table is left out of a marker that has been seen, too (PR-432).
    """
    campaign = campaign_of(game)
    hidden = {unit.id for unit in game.units if unit.side != side and state_of(unit).hidden}
    markers = tuple(
        marker
        if marker.side == side
        else replace(marker, units=tuple(name for name in marker.units if name not in hidden))
        if marker.seen
        else replace(marker, units=(), blank=False)
        for marker in campaign.markers
    )
    if markers == campaign.markers:
        return game
    known = changed(game, replace(campaign, markers=markers))[0].value
    return replace(game, conditions={**game.conditions, "campaign": known})


def view(game: Game) -> CampaignView | None:
    """The map with its markers, whose day it is, who has met whom."""
    campaign = campaign_of(game)
    if not campaign.markers and not campaign.hexes:
        return CampaignView(title="Campaign", begun=False, text="No campaign has begun.")
    return CampaignView(
        title="Campaign",
        begun=bool(campaign.markers),
        stage=_stage(game, campaign),
        side=_mover(campaign),
        facts=tuple(_facts(campaign)),
        hexes=tuple(_hexes(campaign)),
        lines=(
            *drawn_lines("river", _with(campaign, "river")),
            *drawn_lines("road", _with(campaign, "road")),
        ),
        pieces=tuple(_piece(game, campaign, marker) for marker in campaign.markers),
        cards=tuple(_cards(game, campaign)),
        move=_MOVE,
        enter=_ENTER,
    )


def _stage(game: Game, campaign: Campaign) -> str:
    words = [f"Day {campaign.day}"]
    if campaign.hour is not None:
        words.append(f"{campaign.hour % 24}:00")
    if not campaign.markers:
        words.append("before the first day")
    elif not campaign.order:
        words.append("strategic initiative is still to be rolled")
    else:
        mover = _mover(campaign)
        words.append("every marker has moved" if mover is None else f"{named(mover)} to move")
    return " · ".join(words)


def _mover(campaign: Campaign) -> str | None:
    """The first side in today's order that has a marker on the map which has not moved (PR-1103)."""
    for side in campaign.order:
        if any(one.side == side and one.hex is not None and not one.moved for one in campaign.markers):
            return side
    return None


def _facts(campaign: Campaign) -> Iterator[Fact]:
    large = campaign.scale == "large"
    yield Fact(label="A hex is", value="twenty miles" if large else "a few hours' march")
    if campaign.order:
        yield Fact(label="Order today", value=", then ".join(named(side) for side in campaign.order))
    if campaign.hour is not None:
        dark = campaign.hour >= raid_book().campaign.dark
        yield Fact(label="Hour of contact", value=f"{campaign.hour % 24}:00{', dark' if dark else ''}")
    for party in campaign.parties:
        told = f"{party.leagues} leagues" + (", knows that it is pursued" if party.knows_pursued else "")
        yield Fact(label=f"{named(party.id)} ({party.role})", value=told)


def _hexes(campaign: Campaign) -> Iterator[MapHex]:
    names = {cell_of(name): name for name in campaign.hexes}
    for (cell, name), (centre, outline) in zip(names.items(), drawn_hexes(list(names)), strict=True):
        one = campaign.hexes[name]
        ground: Ground = one.terrain
        marks: list[Mark] = [mark for mark in _MARKS if getattr(one, mark)]
        yield MapHex(
            id=written(cell), cell=cell, centre=centre, outline=outline, ground=ground, marks=tuple(marks),
            title=one.name,
        )  # fmt: skip


def _with(campaign: Campaign, mark: str) -> list[Cell]:
    return [cell_of(name) for name, one in campaign.hexes.items() if getattr(one, mark)]


def _piece(game: Game, campaign: Campaign, marker: Marker) -> Piece:
    cell = None if marker.hex is None else cell_of(marker.hex)
    known = marker.blank or bool(marker.units)
    return Piece(
        id=marker.id, side=marker.side, title=known_as(marker), hex=None if cell is None else written(cell),
        lines=tuple(_contents(game, marker)), known=known, moved=marker.moved,
        reach=() if cell is None or marker.moved else tuple(_reach(game, campaign, marker, cell)),
    )  # fmt: skip


def _contents(game: Game, marker: Marker) -> Iterator[str]:
    """What a marker stands for, as far as the game given tells."""
    if marker.blank:
        yield "Nobody: a blank"
    elif not marker.units:
        yield "Not known"
    for name in marker.units:
        if name in game.by_id:
            unit = game.unit(name)
            men = len(unit.figures)
            yield (unit.name or named(unit.id)) + (f" ({men} figure{'s' * (men > 1)})" if men else "")
        else:
            yield named(name)


def _reach(game: Game, campaign: Campaign, marker: Marker, start: Cell) -> Iterator[str]:
    for cell in march(campaign, start, side=marker.side, heavy=False).cost:
        if cell != start and not against_move(game, campaign, marker, cell):
            yield written(cell)


def _cards(game: Game, campaign: Campaign) -> Iterator[Card]:
    """A card for each hex in which opposed markers have met (PR-1105 to PR-1108)."""
    places: dict[Cell, list[Marker]] = {}
    for marker in campaign.markers:
        if marker.hex is not None and marker.seen:
            places.setdefault(cell_of(marker.hex), []).append(marker)
    for cell, there in places.items():
        if any(enemies_in(campaign, one, cell) for one in there):
            yield _battle(game, campaign, cell, tuple(there))


def _battle(game: Game, campaign: Campaign, cell: Cell, there: tuple[Marker, ...]) -> Card:
    land = lie_of_the_land(campaign, cell)
    lines = [f"{known_as(one)}: {', '.join(_contents(game, one))}" for one in there]
    lines.append("The table is set up as a camp" if land["layout"] == "camp" else "The table is a settlement")
    coming = reinforcements(campaign, cell, there)
    if coming:
        turn = raid_book().campaign.reinforced_turn
        names = ", ".join(known_as(one) for one in campaign.markers if one.id in coming)
        lines.append(f"On turn {turn} may arrive: {names}")
    if land["may_pursue"] is not None:
        lines.append(f"{named(str(land['may_pursue']))} may pursue whoever withdraws")
    asks = campaign.hour is None
    return Card(
        id=f"contact-{written(cell)}", title=f"Contact at {_title(campaign, cell)}", lines=tuple(lines),
        act={"action": "contact-time"} if asks else None, act_title="Hour of contact" if asks else "",
    )  # fmt: skip


def _title(campaign: Campaign, cell: Cell) -> str:
    found = next((one for name, one in campaign.hexes.items() if cell_of(name) == cell), Hex())
    return found.name or written(cell)
