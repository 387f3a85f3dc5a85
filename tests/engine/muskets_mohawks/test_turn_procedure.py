"""A new turn: dice, weather, reinforcements, fires; markers and non-player orders; terrain."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from tests.engine.muskets_mohawks.playing import INCH, Plain, after, event, game, names, resolve, unit, wood

LEVELS = {
    "british": {"army": "british", "investment_level": 4, "local_campaign_morale": 4, "territory": None},
    "french": {"army": "french", "investment_level": 3, "local_campaign_morale": 4, "territory": None},
}


def scene(*units: Plain, terrain: list[Plain] | None = None, **conditions: Any) -> Plain:
    both = units or (unit("br", "british"), unit("fr", "french", type="militia", at=(900, 900), facing=180))
    return game(*both, terrain=terrain or [], **{"campaign": LEVELS, **conditions})


@pytest.mark.rule("MM-41", "MM-42")
def test_a_new_turn_frees_everybody_and_the_first_side_is_active() -> None:
    acted = unit("br", "british", state={"activated": True, "moved_mm": 100})
    played = resolve(scene(acted, unit("fr", "french", at=(900, 900)), active="french"), [1, 2], action="new-turn")
    assert played["game"]["turn"] == {"number": 4, "active_side": "british"}
    assert (after(played, "br")["state"]["activated"], after(played, "br")["state"]["moved_mm"]) == (False, 0)
    assert names(played) == ["turn-dice", "new-turn"]


@pytest.mark.rule("MM-110", "muskets-mohawks R-20")
@pytest.mark.parametrize(("y", "bound"), [(700, "fr"), (1100, None)], ids=["in range", "out of range"])
def test_continuous_fire_that_has_ended_does_not_begin_again_when_the_target_comes_back(
    y: float, bound: str | None
) -> None:
    firing = unit("br", "british", state={"firing_at": "fr"})
    played = resolve(scene(firing, unit("fr", "french", at=(900, y), facing=180)), [1, 2], action="new-turn")
    assert after(played, "br")["state"]["firing_at"] == bound


@pytest.mark.rule("MM-209")
@pytest.mark.parametrize(
    ("level", "dice", "weather", "then"),
    [
        (2, [3, 3], "clear", 2),
        (2, [3, 2], "inclement", 2),
        (5, [3, 3], "inclement", 6),
        (5, [3, 2], "inclement", 5),
        (3, [3, 3], "inclement", 3),
    ],
)
def test_doubles_clear_or_worsen_the_weather(level: int, dice: list[int], weather: str, then: int) -> None:
    played = resolve(scene(weather="inclement", weather_level=level), dice, action="new-turn")
    conditions = played["game"]["conditions"]
    assert (conditions["weather"], conditions["weather_level"]) == (weather, then)


def line(kind: str, what: str = "unit", number: int = 1, lieutenant: bool = False) -> Plain:
    return {"what": what, "type": kind, "number": number, "lieutenant": lieutenant}


TABLES = [
    ("french", 1, [line("indian")], "MM-212"),
    ("french", 3, [line("irregular")], "MM-212"),
    ("french", 5, [line("regular")], "MM-212"),
    ("french", 7, [line("irregular"), line("indian")], "MM-212"),
    ("french", 8, [line("regular", "platoon")], "MM-212"),
    ("french", 10, [line("regular", "platoon"), line("irregular")], "MM-212"),
    ("french-indians", 4, [line("indian")], "MM-213"),
    ("french-indians", 5, [line("irregular")], "MM-213"),
    ("french-indians", 6, [line("indian", "war-party")], "MM-213"),
    ("french-indians", 8, [line("indian", "war-party"), line("irregular")], "MM-213"),
    ("french-indians", 9, [line("indian", "war-party", 2)], "MM-213"),
    ("british", 2, [line("indian")], "MM-214"),
    ("british", 3, [line("militia", lieutenant=True)], "MM-216"),
    ("british", 5, [line("regular")], "MM-214"),
    ("british", 6, [line("irregular")], "MM-214"),
    ("british", 7, [line("regular", "platoon")], "MM-214"),
    ("british", 10, [line("regular", "platoon"), line("militia", lieutenant=True)], "MM-216"),
    ("british-indians", 10, [line("indian", "war-party", 2)], "MM-215"),
]


@pytest.mark.parametrize(
    ("army", "total", "arrive"),
    [pytest.param(*row[:3], marks=pytest.mark.rule(row[3], "MM-210")) for row in TABLES],
)
def test_who_arrives(army: str, total: int, arrive: list[Plain]) -> None:
    level = max(1, total - 6)
    levels = {**LEVELS, "french": {**LEVELS["french"], "army": army, "investment_level": level}}
    # The French have the higher die and pass both (a total over 6) or one (the die alone).
    passes = [1, 1] if total > 6 else [1, 6]
    die = total - level if total > 6 else total
    played = resolve(scene(campaign=levels), [3, 4, *passes, die, 1, 1, 1], action="new-turn")
    seen = event(played, "reinforcements")
    assert (seen["side"], seen["total"], seen["arrive"]) == ("french", total, arrive)


@pytest.mark.rule("MM-210", "MM-212")
def test_page_27_the_french_get_irregulars_and_indians() -> None:
    played = resolve(scene(), [3, 4, 1, 2, 4, 3, 5], action="new-turn")
    assert event(played, "reinforcements")["arrive"] == [line("irregular"), line("indian")]
    # Entry 3: behind them, 5 in left of the centre; their left, looking in from the north, is east.
    entry = event(played, "entry")
    assert (entry["x_mm"], entry["y_mm"]) == (pytest.approx(914.4 + 5 * INCH), pytest.approx(1219.2))


@pytest.mark.rule("MM-217")
@pytest.mark.parametrize(
    ("result", "dice", "x", "y"),
    [
        (1, [2, 3], 0, 11),
        (2, [2, 3], 11, 0),
        (3, [4], 32, 0),
        (4, [4], 40, 0),
        (5, [2, 3], 61, 0),
        (6, [2, 3], 72, 11),
    ],
)
def test_where_they_enter(result: int, dice: list[int], x: float, y: float) -> None:
    played = resolve(scene(), [4, 3, 1, 6, 1, result, *dice], action="new-turn")
    entry = event(played, "entry")
    assert (entry["side"], entry["result"]) == ("british", result)
    assert (entry["x_mm"], entry["y_mm"]) == (pytest.approx(x * INCH), pytest.approx(y * INCH))


@pytest.mark.rule("MM-210")
def test_without_a_pass_or_a_seven_nobody_comes() -> None:
    assert event(resolve(scene(), [3, 4, 4, 4], action="new-turn"), "reinforcements")["arrive"] == []
    assert "reinforcements" not in names(resolve(scene(), [3, 5], action="new-turn"))


@pytest.mark.rule("MM-211")
def test_a_side_with_nobody_on_the_table_gets_a_marker_where_no_enemy_is() -> None:
    alone = unit("br", "british", at=(914, 1100))
    pef = unit("pef", "french", type="pef", number=1, at=(300, 600), weapon="none")
    # Section 2, the far middle, is full of British: the nearest empty one is taken.
    played = resolve(scene(alone, pef), [3, 4, 1, 1, 2], action="new-turn")
    assert event(played, "pef")["section"] != 2
    assert "entry" not in names(played)


@pytest.mark.rule("MM-204")
def test_indians_that_have_left_the_war_do_not_come() -> None:
    levels = {**LEVELS, "french": {**LEVELS["french"], "allies": {"french-indians": 0}}}
    played = resolve(scene(campaign=levels), [3, 4, 1, 6, 1], action="new-turn")
    assert event(played, "reinforcements")["arrive"] == []


@pytest.mark.rule("MM-232")
def test_on_a_scout_only_the_enemy_is_reinforced() -> None:
    assert "reinforcements" not in names(resolve(scene(encounter="scout"), [4, 3], action="new-turn"))


HOUSE = wood("house", 800, 400, 952.4, 502.4, kind="building", length_in=20)


@pytest.mark.rule("MM-176", "MM-177")
@pytest.mark.parametrize(
    ("dice", "result", "fire"), [([4, 4], "started", 2), ([4, 5], "smouldering", 0), ([5, 5], "nothing", 0)]
)
def test_starting_a_fire(dice: list[int], result: str, fire: int) -> None:
    near = unit("br", "british", number=1, at=(850, 387.5), state={"start_strength": 1})
    played = resolve(scene(near, terrain=[HOUSE]), dice, action="start-fire", unit="br", building="house")
    assert event(played, "start-fire")["result"] == result
    house = played["game"]["terrain"][0]
    assert (house["fire_in"], house["hole_in"], house["smouldering"]) == (fire, fire, result == "smouldering")


@pytest.mark.rule("MM-177", "MM-176", "MM-178")
def test_fires_spread_before_the_turn_s_dice_and_smouldering_houses_catch() -> None:
    burning = {**HOUSE, "fire_in": 8, "hole_in": 8}
    other = wood("shed", 1200, 400, 1300, 500, kind="building", smouldering=True)
    played = resolve(scene(terrain=[burning, other]), [3, 1, 2], action="new-turn")
    spread = event(played, "fire-spread", building="house")
    assert (spread["side"], spread["fire_in"], spread["abandon"]) == ("left", 10, True)
    assert event(played, "fire-spread", building="shed")["fire_in"] == 2
    assert played["rolls"][0]["for"].startswith("the fire in house")


@pytest.mark.rule("MM-114")
def test_in_terrible_weather_no_fire_burns() -> None:
    burning = {**HOUSE, "fire_in": 4}
    played = resolve(scene(terrain=[burning], weather="inclement", weather_level=1), [1, 2], action="new-turn")
    assert "fire-spread" not in names(played)


def marker(**more: Any) -> Plain:
    return unit("pef", "french", type="pef", number=1, weapon="none", **{"at": (900, 1000), "facing": 180, **more})


@pytest.mark.rule("MM-219", "MM-180")
def test_three_markers_are_put_into_sections() -> None:
    played = resolve(scene(), [1, 5, 5], action="pef-generate", side="french")
    assert [one["section"] for one in played["events"]] == [1, 5, 5]
    # Section 1 is at the far left as the player sees it.
    assert (played["events"][0]["x_mm"], played["events"][0]["y_mm"]) == (pytest.approx(304.8), pytest.approx(1016))


@pytest.mark.rule("MM-219")
def test_a_marker_is_put_where_terrain_hides_it_from_the_player() -> None:
    # Section 5 is the middle; the British stand south of it, and a house stands in its southern half.
    house = wood("house", 850, 480, 980, 560, kind="building")
    british = unit("br", "british", number=1, at=(914, 100))
    spot = resolve(scene(british, terrain=[house]), [5, 5, 5], action="pef-generate", side="french")["events"][0]
    assert spot["y_mm"] > 560
    assert abs(spot["x_mm"] - 914.4) < 130
    openly = resolve(scene(british), [5, 5, 5], action="pef-generate", side="french")["events"][0]
    assert (openly["x_mm"], openly["y_mm"]) == (pytest.approx(914.4), pytest.approx(609.6))


@pytest.mark.rule("MM-199")
def test_in_winter_irregulars_come_in_the_place_of_regulars() -> None:
    played = resolve(scene(month=12), [3, 4, 1, 6, 5, 3, 1], action="new-turn")
    assert event(played, "reinforcements")["arrive"] == [line("irregular")]


@pytest.mark.rule("MM-221", "MM-220")
@pytest.mark.parametrize(
    ("others", "dice", "result", "inches"),
    [
        (False, [1, 1, 2], "split", 0),
        (False, [1, 1, 3], "toward-enemy", 16),
        (False, [1, 4, 1], "split", 0),
        (False, [1, 4, 2], "toward-enemy", 8),
        (True, [1, 1, 2], "toward-pef", 16),
        (True, [1, 1, 3], "toward-enemy", 16),
        (True, [1, 4, 3], "toward-pef", 8),
        (True, [1, 4, 4], "toward-enemy", 8),
        (True, [4, 4], "stay", 0),
    ],
)
def test_how_a_marker_moves(others: bool, dice: list[int], result: str, inches: float) -> None:
    more = [unit("pef-2", "french", type="pef", number=1, weapon="none", at=(200, 1000))] if others else []
    start = scene(unit("br", "british", at=(900, 100)), marker(), *more)
    seen = event(resolve(start, dice, action="pef-move", unit="pef"), "pef-move")
    assert (seen["result"], seen["distance_mm"]) == (result, pytest.approx(inches * INCH))
    assert seen["moved_mm"] == pytest.approx(inches * INCH, abs=0.01)
    assert seen["halted"] is False


@pytest.mark.rule("MM-221")
def test_a_marker_stops_four_inches_short_of_another() -> None:
    near = unit("pef-2", "french", type="pef", number=1, weapon="none", at=(700, 1000))
    start = scene(unit("br", "british", at=(900, 100)), marker(), near)
    seen = event(resolve(start, [1, 1, 1], action="pef-move", unit="pef"), "pef-move")
    assert seen["moved_mm"] == pytest.approx(175 - 4 * INCH)


def spots(played: Plain) -> list[tuple[float, float]]:
    markers = (one["figures"][0] for one in played["game"]["units"] if one["type"] == "pef")
    return [(round(one["x_mm"], 6), round(one["y_mm"], 6)) for one in markers]


@pytest.mark.rule("MM-219")
def test_markers_stand_on_the_spots_that_hide_them_each_on_one_of_its_own() -> None:
    # A house 60 mm wide in the middle of section 5 hides little: a strip behind it, and only for a marker that
    # stands there to the millimetre.
    house: Plain = {"id": "h", "kind": "building", "polygon_mm": [[885, 560], [945, 560], [945, 600], [885, 600]]}
    player = scene(unit("br", "british", at=(914.4, 100), number=1), terrain=[house], player_side="british")
    played = resolve(player, [5, 5, 5], action="pef-generate", side="french")
    told = [(round(one["x_mm"], 6), round(one["y_mm"], 6)) for one in played["events"] if one["event"] == "pef"]
    assert spots(played) == told
    assert len(set(told)) == 3
    assert all(y > 600 and abs(x - 914.4) < (y - 100) / 460 * 30 for x, y in told)


@pytest.mark.rule("MM-234", "MM-235", "MM-219")
@pytest.mark.parametrize(
    ("encounter", "territory", "sections", "far"),
    [
        ("raid-defend", "controlling", [7, 8, 9], True),
        ("stand-up-fight", "controlling", [7, 8, 9], True),
        ("stand-up-fight", "contesting", [1, 2, 3], True),
        ("raid-attack", "contesting", [1, 4, 5], False),
    ],
)
def test_markers_come_to_the_end_that_their_encounter_gives_them(
    encounter: str, territory: str, sections: list[int], far: bool
) -> None:
    """Who defends holds sections 1 to 3, and the enemy enters by the far end, 7 to 9."""
    levels = {**LEVELS, "british": {**LEVELS["british"], "territory": territory}}
    start = scene(campaign=levels, encounter=encounter, player_side="british")
    played = resolve(start, [1, 4, 5], action="pef-generate", side="french")
    assert [one["section"] for one in played["events"]] == sections
    assert all(y > 812 for _, y in spots(played)) is far


@pytest.mark.rule("MM-219")
def test_where_nothing_hides_it_a_marker_stands_in_the_middle_of_its_section_not_in_a_river_beside_it() -> None:
    river: Plain = {"id": "r", "kind": "river", "polygon_mm": [[0, 620], [1828, 620], [1828, 700], [0, 700]]}
    played = resolve(scene(terrain=[river], player_side="british"), [5, 1, 2], action="pef-generate", side="french")
    assert spots(played) == [(914.4, 609.6), (304.8, 1016), (914.4, 1016)]


@pytest.mark.rule("MM-224", "muskets-mohawks R-40")
def test_who_stood_under_a_marker_stands_where_it_stood_centred() -> None:
    start = scene(unit("br", "british", at=(900, 100)), marker(at=(900, 700)), player_side="british")
    played = resolve(start, [2, 2, 1, 2], action="pef-resolve", unit="pef")
    figures = next(one for one in played["game"]["units"] if one["side"] == "french")["figures"]
    for axis, middle in (("x_mm", 900), ("y_mm", 700)):
        assert sum(one[axis] for one in figures) / len(figures) == pytest.approx(middle)


@pytest.mark.rule("MM-222", "muskets-mohawks R-08")
@pytest.mark.parametrize("kind", ["wall", "fieldworks", "crest"])
def test_a_marker_halts_behind_a_wall_works_or_a_crest_from_which_it_sees_an_enemy_in_range(kind: str) -> None:
    # From (900, 1000) it goes for the enemy at (900, 300): 20 mm of wall lie on its way at y 600.
    across: Plain = {"id": "low", "kind": kind, "polygon_mm": [[600, 580], [1200, 580], [1200, 600], [600, 600]]}
    if kind == "crest":
        hill = [[600, 500], [1200, 500], [1200, 700], [600, 700]]
        across = {"id": "low", "kind": "hill", "polygon_mm": hill, "crest_mm": [[600, 600], [1200, 600]]}
    enemy = unit("br", "british", at=(900, 300), number=1)
    halts = event(
        resolve(scene(enemy, marker(at=(900, 1000)), terrain=[across]), [1, 1, 6], action="pef-move", unit="pef"),
        "pef-move",
    )
    near = 12.5 + (3 if kind == "crest" else INCH)
    assert halts["halted"] is True
    assert halts["moved_mm"] == pytest.approx(400 - near, abs=1.1)
    far = unit("br", "british", at=(900, 100), number=1)
    goes_on = event(
        resolve(scene(far, marker(at=(900, 1000)), terrain=[across]), [1, 1, 6], action="pef-move", unit="pef"),
        "pef-move",
    )
    assert (goes_on["halted"], goes_on["moved_mm"]) == (False, pytest.approx(16 * INCH))


@pytest.mark.rule("MM-224", "MM-225", "MM-223", "R-41")
def test_page_30_a_platoon_in_defensive_positions() -> None:
    levels = {
        "british": {**LEVELS["british"], "territory": "contesting"},
        "french": {**LEVELS["french"], "army": "british"},
    }
    start = scene(unit("br", "british", at=(900, 100)), marker(), campaign=levels)
    # Level 3, contesting 4: 3 and 2 pass both; 5 defensive; 6 + 3 = 9: a platoon; lengths 3 and 1; kinds 1 and 6.
    played = resolve(start, [3, 2, 5, 6, 3, 1, 1, 6], action="pef-resolve", unit="pef")
    seen = event(played, "pef-resolve")
    assert (seen["passed"], seen["total"], seen["defensive"]) == (2, 9, True)
    assert seen["arrive"] == [line("regular", "platoon")]
    positions = [one for one in played["events"] if one["event"] == "position"]
    assert [(one["length_in"], one["kind"], one["dv"]) for one in positions] == [
        (8, "building", 1),
        (7, "fieldworks", 2),
    ]
    assert all(one["id"] != "pef" for one in played["game"]["units"])


@pytest.mark.rule("MM-224", "R-40", "MM-217")
def test_page_30_resolved_on_the_entry_table() -> None:
    levels = {**LEVELS, "french": {**LEVELS["french"], "army": "british", "investment_level": 4}}
    start = scene(unit("br", "british", at=(900, 100)), marker(), campaign=levels)
    played = resolve(start, [4, 2, 3, 5, 3, 6], action="pef-resolve", unit="pef", entry="entry-table")
    assert event(played, "pef-resolve")["total"] == 9
    assert event(played, "entry")["result"] == 3


@pytest.mark.rule("MM-224", "R-41")
@pytest.mark.parametrize(("territory", "passed"), [("controlling", 0), (None, 1), ("contesting", 2)])
def test_the_player_s_hold_changes_the_level(territory: str | None, passed: int) -> None:
    levels = {**LEVELS, "british": {**LEVELS["british"], "territory": territory}}
    start = scene(unit("br", "british", at=(900, 100)), marker(), campaign=levels)
    dice = {0: [3, 4], 1: [3, 4, 1], 2: [3, 4, 1, 1]}[passed]
    played = resolve(start, dice, action="pef-resolve", unit="pef")
    assert event(played, "pef-resolve")["passed"] == passed


def enemy(**more: Any) -> Plain:
    return unit("np", "french", **{"number": 4, "at": (900, 900), "facing": 180, **more})


ORDERS = [
    # unit, tactics, distance in inches, terrain, dice, order, row
    ({}, "attack", 14, [], [4, 4], "fire", "MM-229"),
    ({}, "attack", 25, [], [4, 4], "advance", "MM-229"),
    ({}, "attack", 14, [], [4, 5], "fire", "MM-229"),
    ({}, "attack", 25, [], [4, 5], "hold", "MM-229"),
    ({}, "attack", 14, [], [5, 5], "retire", "MM-229"),
    ({}, "attack", 12, [], [], "charge", "R-54"),
    ({"state": {"start_strength": 4, "reload_markers": 1}}, "attack", 12, [], [4, 4], "fire", "R-54"),
    ({"type": "cavalry", "weapon": "sword"}, "attack", 16, [], [4, 4], "charge", "R-63"),
    ({"type": "cavalry", "weapon": "sword"}, "attack", 25, [], [4, 4], "encircle", "R-63"),
    ({}, "defend", 14, [], [4, 4], "stand-and-fire", "MM-230"),
    ({"type": "irregular"}, "defend", 14, [], [4, 4], "prone-and-fire", "MM-230"),
    ({}, "defend", 14, [wood("w", 500, 880, 1300, 1000)], [4, 4, 6], "cover-and-fire", "MM-230"),
    ({}, "defend", 14, [wood("w", 500, 940, 1300, 1100)], [4, 4], "cover-and-fire", "MM-259"),
    ({}, "defend", 14, [wood("w", 500, 940, 1300, 1100)], [4, 5], "stand-and-fire", "MM-230"),
    ({"type": "cavalry", "weapon": "sword"}, "defend", 14, [], [4, 4], "encircle", "MM-230"),
    ({"type": "cavalry", "weapon": "sword"}, "defend", 14, [], [4, 5], "hold", "MM-230"),
    ({"type": "cavalry", "weapon": "sword"}, "defend", 14, [], [5, 5], "retire", "MM-230"),
    ({"leader": None}, "defend", 14, [], [], "stand-and-fire", "R-63"),
]


@pytest.mark.parametrize(
    ("keys", "tactics", "inches", "terrain", "dice", "order"),
    [pytest.param(*row[:6], marks=pytest.mark.rule(row[6])) for row in ORDERS],
)
def test_orders_of_the_enemy_that_nobody_plays(
    keys: Plain, tactics: str, inches: float, terrain: list[Plain], dice: list[int], order: str
) -> None:
    foe = unit("br", "british", number=4, at=(900, 875 - inches * INCH))
    start = scene(foe, enemy(**keys), terrain=terrain)
    assert event(resolve(start, dice, action="np-move", unit="np", tactics=tactics), "np-order")["order"] == order


@pytest.mark.rule("MM-230", "R-63")
@pytest.mark.parametrize(("die", "side"), [(3, "left"), (4, "right")])
def test_foot_with_twice_the_number_splits(die: int, side: str) -> None:
    start = scene(unit("br", "british", number=2, at=(900, 400)), enemy())
    seen = event(resolve(start, [4, 4, 6, die], action="np-move", unit="np", tactics="defend"), "np-order")
    assert (seen["order"], seen["side"]) == ("split", side)


@pytest.mark.rule("MM-226")
def test_without_tactics_there_is_no_order() -> None:
    with pytest.raises(ActionRefused, match="tactics"):
        resolve(scene(unit("br", "british"), enemy()), [], action="np-move", unit="np")
    start = scene(unit("br", "british", number=4, at=(900, 100)), enemy(), encounter="raid-attack")
    assert event(resolve(start, [5, 5], action="np-move", unit="np"), "np-order")["order"] == "stand-and-fire"


@pytest.mark.rule("MM-226", "MM-235")
@pytest.mark.parametrize("action", ["np-move", "np-play"])
@pytest.mark.parametrize(
    ("conditions", "order"),
    [
        ({"encounter": "stand-up-fight", "campaign": {"british": {"territory": "contesting"}}}, "stand-and-fire"),
        ({"encounter": "stand-up-fight", "campaign": {"british": {"territory": "controlling"}}}, "retire"),
        ({"encounter": "stand-up-fight", "evening": {"attacker": "french"}}, "retire"),
        ({"encounter": "scout", "evening": {"theirs": "raid-attack"}}, "retire"),
        ({"encounter": "scout", "evening": {"theirs": "raid-defend"}}, "stand-and-fire"),
    ],
)
def test_the_enemy_defends_against_who_attacks_and_attacks_who_defends(
    action: str, conditions: Plain, order: str
) -> None:
    foe = unit("br", "british", number=4, at=(900, 875 - 20 * INCH))
    start = scene(foe, enemy(), player_side="british", **conditions)
    assert event(resolve(start, [5, 5], action=action, unit="np"), "np-order")["order"] == order


@pytest.mark.rule("MM-228")
@pytest.mark.parametrize(
    ("number", "dice", "order", "tactics"),
    [
        (4, [3, 3], "defend-then-scout", "defend"),
        (4, [3, 4], "defend-then-withdraw", "defend"),
        (4, [4, 4], "withdraw", "withdraw"),
        (2, [4, 4, 3], "defend-then-withdraw", "defend"),
    ],
)
def test_enemy_scouts_that_meet_the_player(number: int, dice: list[int], order: str, tactics: str) -> None:
    start = scene(unit("br", "british", number=number), enemy(state={"tactics": "scout"}))
    played = resolve(start, dice, action="np-scout", side="french")
    assert event(played, "np-scout")["order"] == order
    assert after(played, "np")["state"]["tactics"] == tactics


@pytest.mark.rule("MM-04", "MM-181", "MM-182", "MM-183", "MM-184")
@pytest.mark.parametrize(
    ("kind", "terrains"),
    [
        ("clear", ["hill", "clear", "hill", "clear", "road", "hill", "clear", "woods", "clear"]),
        (
            "hilly",
            ["hill", "wooded-hill", "clear", "road-over-hill", "hill", "hill", "wooded-hill", "hill", "clear"],
        ),
        (
            "wooded",
            [
                "woods",
                "woods",
                "wooded-hill",
                "road-through-woods",
                "clear",
                "woods",
                "woods",
                "wooded-hill",
                "clear",
            ],
        ),
    ],
)
def test_terrain_of_the_nine_sections(kind: str, terrains: list[str]) -> None:
    sections = [die for total in range(2, 11) for die in ((1, total - 1) if total <= 7 else (6, total - 6))]
    features = {
        "clear": [1, 3, 1, 5, 4],  # section 4: one building; section 5: one building and a road
        "hilly": [1, 3, 4],  # section 3: one building; section 4: a road
        "wooded": [4],
    }[kind]
    played = resolve(scene(), [*sections, *features], action="terrain", type=kind)
    found = [one["terrain"] for one in played["events"] if one["event"] == "section"]
    assert found == terrains
    assert played["game"]["conditions"]["overall_terrain"] == kind


@pytest.mark.rule("MM-188", "MM-190", "MM-191", "MM-192", "MM-193", "MM-185")
@pytest.mark.parametrize(
    ("dice", "feature"),
    [
        ([4, 3, 3], {"kind": "creek", "width_in": 2, "direction": "lengthwise"}),
        ([5, 6, 4, 2], {"kind": "river", "width_in": 7, "direction": "widthwise", "crossing": "bridge"}),
        ([5, 1, 4, 3, 5], {"kind": "river", "width_in": 5, "crossing": "one-ford", "ford_width_in": [4]}),
        (
            [6, 1, 4, 6, 1, 3, 1, 2, 1, 5],
            {"crossing": "two-fords", "ford_width_in": [2, 3], "ford_sections": [1, 3]},
        ),
    ],
)
def test_rivers_and_creeks(dice: list[int], feature: Plain) -> None:
    # Section 1 rolls 11, all others 12: woods.
    sections = [5, 6] + [6, 6] * 8
    played = resolve(scene(), [6, *sections, *dice], action="terrain")
    seen = event(played, "feature")
    assert {key: seen[key] for key in feature} == feature
    assert seen["section"] == 1


@pytest.mark.rule("MM-192")
def test_a_river_in_the_middle_is_a_lake_whose_width_and_direction_are_rolled() -> None:
    # Of the river's dice the table of dice leaves out the kind alone in section 5, and a lake is not crossed.
    sections = [6, 6] * 4 + [5, 6] + [6, 6] * 4
    played = resolve(scene(), [*sections, 6, 4], action="terrain", type="wooded")
    lake = {"section": 5, "kind": "lake", "direction": "widthwise", "width_in": 7}
    assert event(played, "feature").items() >= lake.items()


@pytest.mark.rule("MM-219", "MM-221")
def test_markers_are_put_on_the_table_and_split_there() -> None:
    played = resolve(scene(), [1, 1, 5], action="pef-generate", side="french")
    markers = [one for one in played["game"]["units"] if one["type"] == "pef"]
    assert [one["id"] for one in markers] == ["french-pef-1", "french-pef-2", "french-pef-3"]
    assert len({(one["figures"][0]["x_mm"], one["figures"][0]["y_mm"]) for one in markers}) == 3
    alone = scene(unit("br", "british", at=(900, 100)), marker())
    split = resolve(alone, [1, 1, 2], action="pef-move", unit="pef")["game"]["units"]
    assert [one["id"] for one in split if one["type"] == "pef"] == ["pef", "french-pef-1"]


@pytest.mark.rule("MM-224", "MM-261", "MM-216")
def test_who_is_found_is_put_on_the_table_facing_the_player() -> None:
    levels = {**LEVELS, "french": {**LEVELS["french"], "army": "british"}}
    start = scene(unit("br", "british", at=(900, 100)), marker(), campaign=levels)
    played = resolve(start, [1, 1, 1, 6], action="pef-resolve", unit="pef")
    assert event(played, "pef-resolve")["arrive"] == [line("regular", "platoon")]
    assert event(played, "arrived")["units"] == ["french-regular-1", "french-regular-2", "french-leader-1"]
    for one in played["game"]["units"][1:]:
        assert len(one["figures"]) == (1 if one["type"] == "leader" else 10)
        assert all(abs(figure["bearing_deg"] - 180) < 45 for figure in one["figures"])
        assert min(figure["y_mm"] for figure in one["figures"]) > 800


@pytest.mark.rule("MM-216", "MM-261")
def test_reinforcements_stand_where_they_enter_with_the_lieutenant_of_their_platoon() -> None:
    start = scene(unit("br", "british", at=(900, 100)), unit("fr", "french", at=(900, 1100), facing=180))
    played = resolve(start, [1, 6, 1, 6, 5, 3, 2], action="new-turn")
    assert event(played, "reinforcements")["arrive"] == [line("regular", lieutenant=True)]
    assert event(played, "arrived")["units"] == ["french-regular-1", "french-leader-1"]
    x, y = (event(played, "entry")[key] for key in ("x_mm", "y_mm"))
    come = next(one for one in played["game"]["units"] if one["id"] == "french-regular-1")
    assert min(abs(figure["x_mm"] - x) + abs(figure["y_mm"] - y) for figure in come["figures"]) < 150


@pytest.mark.rule("MM-34")
@pytest.mark.parametrize(
    ("army", "die", "units", "rank"),
    [
        ("british", 5, ["french-regular-1", "french-regular-2", "french-leader-1"], "lieutenant"),
        ("french-indians", 3, ["french-indian-1", "french-indian-2"], None),
        ("french-indians", 6, [*(f"french-indian-{n}" for n in (1, 2, 3, 4)), "french-leader-1"], "war-chief"),
    ],
    ids=["a platoon", "a war party", "two war parties"],
)
def test_a_platoon_comes_with_its_lieutenant_and_two_war_parties_with_their_chief(
    army: str, die: int, units: list[str], rank: str | None
) -> None:
    levels = {**LEVELS, "french": {**LEVELS["french"], "army": army}}
    both = (unit("br", "british", at=(900, 100)), unit("fr", "french", at=(900, 1100), facing=180))
    played = resolve(scene(*both, campaign=levels), [1, 6, 1, 1, die, 4, 2], action="new-turn")
    assert event(played, "arrived")["units"] == units
    leaders = [one["stats"]["rank"] for one in played["game"]["units"] if one["type"] == "leader"]
    assert leaders == ([] if rank is None else [rank])
