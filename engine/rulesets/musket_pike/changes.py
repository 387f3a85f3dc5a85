"""The changes that the procedures of this ruleset make, in few words."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from engine.events import Change, Event, Place, PlaceFigures, RemoveUnit, SetStat, SetState, SetTerrain, SetUnit
from engine.records.game import Cell, Game, Terrain, Unit
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.spots import spot_in
from engine.rulesets.musket_pike.table.troops import Troop
from engine.rulesets.musket_pike.vocabulary import FACINGS, stats_of

__all__ = [
    "bearing_of",
    "captured_leader",
    "captured_wagon",
    "disordered",
    "faced",
    "ground",
    "leader_lost",
    "left_work",
    "placed_at",
    "state",
    "taken",
    "turned_back",
]


def state(unit: str, **values: Any) -> tuple[SetState, ...]:
    """The unit's state gets these values, each written even where it is the default."""
    return tuple(SetState(unit=unit, key=key, value=value) for key, value in values.items())


def placed_at(board: Board, unit: Unit, cell: Cell, facing: int | None = None) -> tuple[Change, ...]:
    """The unit stands in a hex, facing as it did, or as given; its base where there is room for it."""
    turned = () if facing is None else state(unit.id, facing=FACINGS[facing % 6])
    if not unit.figures:
        return (SetUnit(unit=unit.id, key="hex", value=cell), *turned)
    looks = unit.figures[0].bearing_deg if facing is None else bearing_of(board, facing)
    x_mm, y_mm = spot_in(board, unit, cell, looks or 0.0)
    return (*_figure(board, unit, x_mm, y_mm, facing), *turned)


def faced(board: Board, unit: Unit, facing: int) -> tuple[Change, ...]:
    """The unit faces a vertex where it stands."""
    turned = state(unit.id, facing=FACINGS[facing % 6])
    if not unit.figures:
        return turned
    return (*_figure(board, unit, unit.figures[0].x_mm, unit.figures[0].y_mm, facing), *turned)


def _figure(board: Board, unit: Unit, x_mm: float, y_mm: float, facing: int | None) -> tuple[Change, ...]:
    figure = unit.figures[0]
    bearing = figure.bearing_deg
    if facing is not None:
        bearing = bearing_of(board, facing)
    spot = Place(
        figure=figure.id, x_mm=x_mm, y_mm=y_mm, bearing_deg=bearing, z_mm=figure.z_mm, sigma_mm=figure.sigma_mm,
        bearing_sigma_deg=figure.bearing_sigma_deg,
    )  # fmt: skip
    return (PlaceFigures(places=(spot,)),)


def bearing_of(board: Board, facing: int) -> float:
    """The bearing of the vertex that a facing points at, in degrees."""
    return float((board.grid.side_bearings_deg[facing % 6] + 30.0) % 360.0)


def ground(piece: Terrain, **values: Any) -> tuple[Change, ...]:
    """A piece of terrain gets these values under its own keys."""
    return (SetTerrain(terrain=replace(piece, extra={**piece.extra, **values})),)


def disordered(troop: Troop, rule: str) -> tuple[Event, ...]:
    """A unit is disordered, by a row; nothing where it is already, routed, or cannot be (a leader, a wagon)."""
    if not troop.fights or not troop.steady:
        return ()
    return (
        Event(event="disordered", facts={"unit": troop.id}, changes=state(troop.id, disordered=True), rule=rule),
    )


def taken(gun: str, captor: str | None) -> tuple[SetState, ...]:
    """Guns fall to a side, which fires them from its next turn on; None: their owner has them back (MP-87)."""
    return state(gun, captured_by=captor, uncrewed=False, fired=True, taken_now=captor is not None)


def left_work(troop: Troop) -> tuple[SetState, ...]:
    """Pioneers who leave the hex where they repair a bridge are at work no longer (MP-76)."""
    return state(troop.id, repairing=False) if troop.state.repairing else ()


def turned_back(gun: Troop) -> tuple[Change, ...]:
    """Guns that captors have turned serve their owner as before once he has them back (MP-87)."""
    return state(gun.id, turned_now=False) if gun.turned_by_captors else ()


def captured_leader(board: Board, leader: Troop, by: str, rule: str) -> Event:
    """A leader is taken by a side and leaves the game (MP-66)."""
    facts = {"unit": leader.id, "by": by}
    return Event(event="captured", facts=facts, changes=leader_lost(board.game, leader.unit), rule=rule)


def leader_lost(game: Game, leader: Unit) -> tuple[Change, ...]:
    """A leader leaves the game; his first deputy follows him (MP-213)."""
    changes: list[Change] = [RemoveUnit(unit=leader.id)]
    for unit in game.units:
        stats = stats_of(unit)
        if stats.commander == leader.id and unit.type == "leader" and stats.secondary:
            changes += _succession(game, leader, unit)
            break
    return tuple(changes)


def _succession(game: Game, leader: Unit, heir: Unit) -> list[Change]:
    """The heir takes over a leader's commander and those under him."""
    changes: list[Change] = [
        SetStat(unit=heir.id, key="commander", value=stats_of(leader).commander),
        SetStat(unit=heir.id, key="secondary", value=False),
    ]
    for unit in game.units:
        if unit.id != heir.id and stats_of(unit).commander == leader.id:
            changes.append(SetStat(unit=unit.id, key="commander", value=heir.id))
    return changes


def captured_wagon(wagon: Troop, captor: Troop, rule: str) -> Event:
    """A supply wagon changes sides with half its loads, rounded down; one left empty is gone (MP-66)."""
    left = wagon.strength // 2
    changes: list[Change] = [RemoveUnit(unit=wagon.id)]
    if left:
        changes = [
            SetUnit(unit=wagon.id, key="side", value=captor.side),
            SetStat(unit=wagon.id, key="strength", value=left),
            SetStat(unit=wagon.id, key="nation", value=captor.nation),
        ]
    return Event(event="captured", facts={"unit": wagon.id, "by": captor.side}, changes=tuple(changes), rule=rule)
