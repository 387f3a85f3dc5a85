"""The terrain that the camera sees becomes the game's, where the game came without any."""

from __future__ import annotations

import math
from collections.abc import Sequence

from calibration.records import Table
from engine.errors import EngineError
from engine.events import Event, SetTerrain, fold
from engine.records.game import Game, Terrain
from engine.rulesets.base.ruleset import Ruleset
from vision.records import TerrainSeen

__all__ = ["new_pieces", "terrain_event"]

#: Two outlines of a kind whose middles lie nearer are of one piece, seen twice.
_SAME_MM = 80.0

Outline = Sequence[tuple[float, float]]


def new_pieces(
    game: Game, seen: Sequence[TerrainSeen], before: Sequence[TerrainSeen] | None
) -> tuple[TerrainSeen, ...]:
    """The pieces that the game does not have yet.

    After the first look (``before`` is None) a piece must have been seen twice: an arm may cut one in two.
    """
    laid = [(piece.kind, _middle(piece.polygon_mm)) for piece in game.terrain if piece.polygon_mm is not None]
    earlier = None if before is None else [(piece.kind, _middle(piece.polygon_mm)) for piece in before]
    return tuple(
        piece
        for piece in sorted(seen, key=lambda one: (one.kind, one.polygon_mm))
        if len(piece.polygon_mm) >= 3 and not _among(piece, laid) and (earlier is None or _among(piece, earlier))
    )


def terrain_event(game: Game, ruleset: Ruleset, table: Table, pieces: Sequence[TerrainSeen]) -> Event | None:
    """The event that lays the pieces; None where there is none that the ruleset knows.

    Kinds that the rules have no word for (a ploughed field, say) are left out and named in the facts.
    """
    heights = {kind.kind: kind.height_mm for kind in table.terrain_kinds}
    taken = {piece.id for piece in game.terrain}
    changes: list[SetTerrain] = []
    unknown: set[str] = set()
    for piece in pieces:
        name = _free_id(piece.kind, taken)
        laid = Terrain(
            id=name,
            kind=piece.kind,
            polygon_mm=tuple((round(x, 1), round(y, 1)) for x, y in piece.polygon_mm),
            height_mm=heights.get(piece.kind, 0.0),
        )
        if piece.kind not in unknown and _known(game, ruleset, laid):
            taken.add(name)
            changes.append(SetTerrain(terrain=laid))
        else:
            unknown.add(piece.kind)
    if not changes:
        return None
    facts = {"kinds": sorted({change.terrain.kind for change in changes}), "not_in_the_rules": sorted(unknown)}
    return Event(event="terrain-seen", facts=facts, changes=tuple(changes))


def _among(piece: TerrainSeen, others: Sequence[tuple[str, tuple[float, float]]]) -> bool:
    middle = _middle(piece.polygon_mm)
    return any(kind == piece.kind and math.dist(middle, other) < _SAME_MM for kind, other in others)


def _middle(outline: Outline) -> tuple[float, float]:
    """The middle of an outline's box: it stays where it is, however many corners an outline is given."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _free_id(kind: str, taken: set[str]) -> str:
    number = 1
    while f"{kind}-{number}" in taken:
        number += 1
    return f"{kind}-{number}"


def _known(game: Game, ruleset: Ruleset, laid: Terrain) -> bool:
    try:
        ruleset.check(fold([Event(event="terrain-seen", changes=(SetTerrain(terrain=laid),))], game))
    except EngineError:
        return False
    return True
