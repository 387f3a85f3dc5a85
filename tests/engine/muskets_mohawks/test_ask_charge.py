"""What ask says about charges: reach, sight, path, who may, the dice of both sides."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.muskets_mohawks.scene import INCH, box, charge, effects, fire, game, gun, row, unit


def foe(gap_in: float = 10.0, count: int = 1, **keys: Any) -> dict[str, Any]:
    return unit("them", "french", row(count, 900, 325 + gap_in * INCH), bearing=180.0, **keys)


@pytest.mark.rule("MM-125", "R-38", "MM-194")
@pytest.mark.parametrize(
    ("keys", "conditions", "inches"),
    [({}, {}, 14), ({"kind": "cavalry"}, {}, 18), ({"kind": "cavalry", "mounted": False}, {}, 14),
     ({"moved_mm": 4 * INCH}, {}, 10), ({"moved_mm": 8 * INCH}, {}, 6), ({}, {"snow": "ground"}, 10),
     ({"kind": "cavalry"}, {"snow": "snowing"}, 12), ({"kind": "mounted-infantry", "mounted": True}, {}, 18)],
)  # fmt: skip
def test_a_charge_reaches_a_spot_6_in_from_the_enemy(
    keys: dict[str, Any], conditions: dict[str, Any], inches: float
) -> None:
    near = charge(game(unit("us", **keys), foe(inches - 0.01), **conditions))
    assert (near.legal, near.distance_mm) == (True, pytest.approx((inches - 0.01) * INCH))
    far = charge(game(unit("us", **keys), foe(inches + 0.04), **conditions))
    assert (far.legal, "MM-125" in far.why_rules) == (False, True)


@pytest.mark.rule("MM-125")
def test_exactly_14_in_is_within_reach() -> None:
    assert charge(game(unit("us"), foe(14))).legal


@pytest.mark.rule("MM-125")
def test_the_reason_says_how_far_and_what_could_be_reached() -> None:
    option = charge(game(unit("us"), foe(14.04)))
    assert option.why_not == ("out of charge reach: 14.04 in (356.6 mm), can reach 14 in (355.6 mm)",)


@pytest.mark.rule("MM-127", "MM-166", "MM-246", "MM-223", "MM-67")
@pytest.mark.parametrize(
    ("us", "them", "row_of_it"),
    [({"activated": True}, {}, "MM-127"), ({"reload_markers": 1}, {}, "MM-127"), ({"prone": True}, {}, "MM-127"),
     ({"in_melee": ["x"]}, {}, "MM-127"), ({"retiring": True}, {}, "MM-127"), ({"had_enough": True}, {}, "MM-166"),
     ({"kind": "gunners", "weapon": "cannon"}, {}, "MM-127"), ({"kind": "leader"}, {}, "MM-127"),
     ({"kind": "wagon"}, {}, "MM-127"), ({"formation": "square"}, {}, "MM-246"), ({}, {"kind": "pef"}, "MM-223"),
     ({"taking_trophies": True}, {}, "MM-67")],
)  # fmt: skip
def test_who_may_not_charge(us: dict[str, Any], them: dict[str, Any], row_of_it: str) -> None:
    option = charge(game(unit("us", **us), foe(5, **them)))
    assert not option.legal
    assert option.why_rules == (row_of_it,)


@pytest.mark.rule("MM-127")
def test_a_unit_in_a_building_must_leave_it_before_it_charges() -> None:
    house = box("house", "building", (850, 250), (950, 340))
    option = charge(game(unit("us", in_building="house"), foe(10), terrain=[house]))
    assert "MM-127" in option.why_rules


@pytest.mark.rule("MM-127")
def test_a_charge_sent_by_a_reaction_has_its_full_move_and_needs_no_loaded_weapons() -> None:
    us = unit("us", kind="cavalry", activated=True, moved_mm=300.0, reload_markers=1)
    table = game(us, foe(18))
    assert not charge(table).legal
    assert charge(table, by_reaction=True).legal


@pytest.mark.rule("MM-126", "muskets-mohawks R-21")
@pytest.mark.parametrize(("formation", "legal"), [("formed-line", False), ("mob", False), ("unformed", True)])
def test_formed_lines_and_mobs_need_the_target_in_arc(formation: str, legal: bool) -> None:
    aside = unit("them", "french", [(1100, 300)])
    option = charge(game(unit("us", kind="regular", formation=formation), aside))
    assert option.legal is legal
    assert option.why_rules == (() if legal else ("MM-126",))


@pytest.mark.rule("MM-126", "MM-85")
def test_a_charger_must_see_its_target() -> None:
    option = charge(game(unit("us"), unit("friends", at=row(5, 900, 450, 25)), foe(10)))
    assert option.why_rules == ("MM-85",)


@pytest.mark.rule("muskets-mohawks R-22", "MM-127")
@pytest.mark.parametrize("kind", ["building", "river", "lake", "impassable"])
def test_houses_and_water_bar_the_straight_path(kind: str) -> None:
    bar = box("bar", kind, (850, 400), (950, 450))
    assert "R-22" in charge(game(unit("us"), foe(10), terrain=[bar])).why_rules


@pytest.mark.rule("muskets-mohawks R-22", "MM-192")
@pytest.mark.parametrize(
    ("kind", "y", "rows"),
    [("bridge", 300, ()), ("ford", 300, ("MM-191",)), ("ford", 425, ()), ("clear", 300, ("R-22",))],
)
def test_a_bridge_opens_the_way_and_a_ford_to_those_who_stand_in_it(kind: str, y: float, rows: Any) -> None:
    river, way = box("river", "river", (0, 400), (1828, 450)), box("way", kind, (850, 390), (950, 460))
    assert charge(game(unit("us", at=[(900, y)]), foe(10), terrain=[river, way])).why_rules == rows


@pytest.mark.rule("muskets-mohawks R-22", "MM-128")
@pytest.mark.parametrize(("inches", "formed"), [(0.99, True), (1.1, False)])
def test_a_line_that_charges_through_more_than_an_inch_of_woods_counts_as_unformed(
    inches: float, formed: bool
) -> None:
    wood = box("wood", "woods", (500, 400), (1300, 400 + inches * INCH))
    us = unit("us", at=row(3, 900, 300, 25), kind="regular", formation="formed-line")
    option = charge(game(us, foe(10), terrain=[wood]))
    assert ("MM-128" in effects(option)) is formed


@pytest.mark.rule("R-22", "MM-130")
@pytest.mark.parametrize(
    ("period", "charger"), [("napoleonic", {"MM-130": "+1d6"}), ("texas", {"MM-130": "+1d6"}), ("fiw", {})]
)
def test_light_infantry_that_loses_its_line_in_woods_charges_as_skirmishers_where_they_count_as_irregulars(
    period: str, charger: dict[str, str]
) -> None:
    us = unit("us", at=row(2, 900, 300, 25.0), kind="light", formation="formed-line")
    wood = box("wood", "woods", (500, 400), (1300, 400 + 2 * INCH))
    option = charge(game(us, foe(count=2), terrain=[wood], period=period))
    assert effects(option) == charger
    assert effects(charge(game(us, foe(count=2), period=period))) == {"MM-128": "+1d6"}


_REGULAR: dict[str, Any] = {"kind": "regular"}
ROWS: list[tuple[dict[str, Any], dict[str, Any], dict[str, str]]] = [
    (_REGULAR, _REGULAR, {}),
    ({"kind": "regular", "formation": "formed-line"}, _REGULAR, {"MM-128": "+1d6"}),
    ({"kind": "regular", "formation": "mob"}, _REGULAR, {}),
    ({"kind": "cavalry"}, _REGULAR, {"MM-129": "+1d6"}),
    ({"kind": "indian"}, _REGULAR, {"MM-130": "+1d6"}),
    ({"kind": "irregular", "stats": {"special": ["irregular"]}}, _REGULAR, {"MM-130": "+1d6"}),
    ({"kind": "cavalry", "stats": {"special": ["irregular"]}}, _REGULAR, {"MM-129": "+1d6", "MM-130": "+1d6"}),
    ({"kind": "militia"}, _REGULAR, {}),
    ({"kind": "civilian"}, _REGULAR, {}),
    ({"kind": "cavalry", "stats": {"special": ["cuirassier"]}}, _REGULAR, {"MM-129": "+1d6", "MM-245": "+1d6"}),
    (_REGULAR, {"kind": "regular", "formation": "formed-line"}, {"MM-134": "+1d6"}),
    (_REGULAR, {"kind": "regular", "formation": "square"}, {"MM-134": "+1d6"}),
    (_REGULAR, {"kind": "regular", "formation": "mob"}, {}),
    (_REGULAR, {"kind": "cavalry"}, {"MM-135": "+1d6"}),
    (_REGULAR, {"kind": "mounted-infantry", "mounted": True}, {"MM-135": "+1d6"}),
    (_REGULAR, {"kind": "mounted-infantry"}, {}),
    (_REGULAR, {"kind": "regular", "reload_markers": 1}, {"MM-137": "-1d6"}),
    (_REGULAR, {"kind": "regular", "prone": True}, {}),
]


@pytest.mark.rule("MM-128", "MM-129", "MM-130", "MM-134", "MM-135", "MM-137", "MM-139", "MM-245", "MM-21", "MM-15")
@pytest.mark.rule("MM-16")
@pytest.mark.parametrize(("us", "them", "found"), ROWS)
def test_the_dice_of_a_charge(us: dict[str, Any], them: dict[str, Any], found: dict[str, str]) -> None:
    option = charge(game(unit("us", at=row(2, 900, 300), **us), foe(8, 2, **them)))
    assert effects(option) == found
    assert option.roll is not None
    of_target = {"MM-134", "MM-135", "MM-137"}
    assert option.roll.charger == 2 + sum(int(e[:-2]) for rule, e in found.items() if rule not in of_target)
    assert option.roll.target == 2 + sum(int(e[:-2]) for rule, e in found.items() if rule in of_target)


@pytest.mark.rule("MM-133", "MM-138")
@pytest.mark.parametrize(
    ("mine", "theirs", "found"),
    [(4, 2, {"MM-133": "+1d6"}), (3, 2, {}), (2, 4, {"MM-138": "+1d6"}), (2, 3, {}), (3, 3, {})],
)
def test_numbers_of_two_to_one_count(mine: int, theirs: int, found: dict[str, str]) -> None:
    us = unit("us", at=row(mine, 900, 300, 30), kind="regular")
    assert effects(charge(game(us, foe(8, theirs, kind="regular")))) == found


@pytest.mark.rule("MM-131", "MM-132", "MM-12")
@pytest.mark.parametrize(
    ("y", "where", "found"), [(500, "flank", {"MM-131": "+1d6"}), (700, "rear", {"MM-132": "+2d6"})]
)
def test_flank_and_rear_add_dice(y: float, where: str, found: dict[str, str]) -> None:
    them = unit("them", "french", row(2, 900, 500, 25), bearing=180.0, kind="regular")
    option = charge(game(unit("us", at=row(2, 760, y, 25), kind="regular"), them))
    assert option.aspect == where
    assert effects(option) == found


@pytest.mark.rule("MM-136", "R-08", "muskets-mohawks R-35")
@pytest.mark.parametrize(("state", "found"), [({}, {"MM-136": "+1d6"}), ({"left_gun": True}, {})])
def test_gunners_at_their_gun_and_cover_add_one_die_once(state: dict[str, Any], found: dict[str, str]) -> None:
    us = unit("us", at=row(5, 900, 300, 25), kind="regular")
    them = gun("them", "french", (900, 600), 180.0, **state)
    assert effects(charge(game(us, them))) == found
    wood = box("wood", "woods", (700, 500), (1100, 700))
    assert effects(charge(game(us, them, terrain=[wood]))) == {"MM-136": "+1d6"}


@pytest.mark.rule("MM-136", "muskets-mohawks R-35")
@pytest.mark.parametrize(("gap_in", "at_it"), [(2.0, True), (2.05, False)])
def test_at_the_gun_means_within_2_in_of_it(gap_in: float, at_it: bool) -> None:
    them = gun("them", "french", (900, 600), 180.0, crew=1)
    them["figures"][0] |= {"x_mm": 900 + 20 + gap_in * INCH + 12.5, "y_mm": 600}
    assert ("MM-136" in effects(charge(game(unit("us", kind="regular"), them)))) is at_it


@pytest.mark.rule("MM-248", "MM-246")
def test_cavalry_rolls_no_dice_against_a_square() -> None:
    table = game(unit("us", kind="cavalry"), foe(8, kind="regular", formation="square"))
    assert charge(table).roll is None
    assert charge(table).legal


@pytest.mark.rule("MM-254")
def test_texian_scouts_test_a_charge_one_rep_lower() -> None:
    scout = {"special": ["irregular", "texian-scout"], "rep": 4}
    roll = charge(game(unit("us", kind="mounted-infantry", mounted=True, stats=scout), foe(8))).roll
    assert roll is not None
    assert roll.extra == {"charger_success": "<=3", "target_success": "<=4"}


@pytest.mark.rule("MM-244", "MM-22")
@pytest.mark.parametrize(("period", "dice"), [("napoleonic", 3), ("texas", 3), ("fiw", 2)])
def test_unformed_light_infantry_are_irregulars_in_later_periods(period: str, dice: int) -> None:
    table = game(unit("us", at=row(2, 900, 300), kind="light"), foe(8, 2), period=period)
    roll = charge(table).roll
    assert roll is not None
    assert roll.charger == dice
    assert not fire(table, "volley").legal


@pytest.mark.rule("MM-130", "MM-134", "MM-139")
def test_the_book_s_indians_charge_the_french_line() -> None:
    indians = unit("us", at=row(10, 900, 300, 40), kind="indian")
    french = foe(8, 10, kind="regular", formation="formed-line", stats={"rep": 3})
    roll = charge(game(indians, french)).roll
    assert roll is not None
    assert (roll.charger, roll.target) == (3, 3)
    assert roll.extra == {"charger_success": "<=4", "target_success": "<=3"}


@pytest.mark.rule("MM-125")
@pytest.mark.parametrize(("gap_mm", "lines"), [(355.0, 1), (353.0, 0), (356.0, 1)])
def test_a_reach_within_two_sigma_is_borderline(gap_mm: float, lines: int) -> None:
    assert len(charge(game(unit("us"), foe(gap_mm / INCH), sigma=0.5)).borderline) == lines
    assert charge(game(unit("us"), foe(gap_mm / INCH))).borderline == ()


@pytest.mark.rule("MM-126")
def test_a_charge_hangs_on_sight_only_where_no_figure_surely_sees() -> None:
    wood = box("wood", "woods", (500, 325 + 10 * INCH - 20.0), (1300, 1000))
    assert charge(game(unit("us"), foe(10), terrain=[wood], sigma=0.5)).borderline == ()
    wood = box("wood", "woods", (500, 325 + 10 * INCH - 25.2), (1300, 1000))
    doubtful = unit("them", "french", [(900, 325 + 10 * INCH)], bearing=180.0)
    assert len(charge(game(unit("us"), doubtful, terrain=[wood], sigma=0.5)).borderline) == 1
    sure = unit("them", "french", [(900, 325 + 10 * INCH), (950, 325 + 10 * INCH - 20)], bearing=180.0)
    assert charge(game(unit("us"), sure, terrain=[wood], sigma=0.5)).borderline == ()


HORSE = {"kind": "cavalry", "weapon": "sword"}
NOTES = [
    # the charger, the charged, the rows of what is told
    (HORSE, {"kind": "regular", "weapon": "none"}, ["MM-147"]),
    (HORSE, HORSE, []),
    (
        {"kind": "cavalry", "weapon": "sword"},
        {"kind": "guard", "weapon": "none", "formation": "square"},
        ["MM-248"],
    ),
    ({}, {"kind": "regular", "formation": "formed-line"}, []),
    ({}, {"kind": "regular", "formation": "formed-line", "reload_markers": 1}, ["MM-107"]),
    ({}, {"kind": "indian", "weapon": "bow"}, ["MM-107"]),
    ({}, {"kind": "indian", "weapon": "none"}, []),
    (HORSE, {"kind": "militia"}, ["MM-147", "MM-107"]),
]


@pytest.mark.rule("MM-107", "MM-147", "MM-248")
@pytest.mark.parametrize(("charger", "charged", "rows"), NOTES)
def test_what_comes_of_a_charge_whatever_is_rolled_is_told_beforehand(
    charger: dict[str, Any], charged: dict[str, Any], rows: list[str]
) -> None:
    ours = unit("us", at=row(6, 900, 300), **charger)
    table = game(ours, unit("them", "french", row(6, 900, 500, 25.0), bearing=180.0, **charged), squares=True)
    assert [note["rule"] for note in charge(table).extra.get("notes", [])] == rows


@pytest.mark.rule("MM-107", "MM-114")
def test_where_nothing_fires_no_fire_at_the_charge_is_told_of() -> None:
    table = game(
        unit("us"), unit("them", "french", [(900, 500)], bearing=180.0), weather="inclement", weather_level=6
    )
    assert "notes" not in charge(table).extra
