"""Possible enemy forces: put down, moved, resolved (MM-219 to MM-225, R-40, R-41)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.dice import Roll
from engine.events import Change, Event, PlaceFigures, RemoveUnit, apply
from engine.geometry.moving.moves import centroid, gap_between, moved, places
from engine.geometry.plane.tolerance import MM
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.procedures.campaign.arrivals import arrivals, enter, table_rule
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import fielded, side_campaign
from engine.rulesets.muskets_mohawks.procedures.campaign.encounters import SideKeys
from engine.rulesets.muskets_mohawks.procedures.changes import noted, state
from engine.rulesets.muskets_mohawks.procedures.setup.mustering import arrived, marker
from engine.rulesets.muskets_mohawks.procedures.solo.secrets import revealed
from engine.rulesets.muskets_mohawks.procedures.solo.sections import hidden_spot, marker_section, near_edge
from engine.rulesets.muskets_mohawks.seeing.sight import pairs
from engine.rulesets.muskets_mohawks.table.facts import enemies_on_table, in_cover, may_have_cover
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.vocabulary import (
    MM_PER_INCH,
    conditions_of,
    figures_of,
    state_of,
    stats_of,
)

__all__ = ["PefResolveKeys", "pef_generate", "pef_move", "pef_resolve"]

NUMBER = 3
#: A marker stops so far from another one, and halts in cover so far from an enemy that it sees.
SHORT_MM, IN_RANGE_MM = 4 * MM_PER_INCH, 18 * MM_PER_INCH
#: How far it goes by the dice passed.
FAR_MM = {2: 16 * MM_PER_INCH, 1: 8 * MM_PER_INCH}
#: The highest score for going to another marker (there is one), and for splitting (there is none).
TO_MARKER, SPLITS = {2: 2, 1: 3}, {2: 2, 1: 1}
_STEP_MM = 1.0
#: The defence value of each kind of position (MM-225).
DEFENCE = {"building": 1, "gully": None, "fieldworks": 2}


class PefResolveKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``pef-resolve``."""

    entry: Literal["at-pef", "entry-table"] | None = None


def pef_generate(game: Game, action: Action, keys: SideKeys) -> Procedure[None]:
    """Begins ``pef-generate``. Raises UnusableFile for an unknown side."""
    game.side(keys.side)
    return _generate(game, keys.side)


def _generate(game: Game, side: str) -> Procedure[None]:
    for number in range(NUMBER):
        rolled = yield from roll(Roll(purpose=f"section of marker {number + 1}", count=1, rule="MM-219"))
        section = marker_section(game, side, rolled.total)
        x, y = hidden_spot(game, section, near_edge(game))
        facts = {"side": side, "section": section, "x_mm": x, "y_mm": y}
        put = marker(game, side, (x, y))
        changes: tuple[Change, ...] = (put, *noted(game, markers=True))
        game = yield from happen(Event(event="pef", facts=facts, changes=changes, rule="MM-219"))


def level_of(game: Game, unit: Unit) -> int:
    """The marker's Rep: its side's investment level, else its own (MM-220)."""
    level = side_campaign(game, unit.side).investment_level
    return stats_of(unit).rep if level is None else level


def _is_marker(unit: Unit) -> Reasons:
    reasons = Reasons()
    reasons.add(unit.type != "pef", f"{unit.id} is no possible enemy force", "MM-219")
    reasons.add(not reasons and not figures_of(unit), f"{unit.id} is not on the table", "MM-219")
    return reasons


def pef_move(game: Game, action: Action) -> Procedure[None]:
    """Begins ``pef-move``. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    allow(Action(action=action.action), _is_marker(unit))
    reasons = ["already activated this turn"] if state_of(unit).activated else []
    return _move(game, action, unit, allow(action, reasons))


def _move(game: Game, action: Action, unit: Unit, against: Sequence[str]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    level = level_of(game, unit)
    rolled = yield from roll(Roll(purpose=f"{unit.id} moves", count=2, success=f"<={level}", rule="MM-221"))
    passed, result, allowance = min(2, rolled.passed), "stay", 0.0
    others = [
        one for one in game.units
        if one.type == "pef" and one.side == unit.side and one.id != unit.id and figures_of(one)
    ]  # fmt: skip
    if passed:
        die = yield from roll(Roll(purpose=f"where {unit.id} goes", count=1, rule="MM-221"))
        result = "toward-enemy"
        if others and die.total <= TO_MARKER[passed]:
            result = "toward-pef"
        elif not others and die.total <= SPLITS[passed]:
            result = "split"
        allowance = 0.0 if result == "split" else FAR_MM[passed]
    gone, halted = _way(game, unit, result, allowance, others)
    distance = centroid_distance(unit, gone)
    facts = {
        "unit": unit.id, "passed": passed, "result": result, "distance_mm": allowance,
        "moved_mm": distance, "halted": halted,
    }  # fmt: skip
    changes: list[Change] = [*state(unit.id, activated=True)]
    if distance:
        changes += [PlaceFigures(places=places(figures_of(gone))), *state(unit.id, pef_moved=True)]
    if result == "split":
        changes.append(marker(game, unit.side, centroid(figures_of(unit))))
    yield from happen(Event(event="pef-move", facts=facts, changes=tuple(changes), rule="MM-221"))


def centroid_distance(unit: Unit, gone: Unit) -> float:
    """How far the marker went, in millimetres."""
    (x, y), (new_x, new_y) = centroid(figures_of(unit)), centroid(figures_of(gone))
    return float(((new_x - x) ** 2 + (new_y - y) ** 2) ** 0.5)


def _way(game: Game, unit: Unit, result: str, allowance: float, others: Sequence[Unit]) -> tuple[Unit, bool]:
    """The marker after its move, and whether it halted in cover within range of an enemy (MM-222)."""
    goals = list(others) if result == "toward-pef" else list(enemies_on_table(game, unit))
    near = _nearest(unit, goals) if result.startswith("toward") else None
    if near is None:
        return unit, False
    gap, direction = near
    if result == "toward-pef":
        return _shifted(unit, direction, min(allowance, max(0.0, gap - SHORT_MM))), False
    most, gone = min(allowance, gap), 0.0
    while True:
        there = _shifted(unit, direction, gone)
        if _would_halt(game, there):
            return there, True
        if gone >= most:
            return there, False
        gone = min(most, gone + _STEP_MM)


def _nearest(unit: Unit, goals: Sequence[Unit]) -> tuple[float, tuple[float, float]] | None:
    gaps = [gap_between(figures_of(unit), figures_of(goal)) for goal in goals]
    known = [gap for gap in gaps if gap is not None]
    if not known:
        return None
    nearest = min(known, key=lambda gap: gap.distance_mm)
    return nearest.distance_mm, nearest.direction


def _shifted(unit: Unit, direction: tuple[float, float], distance: float) -> Unit:
    return replace(unit, figures=moved(unit.figures, direction, distance))


def _would_halt(game: Game, unit: Unit) -> bool:
    """Whether it would be in cover there from an enemy in sight and in range of small arms (MM-222, R-08)."""
    there = apply(game, Event(event="pef-move", changes=(PlaceFigures(places=places(figures_of(unit))),)))
    here = there.unit(unit.id)
    if not may_have_cover(there, here):
        return False
    for enemy in enemies_on_table(there, here):
        seen = pairs(sheet_of(there), here, enemy, over_figures=True)
        for x, y in seen.end[seen.clear & (seen.gap_mm <= IN_RANGE_MM + MM)].tolist():
            if in_cover(there, here, cause_xy=(x, y), fired_at=False) is not None:
                return True
    return False


def pef_resolve(game: Game, action: Action, keys: PefResolveKeys) -> Procedure[None]:
    """Begins ``pef-resolve``. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    allow(Action(action=action.action), _is_marker(unit))
    if conditions_of(game).evening.play == "head-to-head":
        return revealed(game, unit)
    return _resolve(game, unit, keys.entry or conditions_of(game).options.pef_entry)


def _resolve(game: Game, unit: Unit, entry: str) -> Procedure[None]:
    level, where = level_of(game, unit), centroid(figures_of(unit))
    player = side_campaign(game, conditions_of(game).player_side or game.sides[0].name)
    changed = level + {"contesting": 1, "controlling": -1}.get(player.territory or "", 0)
    rolled = yield from roll(Roll(purpose=f"{unit.id} is resolved", count=2, success=f"<={changed}", rule="MM-224"))
    passed, total, defensive = min(2, rolled.passed), None, False
    arrive: list[dict[str, Any]] = []
    if passed == 2:
        defence = yield from roll(Roll(purpose="defensive positions", count=1, rule="MM-224"))
        defensive = defence.total >= 5
    if passed:
        die = yield from roll(Roll(purpose="who they are", count=1, rule="MM-224"))
        total = die.total + (level if passed == 2 else 0)
        arrive = arrivals(game, unit.side, total)
    facts = {
        "unit": unit.id, "passed": passed, "total": total, "arrive": arrive, "defensive": defensive,
        "x_mm": where[0], "y_mm": where[1],
    }  # fmt: skip
    positions = (yield from _positions(arrive)) if defensive else []
    rule = "MM-224" if total is None else table_rule(fielded(game, unit.side))
    gone = RemoveUnit(unit=unit.id)
    game = yield from happen(Event(event="pef-resolve", facts=facts, changes=(gone,), rule=rule))
    for position in positions:
        yield from happen(Event(event="position", facts=position, rule="MM-225"))
    if arrive and entry == "entry-table":
        yield from enter(game, unit.side, arrive)
    elif arrive:
        come = arrived(game, unit.side, arrive, where)
        names = [change.unit.id for change in come]
        yield from happen(Event(event="arrived", facts={"units": names}, changes=come, rule=rule))


def _positions(arrive: Sequence[dict[str, Any]]) -> Procedure[list[dict[str, Any]]]:
    """A length and a kind for each unit found in position; a platoon or war party is two (MM-225)."""
    number = sum(one["number"] * (1 if one["what"] == "unit" else 2) for one in arrive)
    lengths = []
    for _ in range(number):
        rolled = yield from roll(Roll(purpose="length of the position", count=1, rule="MM-225"))
        lengths.append(6 + (rolled.total + 1) // 2)
    found = []
    for length in lengths:
        rolled = yield from roll(Roll(purpose="kind of position", count=1, rule="MM-225"))
        kind = "building" if rolled.total == 1 else "gully" if rolled.total <= 4 else "fieldworks"
        found.append({"length_in": length, "kind": kind, "dv": DEFENCE[kind]})
    return found
