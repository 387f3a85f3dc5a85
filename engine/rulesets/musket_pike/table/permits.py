"""Why a unit may not move, turn or charge at all now, whatever lies before it (MP-11 to MP-14, MP-65, MP-100)."""

from __future__ import annotations

from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.troops import Troop
from engine.rulesets.musket_pike.table.weather import weather_name, weather_now

__all__ = ["charge_bars", "continues", "move_bars", "order_bars", "turn_bars"]


def order_bars(board: Board, troop: Troop) -> Reasons:
    """What keeps a unit from anything that is movement: turn, phase, a shot or a melee this turn (R45)."""
    reasons, state = Reasons(), troop.state
    active, conditions = board.game.turn.active_side, board.conditions
    reasons.add(active is not None and active != troop.side, f"it is the turn of {active}", "MP-11")
    kept = conditions.mode == "phases" and conditions.phase is not None
    reasons.add(kept and conditions.phase != "movement", f"this is the {conditions.phase} phase", "MP-14")
    reasons.add(state.fired, "has fired this turn", "MP-12")
    reasons.add(state.meleed, "has meleed this turn", "MP-13")
    return reasons


def move_bars(board: Board, troop: Troop) -> Reasons:
    """What keeps a unit from moving at all."""
    reasons, state = order_bars(board, troop), troop.state
    reasons.add(state.fixed, "is fixed", "MP-65")
    reasons.add(troop.type == "ship", "is a ship at anchor", "MP-27")
    reasons.add(troop.formation == "unlimbered", "is in action: limber first", "MP-23")
    reasons.add(state.captured_by is not None, "captured guns stay where they are", "MP-87")
    reasons.add(state.uncrewed and state.captured_by is None, "has no crew", "MP-88")
    reasons.add(state.charging, "has charged: it only goes on charging", "MP-102")
    return reasons


def turn_bars(board: Board, troop: Troop) -> Reasons:
    """What keeps a unit from turning or changing formation; fixed units may do both (R45)."""
    reasons, state = order_bars(board, troop), troop.state
    reasons.add(state.uncrewed and state.captured_by is None, "has no crew", "MP-88")
    reasons.add(state.charging, "has charged: no turning", "MP-102")
    return reasons


def continues(troop: Troop) -> bool:
    """Whether a charge that has won goes on: without a test, without points, though disordered (MP-178)."""
    return troop.horse and troop.state.can_continue


def charge_bars(board: Board, troop: Troop) -> Reasons:
    """What keeps a unit from charging, or from going on with a charge that it began (MP-100, MP-178)."""
    reasons, state = Reasons(), troop.state
    if continues(troop):
        active = board.game.turn.active_side
        reasons.add(active is not None and active != troop.side, f"it is the turn of {active}", "MP-11")
        most = board.parameters.continuation_hexes
        reasons.add(state.continued >= most, f"has gone on for {state.continued} hexes, at most {most}", "MP-178")
        reasons.add(state.halted, "is in a zone of control: it may attack, but not ride on", "MP-72")
    else:
        reasons = order_bars(board, troop)
        reasons.add(not troop.horse, "only mounted cavalry charges", "MP-100")
        reasons.add(state.disordered and not state.charging, "is disordered", "MP-100")
    reasons.add(state.routed, "is routed", "MP-100")
    reasons.add(state.fixed, "is fixed", "MP-65")
    reasons.add(weather_now(board).no_charges, f"no charges in {weather_name(board)}", "MP-100")
    return reasons
