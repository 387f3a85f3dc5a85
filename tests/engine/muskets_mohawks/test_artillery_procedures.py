"""Guns: canister and ball in the open, at squares, at buildings, in bad weather."""

from __future__ import annotations

import pytest

from engine.errors import ActionRefused, UnknownAction
from tests.engine.muskets_mohawks.playing import Plain, after, event, game, gun, names, resolve, unit, wood

MUZZLE_Y = 225.0


def foes(name: str = "t", *, number: int = 2, y: float = 425, **more: object) -> Plain:
    return unit(name, "french", **{"number": number, "at": (900, y), "facing": 180, "leader": None, **more})  # type: ignore[arg-type]


def scene(*units: Plain, terrain: tuple[Plain, ...] = (), **conditions: object) -> Plain:
    return game(gun("g", "british", at=(900, 200)), *units, terrain=terrain, **conditions)


@pytest.mark.rule("MM-119", "MM-122", "MM-98", "muskets-mohawks R-33")
def test_canister_hits_on_one_and_two_friend_or_foe_and_all_at_risk_test() -> None:
    friend = unit("f", "british", number=1, at=(900, 325), leader=None, state={"start_strength": 2})
    # Friend, then two foes: 1 fells the friend (the nearest), 2 one of the foes.
    played = resolve(
        scene(friend, foes(number=3, y=425)), [1, 2, 3, 3, 5, 1], action="fire-canister", unit="g", target="t"
    )
    fired = event(played, "fired")
    assert (fired["mode"], fired["dice"], fired["hits"], fired["casualties"]) == ("canister", 4, 2, 2)
    assert names(played).count("hit") == 2
    assert event(played, "destroyed")["unit"] == "f"
    assert event(played, "reaction")["unit"] == "t"
    assert after(played, "g")["state"]["reload_markers"] == 2
    assert after(played, "g")["state"]["activated"] is True


@pytest.mark.rule("MM-113", "R-48")
def test_guns_misfire_too() -> None:
    target = foes(number=3, y=400)
    played = resolve(
        scene(target, weather="inclement"), [5, 1, 1, 3, 3, 4, 4], action="fire-canister", unit="g", target="t"
    )
    assert (event(played, "fired")["misfires"], event(played, "fired")["hits"]) == (1, 0)


@pytest.mark.rule("MM-246")
def test_a_square_is_rolled_for_twice_and_loses_a_figure_at_most_once() -> None:
    target = foes(number=3, y=425, formation="square")
    played = resolve(scene(target), [1] * 6, action="fire-canister", unit="g", target="t")
    assert (event(played, "fired")["dice"], event(played, "fired")["casualties"]) == (6, 3)


@pytest.mark.rule("MM-45", "MM-118")
def test_a_gun_may_turn_before_it_fires() -> None:
    aside = foes(number=1, y=200)
    aside["figures"][0]["x_mm"] = 1200.0
    with pytest.raises(ActionRefused):
        resolve(scene(aside), [], action="fire-canister", unit="g", target="t")
    played = resolve(scene(aside), [3, 1, 1], action="fire-canister", unit="g", target="t", turn_deg=90)
    assert names(played)[:2] == ["turned", "fired"]
    assert all(figure["bearing_deg"] == 90 for figure in after(played, "g")["figures"])


@pytest.mark.rule("MM-45")
@pytest.mark.parametrize(("keys", "mode"), [({"target": "t"}, "canister"), ({"building": "house"}, "ball")])
def test_a_gun_turned_by_more_than_a_quarter_may_not_fire_but_the_umpire_may_allow_it(
    keys: Plain, mode: str
) -> None:
    aside, house = foes(number=1, y=150), wood("house", 1100, 100, 1200, 300, kind="building", dv=1)
    aside["figures"][0]["x_mm"] = 1050.0
    start = scene(aside, terrain=(house,))
    asked = {"action": f"fire-{mode}", "unit": "g", **keys}
    with pytest.raises(ActionRefused, match="turned by 92 degrees, 90 at most"):
        resolve(start, [], turn_deg=92, **asked)
    shot = [] if "building" in keys else [3, 1, 1]
    assert names(resolve(start, shot, turn_deg=92, override=True, **asked))[0] == "overruled"


@pytest.mark.rule("MM-121")
def test_a_ball_goes_through_all_within_an_inch_of_its_line() -> None:
    near, far = foes("near", number=3, y=600), foes("far", number=3, y=1000)
    played = resolve(
        scene(near, far), [3, 4, 1, 1, 1, 1], action="fire-ball", unit="g", target="far", aim_mm=[900, 1000]
    )
    assert (event(played, "fired")["dice"], event(played, "fired")["hits"]) == (2, 1)
    assert event(played, "hit")["figures"] == ["near-2"]
    assert [one["unit"] for one in played["events"] if one["event"] == "reaction"] == ["near", "far"]


@pytest.mark.rule("MM-121", "muskets-mohawks R-34")
def test_a_ball_is_aimed_within_fifteen_degrees() -> None:
    with pytest.raises(ActionRefused, match="15 at most"):
        resolve(scene(foes(y=600)), [], action="fire-ball", unit="g", target="t", aim_mm=[1300, 600])


HOUSE = wood("house", 850, 500, 950, 600, kind="building", dv=1)


def inside(number: int = 3, y: float = 520) -> Plain:
    return foes(number=number, y=y, state={"in_building": "house"})


@pytest.mark.rule("MM-174", "MM-170")
def test_a_ball_makes_a_hole_and_figures_near_it_roll_for_each_inch() -> None:
    # DV 1: a hole of 4 in; figures within 3 in of (900, 500) roll four dice each.
    squad = inside()
    squad["figures"][0]["y_mm"] = 595.0
    dice = [3, 3, 3, 2, 3, 3, 3, 3]
    played = resolve(
        scene(squad, terrain=(HOUSE,)), [*dice, 1, 1, 1], action="fire-ball", unit="g", building="house"
    )
    assert event(played, "hole")["inches"] == 4
    assert played["game"]["terrain"][0]["hole_in"] == 4
    assert event(played, "hit")["figures"] == ["t-2"]
    assert after(played, "g")["state"]["reload_markers"] == 2


@pytest.mark.rule("MM-174")
def test_of_several_units_in_a_house_the_one_nearest_to_the_hole_tests_first() -> None:
    far, near = (
        unit(name, "french", type="irregular", number=2, at=(900, y), state={"in_building": "house"})
        for name, y in (("far", 560), ("near", 510))
    )
    unhurt = unit("deep", "french", type="irregular", number=2, at=(900, 598), state={"in_building": "house"})
    start = scene(unhurt, far, near, terrain=(HOUSE,))
    shot = resolve(start, [*[3] * 16, *[1, 1, 1] * 3], action="fire-ball", unit="g", building="house")
    assert [one["unit"] for one in shot["events"] if one["event"] == "reaction"] == ["near", "far", "deep"]


@pytest.mark.rule("MM-174", "MM-175", "MM-119")
@pytest.mark.parametrize("mode", ["ball", "canister"])
@pytest.mark.parametrize("housed", [True, False])
def test_of_those_as_far_off_the_first_in_the_list_comes_first(mode: str, housed: bool) -> None:
    squad = foes(number=10, y=585 if housed else 425, state={"in_building": "house"} if housed else {})
    for number, figure in enumerate(squad["figures"], start=1):
        figure["x_mm"], figure["y_mm"] = (900 + (12 if number > 5 else -12), 505.0 if housed else 425.0)
        if number not in (2, 10):
            figure["x_mm"] += 400 if number > 5 else -400  # out of harm's way
    where = {"building": "house"} if housed else {"target": "t"}
    start = scene(squad, terrain=(HOUSE,) if housed else ())
    dice = [1, *[3] * 7] if housed and mode == "ball" else [1, 6]
    tests = [1, 1, 1] if housed else [1, 1]  # a house is cover
    played = resolve(start, [*dice, *tests], action=f"fire-{mode}", unit="g", **where)
    assert event(played, "hit")["figures"] == ["t-2"]


@pytest.mark.rule("muskets-mohawks R-33", "muskets-mohawks R-34")
@pytest.mark.parametrize(
    ("between", "mode", "reaches"),
    [
        (wood("barn", 880, 400, 920, 450, kind="building"), "ball", False),
        (wood("barn", 880, 400, 920, 450, kind="building"), "canister", False),
        (wood("ridge", 800, 350, 1000, 450, kind="hill", crest_mm=[[800, 400], [1000, 400]]), "ball", False),
        (wood("ridge", 800, 350, 1000, 450, kind="hill", crest_mm=[[800, 400], [1000, 400]]), "canister", True),
        (wood("barn", 880, 610, 920, 650, kind="building"), "ball", True),
    ],
)
def test_a_house_behind_another_or_behind_a_ridge_is_not_shot_at(between: Plain, mode: str, reaches: bool) -> None:
    start, keys = scene(terrain=(HOUSE, between)), {"action": f"fire-{mode}", "unit": "g", "building": "house"}
    if reaches:
        assert event(resolve(start, [], **keys), "fired")["building"] == "house"
        return
    with pytest.raises(ActionRefused, match="stops the shot before house"):
        resolve(start, [], **keys)


@pytest.mark.rule("MM-175")
@pytest.mark.parametrize(("dv", "dice"), [(1, [3, 4]), (2, [3]), (3, [])])
def test_canister_goes_as_many_inches_into_a_house_as_its_walls_let_it(dv: int, dice: list[int]) -> None:
    squad = foes(number=2, y=520, state={"in_building": "house", "start_strength": 4})
    squad["figures"][1]["y_mm"] = 540.0
    for figure in squad["figures"]:
        figure["x_mm"] = 900.0
    start = scene(squad, terrain=({**HOUSE, "dv": dv},))
    tests = [1, 1] if dice else []
    played = resolve(start, [*dice, *tests], action="fire-canister", unit="g", building="house")
    assert event(played, "fired")["dice"] == len(dice)


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"target": "t", "building": "house"},
        {"target": "t", "turn_deg": 400},
        {"target": "t", "aim_mm": [900, 1000]},
    ],
)
def test_wrong_keys_are_refused(keys: Plain) -> None:
    with pytest.raises(UnknownAction):
        resolve(scene(foes(), terrain=(HOUSE,)), [], action="fire-canister", unit="g", **keys)


@pytest.mark.rule("MM-118")
@pytest.mark.parametrize(
    ("state", "why"),
    [({"limbered": True}, "limbered"), ({"reload_markers": 1}, "not loaded"), ({"left_gun": True}, "left")],
)
def test_a_gun_that_is_not_ready_does_not_fire(state: Plain, why: str) -> None:
    start = game(gun("g", "british", at=(900, 200), state=state), foes())
    with pytest.raises(ActionRefused, match=why):
        resolve(start, [], action="fire-canister", unit="g", target="t")


def test_who_has_no_gun_cannot_fire_one() -> None:
    with pytest.raises(ActionRefused, match="no gun"):
        resolve(game(unit("u", "british"), foes()), [], action="fire-ball", unit="u", target="t", override=True)


@pytest.mark.rule("MM-70", "MM-119")
def test_horse_hit_by_a_gun_of_its_own_side_does_not_charge_it() -> None:
    horse = unit(
        "h", "british", type="cavalry", number=1, at=(900, 325), state={"start_strength": 2}, weapon="sword"
    )
    # The friend in front and the foe behind it both test; one pass of a single die: stand.
    played = resolve(scene(horse, foes(y=425)), [6, 6, 6, 4, 1, 1], action="fire-canister", unit="g", target="t")
    assert event(played, "reaction", unit="h")["result"] == "stand"


@pytest.mark.parametrize("action", ["fire-canister", "fire-ball", "charge", "fire", "melee", "break-off"])
def test_nobody_acts_against_his_own_side_even_when_overruled(action: str) -> None:
    friend = unit("f", "british", at=(900, 325))
    other = {"enemy": "f"} if action in ("melee", "break-off") else {"target": "f"}
    with pytest.raises(ActionRefused, match="same side"):
        resolve(scene(friend, foes()), [], action=action, unit="g", override=True, **other)
