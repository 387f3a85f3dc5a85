"""Whom and what shot, shell and canister reach: lines, bursts, cones over the table (PR-920 to PR-927)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import Verdict
from engine.geometry.moving.moves import towards
from engine.geometry.plane.tolerance import MM
from engine.geometry.templates import Cone, Lane, blast, cone, first_meeting, lane
from engine.records.game import Game, Round
from engine.rulesets.base.kept import once
from engine.rulesets.presidio.artillery.gunnery import GunShot
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.table.covering import cover_of, rank
from engine.rulesets.presidio.table.field import Field, field_of
from engine.rulesets.presidio.table.sight import look
from engine.rulesets.presidio.table.strengths import is_model, strength_of_patch
from engine.rulesets.presidio.vocabulary import MM_PER_IN, conditions_of, state_of

__all__ = [
    "Reached",
    "burst",
    "canister_field",
    "endangered",
    "muzzle_of",
    "needs_to_hit",
    "shot_line",
    "touched",
]

Index = NDArray[np.intp]
Point = tuple[float, float]

_PARTIAL = rank("partial")


@dataclass(frozen=True)
class Reached:
    """What lies in the way of a shot or about a burst, nearest first.

    People and models by number in the field; pieces of terrain by number, with the ``spots`` where they are hit;
    ``inner`` are in the lethal part of a burst, ``direct`` is whom it hit itself.
    """

    people: tuple[int, ...]
    models: tuple[int, ...]
    patches: tuple[int, ...]
    spots: tuple[Point, ...] = ()
    inner: frozenset[int] = frozenset()
    inner_patches: frozenset[int] = frozenset()
    direct: int | None = None


def muzzle_of(shot: GunShot) -> Point:
    """The muzzle when the gun is pointed: the middle of its front, turned to the bearing of fire.

    It is that of the gun's own base: one that has left the table, and fires by the umpire's word, has no other.
    """
    assert shot.gun is not None
    base = shot.gun.base
    depth = base.diameter_mm if isinstance(base, Round) else base.depth_mm
    way = towards(shot.bearing_deg)
    return shot.gun.x_mm + way[0] * depth / 2, shot.gun.y_mm + way[1] * depth / 2


def shot_line(shot: GunShot, bearing_deg: float, start: Point, lands_mm: Sequence[float]) -> tuple[Lane, ...]:
    """The stretches of the line of fire about where a shot lands and bounces, so far from the muzzle (PR-920)."""
    before = fight_book().gun.line_before * MM_PER_IN
    beyond = 0.0 if shot.piece.bore == "rifled" else conditions_of(shot.game).options.shot_beyond_in * MM_PER_IN
    lanes = []
    for along in lands_mm:
        first = max(along - before, 0.0)
        way = towards(bearing_deg)
        begin = (start[0] + way[0] * first, start[1] + way[1] * first)
        lanes.append(Lane(start=begin, bearing_deg=bearing_deg, length_mm=along + beyond - first))
    return tuple(lanes)


def touched(game: Game, shot: GunShot, lanes: Sequence[Lane], start: Point, direct_at: Point | None) -> Reached:
    """What a solid shot touches, nearest to the muzzle first; what is nearest to ``direct_at`` always (PR-920)."""
    key = f"pr_touched {shot.unit.id} {lanes} {direct_at}"
    return once(game, key, lambda: _touched(game, shot, lanes, start, direct_at))


def _touched(game: Game, shot: GunShot, lanes: Sequence[Lane], start: Point, direct_at: Point | None) -> Reached:
    field = field_of(game).as_measured
    if not len(field.figures) or not lanes:
        return Reached((), (), ())
    hit = np.zeros(len(field.figures), dtype=bool)
    along = np.full(len(field.figures), np.inf)
    for one in lanes:
        found = lane(one, field.bases)
        hit |= found.touched == Verdict.YES
        offset = float(np.hypot(one.start[0] - start[0], one.start[1] - start[1]))
        along = np.minimum(along, np.where(found.touched == Verdict.YES, found.along_mm + offset, np.inf))
    free = _shootable(field, shot)
    if direct_at is not None and free.any():
        gaps = np.round(np.maximum(field.bases.to_points(np.array([direct_at]))[:, 0], 0.0), 6)
        first = int(np.where(free, gaps, np.inf).argmin())
        hit[first] = True
        along[first] = min(along[first], _along(field, first, start))
    numbers = np.flatnonzero(hit & free)
    order = numbers[np.argsort(np.round(along[numbers], 3), kind="stable")].tolist()
    met = _patches_on(field, lanes)
    return Reached(
        tuple(one for one in order if not is_model(field, one)),
        tuple(one for one in order if is_model(field, one)),
        tuple(number for number, _ in met), tuple(spot for _, spot in met),
    )  # fmt: skip


def _along(field: Field, number: int, start: Point) -> float:
    """How far a base is from the muzzle."""
    return float(max(field.bases.to_points(np.array([start]))[number, 0], 0.0))


def _shootable(field: Field, shot: GunShot) -> NDArray[np.bool_]:
    """(n,) who can be touched at all: not the gun itself, nor markers."""
    own = shot.gun.id if shot.gun is not None else None
    return np.array([figure.id != own for figure in field.figures], dtype=bool) & ~field.marker


def _patches_on(field: Field, lanes: Sequence[Lane]) -> list[tuple[int, Point]]:
    """The structures on the line and where it meets them, nearest first (PR-920)."""
    met: list[tuple[float, int, Point]] = []
    for number, patch in enumerate(field.patches):
        if strength_of_patch(patch) is None:
            continue
        outline = field.pieces.edges(number)[0]
        found = [(first_meeting(one, outline), one) for one in lanes]
        along, one = min(found, key=lambda pair: pair[0])
        if np.isfinite(along):
            spot = one.at(along)
            far = float(np.hypot(spot[0] - lanes[0].start[0], spot[1] - lanes[0].start[1]))
            met.append((far, number, spot))
    return [(number, spot) for _, number, spot in sorted(met)]


def burst(game: Game, at: Point, radius_in: float, *, direct: bool) -> Reached:
    """What a burst reaches, nearest first; a direct hit reaches whatever is nearest to it (PR-925).

    A shell that falls back upon its own piece spares it no more than another.
    """
    field = field_of(game).as_measured
    if not len(field.figures):
        return Reached((), (), ())
    outer = radius_in * MM_PER_IN
    lethal = outer * fight_book().gun.lethal
    found = blast(at, [lethal, outer], field.bases)
    free = ~field.marker
    reached = (found.touched[1] == Verdict.YES) & free
    nearest = int(np.where(free, np.round(found.edge_mm, 6), np.inf).argmin()) if direct and free.any() else None
    if nearest is not None:
        reached[nearest] = True
    numbers = np.flatnonzero(reached)
    order = numbers[np.argsort(np.round(found.edge_mm[numbers], 3), kind="stable")].tolist()
    inner = frozenset(one for one in order if found.touched[0, one] == Verdict.YES)
    near, inner_patches = _patches_about(field, at, outer, lethal)
    return Reached(
        tuple(one for one in order if not is_model(field, one)),
        tuple(one for one in order if is_model(field, one)), near, (at,) * len(near), inner, inner_patches, nearest,
    )  # fmt: skip


def _patches_about(
    field: Field, at: Point, outer_mm: float, lethal_mm: float
) -> tuple[tuple[int, ...], frozenset[int]]:
    """The structures within a burst by their edges, nearest first, and those in its lethal part."""
    standing = [number for number, patch in enumerate(field.patches) if strength_of_patch(patch) is not None]
    spot = np.array([at])
    apart = {
        number: 0.0 if field.pieces.contains(spot)[0, number] else float(field.pieces.to_outline(spot)[0, number])
        for number in standing
    }
    near = sorted((one for one in standing if apart[one] <= outer_mm + MM), key=lambda one: (apart[one], one))
    return tuple(near), frozenset(one for one in near if apart[one] <= lethal_mm + MM)


def canister_field(shot: GunShot) -> Index:
    """(k,) the figures among whom canister shares its hits: in the cone and in sight, in file order (PR-921)."""
    return once(shot.game, f"pr_canister {shot.unit.id} {shot.bearing_deg:.6f}", lambda: _canister_field(shot))


def _canister_field(shot: GunShot) -> Index:
    field, numbers = shot.field.as_measured, fight_book().gun
    if shot.gun is None or not len(field.figures):
        return np.zeros(0, dtype=np.intp)
    start = muzzle_of(shot)
    reach = book().ranges["pistol"][2] * MM_PER_IN
    found = cone(Cone(apex=start, bearing_deg=shot.bearing_deg, half_angle_deg=numbers.cone_deg, length_mm=1e5),
                 field.bases)  # fmt: skip
    near = np.maximum(field.bases.to_points(np.array([start]))[:, 0], 0.0) < reach - MM
    inside = (found.centre == Verdict.YES) & near & ~field.marker
    chosen = []
    for other in shot.game.units:
        theirs = field.of_unit[other.id]
        if other.id == shot.unit.id or not inside[theirs].any():
            continue
        view = look(shot.game, shot.gun_number, shot.unit, other)
        seen = set(view.targets[view.sees.any(axis=0)].tolist())
        chosen += [one for one in theirs.tolist() if inside[one] and one in seen and not is_model(field, one)]
    return np.array(chosen, dtype=np.intp)


def needs_to_hit(game: Game, firer: str, number: int, *, covered: bool = True) -> int:
    """What a d6 must show to hit a figure on the line or in a radius; not ``covered``: as in the open (PR-927)."""
    return once(game, f"pr_radius {firer} {number} {covered}", lambda: _needs(game, firer, number, covered))


def _needs(game: Game, firer: str, number: int, covered: bool) -> int:
    field, table = field_of(game), fight_book().gun.radius
    figure, owner = field.figures[number], field.units[number]
    posture = state_of(owner).posture
    sheltered = covered and rank(cover_of(game, game.unit(firer), owner, [number]).above) >= _PARTIAL
    if posture == "prone" or sheltered:
        return table["covered"]
    if figure.mounted:
        return table["mounted"]
    return table["kneeling"] if posture == "kneeling" else table["standing"]


def endangered(shot: GunShot) -> tuple[str, ...]:
    """The other units that a shot may hit if it goes where it is aimed, by id in list order; in all modes alike."""
    key = f"pr_endangered {shot.unit.id} {shot.target.id} {shot.aim}"
    return once(shot.game, key, lambda: _endangered(shot))


def _endangered(shot: GunShot) -> tuple[str, ...]:
    field = shot.field
    if shot.aim is None or shot.gun is None:
        return ()
    if shot.canister:
        numbers = canister_field(shot).tolist()
    elif shot.load.radius > 0:
        found = burst(shot.game, shot.aim, shot.load.radius, direct=True)
        numbers = [*found.people, *found.models]
    else:
        start = muzzle_of(shot)
        far = float(np.hypot(shot.aim[0] - start[0], shot.aim[1] - start[1]))
        found = touched(shot.game, shot, shot_line(shot, shot.bearing_deg, start, [far]), start, shot.aim)
        numbers = [*found.people, *found.models]
    names = {field.units[int(one)].id for one in numbers} - {shot.unit.id, shot.target.id}
    return tuple(unit.id for unit in shot.game.units if unit.id in names)
