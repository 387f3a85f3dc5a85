"""``melee``: the attack on a hex, its losses, who gives way, who follows, whose morale holds (section 18)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from engine.errors import ActionRefused, UnknownAction
from engine.events import Change, Event, SetCondition
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Cell, Game, Terrain
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.musket_pike.changes import disordered, state
from engine.rulesets.musket_pike.draws import between
from engine.rulesets.musket_pike.fire.bridges import bridge_in, demand_on_map, hit_bridge
from engine.rulesets.musket_pike.losses.casualties import span
from engine.rulesets.musket_pike.losses.harm import released
from engine.rulesets.musket_pike.melee.assault import Assault, assault_reasons, bridge_assault_reasons
from engine.rulesets.musket_pike.melee.giving_way import advance, displace, fall_back
from engine.rulesets.musket_pike.melee.melee_losses import Fought, fight
from engine.rulesets.musket_pike.melee.retreats import Room, room_in, stays_with_guns
from engine.rulesets.musket_pike.melee.strengths import bridge_strength
from engine.rulesets.musket_pike.nerve.routing import checked, checked_by_loss, takes_checks
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.troops import Troop

__all__ = ["MeleeKeys", "assault_at", "melee"]


class MeleeKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"with_": "with"}):
    """The keys of ``melee``: who attacks as well and which leaders go along, where the losers retreat to, whether
    the winners follow. ``target_hex`` in the place of a target: an empty bridge.
    """

    with_: tuple[str, ...] = ()
    retreat_to: Cell | None = None
    advance: bool = True
    target_hex: Cell | None = None


def melee(game: Game, action: Action, keys: MeleeKeys) -> Procedure[None]:
    """Units attack a hex. Raises ActionRefused with every reason."""
    if (action.target is None) == (keys.target_hex is None):
        raise UnknownAction("melee: target: expected the id of a unit, or target_hex, the hex of an empty bridge")
    if keys.target_hex is not None:
        board = board_of(game)
        demand_on_map(board, keys.target_hex)
        assault = Assault(board, keys.target_hex, *_party(game, board, action.unit or "", keys.with_))
        against = allow(action, bridge_assault_reasons(assault))
        return _at_bridge(game, action, assault, bridge_in(board, assault.cell), against)
    assault, reasons = assault_at(game, action, keys)
    against = allow(action, reasons)
    return _melee(game, action, assault, keys, against)


def assault_at(game: Game, action: Action, keys: MeleeKeys) -> tuple[Assault, Reasons]:
    """The attack on a unit's hex, and everything that speaks against it. Raises UnknownAction, ActionRefused."""
    board = board_of(game)
    party = _party(game, board, action.unit or "", keys.with_)
    target = board.troops.get(action.target or "")
    if target is None:
        raise ActionRefused([f"{action.target} is not on the map"], ["MP-03"])
    assault = Assault(board, target.hex, *party)
    reasons = assault_reasons(assault)
    reasons.add(target.side == assault.side, f"{target.id} is on the same side", "MP-169")
    reasons.add(not _room(assault, keys.retreat_to), f"nobody can retreat to {keys.retreat_to}", "MP-202")
    return assault, reasons


def _party(
    game: Game, board: Board, unit: str, others: Sequence[str]
) -> tuple[tuple[Troop, ...], tuple[Troop, ...]]:  # fmt: skip
    """The attackers, the acting unit first, and the leaders who go along. Raises UnknownAction, ActionRefused."""
    found = []
    for name in dict.fromkeys((unit, *others)):
        if name not in game.by_id:
            raise UnknownAction(f"melee: with: expected ids of units, got {name!r}")
        if name not in board.troops:
            raise ActionRefused([f"{name} is not on the map"], ["MP-03"])
        found.append(board.troops[name])
    foreign = [troop.id for troop in found if troop.side != found[0].side]
    if foreign:
        raise ActionRefused([f"{', '.join(foreign)}: not on the side of {unit}"], ["MP-169"])
    leaders = tuple(troop for troop in found[1:] if troop.leader)
    return tuple(troop for troop in found if troop not in leaders), leaders


def _room(assault: Assault, named: Cell | None) -> bool:
    """Whether the hex that is named for the retreat takes any of the defenders; true where none is named."""
    if named is None:
        return True
    goers = [troop for troop in assault.fighters if not stays_with_guns(troop)]
    return any(room_in(assault.board, troop, named) is not Room.NONE for troop in goers)


def _melee(
    game: Game, action: Action, assault: Assault, keys: MeleeKeys, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    game = yield from _engaged(game, assault)
    if assault.displaces:
        yield from displace(game, assault, named=keys.retreat_to, follows=keys.advance)
        return
    game, fought = yield from fight(game, assault)
    if fought.attackers_win:
        game, emptied = yield from fall_back(game, assault, keys.retreat_to, enters=keys.advance)
        if emptied and keys.advance:
            game = yield from advance(game, assault)
    game = yield from _shaken(game, assault)
    yield from _checks(game, assault, fought)


def _engaged(game: Game, assault: Assault) -> Procedure[Game]:
    """The attack is on: whoever takes part has fought, fixed defenders are free, the hex has been attacked."""
    attacked = (*assault.board.conditions.attacked, assault.cell)
    changes: tuple[Change, ...] = ()
    if assault.cell not in attacked[:-1]:
        changes = (SetCondition(key="attacked", value=[list(cell) for cell in attacked]),)
    for troop in assault.attackers:
        changes += state(troop.id, meleed=True, melees=troop.state.melees + 1, exerted=True)
    for troop in assault.fighters:
        changes += state(troop.id, exerted=True)
    names = [troop.id for troop in assault.attackers]
    facts: dict[str, Any] = {"unit": names[0], "with": names[1:]}
    facts["target"] = [troop.id for troop in assault.defenders]
    facts["hex"] = list(assault.cell)
    game = yield from happen(Event(event="melee", facts=facts, changes=changes, rule="MP-176"))
    for troop in assault.fighters:
        for event in released(troop):
            game = yield from happen(event)
    return game


def _shaken(game: Game, assault: Assault) -> Procedure[Game]:
    """Attackers are disordered, but for an attack on nothing but skirmishers and leaders (MP-204)."""
    if all(troop.skirmisher or troop.leader for troop in assault.defenders):
        return game
    for troop in assault.attackers:
        now = board_of(game).troops.get(troop.id)
        for event in () if now is None else disordered(now, "MP-204"):
            game = yield from happen(event)
    return game


def _checks(game: Game, assault: Assault, fought: Fought) -> Procedure[Game]:
    """The defenders' morale: by what they lost, or at once where they lost the melee (MP-206, R29)."""
    for troop in assault.fighters:
        now = board_of(game).troops.get(troop.id)
        if now is None or now.side != troop.side or not takes_checks(troop):
            continue
        if fought.attackers_win:
            game = yield from checked(game, troop.id)
        else:
            game = yield from checked_by_loss(game, troop, *fought.harm(troop.id))
    if assault.board.options.attackers_check_morale:
        for troop in assault.attackers:
            game = yield from checked_by_loss(game, troop, *fought.harm(troop.id))
    return game


def _at_bridge(
    game: Game, action: Action, assault: Assault, bridge: Terrain | None, against: tuple[str, ...]
) -> Procedure[None]:
    """An empty bridge is hacked at: the combat result comes off it, the attackers lose nothing (MP-167)."""
    game = yield from overruled(game, action, against)
    game = yield from _engaged(game, assault)
    if bridge is None:
        return
    parameters = assault.board.parameters
    drawn = span(bridge_strength(assault), parameters.melee_defender_lcv, parameters.melee_defender_hcv)
    names = ", ".join(troop.id for troop in assault.attackers)
    times = 2 if assault.board.options.alternative_melee else 1
    value = yield from between(drawn.low, drawn.high, f"{names} against the bridge", "MP-198", times)
    yield from hit_bridge(game, assault.attackers[0].id, bridge, value)
