"""What goes wrong with a piece on the lowest score, and mending a fuse (PR-935)."""

from __future__ import annotations

from typing import Literal

from engine.dice import Roll
from engine.events import Change, Event, RemoveFigures
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.changes import spent, state
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.table.field import on_table
from engine.rulesets.presidio.units.casualties import felled, morale_due
from engine.rulesets.presidio.units.guns import crew_at
from engine.rulesets.presidio.vocabulary import figures_of, is_artillery, state_of

__all__ = ["mend_fuse", "mishap"]

#: What becomes of the shot: an ordinary miss, spent without a trace, or over: not gone off, or the piece is lost.
After = Literal["ordinary", "spent", "over"]

_MODELS = ("gun", "limber", "wagon")


def mishap(game: Game, name: str) -> Procedure[tuple[Game, After]]:
    """A die on the table of mishaps: the game after it and what becomes of the shot."""
    score = (yield from roll(Roll(purpose=f"mishap of {name}", count=1, rule="PR-935"))).total
    unit = game.unit(name)
    changes: tuple[Change, ...] = state(name, fuse_fault=True) if score == 3 else ()
    game = yield from happen(
        Event(event="mishap", facts={"unit": name, "result": score}, changes=changes, rule="PR-935")
    )
    crew = [figure.id for figure in figures_of(unit) if figure.role not in _MODELS]
    if score == 1:
        guns = tuple(figure.id for figure in figures_of(unit) if figure.role == "gun")
        facts = {"unit": name, "figure": guns[0] if guns else None}
        gone = (RemoveFigures(unit=name, figures=guns),) if guns else ()
        game = yield from happen(Event(event="destroyed", facts=facts, changes=gone, rule="PR-935"))
        return (yield from felled(game, name, len(crew), crew, "PR-935")), "over"
    if score == 2:
        game = yield from felled(game, name, 1, crew[-1:], "PR-935")
        return (yield from morale_due(game, name)), "spent"
    return game, "over" if score in (3, 4) else "ordinary"


def mend_fuse(game: Game, action: Action) -> Procedure[None]:
    """The crew mends a faulty fuse. Raises ActionRefused."""
    unit, reasons = game.unit(action.unit or ""), Reasons()
    now = state_of(unit)
    reasons.add(not is_artillery(unit), f"{unit.id} is no artillery", "PR-935")
    reasons.add(not now.fuse_fault, f"{unit.id} has no faulty fuse", "PR-935")
    reasons.add(now.morale in ("panicked", "surrendered"), f"{unit.id} has {now.morale}", "PR-203")
    nobody = is_artillery(unit) and on_table(unit) and crew_at(game, unit) == 0
    reasons.add(nobody, f"{unit.id} has no gunner at its piece", "PR-914")
    reasons.add(now.actions_left < 1, f"{unit.id} has no action left", "PR-935")
    return _mend(game, unit.id, action, allow(action, reasons))


def _mend(game: Game, name: str, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    success = f">={fight_book().gun.mended}"
    request = Roll(purpose=f"{name} mends its fuse", count=1, success=success, rule="PR-935")
    mended = (yield from roll(request)).passed > 0
    changes = (*spent(game.unit(name), 1), *(state(name, fuse_fault=False) if mended else ()))
    event = Event(event="mended" if mended else "not-mended", facts={"unit": name}, changes=changes, rule="PR-935")
    yield from happen(event)
