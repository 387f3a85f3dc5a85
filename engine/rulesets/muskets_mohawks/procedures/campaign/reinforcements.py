"""Reinforcements at the turn of a turn (MM-204, MM-210, MM-211, MM-232)."""

from __future__ import annotations

from engine.dice import Roll
from engine.events import Event
from engine.play import Procedure, happen, roll
from engine.records.game import Game
from engine.rulesets.muskets_mohawks.procedures.campaign.arrivals import arrivals, enter, table_rule
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import fielded
from engine.rulesets.muskets_mohawks.procedures.solo.sections import place_pef
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of

__all__ = ["reinforce"]


def reinforce(game: Game, side: str) -> Procedure[Game]:
    """The side with the higher die tries for reinforcements; none where it has no investment level to try with."""
    conditions = conditions_of(game)
    campaign = conditions.campaign.get(side)
    if campaign is None or campaign.investment_level is None:
        return game
    if conditions.encounter == "scout" and side == conditions.player_side:
        return game
    level = campaign.investment_level
    tried = yield from roll(Roll(purpose=f"reinforcements of {side}", count=2, success=f"<={level}", rule="MM-210"))
    if not tried.passed:
        facts = {"side": side, "passed": 0, "total": None, "arrive": []}
        return (yield from happen(Event(event="reinforcements", facts=facts, rule="MM-210")))
    if not any(unit.side == side and unit.type != "pef" and figures_of(unit) for unit in game.units):
        facts = {"side": side, "passed": tried.passed, "total": None, "arrive": []}
        game = yield from happen(Event(event="reinforcements", facts=facts, rule="MM-211"))
        return (yield from place_pef(game, side))
    die = yield from roll(Roll(purpose=f"who comes to {side}", count=1, rule="MM-210"))
    total = die.total + (level if tried.passed >= 2 else 0)
    arrive = arrivals(game, side, total)
    facts = {"side": side, "passed": tried.passed, "total": total, "arrive": arrive}
    game = yield from happen(Event(event="reinforcements", facts=facts, rule=table_rule(fielded(game, side))))
    return (yield from enter(game, side, arrive)) if arrive else game
