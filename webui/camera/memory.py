"""What the camera last saw of each figure: the permanence between observations.

A figure stands where the game says; the memory says where the camera last saw its base. The two differ where a
person or a rule has put the figure elsewhere since: such a figure is *held* until its base really moves. All of
it can be told again from the journal, so nothing is lost with the process.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import UNSET, Struct
from msgspec.structs import replace

from engine.events import AddFigures, AddUnit, Begin, Event, Place, PlaceFigures
from engine.keeping.entry import Entry
from engine.records.game import Figure, Game, game_from
from vision.records import BaseSeen

__all__ = [
    "Memory",
    "Seen",
    "base_seen",
    "faced",
    "held",
    "place_on",
    "pose_of",
    "remembered",
    "seen_as",
    "told_again",
]

_SAME_FRONT_DEG = 60.0  # sides turned by more leave it open which of the two ways a base was turned
_AXIS_SIGMA_DEG = 2.0  # no axis is known worse


class Seen(Struct, frozen=True, kw_only=True):
    """Where a base was last seen, in table millimetres, and the unit whose figure stands on it."""

    unit: str
    x_mm: float
    y_mm: float
    bearing_deg: float | None = None
    z_mm: float = 0.0
    sigma_mm: float = 0.0
    bearing_sigma_deg: float | None = None


#: Figure id → where its base was last seen. Figures that the game has lost keep theirs (see `webui.camera.muster`).
Memory = Mapping[str, Seen]


def pose_of(unit: str, figure: Figure, sigma_mm: float) -> Seen:
    """The memory of a figure that stands where the game says."""
    return Seen(
        unit=unit, x_mm=figure.x_mm, y_mm=figure.y_mm, z_mm=figure.z_mm, bearing_deg=figure.bearing_deg,
        sigma_mm=sigma_mm, bearing_sigma_deg=figure.bearing_sigma_deg,
    )  # fmt: skip


def seen_as(unit: str, place: Place) -> Seen:
    """The memory of a figure that the camera saw at a place."""
    return Seen(
        unit=unit, x_mm=place.x_mm, y_mm=place.y_mm, z_mm=place.z_mm, bearing_deg=place.bearing_deg,
        sigma_mm=place.sigma_mm or 0.0, bearing_sigma_deg=place.bearing_sigma_deg,
    )  # fmt: skip


def base_seen(unit: str, base: BaseSeen) -> Seen:
    """The memory of a figure that stands on a base."""
    return seen_as(unit, place_on("", base))


def place_on(figure: str, base: BaseSeen, bearing_deg: float | None = None) -> Place:
    """A figure that stands on a base, to a hundredth of a millimetre.

    ``bearing_deg`` is taken where the base does not show one.
    """
    return Place(
        figure=figure,
        x_mm=round(base.x_mm, 2),
        y_mm=round(base.y_mm, 2),
        z_mm=round(base.z_mm, 2),
        sigma_mm=round(base.sigma_mm, 3),
        bearing_deg=bearing_deg if base.bearing_deg is None else round(base.bearing_deg, 2),
        bearing_sigma_deg=None if base.bearing_sigma_deg is None else round(base.bearing_sigma_deg, 2),
    )


def faced(base: BaseSeen, before_deg: float | None) -> BaseSeen:
    """A rectangle whose front is not told as it faces if it was turned as little as its sides allow.

    Any other stays as it is, and so does one that may have been turned either way about, or never was seen to face.

    >>> seen = BaseSeen(army="red", base="horse", x_mm=0, y_mm=0, z_mm=0, bearing_deg=None, sigma_mm=0.3,
    ...                 bearing_sigma_deg=None, confidence=1.0, axis_deg=40.0)
    >>> faced(seen, 200.0).bearing_deg, faced(seen, 300.0).bearing_deg
    (220.0, None)
    """
    if base.bearing_deg is not None or base.axis_deg is UNSET or before_deg is None:
        return base
    turned_deg = (base.axis_deg - before_deg + 90.0) % 180.0 - 90.0
    if abs(turned_deg) > _SAME_FRONT_DEG:
        return base
    return replace(base, bearing_deg=(before_deg + turned_deg) % 360.0, bearing_sigma_deg=_AXIS_SIGMA_DEG)


def remembered(memory: Memory, kind: str, events: Iterable[Event], game: Game) -> Memory:
    """The memory after the events of an entry of that kind; ``game`` is the game after them."""
    owners = {figure.id: unit.id for unit in game.units for figure in unit.figures}
    after = dict(memory)
    for event in events:
        for change in event.changes:
            if isinstance(change, Begin):
                after = _of_game(game_from(change.game, "the event that begins the game"))
            elif isinstance(change, PlaceFigures) and kind == "camera":
                after |= {p.figure: seen_as(owners[p.figure], p) for p in change.places if p.figure in owners}
            elif isinstance(change, AddUnit):
                after |= {figure.id: pose_of(change.unit.id, figure, 0.0) for figure in change.unit.figures}
            elif isinstance(change, AddFigures):
                after |= {figure.id: pose_of(change.unit, figure, 0.0) for figure in change.figures}
        after |= _anchored(event)
    return after


def told_again(entries: Iterable[Entry], game: Game) -> Memory:
    """The memory that a whole journal leads to; ``game`` is the journal's game.

    An undo takes nothing back here: the bases stand where they stand.
    """
    memory: Memory = {}
    for entry in entries:
        memory = remembered(memory, entry.kind, entry.events, game)
    owners = {figure.id: unit.id for unit in game.units for figure in unit.figures}
    return {name: seen for name, seen in memory.items() if owners.get(name, seen.unit) == seen.unit}


def held(memory: Memory, game: Game) -> frozenset[str]:
    """The figures that stand elsewhere than the camera last saw them, because a person or a rule said so."""
    return frozenset(
        figure.id
        for unit in game.units
        for figure in unit.figures
        if figure.id in memory and _elsewhere(memory[figure.id], figure)
    )


def _elsewhere(seen: Seen, figure: Figure) -> bool:
    return (seen.x_mm, seen.y_mm, seen.bearing_deg) != (figure.x_mm, figure.y_mm, figure.bearing_deg)


def _of_game(game: Game) -> dict[str, Seen]:
    return {
        figure.id: pose_of(unit.id, figure, game.sigma_mm(figure)) for unit in game.units for figure in unit.figures
    }


def _anchored(event: Event) -> dict[str, Seen]:
    """The memory that an event brings along: which base a person meant (the fact ``bases``)."""
    bases = event.facts.get("bases")
    if not isinstance(bases, Mapping):
        return {}
    return {str(figure): Seen(**seen) for figure, seen in bases.items()}
