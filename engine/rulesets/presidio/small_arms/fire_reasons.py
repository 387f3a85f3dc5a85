"""Everything that keeps a unit from firing a small arm at another, in words, each with its row."""

from __future__ import annotations

from collections.abc import Iterator

from engine.records.game import Unit
from engine.rulesets.presidio.small_arms.shooting import Shot, band_limits, may_volley
from engine.rulesets.presidio.small_arms.shot_numbers import number_of
from engine.rulesets.presidio.table.field import on_table, told_apart
from engine.rulesets.presidio.table.sorts import class_of, formation_of, models
from engine.rulesets.presidio.vocabulary import figures_of, state_of

__all__ = ["COSTS", "reasons_of", "state_reasons", "target_reasons"]

#: What each mode costs in actions; fire on the move is paid in inches (PR-210, PR-424, PR-425).
COSTS = {"volley": 1, "independent": 1, "moving": 0, "aimed": 2, "opportunity": 2}


def state_reasons(unit: Unit, cost: int) -> Iterator[tuple[str, str]]:
    """What keeps a unit from firing at anybody with anything (PR-432)."""
    state = state_of(unit)
    if not on_table(unit):
        yield f"{unit.id} has no figures on the table", "PR-432"
    if state.hidden:
        yield f"{unit.id} is hidden: it must spring an ambush first", "PR-432"
    if state.morale in ("panicked", "surrendered"):
        yield f"{unit.id} has {state.morale}", "PR-432"
    if state.actions_left < max(cost, 1):
        left = f"{state.actions_left} left" if state.actions_left else "none left"
        yield f"needs {max(cost, 1)} action{'s' * (cost > 1)}, has {left}", "PR-210" if cost > 1 else "PR-432"
    if state.carrying is not None:
        yield f"carries {state.carrying}: no fighting until that is dropped", "PR-810"
    if state.reload_left > 0:
        yield f"not loaded: {state.reload_left} more to reload", "PR-432"


def target_reasons(target: Unit) -> Iterator[tuple[str, str]]:
    """What keeps anybody from firing at a unit."""
    if not on_table(target):
        yield f"{target.id} has no figures on the table", "PR-403"
    elif state_of(target).hidden:
        yield f"{target.id} is hidden: spot it first", "PR-430"
    elif all(models(target, figure) for figure in figures_of(target)):
        yield f"{target.id} has nobody that small arms hit", "PR-604"


def reasons_of(shot: Shot) -> Iterator[tuple[str, str]]:
    """Everything that speaks against a shot."""
    yield from state_reasons(shot.unit, COSTS[shot.mode])
    yield from target_reasons(shot.target)
    yield from _mode_reasons(shot)
    if not on_table(shot.unit) or not on_table(shot.target):
        return
    yield from _sight_reasons(shot)
    if shot.band == "out" and shot.range is not None:
        far, most = told_apart(shot.range.length_mm, band_limits(shot.game, shot.weapon)[-1])
        yield f"out of range: {far}, less than {most} needed", "PR-408"
    if shot.cover.above == "complete":
        yield "complete cover: cannot be hit", "PR-414"
    elif number_of(shot) is None:
        yield "needs more than 12, the most that a d12 shows", "PR-426"


def _mode_reasons(shot: Shot) -> Iterator[tuple[str, str]]:
    """What keeps a unit from firing in this way."""
    unit, state = shot.unit, state_of(shot.unit)
    line = class_of(unit) not in ("light", "skirmish")
    if shot.way != "moving" and state.fired_moving and state.moved is None:
        yield "has fired on the move: it goes before it fires otherwise", "PR-424"
    if shot.way == "volley":
        yield from may_volley(shot.game, unit)
        return
    if state.fire_mode == "volley":
        yield "fired a volley: reload completely before independent fire", "PR-427"
    if formation_of(unit) == "disorder" and class_of(unit) == "line" and state.fire_mode is not None:
        yield "in disorder a line fires only when fully loaded", "PR-321"
    if shot.way == "moving":
        if line:
            yield f"{unit.type} troops do not fire on the move", "PR-424"
        if state.charging:
            yield "does not fire while charging", "PR-424"
        if state.fired_moving:
            yield "has fired on the move this turn", "PR-424"
    elif state.moved is not None and line:
        yield "has moved this turn", "PR-422"


def _sight_reasons(shot: Shot) -> Iterator[tuple[str, str]]:
    """Why nobody shoots, or too few to throw a die."""
    if not shot.armed:
        yield f"nobody fires a {shot.weapon} so", "PR-420" if shot.way == "aimed" else "PR-422"
    elif not shot.free.any():
        yield "everybody is held in contact", "PR-514"
    elif not shot.aims_at.any():
        yield f"all of {shot.target.id} are in contact: nobody fires into that", "PR-514"
    elif not shot.view.sees[shot.free].any():
        yield from shot.view.why
    elif not shot.shooters:
        yield f"not within {shot.half_arc_deg:g} degrees of anybody's bearing", "PR-403"
    elif shot.count == 0:
        half = "PR-424" if shot.way == "moving" else "PR-321"
        yield f"half of {len(shot.armed)} rounds down to no shot", half
