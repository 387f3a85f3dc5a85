"""Morale checks: what triggers one, what it comes to, and how a rout spreads (MP-215 to MP-224)."""

from __future__ import annotations

from collections import deque

from engine.events import Event, SetStat
from engine.geometry.grids.flat import around
from engine.play import Procedure, happen
from engine.records.game import Game
from engine.rulesets.musket_pike.changes import disordered, state
from engine.rulesets.musket_pike.draws import d6, happens
from engine.rulesets.musket_pike.losses.harm import eliminate, given_away
from engine.rulesets.musket_pike.nerve.morale import morale_value
from engine.rulesets.musket_pike.table.board import board_of
from engine.rulesets.musket_pike.table.troops import Troop

__all__ = ["checked", "checked_by_loss", "takes_checks"]

_LEAST_BASE = 25.0
_SCORES = 6
#: Men that leave a routed unit for each point by which it fails (MP-222).
_STRAGGLERS = 25


def takes_checks(troop: Troop) -> bool:
    """Whether a unit has a morale to check: no leader, wagon or ship (MP-223)."""
    return troop.fights and troop.type != "ship"


def checked_by_loss(
    game: Game, before: Troop, lost: int, fatigue: int, *, defensive: bool = False, enfiladed: bool = False
) -> Procedure[Game]:
    """A unit that may have to check its morale for what it lost, as it was ``before`` (MP-215, MP-216)."""
    board = board_of(game)
    if before.id not in board.troops or not takes_checks(before):
        return game
    exhausted = before.state.fatigue >= board.parameters.fatigue.most and fatigue > 0
    if not exhausted:
        if not lost:
            return game
        per_head = before.men / before.strength
        men = lost * per_head
        chance = men / (men + max(before.men / 10, _LEAST_BASE))
        triggered = yield from happens(chance, f"whether {before.id} has to check its morale", "MP-215")
        facts = {"unit": before.id, "probability": chance, "triggered": triggered}
        game = yield from happen(Event(event="morale-trigger", facts=facts, rule="MP-215"))
        if not triggered:
            return game
    return (yield from checked(game, before.id, defensive=defensive, enfiladed=enfiladed))


def checked(game: Game, name: str, *, defensive: bool = False, enfiladed: bool = False) -> Procedure[Game]:
    """A unit's morale check and all that follows from it, the spread of a rout among its friends too (MP-224).

    ``defensive``: in defensive or opportunity fire, where the worst is disorder.
    """
    limited = board_of(game).options.rout_limiting
    game, routs = yield from _check(game, name, defensive=defensive, enfiladed=enfiladed)
    spreading, seen = deque([name] if routs else []), {name}
    while spreading:
        source = spreading.popleft()
        for friend in _nearby(game, source):
            if friend in seen or friend not in board_of(game).troops:
                continue
            seen.add(friend)
            game, routs = yield from _check(game, friend)
            if routs and not limited:
                spreading.append(friend)
    return game


def _nearby(game: Game, name: str) -> list[str]:
    """The units that a rout touches: of its own hex in file order, then of the hexes around, from N clockwise."""
    board = board_of(game)
    troop = board.troops.get(name)
    if troop is None:
        return []
    cells = (troop.hex, *around(troop.hex))
    near = [friend for cell in cells for friend in board.friends_at(cell, troop.side)]
    return [friend.id for friend in near if friend.id != name and takes_checks(friend)]


def _check(
    game: Game, name: str, *, defensive: bool = False, enfiladed: bool = False
) -> Procedure[tuple[Game, bool]]:
    """One check: the game after it, and whether the unit routs by it."""
    board = board_of(game)
    troop = board.troops[name]
    if not takes_checks(troop):
        return game, False
    value = morale_value(board, troop, enfiladed=enfiladed)
    strays = troop.state.routed and not troop.gun
    die: int | None = None
    if 0 < value < _SCORES or (strays and value <= 0):
        die = yield from d6(f"{name} checks its morale", "MP-220")
    passed = value >= _SCORES or (die is not None and die <= value)
    facts = {"unit": name, "value": value, "die": die, "passed": passed}
    game = yield from happen(Event(event="morale-check", facts=facts, rule="MP-220"))
    if troop.state.routed:
        if strays and not passed and die is not None:
            game = yield from _stragglers(game, troop, (die - value) * _STRAGGLERS)
        return game, False
    if defensive:
        return (game if passed else (yield from _disorder(game, troop))), False
    if not passed and not (troop.gun and troop.formation == "unlimbered"):
        routed = Event(
            event="routed", facts={"unit": name}, changes=state(name, routed=True, disordered=False), rule="MP-221"
        )
        return (yield from happen(routed)), True
    if not passed or board.options.morale_pass_disorders:
        game = yield from _disorder(game, troop, "MP-221" if passed else "MP-223")
    return game, False


def _disorder(game: Game, troop: Troop, rule: str = "MP-221") -> Procedure[Game]:
    for event in disordered(troop, rule):
        game = yield from happen(event)
    return game


def _stragglers(game: Game, troop: Troop, men: int) -> Procedure[Game]:
    """Men who leave a routed unit for good; the last take it with them (MP-222)."""
    men = min(men, troop.strength)
    changes = (SetStat(unit=troop.id, key="strength", value=troop.strength - men), *given_away(game, troop, men))
    facts = {"unit": troop.id, "men": men}
    game = yield from happen(Event(event="stragglers", facts=facts, changes=changes, rule="MP-222"))
    if men == troop.strength:
        game = yield from eliminate(game, troop.id, "MP-222")
    return game
