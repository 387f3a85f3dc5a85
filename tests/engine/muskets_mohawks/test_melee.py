"""Melee: dice, starting losses, who falls, tests, both running, several enemies, what follows contact."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, names, resolve, unit, wood


def side(name: str, army: str, **more: Any) -> Plain:
    other = {"a": "b", "b": "a"}.get(name, "a")
    state = {"in_melee": [other], "melee_round": 1, **more.pop("state", {})}
    y, facing = (300, 0) if army == "british" else (325, 180)
    number = more.pop("number", 6)
    return unit(name, army, **{"number": number, "at": (900, y), "facing": facing, "state": state, **more})


def pair(one: Plain | None = None, other: Plain | None = None, **more: Any) -> Plain:
    return game(side("a", "british", **(one or {})), side("b", "french", **(other or {})), **more)


def fight(scene: Plain, dice: list[int]) -> Plain:
    return resolve(scene, dice, action="melee", unit="a", enemy="b")


DICE = [
    # one side, the other, the first side's dice, row
    ({}, {}, 4, "MM-150"),
    ({"rep": 5}, {}, 5, "MM-150"),
    ({"type": "irregular"}, {}, 6, "MM-151"),
    ({"type": "grenadier"}, {}, 6, "MM-151"),
    ({"type": "guard"}, {}, 6, "MM-22"),
    ({"stats": {"special": ["ferocious"]}}, {}, 6, "MM-151"),
    ({"formation": "formed-line"}, {}, 5, "MM-152"),
    ({"formation": "square"}, {}, 5, "R-12"),
    ({"formation": "mob"}, {}, 4, "R-12"),
    ({"type": "cavalry"}, {}, 5, "MM-153"),
    ({"type": "cavalry", "weapon": "lance"}, {}, 5, "MM-157"),
    ({"type": "cavalry", "stats": {"special": ["cuirassier"]}}, {}, 6, "MM-245"),
    ({"number": 8}, {}, 6, "MM-156"),
    ({}, {"number": 8}, 4, "MM-156"),
    ({"state": {"following_up": True}}, {}, 5, "MM-158"),
    ({"state": {"behind": "works"}}, {}, 6, "MM-155"),
]


@pytest.mark.parametrize(
    ("one", "other", "dice"), [pytest.param(*row[:3], marks=pytest.mark.rule(row[3])) for row in DICE]
)
def test_a_side_s_dice(one: Plain, other: Plain, dice: int) -> None:
    more = 2 if other.get("number") == 8 else 0
    played = fight(pair(one, other), [6] * dice + [6] * (4 + more))
    assert event(played, "melee")["unit_dice"] == dice
    assert event(played, "melee")["enemy_dice"] == 4 + more


@pytest.mark.rule("MM-157", "MM-149")
def test_lances_count_in_the_first_round_only_and_each_side_then_loses_a_figure() -> None:
    lancers = {"type": "cavalry", "weapon": "lance+carbine", "state": {"melee_round": 0}}
    played = fight(pair(lancers, {"state": {"melee_round": 0}}), [6] * 10 + [1, 1, 1, 1] + [1, 1, 1, 1])
    melee = event(played, "melee")
    assert melee["unit_dice"] == 6
    assert (melee["unit_casualties"], melee["enemy_casualties"]) == (1, 1)


@pytest.mark.rule("MM-149", "muskets-mohawks R-30")
def test_nobody_falls_on_contact_where_one_side_has_a_single_figure() -> None:
    first = {"state": {"melee_round": 0}}
    played = fight(pair({"number": 1, **first}, {"number": 2, **first}), [6] * 4 + [6] * 5)
    assert (event(played, "melee")["unit_casualties"], event(played, "melee")["enemy_casualties"]) == (0, 0)
    assert names(played) == ["melee", "round-fought"]


@pytest.mark.rule("MM-150", "MM-160", "MM-161", "MM-02")
def test_the_side_with_fewer_successes_loses_the_difference_and_tests() -> None:
    played = fight(pair(), [1, 2, 3, 4, 3, 6, 6, 6, 1, 1, 1, 1, 1, 1])
    melee = event(played, "melee")
    assert (melee["unit_successes"], melee["enemy_successes"]) == (3, 1)
    assert (melee["unit_casualties"], melee["enemy_casualties"]) == (0, 2)
    assert len(after(played, "b")["figures"]) == 4
    assert after(played, "b")["state"]["casualties"] == 2
    assert event(played, "reaction")["tests"] == ["received-casualty"]
    assert event(played, "reaction")["unit"] == "b"


@pytest.mark.rule("MM-160", "MM-65", "MM-117")
def test_a_leader_who_falls_in_melee_is_tested_for_and_has_no_horse_die() -> None:
    scene = pair(other={"mounted": True, "type": "cavalry"})
    played = fight(scene, [1, 6, 6, 6, 6, 6, 6, 6, 6, 4, 6, 4, 4])
    assert event(played, "leader-check")["result"] == "hit"
    assert event(played, "reaction")["tests"] == ["received-casualty", "leader-lost"]


@pytest.mark.rule("MM-164", "MM-162", "R-43")
def test_who_loses_contact_is_unformed_and_the_victor_has_won() -> None:
    scene = pair({"formation": "formed-line"}, {"formation": "formed-line"})
    played = fight(scene, [1, 6, 6, 6, 6, 6, 6, 6, 6, 6, 1, 1, 6, 6])
    assert event(played, "reaction")["result"] == "retire"
    for name in ("a", "b"):
        assert after(played, name)["formation"] == "unformed"
        assert after(played, name)["state"]["in_melee"] == []
        assert after(played, name)["state"]["melee_round"] == 0
    assert after(played, "a")["state"]["won_melee"] is True


@pytest.mark.rule("MM-160", "MM-164", "MM-14")
@pytest.mark.parametrize(("kind", "period"), [("militia", "fiw"), ("light", "napoleonic")])
def test_a_line_that_destroyed_its_foe_tests_as_the_line_that_fought_and_is_unformed_then(
    kind: str, period: str
) -> None:
    line = {"type": kind, "formation": "formed-line", "state": {"melee_round": 0}}
    scene = pair(line, {"number": 2, "state": {"melee_round": 0}}, period=period)
    # Each loses one on contact; 9 dice against 4 take the last foe; the Leader is unhurt, one die and he pass.
    played = fight(scene, [1] * 9 + [6] * 4 + [3, 3] + [1, 6] + [1])
    told = event(played, "reaction")
    assert (told["result"], told["leader_passed"], told["rule"]) == ("carry-on", 1, "MM-76")
    assert after(played, "a")["formation"] == "unformed"


@pytest.mark.rule("MM-57", "MM-160")
def test_when_both_would_run_the_higher_stays() -> None:
    first = {"type": "irregular", "state": {"melee_round": 0}}
    fall = [1, 1, 1, 1]
    # Both lose one and run; 4+3 against 4+3, then 4+5 against 4+2.
    played = fight(pair(first, first), [6] * 12 + fall + [6, 6, 6, 6] + [3, 3, 5, 2])
    assert [one["result"] for one in played["events"] if one["event"] == "reaction"] == ["runaway", "runaway"]
    assert after(played, "b")["state"]["runaway"] is True
    assert len(after(played, "a")["figures"]) == 5
    assert after(played, "a")["formation"] == "unformed"


@pytest.mark.rule("MM-161")
def test_the_figures_nearest_the_enemy_fall_and_the_leader_last() -> None:
    scene = pair(other={"number": 3, "leader": 2})
    for figure, y in zip(scene["units"][1]["figures"], (375, 325, 350), strict=True):
        figure.update(x_mm=900, y_mm=y)
    dice = [1, 6, 6, 6, 6, 6, 6, *[6, 6, 6, 6], 1, 1, 1, 1]
    played = fight(scene, dice)
    assert event(played, "hit")["figures"] == ["b-3"]


@pytest.mark.rule("MM-156", "MM-150")
def test_a_side_that_loses_all_its_figures_is_destroyed_and_does_not_test() -> None:
    scene = pair({"number": 2}, {"number": 2})
    played = fight(scene, [1, 1, 1, 1, 6, 6, 6, 6])
    assert event(played, "melee")["enemy_casualties"] == 2
    assert names(played) == ["melee", "round-fought", "hit", "destroyed", "won-melee"]
    assert after(played, "a")["state"]["in_melee"] == []


@pytest.mark.rule("MM-155", "muskets-mohawks R-32")
@pytest.mark.parametrize(("bottom", "top", "dice"), [(315, 316, 6), (400, 410, 4)], ids=["between", "behind"])
def test_a_wall_is_defended_where_the_enemy_comes_over_it(bottom: float, top: float, dice: int) -> None:
    scene = pair(terrain=[wood("wall", 600, bottom, 1200, top, kind="wall")])
    enemy = dice if dice == 6 else 4
    # Both stand within an inch of a wall between them, and defend it against each other.
    played = fight(scene, [6] * enemy + [6] * enemy)
    assert event(played, "melee")["unit_dice"] == dice


@pytest.mark.rule("MM-155", "muskets-mohawks R-32")
def test_those_who_came_over_the_works_are_not_behind_them() -> None:
    works = wood("works", 600, 315, 1200, 316, kind="fieldworks")
    scene = pair({}, {"state": {"behind": "works"}}, terrain=[works])
    played = fight(scene, [6] * 4 + [6] * 6)
    assert (event(played, "melee")["unit_dice"], event(played, "melee")["enemy_dice"]) == (4, 6)


@pytest.mark.rule("MM-155", "muskets-mohawks R-32")
@pytest.mark.parametrize(
    "leaves",
    [
        {"action": "charge", "target": "b", "dice": [1, 1, 1, 6, 6]},
        {"action": "march", "to": [900, 250], "dice": []},
    ],
    ids=["charges", "marches"],
)
def test_who_leaves_the_works_defends_them_no_longer(leaves: Plain) -> None:
    ours = unit("a", "british", type="irregular", at=(900, 300), state={"behind": "works"})
    far = unit("b", "french", at=(900, 300 + 10 * INCH), facing=180)
    works = wood("works", 600, 312.5, 1200, 320, kind="fieldworks")
    facts = {key: value for key, value in leaves.items() if key != "dice"}
    played = resolve(game(ours, far, terrain=[works]), leaves["dice"], unit="a", **facts)
    assert after(played, "a")["state"]["behind"] is None


@pytest.mark.rule("MM-154", "muskets-mohawks R-31")
@pytest.mark.parametrize(
    ("hills", "dice"),
    [
        ([wood("h", 600, 250, 1200, 313, kind="hill")], 5),
        ([wood("h", 600, 250, 1200, 400, kind="hill")], 4),
        ([wood("h", 600, 200, 1200, 400, kind="hill", crest_mm=[[600, 280], [1200, 280]])], 4),
        ([wood("h", 600, 200, 1200, 400, kind="hill", crest_mm=[[600, 270], [1200, 270]])], 4),
    ],
    ids=["alone on the hill", "both on it", "less than an inch higher", "25 mm higher"],
)
def test_uphill_of_all_enemies(hills: list[Plain], dice: int) -> None:
    played = fight(pair(terrain=hills), [6] * dice + [6] * 4)
    assert event(played, "melee")["unit_dice"] == dice


@pytest.mark.rule("MM-154", "muskets-mohawks R-31")
def test_an_inch_nearer_to_the_crest_of_the_same_hill_is_uphill() -> None:
    scene = pair(terrain=[wood("h", 600, 200, 1200, 400, kind="hill", crest_mm=[[600, 260], [1200, 260]])])
    for figure in scene["units"][1]["figures"]:
        figure["y_mm"] = 300 + INCH
    assert event(fight(scene, [6] * 5 + [6] * 4), "melee")["unit_dice"] == 5


@pytest.mark.rule("MM-159", "MM-149")
def test_against_two_enemies_dice_and_figures_are_divided_and_tests_come_last() -> None:
    single = side(
        "a", "british", number=8, state={"in_melee": ["b", "d"], "melee_round": 0}, rep=4, formation="formed-line"
    )
    enemies = [side(name, "french", number=4, state={"in_melee": ["a"], "melee_round": 0}) for name in ("b", "d")]
    for figure in enemies[1]["figures"]:
        figure["x_mm"] += 200
    shares = [{"id": "b", "dice": 3, "figures": 4}, {"id": "d", "dice": 2, "figures": 4}]
    fights = [1, 6, 6, 6, 6, 6, 6, 6, 6, 1, 6, 6, 6]
    checks = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    tests = [1, 1, 1, 1, 1, 1]
    played = resolve(game(single, *enemies), fights + checks + tests, action="melee", unit="a", enemies=shares)
    melees = [one for one in played["events"] if one["event"] == "melee"]
    assert [one["unit_dice"] for one in melees] == [3, 2]
    assert [one["unit_casualties"] for one in melees] == [1, 2]
    assert [one["enemy_casualties"] for one in melees] == [2, 1]
    assert event(played, "hit", unit="a")["casualties"] == 3
    assert [one["unit"] for one in played["events"] if one["event"] == "reaction"] == ["a", "b", "d"]
    # Players who share out the six that are left after the losses on contact mean the same.
    left = [{**share, "figures": 3} for share in shares]
    again = resolve(game(single, *enemies), fights + checks + tests, action="melee", unit="a", enemies=left)
    assert again["events"] == played["events"]
    with pytest.raises(ActionRefused, match="the 8 figures of a, or to the 6 left after the losses on contact"):
        resolve(game(single, *enemies), [], action="melee", unit="a", enemies=[shares[0], left[1]])


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"enemy": "b", "enemies": [{"id": "b", "dice": 1, "figures": 1}]},
        {"enemies": [{"id": "b"}]},
        {"enemy": 3},
    ],
)
def test_wrong_keys_are_refused(keys: Plain) -> None:
    with pytest.raises(UnknownAction, match="melee"):
        resolve(pair(), [], action="melee", unit="a", **keys)


@pytest.mark.rule("MM-124")
def test_units_that_are_not_in_contact_do_not_fight() -> None:
    scene = pair({"state": {"in_melee": []}}, {"state": {"in_melee": []}})
    assert event(fight(scene, [6] * 8), "melee")
    for figure in scene["units"][1]["figures"]:
        figure["y_mm"] += 3.01
    with pytest.raises(ActionRefused, match="not in contact"):
        fight(scene, [])


@pytest.mark.rule("MM-159")
def test_shares_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ActionRefused, match="add up"):
        resolve(pair(), [], action="melee", unit="a", enemies=[{"id": "b", "dice": 9, "figures": 2}])


@pytest.mark.rule("MM-149", "MM-161")
def test_casualties_of_both_sides_fall_at_once_those_nearest_to_the_enemy_as_he_stood() -> None:
    ours = side("a", "british", number=2, leader=None, state={"melee_round": 0})
    theirs = side("b", "french", number=2, leader=None, state={"melee_round": 0})
    for figure in ours["figures"]:
        figure["x_mm"] += 40  # nearer to the second of theirs as listed
    theirs["figures"].sort(key=lambda figure: float(figure["x_mm"]))
    last = theirs["figures"][-1]["id"]
    played = resolve(game(ours, theirs), [6, 6, 6, 6, 1, 6, 6, 6, 1], action="melee", unit="a", enemy="b")
    assert event(played, "destroyed")["unit"] == "a"
    assert event(played, "hit", unit="b")["figures"] == [last]


@pytest.mark.rule("MM-56", "MM-60", "MM-160", "R-08")
@pytest.mark.parametrize(("terrain", "dice"), [([], 2), ([wood("w", 700, 312, 1100, 313, kind="wall")], 3)])
def test_who_destroys_the_enemy_tests_and_retires_as_from_where_he_stood(terrain: list[Plain], dice: int) -> None:
    """Two men fall for one; the wall that they came across still covers, and another enemy near by is no cause."""
    foe = side("b", "french", number=2, leader=None, state={"melee_round": 0})
    friend = side("a", "british", number=3, formation="formed-line", state={"melee_round": 0})
    scene = game(friend, foe, unit("c", "french", at=(500, 300)), terrain=terrain)
    at_wall = 2 * len(terrain)
    played = fight(scene, [1] * (6 + at_wall) + [6] * (4 + at_wall) + [2, 2] + [6] * dice)
    told = event(played, "reaction", unit="a")
    assert (after(played, "b")["figures"], told["dice"], told["result"]) == ([], dice, "retire")
    assert all(figure["y_mm"] < 150 for figure in after(played, "a")["figures"])
