"""``enter``, ``leave``, ``change-level``, ``douse``: what a unit does in and at a building (MM-171 to MM-179)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.events import Change, Event, PlaceFigures, SetFigure, SetTerrain
from engine.geometry.moving.deploying import block_before
from engine.geometry.moving.moves import bases_to_area, bearing_to, places
from engine.geometry.plane.lines import turned
from engine.geometry.plane.tolerance import MM, at_most
from engine.geometry.shapes.bases import Bases, to_segments
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Base, Figure, Game, Round, Terrain, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.muskets_mohawks.options.fire_reasons import holding_markers
from engine.rulesets.muskets_mohawks.procedures.buildings.bombardment import building_of
from engine.rulesets.muskets_mohawks.procedures.buildings.start_fire import must_be_left
from engine.rulesets.muskets_mohawks.procedures.changes import formed, state, state_where
from engine.rulesets.muskets_mohawks.procedures.movement.set_down import set_down
from engine.rulesets.muskets_mohawks.procedures.refusal import unable_to_act
from engine.rulesets.muskets_mohawks.table.facts import normal_move_mm
from engine.rulesets.muskets_mohawks.table.sheet import CONTACT_MM, sheet_of
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, formation_of, state_of

__all__ = ["BuildingKeys", "DouseKeys", "LevelKeys", "change_level", "douse", "enter", "leave"]

#: A mob that leaves a building stands two deep, its bases touching (MM-171).
_RANKS = 2
_ON_FOOT = ("gunners", "leader", "cavalry", "mounted-infantry")


class BuildingKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``enter``."""

    building: str


class LevelKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``change-level``: the level, counted from 0 at the ground."""

    level: Annotated[int, Meta(ge=0)]


class DouseKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``douse``: how many buckets are brought."""

    building: str
    buckets: Annotated[int, Meta(ge=1)] = 1


def enter(game: Game, action: Action, keys: BuildingKeys) -> Procedure[None]:
    """Begins ``enter``. Raises ActionRefused."""
    unit, house = game.unit(action.unit or ""), building_of(game, keys.building)
    reasons, kind, now = unable_to_act(unit), troop(unit, game), state_of(unit)
    able = (kind.infantry or unit.type in _ON_FOOT) and not kind.mounted
    reasons.add(not able, "only troops on foot go into buildings", "MM-171")
    reasons.add(now.in_building is not None, f"already in {now.in_building}", "MM-171")
    reasons.extend(_held(unit))
    reasons.add(formation_of(unit) == "square", "a square cannot move", "MM-246")
    reasons.add(must_be_left(house), f"half of {house.id} burns: it must be left", "MM-178")
    holds = [foe.id for foe in game.enemies(unit) if figures_of(foe) and state_of(foe).in_building == house.id]
    reasons.add(bool(holds), f"{' and '.join(holds)} holds {house.id}: it has to be charged", "MM-124")
    reasons.extend(_at_door(game, unit, house))
    changes = (
        *state(unit.id, in_building=house.id, prone=False, moved_mm=max(now.moved_mm, normal_move_mm(game, unit))),
        *state_where(unit, behind=None, at_edge_since=None),
    )  # going in ends its move: who has moved does not fire in the same activation (MM-44)
    event = Event(event="entered", facts={"unit": unit.id, "building": house.id}, changes=changes, rule="MM-171")
    return _happens(game, action, allow(action, reasons), event)


def _held(unit: Unit) -> Iterator[tuple[str, str]]:
    """What keeps a unit where it is, though it has not acted yet."""
    now = state_of(unit)
    if holding_markers(unit):
        yield "not loaded: it may not move", "MM-111"
    if now.prone:
        yield "prone: it may only stand up", "MM-50"
    if now.retiring:
        yield "retiring: it has to rally first", "MM-56"
    if now.taking_trophies:
        yield "spends this activation taking trophies", "MM-67"


def _at_door(game: Game, unit: Unit, house: Terrain) -> Iterator[tuple[str, str]]:
    """Why nobody of the unit is at the door; a building of which none is marked is entered anywhere."""
    body, door = sheet_of(game).body(unit), house.extra.get("door_mm")
    if not len(body):
        return
    walls = _walls(body.bases, house)
    near = walls if door is None else body.bases.to_points(np.array([door], dtype=float))
    if not at_most(float(near.min()), CONTACT_MM):
        what = "building" if door is None else "door"
        yield f"nobody touches the {what}: {near.min():.1f} mm away, {CONTACT_MM:g} mm at most", "MM-171"


def _walls(bases: Bases, house: Terrain) -> NDArray[np.float64]:
    """(n, k) how far bases are from each wall of a building."""
    outline = np.array(house.polygon_mm or (), dtype=float).reshape(-1, 2)
    return to_segments(bases, outline, turned(outline))


def leave(game: Game, action: Action) -> Procedure[None]:
    """Begins ``leave``: the unit stands in mob before the door, its back to it, with half of its move left (MM-44).

    Where others stand there, or the table ends, it stands beside it. Raises ActionRefused.
    """
    unit = game.unit(action.unit or "")
    reasons, inside = unable_to_act(unit), state_of(unit).in_building
    reasons.add(inside is None, "not in a building", "MM-171")
    if inside is not None and not must_be_left(building_of(game, inside)):
        reasons.extend(_held(unit))
        reasons.add(state_of(unit).moved_mm > MM, "has moved: it comes out in another activation", "MM-44")
    against = allow(action, reasons)
    if inside is None:
        return _happens(game, action, against, Event(event="left-building", facts={"unit": unit.id}, rule="MM-171"))
    house = building_of(game, inside)
    outline = np.array(house.polygon_mm or (), dtype=float).reshape(-1, 2)
    outside = [one.id for one in unit.figures if one.role == "gun" and min(bases_to_area([one], outline)) > MM]
    figures = tuple(one for one in unit.figures if one.id not in outside)  # a gun left outside stays there
    out = _before_door(replace(unit, figures=figures), house)
    gone = _room_before_door(game, unit, out)
    changes: list[Change] = [
        *state(unit.id, in_building=None, moved_mm=max(state_of(unit).moved_mm, normal_move_mm(game, unit) / 2)),
        *state_where(unit, prone=False),
        *formed(unit.id, "unformed" if unit.type in _ON_FOOT[:2] else "mob"),
        PlaceFigures(places=places(gone)),
        *(SetFigure(figure=one.id, key="level", value=None) for one in figures if one.level is not None),
    ]  # fmt: skip
    facts = {"unit": unit.id, "building": house.id}
    return _happens(
        game, action, against, Event(event="left-building", facts=facts, changes=tuple(changes), rule="MM-171")
    )


def _before_door(unit: Unit, house: Terrain) -> tuple[Figure, ...]:
    """The unit's figures before the door; a building without a door is left by the middle of its first wall."""
    outline = np.array(house.polygon_mm or (), dtype=float).reshape(-1, 2)
    door = house.extra.get("door_mm") or outline[:2].mean(axis=0).tolist()
    middle = outline.mean(axis=0)
    out = bearing_to((float(middle[0]), float(middle[1])), (float(door[0]), float(door[1])))
    widest = max(unit.figures, key=lambda one: _width(one.base)).base
    ranks = min(_RANKS, len(unit.figures))
    spots = block_before((door[0], door[1]), out, len(unit.figures), widest, ranks=ranks)
    return tuple(
        replace(one, x_mm=x, y_mm=y, z_mm=0.0, bearing_deg=bearing, bearing_sigma_deg=None)
        for one, (x, y, bearing) in zip(unit.figures, spots, strict=True)
    )


def _room_before_door(game: Game, unit: Unit, out: tuple[Figure, ...]) -> tuple[Figure, ...]:
    """The figures before the door, or beside it: no farther out, and back by no more than they stand deep."""
    outside = replace(unit, state={**unit.state, "in_building": None})
    back = (out[0].bearing_deg or 0.0) + 180.0
    return set_down(game, outside, out, back, _RANKS * max(_width(one.base) for one in out))


def _width(base: Base) -> float:
    return base.diameter_mm if isinstance(base, Round) else max(base.width_mm, base.depth_mm)


def change_level(game: Game, action: Action, keys: LevelKeys) -> Procedure[None]:
    """Begins ``change-level``: it is the unit's whole move. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons, now = unable_to_act(unit), state_of(unit)
    reasons.add(now.in_building is None, "not in a building", "MM-173")
    reasons.extend(_held(unit))
    if now.in_building is not None:
        levels = int(building_of(game, now.in_building).extra.get("levels", 1))
        text = f"level {keys.level}: {now.in_building} has {levels}, counted from 0"
        reasons.add(keys.level >= levels, text, "MM-173")
    reasons.add(all((one.level or 0) == keys.level for one in unit.figures), "it is there already", "MM-173")
    reasons.add(now.moved_mm > MM, "has moved: a change of level is a whole move", "MM-173")
    changes: list[Change] = [SetFigure(figure=one.id, key="level", value=keys.level) for one in unit.figures]
    changes += state(unit.id, moved_mm=normal_move_mm(game, unit))
    facts = {"unit": unit.id, "level": keys.level}
    event = Event(event="level", facts=facts, changes=tuple(changes), rule="MM-173")
    return _happens(game, action, allow(action, reasons), event)


def douse(game: Game, action: Action, keys: DouseKeys) -> Procedure[None]:
    """Begins ``douse``: a bucket from each figure that touches the building. Raises ActionRefused."""
    unit, house = game.unit(action.unit or ""), building_of(game, keys.building)
    reasons, fire = unable_to_act(unit), float(house.extra.get("fire_in", 0))
    reasons.add(fire <= 0, f"{house.id} does not burn", "MM-179")
    reasons.add(state_of(unit).retiring, "retiring: it has to rally first", "MM-56")
    reasons.add(state_of(unit).taking_trophies, "spends this activation taking trophies", "MM-67")
    hands = _hands(game, unit, house)
    text = f"{keys.buckets} buckets, {hands} figures touch {house.id}"
    reasons.add(keys.buckets > hands, text, "MM-179")
    left = max(0.0, fire - keys.buckets)
    put_out = SetTerrain(terrain=replace(house, extra={**house.extra, "fire_in": left}))
    facts = {"unit": unit.id, "building": house.id, "buckets": keys.buckets, "fire_in": left}
    changes: tuple[Change, ...] = (put_out, *state(unit.id, activated=True))
    event = Event(event="doused", facts=facts, changes=changes, rule="MM-179")
    return _happens(game, action, allow(action, reasons), event)


def _hands(game: Game, unit: Unit, house: Terrain) -> int:
    """How many figures of a unit can throw water on a building: those that touch it, all of those inside."""
    body = sheet_of(game).body(unit)
    if state_of(unit).in_building == house.id:
        return len(figures_of(unit))
    if not len(body):
        return 0
    return int((_walls(body.bases, house).min(axis=1) <= CONTACT_MM + MM).sum())


def _happens(game: Game, action: Action, against: tuple[str, ...], event: Event) -> Procedure[None]:
    yield from overruled(game, action, against)
    yield from happen(event)
