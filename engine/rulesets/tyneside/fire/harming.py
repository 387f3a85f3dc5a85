"""What a hit does to a figure: a graze, a wound, a second wound that kills, a kill (TY-40)."""

from __future__ import annotations

from engine.events import Event
from engine.play import Procedure, happen
from engine.records.game import Game
from engine.rulesets.tyneside.changes import killed, wounded

__all__ = ["harm"]


def harm(game: Game, unit: str, figure: str, what: str, rule: str) -> Procedure[Game]:
    """A figure takes harm: ``graze``, ``wound`` (a second one kills) or ``kill``; the game after it."""
    owner = game.unit(unit)
    struck = next(one for one in owner.figures if one.id == figure)
    facts = {"unit": unit, "figure": figure}
    if what == "graze":
        return (yield from happen(Event(event="graze", facts=facts, rule=rule)))
    if what == "wound" and struck.status != "wounded":
        return (yield from happen(Event(event="wound", facts=facts, changes=wounded(struck), rule=rule)))
    if what == "wound":
        facts["why"] = "second wound"
    return (yield from happen(Event(event="kill", facts=facts, changes=killed(owner, struck), rule=rule)))
