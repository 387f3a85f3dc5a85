"""The facts of a gun's shot: the muzzle, and who is at risk from canister and ball (MM-119 to MM-121)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.plane.directions import bearing_of, unit_vector
from engine.geometry.plane.lines import points_to_segments
from engine.geometry.plane.tolerance import MM, round_up
from engine.geometry.shapes.bases import points
from engine.geometry.sight.crossing import lengths_in, spans_in
from engine.geometry.templates import Lane, first_meeting, lane
from engine.records.game import Figure, Game, Round, Unit
from engine.rulesets.muskets_mohawks.seeing.obstacles import WOOD_EDGE_MM, touches
from engine.rulesets.muskets_mohawks.table.bodies import Body, body_of, joined
from engine.rulesets.muskets_mohawks.table.sheet import Sheet, sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, gun_of, state_of

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

CANISTER_MM, CANISTER_HALF_WIDTH_MM = 18 * MM_PER_INCH, 2 * MM_PER_INCH
BALL_MM, BALL_HALF_WIDTH_MM = 120 * MM_PER_INCH, 1 * MM_PER_INCH

#: So much wider a rectangle is looked at that rounding leaves nobody out.
_HAIR_MM = 0.01


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

    @property
    def muzzle_at(self) -> tuple[float, float]:
        """The muzzle as a point."""
        return float(self.muzzle[0]), float(self.muzzle[1])


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
    sheet = sheet_of(game)
    if turn_deg:
        return _canister(sheet, unit, gun)
    return sheet.memo(("canister", unit.id), lambda: _canister(sheet, unit, gun), unit)


def _canister(sheet: Sheet, unit: Unit, gun: Gun) -> tuple[AtRisk, ...]:
    swept = _swept(sheet, unit, canister_lane(gun))
    found = swept.at_risk(gun, _open_to_canister(sheet, swept.body, gun))
    return tuple(found[: round_up(found[-1].distance_mm / MM_PER_INCH)]) if found else ()


def ball_at_risk(game: Game, unit: Unit, aim_xy: tuple[float, float], turn_deg: float = 0.0) -> tuple[AtRisk, ...]:
    """The figures at risk from a ball fired through a point, of whatever unit, nearest first."""
    gun = gun_at(game, unit, turn_deg)
    if gun is None:
        return ()
    sheet = sheet_of(game)
    shot = ball_lane(gun, aim_xy)
    swept = _swept(sheet, unit, shot)
    reached = np.ones(len(swept.body), dtype=bool)
    for stop_mm, crest in _stops(sheet, unit, gun, shot) if len(swept.body) else ():
        short = _centres_in(replace(shot, stop_mm=stop_mm), swept.body)
        reached &= short if crest is None else short | touches(swept.body.bases, crest)
    return tuple(swept.at_risk(gun, reached))


@dataclass(frozen=True, eq=False)
class _Swept:
    """Figures of several units as one body, and whose each is, by id."""

    body: Body
    units: NDArray[np.str_]

    @cached_property
    def begins(self) -> NDArray[np.intp]:
        """(u,) where each unit's figures begin."""
        return np.flatnonzero(np.concatenate([[True], self.units[1:] != self.units[:-1]]))

    def at_risk(self, gun: Gun, mask: Mask) -> list[AtRisk]:
        """Those for which a mask (n,) holds, nearest first; equals as listed."""
        distance = np.hypot(*(self.body.centre - gun.muzzle).T)
        found = [
            AtRisk(str(self.units[i]), self.body.ids[i], float(distance[i])) for i in np.flatnonzero(mask).tolist()
        ]
        return sorted(found, key=lambda risk: round(risk.distance_mm, 3))


def _in_the_open(sheet: Sheet) -> _Swept:
    """All that a shot may meet: nobody inside a building, no markers."""
    bodies = [
        sheet.body(unit)
        for unit in sheet.game.units
        if unit.type != "pef" and figures_of(unit) and state_of(unit).in_building is None
    ]
    names = np.array([body.unit.id for body in bodies], dtype=np.str_)
    return _Swept(joined(sheet.game, bodies), np.repeat(names, [len(body) for body in bodies]))


def _swept(sheet: Sheet, gunners: Unit, shot: Lane) -> _Swept:
    """The figures with their centre in a shot's rectangle; never the gun's own crew (R-33)."""
    whole = sheet.memo(("in the open",), lambda: _in_the_open(sheet))
    within = np.flatnonzero(_centres_in(shot, whole.body) & (whole.units != gunners.id))
    return _Swept(whole.body.pick(within.tolist()), whole.units[within])


def _open_to_canister(sheet: Sheet, body: Body, gun: Gun) -> Mask:
    """(n,) not behind a building and not more than 1 in inside woods (R-33)."""
    start = np.broadcast_to(gun.muzzle, (len(body), 2))
    reached = np.ones(len(body), dtype=bool)
    for house in sheet.of_kind("building"):
        reached &= lengths_in(house.shape, 0, start, body.centre) <= MM
    for wood in sheet.of_kind("woods"):
        deep = wood.shape.to_outline(body.centre)[:, 0] > WOOD_EDGE_MM + MM
        reached &= ~(sheet.standing_in(body, wood) & deep)
    return reached


def canister_lane(gun: Gun) -> Lane:
    """The rectangle that canister sweeps (MM-119)."""
    return Lane(
        start=gun.muzzle_at,
        bearing_deg=gun.bearing_deg,
        length_mm=CANISTER_MM,
        half_width_mm=CANISTER_HALF_WIDTH_MM,
    )


def ball_lane(gun: Gun, aim_xy: tuple[float, float]) -> Lane:
    """The rectangle that a ball fired through a point sweeps (MM-121)."""
    towards = np.array(aim_xy, dtype=float) - gun.muzzle
    bearing = float(bearing_of(towards)) if np.hypot(*towards) > MM else gun.bearing_deg
    return Lane(start=gun.muzzle_at, bearing_deg=bearing, length_mm=BALL_MM, half_width_mm=BALL_HALF_WIDTH_MM)


def units_near(sheet: Sheet, lanes: Sequence[Lane]) -> list[tuple[Unit, ...]]:
    """For each rectangle that a shot sweeps, the units with figures in it, and maybe some just beside it."""
    whole = sheet.memo(("in the open",), lambda: _in_the_open(sheet))
    if not len(whole.body) or not lanes:
        return [() for _ in lanes]
    starts, ends = np.array([one.start for one in lanes]), np.array([one.at(one.length_mm) for one in lanes])
    aside = np.array([one.half_width_mm for one in lanes]) + _HAIR_MM
    within = points_to_segments(whole.body.centre, starts, ends) <= aside
    near = np.logical_or.reduceat(within, whole.begins, axis=0).T
    units = [sheet.game.unit(str(name)) for name in whole.units[whole.begins]]
    return [tuple(units[number] for number in np.flatnonzero(row).tolist()) for row in near]


def stopped_before(game: Game, unit: Unit, gun: Gun, point: tuple[float, float], building: str, mode: str) -> bool:
    """Whether another building, or a crest where it is a ball, stops a shot before a point of a building (R-34)."""
    sheet = sheet_of(game)
    stops = _stops(sheet, unit, gun, ball_lane(gun, point), but=building)
    away = float(np.hypot(*(np.array(point) - gun.muzzle)))
    return any(stop < away - MM for stop, crest in stops if mode == "ball" or crest is None)


def _centres_in(shot: Lane, body: Body) -> Mask:
    """(n,) whose centres a shot's rectangle holds, as measured."""
    return np.asarray(lane(shot, points(body.centre)).centre == Verdict.YES)


def _stops(
    sheet: Sheet, unit: Unit, gun: Gun, shot: Lane, but: str | None = None
) -> list[tuple[float, Array | None]]:
    """How far along the line the ball comes to each building ``but`` one, or crest (mm; with the crest line)."""
    start, end = gun.muzzle[None], np.array([shot.at(BALL_MM)])
    stops: list[tuple[float, Array | None]] = []
    for house in sheet.of_kind("building"):
        if house.id == but:
            continue
        first, _ = spans_in(house.shape, 0, start, end)
        if np.isfinite(first[0]):
            stops.append((float(first[0]) * BALL_MM, None))
    own = body_of(sheet.game, unit, (gun.figure,)).bases
    for hill in sheet.of_kind("hill"):
        if hill.crest is None or touches(own, hill.crest)[0]:
            continue
        along = first_meeting(replace(shot, half_width_mm=0.0), hill.crest, closed=False)
        if np.isfinite(along):
            stops.append((along, hill.crest))
    return stops
