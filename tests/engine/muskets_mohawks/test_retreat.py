"""Retire, run away, seek cover: where the figures stand afterwards and what the unit remembers."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.records.action import action_from
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks.chances import foretold
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, gun, names, resolve, unit, wood
from tests.long_runs import examples

FOE = unit("foe", "french", at=(900, 900), facing=180)


def retired(
    tester: Plain, foe: Plain = FOE, *others: Plain, terrain: tuple[Plain, ...] = (), **conditions: str
) -> Plain:
    scene = game(tester, foe, *others, terrain=terrain, **conditions)
    dice = 3 if tester["state"].get("prone") else 2
    return resolve(scene, [6] * dice, action="reaction", unit="t", tests=["received-fire"], cause="foe")


@pytest.mark.rule("MM-56", "MM-54", "R-37")
@pytest.mark.parametrize(
    ("kind", "inches"), [("regular", 8), pytest.param("cavalry", 12, marks=pytest.mark.rule("MM-70"))]
)
def test_a_retiring_unit_goes_a_full_move_straight_away_and_faces_the_cause(kind: str, inches: int) -> None:
    played = retired(unit("t", "british", type=kind, at=(900, 600), formation="formed-line"))
    unit_after = after(played, "t")
    assert unit_after["formation"] == "unformed"
    for key in ("retiring", "retired"):
        assert unit_after["state"][key] is True
    assert unit_after["state"]["last_retire_mm"] == pytest.approx(inches * INCH)
    assert unit_after["state"]["firing_at"] is None
    for figure in unit_after["figures"]:
        assert figure["y_mm"] == pytest.approx(600 - inches * INCH)
        assert figure["bearing_deg"] % 360 == pytest.approx(0, abs=1e-6)


@pytest.mark.rule("MM-194", "R-38")
def test_snow_halves_a_retreat() -> None:
    played = retired(unit("t", "british", at=(900, 600)), snow="ground")
    assert event(played, "retire")["distance_mm"] == pytest.approx(4 * INCH)


@pytest.mark.rule("R-37")
def test_a_retreat_stops_at_the_table_edge() -> None:
    played = retired(unit("t", "british", at=(900, 100)))
    assert event(played, "retire")["distance_mm"] == pytest.approx(100)
    assert {figure["y_mm"] for figure in after(played, "t")["figures"]} == {0}


@pytest.mark.rule("MM-56", "muskets-mohawks R-37")
def test_a_retreat_that_goes_aslant_stops_at_a_leader_whom_the_end_of_the_line_comes_to_touch() -> None:
    # Back and to the right: the Leader stands behind the left end, farther left than the line's middle will go.
    captain = unit("captain", "british", type="leader", number=1, leader=1, at=(690, 570), leader_rep=5)
    foe = unit("foe", "french", at=(600, 1000), facing=180, number=1)
    played = retired(unit("t", "british", at=(900, 600), leader=None), foe, captain)
    assert event(played, "retire")["leader"] == "captain"
    assert event(played, "retire")["distance_mm"] == pytest.approx(33 - math.sqrt(25**2 - 6**2), abs=0.01)


@pytest.mark.rule("MM-56", "muskets-mohawks R-37")
@pytest.mark.parametrize(
    ("captain_x", "distance"), [(900, 75), (875, 75), (1125, 75), (1162, 8 * INCH)],
    ids=["between two men", "behind a man", "behind the last man", "beside the unit"],
)  # fmt: skip
def test_a_retreat_of_men_who_stand_apart_stops_at_a_leader_among_them(captain_x: float, distance: float) -> None:
    captain = unit("captain", "british", type="leader", number=1, leader=1, at=(captain_x, 500), leader_rep=5)
    played = retired(unit("t", "british", at=(900, 600), leader=None), FOE, captain)
    assert event(played, "retire")["distance_mm"] == pytest.approx(distance, abs=0.01)
    assert event(played, "retire")["leader"] == (None if captain_x > 1150 else "captain")


@pytest.mark.rule("MM-56", "R-37")
def test_a_retreat_stops_at_a_leader_who_then_leads() -> None:
    captain = unit("captain", "british", type="leader", number=1, leader=1, at=(900, 500), leader_rep=5)
    tester = unit("t", "british", number=1, at=(900, 600), leader=None, state={"start_strength": 1})
    played = retired(tester, FOE, captain)
    assert event(played, "retire")["distance_mm"] == pytest.approx(75)
    assert event(played, "retire")["leader"] == "captain"
    again = game(*played["game"]["units"])
    # 2d6 and one for the officer attached; one pass, and his Rep of 5 decides.
    rallied = resolve(again, [4, 6, 6, 5], action="rally", unit="t")
    assert event(rallied, "reaction")["result"] == "form-up"
    assert after(rallied, "t")["state"]["retiring"] is False


@pytest.mark.rule("MM-110")
def test_continuous_fire_at_and_by_the_retiring_unit_ends() -> None:
    foe = unit("foe", "french", at=(900, 900), facing=180, state={"firing_at": "t"})
    played = retired(unit("t", "british", at=(900, 600), state={"firing_at": "foe"}), foe)
    assert after(played, "foe")["state"]["firing_at"] is None
    assert after(played, "t")["state"]["firing_at"] is None


@pytest.mark.rule("MM-74", "muskets-mohawks R-35")
def test_gunners_retire_without_their_gun() -> None:
    crew = gun("t", "british", at=(900, 600))
    where = next(figure for figure in crew["figures"] if figure["role"] == "gun")
    played = retired(crew)
    left = after(played, "t")
    assert left["state"]["left_gun"] is True
    assert next(f for f in left["figures"] if f["role"] == "gun")["y_mm"] == where["y_mm"]
    assert all(f["y_mm"] == pytest.approx(560 - 8 * INCH) for f in left["figures"] if f["role"] != "gun")


@pytest.mark.rule("MM-57")
def test_a_unit_that_runs_away_is_gone_but_keeps_its_entry() -> None:
    foe = unit("foe", "french", at=(900, 900), facing=180, state={"firing_at": "t"})
    played = retired(unit("t", "british", type="indian", at=(900, 600)), foe)
    gone = after(played, "t")
    assert gone["figures"] == []
    assert gone["state"]["runaway"] is True
    assert after(played, "foe")["state"]["firing_at"] is None


def cover_sought(tester: Plain, *terrain: Plain) -> Plain:
    scene = game(tester, FOE, terrain=terrain)
    return resolve(scene, [4, 6], action="reaction", unit="t", tests=["received-fire"], cause="foe")


@pytest.mark.rule("MM-58", "R-56", "MM-78")
def test_irregulars_go_straight_to_the_nearest_cover_until_most_are_inside() -> None:
    indians = unit("t", "british", type="indian", at=(900, 600), number=5)
    played = cover_sought(indians, wood("near", 600, 350, 1200, 500), wood("far", 600, 100, 1200, 340))
    moved = event(played, "seek-cover")
    assert moved["cover"] == "near"
    assert moved["distance_mm"] == pytest.approx(100, abs=0.01)
    assert after(played, "t")["formation"] == "unformed"
    assert all(f["bearing_deg"] % 360 == pytest.approx(0, abs=1e-6) for f in after(played, "t")["figures"])


@pytest.mark.rule("MM-58", "MM-155", "muskets-mohawks R-32")
def test_who_seeks_cover_no_longer_defends_the_wall_that_it_leaves() -> None:
    wall: Plain = {"id": "wall", "kind": "wall", "polygon_mm": [[600, 700], [1200, 700], [1200, 710], [600, 710]]}
    woods = wood("w", 500, 400, 1300, 550)
    played = cover_sought(unit("t", "british", type="indian", at=(900, 600), state={"behind": "wall"}), woods, wall)
    assert names(played) == ["reaction", "seek-cover"]
    assert after(played, "t")["state"]["behind"] is None


@pytest.mark.rule("MM-58", "R-56")
@pytest.mark.parametrize(
    "terrain",
    [
        [],
        [wood("beyond reach", 600, 100, 1200, 395)],
        [wood("towards the enemy", 600, 700, 1200, 800)],
        [wood("a bare hill", 600, 400, 1200, 500, kind="hill")],
        [wood("river", 0, 530, 1828, 570, kind="river"), wood("on the other bank", 600, 400, 1200, 525)],
    ],
    ids=["none", "over 8 in", "nearer the enemy", "no cover", "over the river"],
)
def test_without_cover_in_reach_they_lie_down_where_they_are(terrain: list[Plain]) -> None:
    played = cover_sought(unit("t", "british", type="indian", at=(900, 600)), *terrain)
    assert names(played) == ["reaction", "prone"]
    assert after(played, "t")["state"]["prone"] is True
    assert {f["y_mm"] for f in after(played, "t")["figures"]} == {600}


@pytest.mark.rule("MM-58", "R-56")
def test_cover_on_this_bank_is_sought_where_nearer_woods_lie_over_the_river() -> None:
    bend = wood("river", 890, 500, 1828, 590, kind="river")
    over, near = wood("over", 900, 400, 1200, 495), wood("near", 400, 300, 780, 560)
    indians = unit("t", "british", type="indian", at=(900, 600), number=1, leader=None)
    assert event(cover_sought(indians, bend, over, near), "seek-cover")["cover"] == "near"


@pytest.mark.rule("MM-58", "MM-78")
def test_already_in_cover_they_stay() -> None:
    indians = unit("t", "british", type="indian", at=(900, 600))
    scene = game(indians, FOE, terrain=[wood("w", 500, 500, 1300, 700)])
    played = resolve(scene, [4, 6, 6], action="reaction", unit="t", tests=["received-fire"], cause="foe")
    assert event(played, "reaction")["result"] == "seek-cover"
    assert names(played) == ["reaction"]


@pytest.mark.rule("MM-56")
@given(st.floats(0, 359), st.floats(250, 500))
@settings(max_examples=examples(25))
def test_whatever_the_direction_a_retreat_leads_away_from_the_cause(bearing: float, distance: float) -> None:
    x = 914.4 + distance * math.sin(math.radians(bearing))
    y = 609.6 + distance * math.cos(math.radians(bearing))
    foe = unit("foe", "french", number=1, at=(x, y), facing=180)
    tester = unit("t", "british", number=1, at=(914.4, 609.6), state={"start_strength": 1})
    figure = after(retired(tester, foe), "t")["figures"][0]
    assert math.dist((figure["x_mm"], figure["y_mm"]), (x, y)) == pytest.approx(distance + 8 * INCH, abs=1e-6)
    assert figure["bearing_deg"] == pytest.approx(bearing % 360, abs=1e-6)


@pytest.mark.rule("R-37")
def test_a_leader_who_is_with_the_unit_does_not_hold_its_retreat() -> None:
    captain = unit("captain", "british", type="leader", number=1, leader=1, at=(900, 575), leader_rep=5)
    tester = unit("t", "british", number=1, at=(900, 600), state={"start_strength": 1, "prone": True})
    scene = game(tester, FOE, captain)
    played = resolve(scene, [6] * 4, action="reaction", unit="t", tests=["received-fire"], cause="foe")
    assert event(played, "retire")["distance_mm"] == pytest.approx(8 * INCH)


@pytest.mark.rule("muskets-mohawks R-35")
@pytest.mark.parametrize(("distance", "back"), [(50.0, True), (52.0, False)])
def test_a_rallied_crew_near_its_gun_serves_it_again(distance: float, back: bool) -> None:
    state = {"retiring": True, "left_gun": True, "start_strength": 1}
    crew = gun("t", "british", at=(900, 600), crew=1, state=state)
    # From the trail of the gun, 25 mm behind its centre, to the rim of the base.
    crew["figures"][1]["y_mm"] = 600 - 25 - distance - 12.5
    played = resolve(game(crew, FOE), [1, 1], action="rally", unit="t")
    assert after(played, "t")["state"]["left_gun"] is not back


def upon_friends(*friends: Plain, **conditions: Any) -> Plain:
    """A unit that has to retire from the foe, with friends behind it."""
    scene = game(unit("t", "british", at=(900, 600)), FOE, *friends, **conditions)
    return {"scene": scene, "unit": "t", "tests": ["received-fire"], "cause": "foe"}


def friend(**keys: Any) -> Plain:
    """Three men in the way of the retreat, four inches behind the middle of its line."""
    return unit("f", "british", number=3, leader=2, **{"at": (900, 600 - 4 * INCH), **keys})


@pytest.mark.rule("MM-53", "R-37")
@pytest.mark.parametrize(
    ("keys", "met"),
    [({}, True), ({"at": (900, 600 - 12 * INCH)}, False), ({"formation": "formed-line"}, False),
     ({"at": (500, 600 - 4 * INCH)}, False), ({"at": (900, 700)}, False)],
)  # fmt: skip
def test_who_is_met_by_a_retreat_is_told(keys: Plain, met: bool) -> None:
    told = upon_friends(friend(**keys))
    retreat = event(resolve(told.pop("scene"), [6, 6], action="reaction", **told), "retire")
    assert retreat.get("meets", []) == (["f"] if met else [])
    assert retreat["distance_mm"] == pytest.approx(8 * INCH)


@pytest.mark.rule("MM-53")
def test_who_carries_on_lets_the_retreat_pass_right_through() -> None:
    told = upon_friends(friend(at=(900, 600 - 8 * INCH)), options={"retreat_tests": True})
    played = resolve(told.pop("scene"), [6, 6, 1, 1], action="reaction", **told)
    assert event(played, "reaction", unit="f")["tests"] == ["received-casualty"]
    assert event(played, "retire", unit="t")["distance_mm"] > 8 * INCH
    standing = [(one["x_mm"], one["y_mm"]) for one in after(played, "f")["figures"]]
    assert {y for _, y in standing} == {600 - 8 * INCH}
    gone = {one["y_mm"] for one in after(played, "t")["figures"]}
    assert sorted(gone) == [pytest.approx(600 - 8 * INCH - 25, abs=0.2)]


@pytest.mark.rule("MM-53")
def test_who_does_not_carry_on_goes_as_well_before_the_retreat_is_there() -> None:
    told = upon_friends(friend(), options={"retreat_tests": True})
    played = resolve(told.pop("scene"), [6, 6, 6, 6], action="reaction", **told)
    gone = [one["unit"] for one in played["events"] if one["event"] == "retire"]
    assert gone == ["f", "t"]
    assert after(played, "f")["state"]["retiring"] is True
    assert event(played, "retire", unit="t")["distance_mm"] == pytest.approx(8 * INCH)


@pytest.mark.rule("MM-53")
def test_units_that_retreat_upon_each_other_test_once() -> None:
    one, other = friend(), unit("g", "british", number=3, leader=2, at=(900, 600 - 7 * INCH))
    told = upon_friends(one, other, options={"retreat_tests": True})
    played = resolve(told.pop("scene"), [6, 6, 6, 6, 6, 6, 6, 6], action="reaction", **told)
    tested = [one["unit"] for one in played["events"] if one["event"] == "reaction"]
    assert tested == ["t", "f", "g", "g"]  # by the first retreat's, and by the men whom that has driven upon them


RIVER, FORD = wood("river", 0, 400, 1828, 600, "river"), wood("ford", 800, 400, 1000, 600, "ford")


def in_the_ford(foe_at: tuple[float, float], *land: Plain, **more: Any) -> Plain:
    men = unit("t", "british", **{"number": 2, "leader": None, "at": (900, 500), **more})
    foe = unit("foe", "french", at=foe_at, facing=180, number=1)
    return game(men, foe, terrain=land or (RIVER, FORD), active="french")


@pytest.mark.rule("MM-192", "MM-57", "MM-75")
@pytest.mark.parametrize(
    ("foe_at", "runs"), [((768, 500), True), ((900, 630), False)], ids=["off the ford", "back over the bank"]
)
def test_the_chances_of_fire_say_who_would_be_forced_off_the_ford(foe_at: tuple[float, float], runs: bool) -> None:
    scene = in_the_ford(foe_at)
    scene["units"][1] = unit("foe", "french", at=foe_at, facing=90 if runs else 180, number=1)
    fire = action_from({"action": "fire", "unit": "foe", "target": "t", "mode": "at-will", "override": True})
    found = foretold(game_from(scene, "the scene"), fire)
    assert found is not None
    told = {one.what: one.chance for one in found.then[0].outcomes}
    assert ("they retire" in told) is not runs
    assert told["they run away"] == pytest.approx(0.412666 if runs else 0.287637, abs=1e-6)


@pytest.mark.rule("MM-192", "MM-57")
@pytest.mark.parametrize(
    ("foe_at", "runs"),
    [((500, 500), True), ((1300, 500), True), ((900, 900), False), ((880, 900), False)],
    ids=["to the right", "to the left", "straight back", "back and a little aside"],
)
def test_who_is_forced_off_a_ford_into_the_river_counts_as_run_away(
    foe_at: tuple[float, float], runs: bool
) -> None:
    scene = in_the_ford(foe_at)
    played = resolve(scene, [6, 6, 6], action="reaction", unit="t", tests=["received-fire"], cause="foe")
    assert ("runaway" in names(played)) is runs
    if runs:
        assert event(played, "runaway")["drowned"] is True
        assert after(played, "t")["figures"] == []
        assert after(played, "t")["state"]["runaway"] is True
    else:
        assert after(played, "t")["state"]["retiring"] is True


@pytest.mark.rule("MM-192")
def test_nobody_is_forced_off_a_ford_who_stood_on_the_bank_or_came_upon_a_bridge() -> None:
    bridge = wood("bridge", 1000, 450, 1300, 550, "bridge")
    for scene in (in_the_ford((900, 900), at=(1200, 640)), in_the_ford((500, 500), RIVER, FORD, bridge)):
        dice = [6] * (2 if scene["units"][0]["figures"][0]["y_mm"] > 600 else 3)
        played = resolve(scene, dice, action="reaction", unit="t", tests=["received-fire"], cause="foe")
        assert "runaway" not in names(played)


@pytest.mark.rule("MM-192", "MM-73")
def test_a_failed_rally_that_leads_off_a_ford_into_the_river_counts_as_run_away() -> None:
    horse = {"type": "cavalry", "mounted": True, "weapon": "sword"}
    state = {"retiring": True, "last_retire_mm": 300.0}
    scene = {**in_the_ford((500, 500), facing=270.0, state=state, **horse)}
    scene["turn"] = {**scene["turn"], "active_side": "british"}
    played = resolve(scene, [6, 6, 6], action="rally", unit="t")
    assert event(played, "runaway")["drowned"] is True
