"""Units that act together fire together: each with its own dice, one set of losses, one test of the target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.dice import SeededDice
from engine.errors import ActionRefused, UnknownAction
from engine.events import Event
from engine.play import Played, play
from engine.records.action import action_from
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks import RULESET
from engine.rulesets.muskets_mohawks.chances import foretold
from engine.rulesets.muskets_mohawks.odds.firing import Fired, fired_together, volley
from engine.rulesets.muskets_mohawks.options.fire_options import fire_option
from engine.rulesets.muskets_mohawks.procedures.firing.together import nearest_shooter
from engine.rulesets.muskets_mohawks.vocabulary import state_of
from engine.spreads import read_as
from tests.engine.muskets_mohawks.playing import Plain, after, event, game, gun, names, resolve, unit
from tests.engine.muskets_mohawks.test_odds_of_the_chain import shot_read
from tests.engine.muskets_mohawks.walking import every_way, near

STEADY = [1, 1]
#: So few that every way of the dice can be walked.
MEN = 2


def half(name: str, x: float, **more: Any) -> Plain:
    return unit(name, "british", **{"number": 4, "formation": "formed-line", "at": (x, 500), **more})


def platoon(*more: Plain, gap: float = 0.0, one: Plain | None = None, **target: Any) -> Plain:
    """Two lines of four side by side, and ten French before them."""
    foe = unit("foe", "french", **{"at": (900, 800), "facing": 180, "leader": None, **target})
    return game(half("left", 850, **(one or {})), half("right", 950 + gap, **(one or {})), foe, *more)


TOGETHER: Plain = {"action": "fire", "unit": "left", "target": "foe", "with": ["right"]}


@pytest.mark.rule("MM-63", "MM-64", "MM-95")
def test_a_target_that_two_fire_at_at_the_same_time_tests_once_for_all_that_fell() -> None:
    played = resolve(platoon(), [1, 6, 6, 6, 1, 1, 6, 6, *STEADY], **TOGETHER)
    assert names(played) == ["fired", "fired", "hit", "reaction"]
    assert event(played, "fired", unit="left")["casualties"] == 1
    assert event(played, "fired", unit="right")["casualties"] == 2
    assert event(played, "hit")["casualties"] == 3
    assert event(played, "reaction")["tests"] == ["received-fire", "received-casualty"]
    for name in ("left", "right"):
        state = after(played, name)["state"]
        assert (state["activated"], state["firing_at"], state["reload_markers"]) == (True, "foe", 1)
        assert state["scored_casualty"] is True


@pytest.mark.rule("MM-63")
def test_a_miss_of_all_is_one_test_and_none_of_them_has_hit_anybody() -> None:
    played = resolve(platoon(), [6] * 8 + STEADY, **TOGETHER)
    assert names(played) == ["fired", "fired", "reaction"]
    assert all("scored_casualty" not in after(played, name)["state"] for name in ("left", "right"))


@pytest.mark.rule("MM-115")
def test_of_each_one_s_shot_those_nearest_to_it_fall() -> None:
    scene = platoon(formation="formed-line", number=10)
    played = resolve(scene, [1, *[6] * 5, 1, *[6] * 5, *STEADY], **TOGETHER)
    spots = {figure["id"]: figure["x_mm"] for figure in scene["units"][2]["figures"]}
    fallen = [spots[name] for name in event(played, "hit")["figures"]]
    assert fallen[0] < 900 < fallen[1]


@pytest.mark.rule("MM-63", "muskets-mohawks R-25")
def test_a_unit_that_falls_to_all_of_them_is_destroyed_without_checks_or_test() -> None:
    scene = platoon(number=2, leader=1)
    played = resolve(scene, [1, *[6] * 5, 1, *[6] * 5], **TOGETHER)
    assert names(played) == ["fired", "fired", "hit", "destroyed"]


@pytest.mark.rule("MM-70", "MM-56", "MM-63")
def test_the_nearest_of_them_is_the_cause_of_the_test() -> None:
    scene = platoon(at=(1000, 800), number=3, type="cavalry", mounted=True, weapon="sword")
    charged = resolve(scene, [6] * 8 + [1, 6] + [1] * 3 + [6, 6], **TOGETHER)
    assert event(charged, "charge")["target"] == "right"


@pytest.mark.rule("MM-95", "MM-96")
def test_those_who_may_not_volley_fire_at_will_and_all_do_where_they_are_told_to() -> None:
    scene = platoon()
    scene["units"][1]["state"]["reload_markers"] = 1
    mixed = resolve(scene, [6] * 8 + STEADY, **TOGETHER)
    assert [event(mixed, "fired", unit=name)["mode"] for name in ("left", "right")] == ["volley", "at-will"]
    both = resolve(platoon(), [6] * 8 + STEADY, **TOGETHER, mode="at-will")
    assert [event(both, "fired", unit=name)["mode"] for name in ("left", "right")] == ["at-will", "at-will"]


def acts_with(scene: Plain, name: str) -> list[str]:
    told = RULESET.ask(game_from(scene, "the scene"), [name]).units[0].extra
    found: list[str] = told.get("acts_with", [])
    return found


def chief(x: float, **state: Any) -> Plain:
    return unit("chief", "british", type="leader", number=1, leader=1, at=(x, 440), state=state)


@pytest.mark.rule("MM-25", "MM-31", "MM-63")
@pytest.mark.parametrize(
    ("more", "gap", "together"),
    [
        ((), 0.0, True),
        ((), 60.0, False),
        ((chief(930),), 60.0, True),
        ((chief(930, activated=True),), 60.0, False),
        ((chief(300),), 60.0, False),
    ],
    ids=["touching", "apart", "under one Leader", "under one who has acted", "under one out of reach"],
)
def test_those_who_act_together_fire_together(more: tuple[Plain, ...], gap: float, together: bool) -> None:
    scene = platoon(*more, gap=gap)
    assert ("right" in acts_with(scene, "left")) is together
    if together:
        assert event(resolve(scene, [6] * 8 + STEADY, **TOGETHER), "reaction")
        return
    with pytest.raises(ActionRefused, match="right does not act together with left"):
        resolve(scene, [], **TOGETHER)
    overruled = resolve(scene, [6] * 8 + STEADY, **TOGETHER, override=True)
    assert names(overruled) == ["overruled", "fired", "fired", "reaction"]


@pytest.mark.rule("MM-63", "MM-94")
def test_what_keeps_one_of_them_from_firing_is_said_with_its_name() -> None:
    scene = platoon()
    scene["units"][1]["state"]["activated"] = True
    with pytest.raises(ActionRefused, match="right: already activated"):
        resolve(scene, [], **TOGETHER)


@pytest.mark.parametrize("others", [["left"], ["right", "right"], ["foe"]])
def test_others_are_other_units_of_its_side_each_once(others: list[str]) -> None:
    with pytest.raises(UnknownAction, match="with: expected"):
        resolve(platoon(), [], action="fire", unit="left", target="foe", **{"with": others})


def battery(**more: Any) -> Plain:
    """A gun beside the platoon's right, and another beside that, both with the French before them."""
    return platoon(
        gun("g", "british", at=(1030, 520)), gun("h", "british", at=(1150, 520)), gap=12.5, at=(1000, 800), **more
    )


@pytest.mark.rule("MM-63", "MM-119", "MM-121")
@pytest.mark.parametrize(
    ("fires", "others", "shots"),
    [
        ({"action": "fire", "unit": "right"}, ["g"], ["volley", "canister"]),
        ({"action": "fire-canister", "unit": "g"}, ["right"], ["canister", "volley"]),
        ({"action": "fire-ball", "unit": "g"}, ["right"], ["ball", "volley"]),
    ],
)
def test_guns_and_muskets_that_fire_at_the_same_time_cause_one_test(
    fires: Plain, others: list[str], shots: list[str]
) -> None:
    scene = battery()
    played = seeded(scene, {**fires, "target": "foe", "with": others, "override": True})
    assert [one.facts["mode"] for one in played.events if one.event == "fired"] == shots
    assert [one.facts["unit"] for one in played.events if one.event == "reaction"] == ["foe"]
    hits = sum(one.facts["casualties"] for one in played.events if one.event == "fired")
    assert [one.facts["casualties"] for one in played.events if one.event == "hit"] == [hits]
    assert state_of(played.game.unit("g")).reload_markers == 2
    assert state_of(played.game.unit("right")).reload_markers == 1


@pytest.mark.rule("MM-63", "MM-119")
def test_others_whom_a_gun_s_shot_puts_at_risk_have_their_losses_and_their_test() -> None:
    behind = unit("behind", "french", at=(1030, 860), facing=180, number=6, rep=6)
    scene = battery(number=6, rep=6)
    scene["units"].append(behind)
    played = seeded(scene, {"action": "fire", "unit": "right", "target": "foe", "with": ["g"], "override": True})
    tested = [one.facts["unit"] for one in played.events if one.event == "reaction"]
    assert tested == ["foe", "behind"]


@pytest.mark.rule("MM-118", "MM-63")
def test_why_a_gun_cannot_fire_with_them_is_said() -> None:
    scene = battery()
    scene["units"][3]["state"]["limbered"] = True
    with pytest.raises(ActionRefused, match="g: limbered: must be unlimbered first"):
        resolve(scene, [], action="fire", unit="right", target="foe", **{"with": ["g"]})
    with pytest.raises(UnknownAction, match="not with a building"):
        resolve(scene, [], action="fire-ball", unit="h", building="house", **{"with": ["g"]})


@pytest.mark.rule("MM-63")
@pytest.mark.parametrize(
    "target",
    [{"leader": 2}, {"leader": 1, "type": "cavalry", "mounted": True, "weapon": "sword"}],
    ids=["foot", "horse"],
)
def test_the_chances_of_firing_together_are_those_of_every_way_of_the_dice(target: Plain) -> None:
    one: Plain = {"number": 2, "rep": 2, "leader": None, "formation": "unformed", "type": "irregular"}
    foe = unit("foe", "french", number=MEN, at=(900, 700), facing=180, rep=3, leader_rep=3, **target)
    ready = game_from(game(half("left", 875, **one), half("right", 950, **one), foe), "the scene")
    act = action_from(TOGETHER)
    walked = every_way(ready, lambda: RULESET.begin(ready, act), _read)
    foes, lines = ready.unit("foe"), [ready.unit(name) for name in ("left", "right")]
    shots = [volley(ready, one, foes, fire_option(ready, one, foes, "at-will")) for one in lines]
    cause = ready.unit(nearest_shooter(ready, "foe", ["left", "right"]))
    assert near(fired_together(ready, foes, shots, cause, "at-will"), walked)
    told = foretold(ready, act)
    assert told is not None
    exact = read_as(walked, lambda fired: fired.casualties)
    chances = [float(exact[number]) for number in sorted(exact)]
    assert [one.chance for one in told.outcomes] == pytest.approx(chances, abs=1e-6)


@pytest.mark.rule("MM-63", "MM-119")
@pytest.mark.parametrize("fires", [{"action": "fire", "unit": "right"}, {"action": "fire-canister", "unit": "g"}])
def test_the_chances_count_a_gun_that_fires_with_muskets(fires: Plain) -> None:
    one: Plain = {"number": 2, "rep": 2, "leader": None, "formation": "unformed", "type": "irregular"}
    foe = unit("foe", "french", number=MEN, at=(1030, 700), facing=180, rep=3, leader=1, leader_rep=3)
    piece = gun("g", "british", at=(1030, 520), crew=2)
    ready = game_from(game(half("right", 962.5, **one), piece, foe), "the scene")
    others = ["g" if fires["unit"] == "right" else "right"]
    act = action_from({**fires, "target": "foe", "with": others})
    walked = every_way(ready, lambda: RULESET.begin(ready, act), _read)
    told = foretold(ready, act)
    assert told is not None
    exact = read_as(walked, lambda fired: fired.casualties)
    chances = [float(exact[number]) for number in sorted(exact)]
    assert [one.chance for one in told.outcomes] == pytest.approx(chances, abs=1e-6)


def seeded(scene: Plain, action: Plain) -> Played:
    ready = game_from(scene, "the scene")
    return play(ready, RULESET.begin(ready, action_from(action)), SeededDice(4))


def _read(events: Sequence[Event]) -> Fired | None:
    """What came of the fire of both, once all is over."""
    one = shot_read("foe")(events)
    if one is None:
        return None
    shots = [event.facts["casualties"] for event in events if event.event == "fired"]
    return Fired(casualties=min(sum(shots[:2]), MEN), result=one.result, charge=one.charge)
