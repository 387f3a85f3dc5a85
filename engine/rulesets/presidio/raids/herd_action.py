"""``stampede``: a herd runs, away from who scares it or anywhere, and rams who is in its way (PR-813 to PR-815)."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event, PlaceFigures
from engine.geometry.moving.moves import away, bearing_to, centroid, mean_bearing, moved, places, towards
from engine.geometry.plane.directions import Vector
from engine.geometry.plane.tolerance import MM
from engine.geometry.reach import bases_as_blockers, first_contact
from engine.geometry.shapes.bases import bases_of
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.book import animals, to_wound
from engine.rulesets.presidio.changes import spent, state
from engine.rulesets.presidio.raid_book import raid_book
from engine.rulesets.presidio.table.field import field_of, on_table
from engine.rulesets.presidio.units.casualties import felled, morale_due
from engine.rulesets.presidio.vocabulary import MM_PER_IN, figures_of, state_of, stats_of

__all__ = ["StampedeKeys", "stampede"]


class StampedeKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``stampede``: who drives the herd, and whether he keeps it under control.

    ``controlled`` None: where somebody drives it.
    """

    by: str | None = None
    controlled: bool | None = None


def stampede(game: Game, action: Action, keys: StampedeKeys) -> Procedure[None]:
    """A herd stampedes. Raises ActionRefused, UnusableFile for a unit that there is not."""
    herd = game.unit(action.unit or "")
    drover = None if keys.by is None else game.unit(keys.by)
    reasons = Reasons()
    reasons.add(herd.type != "livestock", f"{herd.id} is no herd", "PR-813")
    reasons.add(not on_table(herd), f"{herd.id} has no beast on the table", "PR-813")
    if drover is not None:
        scared = state_of(drover).morale in ("panicked", "surrendered")
        reasons.add(scared, f"{drover.id} has {state_of(drover).morale}", "PR-813")
        nobody = state_of(drover).actions_left < 1
        reasons.add(nobody, f"{drover.id} has no action left to scare the herd with", "PR-813")
    controlled = drover is not None if keys.controlled is None else keys.controlled
    if controlled:
        reasons.extend(_against_control(herd, drover))
    return _stampede(game, herd, drover, controlled, action, allow(action, reasons))


def _kind(herd: Unit) -> str:
    return stats_of(herd).beast


def _against_control(herd: Unit, drover: Unit | None) -> list[tuple[str, str]]:
    """Why a herd cannot be controlled: too few riders, though sheep and pigs are driven on foot (PR-813)."""
    numbers, kind = raid_book().herd, _kind(herd)
    if drover is None:
        return [("a controlled herd needs those who drive it: name them as `by`", "PR-813")]
    on_foot = kind in numbers.herded_on_foot
    able = sum(figure.mounted or on_foot for figure in figures_of(drover))
    needed = -(-len(figures_of(herd)) // numbers.beasts_a_herder)
    if able >= needed:
        return []
    return [(f"{len(figures_of(herd))} beasts take {needed} {'' if on_foot else 'mounted '}herders", "PR-813")]


def _stampede(
    game: Game, herd: Unit, drover: Unit | None, controlled: bool, action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if not figures_of(herd):
        return
    way = _away(herd, drover)
    if not controlled:
        side = (yield from roll(Roll(purpose=f"where {herd.id} runs", count=1, rule="PR-814"))).total
        way = towards((bearing_to((0.0, 0.0), way) + 60.0 * (side - 1)) % 360.0)
    score = (yield from roll(Roll(purpose=f"{herd.id} runs", count=1, rule="PR-813"))).total
    kind = animals()[_kind(herd)]
    far = max(kind.move + stats_of(herd).move + score, 0.0) * MM_PER_IN
    in_path = _in_path(game, herd, way, far) if _kind(herd) in raid_book().herd.rams else ()
    body = moved(figures_of(herd), way, far)
    changes: list[Change] = [PlaceFigures(places=places(body, bearing_to((0.0, 0.0), way)))]
    changes += spent(drover, 1) if drover is not None else ()
    facts = {"unit": herd.id, "distance_mm": far, "bearing_deg": bearing_to((0.0, 0.0), way)}
    game = yield from happen(Event(event="moved", facts=facts, changes=tuple(changes), rule="PR-813"))
    game = yield from _rams(game, in_path, kind.ramming)
    if all(_off(game, figure) for figure in figures_of(game.unit(herd.id))):
        gone = state(herd.id, morale="off-board")
        yield from happen(Event(event="off-board", facts={"unit": herd.id}, changes=gone, rule="PR-813"))


def _away(herd: Unit, drover: Unit | None) -> Vector:
    """Straight away from who scares the herd; the way that it faces where nobody does."""
    facing = mean_bearing(figures_of(herd)) or 0.0
    if drover is None or not figures_of(drover):
        return towards(facing)
    return away(centroid(figures_of(herd)), centroid(figures_of(drover)), (facing + 180.0) % 360.0)


def _off(game: Game, figure: Figure) -> bool:
    """Whether a figure's centre is off the table."""
    return not (0 <= figure.x_mm <= game.table.width_mm and 0 <= figure.y_mm <= game.table.depth_mm)


def _in_path(game: Game, herd: Unit, way: Vector, far_mm: float) -> tuple[int, ...]:
    """The figures on foot whom the running beasts sweep over, by number in the field, nearest to the herd first."""
    field = field_of(game).as_measured
    met: dict[int, float] = {}
    others = [
        number for number, owner in enumerate(field.units)
        if owner.type != "livestock" and not field.figures[number].mounted and not field.marker[number]
    ]  # fmt: skip
    direction, bearing = np.array(way), bearing_to((0.0, 0.0), way)
    for beast in figures_of(herd):
        base = bases_of([(beast.x_mm, beast.y_mm)], [beast.base], [bearing])
        for number in others:
            one = bases_as_blockers(field.bases.pick([number]), [field.figures[number].id])
            found = first_contact(base, one, direction)
            if found is not None and found.distance_mm <= far_mm + MM:
                met[number] = min(met.get(number, far_mm), found.distance_mm)
    return tuple(sorted(met, key=lambda number: (round(met[number] / MM), number)))


def _rams(game: Game, in_path: tuple[int, ...], damage: int) -> Procedure[Game]:
    """Each in the path is hit once; the dice to wound, nearest first, then who falls (PR-815)."""
    field = field_of(game)
    hits: dict[str, int] = {}
    fallen: dict[str, list[str]] = {}
    for number in in_path:
        figure, owner = field.figures[number], field.units[number]
        hits[owner.id] = hits.get(owner.id, 0) + 1
        least = to_wound(damage, stats_of(owner).armor)
        if least is None:
            continue
        request = Roll(purpose=f"{figure.id} is rammed", count=1, die="d12", success=f">={least}", rule="PR-815")
        if (yield from roll(request)).passed:
            fallen.setdefault(owner.id, []).append(figure.id)
    for name, number in hits.items():
        game = yield from felled(game, name, number, fallen.get(name, []), "PR-815")
    for name in hits:
        if fallen.get(name) and figures_of(game.unit(name)):
            game = yield from morale_due(game, name)
    return game
