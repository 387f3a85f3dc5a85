"""The terrain that the camera sees becomes the game's, once, where the game came without any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from calibration.records import Table
from engine.errors import EngineError
from engine.events import Event, SetTerrain, fold
from engine.records.game import Game, Terrain
from engine.rulesets.base import Ruleset
from vision.records import TerrainSeen

__all__ = ["terrain_event"]


def terrain_event(game: Game, ruleset: Ruleset, table: Table, seen: Sequence[TerrainSeen]) -> Event | None:
    """The event that lays the terrain that was seen; None where there is none that the ruleset knows.

    Kinds that the rules have no word for (a ploughed field, say) are left out and named in the facts.
    """
    heights = {kind.kind: kind.height_mm for kind in table.terrain_kinds}
    numbers: Counter[str] = Counter()
    changes: list[SetTerrain] = []
    unknown: set[str] = set()
    for piece in sorted(seen, key=lambda one: (one.kind, one.polygon_mm)):
        if piece.kind in unknown or len(piece.polygon_mm) < 3:
            continue
        numbers[piece.kind] += 1
        laid = SetTerrain(
            terrain=Terrain(
                id=f"{piece.kind}-{numbers[piece.kind]}",
                kind=piece.kind,
                polygon_mm=tuple((round(x, 1), round(y, 1)) for x, y in piece.polygon_mm),
                height_mm=heights.get(piece.kind, 0.0),
            )
        )
        if _known(game, ruleset, laid):
            changes.append(laid)
        else:
            unknown.add(piece.kind)
    if not changes:
        return None
    facts = {"kinds": sorted({change.terrain.kind for change in changes}), "not_in_the_rules": sorted(unknown)}
    return Event(event="terrain-seen", facts=facts, changes=tuple(changes))


def _known(game: Game, ruleset: Ruleset, laid: SetTerrain) -> bool:
    try:
        ruleset.check(fold([Event(event="terrain-seen", changes=(laid,))], game))
    except EngineError:
        return False
    return True
