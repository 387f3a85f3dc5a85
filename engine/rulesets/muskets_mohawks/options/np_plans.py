"""What ``ask`` says of a unit that the program plays: by the dice that pass, its order and where that leads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.geometry.moving.moves import centroid
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.procedures.movement.going import going
from engine.rulesets.muskets_mohawks.procedures.movement.straight import Way, in_order
from engine.rulesets.muskets_mohawks.procedures.solo.non_players import np_tactics, orders_by_passes, scouts_order
from engine.rulesets.muskets_mohawks.procedures.solo.np_closing import foe_of
from engine.rulesets.muskets_mohawks.procedures.solo.np_ways import (
    FIRES,
    from_flank,
    order_of_half,
    sent,
    withdrawing,
)
from engine.rulesets.muskets_mohawks.procedures.solo.positions import position_of, to_retake
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, state_of

__all__ = ["plans_of"]

_NO_ORDERS = ("pef", "leader", "wagon")
#: The scores of the die that says round which flank a half goes (MM-230).
_FLANKS = {"left": "1 to 3", "right": "4 to 6"}


def plans_of(game: Game, unit: Unit) -> dict[str, Any]:
    """``{tactics, results}``, each result with ``to_mm`` where it goes; empty for whom players order."""
    conditions, now = conditions_of(game), state_of(unit)
    played = conditions.evening.play in ("solo", "same-side") and unit.side != conditions.player_side
    if not played or unit.type in _NO_ORDERS or not figures_of(unit) or foe_of(game, unit) is None:
        return {}
    tactics = np_tactics(game, unit)
    if now.in_melee or now.retiring or now.taking_trophies:  # it fights, rallies or takes trophies, no orders
        return {"tactics": tactics, "results": []} if tactics else {}
    if tactics == "withdraw":
        return {"tactics": tactics, "results": [_withdrawn(game, unit)]}
    if tactics == "scout":
        met = [{"result": scouts_order(passed), "die": f"{passed} passed"} for passed in (2, 1)]
        return {"tactics": tactics, "results": [*met, {**_withdrawn(game, unit), "die": "0 passed"}]}
    if tactics not in ("attack", "defend"):
        return {"tactics": tactics, "results": []} if tactics else {}
    stays = position_of(game, unit, tactics) is not None
    lost = to_retake(game, unit) if stays else None
    if lost is not None:  # what another has lost is taken back (MM-231)
        stays, tactics = False, "attack"
    found = orders_by_passes(game, unit, tactics)
    if lost is not None and lost.charges:
        found = [{"passed": None, "order": "charge", "target": lost.enemy}]
    results = [told for one in found for told in _results(game, unit, one, stays=stays)]
    return {"tactics": tactics, "results": results}


def _withdrawn(game: Game, unit: Unit) -> dict[str, Any]:
    """Back the way that it came, or off (MM-228)."""
    way = withdrawing(game, unit)
    result = "off the table" if way.off else "withdraw"
    return {"result": result, **_goal(unit, in_order(game, unit, way))}


def _results(game: Game, unit: Unit, found: Mapping[str, Any], *, stays: bool) -> Iterator[dict[str, Any]]:
    """What an order comes to: those who split go to cover, or round the flank that a die names (MM-230)."""
    order = found["order"] if found["order"] != "split" else order_of_half(game, unit)
    die = {} if found["passed"] is None else {"die": f"{found['passed']} passed"}
    target = {"target": found["target"]} if "target" in found else {}
    behind = None if stays else from_flank(game, unit, found["order"])
    if behind is not None:
        yield {"result": "charge", **die, "target": behind}
        return
    if found["order"] != order == "encircle" and not stays:
        for flank, scores in _FLANKS.items():
            goal = _goal(unit, sent(game, unit, order, flank))
            yield {"result": order, "die": f"{found['passed']} passed, then {scores}", "side": flank, **goal}
        return
    back = state_of(unit).left_gun and order not in FIRES
    yield {"result": order, **die, **target, **(_goal(unit, sent(game, unit, order)) if back or not stays else {})}


def _goal(unit: Unit, way: Way | None) -> dict[str, Any]:
    """Where a way leads the middle of those who go."""
    if way is None or way.distance_mm <= 0.0:
        return {}
    men = [figure for figure in going(unit) if figure.role != "gun"] or going(unit)
    return {"to_mm": list(centroid(way.taken(men)))}
