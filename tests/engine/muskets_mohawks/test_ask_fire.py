"""What ask says about small-arm fire: range, dice, hits, legality, continuous fire, borderline ranges."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.rulesets.muskets_mohawks.options.fire_options import fire_modes, fire_option, fire_options
from tests.engine.muskets_mohawks.scene import INCH, box, effects, fire, game, row, unit

LINE = {"kind": "regular", "formation": "formed-line"}


def foe(gap_in: float = 10.0, count: int = 1, **keys: Any) -> dict[str, Any]:
    """An enemy in open order whose nearest base is so many inches from one at (900, 300)."""
    return unit("them", "french", row(count, 900, 325 + gap_in * INCH), bearing=180.0, **keys)


def count_of(option: Any) -> int:
    assert option.roll is not None
    return int(option.roll.count)


@pytest.mark.rule("MM-92", "R-01")
@pytest.mark.parametrize(
    ("weapon", "inches"),
    [("musket", 18), ("carbine", 12), ("pistol", 6), ("rifle", 24), ("bow", 18), ("lance+carbine", 12)],
)
def test_each_weapon_reaches_its_range_and_no_farther(weapon: str, inches: float) -> None:
    at_limit = fire(game(unit("us", weapon=weapon), foe(inches)))
    assert (at_limit.legal, at_limit.band) == (True, "in-range")
    assert at_limit.range_mm == pytest.approx(inches * INCH, abs=1e-6)
    beyond = fire(game(unit("us", weapon=weapon), foe(inches + 0.01)))
    assert (beyond.legal, beyond.band, beyond.why_rules) == (False, "out-of-range", ("MM-92",))
    assert beyond.roll is not None


@pytest.mark.rule("MM-92")
def test_the_reason_says_inches_and_millimetres() -> None:
    option = fire(game(unit("us"), foe(18.4)))
    assert option.why_not == ("out of range: 18.4 in (467.4 mm), musket reaches 18 in (457.2 mm)",)


@pytest.mark.rule("R-01")
def test_by_option_ranges_run_from_centre_to_centre() -> None:
    table = game(unit("us"), foe(17.5), options={"measure": "centre"})
    assert fire(table).range_mm == pytest.approx(17.5 * INCH + 25)
    assert not fire(table).legal


@pytest.mark.rule("R-02", "MM-97")
def test_in_range_is_a_matter_of_the_unit_or_by_option_of_each_figure() -> None:
    us = unit("us", at=[(900, 300), (900, 330), (960, 200)])
    them = unit("them", "french", [(900, 330 + 25 + 18 * INCH)], bearing=180.0)
    assert fire(game(us, them)).shooters == ("us-2", "us-3")
    assert fire(game(us, them, options={"range_per_figure": True})).shooters == ("us-2",)
    far = unit("them", "french", [(900, 330 + 25 + 18.1 * INCH)], bearing=180.0)
    option = fire(game(us, far, options={"range_per_figure": True}))
    assert (option.shooters, option.roll, option.why_rules) == ((), None, ("MM-92",))


@pytest.mark.rule("MM-95", "MM-06", "MM-98")
def test_a_volley_rolls_a_die_for_each_figure_and_ones_hit() -> None:
    us = unit("us", at=row(10, 900, 300, 25), **LINE)
    roll = fire(game(us, foe(count=8)), "volley").roll
    assert roll is not None
    assert (roll.count, roll.die, roll.success, roll.multiplier) == (10, "d6", "==1", 1)


@pytest.mark.rule("MM-96", "MM-28")
def test_the_book_s_ten_indians_fire_at_will_with_their_rep() -> None:
    option = fire(game(unit("us", at=row(10, 900, 300), kind="indian"), foe(count=8)))
    assert (len(option.shooters), count_of(option)) == (10, 4)


@pytest.mark.rule("MM-95", "MM-13", "MM-26")
@pytest.mark.parametrize(
    ("keys", "legal"),
    [(LINE, True), ({**LINE, "kind": "light"}, True), ({**LINE, "kind": "grenadier"}, True),
     ({**LINE, "kind": "guard"}, True),
     ({"kind": "regular", "formation": "mob"}, False), ({"kind": "regular"}, False),
     ({**LINE, "reload_markers": 1}, False), ({**LINE, "mounted": True}, False)],
)  # fmt: skip
def test_only_loaded_regulars_on_foot_in_formed_line_volley(keys: dict[str, Any], legal: bool) -> None:
    option = fire(game(unit("us", **keys), foe()), "volley")
    assert option.legal is legal
    assert ("MM-95" in option.why_rules) is not legal


@pytest.mark.rule("muskets-mohawks R-13", "MM-14")
def test_militia_volley_only_by_option() -> None:
    us = unit("us", kind="militia", formation="formed-line")
    plain, chosen = game(us, foe()), game(us, foe(), options={"militia_volley": True})
    assert fire_modes(plain, plain.unit("us")) == ("at-will",)
    assert fire_modes(chosen, chosen.unit("us")) == ("at-will", "volley")
    assert fire(chosen, "volley").legal


@pytest.mark.rule("MM-94")
@pytest.mark.parametrize(
    ("keys", "modes"),
    [({"kind": "regular"}, ("at-will", "volley")), ({"kind": "indian"}, ("at-will",)),
     ({"kind": "cavalry"}, ("at-will",)), ({"kind": "regular", "weapon": "sword"}, ("at-will",)),
     ({"kind": "gunners", "weapon": "cannon"}, ("canister", "ball"))],
)  # fmt: skip
def test_each_way_of_firing_is_an_entry_of_its_own(keys: dict[str, Any], modes: tuple[str, ...]) -> None:
    table = game(unit("us", **keys), foe(), unit("more", "french", [(700, 700)]))
    assert [option.mode for option in fire_options(table, table.unit("us"))] == [*modes, *modes]


@pytest.mark.rule("MM-94")
def test_every_enemy_is_listed_nearest_first_and_those_wiped_out_last() -> None:
    gone = unit("gone", "french", [])
    table = game(unit("us"), gone, unit("far", "french", [(900, 900)]), foe())
    options = fire_options(table, table.unit("us"))
    assert [option.target for option in options] == ["them", "far", "gone"]
    assert not options[-1].legal
    assert options[-1].range_mm is None


@pytest.mark.rule("MM-94", "MM-93", "MM-44", "MM-166", "MM-114", "R-44")
@pytest.mark.parametrize(
    ("us", "them", "conditions", "rows"),
    [({"activated": True}, {}, {}, ("MM-94",)), ({"moved_mm": 1.0}, {}, {}, ("MM-94",)),
     ({"in_melee": ["x"]}, {}, {}, ("MM-94",)), ({"had_enough": True}, {}, {}, ("MM-166",)),
     ({"retiring": True}, {}, {}, ("MM-94",)), ({"taking_trophies": True}, {}, {}, ("MM-94",)),
     ({"weapon": "none"}, {}, {}, ("MM-94",)), ({"weapon": "sword"}, {}, {}, ("MM-94",)),
     ({"weapon": "lance"}, {}, {}, ("MM-94",)), ({"kind": "leader"}, {}, {}, ("MM-94",)),
     ({"kind": "wagon"}, {}, {}, ("MM-94",)), ({}, {"in_melee": ["x"]}, {}, ("R-44",)),
     ({}, {"kind": "pef"}, {}, ("MM-94",)), ({}, {}, {"weather": "inclement", "weather_level": 1}, ("MM-114",)),
     ({"weapon": "bow"}, {}, {"weather": "inclement", "weather_level": 6}, ("MM-114",)),
     ({"prone": True}, {}, {}, ()), ({"reload_markers": 2}, {}, {}, ()),
     ({"activated": True, "moved_mm": 9.0}, {"in_melee": ["x"]}, {}, ("MM-94", "MM-94", "R-44"))],
)  # fmt: skip
def test_all_that_forbids_firing_is_said(
    us: dict[str, Any], them: dict[str, Any], conditions: dict[str, Any], rows: tuple[str, ...]
) -> None:
    option = fire(game(unit("us", **us), foe(**them), **conditions))
    assert option.why_rules == rows
    assert len(option.why_not) == len(rows)
    assert option.legal is not bool(rows)


@pytest.mark.rule("MM-99", "muskets-mohawks R-12")
@pytest.mark.parametrize(("formation", "dice"), [("formed-line", 6), ("mob", 6), ("square", 6), ("unformed", 4)])
def test_two_dice_more_at_a_mob_or_formed_unit(formation: str, dice: int) -> None:
    option = fire(game(unit("us"), foe(count=4, formation=formation)))
    assert count_of(option) == dice
    assert effects(option) == ({"MM-99": "+2d6"} if dice == 6 else {})


@pytest.mark.rule("MM-100", "MM-101", "muskets-mohawks R-10")
@pytest.mark.parametrize(
    ("firing", "seen", "row_of_it", "dice"),
    [(3, 2, None, 4), (4, 2, "MM-100", 6), (5, 2, "MM-100", 6), (6, 2, "MM-101", 7), (9, 2, "MM-101", 7)],
)
def test_dice_for_twice_and_three_times_as_many(firing: int, seen: int, row_of_it: str | None, dice: int) -> None:
    option = fire(game(unit("us", at=row(firing, 900, 300, 30)), foe(count=seen)))
    assert (len(option.shooters), len(option.targets_seen)) == (firing, seen)
    assert list(effects(option)) == ([row_of_it] if row_of_it else [])
    assert count_of(option) == dice


@pytest.mark.rule("MM-102", "MM-103", "MM-105", "muskets-mohawks R-11", "MM-18")
@pytest.mark.parametrize(
    ("keys", "found", "dice"),
    [({"kind": "cavalry"}, {"MM-102": "-2d6"}, 2), ({"kind": "cavalry", "mounted": False}, {}, 4),
     ({"kind": "mounted-infantry", "mounted": True}, {"MM-102": "-2d6"}, 2),
     ({"weapon": "bow"}, {"MM-103": "-1d6"}, 3),
     ({"kind": "cavalry", "weapon": "bow", "stats": {"rep": 2}}, {"MM-102": "-2d6", "MM-103": "-1d6"}, 0)],
)  # fmt: skip
def test_dice_taken_off(keys: dict[str, Any], found: dict[str, str], dice: int) -> None:
    option = fire(game(unit("us", **keys), foe(count=2)))
    assert effects(option) == found
    assert count_of(option) == dice
    assert option.legal


@pytest.mark.rule("MM-104", "MM-191", "muskets-mohawks R-19")
def test_creeks_cost_dice_from_inside_and_shelter_from_afar() -> None:
    here, there = box("a", "creek", (800, 250), (1000, 350)), box("b", "creek", (800, 500), (1000, 640))
    assert effects(fire(game(unit("us"), foe(count=2), terrain=[here]))) == {"MM-104": "-2d6"}
    afar = fire(game(unit("us"), foe(count=2), terrain=[there]))
    assert (afar.shooters, afar.why_rules, afar.roll) == ((), ("MM-191",), None)
    bank = unit("us", at=[(900, 500 - 25.4 - 12.5), (960, 500 - 25.5 - 12.5), (820, 520)])
    option = fire(game(bank, foe(count=2), terrain=[there]))
    assert option.shooters == ("us-1", "us-3")
    assert option.cover == "creek"


@pytest.mark.rule("MM-104", "MM-191", "MM-192")
def test_men_on_a_bridge_fire_and_are_fired_at_as_on_dry_land() -> None:
    here, there = box("a", "creek", (800, 250), (1000, 350)), box("b", "creek", (800, 500), (1000, 640))
    ours, theirs = (
        box("c", "bridge", (850, 240), (1000, 360)), box("d", "bridge", (800, 490), (1000, 650)),
    )  # fmt: skip
    over = fire(game(unit("us"), foe(count=2), terrain=[here, ours]))
    dry = fire(game(unit("us"), foe(count=2)))
    assert (effects(over), count_of(over)) == (effects(dry), count_of(dry))
    afar = fire(game(unit("us"), foe(count=2), terrain=[there, theirs]))
    assert (afar.shooters, afar.cover, afar.legal) == (dry.shooters, None, True)


@pytest.mark.rule("MM-108", "MM-12", "R-07")
def test_into_the_flank_doubles_and_into_the_rear_by_option() -> None:
    line = unit("them", "french", row(4, 900, 500, 25), bearing=180.0, **LINE)
    side, behind = unit("us", at=[(500, 500)], bearing=90.0), unit("us", at=[(900, 800)], bearing=180.0)
    flank, rear = fire(game(side, line)), fire(game(behind, line))
    assert (flank.aspect, effects(flank)["MM-108"]) == ("flank", "x2")
    assert (rear.aspect, effects(rear)["MM-108"]) == ("rear", "x2")
    plain = fire(game(behind, line, options={"rear_fire_doubles": False}))
    assert plain.aspect == "rear"
    assert "MM-108" not in effects(plain)


@pytest.mark.rule("MM-106", "R-09", "MM-109")
def test_cover_halves_and_the_flank_cancels_it() -> None:
    line = unit("them", "french", row(4, 900, 500, 25), bearing=180.0, prone=True, **LINE)
    option = fire(game(unit("us", at=[(500, 500)], bearing=90.0), line))
    assert option.roll is not None
    assert option.roll.multiplier == 1
    assert {"MM-106", "MM-108"} <= effects(option).keys()


@pytest.mark.rule("MM-107", "MM-146")
def test_at_a_charger_fire_at_will_is_halved_and_a_volley_is_not() -> None:
    us = unit("us", at=row(4, 900, 300, 25), activated=True, moved_mm=99.0, firing_at="else", **LINE)
    table = game(us, foe(6, count=4), unit("else", "french", [(700, 600)], bearing=180.0))
    for mode, multiplier in (("at-will", 0.5), ("volley", 1)):
        option = fire_option(table, table.unit("us"), table.unit("them"), mode, at_charger=True)
        assert option.legal
        assert option.roll is not None
        assert option.roll.multiplier == multiplier


@pytest.mark.rule("R-09", "MM-96", "MM-109")
@pytest.mark.parametrize(("seen", "options", "most"), [(5, {}, 3), (2, {}, 2), (2, {"cap_to_seen": False}, 3)])
def test_the_cap_on_casualties_is_told(seen: int, options: dict[str, bool], most: int) -> None:
    roll = fire(game(unit("us", at=row(3, 900, 300)), foe(count=seen), options=options)).roll
    assert roll is not None
    assert roll.extra["most_casualties"] == most


@pytest.mark.rule("MM-113")
@pytest.mark.parametrize(
    ("weapon", "level", "misfires"), [("musket", 2, True), ("rifle", 5, True), ("bow", 3, False)]
)
def test_in_foul_weather_the_roll_says_what_misfires(weapon: str, level: int, misfires: bool) -> None:
    roll = fire(game(unit("us", weapon=weapon), foe(), weather="inclement", weather_level=level)).roll
    assert roll is not None
    assert roll.extra.get("misfire") == (">=5" if misfires else None)


@pytest.mark.rule("MM-110", "muskets-mohawks R-20", "MM-111")
@pytest.mark.parametrize(
    ("us", "first", "bound"),
    [({}, {}, True), ({"retiring": True}, {}, False), ({}, {"retiring": True}, False),
     ({}, {"in_melee": ["x"]}, False), ({}, {"runaway": True}, False), ({"weapon": "pistol"}, {}, False)],
)  # fmt: skip
def test_continuous_fire_binds_to_a_target_that_can_still_be_fired_at(
    us: dict[str, Any], first: dict[str, Any], bound: bool
) -> None:
    target = unit("first", "french", [(800, 600)], bearing=180.0, **first)
    option = fire(game(unit("us", firing_at="first", reload_markers=1, **us), target, foe()))
    assert ("MM-110" in option.why_rules) is bound


@pytest.mark.rule("MM-110", "muskets-mohawks R-20")
def test_continuous_fire_ends_out_of_sight_or_range_and_with_the_target() -> None:
    us = unit("us", firing_at="first", reload_markers=1)
    for there in ((900 + 400, 300), (900, 300 + 25 + 18.1 * INCH)):
        assert fire(game(us, unit("first", "french", [there]), foe())).legal
    assert fire(game(us, unit("first", "french", []), foe())).legal
    assert fire(game(us, foe())).legal


@pytest.mark.rule("MM-92")
def test_a_unit_counts_as_armed_with_what_most_of_it_carries() -> None:
    us = unit("us", at=row(4, 900, 300), weapon="musket")
    for figure in us["figures"][:3]:
        figure["weapon"] = "bow"
    assert fire(game(us, foe())).extra["weapon"] == "bow"
    us["figures"][0]["weapon"] = "musket"
    assert fire(game(us, foe())).extra["weapon"] == "musket"


@pytest.mark.rule("MM-19")
def test_those_who_hold_the_horses_do_not_fire() -> None:
    us = unit("us", at=row(5, 900, 300), kind="cavalry", mounted=False, weapon="carbine")
    us["figures"][4]["role"] = "holder"
    assert fire(game(us, foe())).shooters == ("us-1", "us-2", "us-3", "us-4")


@pytest.mark.rule("MM-92")
@pytest.mark.parametrize(
    ("gap_mm", "sigma", "lines"),
    [(457.0, 0.5, 1), (455.0, 0.5, 0), (458.6, 0.5, 1), (459.0, 0.5, 0), (457.0, 0.0, 0)],
)
def test_a_range_within_two_sigma_of_the_limit_is_borderline(gap_mm: float, sigma: float, lines: int) -> None:
    option = fire(game(unit("us"), foe(gap_mm / INCH), sigma=sigma))
    assert len(option.borderline) == lines
    assert option.legal is (gap_mm <= 457.2)
    assert option.range_sigma_mm == pytest.approx(sigma * 2**0.5)


@pytest.mark.rule("MM-92")
def test_a_borderline_range_is_said_with_its_figures() -> None:
    (line,) = fire(game(unit("us"), foe(457.0 / INCH), sigma=0.6)).borderline
    assert line == "range 457.0 ± 0.8 mm against 457.2 mm: measured as within"


@pytest.mark.rule("MM-83")
@pytest.mark.parametrize(
    ("off", "sigma", "lines"), [(44.9, 1.0, 1), (44.0, 1.0, 0), (45.2, 1.0, 1), (44.9, 0.0, 0)]
)
def test_an_arc_within_two_sigma_of_45_degrees_is_borderline(off: float, sigma: float, lines: int) -> None:
    there = (900 + 300 * math.sin(math.radians(off)), 300 + 300 * math.cos(math.radians(off)))
    option = fire(game(unit("us"), unit("them", "french", [there], bearing=180.0), sigma=sigma))
    assert len(option.borderline) == lines
    assert option.legal is (off <= 45)


@pytest.mark.rule("MM-86", "MM-89")
def test_visibility_and_depth_in_woods_can_be_borderline() -> None:
    assert len(fire(game(unit("us"), foe(11.99), light="night", sigma=0.5)).borderline) == 1
    wood = box("wood", "woods", (500, 325 + 10 * INCH - 25.0), (1300, 1000))
    assert len(fire(game(unit("us"), foe(10), terrain=[wood], sigma=0.5)).borderline) == 1
