"""``evade``, ``take-cover``, ``hunker-down``, ``covered-reload``: what units do to be hit less (PR-416 to 429)."""

from __future__ import annotations

from engine.events import Change
from engine.geometry.cover import base_gaps
from engine.geometry.plane.tolerance import MM
from engine.play import Procedure
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.acting import able, happens
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.changes import spent, state, state_where
from engine.rulesets.presidio.table.covering import cover_of, rank
from engine.rulesets.presidio.table.field import field_of, on_table
from engine.rulesets.presidio.table.sorts import class_of, formation_of
from engine.rulesets.presidio.vocabulary import state_of

__all__ = ["covered_reload", "evade", "hunker_down", "take_cover"]


def evade(game: Game, action: Action) -> Procedure[None]:
    """A skirmish unit runs in zigzag (PR-416). Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    reasons = able(unit, 1, "PR-416")
    reasons.add(class_of(unit) != "skirmish", "only skirmish units evade", "PR-416")
    reasons.add(bool(state_of(unit).engaged_with), "is in melee: it must break off", "PR-516")
    return _does(game, unit, action, reasons, 1, state(unit.id, evading=True))


def take_cover(game: Game, action: Action) -> Procedure[None]:
    """A unit in skirmish formation jumps to cover, or goes prone where there is none near (PR-417)."""
    unit = game.unit(action.unit or "")
    reasons = able(unit, 2, "PR-417")
    reasons.extend(_loose(unit, "PR-417"))
    reasons.add(bool(state_of(unit).engaged_with), "is in melee: it must break off", "PR-516")
    changes: tuple[Change, ...] = state(unit.id, taking_cover=True)
    if on_table(unit) and not _cover_near(game, unit):
        changes += state_where(unit, posture="prone")
    return _does(game, unit, action, reasons, 2, changes)


def hunker_down(game: Game, action: Action) -> Procedure[None]:
    """A unit in partial cover or better ducks out of all sight (PR-418)."""
    unit = game.unit(action.unit or "")
    reasons = able(unit, 2, "PR-418")
    shown = [enemy for enemy in game.enemies(unit) if on_table(enemy) and not state_of(enemy).hidden]
    foes = shown if on_table(unit) else []
    has = any(rank(cover_of(game, enemy, unit).above) >= rank("partial") for enemy in foes)
    reasons.add(not has, "has no partial cover or better", "PR-418")
    return _does(game, unit, action, reasons, 2, state(unit.id, hunkered=True))


def covered_reload(game: Game, action: Action) -> Procedure[None]:
    """A unit in skirmish formation ducks to reload: half of it fires, all are hit less (PR-429)."""
    unit = game.unit(action.unit or "")
    reasons = able(unit, 0, "PR-429")
    reasons.extend(_loose(unit, "PR-429"))
    reasons.add(state_of(unit).moved is not None, "has moved this turn", "PR-429")
    return _does(game, unit, action, reasons, 0, state(unit.id, covered_reload=True))


def _loose(unit: Unit, rule: str) -> tuple[tuple[str, str], ...]:
    """What keeps those from it who are not light troops in skirmish formation."""
    found = []
    if class_of(unit) not in ("skirmish", "light"):
        found.append((f"{unit.type} troops are neither skirmish nor light", rule))
    if formation_of(unit) != "skirmish":
        found.append((f"stands in {formation_of(unit)}, not in skirmish", rule))
    return tuple(found)


def _cover_near(game: Game, unit: Unit) -> bool:
    """Whether anything that gives cover lies within 2 in of a unit (PR-417)."""
    field = field_of(game)
    which = [number for number, patch in enumerate(field.patches) if patch.cover != "none"]
    gaps = base_gaps(field.bases.pick(field.of_unit[unit.id]), field.pieces.pick(which))
    return bool((gaps <= book().mm("to_cover") + MM).any())


def _does(
    game: Game, unit: Unit, action: Action, reasons: Reasons, cost: int, changes: tuple[Change, ...]
) -> Procedure[None]:
    """The action once it is allowed: an event of its own name."""
    rules = {"evade": "PR-416", "take-cover": "PR-417", "hunker-down": "PR-418", "covered-reload": "PR-429"}
    changes = (*spent(unit, cost), *changes)
    against = allow(action, reasons)
    return happens(game, action, against, action.action, {"unit": unit.id}, changes, rules[action.action])
