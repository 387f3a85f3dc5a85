"""What fire does: dice in order, who falls, what goes through, what is left loaded."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from engine.errors import ActionRefused, DiceError, UnknownAction
from engine.odds import odds
from engine.records.action import action_from
from engine.rulesets.presidio import RULESET
from engine.rulesets.presidio.book import book, to_wound
from tests.engine.presidio.scene import (
    Json,
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

FLAT = {"ranged": 0}


def fired(dice: str, *units: Json, mode: str = "volley", at: str = "b", by: str = "a", **more: Any) -> Any:
    """A unit's fire at another with these dice; keys that are no conditions are the action's."""
    keys = {key: more.pop(key) for key in ("times", "hold_if_hunkered", "weapon") if key in more}
    return do(game(*units, **more), dice, action="fire", unit=by, target=at, mode=mode, **keys)


A3 = line("a", 3, 900, 100, stats=FLAT)
B5 = line("b", 5, 900, 500)


@pytest.mark.rule("PR-401", "PR-607", "PR-421")
def test_dice_to_hit_then_dice_to_wound_then_they_fall() -> None:
    played = fired("9 8 12 5 4", A3, B5)
    assert told(played, "hit") == [{"unit": "b", "hits": 2, "casualties": 1}]
    assert told(played, "casualty") == [{"unit": "b", "figure": "b-5"}]
    assert told(played, "morale-due") == [{"unit": "b"}]
    assert [roll.roll.success for roll in played.rolls] == [">=9", ">=5"]
    assert dict(state(played, "a")) == {"actions_left": 1, "reload_left": 4, "fire_mode": "volley"}
    assert state(played, "b")["casualties"] == 1


@pytest.mark.rule("PR-401")
def test_a_miss_costs_no_more_dice() -> None:
    played = fired("1 2 3", A3, B5)
    assert told(played, "hit") == [{"unit": "b", "hits": 0, "casualties": 0}]
    assert "morale-due" not in names(played.events)


@pytest.mark.rule("PR-607")
@pytest.mark.parametrize(
    ("damage", "armor", "number"),
    [
        (12, 0, 2), (7, 0, 2), (6, 0, 3), (5, 0, 4), (4, 0, 5), (3, 0, 6), (2, 0, 7), (1, 0, 8), (0, 0, 9),
        (2, 3, 10), (1, 3, 11), (0, 3, 12), (0, 4, None), (-3, 0, 12),
    ],
)  # fmt: skip
def test_the_table_of_wounds(damage: int, armor: int, number: int | None) -> None:
    assert to_wound(damage, armor) == number


@pytest.mark.rule("PR-607")
def test_armour_makes_wounding_harder() -> None:
    armored = line("b", 5, 900, 500, stats={"armor": 2})
    assert told(fired("12 1 1 6", A3, armored), "casualty") == []
    assert len(told(fired("12 1 1 7", A3, armored), "casualty")) == 1


LOADED = {"fire_mode": "independent", "reload_left": 0}


@pytest.mark.rule("PR-422", "PR-423", "PR-210")
def test_two_actions_of_independent_fire_are_thrown_together() -> None:
    a = unit("a", *row(9, 700, 100), weapon="bow", stats=FLAT)
    b = line("b", 5, 900, 300)
    once = fired("1 " * 9, a, b, mode="independent")
    assert once.rolls[0].roll.count == 9
    assert dict(state(once, "a")) == {**LOADED, "actions_left": 1}
    assert fired("1 " * 18, a, b, mode="independent", times=2).game.unit("a").state["actions_left"] == 0
    with pytest.raises(ActionRefused, match="does not move"):
        fired("", unit("a", *row(9, 700, 100), weapon="bow", moved="walk"), b, mode="independent", times=2)
    with pytest.raises(ActionRefused, match="needs 2 actions, has 1 left"):
        fired("", unit("a", *row(9, 700, 100), weapon="bow", actions_left=1), b, mode="independent", times=2)
    with pytest.raises(ActionRefused, match="twice"):
        fired("", A3, B5, times=2)


@pytest.mark.rule("PR-424")
def test_fire_on_the_move_wounds_two_harder_and_costs_no_action() -> None:
    a = unit("a", *row(4, 800, 100), weapon="bow", stats=FLAT, moved="walk", actions_left=1)
    played = fired("12 11 8", a, line("b", 5, 900, 300), mode="moving")
    assert told(played, "casualty") == []
    assert [roll.roll.success for roll in played.rolls] == [">=12", ">=9"]
    assert state(played, "a")["actions_left"] == 1
    with pytest.raises(ActionRefused, match="on the move this turn"):
        do(played.game, "", action="fire", unit="a", target="b", mode="moving")


@pytest.mark.rule("PR-425")
def test_after_opportunity_fire_nothing_is_left() -> None:
    played = fired("1 1 1", A3, line("b", 5, 900, 500, moved="walk"), mode="opportunity")
    assert (state(played, "a")["actions_left"], state(played, "a")["fire_mode"]) == (0, "volley")


@pytest.mark.rule("PR-010", "PR-009")
@pytest.mark.parametrize(("die", "success"), [(1, ">=9"), (3, ">=9"), (4, ">=11"), (6, ">=11")])
def test_a_die_settles_a_range_that_was_not_measured_well_enough(die: int, success: str) -> None:
    b = line("b", 5, 900, 100 + 25 + inches(24) + 0.3)
    played = fired(f"{die} 1 1 1", A3, b, sigma_mm=0.5)
    assert [roll.roll.success for roll in played.rolls] == [None, success]


OFFICERS: list[str] = ["captain", "drummer"]


@pytest.mark.rule("PR-601")
@pytest.mark.parametrize(
    ("size", "die"),
    [(17, "d30"), (16, "d30"), (15, "d20"), (10, "d20"), (9, "d12"), (5, "d12"), (4, "d6"), (1, "d6")],
)
def test_the_die_that_singles_out_goes_by_size(size: int, die: str) -> None:
    assert book().allocation_die(size) == die
    b = line("b", size, 900, 500, roles=["captain"])
    played = fired("12 1 1 12 1", A3, b)
    assert played.rolls[-1].roll.die == die
    assert told(played, "casualty") == [{"unit": "b", "figure": "b-1"}]


@pytest.mark.rule("PR-601")
@pytest.mark.parametrize(
    ("dice", "fallen"),
    [("1", ["b-1"]), ("2", ["b-2"]), ("3", ["b-5"]), ("1 1", ["b-1", "b-2"]), ("12 12", ["b-5", "b-4"]),
     ("2 2", ["b-2", "b-5"])],
)  # fmt: skip
def test_who_falls_is_a_specialist_by_the_die_or_the_last_private(dice: str, fallen: list[str]) -> None:
    hits = "12 " * len(dice.split()) + "1 " * (3 - len(dice.split()))
    wounds = "12 " * len(dice.split())
    played = fired(f"{hits} {wounds} {dice}", A3, line("b", 5, 900, 500, roles=OFFICERS))
    assert [one["figure"] for one in told(played, "casualty")] == fallen


@pytest.mark.rule("PR-601", "PR-403")
def test_only_those_seen_fall() -> None:
    house = ground("house", 600, 300, 900, 320)
    b = unit("b", (1000, 500), (700, 500), type="native")
    played = fired("12 12 12 12 12 12", line("a", 3, 950, 100, stats=FLAT), b, terrain=[house])
    assert [one["figure"] for one in told(played, "casualty")] == ["b-1"]


@pytest.mark.rule("PR-106", "PR-105")
def test_a_leader_who_falls_is_missed() -> None:
    one = fired("12 1 1 12 1", A3, line("b", 5, 900, 500, roles=["captain", "corporal"]))
    assert (state(one, "b")["leader_lost"], "leaderless" in state(one, "b")) == (True, False)
    last = fired("12 1 1 12 1", A3, line("b", 5, 900, 500, roles=["captain", "drummer"]))
    assert (state(last, "b")["leader_lost"], state(last, "b")["leaderless"]) == (True, True)
    private = fired("12 1 1 12", A3, B5)
    assert "leader_lost" not in state(private, "b")


@pytest.mark.rule("PR-601", "PR-701")
def test_who_is_wiped_out_stays_listed_and_checks_nothing() -> None:
    played = fired("12 12 1 12 12", A3, unit("b", (900, 400)))
    assert (played.game.unit("b").figures, state(played, "b")["failed"]) == ((), "destroyed")
    assert "morale-due" not in names(played.events)


@pytest.mark.rule("PR-602")
@pytest.mark.parametrize(
    ("files", "ranks", "fallen"), [(1, 4, "b-1"), (2, 3, "b-1"), (3, 3, "b-9"), (1, 2, "b-2"), (2, 2, "b-4")]
)
def test_a_column_loses_its_head(files: int, ranks: int, fallen: str) -> None:
    spots = [(900 + 25 * (n % files), 500 + 25 * (n // files)) for n in range(files * ranks)]
    b = unit("b", *spots, type="line", formation="column")
    a = line("a", 3, 912.5 if files == 2 else 900.0, 100, stats=FLAT)
    played = fired("12 1 1 12", a, b)
    assert [one["figure"] for one in told(played, "casualty")] == [fallen]


@pytest.mark.rule("PR-602", "PR-601")
def test_a_column_loses_its_head_without_a_die_whoever_leads_it() -> None:
    spots = [(900, 500 + 25 * n) for n in range(5)]
    b = unit("b", *spots, type="line", formation="column", roles=["captain"])
    assert [one["figure"] for one in told(fired("12 1 1 12", A3, b), "casualty")] == ["b-1"]


@pytest.mark.rule("PR-602", "PR-406")
@pytest.mark.parametrize(("ranks", "fallen"), [(4, "b-1"), (2, "b-2")])
def test_a_column_loses_its_head_though_woods_hide_its_tail(ranks: int, fallen: str) -> None:
    b = unit("b", *[(900, 500 + 25 * n) for n in range(ranks)], type="line", formation="column")
    woods = ground("medium-woods", 700, 430, 1100, 800)
    played = fired("12 1 1 12", A3, b, terrain=[woods])
    assert [one["figure"] for one in told(played, "casualty")] == [fallen]


@pytest.mark.rule("PR-605")
def test_natural_twelves_go_on_to_who_stands_behind() -> None:
    a, b, c = line("a", 5, 900, 200, stats=FLAT), line("b", 5, 900, 425), line("c", 3, 900, 600)
    played = fired("12 9 12 1 1 12 12 1", a, b, c)
    assert told(played, "hit") == [
        {"unit": "b", "hits": 1, "casualties": 1}, {"unit": "c", "hits": 2, "casualties": 1},
    ]  # fmt: skip
    assert [one["unit"] for one in told(played, "casualty")] == ["b", "c"]
    assert [one["unit"] for one in told(played, "morale-due")] == ["b", "c"]


@pytest.mark.rule("PR-605")
def test_where_only_twelves_hit_half_of_the_hits_go_on() -> None:
    a = line("a", 5, 900, 200, stats={"ranged": 0})
    b = line("b", 5, 900, 425, posture="prone", works="incidental")
    c = line("c", 3, 900, 600)
    played = fired("12 12 12 1 1 12 12 12", a, b, c)
    assert played.rolls[0].roll.success == ">=12"
    assert [(one["unit"], one["hits"]) for one in told(played, "hit")] == [("b", 2), ("c", 1)]


@pytest.mark.rule("PR-605")
def test_a_die_for_each_hit_shares_them_between_several_units_behind() -> None:
    a, b = line("a", 5, 900, 200, stats=FLAT), line("b", 5, 900, 425)
    c, d = line("c", 3, 900, 550), line("d", 3, 900, 620)
    played = fired("12 12 9 1 1 2 2 12 12 12", a, b, c, d)
    assert [roll.roll.die for roll in played.rolls[:3]] == ["d12", "d2", "d2"]
    assert [(one["unit"], one["hits"]) for one in told(played, "hit")] == [("b", 1), ("d", 2)]


@pytest.mark.rule("PR-603")
def test_rider_and_horse_fall_together() -> None:
    riders = unit("b", (900, 500), (940, 500), type="cavalry", mounted=True)
    assert len(fired("12 1 1 12", A3, riders).game.unit("b").figures) == 1


@pytest.mark.rule("PR-604")
def test_small_arms_hit_the_crew_never_the_gun() -> None:
    gun = unit("b", figure("b-1", 900, 440, 180, role="crew"), figure("b-2", 930, 440, 180, role="gun"),
               type="artillery", formation="unlimbered", weapon="cannon-4")  # fmt: skip
    played = fired("12 12 12 12 12 12", A3, gun)
    assert [one["figure"] for one in told(played, "casualty")] == ["b-1"]


@pytest.mark.rule("PR-514")
def test_from_farther_off_a_melee_is_hit_on_either_side() -> None:
    friend = line("a2", 3, 900, 475, engaged_with=["b"])
    b = line("b", 3, 900, 500, engaged_with=["a2"])
    a = line("a", 3, 900, 900, stats=FLAT)
    a["figures"] = [figure(f"a-{n}", 875 + 25 * n, 900, 180) for n in range(3)]
    played = fired("12 12 1 1 2 12 12", a, b, friend)
    assert {one["unit"] for one in told(played, "hit")} == {"a2", "b"}
    assert {one["unit"]: one["casualties"] for one in told(played, "hit")} == {"b": 1, "a2": 1}
    # The sides are numbered as they are listed; the dice to wound are thrown for the target first.
    played = fired("12 12 1 1 2 12 1", a, friend, b)
    assert {one["unit"]: one["casualties"] for one in told(played, "hit")} == {"b": 1, "a2": 0}


@pytest.mark.rule("PR-418")
def test_fire_at_who_hunkered_down_is_wasted_or_held() -> None:
    low = line("b", 5, 900, 500, hunkered=True)
    wasted = fired("", A3, low)
    assert (state(wasted, "a")["actions_left"], told(wasted, "hit")) == (1, [])
    held = fired("", A3, low, hold_if_hunkered=True)
    assert (names(held.events), held.game.unit("a").state) == (["fire-held"], {})
    quicker = line("b", 5, 900, 500, hunkered=True, initiative=6)
    assert state(fired("", A3, quicker, hold_if_hunkered=True), "a")["actions_left"] == 1


@pytest.mark.rule("presidio R-29", "PR-422")
def test_a_lone_man_may_have_to_reload_between_shots() -> None:
    lone = unit("a", (900, 100), stats=FLAT)
    assert state(fired("1", lone, B5, mode="independent"), "a")["reload_left"] == 0
    slow = fired("1", lone, B5, mode="independent", options={"lone_reload": True})
    assert state(slow, "a")["reload_left"] == 4


@pytest.mark.rule("PR-427", "PR-421")
@pytest.mark.parametrize(
    ("before", "actions", "left", "mode"),
    [
        ({"reload_left": 4, "fire_mode": "volley"}, 1, 3, "volley"),
        ({"reload_left": 2, "fire_mode": "volley"}, 2, 0, None),
        ({"reload_left": 1, "fire_mode": "volley"}, 1, 0, None),
        ({"fire_mode": "independent"}, 2, 2, "independent"),
    ],
)
def test_loading(before: Json, actions: int, left: int, mode: str | None) -> None:
    played = do(game(line("a", 3, 900, 100, **before), B5), action="reload", unit="a", actions=actions)
    assert told(played, "reloaded") == [{"unit": "a", "left": left}]
    after = state(played, "a")
    assert (after["reload_left"], after.get("fire_mode"), after["actions_left"]) == (left, mode, 2 - actions)


@pytest.mark.rule("PR-427")
def test_who_is_loaded_does_not_load() -> None:
    with pytest.raises(ActionRefused, match="is loaded"):
        do(game(A3, B5), action="reload", unit="a")


@pytest.mark.rule("PR-432")
def test_what_ask_shows_as_not_allowed_is_refused_unless_the_umpire_overrules() -> None:
    empty = line("a", 3, 900, 100, stats=FLAT, actions_left=0)
    with pytest.raises(ActionRefused, match="has none left"):
        fired("", empty, B5)
    played = do(game(empty, B5), "1 1 1", action="fire", unit="a", target="b", mode="volley", override=True)
    assert names(played.events)[0] == "overruled"


@pytest.mark.rule("PR-401")
@pytest.mark.parametrize(
    "keys", [{"mode": "sideways"}, {"weapon": "bow"}, {"mode": "volley", "times": 3}, {"speed": 1}]
)
def test_words_that_there_are_not_are_named(keys: Json) -> None:
    with pytest.raises(UnknownAction):
        do(game(A3, B5), action="fire", unit="a", target="b", **keys)


@pytest.mark.rule("PR-401")
def test_dice_are_counted() -> None:
    with pytest.raises(DiceError):
        fired("1 1", A3, B5)
    with pytest.raises(DiceError):
        fired("1 1 1 1", A3, B5)


@pytest.mark.rule("PR-401")
def test_nobody_fires_at_friends() -> None:
    with pytest.raises(ActionRefused, match="same side"):
        fired("", A3, line("a2", 3, 900, 400), at="a2")


@pytest.mark.rule("PR-605", "PR-401")
def test_chances_of_a_shot_with_somebody_behind_are_exact() -> None:
    of = game(line("a", 9, 900, 200, stats=FLAT), line("b", 9, 900, 425), line("c", 3, 900, 600, roles=["captain"]))
    action = action_from({"action": "fire", "unit": "a", "target": "b", "mode": "volley"})
    chances = odds(of, lambda: RULESET.begin(of, action), lambda event: event.facts.get("casualties"))
    # A die hits b, but not with a 12, in a quarter of its faces, and wounds it with eight of twelve.
    assert [chances[lost] for lost in range(10)] == [
        comb(9, lost) * Fraction(1, 6) ** lost * Fraction(5, 6) ** (9 - lost) for lost in range(10)
    ]
