"""A line tries to form square whoever sends the horse at it: its own fire, a test, or the program (MM-247)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from engine.records.action import action_from
from engine.records.game import Game, game_from
from engine.rulesets.muskets_mohawks import RULESET
from engine.rulesets.muskets_mohawks.guide import guide
from engine.rulesets.muskets_mohawks.odds.firing import fired
from engine.rulesets.muskets_mohawks.options.fire_options import fire_option
from tests.engine.muskets_mohawks.playing import Plain, after, event, game, names, resolve, unit
from tests.engine.muskets_mohawks.test_odds_of_the_chain import shot_read
from tests.engine.muskets_mohawks.walking import every_way, near

#: Seven inches between the two: with a Rep of 4 the line forms square on a 3.
AWAY_MM = 200


def line(name: str = "foot", **more: Any) -> Plain:
    return unit(name, "british", **{"formation": "formed-line", "at": (900, 500), **more})


def horse(x: float = 900, **more: Any) -> Plain:
    mounted = {"type": "cavalry", "weapon": "carbine", "mounted": True}
    return unit("horse", "french", at=(x, 500 + AWAY_MM), facing=180, **mounted, **more)


def napoleonic(*units: Plain, **more: Any) -> Plain:
    return game(*(units or (line(), horse())), **{"period": "napoleonic", "squares": True, **more})


MISSES, CHARGES = [6] * 10, [1, 6]
#: How a line fires, and another unit with it, by the formation of that one.
FIRES = {
    "formed-line": (("foot", "volley"), ("right", "volley")), "mob": (("foot", "volley"), ("right", "at-will")),
}  # fmt: skip


@pytest.mark.rule("MM-247", "MM-248", "MM-70")
@pytest.mark.parametrize(("die", "formation"), [(3, "square"), (2, "unformed")])
def test_a_line_whose_fire_sends_horse_at_it_may_try_to_form_square(die: int, formation: str) -> None:
    dice = MISSES + CHARGES + [die] + ([] if formation == "square" else [6, 6, 6, 1] + [6] * 4)
    played = resolve(napoleonic(), dice, action="fire", unit="foot", target="horse", form_square=True)
    assert event(played, "square")["formation"] == formation
    assert event(played, "square")["total"] == die + 4 - 7
    assert after(played, "foot")["formation"] == formation
    if formation == "square":
        assert event(played, "charge")["result"] == "cavalry-refuses"
        assert after(played, "horse")["state"]["retiring"] is True
    else:
        assert event(played, "charge")["target_passed"] == 1  # of a single die: it is no line, and not loaded


@pytest.mark.rule("MM-247")
def test_nothing_is_tried_where_the_horse_does_not_charge_or_nobody_says_so() -> None:
    stands = resolve(napoleonic(), [*MISSES, 1, 1], action="fire", unit="foot", target="horse", form_square=True)
    assert names(stands) == ["fired", "reaction"]
    dice = MISSES + CHARGES + [6, 6, 6, 1, 6] + [6] * 4
    plain = resolve(napoleonic(), dice, action="fire", unit="foot", target="horse")
    assert "square" not in names(plain)


@pytest.mark.rule("MM-246", "MM-247")
@pytest.mark.parametrize(
    ("scene", "why"),
    [
        (napoleonic(squares=False), "not in use"),
        (napoleonic(line(type="irregular", formation="unformed"), horse()), "only Regular infantry"),
        (napoleonic(line(formation="mob"), horse()), "from a formed line"),
        (napoleonic(line(), unit("horse", "french", at=(900, 700), facing=180)), "against cavalry"),
    ],
)
def test_who_cannot_form_square_is_told_so_before_it_fires(scene: Plain, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        resolve(scene, action="fire", unit="foot", target="horse", form_square=True)


@pytest.mark.rule("MM-247", "MM-146")
@pytest.mark.parametrize(("die", "formation"), [(3, "square"), (2, "unformed")])
def test_the_cause_of_a_test_that_players_call_for_may_try_to_form_square(die: int, formation: str) -> None:
    keys: Plain = {"action": "reaction", "unit": "horse", "tests": ["received-fire"], "cause": "foot"}
    dice = CHARGES + [die] + ([] if formation == "square" else [6, 6, 6, 1, 6] + [6] * 4)
    played = resolve(napoleonic(), dice, **keys, form_square=True)
    assert event(played, "square")["formation"] == formation
    with pytest.raises(ActionRefused, match="no unit causes the test"):
        resolve(napoleonic(), [], **{**keys, "cause": None, "form_square": True})
    with pytest.raises(ActionRefused, match="not in use"):
        resolve(napoleonic(squares=False), [], **keys, form_square=True)


@pytest.mark.rule("MM-146")
@pytest.mark.parametrize(("mode", "dice"), [("volley", 10), ("at-will", 4)])
def test_the_cause_of_a_test_that_players_call_for_fires_at_the_charge_as_they_say(mode: str, dice: int) -> None:
    keys: Plain = {"action": "reaction", "unit": "horse", "tests": ["received-fire"], "cause": "foot"}
    scores = [*CHARGES, 6, 6, 6, 1, 6, 6] + [6] * dice
    played = resolve(napoleonic(), scores, **keys, target_mode=mode)
    assert event(played, "fired")["mode"] == mode


def solo(**more: Any) -> Plain:
    """The program's horse, which attacks, before the player's line."""
    attack = horse(state={"tactics": "attack"})
    return napoleonic(line(**more), attack, active="french", player_side="british")


@pytest.mark.rule("MM-247", "MM-229")
@pytest.mark.parametrize(("die", "formation"), [(3, "square"), (2, "unformed")])
def test_the_player_s_line_may_form_square_against_the_program_s_horse(die: int, formation: str) -> None:
    dice = [die] + ([] if formation == "square" else [6, 6, 6, 6, 1] + [6] * 4)
    played = resolve(solo(), dice, action="np-play", unit="horse", form_square=True)
    assert event(played, "square")["unit"] == "foot"
    assert after(played, "foot")["formation"] == formation


@pytest.mark.rule("MM-146", "MM-247")
def test_the_player_says_how_his_line_fires_at_the_program_s_horse() -> None:
    dice = [6, 6, 6, 1, 6, 6]
    volley = resolve(solo(), dice + [6] * 10, action="np-play", unit="horse")
    assert event(volley, "fired")["mode"] == "volley"
    at_will = resolve(solo(), dice + [6] * 4, action="np-play", unit="horse", target_mode="at-will")
    assert event(at_will, "fired")["mode"] == "at-will"


@pytest.mark.rule("MM-247")
def test_who_cannot_form_square_stands_as_it_is_against_the_program_s_horse() -> None:
    dice = [6, 6, 6, 1, 6]
    played = resolve(solo(formation="mob"), dice + [6] * 4, action="np-play", unit="horse", form_square=True)
    assert "square" not in names(played)
    scene = solo()
    scene["conditions"]["squares"] = False
    with pytest.raises(ActionRefused, match="not in use"):
        resolve(scene, action="np-play", unit="horse", form_square=True)


@pytest.mark.rule("MM-247")
@pytest.mark.parametrize("squares", [True, False])
def test_where_squares_are_in_use_the_program_s_horse_is_not_played_before_the_line_has_its_say(
    squares: bool,
) -> None:
    scene = solo()
    scene["conditions"] |= {"squares": squares, "evening": {"play": "solo", "stage": "battle", "markers": True}}
    step = guide(game_from(scene, "the scene"))[0]
    assert (step["step"], step["unit"], step.get("opens", False)) == ("np-play", "horse", squares)


@pytest.mark.rule("MM-247", "MM-70")
@pytest.mark.parametrize("away_mm", [120, 200, 300])
def test_the_chances_count_the_square_that_is_tried(away_mm: int) -> None:
    foot = line(number=2, rep=3, leader=None)
    riders = horse(number=2, rep=3, leader=1, leader_rep=3)
    for figure in riders["figures"]:
        figure["y_mm"] = 500 + away_mm
    ready = game_from(napoleonic(foot, riders), "the scene")
    found = fired(ready, *_both(ready), fire_option(ready, *_both(ready), "at-will"), square=True)
    act = action_from({"action": "fire", "unit": "foot", "target": "horse", "mode": "at-will", "form_square": True})
    assert near(found, every_way(ready, lambda: RULESET.begin(ready, act), shot_read("horse")))
    assert any(one.charge for one in found)


def _both(ready: Game) -> tuple[Any, Any]:
    return ready.unit("foot"), ready.unit("horse")


@pytest.mark.rule("MM-247", "MM-63")
@pytest.mark.parametrize(("formation", "then"), [("formed-line", [6]), ("mob", [6, 6, 6, 6, 1, *[6] * 4])])
def test_of_those_who_fire_together_the_one_that_is_charged_forms_square_if_it_may(
    formation: str, then: list[int]
) -> None:
    """The horse charges the nearer of the two; the other, in line, is what acts."""
    near_one = line("right", number=4, at=(1037.5, 500), formation=formation)
    scene = napoleonic(line(number=8), near_one, horse(x=1250))
    keys = {"action": "fire", "unit": "foot", "target": "horse", "with": ["right"], "form_square": True}
    ready = game_from(scene, "the scene")
    shots = [fire_option(ready, ready.unit(one), ready.unit("horse"), mode) for one, mode in FIRES[formation]]
    dice = sum(shot.roll.count for shot in shots if shot.roll is not None)
    played = resolve(scene, [6] * dice + CHARGES + then, **keys)
    assert event(played, "charge")["target"] == "right"
    assert ("square" in names(played)) is (formation == "formed-line")
