"""Who may fire at whom and what to roll, row by row of the rulebook."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.errors import UnusableFile
from engine.rulesets.tyneside.fire.firing import fire_option
from tests.engine.tyneside.scene import HALF, apart, asked, charge, figure, game, ground, row, shot, unit


def at(distance: float, weapon: str = "musket", target: Any = None, **state: Any) -> Any:
    """The fire of one commanded man at another so far away."""
    here, there = apart(distance, y=30)
    return shot(unit("a", here, weapon=weapon, **{"commanded": True, **state}), unit("b", there, **(target or {})))


@pytest.mark.rule("TY-01", "TY-02", "TY-30", "TY-47", "TR-10")
@pytest.mark.parametrize(
    ("weapon", "limits"),
    [
        ("rifle", (300, 900, None)),
        ("musket", (200, 400, None)),
        ("musket-bayonet", (200, 400, None)),
        ("pistol", (40, 80, 200)),
        ("bow", (300, 600, 1000)),
        ("spear", (80, 120, 240)),
        ("hatchet", (50, 100, 200)),
        ("knife", (50, 100, 200)),
        ("rocks", (40, 80, 200)),
    ],
)
def test_bands_of_every_weapon_limits_included(weapon: str, limits: Any) -> None:
    bands = ("short", "medium", "long", "out")
    needs = (">=2", ">=4", ">=6")
    for number, limit in enumerate(limits):
        if limit is not None:
            within, beyond = at(limit, weapon), at(limit + 1, weapon)
            assert (within.band, within.roll.success, within.roll.die) == (bands[number], needs[number], "d8")
            assert (beyond.band, beyond.legal) == (bands[number + 1], number < 2)
            assert within.range_mm == pytest.approx(limit)


@pytest.mark.rule("TY-30", "TY-43", "TY-70")
def test_what_is_hardly_too_far_is_told_apart_from_how_far_it_may_be() -> None:
    there = figure("b-1", 600, 1375.3, 180)
    assert at(240.3, "spear").why_not == ("out of range: 24.03 cm, a spear reaches 24 cm",)
    wood = ground("woods", 400, 1275, 800, 1500)
    deep = shot(unit("a", (600, 1000), commanded=True), unit("b", there, fired=True), terrain=[wood])
    assert deep.why_not == (f"10.03 cm of {wood['id']} (woods) is in the way",)
    fence = ground("fence", 400, 200, 800, 202)
    hardly = charge(unit("a", (600, 150), commanded=True), unit("b", (600, 362.9)), terrain=[fence])
    assert hardly.why_not == ("out of reach: 18.79 cm away, it gets 18.75 cm",)


LOADING = pytest.mark.rule("TY-34")


@pytest.mark.rule("TY-30")
@pytest.mark.parametrize(("gap", "band", "legal"), [(1200, "long", True), (1201, "out", False)])
def test_muskets_reach_to_a_hundred_and_twenty_centimetres(gap: float, band: str, legal: bool) -> None:
    found = shot(unit("a", (100, 600), commanded=True), unit("b", (125 + gap, 600)))
    assert (found.band, found.legal, found.roll is not None) == (band, legal, legal)


@pytest.mark.rule("TY-30")
@pytest.mark.parametrize("weapon", ["sword", "war-club", "none"])
def test_what_is_for_melee_alone_is_not_shot(weapon: str) -> None:
    found = at(30, weapon)
    assert (found.legal, found.why_rules, found.band, found.roll) == (False, ("TY-30",), "out", None)


@pytest.mark.rule("TY-30")
def test_who_has_no_weapon_is_told_so_for_every_enemy() -> None:
    unarmed = {key: value for key, value in unit("a", (600, 100)).items() if key != "weapon"}
    found = shot(unarmed, unit("b", (600, 150)))
    assert (found.legal, found.why_not, found.band) == (False, ("has no weapon",), "out")


@pytest.mark.rule("TY-30")
@pytest.mark.parametrize(
    ("distance", "cover", "needs"),
    [
        (100, "none", 2), (100, "soft", 4), (100, "hard", 6), (300, "none", 4), (300, "soft", 6), (300, "hard", 7),
        (700, "none", 6), (700, "soft", 7), (700, "hard", 8),
    ],
)  # fmt: skip
def test_the_whole_table_to_hit(distance: float, cover: str, needs: int) -> None:
    here, there = apart(distance)
    terrain = [ground("road", 500, there[1] - 40, 700, there[1] + 40, cover=cover)]
    found = shot(unit("a", here, commanded=True), unit("b", there), terrain=terrain)
    assert (found.cover, found.roll.success) == (cover, f">={needs}")


@pytest.mark.rule("TR-10")
def test_distances_may_be_measured_from_centre_to_centre() -> None:
    here, there = apart(190)
    units = [unit("a", here, commanded=True), unit("b", there)]
    assert shot(*units).band == "short"
    found = shot(*units, options={"measure": "centre"})
    assert (found.band, found.range_mm) == ("medium", pytest.approx(215))


@pytest.mark.rule("TY-02", "TY-46")
def test_the_range_is_between_a_shooter_and_one_whom_he_sees() -> None:
    hidden, plain = (600, 300), (700, 700)
    wall = ground("wall", 560, 230, 610, 240, height_cm=9)
    found = shot(unit("a", (600, 150), commanded=True), unit("b", hidden, plain), terrain=[wall])
    assert found.targets_seen == ("b-2",)
    assert found.range_mm == pytest.approx((100**2 + 550**2) ** 0.5 - 25)


@pytest.mark.rule("TY-31", "TY-05")
@pytest.mark.parametrize(("klass", "add"), [("hero", 1), ("veteran", 0), ("raw", -1)])
def test_the_class_changes_the_die_and_not_the_number(klass: str, add: int) -> None:
    found = at(150, target={}, stats={"class": klass})
    assert (found.roll.success, found.roll.extra["add"]) == (">=2", add)
    assert [(one.name, one.extra["value"]) for one in found.modifiers] == ([(klass, add)] if add else [])


@pytest.mark.rule("TY-33", "TY-35")
@pytest.mark.parametrize(
    ("state", "stats", "told"),
    [
        ({"commanded": True}, {}, []),
        ({"commanded": True, "moved": "half"}, {}, []),
        ({"commanded": True}, {"volley": False}, [("TY-33", "3d8")]),
        ({}, {}, [("TY-33", "3d8")]),
        ({"moved": "half"}, {}, [("TY-33", "2d8"), ("TY-35", "as at medium range")]),
    ],
)
def test_why_fewer_shoot_or_as_from_farther_off_is_told(
    state: dict[str, Any], stats: dict[str, Any], told: list[tuple[str, str]]
) -> None:
    found = shot(unit("a", *row(7, 450, 150), stats=stats, **state), unit("b", (600, 300)))
    assert [(one.rule, one.effect) for one in found.modifiers] == told
    assert found.roll is not None
    assert found.roll.extra["add"] == sum(one.extra["value"] for one in found.modifiers) == 0


@pytest.mark.rule("TY-31", "TY-05")
def test_figures_of_another_class_throw_their_own_dice() -> None:
    mixed = unit("a", *row(3, 550, 150), commanded=True, stats={"class": "raw", "classes": {"a-2": "hero"}})
    found = shot(mixed, unit("b", (600, 350)))
    assert (found.roll.count, found.roll.extra) == (3, {"add": -1, "adds": [-1, 1, -1]})


@pytest.mark.rule("TY-32", "TY-33", "TR-7")
@pytest.mark.parametrize(
    ("state", "stats", "men", "down", "up"),
    [
        ({"commanded": True}, {}, 7, 7, 7),
        ({"commanded": True, "moved": "half"}, {}, 7, 7, 7),
        ({"commanded": True}, {"volley": False}, 7, 3, 4),
        ({"commanded": True, "moved": "half"}, {"volley": False}, 7, 2, 3),
        ({}, {}, 7, 3, 4),
        ({}, {}, 6, 3, 3),
        ({"moved": "half"}, {}, 7, 2, 3),
        ({"moved": "half"}, {}, 6, 2, 2),
        ({}, {}, 1, 1, 1),
        ({"moved": "half"}, {}, 2, 1, 1),
    ],
)
def test_how_many_dice_are_thrown(state: Any, stats: Any, men: int, down: int, up: int) -> None:
    for option, dice in (("down", down), ("up", up)):
        units = unit("a", *row(men, 450, 150), stats=stats, **state), unit("b", (600, 300))
        found = shot(*units, options={"round_shots": option})
        assert (len(found.shooters), found.roll.count, found.legal) == (men, dice, True)


@pytest.mark.rule("TY-19", "TY-33")
def test_commanded_troops_without_volleys_choose_their_target_and_their_band() -> None:
    units = [unit("a", *row(4, 450, 150), commanded=True, moved="half", stats={"volley": False}),
             unit("b", (450, 500)), unit("bx", (600, 330))]  # fmt: skip
    found = shot(*units)
    assert (found.legal, found.band, found.roll.count) == (True, "medium", 1)


@pytest.mark.rule("TY-08", "TY-32")
def test_player_characters_fire_whatever_their_command() -> None:
    found = shot(unit("a", (600, 150), type="leader", weapon="pistol"), unit("b", (600, 200)))
    assert (found.legal, found.roll.count) == (True, 1)


@pytest.mark.parametrize(
    ("weapon", "state", "options", "rules"),
    [
        pytest.param("musket", {"commanded": True, "loaded": False}, {}, ("TY-34",), marks=LOADING),
        pytest.param("bow", {"commanded": True, "loaded": False}, {}, (), marks=LOADING),
        pytest.param("musket", {"loaded": False}, {}, (), marks=pytest.mark.rule("TY-34", "TR-18")),
        pytest.param("musket", {"commanded": True, "activity": "loading"}, {}, ("TY-34",),
                     marks=LOADING),
        pytest.param("musket", {"commanded": True, "moved": "half"}, {}, (), marks=LOADING),
        pytest.param("musket", {"commanded": True, "moved": "full"}, {}, ("TY-34",), marks=LOADING),
        pytest.param("bow", {"commanded": True, "moved": "full"}, {}, ("TY-34",), marks=pytest.mark.rule("TR-19")),
        pytest.param("bow", {"commanded": True, "moved": "full"}, {"bows_half_speed": False}, (),
                     marks=pytest.mark.rule("TR-19")),
        pytest.param("musket", {"commanded": True, "moved": "full"}, {"bows_half_speed": False}, ("TY-34",),
                     marks=pytest.mark.rule("TR-19")),
        pytest.param("bow", {"moved": "full"}, {}, ("TY-35",), marks=pytest.mark.rule("TY-35")),
        pytest.param("bow", {"fired": True, "commanded": True}, {}, ("TY-09",), marks=pytest.mark.rule("TY-09")),
    ],
)  # fmt: skip
def test_why_a_unit_may_not_fire(weapon: str, state: Any, options: Any, rules: Any) -> None:
    here, there = apart(150)
    found = shot(unit("a", here, weapon=weapon, **state), unit("b", there), options=options)
    assert (found.legal, found.why_rules) == (not rules, rules)


@pytest.mark.rule("TY-09", "TY-10")
@pytest.mark.parametrize("active", ["british", "french", None])
def test_whose_turn_it_is_bars_nothing(active: str | None) -> None:
    here, there = apart(150)
    assert shot(unit("a", here), unit("b", there), active=active).legal


@pytest.mark.rule("TY-35")
@pytest.mark.parametrize(
    ("weapon", "gap", "moved", "band"),
    [
        ("musket", 200, "none", "short"),
        ("musket", 200, "half", "medium"),
        ("musket", 201, "half", "long"),
        ("musket", 400, "half", "long"),
        ("musket", 401, "half", "out"),
        ("hatchet", 50, "half", "medium"),
        ("spear", 80, "half", "short"),
        ("spear", 240, "half", "long"),
    ],
)
def test_uncommanded_movers_shoot_one_band_farther_but_for_spears(
    weapon: str, gap: float, moved: str, band: str
) -> None:
    here, there = apart(gap)
    found = shot(unit("a", here, weapon=weapon, moved=moved), unit("b", there))
    assert (found.band, found.legal) == (band, band != "out")


@pytest.mark.rule("TY-35", "TY-36")
@pytest.mark.parametrize(
    ("players", "legal", "band"), [(["french"], True, "medium"), (["british", "french"], False, "medium")]
)
def test_sides_without_players_move_at_full_speed_and_shoot(players: Any, legal: bool, band: str) -> None:
    here, there = apart(150)
    found = shot(unit("a", here, moved="full"), unit("b", there), player_sides=players)
    assert (found.legal, found.band) == (legal, band)
    commanded = shot(unit("a", here, moved="full", commanded=True), unit("b", there), player_sides=players)
    assert not commanded.legal


@pytest.mark.rule("TY-37", "TR-11")
@pytest.mark.parametrize("commanded", [True, False])
def test_uncommanded_troops_shoot_at_the_nearest_they_see(commanded: bool) -> None:
    units = [unit("a", (600, 150), commanded=commanded), unit("b", (600, 450)), unit("bx", (500, 400))]
    assert shot(*units).why_rules == (() if commanded else ("TY-37",))
    assert shot(*units, at="bx").legal
    wall = ground("wall", 520, 320, 560, 330, height_cm=9)
    assert shot(*units, terrain=[wall]).legal


@pytest.mark.rule("TY-37")
def test_of_two_enemies_as_near_uncommanded_troops_may_choose() -> None:
    units = [unit("a", (600, 150)), unit("b", (500, 400)), unit("bx", (700, 400))]
    assert shot(*units).legal
    assert shot(*units, at="bx").legal


@pytest.mark.rule("TY-38")
@pytest.mark.parametrize("role", ["officer", "nco", "leader"])
@pytest.mark.parametrize(("gap", "belongs"), [(10, True), (50.0, True), (50.1, False)])
def test_leaders_within_five_centimetres_belong_to_the_group(role: str, gap: float, belongs: bool) -> None:
    him = unit("bl", figure("bl-1", 675 + gap, 400, 180.0, role=role), type="leader", weapon="sword")
    units = [unit("a", (600, 150), commanded=True), unit("b", (600, 400), (650, 400)), him]
    assert ("bl-1" in shot(*units).targets_seen) is belongs
    assert shot(*units, at="bl").why_rules == (("TY-38",) if belongs else ())


@pytest.mark.rule("TY-38", "TY-37")
def test_player_characters_pick_leaders_out_of_a_group() -> None:
    him = unit("bl", figure("bl-1", 690, 400, 180.0, role="officer"), type="leader", weapon="sword")
    units = [unit("a", (600, 150), type="leader", weapon="rifle"), unit("b", (650, 400)), him]
    found = shot(*units, at="bl")
    assert (found.legal, found.targets_seen) == (True, ("bl-1",))


@pytest.mark.rule("TY-38")
def test_leaders_belong_to_the_nearer_group_and_never_to_the_enemy() -> None:
    him = unit("bl", figure("bl-1", 650, 400, 180.0, role="officer"), type="leader", weapon="sword")
    units = [unit("a", (600, 150), commanded=True), unit("ax", (650, 370)), unit("b", (590, 400)),
             unit("by", (700, 400)), him]  # fmt: skip
    homes = asked(game(*units), "bl").extra["group"]
    assert homes["belongs_to"] == "by"


@pytest.mark.rule("TY-40", "TY-47")
@pytest.mark.parametrize(("gap", "shooters"), [(200.0, ("a-1", "a-2")), (201.0, ("a-2",))])
def test_the_wounded_shoot_at_short_range_only(gap: float, shooters: Any) -> None:
    y = 150 + gap + 25
    men = [figure("a-1", 600, 150, status="wounded"), figure("a-2", 630, 150)]
    found = shot(unit("a", *men, commanded=True), unit("b", (600, y), (630, y)))
    assert found.shooters == shooters


@pytest.mark.rule("TY-47")
def test_wounded_alone_beyond_short_range_may_not_fire() -> None:
    found = shot(unit("a", figure("a-1", 600, 150, status="wounded"), commanded=True), unit("b", (600, 500)))
    assert (found.legal, found.why_rules, found.roll) == (False, ("TY-47",), None)


@pytest.mark.rule("TY-47")
def test_a_second_weapon_is_an_entry_of_its_own() -> None:
    here, there = apart(90)
    units = [unit("a", here, commanded=True, loaded=False, stats={"second_weapon": "hatchet"}), unit("b", there)]
    found = {one.extra["weapon"]: one for one in asked(game(*units)).fire}
    assert [found["musket"].legal, found["musket"].band] == [False, "short"]
    assert [found["hatchet"].legal, found["hatchet"].band] == [True, "medium"]


@pytest.mark.rule("TY-47")
def test_a_shooter_must_himself_be_within_long_range() -> None:
    found = shot(unit("a", (600, 150), (600, 95), weapon="pistol", commanded=True), unit("b", (600, 350)))
    assert found.shooters == ("a-1",)


@pytest.mark.rule("TY-47")
def test_a_weapon_that_no_figure_has_is_not_offered_nor_fired() -> None:
    men = [figure("a-1", 600, 150, weapon="rifle"), figure("a-2", 640, 150, weapon="bow")]
    of = game(unit("a", *men, weapon="spear", commanded=True), unit("b", (600, 200)))
    assert [(entry.extra["weapon"], entry.legal) for entry in asked(of).fire] == [("rifle", True), ("bow", True)]
    found = fire_option(of, of.unit("a"), of.unit("b"), weapon="spear")
    assert (found.legal, found.roll, found.why_not) == (False, None, ("nobody of a has a spear",))


@pytest.mark.rule("TY-47")
def test_figures_with_a_weapon_of_their_own_fire_that() -> None:
    men = [figure("a-1", 600, 150), figure("a-2", 640, 150, weapon="rifle")]
    units = [unit("a", *men, commanded=True), unit("b", (620, 400))]
    assert shot(*units, weapon="musket").shooters == ("a-1",)
    assert shot(*units, weapon="rifle").shooters == ("a-2",)


def test_every_enemy_is_listed_with_every_reason_nearest_first() -> None:
    units = [unit("a", (600, 150), commanded=True, loaded=False, moved="full"), unit("b", (600, 900)),
             unit("by", (600, 400))]  # fmt: skip
    entries = asked(game(*units)).fire
    assert [one.target for one in entries] == ["by", "b"]
    assert entries[1].why_rules == ("TY-34", "TY-34", "TY-41")


@pytest.mark.rule("TY-01")
@pytest.mark.parametrize(("gap", "said"), [(198.5, True), (201.4, True), (198.0, False), (202.0, False)])
def test_ranges_within_two_sigma_of_a_limit_are_borderline(gap: float, said: bool) -> None:
    here, there = apart(gap)
    found = shot(unit("a", here, commanded=True), unit("b", there), sigma_mm=0.6)
    text = f"range {gap / 10:.2f} ± 0.08 cm against 20 cm (short)"
    assert (text in found.borderline) is said
    assert found.range_sigma_mm == pytest.approx(0.6 * 2**0.5)


@pytest.mark.rule("TY-01", "TY-38")
def test_a_leaders_belonging_and_the_nearest_enemy_may_be_borderline() -> None:
    him = unit("bl", figure("bl-1", 675.5, 400, 180.0, role="officer"), type="leader", weapon="sword")
    units = [unit("a", (600, 150), commanded=False), unit("b", (600, 400)), him, unit("by", (500, 380.7))]
    lines = " ".join(line for one in asked(game(*units, sigma_mm=0.5)).fire for line in one.borderline)
    assert "whether bl-1 belongs to b: 5.05 ± 0.07 cm against 5 cm" in lines
    assert "nearest enemy: b or by: 22.64 ± 0.07 cm against 22.5 cm" in lines


@pytest.mark.rule("TY-01")
def test_nothing_is_borderline_where_all_places_are_given() -> None:
    here, there = apart(200)
    assert shot(unit("a", here), unit("b", there)).borderline == ()


def test_units_without_figures_markers_and_lone_sides_are_answered_too() -> None:
    gone, dummy = unit("b"), unit("bx", hidden=True, dummy=True)
    marker = unit("by", (600, 400), hidden=True)
    dead = unit("bz", figure("bz-1", 700, 400, status="killed"), type="leader")
    bare = unit("a", (600, 150), weapon="none")
    for entry in (asked(game(bare, gone, dummy, marker, dead), name) for name in ("a", "b", "bx", "by", "bz")):
        assert all(not one.legal and one.why_not for one in (*entry.fire, *entry.charge))
    found = {
        one.target: one.why_rules for one in asked(game(unit("a", (600, 150)), gone, dummy, marker, dead)).fire
    }
    assert found == {"b": ("TY-40",), "bx": ("TY-82",), "by": ("TY-82",), "bz": ("TY-40",)}
    assert asked(game(unit("a", (600, 150)))).fire == ()


@pytest.mark.rule("TY-06", "TY-08")
@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"type": "knight"}, "units[0].type: expected one of formed, skirmisher"),
        ({"weapon": "laser"}, "units[0].weapon: expected one of rifle, musket"),
        ({"formation": "square"}, "units[0].formation: expected one of group, line, column"),
        ({"stats": {"class": "elite"}}, "units[0].stats.class: expected one of hero, veteran, raw"),
        ({"stats": {"classes": {"a-1": "elite"}}}, "stats.classes.a-1: expected one of hero, veteran, raw"),
        ({"moved": "twice"}, "units[0].state.moved: expected one of none, half, full"),
        ({"rage": 1}, "units[0].state"),
    ],
)
def test_words_outside_the_rulebook_are_refused_with_their_place(keys: Any, fault: str) -> None:
    with pytest.raises(UnusableFile) as refused:
        game(unit("a", (600, 150), **keys))
    assert fault in str(refused.value)


@pytest.mark.rule("TY-05", "TY-40")
def test_a_unit_that_is_wiped_out_may_keep_what_class_its_men_had() -> None:
    gone = unit("b", stats={"classes": {"b-1": "hero"}})
    assert asked(game(unit("a", (600, 150)), gone)).fire[0].why_rules == ("TY-40",)


@pytest.mark.rule("TY-08")
def test_a_leader_is_a_unit_of_one_figure() -> None:
    with pytest.raises(UnusableFile, match="expected one figure, the leader, got 2"):
        game(unit("a", (600, 150), (640, 150), type="leader"))


def _led(gap: float, x: float = 700.0) -> Any:
    """Three men side by side, and their NCO with so much space between him and the last of them."""
    men = [figure(f"b-{number}", x + 40 * number, 400, 180.0) for number in range(3)]
    return unit("b", *men, figure("b-nco", x + 80 + 25 + gap, 400, 180.0, role="nco"), type="formed")


@pytest.mark.rule("TY-38")
@pytest.mark.parametrize(("gap", "hit"), [(50.0, True), (50.1, False)])
def test_fire_at_a_squad_does_not_fall_on_its_nco_who_stands_apart(gap: float, hit: bool) -> None:
    found = shot(unit("a", (700, 150), (800, 150), commanded=True), _led(gap))
    assert found.legal
    assert ("b-nco" in found.targets_seen) is hit


@pytest.mark.rule("TY-38", "TY-02")
def test_the_range_to_a_squad_is_not_that_to_its_nco_who_stands_apart() -> None:
    near = shot(unit("a", (865, 150), commanded=True), _led(60))
    assert near.range_mm == pytest.approx(math.dist((865, 150), (780, 400)) - 2 * HALF)


@pytest.mark.rule("TY-38")
def test_an_nco_of_whom_alone_one_sees_is_shot_at_alone() -> None:
    found = shot(unit("a", (865, 150), commanded=True), _led(60), terrain=[ground("house", 600, 300, 800, 380)])
    assert (found.legal, found.targets_seen) == (True, ("b-nco",))
