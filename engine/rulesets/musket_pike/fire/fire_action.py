"""``fire``: the scatter of indirect fire, the units struck, and the ammunition it takes (section 18)."""

from __future__ import annotations

from itertools import accumulate

from msgspec import Struct

from engine.dice import Roll
from engine.errors import ActionRefused, UnknownAction
from engine.events import Change, Event, SetCondition
from engine.geometry.grids.flat import beyond
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Cell, Game, Terrain
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.musket_pike.changes import state
from engine.rulesets.musket_pike.draws import between, d6, happens
from engine.rulesets.musket_pike.fire.bridges import bridge_in, bridge_reasons, demand_on_map, hit_bridge
from engine.rulesets.musket_pike.fire.fire_reasons import Manner
from engine.rulesets.musket_pike.fire.fire_value import Shot, shot_at, shot_at_bridge
from engine.rulesets.musket_pike.fire.firing import Firing, Mode, struck_at
from engine.rulesets.musket_pike.losses.harm import lose, released, tire
from engine.rulesets.musket_pike.nerve.routing import checked_by_loss
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.sight import CLEAR, sight_over
from engine.rulesets.musket_pike.table.supply import is_isolated
from engine.rulesets.musket_pike.table.troops import Troop, gun_fire

__all__ = ["FireKeys", "draws_of", "fire", "mode_reasons"]

_WORSE = {"full": "low", "low": "out"}


class FireKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``fire``; ``target_hex`` in the place of a target: an empty bridge.

    ``defending_melee``: the answer to a melee attack, in full, in turn mode.
    """

    mode: Mode = "direct"
    defending_melee: bool = False
    target_hex: Cell | None = None


def fire(game: Game, action: Action, keys: FireKeys) -> Procedure[None]:
    """A unit fires at another, or at an empty bridge. Raises ActionRefused with every reason."""
    if (action.target is None) == (keys.target_hex is None):
        raise UnknownAction("fire: target: expected the id of a unit, or target_hex, the hex of an empty bridge")
    board = board_of(game)
    troop = board.troops.get(action.unit or "")
    target = board.troops.get(action.target or "")
    if troop is None or (target is None and action.target is not None):
        absent = action.unit if troop is None else action.target
        raise ActionRefused([f"{absent} is not on the map"], ["MP-03"])
    firing = Firing(board, troop, defending_melee=keys.defending_melee)
    if target is None:
        assert keys.target_hex is not None
        demand_on_map(board, keys.target_hex)
        return _at_bridge(firing, action, keys, keys.target_hex)
    reasons = firing.reasons(target, keys.mode)
    reasons.extend(mode_reasons(firing, target.hex, keys))
    against = allow(action, reasons)
    return _fire(game, action, firing, target, keys.mode, against)


def mode_reasons(firing: Firing, cell: Cell, keys: FireKeys) -> list[tuple[str, str]]:
    """What speaks against the way of firing."""
    found = []
    if keys.mode not in firing.modes:
        found.append((f"a {firing.troop.unit.weapon} has no indirect fire", "MP-126"))
    if keys.defending_melee:
        if firing.board.conditions.mode == "phases":
            found.append(("in phases defenders fire in the defensive fire phase", "MP-14"))
        elif firing.manner == "offensive":
            found.append(("only units of the side that is attacked answer a melee", "MP-149"))
        if firing.board.apart(firing.troop.hex, cell) != 1:
            found.append(("only an adjacent attacker is answered in melee", "MP-149"))
    return found


def _fire(
    game: Game, action: Action, firing: Firing, target: Troop, mode: Mode, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    board, troop = firing.board, firing.troop
    struck: tuple[Troop, ...] = struck_at(board, troop, target)
    game = yield from happen(_shot_event(board, troop, {"target": target.id, "mode": mode}))
    if mode == "indirect" and gun_fire(troop):
        cell = yield from _scatter(board, troop, target.hex)
        if cell != target.hex:
            to = {"unit": troop.id, "to": list(cell)}
            game = yield from happen(Event(event="scatter", facts=to, rule="MP-126"))
            struck = tuple(other for other in board.at(cell) if not other.leader and other.id != troop.id)[:1]
    line = sight_over(board).line(troop.hex, target.hex) if mode == "direct" else CLEAR
    for each in struck:
        hexes = board.apart(troop.hex, each.hex)
        shot = shot_at(board, troop, each, hexes, firing.manner, line)
        if shot is not None:
            game = yield from _strike(game, board, troop, each, shot, firing.manner)
    yield from _ammunition(game, firing)


def _shot_event(board: Board, troop: Troop, facts: dict[str, object]) -> Event:
    """The shot itself: the unit has fired, and a battery's side has one shot less (MP-127)."""
    changes: tuple[Change, ...] = state(troop.id, fired=True, exerted=True)
    left = board.conditions.artillery_ammo.get(troop.side)
    if gun_fire(troop) and left is not None:
        ammo = {**board.conditions.artillery_ammo, troop.side: max(0, left - 1)}
        changes += (SetCondition(key="artillery_ammo", value=ammo),)
    return Event(event="fired", facts={"unit": troop.id, **facts}, changes=changes, rule="MP-119")


def _scatter(board: Board, troop: Troop, cell: Cell) -> Procedure[Cell]:
    """Where an indirect artillery shot at a hex comes down (MP-126, R24)."""
    percents = board.parameters.scatter_percent
    distance = percents.index(max(percents))
    if sum(percent > 0 for percent in percents) > 1:
        purpose = f"how far the shot of {troop.id} scatters"
        drawn = yield from roll(Roll(purpose=purpose, count=1, die="d100", each=True, rule="MP-126"))
        limits = tuple(accumulate(percent / 100 for percent in percents))
        distance = sum(drawn.value >= limit for limit in limits[:-1])
    if not distance:
        return cell
    direction = (yield from d6(f"where the shot of {troop.id} scatters to", "MP-126")) - 1
    for _ in range(distance):
        cell = beyond(cell, direction)
    return cell


def draws_of(board: Board) -> int:
    """Of how many draws the result of a shot is the mean (MP-272)."""
    return 2 if board.options.alternative_fire else 1


def _strike(game: Game, board: Board, troop: Troop, target: Troop, shot: Shot, manner: Manner) -> Procedure[Game]:
    """What a shot does to one unit: casualties, then fatigue, then its morale."""
    if target.id not in board_of(game).troops:
        return game
    for event in released(target):
        game = yield from happen(event)
    purpose = f"{troop.id} fires at {target.id}"
    result = yield from between(shot.result.low, shot.result.high, purpose, "MP-270", draws_of(board))
    value = result * shot.armor_factor
    game, lost = yield from lose(game, target.id, value, f"losses of {target.id}")
    if not gun_fire(target):
        value = min(value, target.strength)
    points = 0
    if value > 0 and target.id in board_of(game).troops and target.fights and target.type != "ship":
        game, points = yield from tire(game, target.id, value, 1.0, f"fatigue of {target.id}")
    enfiladed = target.line and not board.faces(target, troop.hex)
    defensive = manner != "offensive"
    return (yield from checked_by_loss(game, target, lost, points, defensive=defensive, enfiladed=enfiladed))


def _ammunition(game: Game, firing: Firing) -> Procedure[Game]:
    """What a shot takes of a unit's ammunition (MP-117, MP-250, MP-254)."""
    troop, board = firing.troop, firing.board
    level = troop.state.ammo
    if troop.id not in board_of(game).troops or level == "out":
        return game
    if firing.weapon.single_use:
        return (yield from happen(_ammo_event(troop, "out")))
    cut_off = troop.gun and is_isolated(board, troop)
    if not (troop.foot or troop.horse or cut_off):
        return game
    chance = board.parameters.ammo_loss_percent / 100 / (2 if firing.manner == "opportunity" else 1)
    if (yield from happens(chance, f"ammunition of {troop.id}", "MP-250")):
        game = yield from happen(_ammo_event(troop, _WORSE[level]))
    return game


def _ammo_event(troop: Troop, level: str) -> Event:
    facts = {"unit": troop.id, "level": level}
    return Event(event="ammo", facts=facts, changes=state(troop.id, ammo=level), rule="MP-250")


def _at_bridge(firing: Firing, action: Action, keys: FireKeys, cell: Cell) -> Procedure[None]:
    """A shot at an empty bridge. Raises ActionRefused with every reason."""
    board, troop = firing.board, firing.troop
    reasons = bridge_reasons(board, cell)
    reasons.add(not gun_fire(troop), "only artillery brings a bridge down by fire", "MP-167")
    reasons.extend(firing.reasons_at(cell, hard=True, what="the bridge", mode=keys.mode))
    reasons.extend(mode_reasons(firing, cell, keys))
    against = allow(action, reasons)
    bridge, hexes = bridge_in(board, cell), board.apart(troop.hex, cell)
    line = sight_over(board).line(troop.hex, cell) if keys.mode == "direct" else CLEAR
    shot = shot_at_bridge(board, troop, hexes, firing.manner, line)
    return _fire_at_bridge(board.game, action, firing, bridge, shot, against)


def _fire_at_bridge(
    game: Game, action: Action, firing: Firing, bridge: Terrain | None, shot: Shot | None, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if bridge is None or shot is None:
        return
    troop, board = firing.troop, firing.board
    game = yield from happen(_shot_event(board, troop, {"target": bridge.id}))
    times = 2 if board.options.alternative_fire else 1
    purpose = f"{troop.id} fires at the bridge"
    value = yield from between(shot.result.low, shot.result.high, purpose, "MP-270", times)
    yield from hit_bridge(game, troop.id, bridge, value)
