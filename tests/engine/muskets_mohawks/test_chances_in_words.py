"""The chances as players read them: in ``vedette ask --chances``, in ``vedette odds``, and beside an option."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.cli import ask, odds
from engine.events import Event
from engine.odds import odds as walked
from engine.records.action import action_from
from engine.records.answer import answer_builtins, answer_from
from engine.records.game import Game, game_from
from engine.rulesets.base.answers.chances import chances
from engine.rulesets.base.answers.option_chances import with_chances
from engine.rulesets.muskets_mohawks import RULESET
from engine.spreads import read_as
from tests.engine.muskets_mohawks.playing import INCH, Plain, game, gun, unit, wood
from tests.engine.muskets_mohawks.walking import every_way


def scene(**foe: Any) -> Plain:
    ours = unit("a", "british", type="grenadier", at=(900, 450), formation="formed-line")
    theirs = unit("b", "french", at=(900, 475 + 8 * INCH), facing=180, **({"number": 6} | foe))
    return game(ours, theirs, gun("g", "british", at=(500, 450)))


def line(ready: Game, **action: Any) -> str:
    return chances(RULESET, ready, action_from(action)).line


@pytest.mark.rule("MM-95", "MM-76")
def test_a_volley_is_told_with_its_casualties_and_what_they_do() -> None:
    ready = game_from(scene(), "the scene")
    told = line(ready, action="fire", unit="a", target="b", mode="volley")
    assert told == "84 %: 1 casualty or more; 63 % they carry on"


@pytest.mark.rule("MM-139", "MM-150")
def test_a_charge_is_told_with_the_first_round_of_the_melee() -> None:
    ready = game_from(scene(), "the scene")
    found = chances(RULESET, ready, action_from({"action": "charge", "unit": "a", "target": "b"}))
    assert [one.what for one in found.outcomes][:1] == ["to melee"]
    assert found.line.count(";") == 1
    assert found.line.endswith("we win the first round")
    fight, fire = found.then
    assert sum(one.chance for one in fight.outcomes) == pytest.approx(
        next(one.chance for one in found.outcomes if one.what == "to melee"), abs=1e-5
    )
    assert fire.outcomes[0].what == "0 casualties"
    for part in (found.outcomes, fire.outcomes):
        assert sum(one.chance for one in part) == pytest.approx(1.0, abs=1e-9)  # nothing is lost by rounding


@pytest.mark.rule("MM-150", "MM-57")
def test_a_melee_is_told_for_both_sides() -> None:
    plain = scene()
    plain["units"][1]["figures"] = [{**one, "y_mm": 475.0} for one in plain["units"][1]["figures"]]
    for place, foe in ((0, "b"), (1, "a")):
        plain["units"][place]["state"]["in_melee"] = [foe]
    told = line(game_from(plain, "the scene"), action="melee", unit="a", enemy="b")
    assert told.split("; ")[0].endswith("enemy casualty or more")
    assert "they " in told.split("; ")[1]
    assert "we " in told.split("; ")[2]


@pytest.mark.rule("MM-176", "MM-169", "MM-240", "MM-229")
@pytest.mark.parametrize(
    ("action", "told"),
    [
        ({"action": "start-fire", "unit": "a", "building": "h"},
         [("it burns", 16), ("it smoulders", 16), ("no spark", 4)]),
        ({"action": "after-battle", "unit": "a", "won": True},
         [("0 men return", 4), ("2 men return", 16), ("4 men return", 16)]),
        ({"action": "desertion", "unit": "a"}, [("0 men desert", 16), ("1 man deserts", 16), ("2 men desert", 4)]),
        ({"action": "np-move", "unit": "b"}, [("advance", 16), ("hold", 16), ("retire", 4)]),
    ],
)  # fmt: skip
def test_what_two_dice_against_a_rep_of_four_decide_is_told(action: Plain, told: list[tuple[str, int]]) -> None:
    a = unit("a", "british", at=(900, 100), state={"casualties": 4})
    b = unit("b", "french", at=(900, 1100), facing=180, state={"tactics": "attack"})
    house = wood("h", 850, 112.5, 950, 200, kind="building")
    found = chances(RULESET, game_from(game(a, b, terrain=[house]), "the scene"), action_from(action))
    assert sorted((one.what, round(one.chance * 36, 3)) for one in found.outcomes) == sorted(told)


@pytest.mark.rule("MM-159")
@pytest.mark.parametrize("melee_round", [0, 1])
def test_a_fight_with_several_says_what_all_of_them_lose_and_what_we_do(melee_round: int) -> None:
    ours = unit("a", "british", number=4, at=(900, 450), leader=None)
    foes = [
        unit(name, "french", number=2, leader=None, at=(x, 475), facing=180) for name, x in (("b", 850), ("d", 950))
    ]
    for one, opponents in ((ours, ["b", "d"]), *((foe, ["a"]) for foe in foes)):
        one["state"] |= {"in_melee": opponents, "melee_round": melee_round}
    ready = game_from(game(ours, *foes), "the scene")
    shares = [{"id": "b", "dice": 1, "figures": 2}, {"id": "d", "dice": 2, "figures": 2}]
    action = action_from({"action": "melee", "unit": "a", "enemies": shares})

    def read(events: Sequence[Event]) -> tuple[int, int] | None:
        if events[-1].event != "round-fought":
            return None
        rounds = [one.facts for one in events if one.event == "melee"]
        lost = [sum(one[fact] for one in rounds) for fact in ("unit_casualties", "enemy_casualties")]
        return min(lost[0], 4), lost[1]

    walk = every_way(ready, lambda: RULESET.begin(ready, action), read)
    told = chances(RULESET, ready, action)
    exact = {key: float(chance) for key, chance in walk.items()}
    ours_lost, theirs_lost = read_as(exact, lambda both: both[0]), read_as(exact, lambda both: both[1])
    for part, spread in ((told, theirs_lost), (told.then[0], ours_lost)):
        assert [one.chance for one in part.outcomes] == pytest.approx([spread[n] for n in sorted(spread)], abs=1e-6)
    assert told.then[0].outcomes[0].what.endswith("casualties of ours")


@pytest.mark.rule("MM-119", "MM-121")
@pytest.mark.parametrize("mode", ["canister", "ball"])
def test_a_gun_says_who_else_is_at_risk(mode: str) -> None:
    foes = unit("b", "french", number=3, at=(500, 700), facing=180)
    mates = unit("m", "british", number=1, leader=None, at=(500, 600))
    ready = game_from(game(gun("g", "british", at=(500, 450)), foes, mates), "the scene")
    told = line(ready, action=f"fire-{mode}", unit="g", target="b")
    assert "a friend hit (m)" in told


def test_what_is_foretold_is_what_walking_says() -> None:
    ready = game_from(scene(), "the scene")
    action = action_from({"action": "fire", "unit": "a", "target": "b", "mode": "volley"})
    exact = walked(ready, lambda: RULESET.begin(ready, action), lambda event: event.facts.get("casualties"))
    told = {one.what: one.chance for one in chances(RULESET, ready, action).outcomes}
    assert told["2 casualties"] == pytest.approx(float(exact[2]), abs=1e-6)


@pytest.mark.rule("MM-247", "MM-248")
def test_a_line_that_may_form_square_is_charged_as_often_as_walking_says() -> None:
    horse = unit("a", "british", type="cavalry", weapon="sword", number=3, at=(900, 450), state={"mounted": True})
    line = unit("b", "french", number=3, at=(900, 475 + 8 * INCH), facing=180, rep=4, formation="formed-line")
    ready = game_from(game(horse, line, squares=True), "the scene")
    action = action_from({"action": "charge", "unit": "a", "target": "b", "form_square": True})
    assert RULESET.foretold(ready, action) is not None
    exact = walked(
        ready, lambda: RULESET.begin(ready, action),
        lambda event: event.facts["result"] if event.event == "charge" else None,
    )  # fmt: skip
    assert len(exact) > 2
    told = [one.chance for one in chances(RULESET, ready, action).outcomes]
    assert told == pytest.approx(sorted((float(one) for one in exact.values()), reverse=True), abs=1e-6)


def test_what_the_rules_forbid_and_what_is_not_foretold_is_left_to_walking() -> None:
    ready = game_from(scene(), "the scene")
    for action in (
        {"action": "fire", "unit": "b", "target": "a", "mode": "ball"}, {"action": "reload", "unit": "a"},
        {"action": "charge", "unit": "g", "target": "b"}, {"action": "melee", "unit": "a", "enemy": "b"},
        {"action": "charge", "unit": "a", "target": "b", "form_square": True}, {"action": "fire", "unit": "a"},
    ):  # fmt: skip
        assert RULESET.foretold(ready, action_from(action)) is None


def test_every_allowed_option_carries_its_chances_when_asked_for() -> None:
    ready = game_from(scene(), "the scene")
    answer = with_chances(RULESET, ready, RULESET.ask(ready, ["a", "g"]))
    for one in answer.units:
        for option in (*one.fire, *one.charge):
            assert ("chances" in option.extra) == option.legal
    assert any(option.legal for one in answer.units for option in one.fire)
    assert answer_from(answer_builtins(answer)) == answer


def test_the_command_line_tells_the_same(tmp_path: Path) -> None:
    of, do = tmp_path / "game.json", tmp_path / "charge.json"
    of.write_text(json.dumps(scene()))
    do.write_text('{"action": "charge", "unit": "a", "target": "b"}')
    asked = CliRunner().invoke(ask, [str(of), "--unit", "a", "--chances"])
    assert "84 %: 1 casualty or more; 63 % they carry on" in asked.output
    plain = CliRunner().invoke(ask, [str(of), "--unit", "a"])
    assert "casualty or more" not in plain.output
    told = CliRunner().invoke(odds, [str(of), "--do", str(do)])
    assert "we win the first round" in told.output
    as_json = json.loads(CliRunner().invoke(odds, [str(of), "--do", str(do), "--json"]).output)
    assert as_json["sentence"].endswith("to melee")
