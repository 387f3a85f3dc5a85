"""Who may fire small arms at whom, how many dice are thrown and what they need, row by row."""

from __future__ import annotations

from math import dist
from typing import Any

import pytest

from engine.rulesets.presidio.book import book, small_arms
from tests.engine.presidio.scene import (
    HALF,
    Json,
    Spot,
    asked,
    dice_of,
    effects,
    figure,
    game,
    ground,
    inches,
    line,
    needs,
    row,
    shot,
    unit,
)

FLAT = {"ranged": 0}


def far(distance: float, weapon: str = "flintlock-musket", mode: str = "independent", **keys: Any) -> Any:
    """The fire of one man at another with so many inches from front to front; keys are his target's."""
    a = unit("a", (900, 100), weapon=weapon, stats=FLAT)
    return shot(a, unit("b", (900, 100 + 2 * HALF + inches(distance)), type="line", formation="line", **keys),
                mode=mode)  # fmt: skip


@pytest.mark.rule("PR-408", "PR-009", "presidio R-3")
@pytest.mark.parametrize(
    ("weapon", "limits"),
    [
        ("bow", (4, 12, 24)),
        ("flintlock-pistol", (4, 12, 24)),
        ("flintlock-carbine", (4, 18, 36)),
        ("flintlock-musket", (4, 24, 48)),
        ("crossbow", (4, 24, 48)),
        ("longbow", (4, 24, 48)),
        ("breech-carbine", (4, 24, 48)),
        ("flintlock-rifle", (12, 24)),
    ],
)
def test_bands_end_short_of_their_limits(weapon: str, limits: tuple[float, ...]) -> None:
    bands, worth = ("close", "medium", "long", "out"), (-4, -2, 0)
    for number, limit in enumerate(limit for limit in limits if limit < 40):
        nearer, at = far(limit - 0.02, weapon), far(limit, weapon)
        assert (nearer.band, at.band) == (bands[number], bands[number + 1])
        assert needs(nearer) == small_arms()[weapon].hit + worth[number]
        assert at.range_mm == pytest.approx(inches(limit))
    assert far(39, weapon).legal == (weapon not in ("bow", "flintlock-pistol", "flintlock-carbine"))


@pytest.mark.rule("PR-408")
def test_out_of_range_is_said_and_throws_nothing() -> None:
    found = far(24, "bow")
    assert (found.band, found.legal, found.roll, found.why_rules) == ("out", False, None, ("PR-408",))
    assert found.why_not == ("out of range: 24.0 in, less than 24.0 in needed",)
    assert far(24.04, "bow").why_not == ("out of range: 24.04 in, less than 24.00 in needed",)  # not 24.0 and 24.0


@pytest.mark.rule("PR-1011", "PR-1012", "PR-1013", "PR-1014", "PR-1015", "PR-1016")
@pytest.mark.parametrize(
    ("weapon", "hit", "damage", "reload"),
    [
        ("flint-bow", 10, 1, 1), ("flint-longbow", 10, 2, 2), ("bow", 10, 2, 1), ("longbow", 10, 3, 2),
        ("crossbow", 9, 4, 3), ("wheellock-pistol", 12, 3, 3), ("matchlock-carbine", 12, 4, 4),
        ("matchlock-rifle", 11, 4, 5), ("flintlock-pistol", 11, 3, 3), ("flintlock-musket", 11, 4, 4),
        ("flintlock-rifle", 10, 4, 5), ("caplock-revolver", 10, 3, 12), ("caplock-rifle", 9, 4, 4),
        ("breech-caplock-rifle", 9, 4, 3), ("revolver", 10, 3, 6), ("breech-rifle", 10, 4, 2),
    ],
)  # fmt: skip
def test_the_weapon_lists(weapon: str, hit: int, damage: int, reload: int) -> None:
    arm = small_arms()[weapon]
    assert (arm.hit, arm.damage, arm.reload) == (hit, damage, reload)
    assert all(one.extra["weapon"] == weapon for one in asked(game(unit("a", (900, 100), weapon=weapon),
                                                                   unit("b", (900, 300)))).fire)  # fmt: skip


@pytest.mark.rule("PR-402", "PR-1011", "PR-1012")
def test_melee_weapons_have_no_entry_and_each_firearm_has_its_own() -> None:
    foe = unit("b", (900, 300))
    assert asked(game(unit("a", (900, 100), weapon="lance"), foe)).fire == ()
    mixed = unit("a", *row(4, 800, 100), stats={"arms": [{"weapon": "bow", "figures": ["a-3", "a-4"]}]})
    entries = {one.extra["weapon"]: one.shooters for one in asked(game(mixed, foe)).fire}
    assert entries == {"flintlock-musket": ("a-1", "a-2"), "bow": ("a-3", "a-4")}


@pytest.mark.rule("PR-401", "PR-408", "presidio R-4")
def test_the_books_example_needs_eleven() -> None:
    """15 in, 11+, medium range as nothing, skill 2, a rock wall: 11 again."""
    a = line("a", 9, 900, 100, stats={"ranged": 2})
    b = line("b", 9, 900, 100 + 2 * HALF + inches(15))
    wall = ground("wall", 500, 470, 1300, 475)
    found = shot(a, b, mode="volley", terrain=[wall], options={"medium_dm": 0})
    assert (dice_of(found), needs(found), found.cover) == (9, 11, "partial")
    assert needs(shot(a, b, mode="volley", terrain=[wall])) == 9


def shooter(**keys: Any) -> Json:
    """Nine muskets of no skill, twelve inches off the target."""
    return line("a", 9, 900, 100, **{"stats": FLAT, **keys})


def target(**keys: Any) -> Json:
    """A line of nine, twelve inches off."""
    return line("b", 9, 900, 100 + 2 * HALF + inches(12), **keys)


@pytest.mark.rule("PR-415", "PR-416", "PR-417", "PR-419", "PR-429", "PR-104")
@pytest.mark.parametrize(
    ("keys", "rule", "worth"),
    [
        ({"formation": "skirmish"}, "PR-415", 2),
        ({"formation": "disorder"}, "PR-415", 0),
        ({"evading": True}, "PR-416", 1),
        ({"taking_cover": True}, "PR-417", 2),
        ({"covered_reload": True}, "PR-429", 1),
        ({"mounted": True}, "PR-419", 1),
        ({"posture": "kneeling"}, "PR-409", 1),
        ({"posture": "prone"}, "PR-410", 2),
        ({"works": "incidental"}, "PR-409", 1),
        ({"works": "partial"}, "PR-410", 2),
        ({"position": "window"}, "PR-411", 3),
        ({"position": "doorway"}, "PR-410", 2),
        ({"position": "loophole"}, "PR-412", 4),
        ({"position": "ladder"}, "PR-412", 0),
    ],
)
def test_what_the_target_does_alters_the_number(keys: Json, rule: str, worth: int) -> None:
    found = shot(shooter(), target(**keys))
    assert effects(found).get(rule, 0) == worth
    assert needs(found) == (9 + worth if 9 + worth <= 12 else None)


@pytest.mark.rule("PR-415")
def test_artillery_is_harder_to_hit_once() -> None:
    gun = unit("b", figure("b-1", 900, 440, 180, role="gun"), figure("b-2", 930, 440, 180, role="crew"),
               type="artillery", formation="unlimbered", weapon="cannon-4")  # fmt: skip
    assert effects(shot(shooter(), gun))["PR-415"] == 2


@pytest.mark.rule("PR-419", "presidio R-13")
def test_riders_may_be_easier_to_hit_by_choice() -> None:
    assert effects(shot(shooter(), target(mounted=True), options={"mounted_target_dm": -1}))["PR-419"] == -1


@pytest.mark.rule("PR-413", "presidio R-12")
@pytest.mark.parametrize(
    ("keys", "options", "worth"),
    [
        ({"works": "partial"}, {}, 1),
        ({"works": "incidental"}, {}, 0),
        ({"posture": "prone"}, {}, 1),
        ({"position": "loophole"}, {}, 1),
        ({"works": "partial"}, {"firing_from_cover": 0}, 0),
        ({"works": "partial"}, {"firing_from_cover": -1}, -1),
    ],
)
def test_who_fires_from_cover_needs_more(keys: Json, options: Json, worth: int) -> None:
    assert effects(shot(shooter(**keys), target(), options=options)).get("PR-413", 0) == worth


@pytest.mark.rule("PR-426", "presidio R-15")
def test_more_than_twelve_is_no_shot_unless_a_twelve_always_hits() -> None:
    hard = {"posture": "prone", "formation": "skirmish"}
    found = shot(shooter(), target(**hard))
    assert (found.legal, found.roll, found.why_rules) == (False, None, ("PR-426",))
    assert needs(shot(shooter(), target(**hard), options={"natural_12_hits": True})) == 12


@pytest.mark.rule("PR-426", "PR-401")
def test_less_than_two_is_two() -> None:
    near = line("b", 9, 900, 180)
    assert needs(shot(shooter(stats={"ranged": 4}, weapon="caplock-rifle"), near)) == 2


@pytest.mark.rule("PR-421", "PR-102")
@pytest.mark.parametrize(
    ("a", "why"),
    [
        (line("a", 16, 900, 100), None),
        (line("a", 16, 900, 130, ranks=2), None),
        (line("a", 15, 900, 130, ranks=2), None),
        (line("a", 17, 900, 100), "PR-102"),
        (line("a", 12, 900, 160, ranks=3), "PR-421"),
        (line("a", 8, 900, 100, moved="walk"), "PR-421"),
        (line("a", 8, 900, 100, formation="skirmish"), "PR-421"),
        (line("a", 8, 900, 100, formation="disorder"), "PR-421"),
        (line("a", 8, 900, 100, formation="column"), "PR-421"),
        (line("a", 8, 900, 100, fire_mode="independent"), "PR-427"),
        (line("a", 8, 900, 100, reload_left=1), "PR-432"),
    ],
)
def test_who_may_volley(a: Json, why: str | None) -> None:
    found = shot(a, target(), mode="volley")
    assert found.why_rules == (() if why is None else (why,))


@pytest.mark.rule("PR-318", "PR-421")
@pytest.mark.parametrize(("apart", "why"), [(25.0, ()), (37.7, ()), (38.0, ("PR-318",))])
def test_an_extended_line_of_two_ranks_up_to_half_an_inch_apart_may_volley(apart: float, why: Any) -> None:
    spots = [(800.0 + 25 * (n % 4), 100.0 - apart * (n // 4)) for n in range(8)]
    a = unit("a", *spots, type="line", formation="extended-line", stats=FLAT)
    assert shot(a, target(), mode="volley").why_rules == why


@pytest.mark.rule("PR-216")
def test_a_gun_off_the_table_fires_like_another() -> None:
    gun = unit("a", figure("a-1", 900, -200, 0, role="gun"), *[figure(f"a-{n}", 850 + 30 * n, -230, role="crew")
               for n in range(2, 6)], type="artillery", formation="unlimbered",
               weapon="cannon-6-smoothbore")  # fmt: skip
    assert {one.mode: one.legal for one in asked(game(gun, target())).fire}["direct"]


@pytest.mark.rule("presidio R-36", "PR-422")
def test_who_lost_the_initiative_fires_all_the_same() -> None:
    assert shot(shooter(initiative=1), target(initiative=6)).legal


@pytest.mark.rule("presidio R-1", "PR-104")
def test_profiles_are_the_players_own() -> None:
    assert needs(shot(shooter(stats={"ranged": 3}), target())) == 6


@pytest.mark.rule("presidio R-22", "PR-1017")
def test_the_four_pounder_fires_directly_only() -> None:
    gun = unit("a", figure("a-1", 900, 100, 0, role="gun"), figure("a-2", 930, 90, role="crew"),
               type="artillery", formation="unlimbered", weapon="cannon-4")  # fmt: skip
    assert {one.mode for one in asked(game(gun, target())).fire} == {"direct"}


@pytest.mark.rule("PR-316", "PR-421")
def test_a_volley_wants_equal_ranks() -> None:
    front, rear = [(800.0 + 25 * n, 125.0) for n in range(6)], [(800.0 + 25 * n, 100.0) for n in range(4)]
    uneven = unit("a", *front, *rear, type="line", formation="line")
    assert shot(uneven, target(), mode="volley").why_rules == ("PR-316",)


@pytest.mark.rule("PR-421", "presidio R-2")
def test_a_game_may_forbid_volleys() -> None:
    assert shot(shooter(), target(), mode="volley", options={"volley": False}).why_rules == ("PR-421",)


@pytest.mark.rule("PR-421", "PR-422", "presidio R-14")
def test_officers_and_ncos_count_in_independent_fire_alone_and_musicians_never() -> None:
    a = line("a", 9, 900, 100, roles=["captain", "corporal", "drummer", "flag-bearer", "chaplain"])
    assert dice_of(shot(a, target(), mode="volley")) == 4
    assert shot(a, target(), mode="independent").shooters == ("a-1", "a-2", "a-6", "a-7", "a-8", "a-9")


@pytest.mark.rule("PR-422", "PR-423", "presidio R-26", "presidio R-29")
@pytest.mark.parametrize(
    ("count", "weapon", "dice"),
    [
        (18, "flintlock-musket", 5), (16, "flintlock-musket", 4), (6, "flintlock-musket", 2),
        (5, "flintlock-musket", 1), (1, "flintlock-musket", 1), (9, "bow", 9), (9, "crossbow", 3),
        (5, "longbow", 3), (10, "flintlock-rifle", 2), (18, "caplock-revolver", 2), (9, "revolver", 2),
    ],
)  # fmt: skip
def test_how_many_fire_in_an_action(count: int, weapon: str, dice: int) -> None:
    a = unit("a", *row(count, 500, 100, 40), weapon=weapon, stats=FLAT)
    b = line("b", 9, 900, 100 + 2 * HALF + inches(10))
    assert dice_of(shot(a, b)) == dice


@pytest.mark.rule("PR-422")
@pytest.mark.parametrize(
    ("kind", "legal"), [("line", False), ("grenadier", False), ("light", True), ("native", True), ("militia", True)]
)
def test_only_light_troops_fire_after_moving(kind: str, legal: bool) -> None:
    assert shot(shooter(type=kind, moved="walk"), target()).legal is legal


@pytest.mark.rule("PR-424")
@pytest.mark.parametrize(
    ("count", "weapon", "dice"), [(9, "bow", 4), (9, "flintlock-musket", 2), (2, "bow", 1), (1, "bow", 0)]
)
def test_on_the_move_half_fire_and_need_a_twelve(count: int, weapon: str, dice: int) -> None:
    a = unit("a", *row(count, 700, 100, 40), weapon=weapon, stats={"ranged": 4}, moved="walk")
    b = unit("b", *row(3, 800, 300), type="native")
    found = shot(a, b, mode="moving")
    assert found.legal is (dice > 0)
    if dice:
        assert (dice_of(found), needs(found)) == (dice, 12)


@pytest.mark.rule("PR-424", "PR-414")
@pytest.mark.parametrize(
    ("keys", "why"),
    [({"position": "loophole"}, ("PR-426",)), ({"hunkered": True}, ("PR-414",)), ({"position": "window"}, ())],
)
def test_on_the_move_only_full_cover_counts(keys: Json, why: tuple[str, ...]) -> None:
    a = unit("a", *row(9, 700, 100, 40), weapon="bow")
    assert shot(a, target(**keys), mode="moving").why_rules == why


@pytest.mark.rule("PR-424")
def test_lines_have_no_fire_on_the_move() -> None:
    modes = {one.mode for one in asked(game(shooter(), target())).fire}
    assert modes == {"volley", "independent", "opportunity"}


@pytest.mark.rule("PR-420", "PR-210")
@pytest.mark.parametrize(
    ("a", "dice"),
    [
        (line("a", 9, 900, 100, stats=FLAT, roles=["sharpshooter", "sharpshooter"]), 1),
        (line("a", 9, 900, 100, stats=FLAT, roles=["hero"]), 1),
        (unit("a", (900, 100), stats=FLAT, type="leader", roles=["captain"]), 1),
        (line("a", 9, 900, 100, stats=FLAT, weapon="bow", roles=["sharpshooter", "sharpshooter"]), 2),
    ],
)
def test_marksmen_alone_aim(a: Json, dice: int) -> None:
    found = shot(a, target(), mode="aimed")
    assert (found.legal, dice_of(found), effects(found)["PR-420"], found.extra["actions"]) == (True, dice, -2, 2)
    assert all(name in [f"a-{number}" for number in (1, 2)] for name in found.shooters)
    a["state"]["actions_left"] = 1
    assert shot(a, target(), mode="aimed").why_rules == ("PR-210",)


@pytest.mark.rule("PR-420")
def test_who_has_no_marksman_does_not_aim() -> None:
    assert "aimed" not in {one.mode for one in asked(game(shooter(), target())).fire}


@pytest.mark.rule("PR-425")
def test_opportunity_fire_is_a_volley_where_one_is_allowed() -> None:
    loaded = shot(shooter(), target(moved="walk"), mode="opportunity")
    used = shot(shooter(fire_mode="independent"), target(moved="walk"), mode="opportunity")
    assert (dice_of(loaded), dice_of(used)) == (9, 2)
    assert effects(loaded)["PR-425"] == 2
    assert not shot(shooter(actions_left=1), target(moved="walk"), mode="opportunity").legal


@pytest.mark.rule("PR-432", "PR-430", "PR-810")
@pytest.mark.parametrize(
    ("mine", "theirs", "why"),
    [
        ({"actions_left": 0}, {}, "PR-432"),
        ({"morale": "panicked"}, {}, "PR-432"),
        ({"morale": "surrendered"}, {}, "PR-432"),
        ({"hidden": True}, {}, "PR-432"),
        ({"reload_left": 2}, {}, "PR-432"),
        ({"carrying": "home"}, {}, "PR-810"),
        ({}, {"hidden": True}, "PR-430"),
    ],
)
def test_what_keeps_a_unit_from_firing(mine: Json, theirs: Json, why: str) -> None:
    found = shot(shooter(**mine), target(**theirs))
    assert (found.legal, found.why_rules) == (False, (why,))


@pytest.mark.rule("PR-418", "PR-414")
def test_nobody_hits_who_has_hunkered_down() -> None:
    found = shot(shooter(), target(hunkered=True))
    assert (found.legal, found.cover, found.why_rules) == (False, "complete", ("PR-414",))


@pytest.mark.rule("PR-429", "PR-321")
@pytest.mark.parametrize(
    ("keys", "dice"),
    [
        ({"covered_reload": True}, 5),
        ({"formation": "disorder"}, 4),
        ({}, 9),
    ],
)
def test_ducking_and_disorder_halve_the_shots(keys: Json, dice: int) -> None:
    a = unit("a", *row(9, 700, 100, 40), weapon="bow", **keys)
    assert dice_of(shot(a, target())) == dice


@pytest.mark.rule("PR-321")
def test_a_disordered_line_fires_only_when_fully_loaded() -> None:
    assert shot(shooter(formation="disorder"), target()).legal
    assert shot(shooter(formation="disorder", fire_mode="independent"), target()).why_rules == ("PR-321",)


@pytest.mark.rule("PR-403", "presidio R-9")
@pytest.mark.parametrize(
    ("formation", "arc", "legal"),
    [("extended-line", 90, False), ("skirmish", 90, True), ("extended-line", 180, True), ("line", 360, True)],
)
def test_formed_men_shoot_to_the_front(formation: str, arc: int, legal: bool) -> None:
    aside = unit("b", (1300, 200), type="line", formation="line")
    found = shot(unit("a", (900, 100), type="light", formation=formation), aside,
                 options={"small_arms_arc_deg": arc})  # fmt: skip
    assert (found.legal, found.why_rules) == (legal, () if legal else ("PR-403",))


@pytest.mark.rule("PR-403")
def test_at_exactly_45_degrees_one_shoots() -> None:
    a = unit("a", (900, 100), type="light", formation="column")
    assert shot(a, unit("b", (1100, 300))).legal
    assert not shot(a, unit("b", (1101, 300))).legal


@pytest.mark.rule("PR-403")
def test_an_arc_that_the_measurement_cannot_settle_is_said_with_its_angle_and_sigma() -> None:
    a = unit("a", figure("a-1", 900, 100, 0.0), type="light", formation="column")
    found = shot(a, unit("b", (1101, 300)), sigma_mm=2.0)
    assert "arc from a-1 to b-1: 45.1 ± 0.6 degrees against 45 degrees" in found.borderline
    assert not any("arc" in line for line in shot(a, unit("b", (1101, 300))).borderline)


@pytest.mark.rule("PR-514")
def test_who_is_held_in_contact_does_not_fire() -> None:
    a = line("a", 3, 900, 100, engaged_with=["c"])
    c = unit("c", (875, 125), type="native", engaged_with=["a"])
    found = shot(a, target(), c)
    assert set(found.shooters) <= {"a-2", "a-3"}
    assert found.legal


@pytest.mark.rule("PR-514")
def test_into_a_melee_one_aims_from_near_only_and_only_at_the_free() -> None:
    d = unit("a2", (875, 225), type="line", formation="line", engaged_with=["b"])
    b = line("b", 3, 900, 250, engaged_with=["a2"])
    near = shot(unit("a", (960, 170)), b, d)
    assert near.targets_seen == ("b-3",) or near.targets_seen == ("b-2", "b-3")
    away = shot(unit("a", (960, 60)), b, d)
    assert away.extra["at_risk"] == ["a2"]


@pytest.mark.rule("PR-605", "PR-005")
@pytest.mark.parametrize(
    ("behind", "danger"),
    [
        ({"gap": 12.0}, True), ({"gap": 12.1}, False), ({"x": 1300.0, "gap": 6.0}, False), ({"gap": -30.0}, False),
    ],
)  # fmt: skip
def test_who_stands_behind_the_target_is_at_risk(behind: dict[str, float], danger: bool) -> None:
    y = 425.0 + 25 + inches(behind["gap"]) if behind["gap"] > 0 else 100.0
    c = line("c", 3, behind.get("x", 900.0), y)
    a = line("a", 5, 900, 200)
    b = line("b", 5, 900, 425)
    found = asked(game(a, b, c)).fire
    assert next(one for one in found if one.target == "b").extra["at_risk"] == (["c"] if danger else [])


@pytest.mark.rule("PR-605")
def test_friends_behind_are_at_risk_too_but_nobody_on_another_level() -> None:
    friend = line("a2", 3, 900, 600)
    assert shot(line("a", 5, 900, 200), line("b", 5, 900, 425), friend).extra["at_risk"] == ["a2"]
    hill = ground("hill-small", 700, 550, 1100, 700, height_mm=10)
    assert shot(line("a", 5, 900, 200), line("b", 5, 900, 425), friend, terrain=[hill]).extra["at_risk"] == []


@pytest.mark.rule("PR-604")
def test_a_gun_without_men_is_nobody_to_shoot_at() -> None:
    gun = unit("b", figure("b-1", 900, 440, 180, role="gun"), type="artillery", formation="unlimbered",
               weapon="cannon-4")  # fmt: skip
    assert shot(shooter(), gun).why_rules == ("PR-604",)


@pytest.mark.rule("PR-001", "PR-002", "PR-003", "PR-004")
@pytest.mark.parametrize(
    ("spot", "start", "end"),
    [
        ((900, 100), (900, 112.5), (900, 587.5)),
        ((700, 200), (700, 212.5), (900, 587.5)),
        ((500, 300), (512.5, 300), (837.5, 600)),
        ((100, 600), (112.5, 600), (837.5, 600)),
        ((1700, 600), (1687.5, 600), (962.5, 600)),
        ((900, 1100), (900, 1087.5), (900, 612.5)),
    ],
)
def test_range_runs_between_the_sides_that_face_each_other(spot: Spot, start: Spot, end: Spot) -> None:
    found = shot(unit("a", spot, weapon="flintlock-rifle"), line("b", 5, 900, 600))
    assert found.range_mm == pytest.approx(dist(start, end), abs=0.01)


@pytest.mark.rule("PR-002")
def test_a_formed_unit_measures_from_its_front_wherever_the_target_is() -> None:
    found = shot(line("a", 5, 900, 600), line("b", 5, 1300, 600))
    assert found.range_mm == pytest.approx(dist((900, 612.5), (1237.5, 600)), abs=0.01)


@pytest.mark.rule("PR-004", "presidio R-5")
@pytest.mark.parametrize(("quarters", "end"), [("corners", (900, 587.5)), ("centre", (837.5, 600))])
def test_quarters_may_be_cut_by_rays_off_the_centre(quarters: str, end: Spot) -> None:
    a = unit("a", (530, 255), weapon="flintlock-rifle")
    found = shot(a, line("b", 5, 900, 600), options={"quarters": quarters})
    assert found.range_mm == pytest.approx(dist((542.5, 255), end), abs=0.01)


@pytest.mark.rule("PR-001")
def test_men_without_bearings_look_at_the_nearest_enemy() -> None:
    b = unit("b", figure("b-1", 900, 600, None), figure("b-2", 930, 600, None), type="line", formation="line")
    found = shot(unit("a", (915, 200)), b)
    assert found.range_mm == pytest.approx(600 - 200 - 25)


@pytest.mark.rule("PR-009", "PR-003")
def test_a_range_that_cannot_be_settled_is_said() -> None:
    b = line("b", 5, 900, 100 + 2 * HALF + inches(24) + 0.5)
    found = shot(line("a", 5, 900, 100), b, mode="volley", sigma_mm=0.4)
    assert found.range_sigma_mm == pytest.approx(0.4 * 2**0.5)
    assert any("against 24 in" in text for text in found.borderline)
    assert shot(line("a", 5, 900, 100), b, mode="volley").borderline == ()


@pytest.mark.rule("PR-409", "PR-405")
def test_all_words_of_the_table_have_their_numbers() -> None:
    assert [book().cover_dm[cover] for cover in ("incidental", "partial", "heavy", "full")] == [1, 2, 3, 4]
