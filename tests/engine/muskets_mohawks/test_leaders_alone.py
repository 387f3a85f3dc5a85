"""Fire at a Leader on his own: on horseback he may lose but his horse, on foot he falls."""

from __future__ import annotations

from typing import Any

import pytest

from engine.records.action import action_from
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks.chances import foretold
from engine.rulesets.muskets_mohawks.table.facts import is_mounted_leader
from tests.engine.muskets_mohawks.playing import Plain, after, event, game, gun, names, resolve, unit


def line() -> Plain:
    return unit("s", "british", formation="formed-line", at=(900, 300))


def foe(**more: Any) -> Plain:
    return unit("t", "french", **{"facing": 180, "at": (900, 600), "leader": None, **more})


def chief_alone(said: str, **more: Any) -> Plain:
    """A Major on horseback with nobody by him, of whom his figure or his unit says that he rides."""
    rides = {"state": {"mounted": True}} if said == "unit" else {"mounted": True}
    return foe(type="leader", number=1, stats={"rank": "major"}, **rides, **more)


@pytest.mark.rule("MM-117", "muskets-mohawks R-26")
@pytest.mark.parametrize(("said", "role"), [("unit", "leader"), ("unit", "rank"), ("figure", "leader")])
@pytest.mark.parametrize("arm", ["muskets", "a ball"])
def test_a_mounted_leader_on_his_own_who_is_hit_may_lose_but_his_horse(said: str, role: str, arm: str) -> None:
    chief = chief_alone(said)
    chief["figures"][0]["role"] = role
    shooter, shots = (line(), [1, *[2] * 12]) if arm == "muskets" else (gun("s", "british", at=(900, 300)), [1])
    action = "fire" if arm == "muskets" else "fire-ball"
    played = resolve(game(shooter, chief), [*shots, 3], action=action, unit="s", target="t")
    assert names(played) == ["fired", "leader-check"]
    told = event(played, "leader-check")
    assert (told["result"], told["total"], told["rule"]) == ("horse-hit", None, "MM-117")
    (rider,) = after(played, "t")["figures"]
    assert (rider["mounted"], rider["status"]) == (False, "stunned")
    assert after(played, "t")["state"]["stunned"] is True
    assert not is_mounted_leader(game_from(played["game"], "after it").unit("t"))
    killed = resolve(game(shooter, chief), [*shots, 4], action=action, unit="s", target="t")
    assert names(killed) == ["fired", "leader-check", "hit", "destroyed"]


@pytest.mark.rule("MM-117")
def test_a_leader_on_foot_on_his_own_is_hit_without_a_die() -> None:
    chief = foe(type="leader", number=1, leader=1)
    played = resolve(game(line(), chief), [1, *[2] * 12], action="fire", unit="s", target="t")
    assert names(played) == ["fired", "hit", "destroyed"]


@pytest.mark.rule("MM-117", "muskets-mohawks R-25")
def test_of_a_whole_unit_that_falls_no_horse_is_asked_for() -> None:
    riders = foe(number=2, type="cavalry", mounted=True)
    played = resolve(game(line(), riders), [1, 1, *[2] * 11], action="fire", unit="s", target="t")
    assert names(played) == ["fired", "hit", "destroyed"]


@pytest.mark.rule("MM-117")
def test_the_chances_count_the_horse_of_a_mounted_leader_on_his_own() -> None:
    ready = game_from(game(line(), chief_alone("figure")), "the scene")
    found = foretold(ready, action_from({"action": "fire", "unit": "s", "target": "t"}))
    assert found is not None
    missed = found.outcomes[0].chance
    (wiped_out,) = [one.chance for one in found.then[0].outcomes if one.what == "they are wiped out"]
    assert wiped_out == pytest.approx((1 - missed) / 2)
