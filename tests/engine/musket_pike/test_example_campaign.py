"""The campaign in ``examples`` hangs together, and each of its battles can be fought."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.dice import TypedDice
from engine.records.game import read_game
from engine.rulesets.musket_pike import RULESET
from engine.rulesets.musket_pike.campaign.playing import (
    battle_ahead,
    begun,
    chosen,
    played,
    prepared,
    settled,
    situation_of,
    standing,
)
from engine.rulesets.musket_pike.campaign.reading import read_campaign
from engine.rulesets.musket_pike.campaign.records import Seat
from engine.rulesets.musket_pike.turns.victory import OUTCOMES, score
from tests.engine.musket_pike.test_random_games import Battle

FOLDER = Path(__file__).parents[3] / "examples" / "three-days-on-the-river"
CAMPAIGN = read_campaign(FOLDER / "campaign.json")
SEATS: tuple[Seat, ...] = ("a", "b")


@pytest.mark.rule("MP-291", "MP-294")
@pytest.mark.parametrize("start", [one.id for one in CAMPAIGN.situations])
def test_every_way_through_it_ends(start: str) -> None:
    ways = [begun(CAMPAIGN, situation=start, use_expected=True)]
    ends = set()
    while ways:
        here = ways.pop()
        if standing(here).situation in here.conclusion_by_id:
            ends.add(standing(here).situation)
            continue
        situation = situation_of(here)
        for a in situation.options("a"):
            both = chosen(chosen(here, "a", a, TypedDice([])), "b", situation.options("b")[0], TypedDice([]))
            ways += [settled(both, outcome) for outcome in ("major-a", "major-b")]
    assert len(ends) > 1


@pytest.mark.rule("MP-291", "MP-295")
@pytest.mark.parametrize("name", sorted({one.game for one in CAMPAIGN.battles}))
def test_each_battle_can_be_fought(name: str) -> None:
    game = read_game(FOLDER / name)
    RULESET.check(game)
    assert tuple(side.name for side in game.sides) == CAMPAIGN.sides
    battle = Battle(game, 1)
    for side in CAMPAIGN.sides:
        battle.play_turn(side, 12)
    assert {"move"} <= {order["action"] for order, _ in battle.log}
    assert score(battle.game).outcome in OUTCOMES


@pytest.mark.rule("MP-291", "MP-295")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_can_be_fought_through_with_what_each_battle_leaves(seed: int) -> None:
    rng = random.Random(seed)
    campaign = begun(CAMPAIGN)
    while standing(campaign).situation not in campaign.conclusion_by_id:
        here = situation_of(campaign)
        for seat in SEATS:
            campaign = chosen(campaign, seat, rng.choice(here.options(seat)), TypedDice([]))
        scenario = read_game(FOLDER / battle_ahead(campaign).game)
        battle = Battle(prepared(campaign, scenario), seed)
        for side in campaign.sides:
            battle.play_turn(side, 10)
        before = sum(one.stats.get("strength", 0) for one in battle.start.units)
        after = sum(one.stats.get("strength", 0) for one in battle.game.units)
        campaign = played(campaign, scenario, battle.game)
        lost = sum(standing(campaign).history[-1].losses.values())
        assert lost >= before - after
    assert standing(campaign).history
