"""A campaign of situations at the table: shown as cards, chosen in secret, led on by the battle's outcome."""

from __future__ import annotations

from typing import Any

import pytest

from engine.dice import TypedDice
from engine.errors import ActionRefused, EngineError, UnusableFile
from engine.events import Event, SetStat, SetState, apply
from engine.play import Played, play
from engine.records.action import action_from
from engine.records.game import Game, game_builtins, game_from
from engine.rulesets.base.campaigns import CampaignView
from engine.rulesets.musket_pike import RULESET
from engine.rulesets.musket_pike.campaign.playing import prepared
from engine.rulesets.musket_pike.campaign.reading import campaign_from
from tests.engine.musket_pike.scene import game, unit
from tests.engine.musket_pike.test_campaign import battle, situation


def table(**state: Any) -> Game:
    """Two sides before a crossroads: whatever is chosen leads to one of two battles, and those to the end."""
    first = situation("fork", {("left", "wait"): "mill", ("left", "push"): "mill", ("right", "wait"): "ford",
                               ("right", "push"): "ford"})  # fmt: skip
    of = game(unit("a", (3, 3)), unit("b", (8, 8)))
    plan = {
        "format": "vedette-campaign/1", "ruleset": "musket-pike", "title": "The Fork", "start": "fork",
        "sides": [side.name for side in of.sides], "situations": [first],
        "battles": [battle("mill", "draw", major_a="won", rest="lost"), battle("ford", "draw", rest="lost")],
        "conclusions": [{"id": "won", "text": "Won.", "value": 1}, {"id": "lost", "text": "Lost.", "value": -1}],
    }  # fmt: skip
    if state:
        plan["state"] = {"situation": "fork", **state}
    raw = game_builtins(of)
    raw["conditions"] = {**raw.get("conditions", {}), "campaign": plan}
    return game_from(raw, "the table")


def do(of: Game, dice: str = "", **action: Any) -> Played:
    scores = [int(one) for one in dice.split()]
    return play(of, RULESET.begin(of, action_from(action)), TypedDice(scores))


def choose(of: Game, number: int, choice: str, dice: str = "") -> Played:
    return do(of, dice, action="situation-choose", side=of.sides[number].name, choice=choice)


def shown(of: Game, number: int | None) -> CampaignView:
    side = None if number is None else of.sides[number].name
    view = RULESET.campaign(RULESET.veiled(of, side))
    assert view is not None
    return view


@pytest.mark.rule("MP-291")
def test_both_sides_see_the_situation_and_the_choices_as_cards() -> None:
    of = table()
    RULESET.check(of)
    view = shown(of, 0)
    assert (view.title, view.stage) == ("The Fork", "Fork")
    assert [card.id for card in view.cards] == ["a-left", "a-right", "b-wait", "b-push"]
    assert not RULESET.campaign(game(unit("a", (3, 3)))).begun  # type: ignore[union-attr]


@pytest.mark.rule("MP-292")
def test_a_choice_is_known_to_its_side_alone_until_both_are_made() -> None:
    made = choose(table(), 0, "left")
    assert made.events[0].facts["known_to"] == made.game.sides[0].name
    assert [card.id for card in shown(made.game, 0).cards][:1] == ["a-left"]
    for number in (1, None):
        view = shown(made.game, number)
        assert [card.id for card in view.cards] == ["b-wait", "b-push"]
        side = None if number is None else made.game.sides[number].name
        assert "left" not in str(RULESET.veiled(made.game, side).conditions["campaign"]["state"])
    both = choose(made.game, 1, "push")
    assert "known_to" not in both.events[0].facts
    assert both.events[0].facts["battle"] == "mill"
    for number in (0, 1, None):
        assert [card.id for card in shown(both.game, number).cards] == ["battle", "a-left", "b-push"]


@pytest.mark.rule("MP-293")
@pytest.mark.parametrize(("outcome", "text"), [("major-a", "Won."), ("draw", "Lost.")])
def test_the_battles_outcome_leads_on(outcome: str, text: str) -> None:
    of = choose(choose(table(), 0, "left").game, 1, "wait").game
    after = do(of, action="situation-settle", outcome=outcome)
    assert shown(after.game, None).text == text
    assert shown(after.game, None).facts[0].label == "1. Mill"
    assert after.events[0].facts == {"battle": "mill", "outcome": outcome}
    RULESET.check(after.game)


@pytest.mark.rule("MP-293")
def test_without_a_word_the_table_as_it_stands_is_the_outcome() -> None:
    of = choose(choose(table(), 0, "left").game, 1, "wait").game
    assert do(of, action="situation-settle").events[0].facts["outcome"] == "draw"


@pytest.mark.rule("MP-296")
def test_a_reckless_program_throws_for_its_choice() -> None:
    of = table(opponent="reckless", player="a")
    both = choose(of, 0, "right", "2")
    assert both.events[0].facts["choices"] == ["right", "push"]
    with pytest.raises(ActionRefused, match="the program chooses"):
        choose(of, 1, "wait")


@pytest.mark.parametrize(
    ("action", "says", "status"),
    [
        ({"action": "situation-settle", "outcome": "draw"}, "has not chosen yet", 1),
        ({"action": "situation-choose", "side": "a", "choice": "up"}, "up", 2),
        ({"action": "situation-choose", "side": "nobody", "choice": "left"}, "nobody", 2),
    ],
)
def test_what_cannot_be_done_is_said(action: dict[str, Any], says: str, status: int) -> None:
    """What the rules refuse ends with 1, names that there are not with 2, as in every action."""
    of = table()
    if action.get("side") == "a":
        action["side"] = of.sides[0].name
    with pytest.raises(EngineError, match=says) as refused:
        do(of, **action)
    assert refused.value.exit_status == status


def test_a_table_without_a_campaign_and_one_between_others_say_so() -> None:
    with pytest.raises(ActionRefused, match="no campaign"):
        do(game(unit("a", (3, 3))), action="situation-settle")
    raw = game_builtins(table())
    raw["conditions"]["campaign"]["sides"] = ["x", "y"]
    with pytest.raises(UnusableFile, match="expected the sides of the game"):
        RULESET.check(game_from(raw, "the table"))


def battle_fought(**conditions: Any) -> Game:
    """Both sides have chosen, and a volley has been fired at ``b``; the umpire takes off what it cost."""
    of = choose(choose(table(), 0, "left").game, 1, "wait").game
    of = game_from({**game_builtins(of), "conditions": {**of.conditions, **conditions}}, "the table")
    changed = SetStat(unit="b", key="strength", value=of.unit("b").stats["strength"] - 60)
    return apply(of, Event(event="shot", changes=(changed, SetState(unit="a", key="fatigue", value=40))))


@pytest.mark.rule("MP-295")
def test_what_a_battle_at_the_table_cost_is_carried_over_as_by_the_command() -> None:
    after = do(battle_fought(), action="situation-settle").game
    (fought,) = after.conditions["campaign"]["state"]["history"]
    assert (fought["played"], fought["losses"], fought["fatigue"]) == (True, {"b": 60}, {"a": 40})
    campaign = campaign_from(dict(after.conditions["campaign"]), "the campaign")
    left = prepared(campaign, game(unit("a", (3, 3)), unit("b", (8, 8))))
    assert left.unit("b").stats["strength"] == battle_fought().unit("b").stats["strength"]
    assert not after.conditions["mustered"]
    RULESET.check(after)


@pytest.mark.rule("MP-295")
def test_a_battle_fought_without_the_program_costs_nobody() -> None:
    after = do(battle_fought(), action="situation-settle", outcome="draw").game
    (fought,) = after.conditions["campaign"]["state"]["history"]
    assert not fought.get("losses")


@pytest.mark.rule("MP-295", "MP-305")
def test_what_units_began_with_is_no_ones_to_read_in_the_fog() -> None:
    of = battle_fought(fog_of_war=True)
    after = do(of, action="situation-settle").game
    for known in (RULESET.veiled(of, None), RULESET.veiled(after, of.sides[0].name)):
        assert not known.conditions.get("mustered")
        history = known.conditions["campaign"]["state"].get("history", [])
        assert not any(one["losses"] or one["fatigue"] for one in history)
