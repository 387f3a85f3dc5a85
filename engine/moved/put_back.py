"""Where figures stood before people put them elsewhere on the map: to be put back there, if that was a slip.

``log undo`` and the page's Undo pass over what says only where figures stand, so this is the way back. Several
corrections in a row lead back to where the figure stood before the first; what the camera or the rules say of a
figure since leaves nothing to put back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from engine.errors import UnusableFile
from engine.events import Event, Place, apply
from engine.keeping.entries import events_on, standing
from engine.keeping.entry import Entry
from engine.keeping.placing import figures_placed
from engine.moved.by_hand import placed_event
from engine.records.game import Figure, Game

__all__ = ["Stood", "put_back_event", "stood_after", "stood_before", "units_put_elsewhere"]

#: How figures that people put elsewhere had stood before, by figure.
Stood = Mapping[str, Figure]

_BACK = "put-back"


def stood_after(stood: Stood, kind: str, events: Iterable[Event], before: Game) -> Stood:
    """What is known after the events of an entry of that kind; ``before`` is the game that it found."""
    if kind == "begin":
        return {}
    were = {figure.id: figure for unit in before.units for figure in unit.figures}
    found = dict(stood)
    for event in events:
        by_hand = kind == "place" and event.event != _BACK
        for name in figures_placed(event):
            if by_hand and name in were:
                found.setdefault(name, were[name])
            else:
                found.pop(name, None)
    return found


def stood_before(entries: Sequence[Entry]) -> Stood:
    """What a whole journal tells of it."""
    stood: Stood = {}
    game: Game | None = None
    for entry in standing(entries):
        events = events_on(entry, game)
        if game is not None:
            stood = stood_after(stood, entry.kind, events, game)
        for event in events:
            game = apply(game, event)
    return stood


def units_put_elsewhere(game: Game, stood: Stood) -> tuple[str, ...]:
    """The units of which figures can be put back, in the game's order."""
    return tuple(unit.id for unit in game.units if any(figure.id in stood for figure in unit.figures))


def put_back_event(game: Game, unit: str, stood: Stood) -> Event:
    """The event that a unit's figures stand again where they stood before people put them elsewhere.

    They are as surely there as they were then. Raises UnusableFile where there is no such unit, or none of its
    figures was put elsewhere since it was last seen or moved.
    """
    if unit not in game.by_id:
        raise UnusableFile(f"unit: there is no unit {unit!r} in the game")
    places = [_place_of(stood[figure.id]) for figure in game.unit(unit).figures if figure.id in stood]
    if not places:
        raise UnusableFile(
            f"unit: nobody has put figures of {unit} elsewhere by hand since they were last seen or moved: there is"
            " nothing to put back"
        )
    return replace(placed_event(game, places), event=_BACK)


def _place_of(figure: Figure) -> Place:
    return Place(
        figure=figure.id, x_mm=figure.x_mm, y_mm=figure.y_mm, z_mm=figure.z_mm, bearing_deg=figure.bearing_deg,
        sigma_mm=figure.sigma_mm, bearing_sigma_deg=figure.bearing_sigma_deg,
    )  # fmt: skip
