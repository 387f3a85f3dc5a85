"""``survey`` and ``lay-terrain``: the sections that scouts see; terrain laid as proposed (MM-186, MM-232)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from engine.events import Change, Event, SetCondition, SetTerrain
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Figure, Game, Round, Terrain, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.procedures.changes import noted
from engine.rulesets.muskets_mohawks.procedures.solo.sections import near_edge, section_centre
from engine.rulesets.muskets_mohawks.seeing.sight import bodies_pairs
from engine.rulesets.muskets_mohawks.table.bodies import body_of
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of

__all__ = ["LayKeys", "lay_terrain", "sections_in_sight", "survey"]

_ALL = range(1, 10)


class LayKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``lay-terrain``: whether the pieces lie as proposed; else the camera reads what players laid."""

    as_proposed: bool = True


def sections_in_sight(game: Game) -> tuple[int, ...]:
    """The sections whose centre a Leader of the player's sees just now (MM-232)."""
    sheet, edge, side = sheet_of(game), near_edge(game), conditions_of(game).player_side
    leaders = [
        (unit, figure) for unit in game.units if unit.side == side and unit.type != "pef"
        for figure in unit.figures if figure.role in ("leader", "officer") or unit.type == "leader"
    ]  # fmt: skip
    if not leaders:
        return ()
    figures = [
        Figure(id=f"section {number}", x_mm=x, y_mm=y, base=Round(diameter_mm=1.0), role="pef")
        for number in _ALL
        for x, y in (section_centre(game, number, edge),)
    ]
    ground = Unit(id="sections", side=f"not {side}", type="pef", figures=tuple(figures))
    seen: set[int] = set()
    for unit, leader in leaders:
        lines = bodies_pairs(sheet, body_of(game, unit, [leader]), body_of(game, ground, figures))
        seen |= {number for number, clear in zip(_ALL, lines.clear[0], strict=True) if clear}
    return tuple(sorted(seen))


def survey(game: Game, action: Action) -> Procedure[None]:
    """Begins ``survey``: what the Leaders see is noted for this turn. Raises ActionRefused."""
    conditions, reasons = conditions_of(game), Reasons()
    reasons.add(conditions.encounter != "scout", "only scouts report what they see of the country", "MM-232")
    reasons.add(conditions.evening.play is None, "say first how you play", "MM-196")
    return _survey(game, action, allow(action, reasons))


def _survey(game: Game, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    seen = sorted({*conditions_of(game).evening.seen, *sections_in_sight(game)})
    missing = [number for number in _ALL if number not in seen]
    facts: dict[str, Any] = {"seen": seen, "missing": missing, "done": not missing}
    changes = noted(game, seen=seen, **({} if missing else {"scouted": True}))
    yield from happen(Event(event="surveyed", facts=facts, changes=changes, rule="MM-232"))


def lay_terrain(game: Game, action: Action, keys: LayKeys) -> Procedure[None]:
    """Begins ``lay-terrain``. Raises ActionRefused where nothing has been proposed."""
    pieces, reasons = conditions_of(game).proposals, Reasons()
    reasons.add(not pieces, "no terrain has been rolled that is still to be laid out", "MM-186")
    return _lay(game, action, pieces if keys.as_proposed else (), allow(action, reasons))


def _lay(
    game: Game, action: Action, pieces: Sequence[Mapping[str, Any]], against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    changes: list[Change] = [SetTerrain(terrain=piece) for piece in _laid(game, pieces)]
    facts = {"pieces": len(changes)}
    changes.append(SetCondition(key="proposals", value=[]))
    yield from happen(Event(event="terrain-laid", facts=facts, changes=tuple(changes), rule="MM-186"))


def _laid(game: Game, pieces: Sequence[Mapping[str, Any]]) -> Iterator[Terrain]:
    taken = {piece.id for piece in game.terrain}
    for piece in pieces:
        kind, extra = str(piece["kind"]), _extra(piece)
        kind = "hill" if kind == "wooded-hill" else kind
        name = next(name for number in range(1, 100) if (name := f"{kind}-{number}") not in taken)
        taken.add(name)
        ring = tuple((float(x), float(y)) for x, y in piece["polygon_mm"])
        yield Terrain(id=name, kind=kind, polygon_mm=ring, extra=extra)


def _extra(piece: Mapping[str, Any]) -> dict[str, Any]:
    """A building as strong as the dice said, its door in its first wall; a crest along the longer way of a hill."""
    ring = [(float(x), float(y)) for x, y in piece["polygon_mm"]]
    if piece["kind"] == "building":
        (ax, ay), (bx, by) = ring[:2]
        return {"dv": int(piece.get("dv", 1)), "door_mm": [(ax + bx) / 2, (ay + by) / 2]}
    if piece["kind"] in ("hill", "wooded-hill"):
        wooded = {"wooded": True} if piece["kind"] == "wooded-hill" else {}
        return {"crest_mm": _crest(ring), **wooded}
    return {}


def _crest(ring: Sequence[tuple[float, float]]) -> list[list[float]]:
    """A crest over the middle half of a hill, along its longer way."""
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    wide, deep = max(xs) - min(xs), max(ys) - min(ys)
    along = (wide / 4, 0.0) if math.isclose(wide, deep) or wide > deep else (0.0, deep / 4)
    return [[middle[0] + sign * along[0], middle[1] + sign * along[1]] for sign in (-1, 1)]
