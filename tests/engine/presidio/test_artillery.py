"""Where shot and shell go, what they break, and what goes wrong (section 9 of the rulebook)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.errors import ActionRefused, DiceError
from tests.engine.presidio.battery import fired, gun, muzzle_to
from tests.engine.presidio.scene import (
    GUN,
    Json,
    asked,
    do,
    figure,
    game,
    ground,
    inches,
    line,
    needs,
    row,
    state,
    told,
    unit,
)


@pytest.mark.rule("PR-910", "PR-912", "presidio R-18", "presidio R-19")
@pytest.mark.parametrize(
    ("weapon", "mode", "dice", "options", "scatter"),
    [
        ("cannon-12-smoothbore", "direct", "7 1 1", {}, (3.0, 0.0)),
        ("cannon-12-smoothbore", "indirect", "7 2", {"indirect_number": 10}, (6.0, 60.0)),
        ("cannon-12-smoothbore", "direct", "7 4 1 1 1", {}, (3.0, 180.0)),
        ("cannon-12-smoothbore", "direct", "7 6", {}, (3.0, 300.0)),
        ("cannon-12-smoothbore", "direct", "7", {"direct_scatter": False}, None),
        ("cannon-12-rifled", "direct", "7", {}, None),
    ],
)
def test_a_miss_lands_as_far_off_as_it_missed_by(
    weapon: str, mode: str, dice: str, options: dict[str, Any], scatter: tuple[float, float] | None
) -> None:
    foe = unit("b", (900, muzzle_to(28)), type="light", formation="column")
    played = do(game(gun(weapon), foe, options=options), dice, action="fire", unit="a", target="b", mode=mode)
    found = told(played, "scatter")
    if scatter is None:
        assert found == []
        return
    assert (found[0]["distance_mm"], found[0]["bearing_deg"]) == (
        pytest.approx(inches(scatter[0])), pytest.approx(scatter[1]),
    )  # fmt: skip


@pytest.mark.rule("PR-910", "PR-903", "presidio R-25")
def test_blind_fire_scatters_threefold() -> None:
    house = ground("house", 850, 400, 950, 450, height_mm=90)
    of = game(gun(), unit("b", (900, muzzle_to(20))), terrain=[house])
    played = do(of, "5 4 1", action="fire", unit="a", target="b", mode="blind", at=[300.0, 900.0])
    assert told(played, "scatter")[0]["distance_mm"] == pytest.approx(inches(9))


@pytest.mark.rule("PR-913")
@pytest.mark.parametrize(
    ("mode", "misses", "moved", "number", "factor"),
    [
        ("direct", 1, None, 8, 1), ("direct", 2, None, 7, 1), ("direct", 3, None, 6, 1),
        ("indirect", 0, None, 9, 2), ("indirect", 1, None, 9, 1), ("indirect", 2, None, 8, 1),
        ("indirect", 2, "walk", 9, 2),
    ],
)  # fmt: skip
def test_shots_at_the_same_place_are_corrected(
    mode: str, misses: int, moved: str | None, number: int, factor: int
) -> None:
    own = gun(misses=misses, last_target="b")
    foe = unit("b", (900, muzzle_to(20)), type="light", formation="column", moved=moved)
    assert needs(fired(own, foe, mode=mode)) == number
    played = do(game(own, foe), f"{number - 1} 3", action="fire", unit="a", target="b", mode=mode)
    assert told(played, "scatter")[0]["distance_mm"] == pytest.approx(inches(factor))
    assert state(played, "a")["misses"] == (1 if moved else misses + 1)


@pytest.mark.rule("PR-913")
def test_a_hit_ends_the_row_of_misses() -> None:
    of = game(gun(misses=2, last_target="b"), unit("b", (900, muzzle_to(20)), type="light", formation="column"))
    played = do(of, "12 1", action="fire", unit="a", target="b", mode="direct")
    assert (state(played, "a")["misses"], state(played, "a")["last_target"]) == (0, "b")


@pytest.mark.rule("PR-914")
@pytest.mark.parametrize(("crew", "needed", "left"), [(4, 4, 4), (3, 4, 6), (2, 4, 8), (2, 2, 4)])
def test_each_gunner_missing_makes_loading_longer(crew: int, needed: int, left: int) -> None:
    own = gun("cannon-12-rifled", crew=crew, stats={"ranged": 0, "crew_needed": needed})
    played = do(game(own, unit("b", (900, 700))), "2", action="fire", unit="a", target="b", mode="direct")
    assert (state(played, "a")["reload_left"], state(played, "a")["actions_left"]) == (left, 1)


@pytest.mark.rule("PR-904")
def test_the_gun_then_points_at_its_target() -> None:
    of = game(gun("cannon-12-rifled"), unit("b", (1200, 430), type="light", formation="column"))
    played = do(of, "2", action="fire", unit="a", target="b", mode="direct")
    assert played.game.unit("a").figures[0].bearing_deg == pytest.approx(45.0, abs=3.0)


@pytest.mark.rule("PR-920", "PR-927", "PR-607", "presidio R-20", "presidio R-21")
@pytest.mark.parametrize(
    ("weapon", "options", "behind", "dice", "fallen"),
    [
        ("cannon-12-smoothbore", {}, 3.0, "12 4 4 2 2", ["b-1", "c-1"]),
        ("cannon-12-smoothbore", {}, 3.0, "12 4 3 2", ["b-1"]),
        ("cannon-12-smoothbore", {}, 3.0, "12 4 4 2 1", ["b-1"]),
        ("cannon-12-rifled", {}, 3.0, "12 4 2", ["b-1"]),
        ("cannon-12-smoothbore", {"shot_beyond_in": 2}, 3.0, "12 4 2", ["b-1"]),
        ("cannon-12-smoothbore", {"radius_roll": "save"}, 3.0, "12 3 4 2", ["b-1"]),
        ("cannon-12-smoothbore", {}, 7.0, "12 4 2", ["b-1"]),
    ],
)
def test_solid_shot_goes_through_all_on_its_line(
    weapon: str, options: dict[str, Any], behind: float, dice: str, fallen: list[str]
) -> None:
    foe = unit("b", (900, muzzle_to(20)), type="light", formation="column")
    other = unit("c", (900, muzzle_to(20 + behind)), type="light", formation="column")
    of = game(gun(weapon), foe, other, options=options)
    played = do(of, dice, action="fire", unit="a", target="b", mode="direct")
    assert [one["figure"] for one in told(played, "casualty")] == fallen


@pytest.mark.rule("PR-927")
@pytest.mark.parametrize(
    ("keys", "terrain", "number"),
    [
        ({}, None, 4),
        ({"posture": "kneeling"}, None, 5),
        ({"posture": "prone"}, None, 6),
        ({"mounted": True, "type": "cavalry"}, None, 3),
        ({}, "trench", 6),
        ({}, "trees", 4),
    ],
)
def test_who_is_low_or_in_cover_is_hit_less(keys: dict[str, Any], terrain: str | None, number: int) -> None:
    at = 700.0
    foe = unit("b", (900, at), **{"type": "light", "formation": "column", **keys})
    pieces = [] if terrain is None else [ground(terrain, 700, at - 40, 1100, at - 20)]
    for score, hit in ((number, True), (number - 1, False)):
        dice = f"12 {score} 2" if hit else f"12 {score}"
        played = do(game(gun(stats={"ranged": 4}), foe, terrain=pieces), dice, action="fire", unit="a", target="b",
                    mode="direct")  # fmt: skip
        assert len(told(played, "casualty")) == hit


@pytest.mark.rule("PR-920")
def test_on_a_hit_the_nearest_man_is_touched_though_the_line_passes_between() -> None:
    foe = unit("b", (880, 700), (920, 700), type="light", formation="column")
    played = do(game(gun(), foe), "12 4 2", action="fire", unit="a", target="b", mode="direct")
    assert told(played, "casualty") == [{"unit": "b", "figure": "b-1"}]


@pytest.mark.rule("PR-922")
@pytest.mark.parametrize(
    ("dice", "fallen"),
    [
        # Three inches short; beyond lies the target, so it bounces 6 + 1 and 1 inches on.
        ("5 4 1 1 4 2", ["b-1"]),
        ("5 4 6 6 3", []),
    ],
)
def test_a_shot_that_falls_short_bounces(dice: str, fallen: list[str]) -> None:
    foe = unit("b", (900, muzzle_to(20)), type="light", formation="column")
    played = do(game(gun(), foe), dice, action="fire", unit="a", target="b", mode="direct")
    assert told(played, "scatter")[0]["distance_mm"] == pytest.approx(inches(3))
    assert [one["figure"] for one in told(played, "casualty")] == fallen


@pytest.mark.rule("PR-922")
@pytest.mark.parametrize(("far", "dice", "bounces"), [(24.0, "5 1 1 1 1", 2), (25.0, "5 1 1", 0)])
def test_a_shot_bounces_on_for_those_within_two_feet_of_where_it_comes_down(
    far: float, dice: str, bounces: int
) -> None:
    """Three inches too far, past the target: only who stands beyond may be met."""
    foe = unit("b", (900, muzzle_to(20)), type="light", formation="column")
    beyond = unit("c", (900, muzzle_to(20) - 12.5 + inches(3 + far)), type="light", formation="column")
    played = do(game(gun(), foe, beyond), dice, action="fire", unit="a", target="b", mode="direct")
    assert told(played, "landed")[0].get("bounces", 0) == bounces


@pytest.mark.rule("PR-922", "PR-430")
def test_a_shot_does_not_give_away_who_lies_hidden_where_it_would_bounce() -> None:
    foe = unit("b", (900, muzzle_to(20)), type="light", formation="column")
    lurking = unit("c", (900, muzzle_to(35)), type="native", formation="hidden", hidden=True)
    played = do(game(gun(), foe, lurking), "5 1 1", action="fire", unit="a", target="b", mode="direct")
    assert "bounces" not in told(played, "landed")[0]


@pytest.mark.rule("PR-216", "PR-920")
@pytest.mark.parametrize("base", [GUN, {"shape": "round", "diameter_mm": 60.0}])
def test_a_gun_that_has_left_the_table_fires_where_the_umpire_says(base: Json) -> None:
    away = gun(morale="off-board")
    away["figures"][0]["base"] = base
    foe = unit("b", (900, muzzle_to(20)), type="light", formation="column")
    order = {"action": "fire", "unit": "a", "target": "b", "mode": "direct", "at": [900.0, muzzle_to(20)]}
    with pytest.raises(ActionRefused, match="no figures on the table"):
        do(game(away, foe), "12", **order)
    played = do(game(away, foe), "12 4 2", **order, override=True)
    assert told(played, "casualty") == [{"unit": "b", "figure": "b-1"}]


@pytest.mark.rule("PR-925", "PR-926")
@pytest.mark.parametrize(
    ("far", "dice", "fallen"),
    [
        (None, "12", ["b-1"]),
        (0.9, "12", ["b-1", "c-1"]),
        (1.0, "12", ["b-1", "c-1"]),
        (1.1, "12 4 2", ["b-1", "c-1"]),
        (2.0, "12 4 2", ["b-1", "c-1"]),
        (1.1, "12 3", ["b-1"]),
        (2.1, "12", ["b-1"]),
    ],
)
def test_a_shell_kills_near_and_may_hit_within_its_radius(far: float | None, dice: str, fallen: list[str]) -> None:
    foe = unit("b", (900, muzzle_to(20)), type="light", formation="column")
    aim = muzzle_to(20) - 12.5
    others = [] if far is None else [unit("c", (900 + 12.5 + inches(far), aim), type="light", formation="column")]
    played = do(game(gun(ammo="shell"), foe, *others), dice, action="fire", unit="a", target="b", mode="indirect")
    assert [one["figure"] for one in told(played, "casualty")] == fallen


@pytest.mark.rule("PR-915", "PR-916", "PR-604", "PR-927")
@pytest.mark.parametrize(
    ("dice", "event"),
    [("12 1 1 1 1 3", "destroyed"), ("12 1 1 1 1 2", "weakened"), ("12 1 1 1 1 1", None)],
)
def test_the_book_example_a_12_pounder_hits_a_24_pounder(dice: str, event: str | None) -> None:
    other = gun("cannon-24-smoothbore", "b", (900, 800))
    of = game(gun(stats={"ranged": 4}), other)
    played = do(of, dice, action="fire", unit="a", target="b", mode="direct")
    assert [one for one in ("destroyed", "weakened") if told(played, one)] == ([event] if event else [])
    if event == "destroyed":
        assert "b-gun" not in [one.id for one in played.game.unit("b").figures]
    if event == "weakened":
        assert state(played, "b")["strength_lost"] == 2


@pytest.mark.rule("PR-604")
def test_the_crew_of_a_gun_that_is_hit_may_be_hit_each_once() -> None:
    other = gun("cannon-24-smoothbore", "b", (900, 800))
    played = do(game(gun(stats={"ranged": 4}), other), "12 4 1 4 1 3 2 1", action="fire", unit="a", target="b",
                mode="direct")  # fmt: skip
    assert told(played, "casualty") == [{"unit": "b", "figure": "b-crew1"}]


@pytest.mark.rule("PR-916")
@pytest.mark.parametrize(
    ("kind", "keys", "left"),
    [
        ("gate", {"shut": True}, 5),
        ("gate", {"shut": True, "material": "strapped"}, 7),
        ("door", {"shut": True}, 3),
        ("door", {"shut": True, "body": 9}, 9),
    ],
)
def test_things_have_their_strength(kind: str, keys: dict[str, Any], left: int) -> None:
    of = game(unit("a", (900, 200)), unit("b", (300, 1000)), terrain=[ground(kind, 850, 212.5, 950, 220, **keys)])
    played = do(of, action="axe", unit="a", at=kind)
    assert told(played, "damage") == [{"unit": "a", "terrain": kind, "points": 1, "left": left - 1}]


@pytest.mark.rule("PR-915", "PR-920")
def test_a_wall_in_the_way_breaks_three_inches_wide() -> None:
    wall = ground("wall", 600, 600, 1200, 605, height_ft=4, material="timber")
    foe = unit("b", (900, 640), type="light", formation="column")
    of = game(gun("cannon-32-rifled", stats={"ranged": 4}), foe, terrain=[wall])
    played = do(of, "12 1 2", action="fire", unit="a", target="b", mode="direct")
    assert told(played, "destroyed") == [{"terrain": "wall"}]
    xs = sorted(x for piece in played.game.terrain for x, _ in piece.polygon_mm or ())
    assert len(played.game.terrain) == 2
    assert (xs[2], xs[5]) == (pytest.approx(900 - inches(1.5)), pytest.approx(900 + inches(1.5)))


@pytest.mark.rule("PR-921", "PR-606", "PR-607")
def test_canister_is_shared_out_among_all_in_the_cone() -> None:
    foe = unit("b", *row(2, 880, 450, 40), type="light", formation="column")
    other = unit("c", (1100, 450), type="light", formation="column")
    of = game(gun(ammo="canister", stats={"ranged": 4}), foe, other, unit("a1", (1500, 400)))
    option = next(one for one in asked(of).fire if one.target == "b")
    assert option.extra["at_risk"] == ["c"]
    # The burst, whom each hit goes to of three figures, and the dice to wound.
    dice = "8 8 8 1 1 1 1 1 1 1  1 3 3  4 4 12"
    played = do(of, dice, action="fire", unit="a", target="b", mode="direct")
    hits = [(one["unit"], one["hits"], one["casualties"]) for one in told(played, "hit")]
    assert hits == [("b", 1, 1), ("c", 2, 1)]


@pytest.mark.rule("PR-935", "PR-914")
@pytest.mark.parametrize(
    ("dice", "figures", "changes"),
    [
        ("1 1", 0, {"reload_left": None}),
        ("1 2", 4, {"reload_left": 6}),
        ("1 3", 5, {"fuse_fault": True, "reload_left": None}),
        ("1 4", 5, {"reload_left": None}),
        ("1 5 1", 5, {"reload_left": 4}),
    ],
)
def test_mishaps(dice: str, figures: int, changes: dict[str, Any]) -> None:
    of = game(gun(), unit("b", (900, muzzle_to(25)), type="light", formation="column"))
    played = do(of, dice, action="fire", unit="a", target="b", mode="indirect")
    assert told(played, "mishap")[0]["result"] == int(dice.split()[1])
    assert len(played.game.unit("a").figures) == figures
    for key, value in changes.items():
        if figures or value is not None:
            assert state(played, "a").get(key) == value
    if dice == "1 2":
        assert "a-crew4" not in [one.id for one in played.game.unit("a").figures]


@pytest.mark.rule("PR-935", "PR-701")
@pytest.mark.parametrize(("dice", "due"), [("1 2", [{"unit": "a"}]), ("1 1", []), ("1 3", []), ("1 5 1", [])])
def test_a_crew_that_loses_a_man_to_its_own_gun_checks_its_nerve(dice: str, due: list[Json]) -> None:
    of = game(gun(), unit("b", (900, muzzle_to(25)), type="light", formation="column"))
    played = do(of, dice, action="fire", unit="a", target="b", mode="indirect")
    assert told(played, "morale-due") == due


@pytest.mark.rule("PR-935")
@pytest.mark.parametrize(("die", "event", "fault"), [("5", "mended", False), ("4", "not-mended", True)])
def test_a_fuse_is_mended(die: str, event: str, fault: bool) -> None:
    played = do(game(gun(fuse_fault=True), unit("b", (900, 900))), die, action="mend-fuse", unit="a")
    assert told(played, event)
    assert (state(played, "a")["fuse_fault"], state(played, "a")["actions_left"]) == (fault, 1)


@pytest.mark.rule("PR-414")
@pytest.mark.parametrize(("dice", "fallen"), [("12 12 4 2", ["b-1"]), ("12 12 3", []), ("12 1", [])])
def test_who_is_behind_a_palisade_that_breaks_may_jump_clear(dice: str, fallen: list[str]) -> None:
    palisade = ground("palisade", 600, 600, 1200, 605, cover="complete")
    mark = unit("c", (900, 500), type="light", formation="column")
    # The shot at the man before it goes through the palisade beside the man behind.
    behind = unit("b", (940, 625), type="light", formation="column")
    of = game(gun(stats={"ranged": 4}), mark, behind, terrain=[palisade])
    played = do(of, dice.replace("12 ", "12 1 ", 1), action="fire", unit="a", target="c", mode="direct")
    assert [one["figure"] for one in told(played, "casualty")] == fallen


@pytest.mark.rule("PR-902")
def test_a_loaded_shell_is_fired_at_once_and_not_kept() -> None:
    of = game(gun(ammo="shell"), unit("b", (900, 700)))
    with pytest.raises(ActionRefused, match="fired at once"):
        do(of, action="hold", unit="a", actions=1)
    loading = game(gun(ammo="shot", reload_left=4), unit("b", (900, 700)))
    assert state(do(loading, action="reload", unit="a", ammo="shell"), "a")["ammo"] == "shell"


@pytest.mark.rule("PR-418")
@pytest.mark.parametrize(
    ("holds", "theirs", "event"),
    [(True, 3, "fire-held"), (True, 5, "fire-held"), (True, 6, "fired"), (False, 3, "fired")],
)
def test_a_gun_may_keep_its_shot_from_who_ducks_without_the_initiative(
    holds: bool, theirs: int, event: str
) -> None:
    of = game(gun(initiative=5), unit("b", (900, 700), hunkered=True, initiative=theirs))
    played = do(of, action="fire", unit="a", target="b", mode="direct", hold_if_hunkered=holds)
    assert told(played, event)
    assert told(played, "hit") == []
    assert (state(played, "a").get("reload_left", 0) > 0) is (event == "fired")


@pytest.mark.rule("PR-009", "PR-010")
@pytest.mark.parametrize(("die", "number"), [(3, 8), (4, 10)])
def test_a_range_that_the_measurement_cannot_tell_is_diced_for(die: int, number: int) -> None:
    of = game(gun(), unit("b", (900, muzzle_to(24.0)), type="light", formation="column"), sigma_mm=0.5)
    option = next(one for one in asked(of).fire if one.mode == "direct")
    assert any("24" in text for text in option.borderline)
    played = do(of, f"{die} {number} 1", action="fire", unit="a", target="b", mode="direct")
    assert told(played, "shot")[0]["result"] == "hit"


@pytest.mark.rule("PR-604", "PR-925", "PR-926")
@pytest.mark.parametrize(
    ("beside", "least"),
    # The 12-pounder's shell does 10: all of it where it hits, 7 in its heart, 5 within its radius, against Body 4.
    [(0.0, 3), (0.9, 6), (1.5, 8)],
)
def test_a_shell_harms_guns_by_how_near_it_bursts(beside: float, least: int) -> None:
    foe = unit("b", (900, 700), type="light", formation="column")
    muzzle = 700 - 12.5
    crew = figure("c-crew", 1500, 700, 180.0, role="crew")
    piece = {**figure("c-gun", 920 + inches(beside), muzzle, 180.0, role="gun"), "base": GUN}
    other = unit("c", piece, crew, type="artillery", formation="unlimbered", weapon="cannon-6-smoothbore")
    own = gun(ammo="shell", stats={"ranged": 4})
    target = "c" if beside == 0 else "b"
    for score, event in ((least, "destroyed"), (least - 1, "weakened")):
        if beside == 0:
            ahead = {**piece, "x_mm": 900.0, "y_mm": 717.5}
            alone = {**other, "figures": [ahead, crew]}
            played = do(game(own, alone), f"12 1 {score}", action="fire", unit="a", target=target, mode="indirect")
        else:
            played = do(game(own, foe, other), f"12 1 {score}", action="fire", unit="a", target=target,
                        mode="indirect")  # fmt: skip
        assert told(played, event)[0]["unit"] == "c"


@pytest.mark.rule("PR-925", "PR-926", "PR-604")
@pytest.mark.parametrize(
    ("weapon", "number", "dice", "gone"),
    # Short by 2 in for each point that the die lacks, so upon the piece itself. A gun takes the damage of the
    # heart: three quarters of 10 against Body 5.
    [("mortar-12", 12.0, "2 4 1 1 1 1", True), ("cannon-12-smoothbore", 10.0, "2 4 1 1 1 1 8", True),
     ("cannon-12-smoothbore", 10.0, "2 4 1 1 1 1 6", False)],
)  # fmt: skip
def test_a_shell_that_falls_back_upon_its_own_piece_spares_it_not(
    weapon: str, number: float, dice: str, gone: bool
) -> None:
    foe = unit("b", (900, muzzle_to(number)), type="light", formation="column")
    own = gun(weapon, ammo="shell")
    played = do(game(own, foe), dice, action="fire", unit="a", target="b", mode="indirect")
    assert ("a-gun" not in [one.id for one in played.game.unit("a").figures]) is gone


@pytest.mark.rule("PR-920", "PR-921", "PR-925")
def test_the_shape_of_each_shot_on_the_table_is_told() -> None:
    foe = unit("b", (900, muzzle_to(20)), type="light", formation="column")
    aim = muzzle_to(20) - 12.5
    line_of_fire = fired(gun(), foe).extra["template"]["areas_mm"][0]
    along = [y for _, y in line_of_fire]
    assert (min(along), max(along)) == (pytest.approx(aim - inches(6)), pytest.approx(aim + inches(6)))
    rings = fired(gun(ammo="shell"), foe, mode="indirect").extra["template"]["rings_mm"]
    assert rings == [[900.0, pytest.approx(aim), inches(1)], [900.0, pytest.approx(aim), inches(2)]]
    cone = fired(gun(ammo="canister"), foe).extra["template"]["areas_mm"][0]
    assert max(y for _, y in cone) == pytest.approx(160 + inches(24), abs=1.0)


@pytest.mark.rule("PR-910", "PR-912", "PR-922")
def test_a_miss_is_told_with_its_way_and_never_strays_out_of_the_disc_that_was_drawn() -> None:
    foe = unit("b", (900, muzzle_to(20)), type="light", formation="column")
    option = fired(gun(), foe)
    x, y, radius = option.extra["template"]["scatter_mm"]
    for score in (1, 2, 3, 5):
        for way in range(1, 7):
            mishap = "5 " if score == 1 else ""
            dice = f"{score} {mishap}{way} 6 6 6 6 12 12 12 12 12"
            for spare in range(len(dice.split()), 0, -1):
                try:
                    played = do(game(gun(), foe), " ".join(dice.split()[:spare]), action="fire", unit="a",
                                target="b", mode="direct")  # fmt: skip
                    break
                except DiceError:
                    continue
            scattered, landed = told(played, "scatter")[0], told(played, "landed")[0]
            at = scattered["at_mm"]
            assert scattered["template"]["lines_mm"] == [[pytest.approx([x, y]), at]]
            assert landed["at_mm"] == at
            assert math.dist(at, (x, y)) <= radius + 1e-6
            if "bounces" in landed:
                (bounced,) = landed["template"]["lines_mm"]
                assert len(bounced) == landed["bounces"] + 1
                assert bounced[0] == pytest.approx(at, abs=0.01)
                longest = option.extra["template"]["lines_mm"][0]
                assert math.dist(bounced[0], bounced[-1]) <= math.dist(*longest) + 1e-6
            assert len(landed["template"]["areas_mm"]) == landed.get("bounces", 0) + 1


@pytest.mark.rule("PR-605")
def test_what_goes_through_is_told_with_its_line() -> None:
    own, foe, behind = line("a", 3, 900, 200), line("b", 5, 900, 425), line("b2", 3, 900, 560)
    option = next(one for one in asked(game(own, foe, behind)).fire if one.target == "b" and one.mode == "volley")
    played = do(game(own, foe, behind), "12 12 12 1 1 1", action="fire", unit="a", target="b", mode="volley")
    assert told(played, "through") == [{"unit": "b2", "by": "a", "hits": 3, "template": option.extra["template"]}]
