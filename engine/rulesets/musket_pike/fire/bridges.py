"""Empty bridges as targets: fire and melee take off their strength (MP-167)."""

from __future__ import annotations

from engine.errors import ActionRefused
from engine.events import Event
from engine.play import Procedure, happen
from engine.records.game import Cell, Game, Terrain
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.musket_pike.changes import ground
from engine.rulesets.musket_pike.draws import rounded
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.vocabulary import ground_of

__all__ = ["bridge_in", "bridge_reasons", "demand_on_map", "hit_bridge"]


def bridge_in(board: Board, cell: Cell) -> Terrain | None:
    """The bridge in a hex."""
    bridge = board.ground.bridges.get(cell)
    return None if bridge is None else next(piece for piece in board.game.terrain if piece.id == bridge.terrain)


def demand_on_map(board: Board, cell: Cell) -> None:
    """Makes sure that there is such a hex, which no umpire can overrule. Raises ActionRefused."""
    if not board.grid.holds(cell):
        raise ActionRefused([f"{list(cell)} is off the map"], ["MP-01"])


def bridge_reasons(board: Board, cell: Cell) -> Reasons:
    """Why a hex is no empty bridge that can be brought down."""
    reasons, bridge = Reasons(), board.ground.bridges.get(cell)
    reasons.add(bridge is None, f"there is no bridge in {list(cell)}", "MP-167")
    reasons.add(bridge is not None and not bridge.strength, "the bridge is down already", "MP-167")
    reasons.add(bool(board.at(cell)), f"units stand on the bridge in {list(cell)}", "MP-167")
    return reasons


def hit_bridge(game: Game, by: str, bridge: Terrain, value: float) -> Procedure[Game]:
    """What a combat result takes off a bridge, rounded."""
    strength = ground_of(bridge).strength
    value = min(value, strength)
    lost = min((yield from rounded(value, f"what {by} takes off the bridge", "MP-167")), strength)
    facts = {"unit": by, "bridge": bridge.id, "strength": strength - lost, "lost": lost}
    changes = ground(bridge, strength=strength - lost)
    return (yield from happen(Event(event="bridge", facts=facts, changes=changes, rule="MP-167")))
