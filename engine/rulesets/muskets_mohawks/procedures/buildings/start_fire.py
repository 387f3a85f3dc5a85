"""The action ``start-fire``, and how fires spread (MM-176 to MM-178)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine.dice import Roll
from engine.events import Change, Event, SetTerrain
from engine.geometry.plane.lines import perimeter
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Terrain
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.muskets_mohawks.options.actions import action_reasons
from engine.rulesets.muskets_mohawks.options.burning import burnable
from engine.rulesets.muskets_mohawks.procedures.buildings.bombardment import building_of, open_hole
from engine.rulesets.muskets_mohawks.procedures.changes import state
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, conditions_of, stats_of

__all__ = ["StartFireKeys", "must_be_left", "spread_fires", "start_fire"]

#: The impact of fire; less the defence value it is the inches that burn.
FIRE_IMPACT = 3

_RESULTS = {2: "started", 1: "smouldering", 0: "nothing"}


class StartFireKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``start-fire``."""

    building: str


def start_fire(game: Game, action: Action, keys: StartFireKeys) -> Procedure[None]:
    """Begins the action. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    building_of(game, keys.building)
    known = action_reasons(game, unit, "start-fire")
    reasons = list(known.texts)
    if not reasons and keys.building not in burnable(game, unit):
        reasons.append(f"{keys.building} is out of reach, burns already, or is of masonry")
    return _start_fire(game, action, keys.building, allow(action, reasons, known.rules))


def _start_fire(game: Game, action: Action, building: str, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    assert action.unit is not None
    rep = stats_of(game.unit(action.unit)).rep
    purpose = f"{action.unit} sets fire to {building}"
    rolled = yield from roll(Roll(purpose=purpose, count=2, success=f"<={rep}", rule="MM-176"))
    result = _RESULTS[min(2, rolled.passed)]
    piece = building_of(game, building)
    changes: list[Change] = [
        *state(action.unit, activated=True),
        _lit(piece) if result == "started" else _unlit(piece, smouldering=result == "smouldering"),
    ]
    facts = {"unit": action.unit, "building": building, "result": result}
    yield from happen(Event(event="start-fire", facts=facts, changes=tuple(changes), rule="MM-176"))


def _inches(piece: Terrain) -> int:
    return max(0, FIRE_IMPACT - int(piece.extra.get("dv", 1)))


def _lit(piece: Terrain) -> SetTerrain:
    """The building in flames, with its first hole (MM-177)."""
    inches = _inches(piece)
    return open_hole(piece, inches, fire_in=piece.extra.get("fire_in", 0) + inches, smouldering=False)


def _unlit(piece: Terrain, *, smouldering: bool) -> SetTerrain:
    """The building not in flames yet, told in full as one that burns is."""
    already = bool(piece.extra.get("smouldering", False))
    told = {"fire_in": 0, "hole_in": 0, **piece.extra, "smouldering": smouldering or already}
    return SetTerrain(terrain=replace(piece, extra=told))


def _wall_in(piece: Terrain) -> float:
    said = piece.extra.get("length_in")
    if said is not None:
        return float(said)
    return perimeter(np.array(piece.polygon_mm or (), dtype=float).reshape(-1, 2)) / MM_PER_INCH


def must_be_left(piece: Terrain) -> bool:
    """Whether half of a building or more burns (MM-178)."""
    burns = float(piece.extra.get("fire_in", 0))
    return burns > 0 and burns >= _wall_in(piece) / 2


def _burning(game: Game) -> Iterator[Terrain]:
    for piece in game.terrain:
        if piece.kind == "building" and 0 < piece.extra.get("fire_in", 0) < _wall_in(piece):
            yield piece


def spread_fires(game: Game) -> Procedure[Game]:
    """At the start of a turn: fires spread to one side, smouldering buildings catch (MM-176, MM-177)."""
    if conditions_of(game).nothing_fires:
        return game
    smouldering = [p for p in game.terrain if p.kind == "building" and p.extra.get("smouldering", False)]
    for piece in tuple(_burning(game)):
        rolled = yield from roll(Roll(purpose=f"the fire in {piece.id} spreads", count=1, rule="MM-177"))
        side = "left" if rolled.total <= 3 else "right"
        inches, burnt = _inches(piece), piece.extra.get("fire_in", 0)
        changes = (open_hole(piece, inches, fire_in=min(_wall_in(piece), burnt + inches)),)
        facts = {
            "building": piece.id,
            "side": side,
            "inches": inches,
            "fire_in": min(_wall_in(piece), burnt + inches),
        }
        facts["abandon"] = must_be_left(changes[0].terrain)
        game = yield from happen(Event(event="fire-spread", facts=facts, changes=changes, rule="MM-177"))
    for piece in smouldering:
        if piece.extra.get("fire_in", 0):
            continue
        facts = {"building": piece.id, "side": None, "inches": _inches(piece), "fire_in": _inches(piece)}
        game = yield from happen(Event(event="fire-spread", facts=facts, changes=(_lit(piece),), rule="MM-176"))
    return game
