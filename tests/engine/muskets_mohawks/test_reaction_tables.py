"""Reaction tests: the tables of each troop class, the dice of the test, several tests at once."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction
from tests.engine.muskets_mohawks.playing import Plain, after, event, game, names, resolve, unit, wood

PASS = {2: [4, 4], 1: [4, 5], 0: [5, 5]}
FOE = unit("foe", "french", at=(900, 700), facing=180)

TABLE = [
    # type, tests, passes, Leader's die, result, row
    ("cavalry", "received-fire", 2, None, "carry-on", "MM-70"),
    ("cavalry", "received-fire", 0, None, "retire", "MM-70"),
    ("cavalry", "received-casualty", 2, None, "carry-on", "MM-71"),
    ("cavalry", "received-casualty", 1, 4, "carry-on", "MM-71"),
    ("cavalry", "received-casualty", 1, 5, "retire", "MM-71"),
    ("cavalry", "received-casualty", 0, None, "retire", "MM-71"),
    ("cavalry", "leader-lost", 2, None, "carry-on", "MM-72"),
    ("cavalry", "leader-lost", 1, None, "retire", "MM-72"),
    ("cavalry", "leader-lost", 0, None, "runaway", "MM-72"),
    ("regular", "received-fire", 2, None, "carry-on", "MM-75"),
    ("regular", "received-fire", 1, 4, "carry-on", "MM-75"),
    ("regular", "received-fire", 1, 5, "retire", "MM-75"),
    ("regular", "received-fire", 0, None, "retire", "MM-75"),
    ("light", "received-fire", 0, None, "retire", "MM-13"),
    ("grenadier", "received-fire", 0, None, "retire", "MM-13"),
    ("guard", "received-fire", 0, None, "retire", "MM-13"),
    ("regular", "received-casualty", 2, None, "carry-on", "MM-76"),
    ("regular", "received-casualty", 1, 4, "carry-on", "MM-76"),
    ("regular", "received-casualty", 1, 5, "retire", "MM-76"),
    ("regular", "received-casualty", 0, None, "retire", "MM-76"),
    ("regular", "leader-lost", 2, None, "carry-on", "MM-77"),
    ("regular", "leader-lost", 0, None, "runaway", "MM-77"),
    ("irregular", "received-fire", 2, None, "carry-on", "MM-78"),
    ("irregular", "received-fire", 1, None, "seek-cover", "MM-78"),
    ("irregular", "received-fire", 0, None, "runaway", "MM-78"),
    ("indian", "received-casualty", 2, None, "carry-on", "MM-79"),
    ("indian", "received-casualty", 1, None, "retire", "MM-79"),
    ("indian", "received-casualty", 0, None, "runaway", "MM-15"),
    ("irregular", "leader-lost", 2, None, "carry-on", "MM-80"),
    ("irregular", "leader-lost", 1, None, "retire", "MM-80"),
    ("irregular", "leader-lost", 0, None, "runaway", "MM-80"),
    ("civilian", "received-fire", 0, None, "runaway", "MM-16"),
    ("militia", "received-fire", 0, None, "runaway", "MM-14"),
    ("mounted-infantry", "received-fire", 0, None, "runaway", "MM-21"),
    ("gunners", "received-fire", 2, None, "carry-on", "MM-74"),
    ("gunners", "received-fire", 1, None, "carry-on", "MM-74"),
    ("gunners", "received-fire", 0, None, "retire", "MM-74"),
    ("gunners", "received-casualty", 1, None, "carry-on", "MM-74"),
    ("gunners", "received-casualty", 0, None, "retire", "MM-74"),
    ("gunners", "leader-lost", 0, None, "carry-on", "MM-17"),
]


@pytest.mark.parametrize(
    ("kind", "test", "passes", "leader", "result"),
    [pytest.param(*row[:5], marks=pytest.mark.rule(row[5])) for row in TABLE],
)
def test_the_table_of_the_troop_class_decides(
    kind: str, test: str, passes: int, leader: int | None, result: str
) -> None:
    tester = unit("t", "british", type=kind, weapon="carbine")
    dice = [*PASS[passes], *([] if leader is None else [leader])]
    played = resolve(game(tester, FOE), dice, action="reaction", unit="t", tests=[test], cause="foe")
    seen = event(played, "reaction")
    assert (seen["result"], seen["passed"], seen["dice"]) == (result, passes, 2)
    assert seen["leader_passed"] == (None if leader is None else int(leader <= 4))
    assert len(played["rolls"]) == (1 if leader is None else 2)


@pytest.mark.rule("MM-14", "MM-21")
@pytest.mark.parametrize(
    ("tester", "result"),
    [
        (unit("t", "british", type="militia", formation="formed-line"), "retire"),
        (unit("t", "british", type="militia", formation="mob"), "runaway"),
        (unit("t", "british", type="mounted-infantry", state={"mounted": True}), "retire"),
        (unit("t", "british", type="mounted-infantry"), "runaway"),
    ],
    ids=["militia in line", "militia in mob", "on horseback", "on foot"],
)
def test_formation_and_horses_choose_the_table(tester: Plain, result: str) -> None:
    played = resolve(game(tester, FOE), [5, 5], action="reaction", unit="t", tests=["received-fire"], cause="foe")
    assert event(played, "reaction")["result"] == result


@pytest.mark.rule("MM-70")
@pytest.mark.parametrize(
    ("tester", "distance", "result"),
    [
        (unit("t", "british", type="cavalry", at=(900, 100)), 457.2, "charge"),
        (unit("t", "british", type="cavalry", at=(900, 100)), 457.3, "stand"),
        (unit("t", "british", type="mounted-infantry", at=(900, 100), state={"mounted": True}), 457.2, "dismount"),
    ],
    ids=["in reach", "out of reach", "mounted infantry"],
)
def test_horse_with_one_pass_charges_stands_or_dismounts(tester: Plain, distance: float, result: str) -> None:
    foe = unit("foe", "french", at=(900, 125 + distance), facing=180)
    # Charger 3d6, target 2d6: none and none; the Leader fails: the charger halts and is fired at.
    charge = [6, 6, 6, 6, 6, 6, 2, 2, 2, 2] if result == "charge" else []
    played = resolve(
        game(tester, foe), [4, 5, *charge], action="reaction", unit="t", tests=["received-fire"], cause="foe"
    )
    assert event(played, "reaction")["result"] == result
    assert ("charge" in names(played)) == (result == "charge")
    if result == "dismount":
        horse = after(played, "t")
        assert horse["state"]["mounted"] is False
        assert [figure["role"] for figure in horse["figures"]].count("holder") == 2


@pytest.mark.rule("muskets-mohawks R-29", "MM-71", "MM-76", "MM-79", "MM-77")
@pytest.mark.parametrize(
    ("kind", "tests", "dice", "result"),
    [
        ("regular", ["received-casualty"], [5, 5], "runaway"),
        ("regular", ["received-casualty"], [4, 5], "runaway"),
        ("cavalry", ["received-casualty"], [5, 5], "runaway"),
        ("irregular", ["received-casualty"], [4, 5], "runaway"),
        ("regular", ["leader-lost"], [4, 5], "runaway"),
        ("regular", ["received-fire"], [4, 5], "retire"),
    ],
)
def test_without_a_leader_no_leader_die_is_rolled_and_it_counts_as_failed(
    kind: str, tests: list[str], dice: list[int], result: str
) -> None:
    tester = unit("t", "british", type=kind, leader=None)
    played = resolve(game(tester, FOE), dice, action="reaction", unit="t", tests=tests, cause="foe")
    seen = event(played, "reaction")
    assert (seen["result"], seen["leader_passed"], len(played["rolls"])) == (result, None, 1)


@pytest.mark.rule("R-47", "MM-62", "MM-33")
def test_an_officer_in_the_unit_lends_his_rep_and_adds_a_die() -> None:
    tester = unit("t", "british", leader=None, leader_rep=5)
    tester["figures"][3]["role"] = "officer"
    scene = game(tester, FOE)
    played = resolve(scene, [4, 5, 6, 5], action="reaction", unit="t", tests=["leader-lost"], cause="foe")
    seen = event(played, "reaction")
    assert (seen["dice"], seen["leader_passed"], seen["result"]) == (3, 1, "carry-on")


@pytest.mark.rule("R-47", "MM-62")
def test_a_leader_of_higher_command_in_contact_lends_his_own_rep() -> None:
    tester = unit("t", "british", leader=None, formation="formed-line")
    captain = unit(
        "captain", "british", type="leader", number=1, leader=1, at=(900, 275), leader_rep=5, weapon="pistol"
    )
    captain["figures"][0]["x_mm"] = tester["figures"][2]["x_mm"]
    scene = game(tester, captain, FOE)
    played = resolve(scene, [4, 5, 6, 5], action="reaction", unit="t", tests=["received-fire"], cause="foe")
    assert event(played, "reaction")["dice"] == 3
    assert event(played, "reaction")["leader_passed"] == 1


@pytest.mark.rule("MM-68", "muskets-mohawks R-27", "MM-07")
@pytest.mark.parametrize(
    ("kind", "tests", "dice", "result"),
    [
        ("indian", ["received-fire", "received-casualty"], [4, 5], "retire"),
        ("indian", ["received-fire", "leader-lost"], [4, 5], "retire"),
        ("regular", ["received-fire", "received-casualty"], [4, 5, 4], "carry-on"),
        ("cavalry", ["received-casualty", "leader-lost"], [4, 5, 3], "retire"),
    ],
)
def test_of_several_tests_on_one_set_of_dice_the_worst_holds(
    kind: str, tests: list[str], dice: list[int], result: str
) -> None:
    tester = unit("t", "british", type=kind)
    played = resolve(game(tester, FOE), dice, action="reaction", unit="t", tests=tests, cause="foe")
    assert event(played, "reaction")["result"] == result
    assert event(played, "reaction")["tests"] == tests


@pytest.mark.parametrize(
    ("state", "terrain", "number", "dice"),
    [
        pytest.param({}, [], 10, 2, id="plain"),
        pytest.param({"prone": True}, [], 10, 3, id="prone", marks=pytest.mark.rule("MM-60", "MM-50")),
        pytest.param({}, [wood("w", 0, 200, 1800, 400)], 10, 3, id="in woods", marks=pytest.mark.rule("MM-60")),
        pytest.param(
            {}, [wood("g", 0, 200, 1800, 400, kind="gully")], 10, 3, id="gully", marks=pytest.mark.rule("MM-195")
        ),
        pytest.param(
            {"start_strength": 20},
            [],
            10,
            1,
            id="exactly half",
            marks=pytest.mark.rule("MM-61", "muskets-mohawks R-28", "R-50"),
        ),
        pytest.param({"start_strength": 19}, [], 10, 2, id="over half", marks=pytest.mark.rule("MM-61")),
        pytest.param({"start_strength": 20, "prone": True}, [], 10, 2, id="both", marks=pytest.mark.rule("MM-59")),
    ],
)
def test_circumstances_add_and_take_test_dice(state: Plain, terrain: list[Plain], number: int, dice: int) -> None:
    tester = unit("t", "british", number=number, state=state)
    scene = game(tester, FOE, terrain=terrain)
    leader = [1] if dice == 1 else []
    played = resolve(scene, [1] * dice + leader, action="reaction", unit="t", tests=["received-fire"], cause="foe")
    assert event(played, "reaction")["dice"] == dice
    assert event(played, "reaction")["passed"] == min(2, dice)


@pytest.mark.parametrize(
    ("keys", "terrain", "told"),
    [
        pytest.param({}, [], {}, id="plain"),
        pytest.param(
            {"state": {"prone": True}}, [], {"MM-60": "a die more, in cover (prone)"}, id="prone",
            marks=pytest.mark.rule("MM-60"),
        ),
        pytest.param(
            {}, [wood("w", 0, 200, 1800, 400)], {"MM-60": "a die more, in cover (woods)"}, id="in woods",
            marks=pytest.mark.rule("MM-60"),
        ),
        pytest.param(
            {"state": {"start_strength": 20}}, [], {"MM-61": "a die less, at half strength"}, id="half",
            marks=pytest.mark.rule("MM-61"),
        ),
        pytest.param(
            {"officer": True}, [], {"MM-62": "a die more, a higher Leader with it"}, id="an officer",
            marks=pytest.mark.rule("MM-62"),
        ),
    ],
)  # fmt: skip
def test_the_rows_that_add_and_take_test_dice_are_told(
    keys: Plain, terrain: list[Plain], told: dict[str, str]
) -> None:
    officer = keys.get("officer", False)
    tester = unit("t", "british", **{key: value for key, value in keys.items() if key != "officer"})
    if officer:
        tester["figures"][3]["role"] = "officer"
    dice = 2 + sum(1 if "more" in text else -1 for text in told.values())
    leader = [1] if dice == 1 else []
    played = resolve(
        game(tester, FOE, terrain=terrain), [1] * dice + leader, action="reaction", unit="t",
        tests=["received-fire"], cause="foe",
    )  # fmt: skip
    seen = event(played, "reaction")
    assert dict(zip(seen["modifier_rules"], seen["modifiers"], strict=True)) == told


@pytest.mark.rule("MM-60")
@pytest.mark.parametrize(("second", "dice"), [(1050.0, 3), (1054.0, 2)], ids=["touching", "4 mm off"])
def test_friends_at_both_flanks_add_a_die(second: float, dice: int) -> None:
    tester = unit("t", "british", formation="formed-line", at=(900, 300))
    left = unit("l", "british", formation="formed-line", number=2, at=(900 - 150, 300))
    right = unit("r", "british", formation="formed-line", number=2, at=(second, 300))
    scene = game(tester, left, right, FOE)
    played = resolve(scene, [1] * dice, action="reaction", unit="t", tests=["received-fire"], cause="foe")
    assert event(played, "reaction")["dice"] == dice


@pytest.mark.rule("MM-07", "MM-01")
def test_more_than_two_passes_count_as_two() -> None:
    tester = unit("t", "british", state={"prone": True})
    played = resolve(
        game(tester, FOE), [1, 1, 1], action="reaction", unit="t", tests=["received-fire"], cause="foe"
    )
    assert played["rolls"][0]["passed"] == 3
    assert event(played, "reaction")["passed"] == 2


@pytest.mark.rule("MM-79")
def test_irregulars_in_cover_carry_on_with_one_pass_after_a_casualty() -> None:
    tester = unit("t", "british", type="indian")
    scene = game(tester, FOE, terrain=[wood("w", 0, 200, 1800, 400)])
    played = resolve(scene, [4, 5, 6], action="reaction", unit="t", tests=["received-casualty"], cause="foe")
    assert event(played, "reaction")["result"] == "carry-on"


@pytest.mark.rule("MM-244")
@pytest.mark.parametrize(("period", "result"), [("fiw", "retire"), ("napoleonic", "runaway")])
def test_light_infantry_in_the_open_is_irregular_in_later_wars(period: str, result: str) -> None:
    tester = unit("t", "british", type="light")
    scene = game(tester, FOE, period=period)
    played = resolve(scene, [5, 5], action="reaction", unit="t", tests=["received-fire"], cause="foe")
    assert event(played, "reaction")["result"] == result


@pytest.mark.parametrize(
    "keys",
    [
        {"tests": []},
        {"tests": ["courage"]},
        {"tests": ["received-fire", "received-fire"]},
        {"tests": ["received-fire", "trophies"]},
        {"tests": ["received-fire"], "because": "foe"},
        {"tests": ["received-fire"], "cause": 3},
        {},
    ],
)
def test_a_wrong_key_is_named_and_nothing_happens(keys: dict[str, Any]) -> None:
    with pytest.raises(UnknownAction, match="reaction"):
        resolve(game(unit("t", "british"), FOE), [1, 1], action="reaction", unit="t", **keys)


def test_a_unit_that_takes_no_tests_is_refused() -> None:
    captain = unit("c", "british", type="leader", number=1, leader=1, weapon="pistol")
    with pytest.raises(ActionRefused, match="no such test"):
        resolve(game(captain, FOE), [1, 1], action="reaction", unit="c", tests=["received-fire"])
