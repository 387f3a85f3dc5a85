"""A gun's shot at a building: holes, and the figures in them (MM-174, MM-175)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.dice import Roll
from engine.errors import UnusableFile
from engine.events import Event, SetTerrain
from engine.geometry.certainty import Verdict
from engine.geometry.moving.moves import bearing_to, turn_between, way_between
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.lines import area_centre
from engine.geometry.plane.tolerance import angle_at_most, at_most, round_up
from engine.geometry.shapes.bases import points
from engine.geometry.templates import Lane, depth_along, first_meeting, lane
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Terrain, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.artillery import (
    BALL_MM,
    CANISTER_MM,
    Gun,
    canister_lane,
    gun_at,
    stopped_before,
)
from engine.rulesets.muskets_mohawks.options.fire_arc import BALL_ARC_DEG
from engine.rulesets.muskets_mohawks.options.fire_reasons import NO_CREW, own_reasons, returns_fire
from engine.rulesets.muskets_mohawks.procedures.changes import fired_on
from engine.rulesets.muskets_mohawks.procedures.firing.fire import answer_fire
from engine.rulesets.muskets_mohawks.procedures.firing.guns import fell, loaded
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import misfires
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, state_of

__all__ = ["building_of", "fire_at_building", "open_hole"]

#: The impact of ball, canister and fire; less the defence value it is inches of hole or depth.
BALL_IMPACT, CANISTER_IMPACT = 5, 3


def building_of(game: Game, name: str) -> Terrain:
    """The building of that id. Raises UnusableFile."""
    for piece in game.terrain:
        if piece.id == name and piece.kind == "building":
            return piece
    known = ", ".join(piece.id for piece in game.terrain if piece.kind == "building") or "none"
    raise UnusableFile(f"building {name!r}: no such building; there are: {known}")


def open_hole(piece: Terrain, inches: int, **more: Any) -> SetTerrain:
    """The building with so many more inches of hole."""
    hole = piece.extra.get("hole_in", 0) + inches
    return SetTerrain(terrain=replace(piece, extra={**piece.extra, "hole_in": hole, **more}))


def fire_at_building(
    game: Game, turned: Game, turn: Event | None, action: Action, building: str, mode: str, aim: Vector | None,
    reasons: Reasons,
) -> Procedure[None]:  # fmt: skip
    """Begins a shot at a building, against which ``reasons`` speak already. Raises ActionRefused."""
    unit, piece = turned.unit(action.unit or ""), building_of(game, building)
    gun = gun_at(turned, unit)
    returns = any(returns_fire(unit, one) for one in _inside(turned, piece))
    own_reasons(reasons, turned, unit, at_charger=False, returns=returns)
    reasons.add(gun is None, "no gun whose direction is known", "MM-118")
    reasons.add(not figures_of(unit), NO_CREW, "MM-118")
    reasons.add(state_of(unit).limbered, "limbered: must be unlimbered first", "MM-118")
    reasons.add(state_of(unit).reload_markers > 0, "not loaded", "MM-118")
    point: Vector | None = None
    if gun is not None:
        point = _impact(gun, piece, aim, mode)
        reach = CANISTER_MM if mode == "canister" else BALL_MM
        far = point is None or not at_most(math.dist(gun.muzzle_at, point), reach)
        reasons.add(far, f"the shot does not reach {building}", "MM-174" if mode == "ball" else "MM-175")
        stopped = point is not None and stopped_before(turned, unit, gun, point, building, mode)
        reasons.add(
            stopped, f"something on the way stops the shot before {building}", "R-34" if mode == "ball" else "R-33"
        )
    against = allow(action, reasons)
    if gun is None or point is None:
        allow(replace(action, override=False), reasons)
        raise AssertionError("a gun that does not reach is refused")
    shot = _ball if mode == "ball" else _canister
    return shot(game, turn, action, piece, gun, point, against)


def _outline(piece: Terrain) -> NDArray[np.float64]:
    return np.array(piece.polygon_mm or (), dtype=float).reshape(-1, 2)


def _impact(gun: Gun, piece: Terrain, aim: Vector | None, mode: str) -> Vector | None:
    """Where the shot first meets the outline: a ball along its aim, canister straight ahead."""
    if mode == "canister":
        return _met(canister_lane(gun), piece)
    x, y = aim or area_centre(_outline(piece)).tolist()
    muzzle = gun.muzzle_at
    bearing = bearing_to(muzzle, (x, y))
    in_arc = angle_at_most(turn_between(gun.bearing_deg, bearing), BALL_ARC_DEG)
    if way_between(muzzle, (x, y)) is None or not in_arc:
        return None
    return _met(Lane(start=muzzle, bearing_deg=bearing, length_mm=BALL_MM), piece)


def _met(shot: Lane, piece: Terrain) -> Vector | None:
    """The point on the middle line of a shot as far along as it first meets a piece, or None."""
    along = first_meeting(shot, _outline(piece))
    return None if math.isinf(along) else shot.at(along)


def _inside(game: Game, piece: Terrain) -> list[Unit]:
    return [unit for unit in game.units if state_of(unit).in_building == piece.id and figures_of(unit)]


def _ball(
    game: Game,
    turn: Event | None,
    action: Action,
    piece: Terrain,
    gun: Gun,
    point: Vector,
    against: tuple[str, ...],
) -> Procedure[None]:
    gunners, inches = action.unit or "", BALL_IMPACT - int(piece.extra.get("dv", 1))
    game = yield from _ready(game, turn, action, against)
    lost = yield from misfires(game, game.unit(gunners), 1)
    concerned = [
        (math.dist((f.x_mm, f.y_mm), point), unit.id, f.id)
        for unit in _inside(game, piece)
        for f in figures_of(unit)
        if at_most(math.dist((f.x_mm, f.y_mm), point), (inches / 2 + 1) * MM_PER_INCH)
    ]
    at_risk = [] if lost else [(unit, figure) for _, unit, figure in sorted(concerned, key=_away)]
    falling = []
    for unit, figure in at_risk:
        purpose = f"{figure} near the hole"
        rolled = yield from roll(Roll(purpose=purpose, count=inches, success="<=2", rule="MM-174"))
        if rolled.passed:
            falling.append((unit, figure))
    if lost:
        inches = 0
    yield from _result(game, gunners, piece, "ball", (1, lost, inches), at_risk, falling)


def _canister(
    game: Game,
    turn: Event | None,
    action: Action,
    piece: Terrain,
    gun: Gun,
    point: Vector,
    against: tuple[str, ...],
) -> Procedure[None]:
    gunners, depth_in = action.unit or "", max(0, CANISTER_IMPACT - int(piece.extra.get("dv", 1)))
    game = yield from _ready(game, turn, action, against)
    found = []
    for unit in _inside(game, piece) if depth_in else []:
        figures = figures_of(unit)
        spots = np.array([(figure.x_mm, figure.y_mm) for figure in figures], dtype=float)
        hits = lane(canister_lane(gun), points(spots))
        for figure, inside, away in zip(figures, hits.centre, hits.centre_mm, strict=True):
            deep = depth_along((figure.x_mm, figure.y_mm), gun.bearing_deg, _outline(piece))
            if inside == Verdict.YES and at_most(deep, depth_in * MM_PER_INCH):
                found.append((float(away), unit.id, figure.id))
    found.sort(key=_away)
    cap = round_up(found[-1][0] / MM_PER_INCH) if found else 0
    at_risk = [(unit, figure) for _, unit, figure in found[:cap]]
    lost = yield from misfires(game, game.unit(gunners), len(at_risk))
    rolled = yield from roll(
        Roll(
            purpose=f"{gunners} fires canister into {piece.id}",
            count=len(at_risk) - lost,
            success="<=3",
            rule="MM-175",
        )
    )
    counts = (len(at_risk), lost, 0)
    yield from _result(game, gunners, piece, "canister", counts, at_risk, at_risk[: rolled.passed])


def _away(one: tuple[float, str, str]) -> float:
    """How far off a figure is, so that those as far keep the order of the list."""
    return round(one[0], 3)


def _ready(game: Game, turn: Event | None, action: Action, against: tuple[str, ...]) -> Procedure[Game]:
    game = yield from overruled(game, action, against)
    if turn is not None:
        game = yield from happen(turn)
    return game


def _result(
    game: Game, gunners: str, piece: Terrain, mode: str, counts: tuple[int, int, int],
    at_risk: list[tuple[str, str]], falling: list[tuple[str, str]],
) -> Procedure[Game]:  # fmt: skip
    """The shot, the hole, losses unit by unit, then the tests of all who are inside."""
    dice, lost, hole = counts
    facts = {
        "unit": gunners, "building": piece.id, "mode": mode, "dice": dice, "misfires": lost,
        "hits": len(falling), "casualties": len(falling),
    }  # fmt: skip
    rule = "MM-174" if mode == "ball" else "MM-175"
    changes = (*loaded(gunners, active=True), *fired_on(game, game.unit(gunners), _inside(game, piece)))
    game = yield from happen(Event(event="fired", facts=facts, changes=changes, rule=rule))
    if hole:
        facts = {"building": piece.id, "inches": hole}
        game = yield from happen(Event(event="hole", facts=facts, changes=(open_hole(piece, hole),), rule=rule))
    hit = yield from fell(game, gunners, at_risk, falling)
    game = hit.game
    inside = [unit.id for unit in _inside(game, piece)]
    struck = dict.fromkeys(unit for unit, _ in at_risk)
    # Those whom it could reach test first, the nearest before the others; a ball shakes all who are inside.
    shaken = [one for one in struck if one in inside]
    for name in [*shaken, *(one for one in inside if one not in struck)] if mode == "ball" else shaken:
        game = yield from answer_fire(replace(hit.shot_at(name), game=game), name, gunners)
    return game
