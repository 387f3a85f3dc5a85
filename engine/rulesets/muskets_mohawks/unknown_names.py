"""What a unit's record names and the game does not have: a slip of the pen, or who has yet to come."""

from __future__ import annotations

from collections.abc import Iterator

from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.vocabulary import state_of, stats_of

__all__ = ["name_warnings"]


def name_warnings(game: Game, unit: Unit) -> Iterator[str]:
    """Each name in a unit's ``stats`` and ``state`` that no unit or piece of terrain bears, in words.

    They are no errors: a Leader may have troops under him that come later, and who fought somebody may find him
    taken off the table.
    """
    state = state_of(unit)
    named = [("stats.commands", name) for name in stats_of(unit).commands or ()]
    named += [("state.in_melee", name) for name in state.in_melee]
    named += [("state.fired_on_by", name) for name in state.fired_on_by]
    named += [("state.firing_at", state.firing_at)] if state.firing_at is not None else []
    named += [("state.led_by", state.led_by)] if state.led_by is not None else []
    for key, name in named:
        if name not in game.by_id:
            yield f"{key} names {name!r}: no unit of this game is called so"
    if state.behind is not None and all(piece.id != state.behind for piece in game.terrain):
        yield f"state.behind names {state.behind!r}: no terrain of this game is called so"
