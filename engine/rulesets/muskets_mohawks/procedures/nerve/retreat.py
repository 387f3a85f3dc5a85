"""Carrying out a test's result: retire, run away, seek cover, dismount (MM-53 to MM-58, R-23, R-35, R-37, R-56)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.events import Change, Event, PlaceFigures, RemoveFigures
from engine.geometry.moving.moves import (
    advance_to_gap,
    away,
    bearing_to,
    centroid,
    entry_shift,
    mean_bearing,
    moved,
    places,
    retreat_to_gap,
    room_to_edge,
    towards,
    way_into,
)
from engine.geometry.moving.passing import BRUSH_MM, clear_of, runs_into
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import at_most
from engine.play import Procedure, happen
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.procedures.changes import formed, loosed, parted, state, state_where
from engine.rulesets.muskets_mohawks.procedures.movement.fording import forced_off_ford
from engine.rulesets.muskets_mohawks.procedures.movement.posture import dismounted
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import Cause, take_test
from engine.rulesets.muskets_mohawks.table.approaches import impassable
from engine.rulesets.muskets_mohawks.table.facts import in_contact, in_cover
from engine.rulesets.muskets_mohawks.table.land import Ground
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import (
    MM_PER_INCH,
    conditions_of,
    figures_of,
    formation_of,
    leader_of,
    state_of,
)

__all__ = ["carry_out", "full_move_mm", "refuse_contact", "retire", "retire_half", "run_away", "way_to_cover"]

#: Normal moves on foot and on horseback (MM-46), and how far cover is looked for (MM-58).
FOOT_MM = 8 * MM_PER_INCH
HORSE_MM = 12 * MM_PER_INCH
COVER_MM = 8 * MM_PER_INCH
HORSE_FLIGHT_MM = 16 * MM_PER_INCH
#: Those who take no test when a retreat comes upon them.
_NOT_MET = ("leader", "pef", "wagon")
#: Cavalry that does not close goes out of musket range (R-23).
OUT_OF_MUSKET_MM = 18.01 * MM_PER_INCH


def full_move_mm(game: Game, unit: Unit) -> float:
    """One full move of the unit's figures, halved by snow."""
    full = HORSE_MM if state_of(unit).mounted else FOOT_MM
    return full / 2 if conditions_of(game).snow_slows else full


def carry_out(
    game: Game, unit: str, result: str, cause: Cause, *, fired_at: bool, going: frozenset[str] = frozenset()
) -> Procedure[Game]:
    """Does what a reaction test says; a charge is the caller's. ``going`` are units whose retreat has led to it."""
    if result == "retire":
        game = yield from retire(game, unit, cause, going)
    elif result == "runaway":
        game = yield from run_away(game, unit, rule="MM-57")
    elif result == "seek-cover":
        game = yield from _seek_cover(game, unit, cause, fired_at=fired_at)
    elif result == "dismount":
        game = yield from happen(dismounted(game, game.unit(unit), by_choice=False))
    return game


def run_away(game: Game, unit: str, *, rule: str, drowned: bool = False) -> Procedure[Game]:
    """Takes the unit off the table; it keeps its entry. ``drowned``: forced off a ford it counts as run away."""
    record = game.unit(unit)
    changes: list[Change] = [RemoveFigures(unit=unit, figures=tuple(f.id for f in figures_of(record)))]
    changes += [*state(unit, runaway=True, strength=0), *loosed(game, record), *parted(game, record)]
    lost = leader_of(record) is None and record.type != "leader"
    changes += state_where(record, leaderless=True) if lost else ()
    facts = {"unit": unit, **({"drowned": True} if drowned else {})}
    return (yield from happen(Event(event="runaway", facts=facts, changes=tuple(changes), rule=rule)))


def retire(game: Game, unit: str, cause: Cause, going: frozenset[str] = frozenset()) -> Procedure[Game]:
    """One full move straight away from the cause, facing it, unformed (MM-56)."""
    record = game.unit(unit)
    xy = _cause_xy(game, record, cause)
    return (yield from _retire(game, record, full_move_mm(game, record), xy, cause, going=going))


def refuse_contact(game: Game, unit: str, target: str) -> Procedure[Game]:
    """Cavalry that does not close retires out of musket range of its target (MM-147, R-23)."""
    record, foe = game.unit(unit), game.unit(target)
    figures, others = figures_of(record), figures_of(foe)
    xy = centroid(others)
    direction = away(centroid(figures), xy, mean_bearing(figures))
    distance = retreat_to_gap(figures, others, direction, OUT_OF_MUSKET_MM)
    cause = Cause(unit=target, xy=xy)
    return (yield from _retire(game, record, distance, xy, cause, rule="MM-147"))


def retire_half(game: Game, unit: str, rule: str) -> Procedure[Game]:
    """A failed rally: half of the last retirement's distance farther back, off the table at its edge (R-59)."""
    record = game.unit(unit)
    figures = figures_of(record)
    last = state_of(record).last_retire_mm
    distance = (full_move_mm(game, record) if last is None else last) / 2
    facing = mean_bearing(figures)
    if facing is None:
        direction = away(centroid(figures), _cause_xy(game, record, Cause()), None)
    else:
        direction = towards(facing + 180.0)
    common = state(unit, retiring=True, last_retire_mm=distance)
    if at_most(room_to_edge(figures, direction, game.table), distance):
        changes: tuple[Change, ...] = (
            *common, *loosed(game, record), *parted(game, record),
            *state(unit, strength=len(figures), left_field=True),
            *(state(unit, leaderless=True) if leader_of(record) is None else ()),
            RemoveFigures(unit=unit, figures=tuple(figure.id for figure in figures)),
        )  # fmt: skip
        return (yield from happen(Event(event="left-field", facts={"unit": unit}, changes=changes, rule=rule)))
    game, distance, met = yield from _through(game, record, direction, distance, Cause(), frozenset())
    gone = moved(figures, direction, distance)
    if forced_off_ford(game, record, gone):
        return (yield from run_away(game, unit, rule="MM-192", drowned=True))
    up = state_where(game.unit(unit), prone=False, behind=None, at_edge_since=None) if distance else ()
    changes = (PlaceFigures(places=places(gone)), *common, *up)
    facts = {"unit": unit, "distance_mm": distance, **({"meets": met} if met else {})}
    return (yield from happen(Event(event="retire", facts=facts, changes=changes, rule=rule)))


def _through(
    game: Game, unit: Unit, direction: Vector, distance: float, cause: Cause, going: frozenset[str]
) -> Procedure[tuple[Game, float, list[str]]]:
    """Unformed friends in the way of a retreat: each tests Received Casualty, and it passes those who stay (MM-53).

    By the ruling only who they are is told, and the players test them: ``meets`` (R-37).
    """
    figures, met = figures_of(unit), _in_the_way(game, unit, direction, distance)
    if not conditions_of(game).options.retreat_tests:
        return game, distance, met
    stayed: list[Sequence[Figure]] = []
    going = going | {unit.id}
    for name in met:
        if name in going:
            continue
        tested = yield from take_test(game, name, ["received-casualty"], cause, fired_at=False)
        game = yield from carry_out(tested.game, name, tested.result, cause, fired_at=False, going=going)
        stayed += [figures_of(game.unit(name))] if tested.result == "carry-on" else []
    wanted = clear_of(figures, stayed, direction, distance)
    return game, min(wanted, max(distance, room_to_edge(figures, direction, game.table))), []


def _in_the_way(game: Game, unit: Unit, direction: Vector, distance: float) -> list[str]:
    """The unformed friends that a straight retreat comes upon, the nearest first; equals as listed."""
    found: list[tuple[float, str]] = []
    for other in game.units:
        foot = other.side == unit.side and other.id != unit.id and other.type not in _NOT_MET
        if not foot or formation_of(other) != "unformed" or state_of(other).in_building is not None:
            continue
        way = runs_into(figures_of(unit), figures_of(other), direction, distance)
        if way is not None:
            found.append((way, other.id))
    return [name for _, name in sorted(found, key=lambda one: round(one[0], 3))]


def _cause_xy(game: Game, unit: Unit, cause: Cause) -> Vector:
    """Where a retreat leads away from: the cause, else the nearest enemy, else what the unit faces."""
    if cause.xy is not None:
        return cause.xy
    middle = centroid(figures_of(unit))
    foes = [centroid(figures_of(foe)) for foe in game.enemies(unit) if figures_of(foe)]
    if foes:
        return min(foes, key=lambda xy: math.dist(xy, middle))
    ahead = towards(mean_bearing(figures_of(unit)) or 0.0)
    return middle[0] + ahead[0], middle[1] + ahead[1]


def _retire(
    game: Game, unit: Unit, distance: float, xy: Vector, cause: Cause, *, rule: str = "MM-56",
    going: frozenset[str] = frozenset(),
) -> Procedure[Game]:  # fmt: skip
    figures = figures_of(unit)
    direction, distance, leader = _way_back(game, unit, distance, xy)
    game, distance, met = yield from _through(game, unit, direction, distance, Cause(xy=xy), going)
    gone = moved(figures, direction, distance)
    if forced_off_ford(game, unit, gone):
        return (yield from run_away(game, unit.id, rule="MM-192", drowned=True))
    changes: list[Change] = [
        PlaceFigures(places=places(gone, bearing_to(centroid(gone), xy))),
        *formed(unit.id, "unformed"),
        *state(unit.id, retiring=True, retired=True, last_retire_mm=distance),
        *(() if leader is None else state(unit.id, led_by=leader)),
        *loosed(game, unit),
        *state_where(unit, prone=False, in_building=None, behind=None, at_edge_since=None, taking_trophies=False),
        *parted(game, unit),
    ]
    if unit.type == "gunners":
        changes += state(unit.id, left_gun=True)
    facts = {"unit": unit.id, "distance_mm": distance, "from": cause.unit, "leader": leader}
    facts |= {"meets": met} if met else {}
    return (yield from happen(Event(event="retire", facts=facts, changes=tuple(changes), rule=rule)))


def _way_back(game: Game, unit: Unit, distance: float, xy: Vector) -> tuple[Vector, float, str | None]:
    """Which way a retreat leads and how far, to the table's edge or a Leader at most, and that Leader (MM-56)."""
    figures = figures_of(unit)
    direction = away(centroid(figures), xy, mean_bearing(figures))
    distance = min(distance, room_to_edge(figures, direction, game.table))
    return direction, *_until_leader(game, unit, direction, distance)


def drowns(game: Game, unit: Unit, xy: Vector | None) -> bool:
    """Whether a unit that has to retire from a point (None: from whoever is nearest) is forced off a ford (MM-192).

    It may be what is left of a unit of the game.
    """
    if all(piece.kind != "ford" for piece in game.terrain) or not figures_of(unit):
        return False  # asked for each of many that may be left
    cause = _cause_xy(game, unit, Cause(xy=xy))
    direction, distance, _ = _way_back(game, unit, full_move_mm(game, unit), cause)
    return forced_off_ford(game, unit, moved(figures_of(unit), direction, distance))


def _until_leader(game: Game, unit: Unit, direction: Vector, distance: float) -> tuple[float, str | None]:
    """A retreat stops where it meets a Leader of its side (MM-56, R-37), also one between men who stand apart."""
    met: str | None = None
    for other in game.units:
        if other.side != unit.side or other.type != "leader" or in_contact(game, unit, other):
            continue  # one who is with the unit already is not met
        figures, his = figures_of(unit), figures_of(other)
        to_him = advance_to_gap(figures, his, direction, 0.0, distance)
        among = runs_into(figures, his, direction, distance) if to_him == distance else None
        if among is not None:  # he passes between the bases, but not past the body
            to_him = max(0.0, among - BRUSH_MM)
        if to_him < distance:
            distance, met = to_him, other.id
    return distance, met


def _seek_cover(game: Game, unit: str, cause: Cause, *, fired_at: bool) -> Procedure[Game]:
    record = game.unit(unit)
    if in_cover(game, record, cause_xy=cause.xy, fired_at=fired_at) is not None:
        return game
    figures, xy = figures_of(record), _cause_xy(game, record, cause)
    most = COVER_MM / 2 if conditions_of(game).snow_slows else COVER_MM
    found = way_to_cover(game, record, xy, most)
    if found is not None:
        direction, distance, where = found
        gone = moved(figures, direction, distance)
        changes: tuple[Change, ...] = (
            PlaceFigures(places=places(gone, bearing_to(centroid(gone), xy))),
            *formed(unit, "unformed"),
            *state_where(record, behind=None, at_edge_since=None),
            *parted(game, record),
        )
        facts = {"unit": unit, "distance_mm": distance, "cover": where}
        return (yield from happen(Event(event="seek-cover", facts=facts, changes=changes, rule="MM-58")))
    if troop(record, game).cavalry:
        return (yield from _retire_horse(game, record, xy))
    changes = (PlaceFigures(places=places(figures, bearing_to(centroid(figures), xy))), *state(unit, prone=True))
    return (yield from happen(Event(event="prone", facts={"unit": unit}, changes=changes, rule="MM-58")))


def _retire_horse(game: Game, unit: Unit, xy: Vector) -> Procedure[Game]:
    figures = figures_of(unit)
    direction = away(centroid(figures), xy, mean_bearing(figures))
    distance = min(HORSE_FLIGHT_MM, room_to_edge(figures, direction, game.table))
    gone = moved(figures, direction, distance)
    if forced_off_ford(game, unit, gone):
        return (yield from run_away(game, unit.id, rule="MM-192", drowned=True))
    changes = (
        PlaceFigures(places=places(gone, bearing_to(centroid(gone), xy))),
        *formed(unit.id, "unformed"),
        *parted(game, unit),
    )
    facts = {"unit": unit.id, "distance_mm": distance, "cover": None}
    return (yield from happen(Event(event="seek-cover", facts=facts, changes=changes, rule="MM-58")))


def way_to_cover(game: Game, unit: Unit, cause_xy: Vector, most_mm: float) -> tuple[Vector, float, str] | None:
    """The straight way to the nearest cover farther from the cause (R-56): direction, length, terrain id.

    Cover that lies behind a river, a house or other ground that nobody crosses (R-22) is none.
    """
    figures, sheet = figures_of(unit), sheet_of(game)
    middle = centroid(figures)
    found: list[tuple[float, Vector, Ground]] = []
    for piece in sheet.of_kind("woods", "gully"):
        way = way_into(middle, piece.outline)
        if way is not None and _farther(middle, way, cause_xy):
            found.append((way[1], way[0], piece))
    starts = np.array([(one.x_mm, one.y_mm) for one in figures], dtype=float)
    for _, direction, piece in sorted(found, key=lambda one: one[0]):
        shift = entry_shift(figures, direction, piece.outline, most_mm)
        if impassable(sheet, starts, starts + np.array(direction) * (most_mm if shift is None else shift)):
            continue
        return None if shift is None else (direction, shift, piece.id)
    return None


def _farther(middle: Vector, way: tuple[Vector, float], cause_xy: Vector) -> bool:
    """Whether the end of the way lies farther from the cause than its start."""
    (dx, dy), length = way
    there = (middle[0] + dx * length, middle[1] + dy * length)
    return math.dist(there, cause_xy) > math.dist(middle, cause_xy)
