"""A melee against a hex: who attacks it from where, and everything that speaks against it (MP-169 to MP-180)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.geometry.grids.flat import direction_between
from engine.records.game import Cell
from engine.rulesets.musket_pike.board import Board
from engine.rulesets.musket_pike.bridges import bridge_reasons
from engine.rulesets.musket_pike.crossings import Crossing, crossing_of, walker_of
from engine.rulesets.musket_pike.troops import Troop
from engine.rulesets.reasons import Reasons, listed

__all__ = ["Assault", "assault_reasons", "bridge_assault_reasons"]


@dataclass(frozen=True, eq=False)
class Assault:
    """An attack by units of one side on a hex; ``leaders`` only go along when the hex is taken."""

    board: Board
    cell: Cell
    attackers: tuple[Troop, ...]
    leaders: tuple[Troop, ...] = ()

    @property
    def side(self) -> str:
        """The side that attacks."""
        return self.attackers[0].side

    @cached_property
    def defenders(self) -> tuple[Troop, ...]:
        """The enemy units in the hex, leaders and wagons too, in file order."""
        return self.board.enemies_at(self.cell, self.side)

    @cached_property
    def fighters(self) -> tuple[Troop, ...]:
        """The defenders but for leaders and wagons."""
        return tuple(troop for troop in self.defenders if troop.fights)

    @cached_property
    def displaces(self) -> bool:
        """Whether blocks push cavalry out of the hex, without a fight (MP-171)."""
        riders_alone = bool(self.fighters) and all(troop.horse for troop in self.fighters)
        return riders_alone and all(troop.block for troop in self.attackers)

    def direction(self, troop: Troop) -> int | None:
        """The side of its hex that an attacker comes over; None where it is not adjacent."""
        return direction_between(troop.hex, self.cell)

    def crossing(self, troop: Troop) -> Crossing | None:
        """What the ground asks of an attacker; roads do not help into a hex that is held."""
        direction = self.direction(troop)
        if direction is None:
            return None
        return crossing_of(self.board, walker_of(troop)._replace(roads=False), troop.hex, direction)


def assault_reasons(assault: Assault, *, bridge: bool = False) -> Reasons:
    """Everything that speaks against an attack, on units or on an empty bridge."""
    reasons, board = Reasons(), assault.board
    active, conditions = board.game.turn.active_side, board.conditions
    reasons.add(active is not None and active != assault.side, f"it is {active}'s turn", "MP-11")
    kept = conditions.mode == "phases" and conditions.phase is not None
    reasons.add(kept and conditions.phase != "melee", f"this is the {conditions.phase} phase", "MP-14")
    reasons.add(not assault.defenders and not bridge, f"there is no enemy in {list(assault.cell)}", "MP-169")
    for troop in assault.attackers:
        _position(reasons, assault, troop)
        _state(reasons, board, troop)
        _arm(reasons, assault, troop)
    _together(reasons, assault)
    return reasons


def bridge_assault_reasons(assault: Assault) -> Reasons:
    """Everything that speaks against an attack on an empty bridge; nobody has to be able to enter it (MP-167)."""
    reasons = assault_reasons(assault, bridge=True)
    found = bridge_reasons(assault.board, assault.cell)
    reasons.extend(zip(found.texts, found.rules, strict=True))
    return reasons


def _position(reasons: Reasons, assault: Assault, troop: Troop) -> None:
    """An attacker stands beside the hex, faces it, and could enter it (MP-169, MP-172)."""
    direction, crossing = assault.direction(troop), assault.crossing(troop)
    if direction is None or crossing is None:
        hexes = assault.board.apart(troop.hex, assault.cell)
        reasons.add(True, f"{troop.id} is {hexes} hexes away, not adjacent", "MP-169")
        return
    turned = troop.facing is not None and (direction - troop.facing) % 6 not in (0, 1)
    reasons.add(turned, f"{troop.id} does not face the hex", "MP-169")
    if assault.defenders and (troop.foot or troop.horse):
        reasons.extend((f"{troop.id}: {text}", "MP-172") for text, _ in crossing.bars)


def _state(reasons: Reasons, board: Board, troop: Troop) -> None:
    """Those that cannot attack as they are (MP-170, MP-178)."""
    state = troop.state
    for holds, what in (
        (state.fixed, "is fixed"), (state.routed, "is routed"), (state.detached, "is detached"),
    ):  # fmt: skip
        reasons.add(holds, f"{troop.id} {what}", "MP-170")
    unable = troop.leader or troop.wagon or troop.gun or troop.type == "ship"
    reasons.add(unable, f"{troop.id}: {troop.type} units do not attack", "MP-170")
    again = troop.horse and (state.can_continue or board.options.multiple_cavalry_melees)
    reasons.add(state.meleed and not again, f"{troop.id} has fought a melee this turn", "MP-170")
    if troop.horse and state.can_continue:
        most, fights = board.parameters.continuation_hexes, board.parameters.charge_max_melees
        spent = state.continued >= most
        reasons.add(spent, f"{troop.id} has gone on for {state.continued} hexes, at most {most}", "MP-178")
        tired = state.melees >= fights
        reasons.add(tired, f"{troop.id} has fought {state.melees} melees, at most {fights}", "MP-178")


def _arm(reasons: Reasons, assault: Assault, troop: Troop) -> None:
    """Which arm and formation attacks what (MP-28, MP-171, MP-175)."""
    pikes = troop.foot and troop.unit.weapon == "pike" and not troop.block
    reasons.add(pikes, f"{troop.id}: pikes attack in block alone", "MP-28")
    no_line = troop.line and "no-line" in troop.attributes
    reasons.add(no_line, f"{troop.id} attacks in block or column alone", "MP-28")
    riders = [other.id for other in assault.defenders if other.horse]
    if riders and troop.foot and not troop.block:
        reasons.add(True, f"{troop.id}: infantry does not attack mounted cavalry ({listed(riders)})", "MP-171")
    elif riders and troop.block and not assault.displaces:
        reasons.add(True, f"{troop.id}: a block only pushes cavalry away that stands by itself", "MP-171")
    chateau = assault.board.ground.kind(assault.cell) == "chateau"
    reasons.add(chateau and troop.horse, f"{troop.id}: cavalry does not attack a chateau", "MP-175")


def _together(reasons: Reasons, assault: Assault) -> None:
    """What all attackers together must keep to (MP-173, MP-174, MP-180, MP-203)."""
    board, attackers = assault.board, assault.attackers
    men, parameters = sum(troop.men for troop in attackers), board.parameters
    over = f"{men:g} men attack, at most {parameters.max_stacking:g}"
    reasons.add(men > parameters.max_stacking, over, "MP-173")
    many = f"{len(attackers)} units attack, at most {parameters.max_units}"
    reasons.add(len(attackers) > parameters.max_units, many, "MP-173")
    nations = sorted({troop.nation for troop in attackers})
    reasons.add(len(nations) > 1, f"{listed(nations)} do not attack together", "MP-174")
    again = assault.cell in board.conditions.attacked and not _may_again(board, attackers)
    reasons.add(again, f"{list(assault.cell)} was attacked in this player turn", "MP-180")
    hexes = {troop.hex for troop in attackers}
    for leader in assault.leaders:
        reasons.add(leader.hex not in hexes, f"{leader.id} is with none of the attackers", "MP-203")


def _may_again(board: Board, attackers: Sequence[Troop]) -> bool:
    """Whether a hex may be attacked once more by these: in continuation, or by the options (MP-178, MP-180)."""
    options = board.options
    return all(
        (troop.horse and (troop.state.can_continue or options.multiple_cavalry_melees))
        or (troop.foot and options.multiple_infantry_melees)
        for troop in attackers
    )
