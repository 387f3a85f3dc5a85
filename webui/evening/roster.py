"""The step of the units: bases that belong to nobody are put into units, by hand, in groups, or by their tags."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from calibration.camera import CameraModel
from calibration.errors import CalibrationError
from engine.errors import EngineError
from engine.events import Change, Event, RemoveUnit, SetFigure, SetStat, SetUnit
from engine.records.game import Game, Unit
from engine.rulesets import titles
from engine.rulesets.base.units.mustering import Roll, roll_of
from vision.records import BaseSeen, TagSeen
from vision.unpainted import kind_of
from webui.camera.assigning import Assignment
from webui.errors import BadRequest, NotReady, Refused
from webui.evening.bench import Workbench
from webui.evening.facing import Facing, face
from webui.table.desk import Desk

__all__ = ["Group", "UnitWanted", "change_unit", "free_groups", "groups_of", "muster_unit", "roster_view"]

_KEY = re.compile(r"^units\[\d+\]\.(?:stats\.)?([\w-]+):")
_NEAR_MM = 62.0  # bases of one unit stand no farther apart, rim to rim
_TAG_MM = 160.0  # a tag lies beside its unit


class Group(Struct, frozen=True, kw_only=True):
    """Bases of one army that stand together, by their places in the list; ``tag``: the number that lies by them."""

    army: str
    bases: tuple[int, ...]
    tag: int | None = None


class UnitWanted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit's new words; what is not given stays. ``disband``: it leaves the game, and its bases are nobody's.

    ``facing`` comes before ``facing_deg``: see `webui.evening.facing.Facing`. ``roles``: what figures are, by their
    ids; of a role that a unit has once, whoever had it is like the others from then on.
    """

    unit: str
    name: str | None = None
    side: str | None = None
    type: str | None = None
    weapon: str | None = None
    formation: str | None = None
    stats: dict[str, Any] = {}
    roles: dict[str, str] = {}
    facing_deg: float | None = None
    facing: Literal["line", "about"] | None = None
    disband: bool = False


def groups_of(
    bases: Sequence[BaseSeen], tags: Sequence[TagSeen] = (), reaches_mm: Sequence[float] = ()
) -> tuple[Group, ...]:
    """Bases of each army that stand together, the largest group first; every tag goes to the nearest group.

    ``reaches_mm`` are the bases' radii; without them each counts as 12.5 mm.
    """
    reach = list(reaches_mm) or [12.5] * len(bases)
    left = set(range(len(bases)))
    groups: list[tuple[str, list[int]]] = []
    while left:
        group = [left.pop()]
        for one in group:  # grows while it is walked
            near = [k for k in left if _together(bases[one], bases[k], reach[one] + reach[k])]
            left.difference_update(near)
            group += near
        groups.append((bases[group[0]].army or "", sorted(group)))
    groups.sort(key=lambda group: (-len(group[1]), group[1]))
    taken = _tagged(groups, bases, tags)
    return tuple(
        Group(army=army, bases=tuple(group), tag=taken.get(place)) for place, (army, group) in enumerate(groups)
    )


def free_groups(desk: Desk) -> tuple[Group, ...]:
    """How the bases of nobody (`Desk.strays`) stand together."""
    strays = desk.strays()
    tags = desk.observation.tags if desk.observation is not None else ()
    reaches = [_reach_mm(kind_of(base, desk.table)) for base in strays]
    return groups_of(strays, tags, reaches)


def roster_view(bench: Workbench) -> dict[str, Any]:
    """The rules and what they ask of a unit; the bases of nobody, in groups; the units that there are."""
    found = bench.live.do(_roster)
    found["rulesets"] = [{"id": name, "title": title} for name, title in titles().items()]
    try:
        image = bench.frame().image
        model = bench.model()
    except (NotReady, CalibrationError):  # without a picture there is nothing to lasso; the step says why
        found["strays"], found["groups"] = [], []
        return found | {"units": [{**unit, "bases": []} for unit in found["units"]]}
    drawn = (found["strays"], *(unit["bases"] for unit in found["units"]))
    found["strays"], *own = ([_in_picture(model, base, image.shape) for base in bases] for bases in drawn)
    found["units"] = [{**unit, "bases": bases} for unit, bases in zip(found["units"], own, strict=True)]
    return found


def _in_picture(model: CameraModel, base: Mapping[str, Any], shape: tuple[int, ...]) -> dict[str, Any]:
    """A base with its place in the picture, as shares of its width and height."""
    ((x, y),) = model.project([[base["x_mm"], base["y_mm"], base["z_mm"]]])
    return {**base, "at": [round(float(x) / shape[1], 5), round(float(y) / shape[0], 5)]}


def muster_unit(bench: Workbench, wanted: Assignment, facing: Facing | None) -> None:
    """Puts bases into a unit, new or not; ``facing``: which way its figures face, where none is seen."""

    def done(desk: Desk) -> None:
        try:
            desk.assign(wanted)
        except EngineError as error:
            raise BadRequest(_of_the_unit(str(error))) from error
        if facing is not None:
            face(desk, wanted.unit, facing)

    with bench.lock:
        bench.live.do(done)
        bench.revision += 1


def change_unit(bench: Workbench, wanted: UnitWanted) -> None:
    """Changes what a unit is called and armed with, or disbands it. Raises BadRequest, Refused."""

    def done(desk: Desk) -> None:
        unit = desk.game.by_id.get(wanted.unit)
        if unit is None:
            raise BadRequest(f"unit: there is no unit {wanted.unit!r}")
        changes = _changes(unit, wanted, roll_of(desk.ruleset))
        try:
            if changes:
                facts = {"unit": unit.id, "disbanded": wanted.disband}
                desk.note(
                    "setup",
                    [Event(event="disbanded" if wanted.disband else "mustered", facts=facts, changes=changes)],
                )
        except (EngineError, Refused) as error:
            raise BadRequest(_of_the_unit(str(error))) from error
        facing = wanted.facing_deg if wanted.facing is None else wanted.facing
        if facing is not None and not wanted.disband:
            face(desk, unit.id, facing)

    with bench.lock:
        bench.live.do(done)
        bench.revision += 1


def _of_the_unit(fault: str) -> str:
    """A fault of the game's file as one of the unit in hand.

    >>> _of_the_unit("units[3].figures: expected one figure, the unit's base, got 10")
    "Its figures: expected one figure, the unit's base, got 10"
    """
    return _KEY.sub(lambda found: f"Its {found[1].replace('_', ' ')}:", fault)


def _changes(unit: Unit, wanted: UnitWanted, roll: Roll) -> tuple[Change, ...]:
    if wanted.disband:
        return (RemoveUnit(unit=unit.id),)
    changes: list[Change] = []
    for key in ("name", "side", "type", "weapon", "formation"):
        value = getattr(wanted, key)
        if value is not None and value != getattr(unit, key):
            changes.append(SetUnit(unit=unit.id, key=key, value=value))
    changes += [
        SetStat(unit=unit.id, key=key, value=value)
        for key, value in wanted.stats.items()
        if unit.stats.get(key) != value
    ]
    changes += _roles(unit, wanted.roles, roll)
    return tuple(changes)


def _roles(unit: Unit, said: Mapping[str, str], roll: Roll) -> list[Change]:
    """Figures that are something else from now on. Raises BadRequest."""
    have = {figure.id: figure.role for figure in unit.figures}
    strange = sorted(said.keys() - have.keys())
    if strange:
        raise BadRequest(f"roles: expected figures of {unit.id}, {', '.join(have)}, got {strange[0]!r}")
    alone = {part.role for part in roll.parts if part.alone} & set(said.values())
    now = {name: "rank" if role in alone else role for name, role in have.items()} | dict(said)
    twice = sorted(role for role in alone if list(now.values()).count(role) > 1)
    if twice:
        raise BadRequest(f"roles: one figure of {unit.id} at most is its {twice[0]}")
    return [SetFigure(figure=name, key="role", value=role) for name, role in now.items() if role != have[name]]


def _roster(desk: Desk) -> dict[str, Any]:
    game, ruleset = desk.game, desk.ruleset
    roll = roll_of(ruleset)
    return {
        "ruleset": ruleset.id,
        "title": ruleset.title,
        "sides": [side.name for side in game.sides],
        "types": msgspec.to_builtins(roll.types),
        "fields": msgspec.to_builtins(roll.fields),
        "main": list(roll.main),
        "parts": msgspec.to_builtins(roll.parts),
        "strays": [msgspec.to_builtins(base) for base in desk.strays()],
        "groups": [msgspec.to_builtins(group) for group in free_groups(desk)],
        "units": [_unit_view(desk, game, unit) for unit in game.units],
    }


def _unit_view(desk: Desk, game: Game, unit: Unit) -> dict[str, Any]:
    unseen = desk.unseen()
    return {
        "id": unit.id, "name": unit.name or unit.id, "side": unit.side, "type": unit.type, "weapon": unit.weapon,
        "formation": unit.formation, "stats": dict(unit.stats), "figures": len(unit.figures),
        "seen": sum(figure.id not in unseen for figure in unit.figures),
        "bases": [
            {"figure": one.id, "role": one.role, "x_mm": one.x_mm, "y_mm": one.y_mm, "z_mm": one.z_mm}
            for one in unit.figures
            if one.id not in unseen
        ],
    }  # fmt: skip


def _reach_mm(kind: Any) -> float:
    if kind is None:
        return 12.5
    return float(kind.diameter_mm / 2 if hasattr(kind, "diameter_mm") else max(kind.width_mm, kind.depth_mm) / 2)


def _together(one: BaseSeen, other: BaseSeen, reach_mm: float) -> bool:
    apart = math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
    return one.army == other.army and apart - reach_mm <= _NEAR_MM


def _tagged(
    groups: Sequence[tuple[str, list[int]]], bases: Sequence[BaseSeen], tags: Sequence[TagSeen]
) -> dict[int, int]:
    """Group → the tag that lies by it: each tag to the nearest group, each group its nearest."""
    best: dict[int, tuple[float, int]] = {}
    for tag in tags:
        away = [
            (min(math.hypot(bases[k].x_mm - tag.x_mm, bases[k].y_mm - tag.y_mm) for k in group), place)
            for place, (_, group) in enumerate(groups)
        ]
        nearest, place = min(away, default=(math.inf, -1))
        if nearest <= _TAG_MM and (place not in best or nearest < best[place][0]):
            best[place] = nearest, tag.id
    return {place: tag for place, (_, tag) in best.items()}
