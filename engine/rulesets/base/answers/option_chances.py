"""The chances beside each option of an answer, and the action that an option stands for."""

from __future__ import annotations

from itertools import count
from typing import Any, TypeVar

from msgspec.structs import asdict, replace

from engine.errors import EngineError
from engine.records.action import Action
from engine.records.answer import Answer, ChargeOption, FireOption, UnitAnswer
from engine.records.chances import Chances
from engine.records.game import Game
from engine.rulesets.base.answers.chances import chances
from engine.rulesets.base.ruleset import Ruleset

__all__ = ["CHANCES", "charge_action", "fire_action", "with_chances"]

T = TypeVar("T", FireOption, ChargeOption)

#: An answer has many options: of one whose dice fall in more ways than that, the chances are asked for by itself.
MOST_WAYS = 500

#: The key of an option under which its chances stand.
CHANCES = "chances"


def with_chances(ruleset: Ruleset, game: Game, answer: Answer) -> Answer:
    """The answer with the exact chances of every option that is allowed, where they can be known."""
    return replace(answer, units=tuple(_unit(ruleset, game, one) for one in answer.units))


def _unit(ruleset: Ruleset, game: Game, one: UnitAnswer) -> UnitAnswer:
    return replace(
        one,
        fire=tuple(_told(ruleset, game, shot, fire_action(ruleset, one.unit, shot)) for shot in one.fire),
        charge=tuple(_told(ruleset, game, charge, charge_action(one.unit, charge)) for charge in one.charge),
    )


def _told(ruleset: Ruleset, game: Game, option: T, action: Action) -> T:
    found = _chances(ruleset, game, action) if option.legal else None
    if found is None:
        return option
    return replace(option, extra={**option.extra, CHANCES: found.to_builtins()})


def _chances(ruleset: Ruleset, game: Game, action: Action) -> Chances | None:
    try:
        ways = count()
        return chances(ruleset, game, action, enough=lambda: next(ways) >= MOST_WAYS)
    except EngineError:
        return None  # dice that fall in too many ways, or an option that asks for more than it says


def fire_action(ruleset: Ruleset, unit: str, option: FireOption) -> Action:
    """The action that an option of firing stands for: one of its mode's own, or ``fire``, with the keys it says."""
    forms = ruleset.forms()
    name = f"fire-{option.mode}" if f"fire-{option.mode}" in forms else "fire"
    keys = {field.key for field in forms[name].fields} - {"target"} if name in forms else set()
    values: dict[str, Any] = {**asdict(option), **option.extra}
    said = {key: values[key] for key in sorted(keys & set(values)) if isinstance(values[key], str | int | float)}
    return Action(action=name, unit=unit, target=option.target, extra=said)


def charge_action(unit: str, option: ChargeOption) -> Action:
    """The action that an option of charging stands for; some rules charge first, and attack by another order."""
    return Action(action=str(option.extra.get("action", "charge")), unit=unit, target=option.target)
