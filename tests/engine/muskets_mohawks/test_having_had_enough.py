"""A side that has had enough: it returns fire but opens none, and goes away from the enemy."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks import RULESET
from tests.engine.muskets_mohawks.playing import Plain, after, event, game, gun, resolve, unit, wood

SPARED = [6] * 12
STEADY = [1, 1]


def us(**more: Any) -> Plain:
    return unit("us", "british", formation="formed-line", at=(900, 500), **more)


def them(**more: Any) -> Plain:
    return unit("them", "french", formation="formed-line", at=(900, 800), facing=180, rep=6, **more)


def enough(*units: Plain, side: str = "french", **more: Any) -> Plain:
    left: Plain = resolve(game(*units, **more), action="had-enough", side=side)["game"]
    return left


def their_turn(scene: Plain, side: str = "french") -> Plain:
    passed: Plain = resolve(scene, action="pass-turn", side=side)["game"]
    return passed


def volleyed(scene: Plain, target: str = "them", unit: str = "us") -> Plain:
    played: Plain = resolve(scene, SPARED + STEADY, action="fire", unit=unit, target=target)["game"]
    return played


def allowed(scene: Plain, name: str, target: str) -> set[bool]:
    told = RULESET.ask(game_from(scene, "the scene"), [name]).units[0].fire
    return {option.legal for option in told if option.target == target}


@pytest.mark.rule("MM-166")
def test_who_is_fired_at_returns_it_at_the_shooter_and_at_nobody_else() -> None:
    other = unit("other", "british", formation="formed-line", at=(1200, 500))
    scene = enough(us(), other, them())
    assert allowed(their_turn(scene), "them", "us") == {False}
    scene = their_turn(volleyed(scene))
    assert allowed(scene, "them", "us") == {True}
    assert allowed(scene, "them", "other") == {False}
    with pytest.raises(ActionRefused, match="may not open fire, but return that of who has fired at it"):
        resolve(scene, action="fire", unit="them", target="other")
    returned = resolve(scene, SPARED + STEADY, action="fire", unit="them", target="us")
    assert event(returned, "fired")["mode"] == "volley"


@pytest.mark.rule("MM-166", "MM-121")
def test_a_gun_s_fire_is_returned_by_all_whom_it_put_at_risk_at_the_gun() -> None:
    scene = enough(gun("g", "british", at=(900, 500)), us(), them())
    scene["units"][1]["figures"] = [{**one, "y_mm": 200.0} for one in scene["units"][1]["figures"]]
    shot = resolve(scene, [6, 6, 6, *STEADY], action="fire-ball", unit="g", target="them")
    assert allowed(their_turn(shot["game"]), "them", "g") == {True}
    assert allowed(their_turn(shot["game"]), "them", "us") == {False}


@pytest.mark.rule("MM-166", "MM-174")
@pytest.mark.parametrize("fired", [True, False])
def test_a_gun_returns_the_fire_of_a_garrison_at_its_house(fired: bool) -> None:
    house = wood("house", 800, 480, 1000, 560, kind="building", door_mm=[900, 480])
    inside = unit("inside", "british", number=6, at=(900, 540), state={"in_building": "house"}, rep=6)
    piece = gun("g", "french", at=(900, 800))
    for figure in piece["figures"]:
        figure["bearing_deg"] = 180
        figure["y_mm"] = 1600 - figure["y_mm"]
    scene = enough(inside, piece, terrain=[house])
    if fired:
        scene = resolve(scene, [6, 6, 6, 6, 6, 6, 1, 1], action="fire", unit="inside", target="g")["game"]
    if not fired:
        with pytest.raises(ActionRefused, match="had enough"):
            resolve(their_turn(scene), action="fire-ball", unit="g", building="house")
        return
    shot = resolve(their_turn(scene), [6] * 9 + STEADY, action="fire-ball", unit="g", building="house")
    assert event(shot, "fired")["building"] == "house"


@pytest.mark.rule("MM-166")
@pytest.mark.parametrize(("side", "kept"), [("british", True), ("french", False)], ids=["acts first", "acts last"])
def test_fire_is_returned_in_the_next_activation_and_not_later(side: str, kept: bool) -> None:
    """The British act first in a turn: what the French fire at them in it, they return in the next."""
    mine, foe = ("us", "them") if side == "british" else ("them", "us")
    scene = enough(us(rep=6), them(), side=side, active="french" if side == "british" else "british")
    scene = volleyed(scene, target=mine, unit=foe)
    next_turn = resolve(scene, [1, 2], action="new-turn")["game"]
    assert allowed(their_turn(next_turn, side), mine, foe) == {kept}
    for one in next_turn["units"]:
        if one["id"] == foe:
            one["state"]["firing_at"] = None
    late = resolve(next_turn, [1, 2], action="new-turn")["game"]
    assert allowed(their_turn(late, side), mine, foe) == {False}


@pytest.mark.rule("MM-166", "MM-110")
def test_who_is_under_fire_when_it_has_had_enough_may_return_that() -> None:
    scene = enough(us(state={"firing_at": "them", "reload_markers": 1}), them(), active="french")
    assert allowed(scene, "them", "us") == {True}


@pytest.mark.rule("MM-166")
@pytest.mark.parametrize(
    ("to", "nearer"), [([900, 740], True), ([900, 860], False), ([960, 800], False), ([840, 790], True)]
)
def test_who_has_had_enough_goes_no_nearer_to_an_enemy(to: list[float], nearer: bool) -> None:
    theirs = unit("them", "french", at=(900, 800), facing=180)
    scene = enough(us(), theirs, active="french")
    if nearer:
        with pytest.raises(ActionRefused, match="it goes away from us, and no nearer"):
            resolve(scene, action="march", unit="them", to=to)
        assert event(resolve(scene, action="march", unit="them", to=to, override=True), "marched")
    else:
        assert event(resolve(scene, action="march", unit="them", to=to), "marched")
    before = game(us(), theirs, active="french")
    assert after(resolve(before, action="march", unit="them", to=to), "them")["state"]["moved_mm"] > 0
