"""What changes the value of a shot, at the firer, on the way and at the target."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.musket_pike.scene import Json, case, game, ground, hexside, shot, unit

CASE = pytest.mark.rule
TARGET = unit("b", (5, 4))


def fire_value(of: Any, name: str = "a", target: str = "b", mode: str = "direct") -> float:
    """The effective value of a shot."""
    roll = shot(of, name, target, mode).roll
    assert roll is not None
    value: float = roll.extra["fire_value"]
    return value


@CASE("MP-162", "MP-163", "MP-270")
def test_the_manuals_musketeers_340_men_at_one_hex() -> None:
    roll = shot(game(unit("a", (4, 4), stats={"strength": 340}), TARGET)).roll
    assert roll is not None
    told = roll.extra
    assert (told["men"], told["rating"], told["base_value"], told["fire_value"]) == (340, 6, 2040, 2040)
    assert (told["low"], told["high"]) == (pytest.approx(8.16), pytest.approx(40.8))
    assert (told["loss_low"], told["loss_high"]) == (pytest.approx(8.16), pytest.approx(40.8))
    assert told["loss_mean"] == pytest.approx(24.48)


@CASE("MP-128", "MP-164")
@pytest.mark.parametrize(("armor", "rating", "share"), [(0, 6, 1.0), (1, 4, 0.9), (2, 4, 0.8), (10, 4, 0.0)])
def test_armour_meets_the_hard_rating_and_takes_tenths_off(armor: int, rating: float, share: float) -> None:
    roll = shot(game(unit("a", (4, 4)), unit("b", (5, 4), stats={"armor": armor}))).roll
    assert roll is not None
    assert (roll.extra["rating"], roll.extra["armor_factor"]) == (rating, pytest.approx(share))
    assert roll.extra["loss_high"] == pytest.approx(roll.extra["high"] * share)


# a musket line of 400 at one hex has 2400
FIRER = [
    case(2880, "MP-140", "quality A", {"stats": {"quality": "A"}}),
    case(2880, "MP-140", "quality A+++", {"stats": {"quality": "A+++"}}),
    case(2400, "MP-140", "quality B", {"stats": {"quality": "B"}}),
    case(2400, "MP-140", "quality D", {"stats": {"quality": "D"}}),
    case(1920, "MP-140", "quality E", {"stats": {"quality": "E"}}),
    case(1920, "MP-140", "quality F", {"stats": {"quality": "F"}}),
    case(1200, "MP-141", "disordered", {"disordered": True}),
    case(1200, "MP-142", "column", {"formation": "column"}),
    case(
        600,
        "MP-142",
        "a nation's own column fire",
        {"formation": "column"},
        parameters={"nations": {"a": {"column_fire_percent": 25}}},
    ),
    case(3600, "MP-143", "two ranks", {"stats": {"attributes": ["two-rank"]}}),
    case(
        3600, "MP-143", "two ranks extended", {"stats": {"attributes": ["two-rank"]}, "formation": "extended-line"}
    ),
    case(
        1800,
        "MP-144",
        "two ranks shortened",
        {"stats": {"attributes": ["two-rank"]}, "formation": "shortened-line"},
    ),
    case(2400, "MP-29", "shortened line", {"formation": "shortened-line"}),
    case(1800, "MP-145", "skirmishers", {"kind": "skirmisher"}),
    case(2400, "MP-146", "6 guns are 300 men", {"kind": "artillery"}),
    case(3000, "MP-27", "a ship's guns", {"kind": "ship"}),
    case(2400, "MP-147", "fatigue 299", {"fatigue": 299}),
    case(2160, "MP-147", "fatigue 300", {"fatigue": 300}),
    case(2160, "MP-147", "fatigue 599", {"fatigue": 599}),
    case(1920, "MP-147", "fatigue 600", {"fatigue": 600}),
    case(1920, "MP-147", "fatigue 899", {"fatigue": 899}),
    case(1440, "MP-147", "fatigue 900", {"fatigue": 900}),
    case(1200, "MP-148", "moved", {"moved": True}),
    case(2400, "MP-148", "defends", {"moved": True}, active="b", mode="phases"),
    case(1200, ("MP-149", "MP-11"), "opportunity fire", active="b"),
    case(2400, "MP-22", "riders with guns", {"weapon": "musket", "kind": "cavalry"}),
    case(
        1200,
        "MP-22",
        "dragoons on foot",
        {"kind": "cavalry", "formation": "dismounted", "weapon": "carbine", "stats": {"attributes": ["dragoon"]}},
    ),
    case(
        480,
        ("MP-162", "musket-pike R3"),
        "percents are summed, factors multiplied",
        {"stats": {"quality": "E"}, "fatigue": 900, "disordered": True},
    ),
    case(
        1152,
        "musket-pike R3",
        "percents as factors by option",
        {"stats": {"quality": "E"}, "fatigue": 900},
        options={"modifiers_combine": "multiplicative"},
    ),
]


@pytest.mark.parametrize(("value", "made", "conditions"), FIRER)
def test_what_the_firer_is_worth(value: float, made: Json, conditions: Json) -> None:
    of = game(unit("a", (4, 4), **made), TARGET, **conditions)
    option = shot(of)
    assert fire_value(of) == pytest.approx(value)
    assert option.roll is not None
    percents = [one.extra["percent"] for one in option.modifiers if "percent" in one.extra]
    assert option.roll.extra["percent"] == pytest.approx(sum(percents))
    assert 0 not in percents
    assert 1 not in [modifier.extra.get("factor") for modifier in option.modifiers]


@CASE("MP-146", "MP-87")
def test_captured_guns_fire_at_half_value_for_their_captor() -> None:
    of = game(unit("b-guns", (4, 4), "artillery", facing="R", captured_by="a"), unit("a", (4, 4)), TARGET)
    assert fire_value(of, "b-guns") == 1200


# at a target of 400 next to it; g: 6 guns, c: riders with muskets
TARGETS = [
    case((3000, "a"), "MP-155", "muskets at a column", {"formation": "column"}),
    case((3000, "a"), "MP-155", "muskets at a block", {"formation": "block"}),
    case((3600, "g"), "MP-155", "guns at a column", {"formation": "column"}),
    case((3600, "g"), "MP-155", "guns at a block", {"formation": "block"}),
    case((2400, "g"), "MP-155", "guns at a line"),
    case((2400, "c"), "MP-155", "riders at a column", {"formation": "column"}),
    case((3360, "a"), "MP-153", "a line from behind", {"facing": "R"}),
    case((3360, "a"), "MP-153", "a short line", {"formation": "shortened-line", "facing": "R"}),
    case((3360, "a"), "MP-153", "a line from the flank", {"facing": "UL"}),
    case((3000, "a"), "MP-153", "a column from behind", {"formation": "column", "facing": "R"}),
    case(
        (3360, "a"),
        "MP-153",
        "dragoons on foot from behind",
        {"kind": "cavalry", "formation": "dismounted", "stats": {"attributes": ["dragoon"]}, "facing": "R"},
    ),
    case((4800, "a"), "MP-154", "a wagon", {"kind": "supply-wagon"}),
    case((2880, "a"), "MP-156", "riders", {"kind": "cavalry"}),
    case((3600, "a"), "MP-157", "limbered guns", {"kind": "artillery", "formation": "limbered"}),
    case((2400, "a"), "MP-157", "guns in action", {"kind": "artillery"}),
    case((600, "a"), "MP-158", "200 skirmishers", {"kind": "skirmisher", "stats": {"strength": 200}}),
    case((2400, "a"), "MP-158", "201 skirmishers", {"kind": "skirmisher", "stats": {"strength": 201}}),
    case(
        (3000, "a"),
        "MP-159",
        "1500 men, with the option",
        {"stats": {"strength": 1500}},
        options={"target_density": True},
    ),
    case(
        (2400, "a"),
        "MP-159",
        "1200 men, with the option",
        {"stats": {"strength": 1200}},
        options={"target_density": True},
    ),
    case((2400, "a"), "MP-159", "1500 men", {"stats": {"strength": 1500}}),
]


@pytest.mark.parametrize(("expected", "made", "conditions"), TARGETS)
def test_what_the_target_changes(expected: tuple[float, str], made: Json, conditions: Json) -> None:
    value, firer = expected
    kind = {"a": "infantry", "g": "artillery", "c": "cavalry"}[firer]
    weapon = "musket" if firer == "c" else None
    of = game(unit("a", (4, 4), kind, weapon=weapon), unit("b", (5, 4), **made), **conditions)
    assert fire_value(of) == pytest.approx(value)


@CASE("MP-158")
def test_skirmishers_are_hit_like_others_where_many_stand_with_them() -> None:
    light = unit("b", (5, 4), "skirmisher", stats={"strength": 100})
    assert fire_value(game(unit("a", (4, 4)), light, unit("b2", (5, 4), stats={"strength": 100}))) == 600
    assert fire_value(game(unit("a", (4, 4)), light, unit("b2", (5, 4), stats={"strength": 101}))) == 2400
    assert fire_value(game(unit("a", (4, 4)), light, unit("b2", (5, 4), "leader"))) == 600


@CASE("MP-156")
@pytest.mark.parametrize(("hexes", "percent"), [(6, 20), (7, 10), (12, 10), (13, 0)])
def test_riders_are_easier_to_hit_up_to_12_hexes(hexes: int, percent: float) -> None:
    battery = unit("a", (4, 1), "artillery", weapon="12-pounder", facing="UR")
    roll = shot(game(battery, unit("b", (4, 1 + hexes), "cavalry"))).roll
    assert roll is not None
    assert roll.extra["percent"] == percent


COVER: list[Any] = [
    (ground("building", (5, 4)), "infantry", 2400, "MP-151"),
    (ground("building", (5, 4)), "skirmisher", 1920, "MP-151"),
    (ground("rough", (5, 4)), "infantry", 2400, "MP-151"),
    (ground("rough", (5, 4)), "skirmisher", 1920, "MP-151"),
    (ground("chateau", (5, 4)), "infantry", 1440, "musket-pike R10"),
    (ground("forest", (5, 4)), "infantry", 1920, "MP-151"),
    (ground("orchard", (5, 4)), "infantry", 2160, "MP-151"),
    (ground("marsh", (5, 4)), "infantry", 2400, "MP-151"),
    (ground("abatis", (5, 4)), "infantry", 2160, "MP-56"),
    (ground("trench", (5, 4)), "infantry", 1680, "MP-57"),
    (ground("elevation", (5, 4), level=1), "infantry", 2160, "MP-152"),
    (ground("elevation", (5, 4), level=2), "infantry", 1920, "MP-152"),
    (ground("elevation", (5, 4), level=5), "infantry", 1920, "MP-152"),
    (ground("elevation", (4, 4), level=2), "infantry", 2400, "MP-152"),
    (hexside("hedge", 4, 4, "NE"), "infantry", 2160, "MP-150"),
    (hexside("hedge", 5, 4, "SW"), "infantry", 2160, "MP-150"),
    (hexside("stone-wall", 4, 4, "NE"), "infantry", 1920, "MP-150"),
    (hexside("fort", 4, 4, "NE"), "infantry", 1440, "MP-150"),
    (hexside("stream", 4, 4, "NE"), "infantry", 2400, "MP-150"),
    (hexside("hedge", 4, 4, "N"), "infantry", 2400, "MP-150"),
]


@pytest.mark.parametrize(
    ("piece", "kind", "value"),
    [pytest.param(*case[:3], marks=CASE(case[3]), id=f"{case[0]['id']}-{case[1]}") for case in COVER],
)
def test_what_the_targets_place_takes_off(piece: Json, kind: str, value: float) -> None:
    of = game(unit("a", (4, 4)), unit("b", (5, 4), kind), terrain=[piece])
    assert fire_value(of) == pytest.approx(value)


@CASE("MP-150")
def test_who_has_moved_has_no_cover_of_a_hexside_and_two_kinds_add_up() -> None:
    sides = [hexside("hedge", 4, 4, "NE"), hexside("embankment", 5, 4, "SW")]
    assert fire_value(game(unit("a", (4, 4)), TARGET, terrain=sides)) == pytest.approx(1680)
    assert fire_value(game(unit("a", (4, 4)), unit("b", (5, 4), moved=True), terrain=sides)) == 2400


@CASE("MP-150")
def test_a_line_that_comes_in_by_a_corner_gives_the_smaller_cover() -> None:
    # from [4, 4] to [6, 4] the line runs along the side between [5, 3] and [5, 4]
    both = [hexside("stone-wall", 5, 3, "NE"), hexside("hedge", 5, 4, "SE")]
    battery = unit("a", (4, 4), "artillery")
    assert fire_value(game(battery, unit("b", (6, 4)), terrain=both)) == pytest.approx(300 * 6 * 0.9)
    assert fire_value(game(battery, unit("b", (6, 4)), terrain=both[:1])) == 300 * 6


@CASE("MP-161", "MP-276")
@pytest.mark.parametrize(
    ("weather", "hexes", "percent"), [("soft", 4, 0), ("soft", 5, -10), ("mud", 5, -20), ("clear", 5, 0)]
)
def test_wet_ground_swallows_far_shots(weather: str, hexes: int, percent: float) -> None:
    of = game(unit("a", (4, 4), "artillery", facing="UR"), unit("b", (4, 4 + hexes), facing="DL"), weather=weather)
    roll = shot(of).roll
    assert roll is not None
    assert roll.extra["percent"] == percent
