"""``step``: which step of its turn a side is at, where the players keep to the steps (PA-05, R18)."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from engine.events import Event, SetCondition
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.palouse.vocabulary import Step, conditions_of

__all__ = ["StepKeys", "step"]

#: The steps of a turn in their order.
_STEPS: tuple[Step, ...] = get_args(Step)


class StepKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``step``: which one it is now, ``any`` for none that is kept; the next where nobody says."""

    to: Step | Literal["any"] | None = None


def step(game: Game, action: Action, keys: StepKeys) -> Procedure[None]:
    """A step is over, or another is said to be played. Raises ActionRefused after the last one."""
    now, reasons = conditions_of(game).step, Reasons()
    last = keys.to is None and now == _STEPS[-1]
    reasons.add(last, f"{now} is the last step: the turn ends with it", "PA-05")
    following = _STEPS[0] if now is None or last else _STEPS[(_STEPS.index(now) + 1) % len(_STEPS)]
    return _step(game, following if keys.to is None else keys.to, action, allow(action, reasons))


def _step(game: Game, to: Step | Literal["any"], action: Action, against: tuple[str, ...]) -> Procedure[None]:
    yield from overruled(game, action, against)
    change = SetCondition(key="step", value=None if to == "any" else to)
    yield from happen(Event(event="step", facts={"step": to}, changes=(change,), rule="PA-05"))
