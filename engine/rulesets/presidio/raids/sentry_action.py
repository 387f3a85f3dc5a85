"""``sentry``: whether those on watch see who comes (PR-820, PR-821)."""

from __future__ import annotations

from engine.dice import Roll
from engine.events import Event, SetCondition
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.answer import Modifier
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.raid_book import raid_book
from engine.rulesets.presidio.small_arms.shot_numbers import effect
from engine.rulesets.presidio.table.field import on_table
from engine.rulesets.presidio.table.sight import sees
from engine.rulesets.presidio.turns.hiding_action import search_bonus
from engine.rulesets.presidio.vocabulary import conditions_of, figures_of, state_of, stats_of

__all__ = ["sentry", "watching"]

_PLATOON, _COMPANY = 10, 16


def sentry(game: Game, action: Action) -> Procedure[None]:
    """Sentries look out for a unit; asleep, or where they cannot see it, no score helps. Raises ActionRefused."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    reasons = Reasons()
    reasons.add(unit.side == target.side, f"{target.id} is on the same side as {unit.id}", "PR-820")
    for one in (unit, target):
        reasons.add(not on_table(one), f"{one.id} has no figure on the table", "PR-820")
    return _sentry(game, unit, target, action, allow(action, reasons))


def watching(game: Game, unit: Unit, target: Unit, watch: str) -> tuple[Modifier, ...]:
    """What alters the die of sentries who watch so (PR-820)."""
    numbers = raid_book().sentry
    size, posture = len(figures_of(target)), state_of(target).posture
    search = search_bonus(game, "sentry")
    found = (
        ("Recon", stats_of(unit).recon), ("Camou", -stats_of(target).camou),
        ("kneeling", numbers.kneeling if posture == "kneeling" else 0),
        ("prone", numbers.prone if posture == "prone" else 0),
        ("a platoon", numbers.platoon if _PLATOON <= size < _COMPANY else 0),
        ("a company", numbers.company if size >= _COMPANY else 0),
        ("daydreaming", numbers.daydreaming if watch == "daydreaming" else 0),
    )  # fmt: skip
    light = (effect("the light", search, "PR-821"),) if search else ()
    return (*(effect(name, value, "PR-820") for name, value in found if value), *light)


def _sentry(game: Game, unit: Unit, target: Unit, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    numbers, conditions = raid_book().sentry, conditions_of(game)
    watch = conditions.sentries
    if watch is None:
        score = (yield from roll(Roll(purpose="how the sentries watch", count=1, rule="PR-820"))).total
        watch = numbers.states[score - 1]
        kept = (SetCondition(key="sentries", value=watch),)
        game = yield from happen(Event(event="watch", facts={"sentries": watch}, changes=kept, rule="PR-820"))
    rolled = yield from roll(Roll(purpose=f"{unit.id} looks out for {target.id}", count=1, rule="PR-820"))
    needed = numbers.day if conditions.light == "day" else numbers.night
    found = watching(game, unit, target, watch)
    total = rolled.total + sum(int(one.extra["value"]) for one in found)
    why = "asleep" if watch == "sleeping" else None if sees(game, unit, target) else "out of sight"
    spotted = why is None and total >= needed
    facts = {
        "unit": unit.id, "target": target.id, "sentries": watch, "total": total, "required": needed, "why": why,
    }  # fmt: skip
    yield from happen(Event(event="spotted" if spotted else "unseen", facts=facts, rule="PR-820"))
