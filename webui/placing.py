"""A person says where figures stand: which bases are theirs from now on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from calibration.records import Table
from engine.events import Place
from engine.records.game import Game
from vision.records import BaseSeen
from webui.memory import Memory, Seen, base_seen
from webui.muster import kinds_of

__all__ = ["MEANT_MM", "placed_bases"]

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


def _meant(place: Place, kind: tuple[str, str] | None, bases: Sequence[BaseSeen]) -> BaseSeen | None:
    near = [
        base
        for base in bases
        if math.hypot(base.x_mm - place.x_mm, base.y_mm - place.y_mm) <= MEANT_MM
        and (kind is None or base.army in (None, kind[0]))
    ]
    return min(near, key=lambda b: math.hypot(b.x_mm - place.x_mm, b.y_mm - place.y_mm), default=None)


def _on(seen: Seen, base: BaseSeen) -> bool:
    return math.hypot(seen.x_mm - base.x_mm, seen.y_mm - base.y_mm) <= MEANT_MM
