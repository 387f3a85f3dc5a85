"""Which words there are to choose from: armies and troops of the wars that are fought, how a target may fire."""

from __future__ import annotations

from collections.abc import Mapping

from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.muskets_mohawks.procedures.campaign.arrivals import in_quarters
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import side_campaign
from engine.rulesets.muskets_mohawks.procedures.charges.charge_results import ways_to_answer
from engine.rulesets.muskets_mohawks.procedures.setup.armies import Army, armies
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of

__all__ = ["choices"]


def choices(game: Game, action: Action) -> Mapping[str, tuple[str, ...]]:
    """The armies of ``agree`` and the lists of ``raise`` and ``review``; the troops of the list that is meant; how
    the target of a ``charge`` may fire.

    Nothing of other actions, nor where the wars are none that are known.
    """
    if action.action == "charge":
        target = game.by_id.get(action.target or "")
        return {} if target is None else {"target_mode": ways_to_answer(target)}
    said, period = action.extra, conditions_of(game).period
    if action.action == "agree":
        period = said.get("period", period)
    known = armies().get(period, {})
    if not known:
        return {}
    if action.action == "agree":
        return {"armies": tuple(known)}
    if action.action == "review":
        return {"list": tuple(known)}
    if action.action == "raise":
        return {"list": tuple(known), "entry": _troops(game, known, said.get("list"), said.get("side"))}
    return {}


def _troops(game: Game, known: Mapping[str, Army], named: object, side: object) -> tuple[str, ...]:
    """Those of the list named, else of the side's own, of all lists that a side of the game has, or of all; but
    those who are in winter quarters."""
    sides = [one.name for one in game.sides if side is None or one.name == side]
    lists = [named] if named is not None else [side_campaign(game, one).army or one for one in sides]
    meant = [known[one] for one in lists if isinstance(one, str) and one in known] or known.values()
    month = conditions_of(game).month
    units = [(entry, one.type) for army in meant for entry, one in army.units.items()]
    return tuple(dict.fromkeys(entry for entry, kind in units if not in_quarters(game, kind, month)))
