"""Campaigns: situations, secret choices, battles, outcomes by table or by play, losses carried over."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice import SeededDice, TypedDice
from engine.errors import ActionRefused, UnknownAction, UnusableFile
from engine.events import Event, RemoveUnit, SetStat, SetState, apply
from engine.records.sealing import SealError
from engine.rulesets.musket_pike.campaign.deciding import conservative, worths
from engine.rulesets.musket_pike.campaign.playing import (
    battle_ahead,
    begun,
    chosen,
    opened,
    played,
    prepared,
    settled,
    situation_of,
    standing,
)
from engine.rulesets.musket_pike.campaign.reading import campaign_from, campaign_json
from engine.rulesets.musket_pike.campaign.records import OUTCOMES, Campaign
from engine.rulesets.musket_pike.turns.victory import score
from tests.engine.musket_pike.scene import Json, game, ground, unit
from tests.long_runs import games

CASE = pytest.mark.rule

SIDES = ("a", "b")


def situation(name: str, battles: dict[tuple[str, str], str]) -> Json:
    """A situation with a battle for each pair of choices."""
    rows, columns = dict.fromkeys(a for a, _ in battles), dict.fromkeys(b for _, b in battles)
    return {
        "id": name,
        "title": name.title(),
        "text": f"At {name}.",
        "choices": {
            "a": [{"id": one, "title": one} for one in rows],
            "b": [{"id": one, "title": one} for one in columns],
        },
        "battles": [{"a": a, "b": b, "battle": battle} for (a, b), battle in battles.items()],
    }


def battle(name: str, expected: str, **leads: str) -> Json:
    """A battle: where each outcome leads, all others where ``rest`` does."""
    return {"id": name, "game": f"{name}.json", "expected": expected,
            "next": {one: leads.get(one.replace("-", "_"), leads["rest"]) for one in OUTCOMES}}  # fmt: skip


def plan(**changes: Any) -> Json:
    """Two situations: the ford, where each side has two choices, then the town, where only side b chooses."""
    return {
        "format": "vedette-campaign/1", "ruleset": "musket-pike", "title": "The Ford and the Town",
        "overview": "A march.",
        "sides": list(SIDES), "start": "ford", "carry_over": {"losses": True, "fatigue": True},
        "situations": [
            situation("ford", {("cross", "hold"): "storm", ("cross", "feint"): "surprise",
                               ("wait", "hold"): "skirmish", ("wait", "feint"): "skirmish"}),
            situation("town", {("assault", "sally"): "sortie", ("assault", "sit"): "siege"}),
        ],
        "battles": [
            battle("storm", "minor-b", major_a="town", rest="lost"),
            battle("surprise", "major-a", major_a="town", minor_a="town", rest="lost"),
            battle("skirmish", "draw", rest="town"),
            battle("sortie", "minor-a", major_a="won", minor_a="won", rest="lost"),
            battle("siege", "draw", major_a="won", rest="even"),
        ],
        "conclusions": [
            {"id": "won", "text": "The town is yours.", "value": 10},
            {"id": "even", "text": "A stand-off.", "value": 0},
            {"id": "lost", "text": "You go home.", "value": -10},
        ],
        **changes,
    }  # fmt: skip


def begin(**keys: Any) -> Campaign:
    """The campaign, begun."""
    return begun(campaign_from(plan(), "the test's campaign"), **keys)


def choose(campaign: Campaign, a: str, b: str) -> Campaign:
    """Both sides have chosen."""
    return chosen(chosen(campaign, "a", a, TypedDice([])), "b", b, TypedDice([]))


FAULTS = [
    ({"start": "moon"}, "start: expected one of ford, town, got 'moon'"),
    ({"sides": ["a", "a"]}, "sides: expected two different sides"),
    (
        {"situations": [situation("ford", {("cross", "hold"): "storm", ("wait", "feint"): "skirmish"})]},
        "expected one battle for cross against feint, found none",
    ),
    ({"situations": [situation("ford", {("cross", "hold"): "rout"})]}, r"situations\[0\].battles\[0\].battle"),
    ({"battles": [battle("storm", "draw", rest="moon")]}, "expected one of"),
    ({"ruleset": "chess"}, "ruleset: expected one of musket-pike, got 'chess'"),
    ({"situations": []}, "situations: expected a list of at least 1"),
    ({"format": "vedette-campaign/2"}, 'format: expected "vedette-campaign/1"'),
    ({"extra": 1}, "extra"),
]


@CASE("MP-291")
@pytest.mark.parametrize(("changes", "complaint"), FAULTS)
def test_a_campaign_that_does_not_hang_together_is_refused(changes: Json, complaint: str) -> None:
    with pytest.raises(UnusableFile, match=complaint):
        campaign_from(plan(**changes), "the file")


@CASE("MP-291")
def test_a_campaign_that_goes_round_in_a_circle_is_refused() -> None:
    raw = plan()
    raw["battles"][4] = battle("siege", "draw", rest="ford")
    with pytest.raises(UnusableFile, match="without circles, found ford → town → ford"):
        campaign_from(raw, "the file")


@CASE("MP-291")
def test_a_battle_that_leads_nowhere_for_an_outcome_is_refused() -> None:
    raw = plan()
    del raw["battles"][0]["next"]["draw"]
    with pytest.raises(UnusableFile, match=r"battles\[0\].next.draw"):
        campaign_from(raw, "the file")


@CASE("MP-291")
@pytest.mark.parametrize("blank", [{"situation": None, "chosen": {}, "history": []}, {"situation": None}, {}])
def test_a_state_without_a_situation_is_a_campaign_that_has_not_begun(blank: Json) -> None:
    assert campaign_from(plan(state=blank), "the file").state is None


@CASE("MP-291")
def test_a_choice_may_be_left_blank_in_the_file_until_it_is_made() -> None:
    state = {"situation": "ford", "chosen": {"a": None, "b": None}, "history": []}
    assert standing(campaign_from(plan(state=state), "the file")).chosen == {}


@CASE("MP-291", "MP-294")
def test_the_pair_of_choices_selects_the_battle_and_its_outcome_the_way_on() -> None:
    campaign = choose(begin(), "cross", "feint")
    assert battle_ahead(campaign).id == "surprise"
    after = settled(campaign, "minor-a")
    assert (situation_of(after).id, standing(after).chosen) == ("town", {})
    assert situation_of(begin(situation="town")).id == "town"
    over = settled(choose(after, "assault", "sally"), "draw")
    with pytest.raises(ActionRefused, match="the campaign is over: You go home"):
        situation_of(over)
    assert [(one.battle, one.outcome) for one in standing(over).history] == [
        ("surprise", "minor-a"),
        ("sortie", "draw"),
    ]


@CASE("MP-291", "MP-292")
def test_nobody_chooses_twice_or_for_the_other_or_what_there_is_not() -> None:
    first = chosen(begin(), "a", "cross", TypedDice([]))
    with pytest.raises(ActionRefused, match="has made its choice"):
        chosen(first, "a", "wait", TypedDice([]))
    with pytest.raises(UnknownAction, match="expected one of hold, feint"):
        chosen(first, "b", "swim", TypedDice([]))
    with pytest.raises(UnknownAction, match="situation: expected one of"):
        begin(situation="nowhere")
    with pytest.raises(ActionRefused, match="side b has not chosen yet"):
        battle_ahead(first)
    alone = begin(opponent="conservative", player="a")
    with pytest.raises(ActionRefused, match="the program chooses for side b"):
        chosen(alone, "b", "hold", TypedDice([]))
    with pytest.raises(ActionRefused, match="has not begun"):
        chosen(campaign_from(plan(), "x"), "a", "cross", TypedDice([]))


@CASE("MP-291", "MP-303")
def test_a_choice_may_be_kept_under_the_sides_own_key() -> None:
    secret = chosen(chosen(begin(), "a", "cross", TypedDice([]), key="rosebud"), "b", "hold", TypedDice([]))
    assert b"cross" not in campaign_json(secret).split(b'"state"')[1]
    assert campaign_from(msgspec.json.decode(campaign_json(secret)), "the file") == secret
    with pytest.raises(ActionRefused, match="choice of side a is under its key"):
        battle_ahead(secret)
    with pytest.raises(SealError, match="does not open"):
        opened(secret, "a", "rosebush")
    assert battle_ahead(opened(secret, "a", "rosebud")).id == "storm"
    with pytest.raises(ActionRefused, match="side b has no choice under a key"):
        opened(secret, "b", "rosebud")


@CASE("MP-291", "MP-294")
def test_a_choice_under_a_key_is_not_laid_open_before_the_other_side_has_chosen() -> None:
    """Whoever opened it too early would write it into the file that the other side reads."""
    first = chosen(begin(), "a", "cross", TypedDice([]), key="rosebud")
    with pytest.raises(ActionRefused, match="side b has not chosen yet"):
        opened(first, "a", "rosebud")


@CASE("MP-296", "musket-pike R33")
def test_the_program_takes_the_best_worst_case_of_what_is_to_be_expected() -> None:
    campaign = begin()
    # the town: sally is worth 10 to a, sit 0; so b sits, and the town is worth 0
    assert worths(campaign)["town"] == 0
    ford = situation_of(campaign)
    # crossing brings -10 or 0, waiting 0 whatever b does; b loses least by either
    assert conservative(campaign, ford, "a") == "wait"
    assert conservative(campaign, ford, "b") == "hold"
    assert worths(campaign)["ford"] == 0


@CASE("MP-292", "MP-296")
@pytest.mark.parametrize(("score", "choice"), [(1, "hold"), (2, "feint")])
def test_a_reckless_program_rolls_a_die_with_a_face_for_each_choice(score: int, choice: str) -> None:
    campaign = begin(opponent="reckless", player="a")
    assert standing(chosen(campaign, "a", "cross", TypedDice([score]))).chosen == {"a": "cross", "b": choice}
    town = begin(opponent="reckless", player="b", situation="town")
    assert standing(chosen(town, "b", "sit", TypedDice([]))).chosen["a"] == "assault"


@CASE("MP-292")
def test_a_conservative_program_answers_at_once() -> None:
    campaign = begin(opponent="conservative", player="b")
    assert standing(chosen(campaign, "b", "feint", TypedDice([]))).chosen == {"b": "feint", "a": "wait"}


@CASE("MP-293")
def test_expected_values_may_be_taken_and_declined_for_a_battle() -> None:
    quick = choose(begin(use_expected=True), "cross", "hold")
    after = settled(quick)
    assert standing(after).situation == "lost"
    assert standing(after).history[0].played is False
    fought = choose(begin(), "cross", "hold")
    with pytest.raises(ActionRefused, match="battles are played"):
        settled(fought)
    assert standing(played(quick, scenario(), scenario())).history[0].played is True


def scenario() -> Any:
    """The game of a battle."""
    return game(
        unit("a1", (4, 4)),
        unit("a2", (4, 6), "artillery"),
        unit("a-chief", (4, 5), "leader", stats={"strength": 0}),
        unit("b1", (8, 4)),
        unit("b2", (8, 6), "supply-wagon", stats={"strength": 40}),
        terrain=[ground("objective", (6, 6), points=200.0, owner="a")],
    )


@CASE("MP-295", "MP-290")
def test_losses_and_fatigue_go_on_to_the_next_battle() -> None:
    end = scenario()
    changes = (
        SetStat(unit="a1", key="strength", value=150),
        SetState(unit="a1", key="fatigue", value=420),
        RemoveUnit(unit="a-chief"),
        SetState(unit="a2", key="captured_by", value="b"),
        SetStat(unit="b1", key="strength", value=390),
        SetStat(unit="b2", key="strength", value=20),
    )
    end = apply(end, Event(event="the battle", changes=changes))
    after = played(choose(begin(), "cross", "feint"), scenario(), end)
    fought = standing(after).history[0]
    assert fought.outcome == score(end).outcome == "major-a"
    assert fought.losses == {"a1": 250, "a2": 6, "a-chief": 1, "b1": 10, "b2": 20}
    left = prepared(choose(after, "assault", "sally"), scenario())
    assert {one.id: one.stats["strength"] for one in left.units} == {"a1": 150, "b1": 390, "b2": 20}
    assert left.unit("a1").state["fatigue"] == 420


@CASE("MP-295")
def test_a_detachments_men_count_with_its_parent() -> None:
    end = scenario()
    light = end.unit("a1")
    light = msgspec.structs.replace(light, id="a1-sk", type="skirmisher", formation="skirmish",
                                    stats={"strength": 30, "parent": "a1"})  # fmt: skip
    from engine.events import AddUnit

    end = apply(end, Event(event="x", changes=(SetStat(unit="a1", key="strength", value=360), AddUnit(unit=light))))
    after = played(choose(begin(), "cross", "feint"), scenario(), end)
    assert standing(after).history[0].losses == {"a1": 10}


@CASE("MP-295")
def test_a_campaign_may_carry_nothing_over() -> None:
    campaign = begun(campaign_from(plan(carry_over={"losses": False, "fatigue": False}), "x"))
    end = apply(scenario(), Event(event="x", changes=(SetStat(unit="a1", key="strength", value=1),)))
    after = played(choose(campaign, "cross", "feint"), scenario(), end)
    assert prepared(choose(after, "assault", "sally"), scenario()) == scenario()


VICTORY = [
    # points of the objective, its owner, lost by a, lost by b → the outcome
    (49, "a", 0, 0, "draw"),
    (50, "a", 0, 0, "minor-a"),
    (149, "a", 0, 0, "minor-a"),
    (150, "a", 0, 0, "major-a"),
    (150, "b", 0, 0, "major-b"),
    (50, "b", 0, 0, "minor-b"),
    (100, None, 0, 0, "draw"),
    (60, "a", 20, 0, "draw"),
    (0, None, 0, 50, "minor-a"),
    (0, None, 200, 10, "major-b"),
]


@CASE("MP-290", "musket-pike R32", "MP-15")
@pytest.mark.parametrize(("points", "owner", "lost_a", "lost_b", "outcome"), VICTORY)
def test_objectives_and_losses_decide_by_thresholds(
    points: float, owner: str | None, lost_a: float, lost_b: float, outcome: str
) -> None:
    prize = ground("objective", (6, 6), points=points, owner=owner)
    of = game(unit("a", (4, 4)), terrain=[prize], sides={"a": {"lost": lost_a}, "b": {"lost": lost_b}})
    assert score(of).outcome == outcome
    narrow = game(unit("a", (4, 4)), terrain=[prize], victory={"minor": 1000, "major": 2000})
    assert score(narrow).outcome == "draw"


@CASE("MP-290")
def test_equal_points_are_a_draw_where_any_lead_is_a_victory() -> None:
    every_point = {"minor": 0, "major": 10}
    prize = ground("objective", (6, 6), points=1, owner="b")
    assert score(game(unit("a", (4, 4)), victory=every_point)).outcome == "draw"
    assert score(game(unit("a", (4, 4)), terrain=[prize], victory=every_point)).outcome == "minor-b"


@CASE("MP-290", "MP-87")
def test_guns_held_count_in_full() -> None:
    guns = unit("b1", (4, 4), "artillery", captured_by="a", stats={"victory_value": 20})
    assert score(game(unit("a", (4, 4)), guns)).points == (6 * 50 * 20 / 100, 0)


def test_a_game_between_other_sides_is_no_battle_of_the_campaign() -> None:
    raw = plan(sides=["blue", "red"])
    with pytest.raises(ActionRefused, match="expected the sides blue and red, got a and b"):
        played(choose(begun(campaign_from(raw, "x")), "cross", "hold"), scenario(), scenario())


@settings(max_examples=games(max(10, settings().max_examples // 2)))
@given(st.integers(0, 2**32 - 1))
def test_random_campaigns_come_to_an_end_and_survive_their_file(seed: int) -> None:
    rng = random.Random(seed)
    campaign = begun(
        random_plan(rng), opponent=rng.choice(["people", "conservative", "reckless"]), use_expected=True
    )
    for _ in range(12):
        if standing(campaign).situation in campaign.conclusion_by_id:
            break
        here = situation_of(campaign)
        for seat in ("a", "b") if standing(campaign).opponent == "people" else ("a",):
            campaign = chosen(campaign, seat, rng.choice(here.options(seat)), SeededDice(seed))  # type: ignore[arg-type]
        campaign = settled(campaign, rng.choice([None, *OUTCOMES]))
        assert campaign_from(msgspec.json.decode(campaign_json(campaign)), "the file") == campaign
    assert standing(campaign).situation in campaign.conclusion_by_id
    values = [one.value for one in campaign.conclusions]
    assert all(min(values) <= worth <= max(values) for worth in worths(campaign).values())


def random_plan(rng: random.Random) -> Campaign:
    """Three to six situations, each leading to later ones or to conclusions."""
    count = rng.randint(3, 6)
    places = [f"s{k}" for k in range(count)] + ["won", "even", "lost"]
    situations, battles = [], []
    for k in range(count):
        rows = [f"a{i}" for i in range(rng.randint(1, 3))]
        columns = [f"b{j}" for j in range(rng.randint(2, 3))]
        whole = {(a, b): f"battle-{k}-{a}-{b}" for a in rows for b in columns}
        situations.append(situation(f"s{k}", whole))
        for name in whole.values():
            leads = {one.replace("-", "_"): rng.choice(places[k + 1 :]) for one in OUTCOMES}
            battles.append(battle(name, rng.choice(OUTCOMES), rest="even", **leads))
    return campaign_from(plan(start="s0", situations=situations, battles=battles), "a drawn campaign")


def test_the_command_takes_a_campaign_from_its_begin_to_its_end(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from engine.records.game import game_json
    from engine.rulesets.musket_pike.campaign.commands import situations

    for one in plan()["battles"]:
        (tmp_path / one["game"]).write_bytes(game_json(scenario()))
    source, kept = tmp_path / "plan.json", tmp_path / "kept.json"
    source.write_bytes(msgspec.json.encode(plan()))

    def run(*words: object) -> str:
        result = CliRunner().invoke(situations, [str(word) for word in words], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    assert "A march." in run("begin", source, "-o", kept)
    assert "cross" in run("show", kept, "--side", "a")
    assert "cross" not in run("show", kept, "--side", "b").replace("crossing", "")
    assert "side b has not chosen yet" in run("choose", kept, "--side", "a", "cross", "--key", "rosebud")
    run("choose", kept, "--side", "b", "feint")
    assert "The battle: surprise" in run("open", kept, "--side", "a", "--key", "rosebud")
    run("battle", kept, "-o", tmp_path / "battle.json")
    assert "surprise: major-a" in run("settle", kept, "--game", tmp_path / "battle.json")
    run("choose", kept, "--side", "a", "assault")
    run("choose", kept, "--side", "b", "sit")
    assert "The campaign is over. A stand-off." in run("settle", kept, "--outcome", "draw")


def test_a_campaign_kept_in_another_folder_still_finds_its_battles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from engine.records.game import game_json
    from engine.rulesets.musket_pike.campaign.commands import situations

    (tmp_path / "plans").mkdir()
    (tmp_path / "club").mkdir()
    for one in plan()["battles"]:
        (tmp_path / "plans" / one["game"]).write_bytes(game_json(scenario()))
    (tmp_path / "plans" / "plan.json").write_bytes(msgspec.json.encode(plan()))

    def run(folder: str, *words: str) -> str:
        monkeypatch.chdir(tmp_path / folder)
        result = CliRunner().invoke(situations, words)
        assert result.exit_code == 0, result.output
        return result.output

    run("plans", "begin", "plan.json", "-o", "../club/kept.json")
    run("club", "choose", "kept.json", "--side", "a", "cross")
    run("club", "choose", "kept.json", "--side", "b", "feint")
    run("", "battle", "club/kept.json", "-o", "battle.json")
    assert (tmp_path / "battle.json").exists()


@CASE("MP-291")
def test_a_battle_between_other_sides_is_told_before_the_campaign_begins(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from engine.records.game import game_json
    from engine.rulesets.musket_pike.campaign.commands import situations

    turned = msgspec.structs.replace(scenario(), sides=tuple(reversed(scenario().sides)))
    for one in plan()["battles"]:
        (tmp_path / one["game"]).write_bytes(game_json(turned if one["id"] == "siege" else scenario()))
    source, kept = tmp_path / "plan.json", tmp_path / "kept.json"
    source.write_bytes(msgspec.json.encode(plan()))
    with pytest.raises(UnusableFile, match="those of the campaign in its order, a and b, got b and a"):
        CliRunner().invoke(situations, ["begin", str(source), "-o", str(kept)], catch_exceptions=False)
    assert not kept.exists()


@CASE("MP-291", "MP-296")
def test_a_campaign_may_be_as_long_as_a_war() -> None:
    count = 1200
    chain = [situation(f"s{k}", {("on", "on"): f"battle-{k}"}) for k in range(count)]
    battles = [battle(f"battle-{k}", "draw", rest=f"s{k + 1}" if k + 1 < count else "won") for k in range(count)]
    campaign = campaign_from(plan(start="s0", situations=chain, battles=battles), "a long campaign")
    assert worths(campaign)["s0"] == campaign.conclusion_by_id["won"].value
