"""``situation-choose``, ``situation-settle``: a campaign of situations played at the table (MP-291 to MP-296)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from engine.dice import Roll, TypedDice
from engine.errors import ActionRefused
from engine.events import Event, SetCondition
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.musket_pike.campaign.playing import OTHER, chosen, settled, situation_of, standing
from engine.rulesets.musket_pike.campaign.records import Campaign, Outcome, Seat
from engine.rulesets.musket_pike.campaign.tabling import SEATS, kept, written
from engine.rulesets.musket_pike.victory import score

__all__ = ["ChooseKeys", "SettleKeys", "situation_choose", "situation_settle"]


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
    """A side chooses in secret; a program that plays chooses as well. Raises ActionRefused (MP-292, MP-296)."""
    campaign = _kept(game)
    if keys.side not in campaign.sides:
        raise ActionRefused([f"side: expected {' or '.join(campaign.sides)}, got {keys.side!r}"], ["MP-291"])
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
    return _settle(settled(campaign, outcome))


def _settle(after: Campaign) -> Procedure[None]:
    last = standing(after).history[-1]
    facts = {"battle": last.battle, "outcome": last.outcome}
    change = SetCondition(key="campaign", value=written(after))
    yield from happen(Event(event="situation-settled", facts=facts, changes=(change,), rule="MP-293"))
