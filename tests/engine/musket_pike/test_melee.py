"""Melee as the players ask for it: who may attack what, and the strengths of both sides."""

from __future__ import annotations

from typing import Any

import pytest

from engine.records.answer import ChargeOption
from tests.engine.musket_pike.scene import Json, attack, case, game, ground, hexside, unit

CASE = pytest.mark.rule

#: A line of 400 beside a line of 400; both have fired, so that neither bonus for fire counts.
A, B = unit("a", (4, 4), fired=True), unit("b", (5, 4), fired=True)


def strengths(option: ChargeOption) -> tuple[float, float]:
    """Attack and defence."""
    assert option.roll is not None
    told = option.roll.extra
    return round(told["attack_strength"], 6), round(told["defence_strength"], 6)


@CASE("MP-176", "MP-198")
def test_the_manuals_450_against_230() -> None:
    of = game(
        unit("a", (4, 4), stats={"strength": 450}, fired=True),
        unit("b", (5, 4), stats={"strength": 230}, fired=True),
    )
    roll = attack(of).roll
    assert roll is not None
    told = {key: pytest.approx(roll.extra[key]) for key in roll.extra}
    assert (told["defender_loss_low"], told["defender_loss_high"]) == (9, 45)
    assert (told["attacker_loss_low"], told["attacker_loss_high"]) == (9.2, 36.8)
    assert (roll.extra["attack_strength"], roll.extra["defence_strength"], roll.extra["charge_factor"]) == (
        450,
        230,
        1,
    )


BARS = [
    case([], "MP-169", "beside it and facing it"),
    case(["MP-169"], "MP-169", "not facing it", {"facing": "DR"}),
    case(["MP-169"], "MP-169", "facing away", {"facing": "L"}),
    case(["MP-169"], "MP-169", "two hexes away", {"hex": (3, 4)}),
    case([], "MP-170", "has fired", {"fired": True}),
    case([], "MP-170", "has moved", {"moved": True}),
    case(["MP-170"], "MP-170", "fixed", {"fixed": True}),
    case(["MP-170"], "MP-170", "routed", {"routed": True}),
    case(["MP-170"], "MP-170", "detached", {"detached": True}),
    case([], "MP-182", "disordered", {"disordered": True}),
    case(["MP-170"], ("MP-170", "MP-13"), "has fought", {"meleed": True}),
    case(
        ["MP-170"],
        "MP-180",
        "has fought, with the option for hexes",
        {"meleed": True},
        options={"multiple_infantry_melees": True},
    ),
    case(["MP-170"], "MP-170", "guns", {"kind": "artillery"}),
    case(["MP-170"], "MP-20", "a leader", {"kind": "leader"}),
    case(["MP-170"], "MP-26", "a wagon", {"kind": "supply-wagon"}),
    case(["MP-170"], "MP-27", "a ship", {"kind": "ship"}),
    case(["MP-11"], "MP-11", "not its turn", {}, active="b"),
    case(["MP-14"], "MP-14", "another phase", {}, mode="phases", phase="movement"),
    case([], "MP-14", "the melee phase", {}, mode="phases", phase="melee"),
    case(["MP-28"], ("MP-28", "musket-pike R22"), "pikes in line", {"weapon": "pike"}),
    case(["MP-28"], "musket-pike R22", "pikes in column", {"weapon": "pike", "formation": "column"}),
    case([], "musket-pike R22", "pikes in block", {"weapon": "pike", "formation": "block"}),
    case(["MP-28"], "MP-28", "no-line units in line", {"stats": {"attributes": ["no-line"]}}),
    case([], "MP-28", "no-line units in column", {"stats": {"attributes": ["no-line"]}, "formation": "column"}),
    case(["MP-180"], "MP-180", "the hex was attacked", {}, attacked=[[5, 4]]),
    case([], "MP-180", "another hex was attacked", {}, attacked=[[5, 3]]),
    case(
        [], "MP-180", "attacked again by option", {}, attacked=[[5, 4]], options={"multiple_infantry_melees": True}
    ),
    case(
        ["MP-180"],
        "MP-180",
        "the cavalry's option",
        {},
        attacked=[[5, 4]],
        options={"multiple_cavalry_melees": True},
    ),
    case(
        [],
        "musket-pike R39",
        "cavalry again by option",
        {"kind": "cavalry", "meleed": True},
        attacked=[[5, 4]],
        options={"multiple_cavalry_melees": True},
    ),
    case(
        ["MP-170", "MP-180"],
        "musket-pike R39",
        "cavalry again",
        {"kind": "cavalry", "meleed": True},
        attacked=[[5, 4]],
    ),
    case(
        [],
        "MP-178",
        "cavalry that goes on",
        {"kind": "cavalry", "meleed": True, "can_continue": True, "charging": True, "melees": 1},
        attacked=[[5, 4]],
    ),
    case(
        ["MP-178"],
        "MP-178",
        "cavalry that has gone on far enough",
        {"kind": "cavalry", "meleed": True, "can_continue": True, "charging": True, "melees": 1, "continued": 3},
    ),
    case(["MP-173"], "MP-173", "too many men", {"stats": {"strength": 1601}}),
    case([], "MP-173", "as many as fit", {"stats": {"strength": 1600}}),
]


@pytest.mark.parametrize(("expected", "made", "conditions"), BARS)
def test_who_may_attack(expected: list[str], made: Json, conditions: Json) -> None:
    keys = {"hex": (4, 4)} | made
    option = attack(game(unit("a", **keys), B, **conditions))
    assert sorted(option.why_rules) == expected
    assert option.legal == (not expected)
    assert (option.roll is None) == (keys["hex"] != (4, 4))


RIDERS = unit("b", (5, 4), "cavalry", fired=True)


@CASE("MP-171")
@pytest.mark.parametrize(
    ("made", "others", "legal", "mode"),
    [
        ({}, [], False, "melee"),
        ({"formation": "column"}, [], False, "melee"),
        ({"formation": "block"}, [], True, "displace"),
        ({"kind": "skirmisher"}, [], False, "melee"),
        ({"kind": "cavalry"}, [], True, "melee"),
        ({"kind": "cavalry", "formation": "dismounted", "stats": {"attributes": ["dragoon"]}}, [], False, "melee"),
        ({"formation": "block"}, [unit("b2", (5, 4), "leader")], True, "displace"),
        ({"formation": "block"}, [unit("b2", (5, 4))], False, "melee"),
    ],
)
def test_infantry_does_not_attack_riders_but_a_block_pushes_them_away(
    made: Json, others: list[Json], legal: bool, mode: str
) -> None:
    option = attack(game(unit("a", (4, 4), **made), RIDERS, *others))
    assert (option.legal, option.extra["mode"]) == (legal, mode)
    assert ("MP-171" in option.why_rules) is not legal


@CASE("MP-171")
def test_infantry_attacks_riders_who_have_dismounted() -> None:
    dragoons = unit("b", (5, 4), "cavalry", "dismounted", stats={"attributes": ["dragoon"]})
    assert attack(game(A, dragoons)).legal


@CASE("MP-172", "MP-175", "MP-42", "MP-47")
@pytest.mark.parametrize(
    ("piece", "made", "expected"),
    [
        (hexside("creek", 4, 4, "NE"), {}, {"MP-172"}),
        (hexside("high-wall", 4, 4, "NE"), {}, {"MP-172"}),
        (hexside("gate", 4, 4, "NE"), {}, {"MP-172"}),
        (hexside("gate", 4, 4, "NE"), {"formation": "column"}, set()),
        (hexside("stream", 4, 4, "NE"), {}, set()),
        (hexside("creek", 4, 4, "N"), {}, set()),
        (ground("water", (5, 4)), {}, {"MP-172"}),
        (ground("chateau", (5, 4)), {}, set()),
        (ground("chateau", (5, 4)), {"kind": "cavalry"}, {"MP-172", "MP-175"}),
    ],
)
def test_nobody_attacks_where_he_could_not_go(piece: Json, made: Json, expected: set[str]) -> None:
    of = game(
        unit("a", (4, 4), **made),
        unit("b", (5, 4), "ship" if piece["kind"] == "water" else "infantry"),
        terrain=[piece],
    )
    assert set(attack(of).why_rules) == expected


# strengths of a line of 400 against a line of 400, both having fired
ATTACKERS = [
    case((400, 400), "MP-176", "as they are"),
    case((480, 400), "MP-188", "has not fired", {"fired": False}),
    case((480, 400), "musket-pike R27", "has nothing to fire", {"fired": False, "weapon": "sword"}),
    case((400 / 3, 400), "MP-182", "disordered", {"disordered": True}),
    case((400 / 3, 400), "MP-184", "without bayonets", {"weapon": "matchlock"}),
    case((520, 400), "MP-186", "melee value 3", {"stats": {"melee": 3}}),
    case((280, 400), "MP-186", "melee value -3", {"stats": {"melee": -3}}),
    case((360, 400), "MP-187", "medium fatigue", {"fatigue": 300}),
    case((320, 400), "MP-187", "high fatigue", {"fatigue": 600}),
    case((240, 400), "MP-187", "maximum fatigue", {"fatigue": 900}),
    case((480, 400), "MP-193", "quality A", {"stats": {"quality": "A"}}),
    case((400, 400), "MP-193", "quality B", {"stats": {"quality": "B"}}),
    case((320, 400), "MP-193", "quality E", {"stats": {"quality": "E"}}),
    case((400, 400), "MP-195", "in column", {"formation": "column"}),
    case(
        (500, 400),
        "MP-195",
        "in column, with 25 %",
        {"formation": "column"},
        parameters={"column_melee_percent": 25},
    ),
    case(
        (440, 400),
        "MP-195",
        "in column, the nation's",
        {"formation": "column"},
        parameters={"column_melee_percent": 25, "nations": {"a": {"column_melee_percent": 10}}},
    ),
    case((400, 400), "MP-181", "cavalry", {"kind": "cavalry"}),
    case((500, 400), "MP-181", "heavy cavalry", {"kind": "cavalry", "stats": {"attributes": ["heavy"]}}),
    case((360, 400), "MP-196", "soft ground", {}, weather="soft"),
    case((320, 400), "MP-196", "mud", {}, weather="mud"),
    case(
        (240, 400), ("MP-176", "musket-pike R3"), "percents are summed", {"fatigue": 600, "stats": {"quality": "E"}}
    ),
    case(
        (256, 400),
        "musket-pike R3",
        "percents as factors",
        {"fatigue": 600, "stats": {"quality": "E"}},
        options={"modifiers_combine": "multiplicative"},
    ),
]


@pytest.mark.parametrize(("expected", "made", "conditions"), ATTACKERS)
def test_what_the_attacker_brings(expected: tuple[float, float], made: Json, conditions: Json) -> None:
    option = attack(game(unit("a", (4, 4), **{"fired": True, **made}), B, **conditions))
    assert strengths(option) == pytest.approx(expected)
    told = [one.extra.get("side") for one in option.modifiers]
    assert set(told) <= {"attack", "defence"}


DEFENDERS = [
    case((400, 400 * 2 / 3), "MP-182", "disordered", {"disordered": True}),
    case((400, 200), "MP-183", "routed", {"routed": True}),
    case((400, 200), "MP-183", "isolated", {"isolated": True}),
    case((400, 0), "MP-183", "routed and isolated", {"routed": True, "isolated": True}),
    case((400, 400 / 3), "MP-184", "without bayonets", {"weapon": "bow"}),
    case((400, 480), "MP-186", "melee value 2", {"stats": {"melee": 2}}),
    case((400, 240), "MP-187", "maximum fatigue", {"fatigue": 900}),
    case((400, 480), "MP-193", "quality A", {"stats": {"quality": "A"}}),
    case((400, 320), "MP-193", "quality F", {"stats": {"quality": "F"}}),
    case((400, 60), ("MP-176", "MP-165"), "6 guns", {"kind": "artillery", "fired": True}),
    case((400, 0), ("MP-176", "MP-26"), "a wagon", {"kind": "supply-wagon"}),
    case((400, 0), ("MP-176", "MP-20"), "a leader has no strength", {"kind": "leader", "stats": {"strength": 0}}),
    case((320, 400), "MP-189", "can still fire", {"fired": False}),
    case((400, 400), "MP-189", "can still fire, but is out", {"fired": False, "ammo": "out"}),
    case((320, 400), "MP-189", "can still fire, being low", {"fired": False, "ammo": "low"}),
    case((400, 400), "MP-189", "has nothing to fire", {"fired": False, "weapon": "sword"}),
    case((400, 400), "MP-189", "javelins are not for defence", {"fired": False, "weapon": "javelin"}),
    case((560, 400), ("MP-191", "MP-189"), "faces away", {"fired": False, "facing": "R"}),
    case((560, 400), "MP-191", "a flank", {"facing": "UL"}),
    case((400, 400), "MP-191", "skirmishers have no flank", {"kind": "skirmisher"}),
    case((560, 400), ("MP-191", "musket-pike R2"), "a block's flank", {"formation": "block", "facing": "R"}),
    case(
        (400, 400),
        "musket-pike R2",
        "a block without flanks",
        {"formation": "block", "facing": "R"},
        options={"block_has_flanks": False},
    ),
]


@pytest.mark.parametrize(("expected", "made", "conditions"), DEFENDERS)
def test_what_the_defender_brings(expected: tuple[float, float], made: Json, conditions: Json) -> None:
    option = attack(game(A, unit("b", (5, 4), **{"fired": True, **made}), **conditions))
    assert strengths(option) == pytest.approx(expected)


PLACES: list[Any] = [
    (ground("chateau", (5, 4)), 200, ("MP-194", "musket-pike R34")),
    (hexside("hedge", 4, 4, "NE"), 120, "MP-214"),
    (hexside("stone-wall", 5, 4, "SW"), 320 / 3, "MP-214"),
    (hexside("fort", 4, 4, "NE"), 80, "musket-pike R43"),
    (hexside("stream", 4, 4, "NE"), 400 / 3, "MP-182"),
    (ground("forest", (5, 4)), 400 / 3, "MP-182"),
    (ground("building", (5, 4)), 400, "MP-182"),
    (ground("field", (5, 4)), 400, "MP-182"),
    (ground("abatis", (5, 4)), 400 / 3, "MP-56"),
    (ground("trench", (5, 4)), 400 / 3, "MP-57"),
    (ground("trench", (5, 4), (4, 4)), 400, "MP-57"),
    (ground("elevation", (5, 4), level=1), 360, "MP-192"),
    (ground("elevation", (5, 4), level=3), 280, "MP-192"),
    (ground("elevation", (4, 4), level=3), 400, "MP-192"),
]


@pytest.mark.parametrize(
    ("piece", "value"),
    [
        pytest.param(*one[:2], marks=CASE(*([one[2]] if isinstance(one[2], str) else one[2])), id=one[0]["id"])
        for one in PLACES
    ],
)
def test_what_the_ground_does_to_an_attack(piece: Json, value: float) -> None:
    assert strengths(attack(game(A, B, terrain=[piece])))[0] == pytest.approx(value)


@CASE("MP-197")
@pytest.mark.parametrize(("kind", "value"), [("orchard", 120), ("building", 320), ("clear", 400)])
def test_the_terrain_of_the_defenders_counts_by_option(kind: str, value: float) -> None:
    of = game(A, B, terrain=[ground(kind, (5, 4))], options={"melee_terrain": True})
    assert strengths(attack(of))[0] == pytest.approx(value)


@CASE("MP-182")
def test_skirmishers_and_columns_are_not_hampered_by_woods() -> None:
    woods = [ground("forest", (5, 4))]
    for made in ({"kind": "skirmisher"}, {"formation": "column"}):
        assert strengths(attack(game(unit("a", (4, 4), **made, fired=True), B, terrain=woods)))[0] == 400
    riders = unit("a", (4, 4), "cavalry", fired=True)
    assert strengths(attack(game(riders, B, terrain=woods)))[0] == pytest.approx(400 / 3)
    night = game(A, B, night=True)
    assert strengths(attack(night))[0] == 400


@CASE("MP-185")
@pytest.mark.parametrize(
    ("piece", "value"),
    [(ground("trench", (5, 4), (4, 4)), 200), (ground("abatis", (4, 4)), 200), (ground("field", (4, 4)), 400)],
)
def test_units_poor_at_works(piece: Json, value: float) -> None:
    poor = unit("a", (4, 4), fired=True, stats={"attributes": ["assault-penalty"]})
    assert strengths(attack(game(poor, B, terrain=[piece])))[0] == value


@CASE("MP-190", "MP-213")
def test_leaders_with_either_side_add_a_fifth_secondary_ones_too() -> None:
    led = game(A, unit("a2", (4, 4), "leader", stats={"secondary": True}), B)
    assert strengths(attack(led)) == (480, 400)
    assert strengths(attack(game(A, B, unit("b2", (5, 4), "leader")))) == (400, 480)
    assert strengths(attack(game(A, unit("a2", (4, 3), "leader"), B))) == (400, 400)


@CASE("MP-191", "MP-192", "musket-pike R38")
def test_each_attacker_climbs_from_its_own_hex_and_one_flank_is_enough() -> None:
    hill = [ground("elevation", (5, 4), level=1), ground("elevation", (5, 5), level=1)]
    high = unit("a", (5, 5), facing="DR", fired=True)
    # b faces left, SW and NW: over its N side it is outflanked, from a hex as high as its own
    assert strengths(attack(game(high, B, terrain=hill)))[0] == 560
    assert strengths(attack(game(A, B, terrain=hill)))[0] == 360
    second = unit("b2", (5, 4), facing="UR", fired=True)
    assert strengths(attack(game(high, B, second, terrain=hill)))[0] == 400


@CASE("MP-193")
def test_the_worst_and_the_best_of_a_side_decide_on_quality() -> None:
    first = unit("b", (5, 4), fired=True, stats={"quality": "A"})
    assert strengths(attack(game(A, first, unit("b2", (5, 4), fired=True, stats={"quality": "B"}))))[1] == 800
    assert strengths(attack(game(A, first, unit("b2", (5, 4), fired=True, stats={"quality": "A+"}))))[1] == 960
    assert strengths(attack(game(A, first, unit("b2", (5, 4), "leader", stats={"quality": "F"}))))[1] == 560
