"""Units that find themselves again: from disorder, from rout, from fatigue (MP-208, MP-209, MP-230, MP-243)."""

from __future__ import annotations

from engine.events import Event
from engine.play import Procedure, happen
from engine.records.game import Game
from engine.rulesets.musket_pike.changes import state
from engine.rulesets.musket_pike.draws import between, d6, half_up
from engine.rulesets.musket_pike.nerve.morale import rally_value, recovery_bar, recovery_value
from engine.rulesets.musket_pike.table.board import board_of

__all__ = ["disorder_step", "fatigue_step", "rally_step"]


def disorder_step(game: Game, side: str) -> Procedure[Game]:
    """Disordered units recover where a die shows no more than their value (MP-208)."""
    for troop in board_of(game).own(side):
        board = board_of(game)
        if not troop.fights or not troop.state.disordered or troop.state.routed:
            continue
        value = recovery_value(board, troop)
        if value <= 0 or recovery_bar(board, troop) is not None:
            continue
        die = yield from d6(f"{troop.id} recovers from disorder", "MP-208")
        if die <= value:
            facts = {"unit": troop.id, "value": value, "die": die}
            changes = state(troop.id, disordered=False)
            game = yield from happen(Event(event="recovered", facts=facts, changes=changes, rule="MP-208"))
    return game


def rally_step(game: Game, side: str) -> Procedure[Game]:
    """Routed units rally, disordered, where a die shows less than their value (MP-230, MP-231)."""
    for troop in board_of(game).own(side):
        board = board_of(game)
        if not troop.state.routed or not troop.fights or recovery_bar(board, troop) is not None:
            continue
        value = rally_value(board, troop)
        if value <= 0:
            continue
        die = yield from d6(f"{troop.id} rallies", "MP-231")
        if die < value:
            facts = {"unit": troop.id, "value": value, "die": die}
            changes = state(troop.id, routed=False, disordered=True)
            game = yield from happen(Event(event="rallied", facts=facts, changes=changes, rule="MP-230"))
    return game


def fatigue_step(game: Game, side: str) -> Procedure[Game]:
    """Units that rested since their last turn recover; then all may rest anew (MP-243)."""
    for troop in board_of(game).own(side):
        now = troop.state
        if not now.fatigue or now.exerted or now.repairing or not troop.fights:
            continue
        most = 2 * board_of(game).parameters.fatigue_recovery
        points = half_up((yield from between(0.0, most, f"{troop.id} recovers from fatigue", "MP-243")))
        total = max(0, now.fatigue - points)
        facts = {"unit": troop.id, "points": points, "total": total}
        changes = state(troop.id, fatigue=total)
        game = yield from happen(Event(event="fatigue-recovered", facts=facts, changes=changes, rule="MP-243"))
    tired = [troop.id for troop in board_of(game).own(side) if troop.state.exerted]
    if tired:
        rested = tuple(change for name in tired for change in state(name, exerted=False))
        game = yield from happen(Event(event="rested", facts={"units": tired}, changes=rested, rule="MP-243"))
    return game
