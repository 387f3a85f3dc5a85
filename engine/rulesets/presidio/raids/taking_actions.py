"""Plunder and captives: ``plunder``, ``drop``, ``capture`` (PR-810 to PR-812)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.dice import Roll
from engine.errors import UnusableFile
from engine.events import Change, Event, SetFigure
from engine.geometry.moving.moves import gap_between
from engine.geometry.plane.tolerance import MM
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.book import animals, book
from engine.rulesets.presidio.changes import spent, state
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.raid_book import raid_book
from engine.rulesets.presidio.table.field import on_table
from engine.rulesets.presidio.units.casualties import gone
from engine.rulesets.presidio.vocabulary import figures_of, state_of, stats_of

__all__ = ["CaptureKeys", "PlunderKeys", "capture", "drop", "plunder"]

_HOME = "home"


class PlunderKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``plunder`` and ``drop``: what, one thing or several."""

    what: str | tuple[str, ...]

    @property
    def items(self) -> tuple[str, ...]:
        """The things."""
        return (self.what,) if isinstance(self.what, str) else self.what


class CaptureKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``capture``: which figure seizes which, and what the victim does if that fails."""

    figure: str | None = None
    target_figure: str | None = None
    victim: Literal["flee", "stay"] = "flee"


def _able(unit: Unit, cost: int, rule: str) -> Reasons:
    reasons, now = Reasons(), state_of(unit)
    reasons.add(not on_table(unit), f"{unit.id} has no figure on the table", rule)
    short = f"{unit.id} has {now.actions_left} of the {cost} action{'s' * (cost > 1)} that it takes"
    reasons.add(now.actions_left < cost, short, rule)
    reasons.add(now.morale in ("panicked", "surrendered"), f"{unit.id} has {now.morale}", rule)
    return reasons


def plunder(game: Game, action: Action, keys: PlunderKeys) -> Procedure[None]:
    """A unit takes plunder: one thing, several, or all of a home. Raises ActionRefused (PR-810)."""
    unit, costs = game.unit(action.unit or ""), raid_book().plunder
    cost = costs["home"] if _HOME in keys.items else costs["several" if len(keys.items) > 1 else "one"]
    reasons = _able(unit, cost, "PR-810")
    now = state_of(unit)
    reasons.add(not keys.items, "nothing to take", "PR-810")
    burdened = _HOME in keys.items and now.carrying is not None
    reasons.add(burdened, f"{unit.id} carries {now.carrying} already", "PR-810")
    return _plunder(game, unit, keys.items, cost, action, allow(action, reasons))


def _plunder(
    game: Game, unit: Unit, items: tuple[str, ...], cost: int, action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    taken = [*state_of(unit).plunder, *items]
    burden = state(unit.id, carrying=_HOME) if _HOME in items else ()
    facts = {"unit": unit.id, "what": list(items), "plunder": taken}
    changes = (*spent(unit, cost), *state(unit.id, plunder=taken), *burden)
    yield from happen(Event(event="plunder", facts=facts, changes=changes, rule="PR-810"))


def drop(game: Game, action: Action, keys: PlunderKeys) -> Procedure[None]:
    """A unit drops what it has taken, at no cost. Raises ActionRefused (PR-810)."""
    unit, reasons = game.unit(action.unit or ""), Reasons()
    held = list(state_of(unit).plunder)
    for item in keys.items:
        reasons.add(item not in held and item != state_of(unit).carrying, f"{unit.id} has no {item}", "PR-810")
    return _drop(game, unit, keys.items, action, allow(action, reasons))


def _drop(
    game: Game, unit: Unit, items: tuple[str, ...], action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    left = list(state_of(unit).plunder)
    for item in items:
        if item in left:
            left.remove(item)
    free = state(unit.id, carrying=None) if state_of(unit).carrying in items else ()
    facts = {"unit": unit.id, "dropped": list(items), "plunder": left}
    changes = (*state(unit.id, plunder=left), *free)
    yield from happen(Event(event="plunder", facts=facts, changes=changes, rule="PR-810"))


def capture(game: Game, action: Action, keys: CaptureKeys) -> Procedure[None]:
    """A figure tries to seize a person or a beast. Raises ActionRefused, UnusableFile (PR-811, PR-812)."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    captor, victim = _figure(unit, keys.figure), _figure(target, keys.target_figure)
    reasons = _able(unit, 1, "PR-811")
    reasons.add(
        unit.side == target.side and target.type != "livestock", f"{target.id} is of the same side", "PR-811"
    )
    reasons.add(state_of(unit).carrying is not None, f"{unit.id} must drop what it carries", "PR-810")
    gap = None if captor is None or victim is None else gap_between((captor,), (victim,))
    apart = gap is None or gap.distance_mm > book().mm("touching_mm") + MM
    reasons.add(apart, f"{unit.id} is not in contact with its victim", "PR-811")
    return _capture(game, unit, target, captor, victim, keys, action, allow(action, reasons))


def _figure(unit: Unit, name: str | None) -> Figure | None:
    """A figure of a unit by id, the first where none is named. Raises UnusableFile."""
    figures = figures_of(unit)
    if name is None:
        return figures[0] if figures else None
    for figure in figures:
        if figure.id == name:
            return figure
    known = ", ".join(figure.id for figure in figures) or "none"
    raise UnusableFile(f"figure {name!r}: expected one of {unit.id}: {known}")


def _melee_of(unit: Unit) -> int:
    """The Melee of a unit, of a beast that of its kind (PR-812, PR-828)."""
    stats = stats_of(unit)
    return animals()[stats.beast].melee if unit.type == "livestock" else stats.melee


def _capture(
    game: Game, unit: Unit, target: Unit, captor: Figure | None, victim: Figure | None, keys: CaptureKeys,
    action: Action, against: tuple[str, ...],
) -> Procedure[None]:  # fmt: skip
    game = yield from overruled(game, action, against)
    if captor is None or victim is None:
        return
    beast = target.type == "livestock"
    least = max(fight_book().melee.capture - _melee_of(unit) + _melee_of(target), fight_book().melee.least)
    request = Roll(
        purpose=f"{captor.id} seizes {victim.id}", count=1, die="d12", success=f">={least}", rule="PR-811"
    )
    seized = (yield from roll(request)).passed > 0
    facts = {
        "unit": unit.id, "figure": captor.id, "target": target.id, "target_figure": victim.id, "required": least,
    }  # fmt: skip
    paid = spent(unit, 1)
    if seized:
        taken: Change = SetFigure(figure=victim.id, key="status", value="captured")
        event = Event(
            event="captured", facts=facts, changes=(*paid, taken, *gone(game, target, victim)), rule="PR-811"
        )
    else:
        flees = beast or keys.victim == "flee"
        stunned = 0 if beast else 1 if flees else 2
        facts |= {"stunned": stunned, "flees": flees}
        dazed = state(unit.id, stunned=state_of(unit).stunned + stunned) if stunned else ()
        event = Event(event="capture-failed", facts=facts, changes=(*paid, *dazed), rule="PR-811")
    yield from happen(event)
