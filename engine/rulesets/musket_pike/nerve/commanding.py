"""Command tests down the chain: who passes raises those under him (MP-210 to MP-212)."""

from __future__ import annotations

from engine.events import Event
from engine.play import Procedure, happen
from engine.records.game import Game
from engine.rulesets.musket_pike.changes import state
from engine.rulesets.musket_pike.draws import d6
from engine.rulesets.musket_pike.nerve.morale import commander_of, nominal_command
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.supply import is_isolated
from engine.rulesets.musket_pike.table.troops import Troop, letter

__all__ = ["command_step", "tested_leaders"]

_LEVELS = ("army", "wing", "division", "brigade")
#: The highest command number: A (MP-211).
_HIGHEST = 6


def tested_leaders(board: Board, side: str) -> list[Troop]:
    """The primary leaders of a side on the map in the order in which they test (MP-210)."""
    leaders = [troop for troop in board.own(side) if troop.leader and not troop.stats.secondary]
    return sorted(leaders, key=lambda leader: (_LEVELS.index(leader.stats.level), leader.number))


def command_step(game: Game, side: str) -> Procedure[Game]:
    """The leaders of a side test, the highest first, and hand down what they gain."""
    handed: dict[str, int] = {}
    for leader in tested_leaders(board_of(game), side):
        board = board_of(game)
        bonus = _received(board, leader, handed)
        nominal = nominal_command(board, leader)
        number, die = nominal + bonus, None
        if number > 0:
            die = yield from d6(f"{leader.id} tests command, {number} or less passes", "MP-210")
        passed = die is not None and die <= number
        handed[leader.id] = bonus + 1 if passed else 0
        now = min(number, _HIGHEST) if passed else nominal
        facts = {"unit": leader.id, "number": number, "die": die, "passed": passed, "bonus": bonus}
        facts["rating"] = letter(now)
        changes = state(leader.id, command_passed=passed, command_now=now)
        game = yield from happen(Event(event="command-test", facts=facts, changes=changes, rule="MP-210"))
    return game


def _received(board: Board, leader: Troop, handed: dict[str, int]) -> int:
    """The bonus that a leader has from his commander: none where detached or cut off (MP-211)."""
    commander = commander_of(board, leader)
    if commander is None or leader.state.detached or is_isolated(board, leader):
        return 0
    return handed.get(commander.id, 0)
