"""The action ``new-turn``: fires, the turn's dice, weather, reinforcements, everybody fresh (MM-41, MM-209)."""

from __future__ import annotations

from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event, SetCondition, SetFigure, SetTurn
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.verdicts import undecided
from engine.rulesets.muskets_mohawks.options.fire_options import bound_to
from engine.rulesets.muskets_mohawks.procedures.buildings.start_fire import spread_fires
from engine.rulesets.muskets_mohawks.procedures.campaign.reinforcements import reinforce
from engine.rulesets.muskets_mohawks.procedures.changes import gun_regained, left_alone, noted, state, state_where
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, state_of

__all__ = ["PassKeys", "new_turn", "pass_turn"]

#: The turn's dice bring reinforcements when they add to this (MM-210).
REINFORCED_AT = 7


class PassKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``pass-turn``: whose turn it is then; unless it is said, the other side's."""

    side: str | None = None


def new_turn(game: Game, action: Action) -> Procedure[None]:
    """Begins the action."""
    return _new_turn(game)


def pass_turn(game: Game, action: Action, keys: PassKeys) -> Procedure[None]:
    """Begins ``pass-turn``: the other side is active (MM-42). Raises UnusableFile for an unknown side."""
    waiting = (side.name for side in game.sides if side.name != game.turn.active_side)
    side = game.side(next(waiting, game.sides[0].name) if keys.side is None else keys.side).name
    facts = {"number": game.turn.number, "side": side}
    change = SetTurn(number=game.turn.number or 1, active_side=side)
    return _happens(Event(event="turn", facts=facts, changes=(change,), rule="MM-42"))


def _happens(event: Event) -> Procedure[None]:
    yield from happen(event)


def _new_turn(game: Game) -> Procedure[None]:
    game = yield from spread_fires(game)
    scores: dict[str, int] = {}
    for side in game.sides:
        rolled = yield from roll(Roll(purpose=f"turn die of {side.name}", count=1, rule="MM-41"))
        scores[side.name] = rolled.total
    total = sum(scores.values())
    facts = {"dice": scores, "total": total}
    game = yield from happen(Event(event="turn-dice", facts=facts, changes=_weather(game, scores), rule="MM-41"))
    if total == REINFORCED_AT and len(scores) == 2:
        game = yield from reinforce(game, max(scores, key=lambda name: scores[name]))
    yield from happen(_fresh(game))


def _weather(game: Game, scores: dict[str, int]) -> tuple[Change, ...]:
    """Doubles clear weather of level 2 and worsen that of level 5 (MM-209)."""
    if len(scores) < 2 or len(set(scores.values())) > 1:
        return ()
    level = conditions_of(game).level
    if level == 2:
        return (SetCondition(key="weather", value="clear"),)
    return (SetCondition(key="weather_level", value=6),) if level == 5 else ()


def _fresh(game: Game) -> Event:
    """The next turn: nobody has acted or moved; a stunned Leader has lost, or now loses, his activation."""
    first = conditions_of(game).evening.attacker or game.sides[0].name
    number = game.turn.number + (0 if _is_first(game) else 1)
    changes: list[Change] = [SetTurn(number=number, active_side=first)]
    changes += undecided(game)
    changes += noted(game, stage="battle", seen=[])
    for unit in game.units:
        now = state_of(unit)
        if now.firing_at is not None and bound_to(game, unit) is None:
            changes += state(
                unit.id, firing_at=None
            )  # continuous fire that has ended does not begin again (MM-110)
        loses = now.stunned and unit.type == "leader" and now.activated
        changes += [
            *state(unit.id, activated=loses, moved_mm=0),
            *state_where(
                unit, stood=False, charging_on=False, fought_with=[], fired_on_by=_to_return(game, unit, first)
            ),
        ]
        changes += left_alone(game, unit)
        if not now.retiring:
            changes += gun_regained(unit)
        if now.stunned:
            changes += state(unit.id, stunned=False)
            changes += [
                SetFigure(figure=f.id, key="status", value="ok") for f in unit.figures if f.status == "stunned"
            ]
    facts = {"number": number, "active_side": first}
    return Event(event="new-turn", facts=facts, changes=tuple(changes), rule="MM-42")


def _is_first(game: Game) -> bool:
    """Whether the turn is an encounter's first, which has its number before anybody is active in it (MM-257)."""
    evening = conditions_of(game).evening
    return evening.play is not None and evening.stage == "before" and game.turn.active_side is None


def _to_return(game: Game, unit: Unit, first: str) -> dict[str, int]:
    """Whose fire the unit may still return: that of the turn that ends, where its side acted before it (MM-166)."""
    fired = state_of(unit).fired_on_by.items() if unit.side == first else ()
    return {name: turn for name, turn in fired if turn == game.turn.number}
