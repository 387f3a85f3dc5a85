"""Every action of the ruleset: its keys, and the function that begins it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from engine.rulesets.base.forms.keys import Entry, plain
from engine.rulesets.palouse import fire_action, move_actions, step_action, turn_actions
from engine.rulesets.palouse.book import Book

__all__ = ["entries"]


def entries(book: Book) -> Mapping[str, Entry]:
    """Every action by the tables of a book."""
    return {
        "move": Entry(begin=partial(move_actions.move, book), keys=move_actions.MoveKeys),
        "turn": Entry(begin=partial(move_actions.turn, book), keys=move_actions.TurnKeys),
        "fire": Entry(begin=partial(fire_action.fire, book), keys=fire_action.FireKeys, target=True),
        "elimination": plain(partial(turn_actions.elimination, book), unit=False),
        "check-resolve": plain(partial(turn_actions.check_resolve, book), unit=False),
        "start-game": plain(partial(turn_actions.start_game, book), unit=False),
        "step": Entry(begin=step_action.step, keys=step_action.StepKeys, unit=False),
        "end-turn": plain(partial(turn_actions.end_turn, book), unit=False),
    }
