"""What a unit's last move leaves to its next: banks, horses, guns and houses left, charges that go on."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks.options.move_options import move_option
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, gun, names, resolve, unit, wood

#: Two inches of water across the table.
CREEK = wood("creek", 0, 402.5, 1828, 453.3, "creek")


@pytest.mark.rule("MM-191")
@pytest.mark.parametrize("was", ["edge", "inside"])
def test_who_was_moved_away_from_the_bank_by_hand_comes_to_it_again_before_going_in(was: str) -> None:
    away = unit("foot", "british", at=(900, 300), state={"at_edge_since": was})
    scene = game(away, terrain=[CREEK])
    for to in (430, 495):
        with pytest.raises(ActionRefused, match="leads to the water's edge"):
            resolve(scene, action="march", unit="foot", to=[900, to])
    ready = game_from(scene, "the scene")
    reach = move_option(ready, ready.unit("foot")).reach_mm
    assert max(y for _, y in reach) < 403


@pytest.mark.rule("MM-191")
def test_who_was_put_into_the_creek_by_hand_comes_out_in_its_next_activation() -> None:
    wet = game(unit("foot", "british", at=(900, 430)), terrain=[CREEK])
    ready = game_from(wet, "the scene")
    assert max(y for _, y in move_option(ready, ready.unit("foot")).reach_mm) > 500
    out = resolve(wet, action="march", unit="foot", to=[900, 560])
    assert after(out, "foot")["state"].get("at_edge_since") is None


@pytest.mark.rule("MM-148", "MM-229", "muskets-mohawks R-54")
def test_troops_that_nobody_plays_charge_on_when_the_first_enemy_has_run() -> None:
    np = unit("np", "french", type="indian", at=(900, 600), facing=180, state={"tactics": "attack"})
    first = unit("first", "british", number=2, at=(900, 440), rep=2, formation="unformed")
    second = unit("second", "british", number=2, at=(900, 300), rep=2)
    scene = game(first, second, np, active="french")
    played = resolve(scene, [1, 1, 1, 1, 6, 6, 1, 1, 1, 1, 6, 6], action="np-play", unit="np")
    assert names(played).count("charge") == 2
    assert after(played, "second")["state"]["runaway"] is True
    assert after(played, "np")["state"]["activated"] is True
    assert after(played, "np")["state"].get("charging_on", False) is False


@pytest.mark.rule("MM-19", "MM-50", "MM-171")
@pytest.mark.parametrize(
    ("state", "why"),
    [({"prone": True}, "only stand up"), ({"in_building": "house"}, "comes out first"),
     ({"taking_trophies": True}, "taking trophies")],
)  # fmt: skip
def test_nobody_mounts_lying_down_indoors_or_while_taking_trophies(state: Plain, why: str) -> None:
    house = wood("house", 800, 500, 1000, 650, "building", door_mm=[900, 500], length_in=20)
    scouts = unit("s", "british", type="mounted-infantry", at=(900, 575), state={"mounted": False, **state})
    with pytest.raises(ActionRefused, match=why):
        resolve(game(scouts, terrain=[house]), action="mount", unit="s")


@pytest.mark.rule("MM-67", "MM-56")
@pytest.mark.parametrize(
    ("state", "why"), [({"taking_trophies": True}, "taking trophies"), ({"retiring": True}, "rally first")]
)
def test_who_takes_trophies_or_has_to_rally_does_not_lie_down_instead(state: Plain, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        resolve(game(unit("u", "british", type="indian", state=state)), action="prone", unit="u")


@pytest.mark.rule("MM-19", "MM-156")
def test_who_holds_the_horses_does_not_fight() -> None:
    riders = unit("riders", "british", type="mounted-infantry", at=(900, 300), leader=1, mounted=True,
                  state={"mounted": True})  # fmt: skip
    foe = unit("foe", "french", at=(900, 325), facing=180)
    on_foot = resolve(game(riders), action="dismount", unit="riders")["game"]
    on_foot["units"] = [on_foot["units"][0], foe]
    fought = resolve(on_foot, [6] * 10 + [2, 2] * 2 + [1] * 4, action="melee", unit="riders", enemy="foe")
    # of ten figures two hold horses: each loses one on contact, and it is nine against seven
    assert event(fought, "melee")["unit_dice"] == 4
    assert event(fought, "melee")["enemy_dice"] == 6


@pytest.mark.rule("MM-117", "muskets-mohawks R-26")
def test_a_stunned_leader_does_not_march_until_he_has_lost_an_activation() -> None:
    chief = unit("chief", "british", type="leader", number=1, leader=1, state={"stunned": True})
    scene = game(chief, unit("foe", "french", at=(900, 1100)))
    with pytest.raises(ActionRefused, match="stunned"):
        resolve(scene, action="march", unit="chief", to=[900, 400])
    fresh = resolve(scene, [1, 2], action="new-turn")["game"]
    assert event(resolve(fresh, action="march", unit="chief", to=[900, 400]), "marched")["distance_mm"] == 100


@pytest.mark.rule("MM-163", "muskets-mohawks R-35")
@pytest.mark.parametrize(("gun_y", "left"), [(340.0, True), (255.0, False)])
def test_a_crew_that_breaks_off_leaves_its_gun_unless_it_stays_by_it(gun_y: float, left: bool) -> None:
    crew = gun("g", "british", at=(900, 340), state={"in_melee": ["foe"], "melee_round": 1})
    crew["figures"][0]["y_mm"] = gun_y
    foe = unit("foe", "french", at=(900, 390), facing=180, state={"in_melee": ["g"], "melee_round": 1})
    played = resolve(game(crew, foe), [2, 1], action="break-off", unit="g", enemy="foe")
    piece = after(played, "g")["figures"][0]
    assert (piece["x_mm"], piece["y_mm"]) == (900.0, gun_y)
    assert after(played, "g")["state"].get("left_gun", False) is left


@pytest.mark.rule("MM-166", "muskets-mohawks R-35")
def test_a_crew_that_goes_off_the_table_leaves_the_gun_that_it_left_before() -> None:
    crew = gun("g", "british", at=(900, 500), state={"left_gun": True})
    for one in crew["figures"][1:]:
        one["y_mm"] = 30.0
    played = resolve(game(crew), action="leave-field", unit="g")
    assert [one["role"] for one in after(played, "g")["figures"]] == ["gun"]
    assert after(played, "g")["state"]["strength"] == 5


@pytest.mark.rule("MM-166", "MM-229")
def test_troops_whose_player_has_had_enough_go_off_whatever_their_orders() -> None:
    np = unit("np", "french", at=(900, 700), facing=180, state={"tactics": "attack", "had_enough": True})
    foe = unit("foe", "british", at=(900, 100))
    played = resolve(game(foe, np, active="french"), action="np-play", unit="np")
    assert {one["y_mm"] for one in after(played, "np")["figures"]} == {700 + 8 * INCH}


@pytest.mark.rule("MM-58", "muskets-mohawks R-59")
def test_who_fell_back_lying_down_is_on_its_feet_after_a_failed_rally() -> None:
    us = unit(
        "us", "british", type="indian", number=6, state={"retiring": True, "prone": True, "last_retire_mm": 200}
    )
    foe = unit("foe", "french", at=(900, 700), facing=180)
    played = resolve(game(us, foe), [6, 6], action="rally", unit="us")
    assert event(played, "retire")["distance_mm"] == pytest.approx(100)
    assert after(played, "us")["state"]["prone"] is False


@pytest.mark.rule("MM-162")
def test_a_round_is_the_activation_of_who_is_active_whoever_is_named_first() -> None:
    us = unit("us", "british", at=(900, 300), state={"in_melee": ["foe"], "melee_round": 1})
    foe = unit("foe", "french", at=(900, 325), facing=180, state={"in_melee": ["us"], "melee_round": 1})
    fought = resolve(game(us, foe), [6] * 8, action="melee", unit="foe", enemy="us")
    assert after(fought, "us")["state"]["activated"] is True
    assert after(fought, "foe")["state"].get("activated", False) is False


@pytest.mark.rule("MM-189", "MM-191", "muskets-mohawks R-59")
@pytest.mark.parametrize("kind", ["woods", "creek"])
def test_who_rallies_in_woods_or_water_forms_up_once_out_of_it(kind: str) -> None:
    us = unit("us", "british", state={"retiring": True, "last_retire_mm": 200})
    scene = game(
        us, unit("foe", "french", at=(900, 900), facing=180), terrain=[wood("w", 500, 200, 1300, 400, kind)]
    )
    rallied = resolve(scene, [1, 1, 1], action="rally", unit="us")
    assert event(rallied, "rallied")["result"] == "form-up"
    assert after(rallied, "us")["formation"] == "unformed"
    with pytest.raises(ActionRefused, match="units are unformed"):
        resolve(scene, action="rally", unit="us", formation="formed-line")


HOUSE = wood("house", 800, 500, 1000, 650, "building", door_mm=[900, 500], length_in=20)


@pytest.mark.rule("MM-140", "MM-171", "MM-172")
def test_who_drives_a_garrison_out_by_its_charge_is_in_the_house() -> None:
    us = unit("us", "british", at=(900, 350), formation="formed-line")
    foe = unit("foe", "french", number=3, at=(900, 575), facing=180, rep=2, state={"in_building": "house"})
    played = resolve(
        game(us, foe, terrain=[HOUSE]), [1, 1, 1, 1, 6, 6, 6], action="charge", unit="us", target="foe"
    )
    assert after(played, "foe")["state"]["runaway"] is True
    assert after(played, "us")["state"]["in_building"] == "house"
    assert after(played, "us")["formation"] == "unformed"


@pytest.mark.rule("MM-140", "MM-236")
def test_a_leader_whom_a_charge_made_run_has_not_fallen() -> None:
    chief = unit("chief", "french", type="leader", number=1, leader=1, at=(900, 600), facing=180)
    levels = {"french": {"army": "french", "local_campaign_morale": 3}}
    scene = game(unit("us", "british", type="indian", at=(900, 350)), chief, campaign=levels)
    ran = resolve(scene, [1, 1, 1, 1, 6, 6], action="charge", unit="us", target="chief")
    assert after(ran, "chief")["state"]["runaway"] is True
    over = resolve(ran["game"], action="afterwards", side="french", won=False, success=False)
    assert "rep" not in names(over)


def beaten_from_its_gun(**state: Any) -> Plain:
    """A crew that has fired, was shot at and ran from its gun, at the end of the turn after: it has rallied."""
    crew = gun("g", "british", at=(900, 500), state={"reload_markers": 2, **state})
    scene = game(crew, unit("foe", "french", at=(900, 1100), facing=180))
    fled = resolve(scene, [6, 6], action="reaction", unit="g", tests=["received-fire"], cause="foe")
    rallied = resolve(next_turn(fled["game"]), [1, 6], action="rally", unit="g")
    assert after(rallied, "g")["state"]["left_gun"] is True
    return next_turn(rallied["game"])


def next_turn(scene: Plain) -> Plain:
    played: Plain = resolve(scene, [1, 2], action="new-turn")["game"]
    return played


@pytest.mark.rule("MM-74", "MM-111", "MM-123", "muskets-mohawks R-35")
def test_a_crew_goes_back_to_a_gun_that_is_not_loaded_and_loads_it() -> None:
    scene = beaten_from_its_gun()
    with pytest.raises(ActionRefused, match="left its gun"):
        resolve(scene, action="reload", unit="g")
    back = resolve(scene, action="march", unit="g", to=[900, 440])
    assert after(back, "g")["state"]["left_gun"] is False
    with pytest.raises(ActionRefused, match="not loaded"):
        resolve(next_turn(back["game"]), action="march", unit="g", to=[900, 430])
    loaded = resolve(next_turn(back["game"]), [1], action="reload", unit="g")
    assert after(loaded, "g")["state"]["reload_markers"] == 1


@pytest.mark.rule("MM-229", "muskets-mohawks R-35")
def test_a_crew_that_nobody_plays_goes_back_to_a_gun_that_is_not_loaded() -> None:
    played = resolve(beaten_from_its_gun(tactics="attack"), [1, 1], action="np-play", unit="g")
    assert after(played, "g")["state"]["left_gun"] is False


@pytest.mark.rule("MM-110", "MM-111", "MM-228", "MM-230")
@pytest.mark.parametrize("tactics", ["withdraw", "defend"])
def test_troops_that_nobody_plays_fire_on_where_continuous_fire_lets_them_neither_load_nor_go(tactics: str) -> None:
    bound = {"mounted": True, "tactics": tactics, "reload_markers": 1, "firing_at": "foe"}
    horse = unit(
        "np", "french", type="cavalry", weapon="carbine", at=(900, 750), facing=180, mounted=True, state=bound
    )
    scene = game(unit("foe", "british", at=(900, 500)), horse, active="french")
    orders = [] if tactics == "withdraw" else [1, 1]
    played = resolve(scene, [*orders, 6, 6, 1, 1], action="np-play", unit="np")
    assert event(played, "fired")["target"] == "foe"
    assert after(played, "np")["state"]["activated"] is True


@pytest.mark.rule("MM-110", "muskets-mohawks R-20", "MM-171")
def test_continuous_fire_goes_on_at_who_goes_into_a_house_in_sight() -> None:
    us = unit("us", "british", at=(900, 300), state={"reload_markers": 1, "firing_at": "foe"})
    foe = unit("foe", "french", number=5, at=(900, 487.5), facing=180)
    inside = resolve(game(us, foe, terrain=[HOUSE], active="french"), action="enter", unit="foe", building="house")
    assert after(inside, "us")["state"]["firing_at"] == "foe"
    with pytest.raises(ActionRefused, match="continuous fire"):
        resolve(next_turn(inside["game"]), action="reload", unit="us")


def in_two_lines(x: float = 900) -> Plain:
    us = unit("us", "british", at=(900, 300), type="indian", number=6)
    near = unit("near", "french", number=3, at=(x, 450), facing=180)
    return game(us, near, unit("far", "french", number=6, at=(900, 600), facing=180))


@pytest.mark.rule("MM-148")
def test_a_charge_that_runs_into_another_enemy_on_its_way_is_a_charge_at_that_one() -> None:
    played = resolve(in_two_lines(), [1, 1, 1, 1, 6, 6], action="charge", unit="us", target="far")
    assert event(played, "runs-into")["enemy"] == "near"
    assert event(played, "charge")["target"] == "near"
    assert after(played, "near")["state"]["runaway"] is True
    on = resolve(played["game"], [1, 1, 6, 6, 6], action="charge", unit="us", target="far")
    assert after(on, "us")["state"]["in_melee"] == ["far"]


@pytest.mark.rule("MM-148", "muskets-mohawks R-22")
def test_who_stands_aside_of_the_way_is_not_run_into() -> None:
    played = resolve(in_two_lines(1200), [1, 1, 6, 6, 6], action="charge", unit="us", target="far")
    assert "runs-into" not in names(played)
    assert event(played, "charge")["target"] == "far"


@pytest.mark.rule("MM-148", "MM-223")
def test_who_charges_on_turns_a_marker_over_first_and_charges_those_under_it() -> None:
    us = unit("us", "british", type="indian", at=(900, 300))
    first = unit("first", "french", number=3, at=(900, 480), facing=180, rep=2)
    marker = unit("marker", "french", type="pef", number=1, leader=None, at=(900, 700), weapon="none")
    marker["figures"][0]["role"] = "pef"
    levels = {"british": {"territory": "controlling"}, "french": {"army": "french", "investment_level": 3}}
    scene = game(us, first, marker, campaign=levels)
    ran = resolve(scene, [1, 1, 1, 1, 6, 6], action="charge", unit="us", target="first")
    assert after(ran, "us")["state"]["charging_on"] is True
    with pytest.raises(ActionRefused, match="possible enemy force"):
        resolve(ran["game"], action="charge", unit="us", target="marker")
    shown = resolve(ran["game"], [1, 1, 1, 1], action="pef-resolve", unit="marker")
    (come,) = event(shown, "arrived")["units"]
    on = resolve(shown["game"], [1, 1, 1, 6, 6], action="charge", unit="us", target=come)
    assert event(on, "charge")["target"] == come


def captain(at: tuple[float, float], **state: Any) -> Plain:
    return unit(
        "captain", "french", type="leader", number=1, leader=1, at=at, facing=180, weapon="none", state=state
    )


@pytest.mark.rule("MM-34", "MM-227")
def test_a_leader_whom_nobody_plays_keeps_with_his_men() -> None:
    men = unit("men", "french", number=1, at=(900, 900), facing=180)
    scene = game(unit("br", "british", at=(900, 100)), captain((900, 700)), men, active="french")
    played = resolve(scene, [], action="np-play", unit="captain")
    assert event(played, "np-leader")["men"] == "men"
    assert after(played, "captain")["figures"][0]["y_mm"] == pytest.approx(875)
    stunned = game(unit("br", "british", at=(900, 100)), captain((900, 700), stunned=True), men, active="french")
    assert after(resolve(stunned, [], action="np-play", unit="captain"), "captain")["figures"][0]["y_mm"] == 700


@pytest.mark.rule("MM-227", "MM-235")
def test_a_leader_whose_men_are_gone_leaves_by_his_edge_and_does_not_hold_the_battle_up() -> None:
    scene = game(unit("br", "british", at=(900, 100)), captain((900, 900)), active="french")
    back = resolve(scene, [], action="np-play", unit="captain")
    assert after(back, "captain")["figures"][0]["y_mm"] == pytest.approx(900 + 8 * INCH)
    near = game(unit("br", "british", at=(900, 100)), captain((900, 1100)), active="french")
    gone = resolve(near, [], action="np-play", unit="captain")
    assert names(gone) == ["left-field"]
    assert after(gone, "captain")["figures"] == []
