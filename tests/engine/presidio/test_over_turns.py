"""What one action or turn leaves to the next: melees, drills, guns, captives, posture, over several actions."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.errors import ActionRefused
from engine.records.game import Game
from tests.engine.presidio.scene import (
    GUN,
    Json,
    asked,
    do,
    effects,
    figure,
    game,
    ground,
    inches,
    line,
    row,
    state,
    told,
    unit,
)


def gun(**keys: Any) -> Json:
    """A six-pounder and its crew of four, facing north."""
    crew = [figure(f"a-{n}", 500 + dx, 580, role="crew") for n, dx in enumerate((-60, -35, 35, 60))]
    piece = {**figure("a-gun", 500, 600, role="gun"), "base": GUN}
    usual = {"type": "artillery", "formation": "unlimbered", "weapon": "cannon-6-smoothbore"}
    return unit("a", piece, *crew, **{**usual, **keys})


def next_turn(of: Game) -> Game:
    """The game after the end of a turn."""
    return do(of, action="end-turn").game


def in_melee() -> Game:
    """Two against two who have fought a round, one of the second side beside them, a turn later."""
    own, foe = unit("a", (500, 300), (530, 300)), unit("b", (500, 325), (530, 325))
    fought = do(game(own, foe, unit("b2", (700, 325))), "1 1 1 1", action="melee", unit="a", target="b")
    return next_turn(fought.game)


@pytest.mark.rule("PR-501", "PR-516")
@pytest.mark.parametrize("target", ["b", "b2"])
def test_who_is_in_melee_does_not_charge_again_before_breaking_off(target: str) -> None:
    of = in_melee()
    assert "is in melee" in " ".join(next(one for one in asked(of).charge if one.target == target).why_not)
    with pytest.raises(ActionRefused, match="must break off"):
        do(of, action="charge", unit="a", target=target)
    free = do(of, "3", action="disengage", unit="a")
    assert next(one for one in asked(next_turn(free.game)).charge if one.target == target).legal


@pytest.mark.rule("PR-322", "PR-516")
def test_who_is_in_melee_does_not_wheel_out_of_it() -> None:
    of = game(line("a", 3, 500, 300), unit("b", (500, 325)))
    fought = do(of, "1 1", action="melee", unit="a", target="b")
    with pytest.raises(ActionRefused, match="is in melee"):
        do(next_turn(fought.game), action="wheel", unit="a", deg=20)


@pytest.mark.rule("PR-811", "PR-516")
def test_the_melee_is_over_when_the_last_enemy_in_it_is_captured() -> None:
    fought = do(game(unit("a", (500, 300)), unit("b", (500, 325))), "1 1", action="melee", unit="a", target="b")
    seized = do(fought.game, "12", action="capture", unit="a", target="b")
    assert state(seized, "a")["engaged_with"] == []
    assert told(do(next_turn(seized.game), "3", action="move", unit="a", to=[500, 200]), "moved")


@pytest.mark.rule("PR-811", "PR-106")
def test_a_unit_whose_last_leader_is_led_away_is_leaderless() -> None:
    of = game(unit("a", (500, 300)), unit("b", (500, 325), (600, 400), roles=["war-chief"]))
    seized = do(of, "12", action="capture", unit="a", target="b", target_figure="b-1")
    assert (state(seized, "b")["leaderless"], state(seized, "b")["leader_lost"]) == (True, True)
    assert state(seized, "b").get("casualties", 0) == 0


@pytest.mark.rule("PR-421", "PR-422", "PR-516")
def test_a_line_that_has_broken_off_does_not_fire_with_the_action_it_has_left() -> None:
    of = game(line("a", 3, 500, 300), unit("b", (500, 325)), unit("b2", (500, 800)))
    fought = do(of, "1 1", action="melee", unit="a", target="b")
    free = do(next_turn(fought.game), "4", action="disengage", unit="a")
    assert (state(free, "a")["actions_left"], state(free, "a")["moved"]) == (1, "walk")
    assert not any(option.legal for option in asked(free.game).fire)


@pytest.mark.rule("PR-506", "PR-421")
def test_who_has_fled_from_a_charge_has_moved() -> None:
    of = game(unit("a", (500, 300)), line("b", 3, 500, 800))
    played = do(of, "6 6 4 3 1", action="charge", unit="a", target="b", reaction="flee")
    assert state(played, "b")["moved"] == "walk"


@pytest.mark.rule("PR-810", "PR-509")
@pytest.mark.parametrize("held", [0, 2])
def test_who_carries_off_a_home_does_not_strike_back_at_a_charge(held: int) -> None:
    laden = unit("b", (500, 500), carrying="home", plunder=["home"], held=held)
    of = game(unit("a", (500, 300)), laden)
    with pytest.raises(ActionRefused, match="no fighting until it is dropped"):
        do(of, action="charge", unit="a", target="b", reaction="strike")
    # Move, nerve, again, the charger's blow: no die of those who are laden.
    played = do(of, "6 6 4 1", action="charge", unit="a", target="b", reaction="stand")
    assert told(played, "melee") == []


@pytest.mark.rule("PR-513", "PR-430", "PR-516")
def test_nobody_pursues_a_marker_or_out_of_a_melee() -> None:
    hidden = unit("b", (500, 420), hidden=True, formation="hidden")
    with pytest.raises(ActionRefused, match="is hidden"):
        do(game(unit("a", (500, 300)), hidden), action="pursue", unit="a", target="b")
    with pytest.raises(ActionRefused, match="is in melee"):
        do(in_melee(), action="pursue", unit="a", target="b2")


@pytest.mark.rule("PR-424")
def test_fire_on_the_move_is_paid_in_inches_once() -> None:
    of = game(unit("a", (500, 600), (560, 600)), unit("b", (500, 800)))
    fired = do(of, "1", action="fire", unit="a", target="b", mode="moving")
    first = do(fired.game, "3", action="move", unit="a", to=[900, 600])
    second = do(first.game, "3", action="move", unit="a", to=[1200, 600])
    assert told(first, "moved")[0]["distance_mm"] == pytest.approx(inches(7 + 3 - 1))
    assert told(second, "moved")[0]["distance_mm"] == pytest.approx(inches(7 + 3))
    assert state(second, "a")["fire_paid"] is True
    assert state(next_turn(second.game), "a")["fire_paid"] is False


@pytest.mark.rule("PR-418", "PR-430")
def test_whether_a_unit_may_hunker_down_does_not_tell_where_the_hidden_are() -> None:
    """The wall lies between the unit and those who hide, and covers it from nobody whom it knows of."""
    wall = ground("wall", 400, 620, 600, 625)
    own, known = unit("a", (500, 600)), unit("b", (500, 100))
    lurking = unit("b2", (500, 900), hidden=True, formation="hidden")
    with pytest.raises(ActionRefused, match="no partial cover"):
        do(game(own, known, lurking, terrain=[wall]), action="hunker-down", unit="a")
    shown = unit("b2", (500, 900))
    assert state(do(game(own, known, shown, terrain=[wall]), action="hunker-down", unit="a"), "a")["hunkered"]


@pytest.mark.rule("PR-205", "PR-515")
@pytest.mark.parametrize(("formation", "times"), [("skirmish", 1), ("extended-line", 2)])
def test_men_close_up_once_a_turn_those_of_a_line_at_its_end_too(formation: str, times: int) -> None:
    """Else one could walk them anywhere, an inch at a time and at no cost."""
    of = game(unit("a", (500, 600), (560, 600), type="light", formation=formation), unit("b", (500, 1100)))
    for step in range(1, times + 1):
        of = do(of, action="close-ranks", unit="a", moves={"a-2": [560.0, 600.0 + 25 * step]}).game
    with pytest.raises(ActionRefused, match="a-2 has closed up"):
        do(of, action="close-ranks", unit="a", moves={"a-2": [560.0, 600.0 + 25 * times]})
    other = do(of, action="close-ranks", unit="a", moves={"a-1": [510.0, 600.0]}).game
    assert told(
        do(next_turn(other), action="close-ranks", unit="a", moves={"a-2": [550.0, 600.0 + 25 * times]}), "moved"
    )


@pytest.mark.rule("PR-424", "PR-422")
def test_who_has_fired_on_the_move_moves_before_he_fires_otherwise() -> None:
    """Else it would be a shot for nothing: it costs no action, only inches of the move."""
    of = game(unit("a", (500, 600), (560, 600)), unit("b", (500, 800)))
    fired = do(of, "1", action="fire", unit="a", target="b", mode="moving").game
    for mode in ("independent", "opportunity"):
        with pytest.raises(ActionRefused, match="it goes before it fires otherwise"):
            do(fired, action="fire", unit="a", target="b", mode=mode)
    gone = do(fired, "3", action="move", unit="a", to=[520, 600]).game
    assert told(do(gone, "1", action="fire", unit="a", target="b", mode="independent"), "fired")


@pytest.mark.rule("PR-213", "PR-309")
def test_riders_neither_kneel_nor_lie_down_and_mount_standing() -> None:
    riders = game(unit("a", (500, 300), mounted=True), unit("b", (500, 900)))
    for posture in ("kneeling", "prone"):
        with pytest.raises(ActionRefused, match="is mounted"):
            do(riders, action="posture", unit="a", posture=posture)
    lying = game(unit("a", (500, 300), type="cavalry", posture="prone"), unit("b", (500, 900)))
    assert state(do(lying, action="mount", unit="a"), "a")["posture"] == "standing"


@pytest.mark.rule("PR-714", "PR-715")
def test_who_lies_down_and_runs_is_up_again() -> None:
    lying = unit("a", *row(2, 500, 600), posture="prone", stats={"morale": "inexperienced"})
    ran = do(game(lying, unit("b", (500, 1100))), "1 2", action="morale", unit="a", **{"from": "b"})
    assert told(ran, "morale")[0]["result"] == "panic"
    assert state(ran, "a")["posture"] == "standing"


@pytest.mark.rule("PR-712", "PR-716")
def test_nobody_surrenders_to_prisoners() -> None:
    own = unit("a", *row(2, 500, 600), stats={"morale": "inexperienced"})
    taken = unit("b", (500, 660), morale="surrendered")
    ran = do(game(own, taken, unit("b2", (500, 1100))), "1 2", action="morale", unit="a", **{"from": "b2"})
    assert told(ran, "morale")[0]["result"] == "panic"


@pytest.mark.rule("PR-206", "PR-716")
def test_a_chief_who_has_surrendered_leads_his_side_no_more() -> None:
    chief = unit("a9", (500, 300), type="leader", roles=["captain"], morale="surrendered")
    rolled = do(game(unit("a", (700, 300)), chief, unit("b", (500, 900))), "3 2", action="initiative")
    assert told(rolled, "initiative")[0]["scores"] == {"spanish": 3, "raiders": 2}


OFFICER = unit("a9", (520, 370), type="leader", roles=["captain"])


def pair(**other: Any) -> Game:
    """Two units of a side and the officer who would combine them."""
    lost = unit("a", *row(2, 500, 300, 40), leaderless=True)
    return game(lost, unit("a2", *row(2, 500, 340, 40), **other), OFFICER, unit("b", (500, 1100)))


@pytest.mark.rule("PR-326", "PR-106", "PR-213", "PR-810")
def test_combined_units_have_a_leader_and_what_each_carried() -> None:
    of = pair(horseless=["a2-1"], plunder=["scalp"])
    for _ in range(2):
        of = next_turn(do(of, action="combine", unit="a", **{"with": "a2"}).game)
    assert len(of.unit("a").figures) == 4
    assert state(of, "a")["leaderless"] is False
    assert (list(state(of, "a")["horseless"]), list(state(of, "a")["plunder"])) == (["a2-1"], ["scalp"])


@pytest.mark.rule("PR-326", "PR-402")
def test_who_joins_another_unit_keeps_his_weapon_and_is_not_loaded_for_it() -> None:
    bowman = [{"weapon": "bow", "figures": ["a2-2"]}]
    of = pair(weapon="flintlock-rifle", stats={"arms": bowman}, reload_left=3)
    for _ in range(2):
        of = next_turn(do(of, action="combine", unit="a", **{"with": "a2"}).game)
    shooters = {one.extra["weapon"]: len(one.shooters) for one in asked(of).fire if one.mode == "independent"}
    assert shooters == {"flintlock-musket": 2, "flintlock-rifle": 1, "bow": 1}
    assert state(of, "a")["reload_left"] == 3


@pytest.mark.rule("PR-326")
@pytest.mark.parametrize(("off_mm", "stays"), [(0.0, True), (300.0, False)])
def test_a_combined_unit_breaks_up_once_its_officer_has_left_it(off_mm: float, stays: bool) -> None:
    of = pair()
    for _ in range(2):
        of = do(of, action="combine", unit="a", **{"with": "a2"}).game
        of = of if len(of.unit("a").figures) == 4 else next_turn(of)
    assert state(of, "a")["officer"] == "a9"
    chief = of.unit("a9")
    far = replace(chief.figures[0], x_mm=chief.figures[0].x_mm + off_mm)
    away = replace(of, units=tuple(replace(one, figures=(far,)) if one is chief else one for one in of.units))
    ended = do(away, action="end-turn")
    assert len(ended.game.unit("a").figures) == (4 if stays else 0)
    assert bool(told(ended, "disintegrated")) is not stays
    fallen = replace(of, units=tuple(replace(one, figures=()) if one is chief else one for one in of.units))
    assert len(next_turn(fallen).unit("a").figures) == 4


@pytest.mark.rule("PR-326", "PR-430")
@pytest.mark.parametrize(
    "keys", [{"morale": "panicked"}, {"morale": "surrendered"}, {"hidden": True, "formation": "hidden"}]
)
def test_nobody_is_combined_with_those_who_have_run_or_are_hidden(keys: dict[str, Any]) -> None:
    with pytest.raises(ActionRefused, match="a2 "):
        do(pair(**keys), action="combine", unit="a", **{"with": "a2"})


@pytest.mark.rule("PR-317", "PR-326")
def test_the_actions_of_one_drill_do_not_count_for_another() -> None:
    joining = next_turn(do(pair(), action="combine", unit="a", **{"with": "a2"}).game)
    forming = do(joining, action="reform", unit="a", formation="line")
    assert told(forming, "drilling") == [{"unit": "a", "left": 2}]
    formed = do(next_turn(forming.game), action="reform", unit="a", formation="line")
    assert formed.game.unit("a").formation == "line"


@pytest.mark.rule("PR-317", "PR-713")
def test_who_falls_back_while_forming_line_begins_anew() -> None:
    of = game(unit("a", *row(2, 500, 500, 40)), unit("b", (500, 1100)))
    begun = do(of, action="reform", unit="a", formation="line")
    shaken = do(begun.game, "5 2", action="morale", unit="a", **{"from": "b"})
    assert told(shaken, "morale")[0]["result"] == "fall-back"
    again = do(next_turn(shaken.game), action="reform", unit="a", formation="line")
    assert told(again, "drilling") == [{"unit": "a", "left": 2}]


def _corrects(of: Game) -> int:
    option = next(one for one in asked(of).fire if one.mode == "direct")
    return effects(option).get("PR-913", 0)


@pytest.mark.rule("PR-913")
def test_correction_is_lost_when_gun_or_target_moves_though_a_turn_or_two_go_by() -> None:
    of = game(gun(misses=2, last_target="b"), unit("b", (500, 1000)))
    assert _corrects(next_turn(of)) == -1
    assert _corrects(next_turn(do(of, "3", action="gun-move", unit="a", to=[500, 680]).game)) == 0
    assert _corrects(next_turn(do(of, "3", action="move", unit="b", to=[600, 1000]).game)) == 0


def crew_that_ran() -> Game:
    """A crew that panicked, left its gun, and rallied in the next turn."""
    of = game(gun(stats={"morale": "inexperienced"}), unit("b", (500, 1100)), unit("a5", (1200, 100)))
    ran = do(of, "1 1", action="morale", unit="a", **{"from": "b"})
    assert told(ran, "morale")[0]["result"] == "panic"
    return do(next_turn(ran.game), "6", action="rally", unit="a").game


@pytest.mark.rule("PR-715", "PR-914", "PR-302")
def test_a_crew_that_ran_from_its_gun_runs_as_men_on_foot_and_walks_back_to_serve_it() -> None:
    of = crew_that_ran()
    crew = [one for one in of.unit("a").figures if one.role == "crew"]
    assert crew[0].y_mm == pytest.approx(580 - inches(2 * (6 + 1)))
    for action in ("reload", "mend-fuse"):
        with pytest.raises(ActionRefused, match="no gunner at its piece"):
            do(of, action=action, unit="a")
    move = asked(of).move
    assert move is not None
    assert move.allowance_mm == pytest.approx(inches(12))
    back = do(of, "6", action="move", unit="a", to=[500, 520])
    placed = {one.id: one for one in back.game.unit("a").figures}
    assert (placed["a-gun"].x_mm, placed["a-gun"].y_mm) == (500, 600)
    assert any(option.legal for option in asked(back.game).fire)


@pytest.mark.rule("PR-930", "PR-321")
def test_a_gun_in_disorder_is_brought_in_order_by_placing_it() -> None:
    of = crew_that_ran()
    back = do(of, "6", action="move", unit="a", to=[500, 520])
    placed = do(back.game, action="unlimber", unit="a")
    assert placed.game.unit("a").formation == "unlimbered"
    assert state(placed, "a")["morale"] == "steady"


@pytest.mark.rule("PR-518", "PR-511")
def test_men_who_are_all_up_stand_on_the_wall_and_not_on_ladders() -> None:
    wall = ground("wall", 400, 320, 700, 330, id="wall", height_ft=12)
    of = game(unit("a", (500, 307.5), (540, 307.5)), unit("b", (800, 600)), terrain=[wall])
    one = do(do(of, action="ladder", unit="a", at="wall").game, action="climb", unit="a", at="wall")
    assert state(one, "a")["position"] == "ladder"
    both = do(next_turn(one.game), action="climb", unit="a", at="wall")
    assert state(both, "a")["position"] is None


@pytest.mark.rule("PR-813", "PR-203")
def test_men_who_have_panicked_scare_no_herd() -> None:
    herd = unit("b", (700, 300), type="livestock", stats={"animal": "sheep"})
    with pytest.raises(ActionRefused, match="has panicked"):
        do(game(unit("a", (500, 300), morale="panicked"), herd), action="stampede", unit="b", by="a")


def on_a_roof() -> Game:
    """Two men who have climbed to the roof of a house, a turn later."""
    house = ground("house", 400, 450, 600, 550, id="house")
    of = game(unit("a", (500, 500), (540, 500), casualties=1), unit("b", (500, 900)), terrain=[house])
    return next_turn(do(of, action="climb", unit="a", at="house").game)


@pytest.mark.rule("PR-303")
def test_who_is_on_a_roof_climbs_down_before_going_elsewhere() -> None:
    of = on_a_roof()
    for keys in ({"action": "move", "to": [500, 700]}, {"action": "charge", "target": "b"}):
        with pytest.raises(ActionRefused, match="climb down first"):
            do(of, unit="a", **keys)
    assert told(do(of, "6", action="move", unit="a", to=[480, 500]), "moved")
    down = do(of, action="climb", unit="a", at="house").game
    assert told(do(down, "6", action="move", unit="a", to=[500, 700]), "moved")


@pytest.mark.rule("PR-303", "PR-516")
def test_who_runs_from_a_roof_stands_on_the_ground_then() -> None:
    of = on_a_roof()
    ran = do(of, "1 1", action="morale", unit="a", **{"from": "b"})
    assert told(ran, "morale")[0]["result"] == "panic"
    assert {figure.z_mm for figure in ran.game.unit("a").figures} == {0.0}


@pytest.mark.rule("PR-430", "PR-431")
@pytest.mark.parametrize(
    ("keys", "dice"), [({"action": "ambush", "unit": "a", "target": "b"}, ""),
                       ({"action": "spot", "unit": "b", "target": "a"}, "6 1")],
)  # fmt: skip
def test_a_hidden_gun_is_unlimbered_when_it_shows_and_not_in_skirmish(keys: dict[str, Any], dice: str) -> None:
    of = game(gun(hidden=True, formation="hidden"), unit("b", (500, 900)))
    assert do(of, dice, **keys).game.unit("a").formation == "unlimbered"


@pytest.mark.rule("PR-416", "PR-417", "PR-516")
@pytest.mark.parametrize("action", ["evade", "take-cover"])
def test_nobody_runs_in_zigzag_or_jumps_to_cover_out_of_a_melee(action: str) -> None:
    with pytest.raises(ActionRefused, match="must break off"):
        do(in_melee(), action=action, unit="a")


@pytest.mark.rule("PR-427")
def test_who_carries_the_lance_too_reloads_his_carbine_to_change_the_way_of_firing() -> None:
    arms = [{"weapon": "flintlock-carbine", "figures": [f"a-{n}" for n in range(1, 5)]}]
    lancers = line("a", 4, 500, 300, type="presidial", weapon="lance", stats={"arms": arms})
    fired = do(game(lancers, unit("b", (500, 500))), "1", action="fire", unit="a", target="b", mode="independent",
               weapon="flintlock-carbine")  # fmt: skip
    loading = do(next_turn(fired.game), action="reload", unit="a", actions=2)
    assert state(loading, "a")["reload_left"] == 2
    loaded = do(next_turn(loading.game), action="reload", unit="a", actions=2)
    assert state(loaded, "a")["fire_mode"] is None


@pytest.mark.rule("PR-213", "PR-106")
def test_a_corporal_who_has_held_the_horses_is_a_corporal_again_in_the_saddle() -> None:
    riders = unit("a", *row(3, 500, 300), type="cavalry", mounted=True, roles=["corporal"])
    down = do(game(riders, unit("b", (500, 1000))), action="dismount", unit="a", holders=["a-1"])
    assert down.game.unit("a").figures[0].role == "horse-holder"
    up = do(next_turn(down.game), action="mount", unit="a")
    assert [one.role for one in up.game.unit("a").figures] == ["corporal", "rank", "rank"]


@pytest.mark.rule("PR-707")
def test_friends_saw_who_ran_from_beside_them_however_far_he_has_run() -> None:
    shaky = unit("a", (500, 600), stats={"morale": "inexperienced"})
    ran = do(game(shaky, unit("a2", (700, 600)), unit("b", (500, 1100))), "5 1", action="morale", unit="a",
             **{"from": "b"})  # fmt: skip
    assert told(ran, "morale")[0]["result"] == "retreat"
    keys = {"action": "morale", "unit": "a2", "cause": "friend", "from": "a"}
    assert told(do(ran.game, "6 6", **keys), "morale")[0]["required"] == 7 + 2
    assert told(do(next_turn(ran.game), "6 6", **keys), "morale")[0]["required"] == 7


def trail(**keys: Any) -> Game:
    """Two parties on a trail, the raiders far ahead; no map is played on."""
    both = [
        {"id": "posse", "role": "pursuer", "mounted": False, "leagues": 0},
        {"id": "band", "role": "raider", "mounted": False, "leagues": 60},
    ]
    return game(unit("a", (500, 300)), unit("b", (500, 900)), campaign={"parties": both, **keys})


def day_of(of: Game) -> int:
    found: int = of.conditions["campaign"].get("day", 1)
    return found


@pytest.mark.rule("PR-805")
def test_days_pass_with_the_marches_of_a_pursuit_and_raiders_feel_safe_after_three() -> None:
    of = trail()
    for day in (1, 2, 3):
        for party in ("band", "posse"):
            played = do(of, "3 4", action="pursuit-day", party=party)
            of = played.game
            assert told(played, "travel")[0]["leagues"] == 6
            assert day_of(of) == day
    safe = do(of, "3 4", action="pursuit-day", party="band")
    assert (day_of(safe.game), told(safe, "travel")[0]["column"]) == (4, "fugitive")


@pytest.mark.rule("PR-804", "PR-805")
def test_who_loses_the_trail_loses_the_day() -> None:
    lost = do(trail(), "1 6", action="track").game
    fled = do(lost, "3 4", action="pursuit-day", party="band").game
    assert day_of(fled) == 1
    after = do(fled, "3 4", action="pursuit-day", party="posse").game
    assert day_of(after) == 2  # its march is that of the second day
    assert do(do(trail(), "6 1", action="track").game, "3 4", action="pursuit-day", party="posse").game.conditions[
        "campaign"
    ]["marched"] == {"posse": 1}


@pytest.mark.rule("PR-805", "PR-1103")
def test_where_a_map_is_played_on_the_day_ends_for_all() -> None:
    markers = [{"id": "m", "side": "british", "hex": "0,0", "units": ["a"]}]
    of = trail(markers=[{**markers[0], "side": trail().sides[0].name}], hexes={"0,0": {"terrain": "fields"}})
    once = do(of, "3 4", action="pursuit-day", party="posse").game
    with pytest.raises(ActionRefused, match="end the day first"):
        do(once, action="pursuit-day", party="posse")
    assert told(do(do(once, action="map-day").game, "3 4", action="pursuit-day", party="posse"), "travel")


@pytest.mark.rule("PR-1109", "PR-1102")
def test_a_marker_of_whose_men_nobody_is_left_is_taken_off_the_map() -> None:
    base = trail()
    side = base.sides[0].name
    gone = {**unit("a2"), "side": side, "state": {"casualties": 4}, "figures": []}
    markers = [
        {"id": "m", "side": side, "hex": "0,0", "units": ["a"]}, {"id": "n", "side": side, "hex": "0,0",
         "units": ["a2"]}, {"id": "o", "side": side, "hex": "0,0", "blank": True},
    ]  # fmt: skip
    of = game(
        unit("a", (500, 300)), gone, unit("b", (500, 900)),
        campaign={"markers": markers, "hexes": {"0,0": {"terrain": "fields"}}},
    )  # fmt: skip
    left = do(of, action="map-day").game.conditions["campaign"]["markers"]
    assert [one["id"] for one in left] == ["m", "o"]


def held_fence(foe: Json, *more: Json) -> Game:
    """Four light infantry who have run up to a long fence, and whoever stands beyond it; a turn later."""
    fence = ground("fence", 300, 500, 1500, 505, id="fence")
    of = game(unit("a", *row(4, 600, 300), type="light"), foe, *more, terrain=[fence])
    return next_turn(do(of, "6", action="move", unit="a", to=[600, 640], pace="run").game)


@pytest.mark.rule("PR-517")
def test_who_was_stopped_at_a_held_fence_is_not_over_it_a_turn_later() -> None:
    of = held_fence(unit("b", *row(4, 1050, 522)))
    again = do(of, "6", action="move", unit="a", to=[600, 740])
    assert told(again, "stopped") == [{"unit": "a", "by": "fence"}]
    assert [one.y_mm for one in again.game.unit("a").figures] == pytest.approx([487.5] * 4)
    back = do(of, "6", action="move", unit="a", to=[600, 400])
    assert told(back, "moved")[0]["distance_mm"] == pytest.approx(87.5)


@pytest.mark.rule("PR-517")
@pytest.mark.parametrize(
    "foe",
    [
        unit("b", *row(4, 1050, 522), morale="surrendered"),
        unit("b", *row(4, 1050, 522), morale="panicked"),
        unit("b", *row(4, 1050, 522), type="livestock", stats={"animal": "cattle"}),
    ],
)
def test_those_who_fight_no_more_and_beasts_hold_no_fence(foe: Json) -> None:
    of = held_fence(foe)
    assert [one.y_mm for one in of.unit("a").figures] == pytest.approx([640] * 4)


@pytest.mark.rule("PR-517")
def test_a_fence_is_held_against_each_man_who_comes_to_it() -> None:
    fence = ground("fence", 800, 500, 1500, 505, id="fence")
    foe = unit("b", *row(4, 1050, 522))
    of = game(unit("a", *row(8, 500, 300), type="light"), foe, terrain=[fence])
    ran = do(of, "6", action="move", unit="a", to=[500, 640], pace="run")
    assert told(ran, "stopped") == [{"unit": "a", "by": "fence"}]
