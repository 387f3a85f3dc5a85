"""A person says where figures stand: which bases are theirs from now on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from calibration.records import Table
from engine.errors import UnusableFile
from engine.events import Event, Place
from engine.moved.by_hand import placed_event
from engine.records.game import Figure, Game
from vision.records import BaseSeen
from webui.camera.memory import Memory, Seen, base_seen
from webui.camera.muster import Kind, kinds_of

__all__ = ["MEANT_MM", "placed_bases", "swapped"]

#: A figure put this near to a base is meant to stand on it.
MEANT_MM = 12.0


def placed_bases(
    game: Game, memory: Memory, places: Sequence[Place], bases: Sequence[BaseSeen], table: Table
) -> dict[str, dict[str, Any]]:
    """What to remember of figures that a person has put onto a base: figure → its base as plain values.

    A figure that stood on that base until now takes the base that the other leaves.
    """
    owners = {figure.id: unit.id for unit in game.units for figure in unit.figures}
    kinds = kinds_of(game, table)
    after: dict[str, Seen] = {name: seen for name, seen in memory.items() if name in owners}
    changed: set[str] = set()
    for place in places:
        base = _meant(place, kinds.get(place.figure), bases)
        if base is None:
            continue
        before = next((name for name, seen in after.items() if _on(seen, base) and name != place.figure), None)
        if before is not None and place.figure in after:
            after[before] = msgspec.structs.replace(after[place.figure], unit=owners[before])
            changed.add(before)
        after[place.figure] = base_seen(owners[place.figure], base)
        changed.add(place.figure)
    return {name: msgspec.to_builtins(after[name]) for name in sorted(changed)}


def swapped(game: Game, memory: Memory, one: str, other: str) -> Event:
    """The event that two figures, or two units of as many figures, stand each where the other stood.

    Each is on the other's base from now on, as far as ``memory`` has where the camera saw it. Raises UnusableFile.
    """
    owners = {figure.id: unit.id for unit in game.units for figure in unit.figures}
    pairs = list(zip(*_as_many(game, one, other), strict=True))
    places: list[Place] = []
    bases: dict[str, Any] = {}
    for pair in pairs:
        for figure, stood in (pair, pair[::-1]):
            places.append(_place_of(figure, stood))
            if stood.id in memory:
                seen = msgspec.structs.replace(memory[stood.id], unit=owners[figure.id])
                bases[figure.id] = msgspec.to_builtins(seen)
    event = placed_event(game, places)
    return msgspec.structs.replace(event, facts={**event.facts, "bases": bases})


def _as_many(game: Game, one: str, other: str) -> tuple[tuple[Figure, ...], tuple[Figure, ...]]:
    """The figures of both names: those of two units, or two figures. Raises UnusableFile."""
    first, second = _figures(game, one), _figures(game, other)
    if one == other or {figure.id for figure in first} & {figure.id for figure in second}:
        raise UnusableFile(f"{other}: expected another than {one}")
    if len(first) != len(second):
        raise UnusableFile(f"{other}: expected as many figures as {one} has, {len(first)}, got {len(second)}")
    return first, second


def _figures(game: Game, name: str) -> tuple[Figure, ...]:
    if name in game.by_id:
        return game.unit(name).figures
    found = tuple(figure for unit in game.units for figure in unit.figures if figure.id == name)
    if not found:
        raise UnusableFile(f"{name}: expected a figure or a unit of the game; 'vedette place' lists the figures")
    return found


def _place_of(figure: Figure, stood: Figure) -> Place:
    """Where another figure stood, as a person says it: exactly there, though he did not measure it."""
    return Place(
        figure=figure.id, x_mm=stood.x_mm, y_mm=stood.y_mm, z_mm=stood.z_mm, bearing_deg=stood.bearing_deg,
        sigma_mm=stood.sigma_mm, bearing_sigma_deg=stood.bearing_sigma_deg,
    )  # fmt: skip


def _meant(place: Place, kind: Kind | None, bases: Sequence[BaseSeen]) -> BaseSeen | None:
    near = [
        base
        for base in bases
        if math.hypot(base.x_mm - place.x_mm, base.y_mm - place.y_mm) <= MEANT_MM
        and (kind is None or base.army in (None, kind.army))
    ]
    return min(near, key=lambda b: math.hypot(b.x_mm - place.x_mm, b.y_mm - place.y_mm), default=None)


def _on(seen: Seen, base: BaseSeen) -> bool:
    return math.hypot(seen.x_mm - base.x_mm, seen.y_mm - base.y_mm) <= MEANT_MM
