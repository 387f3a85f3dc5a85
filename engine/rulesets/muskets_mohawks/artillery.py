"""The facts of a gun's shot: the muzzle, and who is at risk from canister and ball (MM-119 to MM-121)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.geometry import polygons
from engine.geometry.directions import unit_vector
from engine.geometry.tolerance import MM, round_up
from engine.records.game import Figure, Game, Round, Unit
from engine.rulesets.muskets_mohawks.obstacles import WOOD_EDGE_MM, touches
from engine.rulesets.muskets_mohawks.sheet import Body, Sheet, body_of, sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, gun_of, state_of

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

CANISTER_MM, CANISTER_HALF_WIDTH_MM = 18 * MM_PER_INCH, 2 * MM_PER_INCH
BALL_MM, BALL_HALF_WIDTH_MM = 120 * MM_PER_INCH, 1 * MM_PER_INCH


@dataclass(frozen=True)
class AtRisk:
    """A figure that a shot may hit: its unit, its id, the distance of its centre from the muzzle in mm."""

    unit: str
    figure: str
    distance_mm: float


@dataclass(frozen=True, eq=False)
class Gun:
    """A gun ready to be aimed: its figure, the muzzle (2,) in table mm, the bearing of the barrel in degrees."""

    figure: Figure
    muzzle: Array
    bearing_deg: float


def gun_at(game: Game, unit: Unit, turn_deg: float = 0.0) -> Gun | None:
    """The unit's gun, turned about its centre by ``turn_deg``; None without a gun or a known bearing.

    The muzzle is the middle of the base's front edge (R-33).
    """
    figure = gun_of(unit)
    if figure is None:
        return None
    facing = sheet_of(game).body(unit).facing_deg if figure.bearing_deg is None else figure.bearing_deg
    if facing is None:
        return None
    ahead = figure.base.diameter_mm if isinstance(figure.base, Round) else figure.base.depth_mm
    bearing = facing + turn_deg
    return Gun(figure, np.array([figure.x_mm, figure.y_mm]) + ahead / 2 * unit_vector(bearing), bearing)


def canister_at_risk(game: Game, unit: Unit, turn_deg: float = 0.0) -> tuple[AtRisk, ...]:
    """The figures at risk from canister, of whatever unit, nearest first, no more than the cap of MM-120."""
    gun = gun_at(game, unit, turn_deg)
    if gun is None:
        return ()
    sheet, ahead = sheet_of(game), unit_vector(gun.bearing_deg)
    found: list[AtRisk] = []
    for body in _others(sheet, unit):
        to = body.centre - gun.muzzle
        along, aside = to @ ahead, np.abs(to @ np.array([ahead[1], -ahead[0]]))
        inside = (along >= -MM) & (along <= CANISTER_MM + MM) & (aside <= CANISTER_HALF_WIDTH_MM + MM)
        found += _marked(body, gun, inside & _open_to_canister(sheet, body, gun))
    found.sort(key=lambda risk: risk.distance_mm)
    return tuple(found[: round_up(found[-1].distance_mm / MM_PER_INCH)]) if found else ()


def ball_at_risk(game: Game, unit: Unit, aim_xy: tuple[float, float], turn_deg: float = 0.0) -> tuple[AtRisk, ...]:
    """The figures at risk from a ball fired through a point, of whatever unit, nearest first."""
    gun = gun_at(game, unit, turn_deg)
    if gun is None:
        return ()
    sheet = sheet_of(game)
    towards = np.array(aim_xy, dtype=float) - gun.muzzle
    reach = float(np.hypot(*towards))
    ahead = towards / reach if reach > MM else unit_vector(gun.bearing_deg)
    stops = _stops(sheet, unit, gun, ahead)
    found: list[AtRisk] = []
    for body in _others(sheet, unit):
        to = body.centre - gun.muzzle
        along, aside = to @ ahead, np.abs(to @ np.array([ahead[1], -ahead[0]]))
        inside = (along >= -MM) & (along <= BALL_MM + MM) & (aside <= BALL_HALF_WIDTH_MM + MM)
        for stop_mm, crest in stops:
            short = along <= stop_mm + MM
            inside &= short if crest is None else short | touches(body.bases, crest)
        found += _marked(body, gun, inside)
    found.sort(key=lambda risk: risk.distance_mm)
    return tuple(found)


def _others(sheet: Sheet, gunners: Unit) -> list[Body]:
    """The bodies that a shot may meet in the open: never the gun's own crew (R-33), nobody inside a building."""
    return [
        sheet.body(unit)
        for unit in sheet.game.units
        if unit.id != gunners.id and unit.type != "pef" and figures_of(unit) and state_of(unit).in_building is None
    ]


def _marked(body: Body, gun: Gun, mask: Mask) -> list[AtRisk]:
    distance = np.hypot(*(body.centre - gun.muzzle).T)
    return [AtRisk(body.unit.id, body.ids[i], float(distance[i])) for i in np.flatnonzero(mask)]


def _open_to_canister(sheet: Sheet, body: Body, gun: Gun) -> Mask:
    """(n,) not behind a building and not more than 1 in inside woods (R-33)."""
    start = np.broadcast_to(gun.muzzle, (len(body), 2))
    reached = np.ones(len(body), dtype=bool)
    for house in sheet.of_kind("building"):
        reached &= polygons.lengths_inside(house.outline, start, body.centre) <= MM
    for wood in sheet.of_kind("woods"):
        deep = polygons.to_outline(wood.outline, body.centre) > WOOD_EDGE_MM + MM
        reached &= ~(sheet.standing_in(body, wood) & deep)
    return reached


def _stops(sheet: Sheet, unit: Unit, gun: Gun, ahead: Array) -> list[tuple[float, Array | None]]:
    """How far along the line the ball comes to each building or crest (mm; with the crest line)."""
    start, end = gun.muzzle[None], (gun.muzzle + BALL_MM * ahead)[None]
    stops: list[tuple[float, Array | None]] = []
    for house in sheet.of_kind("building"):
        shares, inside = polygons.stretches(house.outline, start, end)
        if inside.any():
            stops.append((float(shares[0, int(np.flatnonzero(inside[0])[0])]) * BALL_MM, None))
    own = body_of(sheet.game, unit, (gun.figure,)).bases
    for hill in sheet.of_kind("hill"):
        if hill.crest is None or touches(own, hill.crest)[0]:
            continue
        if polygons.crosses_line(hill.crest, start, end)[0]:
            stops.append((_first_meeting(hill.crest, start[0], ahead), hill.crest))
    return stops


def _first_meeting(path: Array, start: Array, ahead: Array) -> float:
    meetings = []
    for one, other in pairwise(path):
        side = other - one
        cross = ahead[0] * side[1] - ahead[1] * side[0]
        to = one - start
        if abs(cross) < 1e-12:  # along the line itself: it begins where its nearer end lies
            meetings.append(float(min(to @ ahead, (other - start) @ ahead)))
            continue
        along, on_side = (to[0] * side[1] - to[1] * side[0]) / cross, (to[0] * ahead[1] - to[1] * ahead[0]) / cross
        if along >= 0 and -1e-9 <= on_side <= 1 + 1e-9:
            meetings.append(float(along))
    return min(meetings, default=0.0)
