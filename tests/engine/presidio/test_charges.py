"""Charges, what the charged do about them, melee, pursuit, breaking off (section 5 of the rulebook)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnusableFile
from engine.events import PlaceFigures
from engine.rulesets.presidio import RULESET
from tests.engine.presidio.scene import (
    Json,
    charge,
    do,
    figure,
    game,
    ground,
    inches,
    line,
    names,
    row,
    state,
    told,
    unit,
)


def apart(distance_in: float, **keys: Any) -> Json:
    """One enemy so far from the outline of a man at (900, 200)."""
    return unit("b", (900, 200 + 25 + inches(distance_in)), **keys)


@pytest.mark.rule("PR-502", "PR-009")
@pytest.mark.parametrize(
    ("keys", "stats", "reach"),
    [
        ({"type": "militia"}, {}, 24),
        ({"type": "native"}, {}, 26),
        ({"type": "militia"}, {"move": -1}, 22),
        ({"type": "cavalry", "mounted": True}, {}, 36),
        ({"type": "presidial"}, {}, 24),
    ],
)
def test_a_charge_reaches_twice_the_best_move(keys: dict[str, Any], stats: dict[str, Any], reach: float) -> None:
    own = unit("a", (900, 200), stats=stats, **keys)
    extra = 12.5 if keys.get("mounted") else 0.0
    for far, legal in ((reach - 0.1, True), (reach, True), (reach + 0.1, False)):
        foe = unit("b", (900, 200 + 25 + extra + inches(far)))
        option = charge(own, foe)
        assert (option.legal, option.distance_mm) == (legal, pytest.approx(inches(far)))
    assert option.why_rules == ("PR-502",)


@pytest.mark.rule("PR-502", "PR-306")
def test_a_line_is_not_slowed_when_it_charges() -> None:
    assert charge(line("a", 4, 900, 200), line("b", 4, 900, 225 + inches(23.9))).legal


@pytest.mark.rule("PR-009")
def test_what_the_measurement_cannot_tell_is_said() -> None:
    option = charge(unit("a", (900, 200), type="militia"), apart(24.0), sigma_mm=0.5)
    assert any("24.00" in text for text in option.borderline)


@pytest.mark.rule("PR-501", "PR-810", "PR-211", "PR-430")
@pytest.mark.parametrize(
    ("keys", "rule"),
    [
        ({"actions_left": 1}, "PR-501"),
        ({"formation": "disorder"}, "PR-501"),
        ({"morale": "panicked"}, "PR-501"),
        ({"stunned": 1}, "PR-501"),
        ({"carrying": "home"}, "PR-810"),
        ({"hidden": True, "formation": "hidden"}, "PR-430"),
        ({"type": "cavalry", "mounted": True, "stats": {"people": "spanish"}, "moved": "walk"}, "PR-211"),
    ],
)
def test_who_may_not_charge_is_told_why(keys: dict[str, Any], rule: str) -> None:
    option = charge(unit("a", (900, 200), **keys), apart(10))
    assert not option.legal
    assert rule in option.why_rules
    with pytest.raises(ActionRefused):
        do(game(unit("a", (900, 200), **keys), apart(10)), action="charge", unit="a", target="b")


@pytest.mark.rule("PR-503", "PR-004")
@pytest.mark.parametrize(
    ("spot", "formation", "aspect"),
    [
        ((900, 200), "extended-line", "front"),
        ((1200, 480), "extended-line", "flank"),
        ((900, 800), "extended-line", "rear"),
        ((900, 800), "skirmish", "front"),
        ((900, 800), "column", "rear"),
    ],
)
def test_the_side_from_which_a_charge_comes(spot: Any, formation: str, aspect: str) -> None:
    foe = unit("b", *row(4, 862.5, 500, 25), type="light", formation=formation)
    assert charge(unit("a", spot), foe).aspect == aspect


@pytest.mark.rule("PR-508", "PR-510", "PR-511", "PR-1018")
@pytest.mark.parametrize(
    ("mine", "theirs", "needed", "back"),
    [
        ({}, {}, 7, 8),
        ({"weapon": "spear"}, {}, 6, 8),
        ({"weapon": "lance"}, {}, 7, 8),
        ({"bayonets": True}, {}, 6, 8),
        ({"type": "civilian", "bayonets": True}, {}, 6, 8),
        ({"type": "cavalry", "mounted": True}, {}, 5, 9),
        ({"type": "cavalry", "mounted": True, "weapon": "lance"}, {}, 4, 9),
        ({"type": "cavalry", "mounted": True, "weapon": "spear"}, {}, 4, 9),
        ({"stats": {"melee": 4}}, {"stats": {"melee": 0}}, 3, 12),
        ({"stats": {"melee": 0}}, {"stats": {"melee": 3}}, 10, 5),
        ({}, {"type": "cavalry", "mounted": True}, 8, 7),
        ({"type": "cavalry", "mounted": True, "weapon": "lance", "stats": {"melee": 4}}, {"stats": {"melee": 0}},
         2, 13),
    ],
)  # fmt: skip
def test_what_charger_and_charged_need(
    mine: dict[str, Any], theirs: dict[str, Any], needed: int, back: int
) -> None:
    option = charge(unit("a", (900, 200), **mine), unit("b", (900, 500), **theirs))
    assert option.roll is not None
    assert dict(option.roll.extra) == {"charger_success": f">={needed}", "target_success": f">={back}"}
    assert option.roll.die == "d12"


@pytest.mark.rule("PR-511", "PR-008")
@pytest.mark.parametrize(
    ("piece", "needed"),
    [
        (ground("wall", 700, 460, 1100, 465, height_ft=4), 8),
        (ground("wall", 700, 460, 1100, 465, height_ft=6), 8),
        (ground("wall", 700, 460, 1100, 465, height_ft=8), 9),
        (ground("palisade", 700, 460, 1100, 465), 9),
        (ground("wall", 700, 455, 1100, 460, height_ft=4), 7),
        (ground("hill-small", 700, 470, 1100, 800, height_mm=20), 8),
        (ground("hill-small", 700, 470, 1100, 800, height_mm=5.9), 7),
    ],
)
def test_walls_and_hills_shelter_the_charged(piece: Json, needed: int) -> None:
    option = charge(unit("a", (900, 200)), unit("b", (900, 500)), terrain=[piece])
    assert option.roll is not None
    assert option.roll.extra["charger_success"] == f">={needed}"
    assert option.roll.extra["target_success"] == ">=8"


@pytest.mark.rule("PR-316", "PR-502")
def test_the_front_ranks_come_to_blows() -> None:
    option = charge(line("a", 8, 900, 200, ranks=2), unit("b", *row(5, 850, 500)))
    assert option.roll is not None
    assert (option.roll.charger, option.roll.target) == (4, 5)


@pytest.mark.rule("PR-504", "PR-708")
@pytest.mark.parametrize(
    ("far", "dice", "passed", "formation"),
    [(20, "1 5", False, "disorder"), (26, "1 6 1", True, "skirmish"), (17, "1 6 6", True, "skirmish")],
)
def test_a_charge_that_falls_short_stops_12_inches_away_and_may_lose_its_order(
    far: float, dice: str, passed: bool, formation: str
) -> None:
    of = game(unit("a", (900, 100), type="native"), unit("b", (900, 125 + inches(far))))
    played = do(of, dice, action="charge", unit="a", target="b")
    assert told(played, "charge")[0]["result"] == "short"
    ends = played.game.unit("b").figures[0].y_mm - played.game.unit("a").figures[0].y_mm
    assert ends == pytest.approx(25 + inches(12))
    assert told(played, "formation-check")[0]["passed"] is passed
    assert (played.game.unit("a").formation, state(played, "a")["actions_left"]) == (formation, 0)


@pytest.mark.rule("PR-504")
def test_a_charge_from_nearer_than_12_inches_stays_where_it_began_when_it_falls_short() -> None:
    swamp = ground("swamp", 600, 215, 1200, 400)
    of = game(unit("a", (900, 200)), apart(11), terrain=[swamp])
    played = do(of, "1 6 3", action="charge", unit="a", target="b")
    assert told(played, "charge")[0]["result"] == "short"
    assert played.game.unit("a").figures[0].y_mm == pytest.approx(200)


@pytest.mark.rule("PR-502", "PR-310")
def test_barriers_on_the_way_cost_the_charger() -> None:
    wall = ground("fence", 600, 300, 1200, 305)
    far = 2 * (7 + 3)
    of = game(unit("a", (900, 200)), apart(far - 1), terrain=[wall])
    assert told(do(of, "3 5", action="charge", unit="a", target="b"), "charge")[0]["result"] == "short"
    easy = game(unit("a", (900, 200)), apart(far - 2), terrain=[wall])
    assert told(do(easy, "3 6 6 1", action="charge", unit="a", target="b"), "charge")[0]["result"] == "contact"


@pytest.mark.rule("PR-504", "PR-310")
@pytest.mark.parametrize(
    ("far", "die", "fences", "left"),
    # 12 in off it stops, whatever the fence behind it has cost; farther off only where its move ends before.
    [(17, 2, 1, 12), (26, 1, 1, 12), (26, 1, 2, 14)],
)
def test_a_charge_over_a_fence_that_falls_short_pays_for_the_fence_once(
    far: float, die: int, fences: int, left: float
) -> None:
    own, foe = unit("a", (900, 200), type="native"), unit("b", (900, 225 + inches(far)))
    rails = [ground("fence", 600, 212 + inches(2 * n), 1200, 215 + inches(2 * n), id=f"f{n}") for n in (1, 2)]
    of = game(own, foe, terrain=rails[:fences])
    played = do(of, f"{die} 5", action="charge", unit="a", target="b")
    assert told(played, "charge")[0]["result"] == "short"
    gap = played.game.unit("b").figures[0].y_mm - played.game.unit("a").figures[0].y_mm - 25
    assert gap == pytest.approx(inches(left), abs=0.01)


@pytest.mark.rule("PR-507", "PR-310")
def test_chargers_who_have_crossed_rough_ground_check_their_nerve_from_4_inches_away_too() -> None:
    own, foe = unit("a", *row(4, 800, 300)), unit("b", *row(4, 800, 325 + inches(12)))
    rough = ground("rough", 700, 350, 1100, 400)
    of = game(own, foe, terrain=[rough])
    # The move, the target's nerve, a shot that hits and kills; the charger's nerve fails, and it runs.
    played = do(of, "6 6 4 12 12 1 3", action="charge", unit="a", target="b", reaction="fire")
    closes = next(one for one in played.events if one.event == "closes")
    ends = [spot for change in closes.changes for spot in change.places if isinstance(change, PlaceFigures)]
    assert {round(spot.y_mm, 2) for spot in ends} == {round(300 + inches(12 - 4), 2)}


@pytest.mark.rule("PR-506", "PR-507", "PR-310")
def test_what_a_fence_has_cost_a_charger_is_not_given_back_when_the_charged_flee() -> None:
    own = unit("a", *row(4, 800, 300), weapon="spear")
    foe = unit("b", *row(4, 800, 325 + inches(14)))
    fence = ground("fence", 700, 350, 1100, 355)
    # They can go 2 x (7 + 4) in, 2 in less over the fence, and have gone 10 in when they check their nerve.
    # The others then flee 7 + 1 in from 4 in away: 12 in are needed.
    for terrain, result in (((), "contact"), ((fence,), "fled")):
        of = game(own, foe, terrain=terrain)
        played = do(of, f"4 6 4 12 12 6 6 1{' 1 1' if result == 'contact' else ''}", action="charge", unit="a",
                    target="b", reaction="fire-and-flee")  # fmt: skip
        assert told(played, "charge")[0]["result"] == result


@pytest.mark.rule("PR-505", "PR-703", "PR-508", "PR-510", "PR-607")
def test_the_charged_who_stand_are_struck() -> None:
    played = do(game(unit("a", (900, 200)), apart(10)), "4 6 4 7 8", action="charge", unit="a", target="b")
    assert told(played, "morale")[0]["required"] == 9
    assert told(played, "charge")[0]["result"] == "contact"
    assert told(played, "hit") == [{"unit": "b", "hits": 1, "casualties": 1}]
    assert played.game.unit("b").figures == ()


@pytest.mark.rule("PR-505")
def test_the_charged_whose_nerve_fails_give_way_and_the_charger_moves_on() -> None:
    of = game(unit("a", (900, 200)), apart(10))
    played = do(of, "6 5 4", action="charge", unit="a", target="b")
    assert told(played, "morale")[0]["result"] == "retreat"
    assert told(played, "charge")[0]["result"] == "fled"
    assert played.game.unit("b").figures[0].y_mm == pytest.approx(225 + inches(10) + 2 * inches(7 + 4))
    assert played.game.unit("a").figures[0].y_mm == pytest.approx(200 + 2 * inches(7 + 6))
    assert told(played, "hit") == []


@pytest.mark.rule("PR-506", "PR-509", "PR-208", "PR-209")
@pytest.mark.parametrize(
    ("held", "left", "reaction", "dice", "blows"),
    [
        (0, 2, "stand", "4 6 4 12 12", 1),
        (0, 2, "strike", "4 6 4 1 12 12", 2),
        (1, 1, "stand", "4 6 4 12 12 12 12", 2),
        (2, 2, "strike", "4 6 4 12 12 12 12", 2),
        (1, 2, "strike", "4 6 4 12 12 12 12", 2),
        (0, 2, "strike", "4 6 4 12 12", 1),
        (0, 0, "stand", "4 6 4 12 12", 1),
    ],
)
def test_a_held_action_strikes_at_the_same_time_another_with_who_is_left(
    held: int, left: int, reaction: str, dice: str, blows: int
) -> None:
    foe = apart(10, held=held, actions_left=left)
    played = do(game(unit("a", (900, 200)), foe), dice, action="charge", unit="a", target="b", reaction=reaction)
    assert len(told(played, "hit")) == blows
    if blows == 2:
        assert state(played, "b")["actions_left"] == left - 1
        assert state(played, "b").get("held", 0) == max(held - 1, 0), "it is the held action that is spent"


@pytest.mark.rule("PR-506")
@pytest.mark.parametrize(
    ("reaction", "left", "extra"),
    [("fire", 0, {}), ("fire-and-flee", 1, {}), ("strike", 0, {}), ("flee", 1, {"actions": 2}), ("flee", 0, {})],
)
def test_an_answer_needs_its_actions(reaction: str, left: int, extra: dict[str, Any]) -> None:
    of = game(unit("a", (900, 200)), apart(10, actions_left=left))
    with pytest.raises(ActionRefused, match="actions that it takes"):
        do(of, action="charge", unit="a", target="b", reaction=reaction, **extra)


@pytest.mark.rule("PR-506", "PR-408")
def test_defensive_fire_is_as_at_close_range() -> None:
    foe = line("b", 4, 900, 225 + inches(15))
    of = game(line("a", 4, 900, 200), foe)
    played = do(of, "6 6 4 4 4 4 4 1 1 1 1", action="charge", unit="a", target="b", reaction="fire")
    assert [one["unit"] for one in told(played, "hit")] == ["a", "b"]
    assert told(played, "fired")[0]["mode"] == "volley"
    assert state(played, "b")["actions_left"] == 1


@pytest.mark.rule("PR-506", "PR-507")
@pytest.mark.parametrize(
    ("nerve", "result"),
    [("6 2", "contact"), ("6 1", "contact"), ("1", "repelled")],
)
def test_chargers_who_lose_men_to_fire_check_their_nerve_from_4_inches_away(nerve: str, result: str) -> None:
    own, foe = unit("a", *row(4, 800, 400)), unit("b", *row(4, 800, 425 + inches(15)))
    # Move, nerve, one shot that hits and wounds; the charger's nerve; then four blows that miss.
    tail = " 3" if result == "repelled" else " 1 1 1"
    played = do(game(own, foe), f"6 6 4 12 12 {nerve}{tail}", action="charge", unit="a", target="b",
                reaction="fire")  # fmt: skip
    assert told(played, "charge")[0]["result"] == result
    checks = told(played, "morale")
    assert (checks[1]["unit"], checks[1]["required"]) == ("a", 8)
    assert "closes" in names(played.events)


@pytest.mark.rule("PR-506")
@pytest.mark.parametrize(
    ("reaction", "actions", "dice", "result"),
    [
        ("flee", 1, "1 6 4 6", "fled"),
        ("flee", 1, "6 6 4 1 1", "contact"),
        ("flee", 2, "6 6 4 6", "fled"),
        ("fire-and-flee", 1, "1 6 4 1 6", "fled"),
    ],
)
def test_the_charged_may_flee_in_time(reaction: str, actions: int, dice: str, result: str) -> None:
    of = game(unit("a", (900, 200)), apart(12))
    played = do(of, dice, action="charge", unit="a", target="b", reaction=reaction, actions=actions)
    assert told(played, "charge")[0]["result"] == result
    assert state(played, "b")["actions_left"] == 2 - (2 if reaction == "fire-and-flee" else actions)
    assert state(played, "b").get("failed") is None


@pytest.mark.rule("PR-424", "PR-508")
@pytest.mark.parametrize(("fired", "needed"), [(False, 7), (True, 8)])
def test_who_fired_on_the_way_in_has_no_bonus_of_the_impact(fired: bool, needed: int) -> None:
    own, foe = unit("a", (900, 200), fired_moving=fired), apart(10)
    option = charge(own, foe)
    assert option.roll is not None
    assert option.roll.extra["charger_success"] == f">={needed}"
    played = do(game(own, foe), "4 6 4 7" + ("" if fired else " 1"), action="charge", unit="a", target="b")
    assert told(played, "hit")[0]["hits"] == int(not fired)


@pytest.mark.rule("PR-211", "PR-501")
@pytest.mark.parametrize(("people", "left"), [("spanish", 2), ("other", 0)])
def test_what_a_charge_on_horseback_leaves_to_fight_with(people: str, left: int) -> None:
    own = unit("a", (900, 200), type="cavalry", mounted=True, weapon="lance", stats={"people": people})
    played = do(game(own, unit("b", (900, 600))), "6 6 4 1", action="charge", unit="a", target="b")
    assert state(played, "a").get("actions_left", 2) == left


@pytest.mark.rule("PR-517", "PR-511")
def test_a_defended_wall_stops_the_charger_who_fights_over_it() -> None:
    wall = ground("wall", 600, 460, 1200, 465)
    of = game(unit("a", (900, 200)), unit("b", (900, 490)), terrain=[wall])
    played = do(of, "6 6 4 7", action="charge", unit="a", target="b")
    assert told(played, "charge")[0]["result"] == "contact"
    assert played.game.unit("a").figures[0].y_mm == pytest.approx(460 - 12.5, abs=0.01)
    assert told(played, "hit") == [{"unit": "b", "hits": 0, "casualties": 0}]


@pytest.mark.rule("PR-517", "PR-504")
def test_a_fence_that_others_hold_stops_a_charge_at_those_beyond_it() -> None:
    fence = ground("fence", 300, 500, 1500, 505, id="fence")
    others = unit("b1", (1050, 522))
    of = game(unit("a", (600, 400)), unit("b", (600, 600)), others, terrain=[fence])
    played = do(of, "6 6 6", action="charge", unit="a", target="b")
    assert told(played, "charge")[0]["result"] == "short"
    assert played.game.unit("a").figures[0].y_mm == pytest.approx(400)
    far = game(unit("a", (600, 150)), unit("b", (600, 800)), others, terrain=[fence])
    played = do(far, "6 6 6", action="charge", unit="a", target="b")
    assert told(played, "charge")[0]["result"] == "short"
    assert played.game.unit("a").figures[0].y_mm == pytest.approx(800 - 25 - inches(12))
    beside = game(unit("a", (600, 400)), unit("b", (600, 600)), unit("b1", (1050, 483)), terrain=[fence])
    played = do(beside, "6 6 4 1", action="charge", unit="a", target="b")
    assert told(played, "charge")[0]["result"] == "contact"


def locked(**keys: Any) -> tuple[Json, Json]:
    """Two men in contact."""
    return unit("a", (900, 200), engaged_with=["b"]), unit("b", (900, 225), engaged_with=["a"], **keys)


@pytest.mark.rule("PR-510", "PR-509", "PR-512")
@pytest.mark.parametrize(
    ("gap", "weapon", "fights"), [(0.0, "knife", True), (1.0, "knife", True), (1.1, "knife", False),
                                  (25.4, "spear", True), (25.5, "spear", False), (25.4, "lance", True)],
)  # fmt: skip
def test_who_is_in_reach_fights(gap: float, weapon: str, fights: bool) -> None:
    of = game(unit("a", (900, 200), weapon=weapon), unit("b", (900, 225 + gap), weapon="knife", actions_left=0))
    if fights:
        played = do(of, "1", action="melee", unit="a", target="b")
        assert (told(played, "hit")[0]["unit"], state(played, "a")["actions_left"]) == ("b", 1)
    else:
        with pytest.raises(ActionRefused, match="contact"):
            do(of, action="melee", unit="a", target="b")


@pytest.mark.rule("PR-509", "PR-512", "PR-601")
def test_a_round_of_melee_is_struck_by_both_one_after_the_other() -> None:
    own, foe = unit("a", *row(2, 900, 200, 25)), unit("b", *row(2, 900, 225, 25))
    played = do(game(own, foe), "8 1 8 1", action="melee", unit="a", target="b")
    assert told(played, "hit") == [
        {"unit": "b", "hits": 1, "casualties": 1},
        {"unit": "a", "hits": 0, "casualties": 0},
    ]
    assert told(played, "casualty") == [{"unit": "b", "figure": "b-2"}]
    assert told(played, "morale-due") == [{"unit": "b"}]


@pytest.mark.rule("PR-601")
def test_a_single_opponent_falls_himself_without_a_die() -> None:
    foe = unit("b", (900, 225), (1000, 225), (1100, 225), roles=["sergeant"])
    played = do(game(unit("a", (900, 200)), foe), "8 8", action="melee", unit="a", target="b")
    assert told(played, "casualty") == [{"unit": "b", "figure": "b-1"}]


@pytest.mark.rule("PR-511")
def test_a_man_on_a_ladder_strikes_worse() -> None:
    of = game(unit("a", (900, 200), position="ladder"), unit("b", (900, 225), actions_left=0))
    assert told(do(of, "8", action="melee", unit="a", target="b"), "hit")[0]["hits"] == 0
    assert told(do(of, "9 1", action="melee", unit="a", target="b"), "hit")[0]["hits"] == 1


@pytest.mark.rule("PR-513", "PR-508")
@pytest.mark.parametrize(
    ("keys", "die", "event"),
    [
        ({"morale": "panicked", "failed": "panic"}, 6, "surrendered"),
        ({"failed": "retreat"}, 6, "contact"),
        ({"failed": "retreat"}, 1, None),
    ],
)
def test_a_pursuer_catches_the_panicked_and_falls_on_the_rest(keys: Any, die: int, event: str | None) -> None:
    of = game(unit("a", (900, 200)), apart(10, **keys))
    played = do(of, str(die), action="pursue", unit="a", target="b")
    assert [one for one in ("surrendered", "contact") if told(played, one)] == ([event] if event else [])
    assert state(played, "a")["actions_left"] == 1
    if event == "contact":
        struck = do(played.game, "7 1 1", action="melee", unit="a", target="b")
        assert told(struck, "hit")[0]["hits"] == 1


@pytest.mark.rule("PR-516", "PR-713", "PR-714")
@pytest.mark.parametrize(
    ("by", "die", "far", "left", "formation"),
    [("fall-back", 4, 11.0, 1, "skirmish"), ("retreat", 4, 22.0, 0, "disorder")],
)
def test_a_unit_breaks_off(by: str, die: int, far: float, left: int, formation: str) -> None:
    own = unit("a", (900, 800), engaged_with=["b"])
    of = game(own, unit("b", (900, 825), engaged_with=["a"]))
    played = do(of, str(die), action="disengage", unit="a", by=by)
    assert played.game.unit("a").figures[0].y_mm == pytest.approx(800 - inches(far))
    assert (state(played, "a")["actions_left"], played.game.unit("a").formation) == (left, formation)
    assert state(played, "a")["engaged_with"] == [] == state(played, "b")["engaged_with"]


@pytest.mark.rule("PR-516")
def test_who_is_in_no_melee_breaks_none_off() -> None:
    with pytest.raises(ActionRefused, match="in melee with nobody"):
        do(game(unit("a", (900, 800)), unit("b", (900, 1000))), action="disengage", unit="a")


@pytest.mark.rule("PR-508", "PR-516")
@pytest.mark.parametrize(("left", "eager"), [(1, False), (2, True)])
def test_after_those_who_broke_off_a_pursuit_has_its_bonus_only_with_two_actions(left: int, eager: bool) -> None:
    of = game(unit("a", (900, 200), actions_left=left), apart(5, moved="walk"))
    played = do(of, "6", action="pursue", unit="a", target="b")
    assert told(played, "contact")[0]["charging"] is eager


@pytest.mark.rule("PR-513", "PR-516", "PR-505")
def test_one_who_stands_his_ground_is_charged_and_not_pursued() -> None:
    """A pursuit at him would spare the pursuer the second action, the test of his nerve and his fire."""
    of = game(unit("a", (900, 200), actions_left=2), apart(5))
    with pytest.raises(ActionRefused, match="gives no ground"):
        do(of, action="pursue", unit="a", target="b")
    locked = game(unit("a", (900, 200), engaged_with=["b"]), unit("b", (900, 225), engaged_with=["a"]))
    with pytest.raises(ActionRefused, match="gives no ground"):
        do(locked, action="pursue", unit="a", target="b")
    gone = do(locked, "1", action="disengage", unit="b", by="fall-back").game
    assert told(do(gone, "6", action="pursue", unit="a", target="b"), "contact")


@pytest.mark.rule("PR-506", "PR-906")
def test_a_gun_answers_a_charge_with_what_it_has_loaded() -> None:
    crew = [figure(f"b-{n}", 900 + dx, 820, 180.0, role="crew") for n, dx in enumerate((-60, -35, 35, 60))]
    piece = {**figure("b-gun", 900, 800, 180.0, role="gun"),
             "base": {"shape": "rect", "width_mm": 40.0, "depth_mm": 60.0}}  # fmt: skip
    gun = unit("b", piece, *crew, type="artillery", formation="unlimbered", weapon="cannon-3-smoothbore",
               ammo="canister", stats={"ranged": 0})  # fmt: skip
    # Move, nerve, six dice of which one hits and kills: nobody is left to charge.
    of = game(unit("a", (900, 400), type="light", formation="column"), gun)
    played = do(of, "6 6 4 6 1 1 1 1 1 12", action="charge", unit="a", target="b", reaction="fire")
    assert told(played, "charge")[0]["result"] == "repelled"
    assert (state(played, "b")["reload_left"], state(played, "b")["actions_left"]) == (4, 1)


@pytest.mark.rule("PR-516")
def test_who_stands_base_to_base_is_in_a_melee() -> None:
    played = do(game(unit("a", (900, 800)), unit("b", (900, 825))), "4", action="disengage", unit="a")
    assert played.game.unit("a").figures[0].y_mm == pytest.approx(800 - inches(11))


@pytest.mark.rule("PR-515", "PR-205")
def test_men_close_up_into_a_melee_at_no_cost_and_are_struck_first() -> None:
    own = line("a", 3, 900, 200)
    foe = unit("b", (900, 225), (925, 245), type="light", engaged_with=["a"])
    joined = do(game(own, foe), action="close-ranks", unit="b", moves={"b-2": [925.0, 225.0]})
    assert state(joined, "b").get("actions_left", 2) == 2
    played = do(joined.game, "1 1 1 1", action="melee", unit="a", target="b")
    assert [one["unit"] for one in told(played, "hit")] == ["b", "a"]


@pytest.mark.parametrize("move", [1e25, -1e25, 1e300])
def test_a_move_that_no_table_could_hold_is_refused_where_it_stands(move: float) -> None:
    with pytest.raises(UnusableFile, match=r"units\[0\]\.stats\.move: expected a number of at (least|most) -?1000"):
        RULESET.check(game(unit("a", (900, 200), stats={"move": move}), unit("b", (900, 600))))
