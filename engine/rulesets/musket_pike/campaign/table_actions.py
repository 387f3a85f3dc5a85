"""``situation-choose``, ``situation-settle``: a campaign of situations played at the table (MP-291 to MP-296)."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from engine.dice import Roll, TypedDice
from engine.errors import ActionRefused, UnknownAction
from engine.events import Change, Event, SetCondition
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.verdicts import undecided
from engine.rulesets.musket_pike.campaign.losses import mustered
from engine.rulesets.musket_pike.campaign.playing import OTHER, chosen, fought, settled, situation_of, standing
from engine.rulesets.musket_pike.campaign.records import Campaign, Outcome, Seat
from engine.rulesets.musket_pike.campaign.tabling import SEATS, kept, written
from engine.rulesets.musket_pike.turns.victory import score
from engine.rulesets.musket_pike.vocabulary import conditions_of

__all__ = ["ChooseKeys", "SettleKeys", "muster_for_battle", "situation_choose", "situation_settle"]


class ChooseKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``situation-choose``: whose choice, and which."""

    side: str
    choice: str


class SettleKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``situation-settle``: the battle's outcome; None: as the table stands, or the one to expect."""

    outcome: Outcome | None = None


def _kept(game: Game) -> Campaign:
    campaign = kept(game)
    if campaign is None:
        raise ActionRefused(["no campaign is kept with this game"], ["MP-291"])
    return campaign


def situation_choose(game: Game, action: Action, keys: ChooseKeys) -> Procedure[None]:
    """A side chooses in secret; a program that plays chooses as well (MP-292, MP-296).

    Raises ActionRefused, UnknownAction for a side or a choice that there is not.
    """
    campaign = _kept(game)
    if keys.side not in campaign.sides:
        raise UnknownAction(f"situation-choose: side: expected {' or '.join(campaign.sides)}, got {keys.side!r}")
    seat = SEATS[campaign.sides.index(keys.side)]
    throws = _throws(campaign, seat)
    chosen(campaign, seat, keys.choice, TypedDice([1] if throws else []))  # refuses before any die
    return _choose(game, campaign, seat, keys, throws)


def _throws(campaign: Campaign, seat: Seat) -> int:
    """Among how many choices a reckless program throws; 0 where it throws for none."""
    options = situation_of(campaign).options(OTHER[seat])
    return len(options) if standing(campaign).opponent == "reckless" and len(options) > 1 else 0


def _choose(game: Game, campaign: Campaign, seat: Seat, keys: ChooseKeys, throws: int) -> Procedure[None]:
    scores: list[int] = []
    if throws:
        enemy = campaign.sides[SEATS.index(OTHER[seat])]
        request = Roll(purpose=f"the choice of {enemy}", count=1, die=f"d{throws}", rule="MP-296")
        scores.append((yield from roll(request)).total)
    after = chosen(campaign, seat, keys.choice, TypedDice(scores))
    facts: dict[str, Any] = {"side": keys.side, "choice": keys.choice}
    made = standing(after).chosen
    if len(made) < len(SEATS):
        facts["known_to"] = keys.side
    else:
        pair = (str(made["a"]), str(made["b"]))
        facts |= {"battle": situation_of(after).battle_of[pair], "choices": list(pair)}
    change = SetCondition(key="campaign", value=written(after))
    yield from happen(Event(event="situation-chosen", facts=facts, changes=(change,), rule="MP-292"))


def situation_settle(game: Game, action: Action, keys: SettleKeys) -> Procedure[None]:
    """The battle is over and leads on. Raises ActionRefused while a choice is missing (MP-293 to MP-295)."""
    campaign = _kept(game)
    outcome = keys.outcome
    if outcome is None and not standing(campaign).use_expected:
        outcome = score(game).outcome
    began = conditions_of(game).mustered
    if keys.outcome is None and outcome is not None and began:
        return _settle(game, fought(campaign, began, game, outcome))
    return _settle(game, settled(campaign, outcome))


def _settle(game: Game, after: Campaign) -> Procedure[None]:
    """The campaign goes on; units that fought on this table keep what they have lost."""
    last = standing(after).history[-1]
    facts: dict[str, Any] = {"battle": last.battle, "outcome": last.outcome}
    facts |= {"losses": last.losses} if last.losses else {}
    changes: list[Change] = [SetCondition(key="campaign", value=written(after)), *undecided(game)]
    if conditions_of(game).mustered:
        changes.append(SetCondition(key="mustered", value={}))
    yield from happen(Event(event="situation-settled", facts=facts, changes=tuple(changes), rule="MP-293"))


def muster_for_battle(before: Game, after: Game) -> Procedure[None]:
    """Once both sides have chosen, what their units begin the battle with is written down, once (MP-295)."""
    campaign = kept(after)
    if campaign is None or conditions_of(after).mustered or len(standing(campaign).chosen) < len(SEATS):
        return
    value = msgspec.to_builtins(mustered(before))
    yield from happen(Event(event="mustered", changes=(SetCondition(key="mustered", value=value),), rule="MP-295"))
