"""What ``ask`` says of a unit that the program plays: by the dice that pass, its order and where that leads it."""

from __future__ import annotations

from typing import Any

from engine.geometry.moves import centroid
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.procedures.non_players import np_tactics, orders_by_passes
from engine.rulesets.muskets_mohawks.procedures.np_ways import foe_of, way_of, withdrawing
from engine.rulesets.muskets_mohawks.procedures.positions import position_of, to_retake
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, state_of

__all__ = ["plans_of"]

_NO_ORDERS = ("pef", "leader", "wagon")


def plans_of(game: Game, unit: Unit) -> dict[str, Any]:
    """``{tactics, results}``, each result with ``to_mm`` where it goes; empty for whom players order."""
    conditions = conditions_of(game)
    played = conditions.evening.play in ("solo", "same-side") and unit.side != conditions.player_side
    if not played or unit.type in _NO_ORDERS or not figures_of(unit) or foe_of(game, unit) is None:
        return {}
    tactics = np_tactics(game, unit)
    if tactics == "withdraw":
        way = withdrawing(game, unit)
        goal = list(centroid(way.taken(figures_of(unit))))
        return {
            "tactics": tactics,
            "results": [{"result": "off the table" if way.off else "withdraw", "to_mm": goal}],
        }
    if tactics not in ("attack", "defend") or state_of(unit).in_melee:
        return {"tactics": tactics, "results": []} if tactics else {}
    stays = position_of(game, unit, tactics) is not None
    lost = to_retake(game, unit) if stays else None
    if lost is not None:  # what another has lost is taken back (MM-231)
        stays, tactics = False, "attack"
    found = orders_by_passes(game, unit, tactics)
    if lost is not None and lost.charges:
        found = [{"passed": None, "order": "charge", "target": lost.enemy}]
    return {"tactics": tactics, "results": [_result(game, unit, one, stays=stays) for one in found]}


def _result(game: Game, unit: Unit, found: dict[str, Any], *, stays: bool) -> dict[str, Any]:
    told = {"result": found["order"], **({} if found["passed"] is None else {"die": f"{found['passed']} passed"})}
    told |= {"target": found["target"]} if "target" in found else {}
    way = None if stays else way_of(game, unit, found["order"])
    if way is not None and way.distance_mm > 0.0:
        told["to_mm"] = list(centroid(way.taken(figures_of(unit))))
    return told
