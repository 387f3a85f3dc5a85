"""What the program's troops do where ground, night, facing or formation is in the way of their orders."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, gun, names, resolve, unit, wood
from tests.engine.muskets_mohawks.test_np_ways import field, plans, stands

HOUSE = wood("house", 700, 450, 1100, 550, "building", door_mm=[900, 450])
LINE: Plain = {"number": 5, "formation": "formed-line"}


def british(**keys: Any) -> Plain:
    return unit("br", "british", **{"at": (900, 300), **LINE, **keys})


def french(tactics: str = "attack", **keys: Any) -> Plain:
    state = {"tactics": tactics, **keys.pop("state", {})}
    return unit("np", "french", state=state, **{"at": (900, 720), "facing": 180, **LINE, **keys})


def again(result: Plain) -> Plain:
    """The game after an action, with its troops fresh for the next turn."""
    scene: Plain = result["game"]
    for one in scene["units"]:
        one["state"] |= {"activated": False, "moved_mm": 0.0}
    return scene


@pytest.mark.rule("MM-229", "muskets-mohawks R-63")
def test_foot_with_a_house_between_goes_round_it_until_it_may_charge() -> None:
    scene = field(british(), french(), terrain=[HOUSE])
    shown = next(one for one in plans(scene, "np") if one["result"] == "advance")
    played = resolve(scene, [1, 1], action="np-play", unit="np")
    assert stands(played, "np") == pytest.approx(shown["to_mm"])
    for _ in range(3):
        if stands(played, "np")[1] < 450:
            break
        played = resolve(again(played), [1, 1], action="np-play", unit="np")
    assert stands(played, "np")[1] < 450
    assert stands(played, "np")[0] < 700 - 12.5 or stands(played, "np")[0] > 1100 + 12.5


@pytest.mark.rule("MM-229", "MM-86")
def test_at_night_foot_within_musket_range_goes_on_until_it_sees_the_enemy() -> None:
    scene = field(british(), french())
    scene["conditions"]["light"] = "night"
    played = resolve(scene, [1, 1], action="np-play", unit="np")
    gap = stands(played, "np")[1] - 300 - 25
    assert 10 * INCH - 0.01 <= gap <= 12 * INCH + 0.01


@pytest.mark.rule("MM-229", "MM-44", "MM-83")
@pytest.mark.parametrize(
    ("formation", "facing", "becomes"),
    [("formed-line", 0, "formed-line"), ("formed-line", 90, "unformed"), ("unformed", 0, "unformed")],
)
def test_foot_in_range_that_faces_away_turns_to_the_enemy(formation: str, facing: int, becomes: str) -> None:
    scene = field(british(), french(formation=formation, facing=facing))
    played = resolve(scene, [1, 1], action="np-play", unit="np")
    assert {one["bearing_deg"] for one in after(played, "np")["figures"]} == {180}
    assert after(played, "np")["formation"] == becomes
    assert stands(played, "np") == pytest.approx((900, 720))


@pytest.mark.rule("MM-229", "MM-45")
def test_a_gun_in_range_that_points_away_is_turned_and_then_fires() -> None:
    scene = field(british(at=(900, 500)), gun("np", "french", at=(900, 800), state={"tactics": "attack"}))
    turned = resolve(scene, [1, 1], action="np-play", unit="np")
    assert after(turned, "np")["figures"][0]["bearing_deg"] == 180
    fires = resolve(again(turned), [1, 1, *[6] * 5, 1, 1], action="np-play", unit="np")
    assert "fired" in names(fires)


@pytest.mark.rule("MM-230", "MM-50")
def test_irregulars_without_cover_drop_prone_and_fire() -> None:
    scene = field(british(), french("defend", type="indian", formation="unformed"))
    played = resolve(scene, [1, 1, *[6] * 6, 1, 1], action="np-play", unit="np")
    assert names(played)[:3] == ["np-order", "prone", "fired"]
    assert after(played, "np")["state"]["prone"] is True


@pytest.mark.rule("MM-230", "MM-50")
def test_irregulars_that_lie_turned_away_stand_up_turn_and_lie_down_again() -> None:
    men = french("defend", type="indian", formation="unformed", facing=0, state={"prone": True})
    stood = resolve(field(british(), men), [1, 1], action="np-play", unit="np")
    assert names(stood)[1] == "stand"
    turned = resolve(again(stood), [1, 1], action="np-play", unit="np")
    assert {one["bearing_deg"] for one in after(turned, "np")["figures"]} == {180}
    fires = resolve(again(turned), [1, 1, *[6] * 6, 1, 1], action="np-play", unit="np")
    assert names(fires)[1:3] == ["prone", "fired"]


@pytest.mark.rule("MM-230", "MM-09")
def test_horse_on_the_defence_goes_round_the_flank_and_attacks_from_there() -> None:
    horse = french("defend", type="cavalry", formation="unformed", weapon="sword", mounted=True, at=(899, 1000))
    scene = field(british(), horse)
    for _ in range(4):
        if any(one["result"] == "charge" for one in plans(scene, "np")):
            break
        scene = again(resolve(scene, [1, 1], action="np-play", unit="np"))
    x, y = stands({"game": scene}, "np")
    assert x < 600
    assert y < 312.5
    attacks = resolve(scene, [1, 1, 1, 1, 1, 1, 6, 6, 6], action="np-play", unit="np")
    assert event(attacks, "charge")["target"] == "br"


@pytest.mark.rule("MM-230")
@pytest.mark.parametrize(("die", "west"), [(3, True), (4, False)])
def test_who_goes_round_a_flank_goes_round_the_one_that_the_enemy_has_on_that_side(die: int, west: bool) -> None:
    first = unit("first", "french", number=6, at=(300, 1100), facing=180)
    second = unit("np", "french", number=6, at=(900, 1000), facing=180, state={"tactics": "defend"})
    scene = field(british(number=4, at=(900, 600)), first, second)
    played = resolve(scene, [1, 1, 6, die], action="np-play", unit="np")
    assert (stands(played, "np")[0] < 900) is west


@pytest.mark.rule("MM-256", "MM-189", "MM-44")
def test_a_line_goes_formed_to_the_edge_of_a_wood_and_through_it_unformed() -> None:
    scene = field(british(at=(900, 100)), french(at=(900, 1100)), terrain=[wood("w", 700, 700, 1100, 950)])
    edge = resolve(scene, [1, 1], action="np-play", unit="np")
    assert after(edge, "np")["formation"] == "formed-line"
    assert 950 <= stands(edge, "np")[1] < 961
    inside = resolve(again(edge), [1, 1], action="np-play", unit="np")
    assert after(inside, "np")["formation"] == "unformed"
    assert stands(edge, "np")[1] - stands(inside, "np")[1] == pytest.approx(4 * INCH)


@pytest.mark.rule("MM-44")
def test_a_line_that_leaves_its_front_becomes_unformed_and_goes_half_of_its_move() -> None:
    scene = field(british(at=(900, 100)), french(at=(900, 1100), facing=0))
    played = resolve(scene, [1, 1], action="np-play", unit="np")
    assert after(played, "np")["formation"] == "unformed"
    assert stands(played, "np")[1] == pytest.approx(1100 - 4 * INCH)


@pytest.mark.rule("MM-189", "MM-229")
def test_guns_go_into_a_wood_only_by_the_road() -> None:
    trees = wood("w", 700, 700, 1100, 950)
    pulled = gun("np", "french", at=(900, 1140), crew=2, state={"limbered": True, "tactics": "attack"})
    halted = field(british(at=(900, 100)), pulled, terrain=[trees])
    for _ in range(3):
        halted = again(resolve(halted, [1, 1], action="np-play", unit="np"))
    assert all(
        not (700 < one["x_mm"] < 1100 and 700 < one["y_mm"] < 950)
        for one in next(u for u in halted["units"] if u["id"] == "np")["figures"]
    )
    road = wood("r", 860, 0, 940, 1219, "road")
    for terrain, passes in (([trees], False), ([trees, road], True)):
        ours = gun("gun", "british", at=(900, 650), crew=2, state={"limbered": True})
        scene = game(ours, unit("fr", "french", at=(900, 1180)), terrain=terrain)
        if passes:
            assert "marched" in names(resolve(scene, action="march", unit="gun", to=[900, 780]))
            continue
        with pytest.raises(ActionRefused, match="something is in its way"):
            resolve(scene, action="march", unit="gun", to=[900, 780])


@pytest.mark.rule("MM-25", "MM-227", "MM-229")
@pytest.mark.parametrize(("tactics", "dice", "to"), [("attack", [1, 1], 8), ("withdraw", [], -4)])
def test_who_stands_base_to_base_with_a_friend_moves_all_the_same(tactics: str, dice: list[int], to: int) -> None:
    beside = unit("beside", "french", at=(1025, 900), facing=180, **LINE)
    scene = field(british(at=(900, 100), number=10), french(tactics, at=(900, 900)), beside)
    played = resolve(scene, dice, action="np-play", unit="np")
    assert stands(played, "np") == pytest.approx((900, 900 - to * INCH))


@pytest.mark.rule("MM-52", "MM-229")
def test_nobody_moves_through_a_friend_whom_he_touches() -> None:
    ahead = unit("ahead", "french", at=(900, 875), facing=180, **LINE)
    scene = field(british(at=(900, 100), number=10), french(at=(900, 900)), ahead)
    assert stands(resolve(scene, [1, 1], action="np-play", unit="np"), "np") == pytest.approx((900, 900), abs=1.1)
