"""``end-turn``: what the active side did is forgotten, and who has lost (TY-09, TY-56, TY-80)."""

from __future__ import annotations

from engine.events import Change, Event, SetTurn
from engine.play import Procedure, happen
from engine.records.action import Action
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import listed
from engine.rulesets.base.verdicts import Verdict, decided, undecided
from engine.rulesets.tyneside.changes import state, state_where
from engine.rulesets.tyneside.vocabulary import figures_of, is_character, state_of

__all__ = ["beaten_sides", "end_turn"]


def end_turn(game: Game, _action: Action) -> Procedure[None]:
    """The turn passes to the next side."""
    beaten = beaten_sides(game)
    for side in beaten:
        yield from happen(Event(event="lost", facts={"side": side}, changes=_lost(game, beaten), rule="TY-80"))
    names, active = [side.name for side in game.sides], game.turn.active_side
    changes: list[Change] = [] if beaten else [*undecided(game)]
    for unit in game.units:
        if active is None or unit.side == active:
            changes += _over(unit)
        if active is None or unit.side != active:
            changes += state(unit.id, fired=False, spotted_cm=None)
            changes += state_where(unit, fired_with=None)
        if state_of(unit).fought:
            changes += state(unit.id, fought=[])
    following = 0 if active is None else (names.index(active) + 1) % len(names)
    number = game.turn.number + (1 if active is not None and following == 0 else 0)
    changes.append(SetTurn(number=number, active_side=names[following]))
    facts = {"side": names[following], "turn": number}
    yield from happen(Event(event="turn", facts=facts, changes=tuple(changes), rule="TY-09"))


def _lost(game: Game, beaten: tuple[str, ...]) -> tuple[Change, ...]:
    """Those who are beaten have lost to the others; where there are none, it is a draw."""
    won = tuple(side.name for side in game.sides if side.name not in beaten)
    why = f"all units of {listed(beaten)} are in retreat or off the table"
    return decided(Verdict(won=won, why=why, rule="TY-80"))


def _over(unit: Unit) -> tuple[Change, ...]:
    """A unit of the side whose turn is over: who ran this turn has run, who lost a melee in it retreats."""
    now = state_of(unit)
    # A file that says only that it routs tells of this turn; once a turn has ended, no throw is no result.
    ran = now.result == "run" if "result" in unit.state else now.routing
    fought = now.activity == "melee" if now.fought is None else bool(now.fought)
    return (
        *state(
            unit.id, running=ran, routing=ran, melee_retreat=now.melee_retreat and fought,
            commanded=False, may_charge=False, activity=None, moved="none", result=None, binding=False,
        ),
        *state_where(unit, gave_orders=False, threw=None, withdrawing=now.result == "withdraw"),
    )  # fmt: skip


def beaten_sides(game: Game) -> tuple[str, ...]:
    """The sides all of whose units are in retreat or off the table (TY-80)."""
    return tuple(
        side.name
        for side in game.sides
        if (units := [unit for unit in game.units if unit.side == side.name and not state_of(unit).dummy])
        and all(_retreats(unit) for unit in units)
    )


def _retreats(unit: Unit) -> bool:
    """Whether a unit is in retreat now: what it threw this turn, or being commanded, ends what was before."""
    now = state_of(unit)
    if not figures_of(unit) or now.melee_retreat:
        return True
    if now.result is not None:
        return now.result in ("run", "withdraw")
    ordered = now.commanded and not is_character(unit)  # characters count as commanded whatever they do
    return (now.routing or now.running or now.withdrawing) and not ordered
