"""What keeps a unit from firing, whoever it would fire at (MP-11 to MP-14, MP-115 to MP-127)."""

from __future__ import annotations

from typing import Literal

from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.musket_pike.parameters import Weapon
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.troops import Troop

__all__ = ["Manner", "column_percent", "firing_reasons", "longest", "manner_of", "rating", "weapon_of"]

#: Fire in the own player turn, in the enemy's as opportunity fire, in the enemy's as a phase, or at an attacker.
Manner = Literal["offensive", "opportunity", "defensive", "melee"]


def manner_of(board: Board, troop: Troop, *, defending_melee: bool = False) -> Manner:
    """How a unit's fire counts now (MP-11, MP-115, MP-116)."""
    active = board.game.turn.active_side
    if active is None or troop.side == active:
        return "offensive"
    if board.conditions.mode == "phases":
        return "defensive"
    return "melee" if defending_melee else "opportunity"


def weapon_of(board: Board, troop: Troop) -> Weapon:
    """The unit's weapon; one without ratings where it has none."""
    return board.parameters.weapons.get(troop.unit.weapon, Weapon())


def rating(weapon: Weapon, hexes: int, *, hard: bool) -> float | None:
    """A weapon's rating at a range, against hard or soft targets; None: it has none (MP-128)."""
    return (weapon.hard if hard else weapon.soft).get(str(hexes))


def longest(weapon: Weapon) -> int:
    """The longest range that a weapon is rated for; 0 where it cannot be fired."""
    return max((int(hexes) for hexes in (*weapon.soft, *weapon.hard)), default=0)


def column_percent(board: Board, troop: Troop) -> float:
    """How much of its fire a unit of that nation has in column (MP-142)."""
    percent = board.parameters.nation(troop.nation).column_fire_percent
    return 0.0 if percent is None else percent


def firing_reasons(board: Board, troop: Troop, manner: Manner) -> Reasons:
    """Everything that keeps a unit on the map from firing at all."""
    reasons, state, weapon = Reasons(), troop.state, weapon_of(board, troop)
    own_turn = manner == "offensive"
    _by_phase(reasons, board, manner)
    reasons.add(
        not own_turn and not weapon.defensive_fire,
        f"a {troop.unit.weapon} cannot be used in defensive fire",
        "MP-115",
    )
    reasons.add(state.ammo == "out", "is out of ammunition", "MP-117")
    reasons.add(state.ammo == "low" and own_turn, "is low on ammunition: defensive fire only", "MP-117")
    parameters = board.parameters
    stack = [other for other in board.at(troop.hex) if other.fights]
    over = sum(other.men for other in stack) > parameters.max_stacking or len(stack) > parameters.max_units
    reasons.add(over, "its hex is over-stacked", "MP-118")
    reasons.add(state.fired, "has fired in this player turn", "MP-119")
    reasons.add(state.meleed and own_turn, "has fought a melee this turn", "MP-119")
    above = next((other for other in board.at(troop.hex) if other.line and other.number < troop.number), None)
    if above is not None:
        reasons.add(True, f"stands behind {above.id} in line in its hex", "MP-121")
    _by_state(reasons, board, troop, weapon, own_turn=own_turn)
    if troop.type in ("artillery", "ship"):
        left = board.conditions.artillery_ammo.get(troop.side)
        reasons.add(left is not None and left <= 0, "its side has no artillery ammunition left", "MP-127")
    return reasons


def _by_phase(reasons: Reasons, board: Board, manner: Manner) -> None:
    """In phase mode each side fires in its fire phase alone (MP-14)."""
    phase = board.conditions.phase
    if board.conditions.mode != "phases" or phase is None:
        return
    wanted = "offensive-fire" if manner == "offensive" else "defensive-fire"
    told, now = (name.replace("-", " ") for name in (wanted, phase))
    reasons.add(phase != wanted, f"fires only in the {told} phase, this is {now}", "MP-14")


def _by_state(reasons: Reasons, board: Board, troop: Troop, weapon: Weapon, *, own_turn: bool) -> None:
    """Those that cannot fire as they are (MP-124, MP-87)."""
    state = troop.state
    unarmed = troop.leader or troop.wagon or not longest(weapon)
    reasons.add(unarmed, "has no weapon to fire", "MP-124")
    reasons.add(state.routed and not board.options.routed_may_fire, "is routed", "MP-124")
    reasons.add(
        troop.column and not unarmed and column_percent(board, troop) <= 0,
        "may not fire in column",
        "MP-124",
    )
    if not troop.gun:
        return
    reasons.add(troop.formation == "limbered", "is limbered", "MP-124")
    reasons.add(state.setup == "setting-up", "is still being set up", "MP-124")
    reasons.add(state.uncrewed, "has no crew", "MP-124")
    reasons.add(state.taken_now, "was captured this turn: its captors fire it from their next one on", "MP-87")
    reasons.add(troop.turned_by_captors, "was captured and turned, and needs to be set up", "MP-87")
    if not own_turn:
        return
    if "horse-artillery" not in troop.attributes:
        reasons.add(state.unlimbered_now, "unlimbered this turn", "MP-124")
        # captured guns may be turned and fired at once (MP-87)
        reasons.add(state.turned_now and state.captured_by is None, "turned this turn", "MP-124")
        reasons.add(state.moved, "moved this turn", "MP-124")
