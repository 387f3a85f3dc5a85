"""A melee against a hex: who attacks it from where, and everything that speaks against it (MP-169 to MP-180)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.geometry.grids.flat import direction_between
from engine.records.game import Cell
from engine.rulesets.base.answers.reasons import Reasons, listed
from engine.rulesets.musket_pike.fire.bridges import bridge_reasons
from engine.rulesets.musket_pike.movement.crossings import Crossing, crossing_of, walker_of
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.troops import Troop

__all__ = [
    "Assault", "Held", "Reason", "again_reasons", "assault_reasons", "away_reason", "bridge_assault_reasons",
    "crowd_reasons", "held_against", "held_reasons", "own_reasons", "target_reasons", "together_reasons",
]  # fmt: skip

Reason = tuple[str, str]
#: The rows that bar the whole attack, told once.
_OF_THE_TURN = frozenset({"MP-11", "MP-14"})


@dataclass(frozen=True)
class Held:
    """Who holds a hex against a side: all of them, those who fight, and the mounted cavalry among them."""

    defenders: tuple[Troop, ...]
    names: tuple[str, ...]
    fighters: tuple[Troop, ...]
    riders: tuple[str, ...]

    @property
    def riders_alone(self) -> bool:
        """Whether nobody but mounted cavalry fights for the hex."""
        return bool(self.riders) and len(self.riders) == len(self.fighters)


def held_against(board: Board, cell: Cell, side: str) -> Held:
    """Who holds a hex against a side, worked out once for each board."""
    known: dict[Cell, Held] = board.once(("held", side), dict)
    found = known.get(cell)
    if found is None:
        defenders = board.enemies_at(cell, side)
        fighters = tuple(troop for troop in defenders if troop.fights)
        riders = tuple(troop.id for troop in fighters if troop.horse)
        found = known[cell] = Held(defenders, tuple(troop.id for troop in defenders), fighters, riders)
    return found


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

    @property
    def held(self) -> Held:
        """Who holds the hex."""
        return held_against(self.board, self.cell, self.side)

    @property
    def defenders(self) -> tuple[Troop, ...]:
        """The enemy units in the hex, leaders and wagons too, in file order."""
        return self.held.defenders

    @property
    def fighters(self) -> tuple[Troop, ...]:
        """The defenders but for leaders and wagons."""
        return self.held.fighters

    @property
    def displaces(self) -> bool:
        """Whether blocks push cavalry out of the hex, without a fight (MP-171)."""
        return self.held.riders_alone and all(troop.block for troop in self.attackers)

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
    reasons = Reasons()
    reasons.add(not assault.defenders and not bridge, f"there is no enemy in {list(assault.cell)}", "MP-169")
    for number, troop in enumerate(assault.attackers):
        own = own_reasons(assault.board, troop)
        reasons.extend(own if not number else [one for one in own if one[1] not in _OF_THE_TURN])
        reasons.extend(target_reasons(assault, troop))
    reasons.extend(together_reasons(assault))
    return reasons


def bridge_assault_reasons(assault: Assault) -> Reasons:
    """Everything that speaks against an attack on an empty bridge; nobody has to be able to enter it (MP-167)."""
    reasons = assault_reasons(assault, bridge=True)
    found = bridge_reasons(assault.board, assault.cell)
    reasons.extend(zip(found.texts, found.rules, strict=True))
    return reasons


def own_reasons(board: Board, troop: Troop) -> list[Reason]:
    """What keeps a unit from attacking, whatever it would attack: the turn first, then its state and its arms."""
    found: list[Reason] = []
    active, conditions = board.game.turn.active_side, board.conditions
    if active is not None and active != troop.side:
        found.append((f"it is the turn of {active}", "MP-11"))
    if conditions.mode == "phases" and conditions.phase not in (None, "melee"):
        found.append((f"this is the {conditions.phase} phase", "MP-14"))
    found += _of_its_state(board, troop)
    if troop.foot and troop.unit.weapon == "pike" and not troop.block:
        found.append((f"{troop.id}: pikes attack only in block", "MP-28"))
    if troop.line and "no-line" in troop.attributes:
        found.append((f"{troop.id} attacks only in block or column", "MP-28"))
    return found


def _of_its_state(board: Board, troop: Troop) -> Iterator[Reason]:
    """Those that cannot attack as they are (MP-170, MP-178)."""
    state = troop.state
    if state.fixed:
        yield f"{troop.id} is fixed", "MP-170"
    if state.routed:
        yield f"{troop.id} is routed", "MP-170"
    if state.detached:
        yield f"{troop.id} is detached", "MP-170"
    if not (troop.foot or troop.horse):
        yield f"{troop.id}: {troop.type} units do not attack", "MP-170"
    if state.meleed and not (troop.horse and (state.can_continue or board.options.multiple_cavalry_melees)):
        yield f"{troop.id} has fought a melee this turn", "MP-170"
    if troop.horse and state.can_continue:
        most, fights = board.parameters.continuation_hexes, board.parameters.charge_max_melees
        if state.continued >= most:
            yield f"{troop.id} has gone on for {state.continued} hexes, at most {most}", "MP-178"
        if state.melees >= fights:
            yield f"{troop.id} has fought {state.melees} melees, at most {fights}", "MP-178"


def target_reasons(assault: Assault, troop: Troop) -> list[Reason]:
    """What keeps one attacker from attacking this hex (MP-169, MP-171, MP-172, MP-175)."""
    found: list[Reason] = []
    direction = assault.direction(troop)
    if direction is None:
        found.append(away_reason(troop, assault.board.apart(troop.hex, assault.cell)))
    else:
        if troop.facing is not None and (direction - troop.facing) % 6 not in (0, 1):
            found.append((f"{troop.id} does not face the hex", "MP-169"))
        crossing = assault.crossing(troop)
        if crossing is not None and assault.defenders and (troop.foot or troop.horse):
            found += [(f"{troop.id}: {text}", "MP-172") for text, _ in crossing.bars]
    found += held_reasons(assault.board, assault.cell, assault.held, troop, displaces=assault.displaces)
    return found


def away_reason(troop: Troop, hexes: int) -> Reason:
    """That an attacker does not stand beside the hex (MP-169)."""
    return f"{troop.id} is {hexes} hexes away, not adjacent", "MP-169"


def held_reasons(board: Board, cell: Cell, held: Held, troop: Troop, *, displaces: bool) -> list[Reason]:
    """What keeps one attacker from attacking those who hold a hex, and what stands there (MP-171, MP-175)."""
    found: list[Reason] = []
    if held.riders and troop.foot and not troop.block:
        found.append((f"{troop.id}: infantry does not attack mounted cavalry ({listed(held.riders)})", "MP-171"))
    elif held.riders and troop.block and not displaces:
        found.append((f"{troop.id}: a block only pushes cavalry away that stands by itself", "MP-171"))
    if troop.horse and board.ground.kind(cell) == "chateau":
        found.append((f"{troop.id}: cavalry does not attack a chateau", "MP-175"))
    return found


def together_reasons(assault: Assault) -> Iterator[Reason]:
    """What all attackers together must keep to (MP-173, MP-174, MP-180, MP-203)."""
    board, attackers = assault.board, assault.attackers
    yield from crowd_reasons(board, attackers)
    yield from again_reasons(board, assault.cell, attackers)
    hexes = {troop.hex for troop in attackers}
    for leader in assault.leaders:
        if leader.hex not in hexes:
            yield f"{leader.id} is with none of the attackers", "MP-203"


def crowd_reasons(board: Board, attackers: Sequence[Troop]) -> Iterator[Reason]:
    """Why these do not attack together, whatever they would attack (MP-173, MP-174)."""
    parameters = board.parameters
    men = sum(troop.men for troop in attackers)
    if men > parameters.max_stacking:
        yield f"{men:g} men attack, at most {parameters.max_stacking:g}", "MP-173"
    if len(attackers) > parameters.max_units:
        yield f"{len(attackers)} units attack, at most {parameters.max_units}", "MP-173"
    nations = sorted({troop.nation for troop in attackers})
    if len(nations) > 1:
        yield f"{listed(nations)} do not attack together", "MP-174"


def again_reasons(board: Board, cell: Cell, attackers: Sequence[Troop]) -> Iterator[Reason]:
    """That a hex has been attacked already (MP-180)."""
    if cell in board.conditions.attacked and not _may_again(board, attackers):
        yield f"{list(cell)} was attacked in this player turn", "MP-180"


def _may_again(board: Board, attackers: Sequence[Troop]) -> bool:
    """Whether a hex may be attacked once more by these: in continuation, or by the options (MP-178, MP-180)."""
    options = board.options
    return all(
        (troop.horse and (troop.state.can_continue or options.multiple_cavalry_melees))
        or (troop.foot and options.multiple_infantry_melees)
        for troop in attackers
    )
