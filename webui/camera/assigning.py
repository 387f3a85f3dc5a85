"""Bases that belong to nobody are put into a unit: its missing figures first, new figures for the rest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from calibration.records import BaseKind, RectBase, RoundBase, Table
from engine.events import AddFigures, AddUnit, Change, Event, PlaceFigures, SetFigure
from engine.records.game import Base, Figure, Game, Rect, Round, Unit
from engine.rulesets.base.units.mustering import Part
from vision.records import BaseSeen
from vision.unpainted import as_of, kind_of
from webui.camera.memory import base_seen, place_on
from webui.camera.muster import armies_of, kinds_of
from webui.camera.placing import MEANT_MM
from webui.errors import BadRequest

__all__ = ["Assignment", "Point", "as_sides", "assignment", "demand_parts"]


class Point(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where somebody touched a base, in table millimetres; ``role``: what its figure is, such as the Leader."""

    x_mm: float
    y_mm: float
    role: str | None = None


#: A base that was chosen, and the role that somebody gave its figure.
Told = tuple[BaseSeen, str | None]


class Assignment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which bases go into which unit; the other keys are for a unit that is not there yet."""

    unit: str
    bases: tuple[Point, ...]
    side: str | None = None
    type: str | None = None
    name: str | None = None
    weapon: str = "none"
    formation: str = "unformed"
    stats: Mapping[str, Any] = {}


def assignment(
    game: Game, table: Table, strays: Sequence[BaseSeen], unseen: frozenset[str], wanted: Assignment
) -> Event:
    """The event that puts the bases into the unit. Raises BadRequest naming what is wrong."""
    if not wanted.bases:
        raise BadRequest("bases: expected at least one base")
    chosen = _chosen(strays, wanted.bases)
    unit = game.by_id.get(wanted.unit)
    side = wanted.side if unit is None else unit.side
    chosen = [as_sides(base, side, game, table) for base in chosen]
    told = [(base, point.role) for base, point in zip(chosen, wanted.bases, strict=True)]
    changes: tuple[Change, ...]
    if unit is None:
        figures = _new_figures(table, wanted.unit, frozenset(), told)
        changes = (AddUnit(unit=_new_unit(game, wanted, figures)),)
        bases = {figure.id: base for figure, base in zip(figures, chosen, strict=True)}
    else:
        _demand_own(game, table, unit, chosen)
        found, rest = _found_again(game, table, unit, unseen, told)
        places = {name: base for name, (base, _) in found.items()}
        taken = frozenset(figure.id for one in game.units for figure in one.figures)
        figures = _new_figures(table, unit.id, taken, rest)
        changes = (*_places(places), *_roles(unit, {name: role for name, (_, role) in found.items()}))
        changes += (AddFigures(unit=unit.id, figures=figures),) if figures else ()
        bases = places | {figure.id: base for figure, (base, _) in zip(figures, rest, strict=True)}
    memory = {name: msgspec.to_builtins(base_seen(wanted.unit, base)) for name, base in bases.items()}
    facts = {"unit": wanted.unit, "figures": len(chosen), "bases": memory}
    return Event(event="assigned", facts=facts, changes=changes)


def demand_parts(game: Game, parts: Sequence[Part], unseen: frozenset[str], wanted: Assignment) -> None:
    """A unit has those figures of which its stats tell, and no two where it can have one. Raises BadRequest.

    One that the camera does not see (``unseen``) may be found again on a base that is said to be his.
    """
    unit = game.by_id.get(wanted.unit)
    said = [point.role for point in wanted.bases]
    for part in parts:
        if part.alone and said.count(part.role) > 1:
            raise BadRequest(f"bases: one of them is the {part.label}, got {said.count(part.role)}")
        seen = unit is not None and any(one.role == part.role and one.id not in unseen for one in unit.figures)
        lone = wanted.type == part.role  # he is the unit, and nobody in it
        if unit is None and part.stat in wanted.stats and not lone and part.role not in said:
            raise BadRequest(f"Say which base is the {part.label}, whose worth is given")
        if part.alone and seen and part.role in said:
            raise BadRequest(f"bases: {wanted.unit} has its {part.label} already: change the unit to say another")


def _chosen(strays: Sequence[BaseSeen], points: Sequence[Point]) -> list[BaseSeen]:
    chosen: list[BaseSeen] = []
    for point in points:
        free = [base for base in strays if all(base is not one for one in chosen)]
        base = min(free, key=lambda b: math.hypot(b.x_mm - point.x_mm, b.y_mm - point.y_mm), default=None)
        if base is None or math.hypot(base.x_mm - point.x_mm, base.y_mm - point.y_mm) > MEANT_MM:
            raise BadRequest(f"bases: no free base is seen at {point.x_mm:.0f}, {point.y_mm:.0f} mm")
        chosen.append(base)
    return chosen


def as_sides(base: BaseSeen, side: str | None, game: Game, table: Table) -> BaseSeen:
    """A base that no paint tells as one of the side's army, if that has such bases."""
    if base.army is not None:
        return base
    fielded = armies_of(game, table).get(side or "", ())
    theirs = (as_of(base, army, table) for army in table.armies if army.name in fielded)
    return next((own for own in theirs if own is not None), base)


def _new_unit(game: Game, wanted: Assignment, figures: tuple[Figure, ...]) -> Unit:
    sides = [side.name for side in game.sides]
    if wanted.side not in sides:
        raise BadRequest(f"side: a new unit needs one of {', '.join(sides)}, got {wanted.side!r}")
    if not wanted.unit.strip():
        raise BadRequest("unit: expected an id")
    if not wanted.type:
        raise BadRequest("type: a new unit needs a type of the ruleset")
    return Unit(
        id=wanted.unit, side=wanted.side, type=wanted.type, name=wanted.name, weapon=wanted.weapon,
        formation=wanted.formation, stats=wanted.stats, figures=figures,
    )  # fmt: skip


def _demand_own(game: Game, table: Table, unit: Unit, chosen: Sequence[BaseSeen]) -> None:
    armies = armies_of(game, table)[unit.side]
    for base in chosen:
        if base.army is not None and base.army not in armies:
            raise BadRequest(f"bases: a base of the army {base.army!r} cannot be of {unit.side}'s unit {unit.id!r}")


def _found_again(
    game: Game, table: Table, unit: Unit, unseen: frozenset[str], told: Sequence[Told]
) -> tuple[dict[str, Told], list[Told]]:
    """The unit's missing figures on their bases, those of a base's role first, and the bases that are left."""
    kinds = kinds_of(game, table)
    found: dict[str, Told] = {}
    rest: list[Told] = []
    for base, role in told:
        missing = next(
            (
                figure.id
                for figure in sorted(unit.figures, key=lambda one: role not in (None, one.role))
                if figure.id in unseen
                and figure.id not in found
                and (base.base is None or figure.id not in kinds or kinds[figure.id][1] == base.base)
            ),
            None,
        )
        if missing is None:
            rest.append((base, role))
        else:
            found[missing] = base, role
    return found, rest


def _roles(unit: Unit, said: Mapping[str, str | None]) -> list[Change]:
    """What becomes of figures whose role is said to be another."""
    return [
        SetFigure(figure=figure.id, key="role", value=role)
        for figure in unit.figures
        if (role := said.get(figure.id)) is not None and role != figure.role
    ]


def _places(found: Mapping[str, BaseSeen]) -> list[Change]:
    places = tuple(place_on(name, base) for name, base in found.items())
    return [PlaceFigures(places=places)] if places else []


def _new_figures(table: Table, unit: str, taken: frozenset[str], told: Sequence[Told]) -> tuple[Figure, ...]:
    names = (f"{unit}-{number}" for number in range(1, len(taken) + len(told) + 1))
    free = [name for name in names if name not in taken]
    return tuple(
        Figure(
            id=free[place],
            x_mm=base.x_mm,
            y_mm=base.y_mm,
            z_mm=base.z_mm,
            bearing_deg=base.bearing_deg,
            sigma_mm=base.sigma_mm,
            bearing_sigma_deg=base.bearing_sigma_deg,
            base=_base(table, base),
            role=role or "rank",
        )
        for place, (base, role) in enumerate(told)
    )


def _base(table: Table, seen: BaseSeen) -> Base:
    """The size of a base that was seen, from the table file. Raises BadRequest where it does not say."""
    kind = kind_of(seen, table)
    if kind is None:
        raise BadRequest(f"bases: the table file lists no base {seen.base!r} of army {seen.army!r}")
    return base_of(kind)


def base_of(kind: BaseKind) -> Base:
    """A base of the table file as the game has it."""
    if isinstance(kind, RoundBase):
        return Round(diameter_mm=kind.diameter_mm)
    assert isinstance(kind, RectBase)
    return Rect(width_mm=kind.width_mm, depth_mm=kind.depth_mm)
