"""Moving artillery: ``gun-move`` by hand or limber, ``limber``, ``unlimber`` (PR-930)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.dice import Roll
from engine.events import Change, Event, PlaceFigures, SetUnit
from engine.geometry.moving.moves import moved, places, retreat_to_gap, room_to_edge, towards
from engine.geometry.plane.tolerance import MM, at_most
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Figure, Game, GoalMm, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.book import Artillery, book
from engine.rulesets.presidio.changes import aim_lost, spent, state, state_where
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.movement.moving import Step, step_of
from engine.rulesets.presidio.table.bodies import gun_of
from engine.rulesets.presidio.table.field import field_of, nearest, on_table
from engine.rulesets.presidio.table.sorts import formation_of
from engine.rulesets.presidio.units.going import on_road
from engine.rulesets.presidio.units.guns import crew_at, piece_of
from engine.rulesets.presidio.vocabulary import MM_PER_IN, figures_of, is_artillery, state_of, stats_of

__all__ = ["GunMoveKeys", "gun_move", "gun_rate", "limber", "unlimber"]

Pace = Literal["walk", "run"]
_COSTS: dict[Pace, int] = {"walk": 1, "run": 2}


class GunMoveKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``gun-move``: where to, how fast, and which way the gun then points (None: as before)."""

    to: GoalMm
    pace: Pace = "walk"
    facing_deg: float | None = None


def gun_rate(game: Game, unit: Unit) -> float | None:
    """The Move of a piece in inches, without the die: by hand less for gunners missing, or by its team (PR-930).

    Its unit's ``move`` is added to either, as to every movement (PR-104).
    None of what is not moved so: swivels and mortars by hand, a piece without a rate for its team.
    """
    piece, stats = piece_of(unit), stats_of(unit)
    if piece is None:
        return None
    if formation_of(unit) == "limbered":
        drawn = _team_rate(piece, stats.limber_horses)
        return None if drawn is None else drawn + stats.move
    if piece.hand is None:
        return None
    lacking = max(stats.crew_needed - crew_at(game, unit), 0)
    rate = piece.hand / 2 if stats.garrison_mount else piece.hand
    return rate + stats.move - fight_book().gun.missing_crew * lacking


def _team_rate(piece: Artillery, horses: int) -> float | None:
    """The rate of a limbered piece: one horse draws it as fast as a full crew does (PR-930)."""
    return {0: None, 1: piece.hand, 2: piece.two_horses, 4: piece.four_horses}[horses]


def _against(unit: Unit, cost: int) -> Reasons:
    reasons, now = Reasons(), state_of(unit)
    reasons.add(not is_artillery(unit), f"{unit.id} is no artillery", "PR-930")
    reasons.add(not on_table(unit), f"{unit.id} has no figure on the table", "PR-930")
    reasons.add(gun_of(unit) is None, f"{unit.id} has no gun left", "PR-930")
    short = f"{unit.id} has {now.actions_left} of the {cost} action{'s' * (cost > 1)} that it takes"
    reasons.add(now.actions_left < cost, short, "PR-210")
    reasons.add(now.morale in ("panicked", "surrendered"), f"{unit.id} has {now.morale}", "PR-203")
    return reasons


def gun_move(game: Game, action: Action, keys: GunMoveKeys) -> Procedure[None]:
    """A piece is moved by its crew or its team. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons = _against(unit, _COSTS[keys.pace])
    reasons.add(bool(state_of(unit).engaged_with), f"{unit.id} is in melee: it must break off", "PR-516")
    rate = gun_rate(game, unit)
    how = "by its team" if formation_of(unit) == "limbered" else "by hand"
    reasons.add(rate is None, f"{unit.id} is not moved {how}", "PR-930")
    nobody = formation_of(unit) != "limbered" and on_table(unit) and crew_at(game, unit) == 0
    reasons.add(nobody, f"{unit.id} has no gunner at its piece", "PR-914")
    return _gun_move(game, unit, keys, rate or 0.0, action, allow(action, reasons))


def _gun_move(
    game: Game, unit: Unit, keys: GunMoveKeys, rate: float, action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if not figures_of(unit):
        return
    score = (yield from roll(Roll(purpose=f"{unit.id} moves its gun", count=1, rule="PR-930"))).total
    gun = gun_of(unit)
    far = max(rate + score + _road_in(game, unit, keys), 0.0) * _COSTS[keys.pace] * MM_PER_IN
    step = step_of(game, replace(unit, figures=(gun,)) if gun is not None else unit, keys.to, far)
    room = room_to_edge(figures_of(unit), step.direction, game.table)  # its crew stays on the table with it
    if room < step.distance_mm:
        step = Step(step.direction, room, "the table's edge")
    body = moved(figures_of(unit), step.direction, step.distance_mm)
    changes: list[Change] = [PlaceFigures(places=places(body, keys.facing_deg))]
    changes += [*spent(unit, _COSTS[keys.pace]), *state(unit.id, moved=keys.pace), *aim_lost(game, unit)]
    facts = {"unit": unit.id, "distance_mm": step.distance_mm}
    game = yield from happen(Event(event="moved", facts=facts, changes=tuple(changes), rule="PR-930"))
    if step.stopped_by is not None:
        yield from happen(Event(event="stopped", facts={"unit": unit.id, "by": step.stopped_by}, rule="PR-930"))


def _road_in(game: Game, unit: Unit, keys: GunMoveKeys) -> float:
    """What a limbered piece goes farther by along roads alone, in inches: it is in column (PR-320)."""
    gun = gun_of(unit)
    if gun is None or formation_of(unit) != "limbered":
        return 0.0
    return book().going.road if on_road(game, (gun.x_mm, gun.y_mm), keys.to) else 0.0


def _limber_of(unit: Unit) -> Figure | None:
    return next((figure for figure in figures_of(unit) if figure.role == "limber"), None)


def limber(game: Game, action: Action) -> Procedure[None]:
    """A piece is hooked to its limber. Raises ActionRefused (PR-930)."""
    unit = game.unit(action.unit or "")
    reasons, stats = _against(unit, 1), stats_of(unit)
    reasons.add(stats.garrison_mount, f"{unit.id} stands on a garrison mount", "PR-930")
    reasons.add(formation_of(unit) == "limbered", f"{unit.id} is limbered", "PR-930")
    reasons.add(stats.limber_horses == 0 and _limber_of(unit) is None, f"{unit.id} has no limber", "PR-930")
    gap = _gap_to_limber(game, unit)
    far = fight_book().gun.limber_far * MM_PER_IN
    reasons.add(gap is not None and not at_most(gap, far), "the limber is more than 6 in away", "PR-930")
    return _hitched(game, unit, "limbered", action, allow(action, reasons))


def _gap_to_limber(game: Game, unit: Unit) -> float | None:
    """How far the gun is from its limber, base to base; None where no limber stands on the table."""
    gun, waits = gun_of(unit), _limber_of(unit)
    if gun is None or waits is None:
        return None
    field = field_of(game)
    mine = field.of_unit[unit.id]
    ends = [mine[[field.figures[one].id == figure.id for one in mine.tolist()]] for figure in (gun, waits)]
    near = nearest(field, ends[0], ends[1])
    return None if near is None else near.distance_mm


def unlimber(game: Game, action: Action) -> Procedure[None]:
    """A piece is unhooked and placed, or brought in order again; its limber drives off to a safe distance.

    Raises ActionRefused (PR-930).
    """
    unit = game.unit(action.unit or "")
    reasons = _against(unit, 1)
    placed = formation_of(unit) not in ("limbered", "disorder")
    reasons.add(placed, f"{unit.id} is not limbered", "PR-930")
    return _hitched(game, unit, "unlimbered", action, allow(action, reasons))


def _hitched(game: Game, unit: Unit, formation: str, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    changes: list[Change] = [SetUnit(unit=unit.id, key="formation", value=formation), *spent(unit, 1)]
    if state_of(unit).morale == "disordered":
        changes += state_where(unit, morale="steady")
    gun, waits = gun_of(unit), _limber_of(unit)
    if gun is not None and waits is not None:
        changes.append(PlaceFigures(places=places((_placed(waits, gun, formation),))))
    yield from happen(Event(event=formation, facts={"unit": unit.id}, changes=tuple(changes), rule="PR-930"))


def _placed(waits: Figure, gun: Figure, formation: str) -> Figure:
    """A limber close behind its gun when hooked, else so far behind it that it is safe, facing away."""
    back = ((gun.bearing_deg or 0.0) + 180.0) % 360.0
    gap = fight_book().gun.limber_near * MM_PER_IN if formation == "unlimbered" else MM
    way = towards(back)
    at = replace(waits, x_mm=gun.x_mm, y_mm=gun.y_mm, bearing_deg=back)
    return moved((at,), way, retreat_to_gap((at,), (gun,), way, gap))[0]
