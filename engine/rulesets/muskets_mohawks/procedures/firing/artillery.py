"""The actions ``fire-canister`` and ``fire-ball`` in the open, and the turn of the gun before them (MM-45)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from engine.errors import UnknownAction
from engine.events import Event, PlaceFigures, apply
from engine.geometry.moving.moves import bearing_to, places_turned, turn_between
from engine.geometry.plane.tolerance import angle_at_most
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.answer import FireOption
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.artillery import ball_at_risk, gun_at
from engine.rulesets.muskets_mohawks.options.fire_arc import BALL_ARC_DEG
from engine.rulesets.muskets_mohawks.options.fire_options import fire_option
from engine.rulesets.muskets_mohawks.procedures.buildings.bombardment import fire_at_building
from engine.rulesets.muskets_mohawks.procedures.firing.fire import answer_fire
from engine.rulesets.muskets_mohawks.procedures.firing.together import options_with, reasons_with, shoot_together
from engine.rulesets.muskets_mohawks.procedures.refusal import refuse_friends
from engine.rulesets.muskets_mohawks.vocabulary import state_of

__all__ = ["BallKeys", "CanisterKeys", "fire_ball", "fire_canister"]

Turn = Annotated[float, Meta(ge=-180, le=180)]

#: How far a gun may turn before it fires, in degrees (MM-45).
TURN_DEG = 90.0


class CanisterKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``fire-canister``; ``with``: those who fire at the target at the same time (MM-63)."""

    turn_deg: Turn = 0.0
    building: str | None = None
    others: tuple[str, ...] = field(default=(), name="with")


class BallKeys(CanisterKeys, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``fire-ball``."""

    aim_mm: tuple[float, float] | None = None


def fire_canister(game: Game, action: Action, keys: CanisterKeys) -> Procedure[None]:
    """Begins ``fire-canister``. Raises ActionRefused."""
    return _begin(game, action, keys, "canister", None)


def fire_ball(game: Game, action: Action, keys: BallKeys) -> Procedure[None]:
    """Begins ``fire-ball``. Raises ActionRefused."""
    return _begin(game, action, keys, "ball", keys.aim_mm)


def _begin(
    game: Game, action: Action, keys: CanisterKeys, mode: str, aim: tuple[float, float] | None
) -> Procedure[None]:
    unit = game.unit(action.unit or "")
    turn = _turn(game, unit.id, keys.turn_deg)
    turned = game if turn is None else apply(game, turn)
    if (keys.building is None) == (action.target is None):
        raise UnknownAction(f"fire-{mode}: expected either target or building")
    reasons = Reasons()
    reasons.add(unit.type != "gunners", f"{unit.id} has no gun", "MM-118")
    far = not angle_at_most(abs(keys.turn_deg), TURN_DEG)
    reasons.add(far, f"turned by {abs(keys.turn_deg):g} degrees, {TURN_DEG:g} at most", "MM-45")
    moved = turn is not None and state_of(unit).moved_mm > 0
    reasons.add(moved, "the gun has moved: it cannot turn and fire as well", "MM-45")
    if keys.building is not None and keys.others:
        raise UnknownAction(f"fire-{mode}: with: expected with a target, not with a building")
    if keys.building is not None:
        return fire_at_building(game, turned, turn, action, keys.building, mode, aim, reasons)
    if unit.type != "gunners":
        allow(replace(action, override=False), reasons)
    target = game.unit(action.target or "")
    refuse_friends(unit, target)
    option = fire_option(turned, unit, target, mode)
    reasons.extend(zip(option.why_not, option.why_rules, strict=True))
    if aim is not None:
        option, off = _aimed(turned, unit.id, option, aim)
        reasons.extend(off)
    others = options_with(turned, unit, target, keys.others)
    reasons.extend(reasons_with(turned, unit, others))
    return _fire(game, turn, action, {unit.id: option, **others}, allow(action, reasons))


def _turn(game: Game, unit: str, turn_deg: float) -> Event | None:
    """The gun and its crew turn where they stand (MM-45)."""
    if turn_deg == 0.0:
        return None
    changes = (PlaceFigures(places=places_turned(game.unit(unit).figures, turn_deg)),)
    return Event(event="turned", facts={"unit": unit, "turn_deg": turn_deg}, changes=changes, rule="MM-45")


def _aimed(game: Game, unit: str, option: FireOption, aim: tuple[float, float]) -> tuple[FireOption, Reasons]:
    """The option aimed at a point of the player's choice, within 15 degrees of the barrel (MM-121, R-34)."""
    record, reasons = game.unit(unit), Reasons()
    gun = gun_at(game, record)
    if gun is None or option.roll is None:
        return option, reasons
    muzzle = (float(gun.muzzle[0]), float(gun.muzzle[1]))
    off = turn_between(gun.bearing_deg, bearing_to(muzzle, aim))
    text = f"aimed {off:.1f} degrees off the barrel, 15 at most"
    reasons.add(not angle_at_most(off, BALL_ARC_DEG), text, "MM-121")
    risk = ball_at_risk(game, record, aim)
    squares = sum(game.unit(one.unit).formation == "square" for one in risk)
    aimed = replace(
        option, targets_seen=tuple(one.figure for one in risk), roll=replace(option.roll, count=len(risk) + squares)
    )
    return aimed, reasons


def _fire(
    game: Game, turn: Event | None, action: Action, options: dict[str, FireOption], against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if turn is not None:
        game = yield from happen(turn)
    fired = yield from shoot_together(game, options)
    game = fired.game
    for name, shot in fired.shots.items():
        game = yield from answer_fire(replace(shot, game=game), name, fired.causes[name])
