"""``np-play``: the program rolls what a unit that nobody plays does, and does it (MM-226 to MM-231, R-63)."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from engine.events import Change, Event, PlaceFigures, SetUnit
from engine.geometry.moving.moves import bearing_to, centroid, mean_bearing, places
from engine.play import Procedure, followed, happen
from engine.records.action import Action
from engine.records.answer import FireOption
from engine.records.game import Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.options.fire_options import fire_options
from engine.rulesets.muskets_mohawks.options.fire_reasons import holding_markers
from engine.rulesets.muskets_mohawks.procedures.changes import formed, state, state_where
from engine.rulesets.muskets_mohawks.procedures.charges.charge import AnsweringMode, ChargeKeys, begin_charge
from engine.rulesets.muskets_mohawks.procedures.firing.artillery import (
    BallKeys,
    CanisterKeys,
    fire_ball,
    fire_canister,
)
from engine.rulesets.muskets_mohawks.procedures.firing.fire import FireKeys, fire
from engine.rulesets.muskets_mohawks.procedures.movement.going import after_going, going
from engine.rulesets.muskets_mohawks.procedures.movement.leaving import gone_off
from engine.rulesets.muskets_mohawks.procedures.movement.posture import POSTURES
from engine.rulesets.muskets_mohawks.procedures.movement.square import square_reasons
from engine.rulesets.muskets_mohawks.procedures.movement.straight import Way, in_order
from engine.rulesets.muskets_mohawks.procedures.nerve.rally import RallyKeys, rally
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction import cause_of
from engine.rulesets.muskets_mohawks.procedures.nerve.retreat import retire
from engine.rulesets.muskets_mohawks.procedures.solo.non_players import (
    NpMoveKeys,
    charge_target,
    np_move,
    np_tactics,
)
from engine.rulesets.muskets_mohawks.procedures.solo.np_closing import faces, foe_of, left_mm, off_front
from engine.rulesets.muskets_mohawks.procedures.solo.np_leaders import keep_with_men
from engine.rulesets.muskets_mohawks.procedures.solo.np_needs import first_of_all, held_by, loads
from engine.rulesets.muskets_mohawks.procedures.solo.np_ways import (
    FIRES,
    from_flank,
    order_of_half,
    sent,
    to_cover,
    withdrawing,
)
from engine.rulesets.muskets_mohawks.procedures.solo.positions import Lost, position_of, to_retake
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, formation_of, gun_of, state_of

__all__ = ["NpPlayKeys", "np_play"]

#: From so far off its front a line faces about to have the enemy ahead.
_ABOUT_DEG = 135.0


class NpPlayKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``np-play``: the unit's tactics, and what whoever is charged does, by it or for its fire."""

    tactics: Literal["attack", "defend"] | None = None
    form_square: bool = False
    target_mode: AnsweringMode | None = None

    def charge_at(self, game: Game, unit: Unit, target: str) -> ChargeKeys:
        """What the target of the unit's charge does: a line that may try to form square does."""
        square = self.form_square and not square_reasons(game, unit, game.unit(target))
        return ChargeKeys(form_square=square, target_mode=self.target_mode)


def np_play(game: Game, action: Action, keys: NpPlayKeys) -> Procedure[None]:
    """Begins ``np-play``. Raises ActionRefused."""
    unit = game.unit(action.unit or "")
    tactics, now = keys.tactics or np_tactics(game, unit), state_of(unit)
    reasons = Reasons()
    reasons.add(not figures_of(unit), f"{unit.id} has no figures on the table", "MM-226")
    reasons.add(unit.type in ("pef", "wagon"), f"a {unit.type} has no orders of its own", "MM-226")
    reasons.add(now.activated, "already activated this turn", "MM-226")
    reasons.add(bool(now.in_melee), "in melee: fight its rounds", "MM-162")
    if unit.type != "leader":
        reasons.add(tactics == "scout", "its scouts have not met anybody yet: see first what they do", "MM-228")
        reasons.add(tactics is None, "it has no tactics: say whether it attacks or defends", "MM-226")
    no_squares = keys.form_square and not conditions_of(game).squares
    reasons.add(no_squares, "squares are not in use in this game", "MM-246")
    return _play(game, action, unit, str(tactics), keys, allow(action, reasons))


def _play(
    game: Game, action: Action, unit: Unit, tactics: str, keys: NpPlayKeys, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if not figures_of(unit):
        return
    if unit.type == "leader":
        yield from keep_with_men(game, unit)
        return
    if state_of(unit).retiring:
        game = yield from followed(game, rally(game, Action(action="rally", unit=unit.id), RallyKeys()))
        yield from _beaten(game, game.unit(unit.id))
        return
    first = first_of_all(game, unit)
    if first is not None:
        yield from _spent((yield from followed(game, first)), unit.id)
        return
    if tactics == "withdraw" or state_of(unit).had_enough:
        yield from _led(game, unit, keys, withdrawing(game, unit), "withdraw", "MM-228")
        return
    position = position_of(game, unit, tactics)
    if position is not None:
        lost = to_retake(game, unit)
        if lost is not None:
            yield from _retakes(game, unit, keys, lost)
            return
        game = yield from _holds(game, unit, position)
        unit = game.unit(unit.id)
    orders: dict[str, Any] = {}
    move = NpMoveKeys(tactics="defend" if tactics == "defend" else "attack")
    game = yield from _told(game, np_move(game, Action(action="np-move", unit=unit.id), move), orders)
    yield from _done(game, unit, keys, orders, stays=position is not None)


def _holds(game: Game, unit: Unit, position: str) -> Procedure[Game]:
    """Notes the position that a unit holds, for the others to know should it be lost (MM-231)."""
    if state_of(unit).holds == position:
        return game
    facts = {"unit": unit.id, "position": position}
    event = Event(event="np-holds", facts=facts, changes=state(unit.id, holds=position), rule="MM-231")
    return (yield from happen(event))


def _retakes(game: Game, unit: Unit, keys: NpPlayKeys, lost: Lost) -> Procedure[None]:
    """A unit leaves its own position to take back one that another has lost (MM-231)."""
    facts = {"unit": unit.id, "position": lost.position, "target": lost.enemy}
    game = yield from happen(
        Event(event="np-retakes", facts=facts, changes=state(unit.id, holds=None), rule="MM-231")
    )
    orders: dict[str, Any] = {"order": "charge", "target": lost.enemy}
    if not lost.charges:
        orders = {}
        move = np_move(game, Action(action="np-move", unit=unit.id), NpMoveKeys(tactics="attack"))
        game = yield from _told(game, move, orders)
    yield from _done(game, game.unit(unit.id), keys, orders, stays=False)


def _beaten(game: Game, unit: Unit) -> Procedure[Game]:
    """Scouts that were beaten away from where they stood scout again, or go back the way they came (MM-228)."""
    then = state_of(unit).if_beaten
    if then is None or not figures_of(unit):
        return game
    facts = {"unit": unit.id, "tactics": then}
    changes = state(unit.id, tactics=then, if_beaten=None)
    return (yield from happen(Event(event="np-beaten", facts=facts, changes=changes, rule="MM-228")))


def _told(game: Game, procedure: Procedure[None], orders: dict[str, Any]) -> Procedure[Game]:
    """Runs the roll for its orders, and takes down what they are."""

    def note(event: Event) -> None:
        if event.event == "np-order":
            orders.update(event.facts)

    return followed(game, procedure, note)


def _done(game: Game, unit: Unit, keys: NpPlayKeys, orders: dict[str, Any], *, stays: bool) -> Procedure[Game]:
    """What the order says is done; a unit that may not fire or move for its markers reloads.

    Who ``stays`` in a defensive position shoots from there instead of going anywhere (MM-231).
    """
    order, target = str(orders["order"]), orders.get("target")
    foe, behind = foe_of(game, unit), None if stays else from_flank(game, unit, str(orders["order"]))
    if behind is not None:
        order, target = "charge", behind
    if order == "charge" and target is not None:
        game = yield from followed(game, _charging(game, unit, keys, str(target)))
        return (yield from _charged_on(game, unit.id, keys))
    if order == "split":
        order = order_of_half(game, unit)
    if order in FIRES or (stays and order != "unlimber"):
        return (yield from _fires(game, unit, keys, order, stays=stays))
    if order == "retire" and foe is not None:
        game = yield from retire(game, unit.id, cause_of(game, foe.id))
        return (yield from _spent(game, unit.id))
    if state_of(unit).left_gun:
        return (yield from _led(game, unit, keys, sent(game, unit, order), "advance", "R-35"))
    way = None if stays else sent(game, unit, order, orders.get("side"))
    if order == "unlimber" and state_of(unit).limbered and (way is None or way.distance_mm <= 0.0):
        _, event = POSTURES["unlimber"](game, unit)
        return (yield from _spent((yield from happen(event)), unit.id))
    return (yield from _led(game, unit, keys, way, order, "MM-227"))


def _charging(game: Game, unit: Unit, keys: NpPlayKeys, target: str) -> Procedure[None]:
    act = Action(action="charge", unit=unit.id, target=target)
    return begin_charge(game, act, keys.charge_at(game, unit, target))


def _charged_on(game: Game, unit: str, keys: NpPlayKeys) -> Procedure[Game]:
    """Who has driven its enemy off goes on to the nearest other that it may charge (MM-148)."""
    while state_of(game.unit(unit)).charging_on:
        target = charge_target(game, game.unit(unit))
        if target is None:
            game = yield from happen(
                Event(event="np-done", facts={"unit": unit}, changes=state(unit, charging_on=False, activated=True),
                      rule="MM-148")
            )  # fmt: skip
            break
        game = yield from followed(game, _charging(game, game.unit(unit), keys, target))
    return (yield from _spent(game, unit))


def _led(game: Game, unit: Unit, keys: NpPlayKeys, way: Way | None, order: str, rule: str) -> Procedure[Game]:
    """The unit goes where its order leads, once nothing holds it: it goes out, stands up or loads before."""
    held = held_by(game, unit, order)
    if held is None and holding_markers(unit):  # continuous fire keeps it from loading: it fires on (MM-110)
        return (yield from _fires(game, unit, keys, order))
    if held is None:
        return (yield from _go(game, unit, way, order, rule))
    return (yield from _spent((yield from followed(game, held)), unit.id))


def _fires(game: Game, unit: Unit, keys: NpPlayKeys, order: str, *, stays: bool = False) -> Procedure[Game]:
    """Fires at the nearest that it may; before, it goes to cover or lies down where its order says so."""
    way = to_cover(game, unit) if order == "cover-and-fire" and not stays else None
    if way is not None and way.distance_mm > 0.0:
        return (yield from _go(game, unit, way, order, "MM-230"))
    turned = faces(game, unit)
    if order == "prone-and-fire" and turned and not state_of(unit).prone:
        _, event = POSTURES["prone"](game, unit)
        game = yield from happen(event)
        unit = game.unit(unit.id)
    shot = min(
        (option for option in fire_options(game, unit) if option.legal),
        key=lambda option: (option.range_mm or 0.0, option.mode != "volley"), default=None,
    )  # fmt: skip
    if shot is not None:
        return (yield from followed(game, _shooting(game, unit, keys, shot)))
    loading = loads(game, unit)
    if loading is not None:
        return (yield from followed(game, loading))
    if state_of(unit).prone and not turned:  # nobody turns lying down
        _, event = POSTURES["stand"](game, unit)
        return (yield from _spent((yield from happen(event)), unit.id))
    return (yield from _go(game, unit, None, order, "MM-230"))


def _shooting(game: Game, unit: Unit, keys: NpPlayKeys, shot: FireOption) -> Procedure[None]:
    act = Action(action="fire", unit=unit.id, target=shot.target)
    if shot.mode == "canister":
        return fire_canister(game, act, CanisterKeys())
    if shot.mode == "ball":
        return fire_ball(game, act, BallKeys())
    square = keys.form_square and not square_reasons(game, game.unit(shot.target), unit)
    return fire(game, act, FireKeys(mode="volley" if shot.mode == "volley" else "at-will", form_square=square))


def _go(game: Game, unit: Unit, way: Way | None, order: str, rule: str) -> Procedure[Game]:
    """The unit stands at the end of its way, or where it was; in either case that was its activation."""
    figures = figures_of(unit)
    if way is not None and way.off:
        left = {"unit": unit.id, "edge": game.side(unit.side).edge}
        return (yield from happen(Event(event="left-field", facts=left, changes=gone_off(game, unit), rule=rule)))
    way = in_order(game, unit, way)
    distance = 0.0 if way is None else way.distance_mm
    gone = unit.figures if way is None or not distance else way.taken(going(unit))
    foe = foe_of(game, unit)
    facing = None if foe is None else bearing_to(centroid(gone), centroid(figures_of(foe)))
    changes: list[Change] = [*state(unit.id, activated=True, moved_mm=state_of(unit).moved_mm + distance)]
    facts: dict[str, Any] = {"unit": unit.id, "order": order, "moved_mm": distance}
    if not distance:
        turned = _turned(game, unit)
        facts |= {"turned": True} if turned else {}
        changes += turned
    else:
        changes += state_where(unit, holds=None)  # who goes of his own will has lost nothing (MM-231)
        loose = formation_of(unit) == "unformed"
        if way is not None and way.loose:
            loose, changes = True, [*changes, *formed(unit.id, "unformed")]  # a line goes but ahead (MM-44)
        changes += [PlaceFigures(places=places(gone, facing if loose else None)), *after_going(game, unit, gone)]
        facts["to_mm"] = list(centroid([one for one in gone if one.role != "gun"] or gone))
        facts["figures"] = len(figures)
    facts |= {"unformed": True} if any(isinstance(change, SetUnit) for change in changes) else {}
    return (yield from happen(Event(event="np-plays", facts=facts, changes=tuple(changes), rule=rule)))


def _turned(game: Game, unit: Unit) -> tuple[Change, ...]:
    """Who stays where he is turns to the nearest enemy, unless something keeps him from moving (MM-44, MM-45).

    A line or mob faces about; to its side it does not turn in its ranks, and becomes unformed.
    """
    foe = foe_of(game, unit)
    if foe is None or left_mm(game, unit) <= 0.0 or state_of(unit).left_gun or faces(game, unit):
        return ()
    gun, off = gun_of(unit), off_front(game, unit) or 0.0
    facing = bearing_to(centroid(figures_of(unit) if gun is None else [gun]), centroid(figures_of(foe)))
    if formation_of(unit) == "unformed":
        return (PlaceFigures(places=places(unit.figures, facing)),)
    if off >= _ABOUT_DEG:
        return (PlaceFigures(places=places(unit.figures, (mean_bearing(figures_of(unit)) or 0.0) + 180.0)),)
    return (*formed(unit.id, "unformed"), PlaceFigures(places=places(unit.figures, facing)))


def _spent(game: Game, unit: str) -> Procedure[Game]:
    """The unit's activation is over, where it is still there."""
    if state_of(game.unit(unit)).activated:
        return game
    facts = {"unit": unit}
    return (
        yield from happen(Event(event="np-done", facts=facts, changes=state(unit, activated=True), rule="MM-226"))
    )
