"""Skirmishers and squadrons: how many go out, why not, how they come back (MP-31, MP-69, MP-73, MP-252)."""

from __future__ import annotations

from math import floor

from engine.events import Change
from engine.records.game import Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.musket_pike.changes import state
from engine.rulesets.musket_pike.movement.steps import EQUAL
from engine.rulesets.musket_pike.table.board import Board
from engine.rulesets.musket_pike.table.permits import order_bars
from engine.rulesets.musket_pike.table.troops import Troop, mp_left
from engine.rulesets.musket_pike.vocabulary import FACINGS

__all__ = ["deploy_bars", "deployed_men", "detachment", "free_id", "recall_bars", "rejoined_state"]

#: The fewest men that the company of a battalion without light foot must have (MP-69).
_LEAST_COMPANY = 25
#: A detachment so much more tired than its parent tires it by as much (MP-242).
_WEARINESS = 100
_SUFFIX = {"skirmisher": "-sk", "squadron": "-sq"}
_FORMATION = {"skirmisher": "skirmish", "squadron": "mounted"}
_LIGHT = frozenset({"light", "guard"})


def deployed_men(board: Board, troop: Troop, kind: str) -> int:
    """How many men go out as a skirmisher unit or a squadron (MP-31, MP-69, MP-73)."""
    parameters = board.parameters
    if kind == "squadron":
        return floor(troop.strength * parameters.squadron_percent / 100 + EQUAL)
    if troop.attributes & _LIGHT:
        return troop.strength - floor(troop.strength * parameters.light_remain_percent / 100 + EQUAL)
    return floor(troop.strength * parameters.skirmisher_percent / 100 + EQUAL)


def deploy_bars(board: Board, troop: Troop, kind: str) -> Reasons:
    """Why a unit may not send out a detachment of a kind."""
    reasons = order_bars(board, troop)
    rule = "MP-69" if kind == "skirmisher" else "MP-73"
    if kind == "skirmisher":
        _skirmisher_bars(reasons, troop)
    else:
        reasons.add(troop.type != "cavalry" or not troop.horse, "only mounted cavalry detaches squadrons", rule)
    reasons.add(troop.state.disordered, "is disordered", rule)
    reasons.add(troop.state.charging, "has charged: it only goes on charging", "MP-102")
    reasons.add(troop.state.routed, "is routed", rule)
    men = deployed_men(board, troop, kind)
    small = kind == "skirmisher" and not troop.attributes & _LIGHT and men < _LEAST_COMPANY
    reasons.add(small, f"its company has {men} men, at least {_LEAST_COMPANY}", rule)
    reasons.add(not small and not 0 < men < troop.strength + (kind == "skirmisher"), "has too few men", rule)
    out = [other.id for other in board.game.units if _detached_from(other, troop)]
    reasons.add(bool(out), f"{', '.join(out)} is out already", "MP-73")
    units = sum(other.fights for other in board.friends_at(troop.hex, troop.side)) + 1
    most = board.parameters.max_units
    reasons.add(units > most, f"{units} units in the hex, at most {most}", "MP-48")
    _cost_bar(reasons, board, troop)
    return reasons


def _skirmisher_bars(reasons: Reasons, troop: Troop) -> None:
    attributes = troop.attributes
    reasons.add(troop.type != "infantry", "only infantry deploys skirmishers", "MP-69")
    may = bool(attributes & (_LIGHT | {"can-deploy"}))
    reasons.add(troop.type == "infantry" and not may, "has no skirmishers to deploy", "MP-69")
    reasons.add("irregular" in attributes, "irregulars deploy no skirmishers", "MP-69")
    reasons.add("restricted" in attributes, "restricted infantry deploys no skirmishers", "MP-32")


def _detached_from(unit: Unit, troop: Troop) -> bool:
    return unit.type in _SUFFIX and unit.type != troop.type and unit.stats.get("parent") == troop.id


def _cost_bar(reasons: Reasons, board: Board, troop: Troop) -> None:
    cost = board.parameters.formation_cost.get("skirmishers", 0.0)
    left = mp_left(troop, board.parameters)
    reasons.add(cost > left + EQUAL, f"costs {cost:g}, {left:g} movement points are left", "MP-40")


def detachment(board: Board, troop: Troop, kind: str) -> Unit:
    """The detachment that a unit sends out: what it has of its parent (MP-252)."""
    stats = {key: troop.unit.stats[key] for key in _SHARED if key in troop.unit.stats}
    stats |= {"strength": deployed_men(board, troop, kind), "parent": troop.id}
    if "fanatical" in troop.attributes:
        stats["attributes"] = ["fanatical"]
    own: dict[str, object] = {"fatigue": troop.state.fatigue, "ammo": troop.state.ammo}
    own |= {key: troop.unit.state[key] for key in _LASTING if troop.unit.state.get(key)}
    if kind == "squadron":
        own["facing"] = FACINGS[troop.facing or 0]
    return Unit(
        id=free_id(board, troop.id + _SUFFIX[kind]), side=troop.unit.side, type=kind, formation=_FORMATION[kind],
        weapon=troop.unit.weapon, stats=stats, state=own, hex=troop.hex,
    )  # fmt: skip


def free_id(board: Board, wanted: str) -> str:
    """An id that no unit has: the one wanted, else with a number after it."""
    names = (wanted, *(f"{wanted}-{number}" for number in range(2, len(board.game.units) + 3)))
    return next(name for name in names if name not in board.game.by_id)


_SHARED = ("nation", "quality", "armor", "melee", "range", "commander")
#: What has befallen men or been done by them this turn, and is theirs still when they go out: they march no farther
#: for it, and men who are fixed stay so (MP-40, MP-65, MP-148, MP-243).
_LASTING = ("moved", "mp_used", "exerted", "fixed", "release_turn", "spotted", "detached", "isolated")


def recall_bars(board: Board, troop: Troop, kind: str) -> Reasons:
    """Why a detachment may not rejoin its parent."""
    reasons = order_bars(board, troop)
    parent = board.troops.get(troop.stats.parent or "")
    reasons.add(troop.type != kind, f"only a {kind} unit is recalled so, this is {troop.type}", "MP-70")
    reasons.add(parent is None, "has no parent to rejoin", "MP-70")
    if parent is not None:
        reasons.add(parent.hex != troop.hex, f"is not in the hex of {parent.id}", "MP-70")
        reasons.add(
            not parent.steady, f"{parent.id} is {'routed' if parent.state.routed else 'disordered'}", "MP-70"
        )
    reasons.add(troop.state.disordered, "is disordered", "MP-70")
    reasons.add(troop.state.charging, "has charged: it only goes on charging", "MP-102")
    reasons.add(troop.state.routed, "is routed", "MP-70")
    _cost_bar(reasons, board, troop)
    return reasons


def rejoined_state(board: Board, parent: Troop, back: Troop) -> tuple[Change, ...]:
    """What rejoining does to the parent: a far more tired detachment tires it (MP-242)."""
    tired = back.state.fatigue >= parent.state.fatigue + _WEARINESS
    fatigue = min(parent.state.fatigue + _WEARINESS, board.parameters.fatigue.most)
    return state(parent.id, fatigue=fatigue) if tired else ()
