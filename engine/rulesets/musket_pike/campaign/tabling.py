"""A campaign of situations that is kept in a game (``conditions.campaign``): how it is shown, who knows what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.records.game import Game
from engine.rulesets.base.campaigns import CampaignView, Card, Fact, named
from engine.rulesets.base.kept import once
from engine.rulesets.musket_pike.campaign.reading import campaign_from
from engine.rulesets.musket_pike.campaign.records import (
    CAMPAIGN_FORMAT,
    Campaign,
    Sealed,
    Seat,
    Situation,
    Standing,
)
from engine.rulesets.musket_pike.vocabulary import conditions_of

__all__ = ["SEATS", "kept", "veiled", "view", "written"]

SEATS: tuple[Seat, Seat] = ("a", "b")


def kept(game: Game) -> Campaign | None:
    """The campaign in a game, begun where its file is not; None without one. Raises UnusableFile."""
    raw = game.conditions.get("campaign")
    if raw is None:
        return None
    return once(game, "mp_campaign", lambda: _begun(campaign_from(dict(raw), "conditions.campaign")))


def _begun(campaign: Campaign) -> Campaign:
    return campaign if campaign.state is not None else replace(campaign, state=Standing(situation=campaign.start))


def written(campaign: Campaign) -> Mapping[str, Any]:
    """A campaign as a game keeps it."""
    return {"format": CAMPAIGN_FORMAT, **msgspec.to_builtins(campaign)}


def _standing(campaign: Campaign) -> Standing:
    assert campaign.state is not None
    return campaign.state


def veiled(game: Game, side: str | None) -> Game:
    """The game without a choice that another side has made in secret, as long as its enemy has not chosen."""
    campaign = kept(game)
    if campaign is not None and conditions_of(game).fog_of_war:
        campaign, game = _in_fog(campaign, game)
    if campaign is None or len(_standing(campaign).chosen) != 1:
        return game
    ((seat, _),) = _standing(campaign).chosen.items()
    if campaign.sides[SEATS.index(seat)] == side:
        return game
    state = replace(_standing(campaign), chosen={seat: Sealed(sealed="")})
    known = written(replace(campaign, state=state))
    return replace(game, conditions={**game.conditions, "campaign": known})


def _in_fog(campaign: Campaign, game: Game) -> tuple[Campaign, Game]:
    """The campaign and its game without what units began with and lost, which names those that nobody sees."""
    history = tuple(replace(one, losses={}, fatigue={}) for one in _standing(campaign).history)
    campaign = replace(campaign, state=replace(_standing(campaign), history=history))
    conditions = {key: value for key, value in game.conditions.items() if key != "mustered"}
    return campaign, replace(game, conditions={**conditions, "campaign": written(campaign)})


def view(game: Game) -> CampaignView:
    """Where the campaign stands: the situation with the choices of each side, the battle ahead, what was."""
    campaign = kept(game)
    if campaign is None:
        text = "No campaign has been brought to this table: vedette serve --campaign CAMPAIGN.json"
        return CampaignView(title="Campaign", begun=False, text=text)
    state = _standing(campaign)
    facts = tuple(_facts(campaign, state))
    if state.situation in campaign.conclusion_by_id:
        end = campaign.conclusion_by_id[state.situation].text
        return CampaignView(title=campaign.title, stage="The campaign is over", text=end, facts=facts)
    situation = campaign.situation_by_id[state.situation]
    return CampaignView(
        title=campaign.title,
        stage=situation.title,
        text=situation.text or campaign.overview,
        facts=facts,
        cards=(*_battle(campaign, state, situation), *_choices(campaign, state, situation)),
    )


def _facts(campaign: Campaign, state: Standing) -> Iterator[Fact]:
    for number, fought in enumerate(state.history, 1):
        how = "" if fought.played else " (not played)"
        yield Fact(label=f"{number}. {named(fought.battle)}", value=f"{named(fought.outcome)}{how}")
    if state.situation not in campaign.conclusion_by_id:
        for seat, side in zip(SEATS, campaign.sides, strict=True):
            yield Fact(label=named(side), value="has chosen" if seat in state.chosen else "has not chosen yet")


def _choices(campaign: Campaign, state: Standing, situation: Situation) -> Iterator[Card]:
    """What each side may decide; after its decision, the choice itself where it lies open."""
    for seat, side in zip(SEATS, campaign.sides, strict=True):
        made = state.chosen.get(seat)
        for choice in situation.choices[seat]:
            if made is not None and made != choice.id:
                continue
            act = {"action": "situation-choose", "side": side, "choice": choice.id}
            yield Card(
                id=f"{seat}-{choice.id}", side=side, title=choice.title,
                lines=(choice.text,) if choice.text else (),
                act=act if made is None else None, act_title="Choose this" if made is None else "",
            )  # fmt: skip


def _battle(campaign: Campaign, state: Standing, situation: Situation) -> Iterator[Card]:
    """The battle that the pair of choices has led to."""
    pair = tuple(state.chosen.get(seat) for seat in SEATS)
    if not all(isinstance(one, str) for one in pair):
        return
    battle = campaign.battle_by_id[situation.battle_of[str(pair[0]), str(pair[1])]]
    lines = (f"Its game: {battle.game}", f"The outcome to expect: {named(battle.expected).lower()}")
    yield Card(
        id="battle", title=f"The battle: {named(battle.id)}", lines=lines, act={"action": "situation-settle"},
        act_title="End the battle",
    )  # fmt: skip
