"""What the table shows between units: distances, who belongs to whom, who is in front, how far a unit moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.geometry.certainty import SIGMAS
from engine.geometry.plane.directions import angle_sigma, bearing_of, off
from engine.geometry.plane.tolerance import at_most
from engine.geometry.shapes.units import middles
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.field.free_field import Near, nearest
from engine.rulesets.base.kept import once
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.table.field import Field, field_of, measured
from engine.rulesets.tyneside.vocabulary import (
    MM_PER_CM,
    conditions_of,
    figures_of,
    is_character,
    named_by,
    state_of,
    stats_of,
)

__all__ = [
    "Aspect",
    "Near",
    "allowance_mm",
    "as_target",
    "aspect_of",
    "belonging_doubt",
    "home_of",
    "in_open",
    "left_mm",
    "lone_leaders",
    "nearest_figures",
    "pace_mm",
    "platoon_of",
]  # fmt: skip

Index = NDArray[np.intp]

_LEADING = ("officer", "nco", "leader")


def nearest_figures(field: Field, ones: Index, others: Index) -> Near | None:
    """The nearest two of some figures and some others, as the players measure; None where either are none."""
    return nearest(field.apart, ones, others)


def home_of(game: Game) -> Mapping[str, str]:
    """The unit that each figure counts in when it is shot at, by figure id (TY-38).

    Officers, NCOs and leaders belong to the nearest group of their side within 5 cm, else to their own unit.
    """
    return once(game, "ty_homes", lambda: _homes(field_of(game)))


def _homes(field: Field) -> Mapping[str, str]:
    return {figure.id: _home(field, number) for number, figure in enumerate(field.figures)}


def lone_leaders(game: Game) -> frozenset[str]:
    """Officers, NCOs and leaders in a group's list, by id, who stand farther than 5 cm from it and from all others.

    They are targets of their own: fire at their group does not fall on them (TY-38).
    """
    return once(game, "ty_lone", lambda: frozenset(_lone(field_of(game))))


def _lone(field: Field) -> Iterator[str]:
    for number, (figure, unit) in enumerate(zip(field.figures, field.units, strict=True)):
        if _leads(figure, unit) and not is_character(unit) and not state_of(unit).hidden:
            near = _nearest_group(field, number)
            if near is None or not at_most(near[1].distance_mm, book().mm("belong")):
                yield figure.id


def _leads(figure: Figure, unit: Unit) -> bool:
    return is_character(unit) or figure.role in _LEADING


def _home(field: Field, number: int) -> str:
    unit = field.units[number]
    if not _leads(field.figures[number], unit) or state_of(unit).hidden:
        return unit.id
    near = _nearest_group(field, number)
    return near[0] if near is not None and at_most(near[1].distance_mm, book().mm("belong")) else unit.id


def _nearest_group(field: Field, number: int) -> tuple[str, Near] | None:
    """The nearest group of a leader's side, his own before others that are as near."""
    unit, me = field.units[number], np.array([number])
    found: list[tuple[float, str, Near]] = []
    groups = [one for one in field.game.units if one.side == unit.side and not is_character(one)]
    for group in sorted(groups, key=lambda one: one.id != unit.id):
        if not state_of(group).hidden:
            near = nearest_figures(field, me, np.setdiff1d(field.of_unit[group.id], me))
            if near is not None:
                found.append((round(near.distance_mm, 6), group.id, near))
    if not found:
        return None
    _, name, near = min(found, key=lambda one: one[0])
    return name, near


def belonging_doubt(game: Game, unit: Unit) -> tuple[str, ...]:
    """The 5 cm of a leader's belonging in words, where the measurement cannot settle it (TY-38)."""
    field, limit, said = field_of(game), book().mm("belong"), []
    for number in field.of_unit[unit.id].tolist():
        figure = field.figures[number]
        near = _nearest_group(field, number) if _leads(figure, unit) else None
        if near is None or near[1].sigma_mm <= 0:
            continue
        apart, sigma = near[1].distance_mm, near[1].sigma_mm
        if abs(apart - limit) <= SIGMAS * sigma:
            said.append(f"whether {named_by(unit, figure)} belongs to {near[0]}: {measured(apart, sigma, limit)}")
    return tuple(said)


def as_target(game: Game, unit: Unit) -> Index:
    """Whom fire at a unit may hit, by number: its own but for who belongs to another, and its guests."""
    return once(game, "ty_targets", lambda: _by_home(game)).get(unit.id, np.zeros(0, dtype=np.intp))


def _by_home(game: Game) -> Mapping[str, Index]:
    """The figures by the unit that they count in, by its id."""
    homes, found = home_of(game), dict[str, list[int]]()
    for number, figure in enumerate(field_of(game).figures):
        found.setdefault(homes[figure.id], []).append(number)
    return {name: np.array(which, dtype=np.intp) for name, which in found.items()}


@dataclass(frozen=True)
class Aspect:
    """Where a point lies from a unit (TY-04): front, flank or rear, how many degrees off its facing, the sigma,
    and in words what the measurement cannot settle."""

    name: str
    off_deg: float
    sigma_deg: float
    doubt: tuple[str, ...]


def aspect_of(game: Game, unit: Unit, other: Unit) -> Aspect | None:
    """From which side a unit sees the middle of another; None where it faces no way or either has no figures."""
    field = field_of(game)
    mine, theirs = field.of_unit[unit.id], field.of_unit[other.id]
    known = [number for number in mine.tolist() if field.figures[number].bearing_deg is not None]
    if not known or not len(theirs):
        return None
    facing = middles(field.bases.pick(known), np.zeros(len(known), dtype=np.intp), 1)
    if not np.hypot(*field.bases.ahead[known].sum(axis=0)) > 1e-9:
        return None
    both = np.concatenate([mine, theirs])
    spots = middles(field.bases.pick(both), [0] * len(mine) + [1] * len(theirs), 2)
    way = spots.centre[1] - spots.centre[0]
    length = float(np.hypot(*way))
    turn = 0.0 if length == 0 else float(off(bearing_of(way), facing.bearing_deg[0]))
    swing = float(angle_sigma(np.hypot(*spots.sigma_mm), np.array(length)))
    sigma = float(np.hypot(swing, facing.bearing_sigma_deg[0]))
    return _aspect(turn, sigma, conditions_of(game).options.front_deg / 2, f"{other.id} seen from {unit.id}")


def _aspect(turn: float, sigma: float, front: float, what: str) -> Aspect:
    rear = 180.0 - front
    name = "front" if turn <= front + 1e-6 else "flank" if turn <= rear + 1e-6 else "rear"
    doubt = tuple(
        f"{what}: {turn:.1f} ± {sigma:.1f} degrees off the facing against {limit:g}"
        for limit in dict.fromkeys((front, rear))
        if sigma > 0 and abs(turn - limit) <= SIGMAS * sigma
    )
    return Aspect(name, turn, sigma, doubt)


def in_open(field: Field, number: int) -> bool:
    """Whether a figure stands in open clear ground, where horses run (TY-20)."""
    return not any(field.patches[one].rough for one in np.flatnonzero(field.inside[number]).tolist())


def pace_mm(game: Game, unit: Unit, figure: Figure, *, clear: bool = True) -> float:
    """A turn's move of one figure (TY-20, TY-23); ``clear``: in open clear ground, where horses run."""
    pace, civil = book().pace, unit.type == "civilian" or figure.role == "civilian"
    walks = pace.foot
    if figure.mounted:
        walks = pace.mounted if clear else pace.foot
    elif civil:
        walks = pace.skirts if stats_of(unit).petticoats else pace.civilian
    if figure.status == "wounded":
        walks = min(walks, pace.wounded)
    return walks * MM_PER_CM


def allowance_mm(game: Game, unit: Unit, *, clear: bool = True) -> float:
    """A unit's move in a turn, its slowest figure's (TY-20); 0 without figures.

    ``clear`` False: the way leads through other than open clear ground. Who stands in such has not set out clear.
    """
    field = field_of(game)
    which = field.of_unit[unit.id].tolist()
    return min(
        (pace_mm(game, unit, field.figures[one], clear=clear and in_open(field, one)) for one in which),
        default=0.0,
    )


def left_mm(game: Game, unit: Unit, *, clear: bool = True) -> float:
    """What is left of the move after what it has moved this turn: all, half or nothing."""
    share = {"none": 1.0, "half": 0.5, "full": 0.0}[state_of(unit).moved]
    return share * allowance_mm(game, unit, clear=clear)


def platoon_of(game: Game, unit: Unit) -> tuple[str, ...]:
    """The formed units of its side that keep company with a unit, itself among them, in list order (TY-63).

    Those within 5 cm of one another, if an officer or NCO is within 5 cm of them; the unit alone where none is.
    """
    field, limit = field_of(game), book().mm("company")
    formed = [one for one in game.units if one.side == unit.side and one.type == "formed" and figures_of(one)]
    squads = [one for one in formed if not state_of(one).hidden]
    if unit.type != "formed" or not figures_of(unit) or state_of(unit).hidden:
        return (unit.id,)
    joined, growing = {unit.id}, [unit]
    while growing:
        here = growing.pop()
        for squad in squads:
            near = nearest_figures(field, field.of_unit[here.id], field.of_unit[squad.id])
            if squad.id not in joined and near is not None and at_most(near.distance_mm, limit):
                joined.add(squad.id)
                growing.append(squad)
    return tuple(one.id for one in squads if one.id in joined) if _led(field, joined, limit) else (unit.id,)


def _led(field: Field, squads: set[str], limit: float) -> bool:
    """Whether an officer or NCO of their side is within a limit of some units."""
    members = np.concatenate([field.of_unit[name] for name in sorted(squads)])
    side = field.units[int(members[0])].side
    for number, (figure, unit) in enumerate(zip(field.figures, field.units, strict=True)):
        if unit.side == side and _leads(figure, unit):
            near = nearest_figures(field, np.array([number]), members)
            if near is not None and at_most(near.distance_mm, limit):
                return True
    return False
