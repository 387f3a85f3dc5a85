"""``turn``, ``wheel``, ``reform``, ``close-ranks``: how units change their order (PR-205, PR-316 to PR-324)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import dist, radians
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine.errors import UnknownAction
from engine.events import Change, PlaceFigures, SetUnit
from engine.geometry.moving.moves import places, places_turned
from engine.geometry.plane.tolerance import MM
from engine.geometry.reach.wheels import about
from engine.play import Procedure
from engine.records.action import Action
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.actions.refusing import allow
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.acting import able, happens
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.changes import spent, state, state_where
from engine.rulesets.presidio.nerve.giving_ground import left_shelter
from engine.rulesets.presidio.table.bodies import body_of
from engine.rulesets.presidio.table.field import field_of, on_table, told_apart
from engine.rulesets.presidio.table.sorts import class_of, formation_of, fronted, has_role, holds_front, mounted
from engine.rulesets.presidio.units.pacing import move_cost, walk_in
from engine.rulesets.presidio.vocabulary import (
    MM_PER_IN,
    figures_of,
    is_artillery,
    state_of,
    stats_of,
)

__all__ = ["CloseKeys", "ReformKeys", "TurnKeys", "close_ranks", "reform", "turn", "wheel"]

#: What forming line takes skirmish troops (PR-317), and any change of formation the others (PR-324).
_FORMING_LINE, _REFORMING = 4, 2
_LINES = ("line", "extended-line")
#: How often a turn figures close up: when men rally, those of a line at the turn's end as well (PR-205, PR-515).
_CLOSE_UPS = {False: 1, True: 2}


class TurnKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``turn`` and ``wheel``: by how many degrees, clockwise."""

    deg: float


class ReformKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``reform``: into which formation."""

    formation: Literal["line", "extended-line", "skirmish", "column"]


class CloseKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``close-ranks``: where which figures go."""

    moves: Mapping[str, tuple[float, float]]


def _turns_free(game: Game, unit: Unit) -> bool:
    """Whether turning costs nothing: without a front, or as a column on a road (PR-322, PR-323)."""
    if not fronted(unit):
        return True
    field = field_of(game)
    roads = np.array([patch.kind in ("road", "bridge") for patch in field.patches], dtype=bool)
    stands = (field.inside[field.of_unit[unit.id]] & roads).any(axis=1)
    return formation_of(unit) == "column" and bool(stands.all())


def turn(game: Game, action: Action, keys: TurnKeys) -> Procedure[None]:
    """Everybody turns where he stands (PR-323). Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    cost = 0 if _turns_free(game, unit) else 1
    against = allow(action, able(unit, cost, "PR-323"))
    change = PlaceFigures(places=places_turned(figures_of(unit), keys.deg))
    facts = {"unit": unit.id, "deg": keys.deg}
    return happens(game, action, against, "turned", facts, (*spent(unit, cost), change), "PR-323")


def wheel(game: Game, action: Action, keys: TurnKeys) -> Procedure[None]:
    """A formed unit swings about its inner front corner, no farther than its outermost man walks (PR-322)."""
    unit = game.unit(action.unit or "")
    free = _turns_free(game, unit)
    cost = 0 if free else move_cost(game, unit, "walk")
    reasons = able(unit, cost, "PR-322")
    reasons.add(not fronted(unit), f"stands in {formation_of(unit)}: only formed units wheel", "PR-319")
    reasons.add(is_artillery(unit), "guns do not wheel", "PR-930")
    reasons.add(bool(state_of(unit).engaged_with), "is in melee: it must break off", "PR-516")
    changes: tuple[Change, ...] = spent(unit, cost)
    if on_table(unit):
        corner = body_of(game, unit).corners()[0][2 if keys.deg > 0 else 3]
        outermost = max(dist((one.x_mm, one.y_mm), (corner[0], corner[1])) for one in figures_of(unit))
        far, most = outermost * abs(radians(keys.deg)), walk_in(unit, 6) * MM_PER_IN
        goes, may = told_apart(far, most)
        long = f"the outermost figure goes {goes}, at most {may} in a walk"
        reasons.add(far > most + MM and not free, long, "PR-322")
        changes = (*changes, PlaceFigures(places=places(tuple(_swung(unit, corner, keys.deg)))))
    if not free:
        changes = (*changes, *state(unit.id, moved=state_of(unit).moved or "walk"))
    changes = (*changes, *left_shelter(unit))
    facts = {"unit": unit.id, "deg": keys.deg}
    return happens(game, action, allow(action, reasons), "turned", facts, changes, "PR-322")


def _swung(unit: Unit, corner: np.ndarray[tuple[int], np.dtype[np.float64]], deg: float) -> Iterator[Figure]:
    """The figures turned about a point, clockwise."""
    for figure in figures_of(unit):
        x, y = about(np.array([figure.x_mm, figure.y_mm]), corner, radians(deg)).tolist()
        bearing = None if figure.bearing_deg is None else (figure.bearing_deg + deg) % 360.0
        yield replace(figure, x_mm=x, y_mm=y, bearing_deg=bearing)


def reform(game: Game, action: Action, keys: ReformKeys) -> Procedure[None]:
    """A unit takes another formation; the players place its figures (PR-324). Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    now, cost = state_of(unit), _reform_cost(unit, keys.formation)
    drills = cost == _FORMING_LINE
    reasons = able(unit, 1 if drills else cost, "PR-324")
    reasons.add(bool(now.engaged_with), "is in melee", "PR-324")
    reasons.add(formation_of(unit) == keys.formation, f"stands in {keys.formation} already", "PR-324")
    shaped = class_of(unit) in ("line", "light", "skirmish")
    reasons.add(not shaped, f"a {unit.type} has no such formation", "PR-316")
    reasons.add(now.hidden, f"{unit.id} is hidden", "PR-430")
    against = allow(action, reasons)
    begun = now.drill_actions if now.drill in (None, keys.formation) else 0
    done = min(now.actions_left, cost - begun) if drills else cost
    if drills and begun + done < cost:
        facts = {"unit": unit.id, "left": cost - begun - done}
        changes = (*spent(unit, done), *state(unit.id, drill_actions=begun + done, drill=keys.formation))
        return happens(game, action, against, "drilling", facts, changes, "PR-317")
    facts = {"unit": unit.id, "formation": keys.formation}
    formed = SetUnit(unit=unit.id, key="formation", value=keys.formation)
    changes = (*spent(unit, done), formed, *state_where(unit, drill_actions=0, drill=None, **_steadied(unit, cost)))
    return happens(game, action, against, "reformed", facts, changes, "PR-324")


def _steadied(unit: Unit, cost: int) -> Mapping[str, object]:
    """What else reforming changes: a disordered unit is steady; riders count their free changes (PR-212)."""
    values: dict[str, object] = {}
    if state_of(unit).morale == "disordered":
        values["morale"] = "steady"
    if cost == 0 and _rides_to_reform(unit):
        values["reforms"] = state_of(unit).reforms + 1
    return values


def _rides_to_reform(unit: Unit) -> bool:
    """Whether Spanish riders still have a change of formation free for a ride of this turn (PR-212)."""
    rides = {None: 0, "walk": 1, "run": 2}[state_of(unit).moved]
    return mounted(unit) and stats_of(unit).people == "spanish" and state_of(unit).reforms < rides


def _reform_cost(unit: Unit, formation: str) -> int:
    """What a change of formation takes (PR-212, PR-317, PR-319, PR-324)."""
    if formation == "skirmish" or _rides_to_reform(unit):
        return 0
    if class_of(unit) == "skirmish" and formation in _LINES and not holds_front(unit):
        return _FORMING_LINE
    return 1 if has_role(unit, "drummer", "bugler") else _REFORMING


def close_ranks(game: Game, action: Action, keys: CloseKeys) -> Procedure[None]:
    """Figures of a line or of skirmishers close up by an inch, free, even in melee (PR-205).

    Once a turn, those of a line a second time at its end (PR-515).

    Raises ActionRefused, and UnknownAction for figures that are not the unit's.
    """
    unit = game.unit(action.unit or "")
    figures = {figure.id: figure for figure in figures_of(unit)}
    for name in keys.moves:
        if name not in figures:
            raise UnknownAction(f"close-ranks: moves: expected figures of {unit.id}, got {name!r}")
    reasons, limit = Reasons(), book().mm("close_ranks")
    standing = formation_of(unit) in (*_LINES, "skirmish")
    reasons.add(not standing, f"stands in {formation_of(unit)}, not in line or skirmish", "PR-205")
    reasons.add(state_of(unit).morale in ("panicked", "surrendered"), f"{unit.id} has lost its nerve", "PR-205")
    away = {name: dist((figures[name].x_mm, figures[name].y_mm), spot) for name, spot in keys.moves.items()}
    for name, far in away.items():
        goes, may = told_apart(far, limit)
        reasons.add(far > limit + MM, f"{name} goes {goes}, at most {may}", "PR-205")
    before, most = state_of(unit).closed_up, _CLOSE_UPS[holds_front(unit)]
    for name in keys.moves:
        often = "twice" if most > 1 else "once"
        reasons.add(before.count(name) >= most, f"{name} has closed up {often} this turn", "PR-205")
    closed = tuple(replace(figures[name], x_mm=spot[0], y_mm=spot[1]) for name, spot in keys.moves.items())
    facts = {"unit": unit.id, "distance_mm": max(away.values(), default=0.0)}
    changes = (
        *spent(unit, 0), PlaceFigures(places=places(closed)), *state(unit.id, closed_up=[*before, *keys.moves]),
    )  # fmt: skip
    return happens(game, action, allow(action, reasons), "moved", facts, changes, "PR-205")
