"""What the enemy that nobody plays decides to do (MM-226 to MM-231, R-54, R-63)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event
from engine.geometry.moving.moves import centroid
from engine.geometry.plane.tolerance import at_most
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.base.data.tables import of_tables, table
from engine.rulesets.muskets_mohawks.options.charge_options import charge_options
from engine.rulesets.muskets_mohawks.options.fire_options import fire_options
from engine.rulesets.muskets_mohawks.procedures.campaign.campaign_tables import side_campaign
from engine.rulesets.muskets_mohawks.procedures.campaign.encounters import SideKeys
from engine.rulesets.muskets_mohawks.procedures.changes import state
from engine.rulesets.muskets_mohawks.procedures.leaders import leader_die
from engine.rulesets.muskets_mohawks.procedures.nerve.retreat import way_to_cover
from engine.rulesets.muskets_mohawks.procedures.solo.sections import player_defends
from engine.rulesets.muskets_mohawks.table.facts import in_cover, nearest_enemy, normal_move_mm
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, conditions_of, figures_of, state_of

__all__ = ["NpMoveKeys", "charge_target", "np_move", "np_scout", "np_tactics", "orders_by_passes", "scouts_order"]

#: So near, a unit that attacks tries to charge (MM-229).
CHARGE_WITHIN_MM = 12 * MM_PER_INCH


class NpMoveKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``np-move``."""

    tactics: Literal["attack", "defend"] | None = None


@of_tables
def np_orders() -> Mapping[str, Any]:
    """What units that the rules run do, by tactics."""
    return table(__package__, "orders.toml")


def np_move(game: Game, action: Action, keys: NpMoveKeys) -> Procedure[None]:
    """Begins ``np-move``. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    tactics = keys.tactics or np_tactics(game, unit)
    against = Reasons()
    against.add(not figures_of(unit), "no figures left on the table", "MM-226")
    no_orders = unit.type in ("pef", "wagon", "leader")
    against.add(no_orders, f"a {unit.type} has no orders of its own", "MM-226")
    no_table = tactics not in ("attack", "defend")
    against.add(no_table, f"{unit.id} has no tactics with a table: attack or defend", "MM-226")
    allow(Action(action=action.action), against)
    reasons = ["already activated this turn"] if state_of(unit).activated else []
    return _np_move(game, action, unit, str(tactics), allow(action, reasons))


def np_tactics(game: Game, unit: Unit) -> str | None:
    """The tactics that a unit follows: its own, else what the encounter of its side asks (MM-226).

    They attack whom they find defending, and defend against who attacks, in a stand up fight too.
    """
    conditions = conditions_of(game)
    if conditions.encounter == "stand-up-fight":
        return state_of(unit).tactics or ("attack" if player_defends(game) else "defend")
    facing = {"raid-attack": "raid-defend", "raid-defend": "raid-attack"}
    theirs = conditions.evening.theirs or facing.get(conditions.encounter or "")
    usual = {"raid-attack": "attack", "raid-defend": "defend", "scout": "scout"}
    return state_of(unit).tactics or usual.get(theirs or "")


def _np_move(game: Game, action: Action, unit: Unit, tactics: str, against: Sequence[str]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    table = np_orders()[tactics]
    facts: dict[str, Any] = {"unit": unit.id, "passed": None, "order": "charge"}
    target = charge_target(game, unit) if tactics == "attack" and _near(game, unit) else None
    if target is not None:
        facts["target"] = target
    else:
        passed = yield from _np_dice(game, unit, tactics, str(table["rule"]))
        facts["passed"] = passed
        facts |= yield from _order(game, unit, table[f"pass-{passed}"][_arm(game, unit)], _most(game, unit.side))
    yield from happen(Event(event="np-order", facts=facts, rule=str(table["rule"])))


def _near(game: Game, unit: Unit) -> bool:
    found = nearest_enemy(game, unit)
    return found is not None and at_most(found.distance_mm, CHARGE_WITHIN_MM)


def charge_target(game: Game, unit: Unit) -> str | None:
    """The nearest enemy that the unit may charge (R-54), or None."""
    return next((option.target for option in charge_options(game, unit) if option.legal), None)


def _np_dice(game: Game, unit: Unit, tactics: str, rule: str) -> Procedure[int]:
    rep = leader_die(game, unit)
    if rep is None:
        return 0
    dice = 2 + (1 if _most(game, unit.side) else 0)
    if tactics == "defend" and _covered(game, unit):
        dice += 1
    rolled = yield from roll(Roll(purpose=f"orders of {unit.id}", count=dice, success=f"<={rep}", rule=rule))
    return min(2, rolled.passed)


def _most(game: Game, side: str) -> bool:
    """Whether the side has twice as many figures on the table as the others."""
    mine = sum(len(figures_of(unit)) for unit in game.units if unit.side == side and unit.type != "pef")
    theirs = sum(len(figures_of(unit)) for unit in game.units if unit.side != side and unit.type != "pef")
    return mine >= 2 * theirs


def _arm(game: Game, unit: Unit) -> str:
    if unit.type == "gunners":
        return "guns"
    return "horse" if troop(unit, game).cavalry else "foot"


def _enemy_xy(game: Game, unit: Unit) -> tuple[float, float] | None:
    found = nearest_enemy(game, unit)
    if found is None:
        return None
    for enemy in game.enemies(unit):
        if any(figure.id == found.other for figure in enemy.figures):
            return centroid(figures_of(enemy))
    return None


def _covered(game: Game, unit: Unit) -> bool:
    return in_cover(game, unit, cause_xy=_enemy_xy(game, unit), fired_at=False) is not None


def _order(game: Game, unit: Unit, choices: Sequence[str], most: bool) -> Procedure[dict[str, Any]]:
    for choice in choices:
        if choice == "fire":
            shot = next((option for option in fire_options(game, unit) if option.legal), None)
            if shot is not None:
                return {"order": "fire", "target": shot.target}
        elif choice == "charge":
            target = charge_target(game, unit)
            if target is not None:
                return {"order": "charge", "target": target}
        elif choice == "split":
            if most:
                die = yield from roll(Roll(purpose=f"flank that {unit.id} goes round", count=1, rule="MM-230"))
                return {"order": "split", "side": "left" if die.total <= 3 else "right"}
        elif choice in ("to-cover", "in-cover"):
            return {"order": _from_cover(game, unit, seek=choice == "to-cover")}
        else:
            return {"order": choice}
    return {"order": "hold"}


def orders_by_passes(game: Game, unit: Unit, tactics: str) -> list[dict[str, Any]]:
    """What the unit would do by how many dice pass: ``{passed, order, …}``; None where it charges undiced."""
    target = charge_target(game, unit) if tactics == "attack" and _near(game, unit) else None
    if target is not None:
        return [{"passed": None, "order": "charge", "target": target}]
    table, most = np_orders()[tactics], _most(game, unit.side)
    found: list[dict[str, Any]] = []
    for passed in (2, 1, 0):
        procedure = _order(game, unit, table[f"pass-{passed}"][_arm(game, unit)], most)
        try:
            next(procedure)
            found.append({"passed": passed, "order": "split"})  # on which flank, a die tells
        except StopIteration as ended:
            found.append({"passed": passed, **ended.value})
    return found


def _from_cover(game: Game, unit: Unit, *, seek: bool) -> str:
    """Foot on the defence: from cover where there is some, else lying down or standing (R-63)."""
    xy = _enemy_xy(game, unit)
    reach = normal_move_mm(game, unit)
    if _covered(game, unit) or (seek and xy is not None and way_to_cover(game, unit, xy, reach) is not None):
        return "cover-and-fire"
    return "prone-and-fire" if troop(unit, game).irregular else "stand-and-fire"


def scouts_order(passed: int) -> str:
    """What scouts that meet an enemy do, by how many of their dice pass (MM-228)."""
    return str(np_orders()["scout"][f"pass-{passed}"])


def np_scout(game: Game, action: Action, keys: SideKeys) -> Procedure[None]:
    """Begins ``np-scout``. Raises ActionRefused where the side has no investment level."""
    game.side(keys.side)
    level, reasons = side_campaign(game, keys.side).investment_level, Reasons()
    reasons.add(level is None, f"{keys.side} has no investment level", "MM-208")
    allow(Action(action="np-scout"), reasons)
    return _np_scout(game, keys.side, level or 0)


def _np_scout(game: Game, side: str, level: int) -> Procedure[None]:
    dice = 2 + (1 if _most(game, side) else 0)
    rolled = yield from roll(Roll(purpose=f"scouts of {side}", count=dice, success=f"<={level}", rule="MM-228"))
    passed = min(2, rolled.passed)
    order = scouts_order(passed)
    tactics = "withdraw" if passed == 0 else "defend"
    changes: list[Change] = []
    for unit in game.units:
        if unit.side == side and state_of(unit).tactics == "scout":
            changes += state(unit.id, tactics=tactics)
            if tactics == "defend":
                changes += state(unit.id, if_beaten="scout" if passed == 2 else "withdraw")
    facts = {"side": side, "passed": passed, "order": order}
    yield from happen(Event(event="np-scout", facts=facts, changes=tuple(changes), rule="MM-228"))
