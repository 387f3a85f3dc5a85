"""``formation``: units of a hex change formation, each by its own test (MP-36, MP-44, MP-49, MP-50, MP-82)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from engine.events import AddUnit, Change, Event, RemoveUnit, SetStat, SetUnit
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Cell, Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.musket_pike.changes import disordered, faced, placed_at, state
from engine.rulesets.musket_pike.draws import happens
from engine.rulesets.musket_pike.movement.arriving import crowded
from engine.rulesets.musket_pike.movement.detachments import free_id, rejoined_state
from engine.rulesets.musket_pike.movement.formations import (
    EXTENDED,
    REJOINED,
    change_bars,
    change_cost,
    extension_hex,
    is_thinkable,
    other_half,
)
from engine.rulesets.musket_pike.movement.move_action import group_of
from engine.rulesets.musket_pike.movement.stacking import formed_facing
from engine.rulesets.musket_pike.nerve.morale import change_chance
from engine.rulesets.musket_pike.table.board import Board, board_of
from engine.rulesets.musket_pike.table.troops import Troop
from engine.rulesets.musket_pike.table.zones import threat_at
from engine.rulesets.musket_pike.vocabulary import FACINGS, Formation

__all__ = ["FormationKeys", "formation"]


class FormationKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"with_": "with"}):
    """The keys of ``formation``: the goal, who changes too, and where half of an extended line goes."""

    to: Formation
    with_: tuple[str, ...] = ()
    hex: Cell | None = None


def formation(game: Game, action: Action, keys: FormationKeys) -> Procedure[None]:
    """Units change formation. Raises ActionRefused with every reason."""
    board, reasons, unit = board_of(game), Reasons(), action.unit or ""
    group = group_of(board, unit, keys.with_, reasons)
    for troop in group:
        found = change_bars(board, troop, keys.to, keys.hex)
        texts = [f"{troop.id} {text}" if len(group) > 1 else text for text in found.texts]
        reasons.extend(zip(texts, found.rules, strict=True))
    reasons.add(
        len(group) > 1 and keys.to in (EXTENDED, REJOINED), f"one unit at a time changes into {keys.to}", "MP-36"
    )
    return _formation(game, action, keys, tuple(troop.id for troop in group), allow(action, reasons))


def _formation(
    game: Game, action: Action, keys: FormationKeys, names: tuple[str, ...], against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    changed: list[str] = []
    for name in names:
        troop = board_of(game).troops.get(name)  # None: the half that acted before has taken it in
        if troop is not None and is_thinkable(troop, keys.to):
            game, success = yield from _attempt(game, name, keys)
            changed += [name] * success
    game = yield from _aligned(game, changed)
    yield from _mixed(game, changed)


def _mixed(game: Game, changed: Sequence[str]) -> Procedure[Game]:
    """Whom those that have changed disorder by what they are now, where their other half went out too (MP-50,
    MP-51)."""
    board = board_of(game)
    there = [board.troops[name] for name in changed if name in board.troops]
    halves = [other_half(board, troop) for troop in there if troop.formation == EXTENDED]
    for cell, side in dict.fromkeys((troop.hex, troop.side) for troop in (*there, *halves) if troop is not None):
        game = yield from crowded(game, cell, side)
    return game


def _attempt(game: Game, name: str, keys: FormationKeys) -> Procedure[tuple[Game, bool]]:
    """One unit tries; the points are spent either way (MP-83)."""
    board = board_of(game)
    troop = board.troops[name]
    chance = change_chance(board, troop, threat_at(board, troop.hex, troop.side))
    success = yield from happens(chance, f"whether {name} changes into {keys.to}", "MP-82")
    used = round(troop.state.mp_used + change_cost(board, troop, keys.to), 9)
    changes: tuple[Change, ...] = state(name, mp_used=used)
    if success:
        changes += _changes(board, troop, keys, used)
    facts = {"unit": name, "to": keys.to, "success": success, "probability": chance}
    game = yield from happen(Event(event="formation", facts=facts, changes=changes, rule="MP-82"))
    if not success:
        game = yield from _let(game, _failed(troop))
    return game, success


def _failed(troop: Troop) -> tuple[Event, ...]:
    """A unit that fails is disordered; one that was disordered already is routed (MP-83)."""
    if troop.state.disordered:
        changes = state(troop.id, routed=True, disordered=False)
        return (Event(event="routed", facts={"unit": troop.id}, changes=changes, rule="MP-83"),)
    return disordered(troop, "MP-83")


def _changes(board: Board, troop: Troop, keys: FormationKeys, used: float) -> tuple[Change, ...]:
    """What a change that succeeds does."""
    if keys.to == EXTENDED:
        return _extended(board, troop, keys.hex, used)
    if keys.to == REJOINED:
        return _rejoined(board, troop, used)
    changes: tuple[Change, ...] = (SetUnit(unit=troop.id, key="formation", value=keys.to),)
    if keys.to == "unlimbered":
        setup = {"setup": "setting-up", "setup_turns": 0} if "needs-setup" in troop.attributes else {}
        changes += state(troop.id, unlimbered_now=True, **setup)
    return changes


def _extended(board: Board, troop: Troop, hex: Cell | None, used: float) -> tuple[Change, ...]:
    """Half of a unit, rounded down, goes out beyond a flank as a counter of its own (MP-36)."""
    half, formation = troop.strength // 2, troop.formation if troop.gun else EXTENDED
    cell = extension_hex(troop, hex) or troop.hex
    stats = {**troop.unit.stats, "strength": half, "parent": troop.id}
    own_state = {**troop.unit.state, "mp_used": used, "facing": FACINGS[troop.facing or 0]}
    counter = Unit(
        id=free_id(board, f"{troop.id}-x"), side=troop.unit.side, type=troop.type, formation=formation,
        weapon=troop.unit.weapon, stats=stats, state=own_state, hex=cell,
    )  # fmt: skip
    return (
        SetUnit(unit=troop.id, key="formation", value=formation),
        SetStat(unit=troop.id, key="strength", value=troop.strength - half),
        AddUnit(unit=counter),
    )


def _rejoined(board: Board, troop: Troop, used: float) -> tuple[Change, ...]:
    """The halves are one unit again, by the parent's name, where the one that acts stands (MP-36)."""
    other = other_half(board, troop)
    if other is None:
        return ()
    parent, half = (other, troop) if troop.stats.parent == other.id else (troop, other)
    changes: list[Change] = [
        SetStat(unit=parent.id, key="strength", value=parent.strength + half.strength),
        *rejoined_state(board, parent, half),
        *state(parent.id, mp_used=max(used, parent.state.mp_used)),
        *_done_by_either(parent, half),
        *(
            SetStat(unit=unit.id, key="parent", value=parent.id)
            for unit in board.game.units
            if unit.stats.get("parent") == half.id
        ),  # its skirmishers are those of the whole
        RemoveUnit(unit=half.id),
    ]
    if not troop.gun:
        changes.append(SetUnit(unit=parent.id, key="formation", value=REJOINED))
    if parent is not troop:
        changes += placed_at(board, parent.unit, troop.hex, troop.facing)
    return tuple(changes)


def _done_by_either(parent: Troop, half: Troop) -> tuple[Change, ...]:
    """What half of it has done this turn the whole has done: moved, been shot at, turned its guns."""
    done = ("moved", "exerted", "unlimbered_now", "turned_now")
    names = [name for name in done if getattr(half.state, name) and not getattr(parent.state, name)]
    return state(parent.id, **dict.fromkeys(names, True)) if names else ()


def _aligned(game: Game, changed: list[str]) -> Procedure[Game]:
    """Lines and blocks that form in a hex face as those there do, else as the top one of them (MP-49)."""
    for name in changed:
        board = board_of(game)
        troop = board.troops.get(name)
        facing = None if troop is None else formed_facing(board, troop, changed)
        if troop is None or facing is None or facing == troop.facing:
            continue
        facts = {"unit": name, "facing": FACINGS[facing], "cost_mp": 0.0}
        game = yield from happen(
            Event(event="turned", facts=facts, changes=faced(board, troop.unit, facing), rule="MP-49")
        )
    return game


def _let(game: Game, events: Iterable[Event]) -> Procedure[Game]:
    """Lets events happen one after the other."""
    for event in events:
        game = yield from happen(event)
    return game
