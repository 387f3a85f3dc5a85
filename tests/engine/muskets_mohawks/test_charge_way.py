"""The way of a charge: whom it runs into, the friends who bar it, and where it may not end."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import pytest

from engine.errors import ActionRefused
from engine.records.game import game_from
from engine.rulesets import find_ruleset
from tests.engine.muskets_mohawks.playing import Plain, Shown, after, event, game, names, shown, unit


def line(name: str = "us", number: int = 10, y: float = 300, **more: Any) -> Plain:
    return unit(name, "british", number=number, at=(900, y), formation="formed-line", **more)


def loose(name: str, y: float, number: int = 6, **more: Any) -> Plain:
    return unit(name, "british", type="irregular", number=number, at=(900, y), **more)


def foe(y: float = 600, x: float = 900, name: str = "foe", number: int = 10, **more: Any) -> Plain:
    return unit(name, "french", **{"type": "irregular", "at": (x, y), "facing": 180, "number": number, **more})


def told(scene: Plain, charger: str = "us", target: str = "foe") -> Any:
    ready = game_from(scene, "the scene")
    answer = find_ruleset(ready.ruleset).ask(ready, [charger]).units[0]
    return next(one for one in answer.charge if one.target == target)


@pytest.mark.rule("MM-148")
@pytest.mark.parametrize(("x", "met"), [(1010, True), (790, True), (1100, False)])
def test_a_charge_runs_into_whoever_stands_before_any_of_its_men(x: float, met: bool) -> None:
    scene = game(line(), foe(formation="mob"), foe(480, x, "aside", number=3, formation="mob"))
    notes = [note["rule"] for note in told(scene).extra.get("notes", [])]
    assert ("MM-148" in notes) is met
    played = shown(scene, Shown(charges=6, receives=1), action="charge", unit="us", target="foe")
    assert ("runs-into" in names(played)) is met
    assert event(played, "charge")["target"] == ("aside" if met else "foe")


@pytest.mark.rule("MM-148")
def test_who_stands_abreast_of_the_target_or_leads_it_is_not_run_into() -> None:
    beside = foe(600, 1100, "beside", number=4)
    captain = unit("captain", "french", type="leader", number=1, leader=1, at=(900, 576), facing=180, weapon="none")
    notes = told(game(line(), foe(number=5), beside, captain)).extra.get("notes", [])
    assert "MM-148" not in [note["rule"] for note in notes]


@pytest.mark.rule("MM-55", "MM-148")
def test_horse_that_fire_makes_charge_runs_into_who_stands_before_the_shooter() -> None:
    horse = unit(
        "horse", "french", type="cavalry", weapon="sword", number=5, at=(900, 900), facing=180, mounted=True
    )
    screen = unit("screen", "british", type="irregular", number=3, at=(900, 750))
    scene = game(horse, screen, loose("us", 500, 10), active="british")
    scores = Shown(tests=(1, 6), charges=6, receives=1)
    played = shown(scene, scores, action="fire", unit="us", target="horse", mode="at-will")
    assert event(played, "runs-into")["enemy"] == "screen"
    assert event(played, "charge")["target"] == "screen"


BARRED = [
    # who charges, the friend, where the friend stands, the row against it; None: the charge goes past him
    (line(), line("friend", 4), 430, "MM-51"),
    (line(), loose("friend", 0), 380, None),
    (line(), loose("friend", 0), 440, "MM-52"),
    (loose("us", 300), line("friend", 4), 380, None),
    (loose("us", 300), line("friend", 4), 440, "MM-52"),
    (line(), line("friend", 4), 570, "MM-51"),
    (line(), unit("friend", "british", type="leader", number=1, leader=1, weapon="none"), 440, None),
]


@pytest.mark.rule("MM-51", "MM-52")
@pytest.mark.parametrize(("us", "friend", "y", "row"), BARRED)
def test_a_charge_goes_through_friends_only_as_a_march_does(
    us: Plain, friend: Plain, y: float, row: str | None
) -> None:
    stands = {
        **friend,
        "figures": [{**one, "x_mm": 900 + 25 * n, "y_mm": y} for n, one in enumerate(friend["figures"])],
    }
    scene = game(us, stands, foe())
    assert told(scene).why_rules == (() if row is None else (row,))
    if row is not None:
        with pytest.raises(ActionRefused, match="friend"):
            shown(scene, Shown(), action="charge", unit="us", target="foe")


@pytest.mark.rule("MM-51", "MM-124")
def test_a_line_joins_a_friend_who_fights_its_target_already() -> None:
    fights = unit(
        "friend", "british", number=3, at=(800, 575), formation="formed-line", state={"in_melee": ["foe"]}
    )
    assert told(game(line(), fights, foe(state={"in_melee": ["friend"]}))).legal


@pytest.mark.rule("MM-51")
def test_ask_sees_that_a_friend_has_stepped_out_of_the_way() -> None:
    us, them = line(), foe()
    before, now = (game_from(game(us, line("friend", 4, y), them), "scene") for y in (430, 1000))
    ruleset = find_ruleset(before.ruleset)
    assert not next(one for one in ruleset.ask(before).units if one.unit == "us").charge[0].legal
    assert next(one for one in ruleset.ask(now).units if one.unit == "us").charge[0].legal


@pytest.mark.rule("MM-70", "MM-51")
def test_horse_whose_way_a_friend_bars_stands_instead_of_charging() -> None:
    horse = unit("horse", "french", type="cavalry", weapon="sword", number=5, at=(900, 900), facing=180,
                 formation="formed-line", mounted=True)  # fmt: skip
    friend = unit("friend", "french", type="cavalry", weapon="sword", number=1, at=(965, 800), facing=180,
                  formation="formed-line", mounted=True)  # fmt: skip
    results = []
    for friends in ([], [friend]):
        scene = game(horse, loose("us", 500, 10), *friends, active="british")
        scores = Shown(tests=(1, 6), charges=6, receives=1)
        played = shown(scene, scores, action="fire", unit="us", target="horse", mode="at-will")
        results.append(event(played, "reaction", unit="horse")["result"])
    assert results == ["charge", "stand"]


@pytest.mark.rule("MM-140")
@pytest.mark.parametrize("side", ["french", "british"])
def test_a_charger_does_not_take_ground_on_which_others_stand(side: str) -> None:
    ran = unit("ran", "french", type="civilian", number=2, at=(900, 470), facing=180, rep=2)
    ran["figures"][1] |= {"x_mm": 875.0, "y_mm": 730.0}  # his middle is where the others stand
    stands = unit("stands", side, number=4, at=(887.5, 600), formation="formed-line")
    us = line(number=4) if side == "british" else loose("us", 300)
    played = shown(game(us, ran, stands), Shown(charges=1, receives=6), action="charge", unit="us", target="ran")
    assert "takes-ground" in names(played)
    for mine, his in product(after(played, "us")["figures"], stands["figures"]):
        assert math.dist((mine["x_mm"], mine["y_mm"]), (his["x_mm"], his["y_mm"])) >= 24
