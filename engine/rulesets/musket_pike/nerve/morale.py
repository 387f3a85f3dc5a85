"""What holds a unit together: morale, rally, recovery from disorder, fatigue (MP-208, MP-209, MP-219, MP-231)."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from engine.geometry.grids.flat import around, beyond, steps_apart
from engine.records.answer import Modifier
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.troops import QUALITY, Troop

__all__ = [
    "chain_of",
    "change_chance",
    "command_number",
    "commander_of",
    "flanked_by_friends",
    "morale_of",
    "morale_value",
    "nominal_command",
    "rally_value",
    "recovery_bar",
    "recovery_value",
]  # fmt: skip

_HIGH_COMMAND = frozenset({"army", "wing"})


def morale_of(board: Board, troop: Troop, *, enfiladed: bool = False) -> tuple[int, tuple[Modifier, ...]]:
    """A unit's morale value, and what makes it up beside its quality (MP-219)."""
    modifiers = tuple(
        Modifier(name=name, effect=f"{value:+d}", rule=rule, extra={"value": value})
        for name, value, rule in _morale_parts(board, troop, enfiladed)
        if value
    )
    return QUALITY[troop.stats.quality] + sum(part.extra["value"] for part in modifiers), modifiers


def morale_value(board: Board, troop: Troop, *, enfiladed: bool = False) -> int:
    """A unit's morale value alone (MP-219)."""
    return QUALITY[troop.stats.quality] + sum(value for _, value, _ in _morale_parts(board, troop, enfiladed))


def _morale_parts(board: Board, troop: Troop, enfiladed: bool) -> Iterator[tuple[str, int, str]]:
    state, worth = troop.state, board.parameters.morale
    level, tired = board.parameters.fatigue.level(state.fatigue)
    yield "leader in the hex", worth.leader * _led(board, troop), "MP-219"
    yield f"ammunition {state.ammo}", worth.ammunition * (state.ammo != "full"), "MP-219"
    yield "night", worth.night * board.conditions.night, "MP-219"
    yield f"{level} fatigue", tired.morale, "MP-219"
    yield "fired upon in enfilade", worth.enfiladed * enfiladed, "MP-219"
    yield "disordered", worth.disordered * state.disordered, "MP-219"
    yield "skirmisher", worth.skirmisher * troop.skirmisher, "MP-219"
    yield "fanatical", worth.fanatical * ("fanatical" in troop.attributes), "MP-219"
    if board.options.flank_morale:
        yield "friends on both flanks", worth.flanks * flanked_by_friends(board, troop), "R30"


def _led(board: Board, troop: Troop) -> bool:
    """Whether a leader other than a deputy stands in a unit's hex (MP-213)."""
    return any(other.leader and not other.stats.secondary for other in board.friends_at(troop.hex, troop.side))


def flanked_by_friends(board: Board, troop: Troop) -> bool:
    """Whether friends that are no skirmishers, leaders or wagons stand beyond both flanks (R30)."""
    if troop.facing is None or troop.skirmisher:
        return False
    flanks = (beyond(troop.hex, troop.facing + 5), beyond(troop.hex, troop.facing + 2))
    return all(
        any(other.fights and not other.skirmisher for other in board.friends_at(cell, troop.side))
        for cell in flanks
    )


def change_chance(board: Board, troop: Troop, threat: float, *, charging: bool = False) -> float:
    """The chance that a unit changes formation, or starts a charge, under a threat (MP-82, R18)."""
    if troop.gun:
        return 1.0
    worth = board.parameters.morale
    detached = worth.detached_charge * (charging and troop.state.detached)
    weight = worth.change_weight * max(0, morale_value(board, troop) + detached)
    return weight / (weight + threat) if threat > 0 else 1.0


def commander_of(board: Board, troop: Troop) -> Troop | None:
    """The leader on the map whom a unit answers to: one of its side, no deputy (MP-213)."""
    found = board.troops.get(troop.stats.commander or "")
    leads = found is not None and found.leader and not found.stats.secondary and found.side == troop.side
    return found if leads else None


def chain_of(board: Board, troop: Troop) -> frozenset[str]:
    """The leaders above a unit, up to the highest, whether on the map or not."""
    chain: list[str] = []
    name = troop.stats.commander
    while name is not None and name not in chain and name in board.game.by_id:
        chain.append(name)
        name = board.game.by_id[name].stats.get("commander")
    return frozenset(chain)


def nominal_command(board: Board, leader: Troop) -> int:
    """A leader's own command number, at night less (MP-210, MP-212)."""
    return QUALITY[leader.stats.command] + _by_night(board)


def _by_night(board: Board) -> int:
    """What night adds to every number of command (MP-212)."""
    return board.parameters.morale.command_night * board.conditions.night


def command_number(board: Board, leader: Troop) -> int:
    """A leader's command number for this turn: as tested, else his own."""
    now = leader.state.command_now
    return nominal_command(board, leader) if now is None else now


def recovery_value(board: Board, troop: Troop) -> int:
    """Up to which score a unit recovers from disorder (MP-208)."""
    value = board.parameters.morale.recovery + _by_night(board)
    leader = commander_of(board, troop)
    if leader is None or troop.state.detached or leader.state.command_passed is False:
        return value
    return value + command_number(board, leader)


def recovery_bar(board: Board, troop: Troop) -> str | None:
    """Why a unit may not try to recover from disorder or rout: skirmishers too far from their parent (MP-209)."""
    parent = board.troops.get(troop.stats.parent or "")
    if not troop.skirmisher or parent is None or "independent" in troop.attributes:
        return None
    if not parent.attributes.isdisjoint({"light", "guard"}):
        return None
    away, most = steps_apart(troop.hex, parent.hex), board.parameters.morale.leash
    return f"{away} hexes from {parent.id}, at most {most}" if away > most else None


def rally_value(board: Board, troop: Troop) -> int:
    """Below which score a routed unit rallies (MP-231)."""
    chain, worth = chain_of(board, troop), board.parameters.morale
    value = _inspired(board, troop, QUALITY[troop.stats.quality], (troop.hex,), chain, None)
    if not board.conditions.night:
        value = _inspired(board, troop, value, around(troop.hex), chain, _HIGH_COMMAND)
    value += worth.fanatical * ("fanatical" in troop.attributes) + worth.skirmisher * troop.skirmisher
    return ceil(value * worth.rally_night) if board.conditions.night else value


def _inspired(
    board: Board,
    troop: Troop,
    value: int,
    cells: tuple[tuple[int, int], ...],
    chain: frozenset[str],
    levels: frozenset[str] | None,
) -> int:
    """A rally value with the best of the leaders of the chain in some hexes, of some levels (None: any)."""
    best = value
    for cell in cells:
        for leader in board.friends_at(cell, troop.side):
            if (
                leader.id in chain
                and not leader.stats.secondary
                and (levels is None or leader.stats.level in levels)
            ):
                worth = QUALITY[leader.stats.leadership]
                best = max(best, worth if worth > value else value + int(worth == value))
    return best
