"""Guns: what they see, what they need, where shot and shell go, what breaks (section 9 of the rulebook)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.errors import ActionRefused, DiceError, UnknownAction
from engine.records.answer import FireOption
from tests.engine.presidio.scene import (
    DEPTH,
    GUN,
    WIDTH,
    Json,
    asked,
    do,
    effects,
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


def gun(
    weapon: str = "cannon-12-smoothbore", name: str = "a", at: tuple[float, float] = (900.0, 130.0), crew: int = 4,
    bearing: float | None = None, **keys: Any,
) -> Json:  # fmt: skip
    """A gun with its crew about it, of no skill unless said; its muzzle is 30 mm before its middle."""
    facing = (0.0 if name.startswith("a") else 180.0) if bearing is None else bearing
    x, y = at
    spots = [(x - 70, y - 20), (x + 70, y - 20), (x - 70, y + 20), (x + 70, y + 20)]
    figures = [{**figure(f"{name}-gun", x, y, facing, role="gun"), "base": GUN}]
    figures += [figure(f"{name}-crew{n}", *spot, facing, role="crew") for n, spot in enumerate(spots[:crew], 1)]
    given = {"type": "artillery", "formation": "unlimbered", "stats": {"ranged": 0}, **keys}
    return unit(name, *figures, weapon=weapon, **given)


def muzzle_to(far: float) -> float:
    """Where a man stands whose near edge is so many inches before the muzzle of the usual gun."""
    return 160 + inches(far) + 12.5


def fired(*units: Json, mode: str = "direct", at: str = "b", **more: Any) -> FireOption:
    """The fire of the gun ``a`` at a target in a mode."""
    return next(one for one in asked(game(*units, **more)).fire if one.target == at and one.mode == mode)


@pytest.mark.rule("PR-1017", "PR-903", "PR-901")
@pytest.mark.parametrize(
    ("weapon", "ammo", "modes"),
    [
        ("cannon-12-smoothbore", "shot", ["direct", "indirect", "directed", "blind"]),
        ("cannon-12-smoothbore", "shell", ["indirect", "directed", "blind"]),
        ("cannon-12-smoothbore", "canister", ["direct"]),
        ("cannon-12-smoothbore", "double-canister", ["direct"]),
        ("cannon-12-rifled", "shot", ["direct"]),
        ("cannon-12-rifled", "shell", []),
        ("cannon-4", "shot", ["direct"]),
        ("swivel-2", "shot", ["direct"]),
        ("mortar-12", "shell", ["indirect", "directed", "blind"]),
        ("mortar-12", "shot", ["indirect", "directed", "blind"]),
    ],
)
def test_a_piece_lists_the_modes_that_its_load_allows(weapon: str, ammo: str, modes: list[str]) -> None:
    entries = asked(game(gun(weapon, ammo=ammo), unit("b", (900, muzzle_to(20))))).fire
    assert [one.mode for one in entries] == modes
    assert all(one.extra["ammo"] == ammo and one.extra["weapon"] == weapon for one in entries)


@pytest.mark.rule("PR-905", "PR-408", "PR-415")
@pytest.mark.parametrize(
    ("weapon", "mode", "far", "stats", "foe", "number"),
    [
        ("cannon-12-smoothbore", "direct", 25.0, {}, {}, 10),
        ("cannon-12-smoothbore", "direct", 24.0, {}, {}, 10),
        ("cannon-12-smoothbore", "direct", 23.9, {}, {}, 8),
        ("cannon-12-smoothbore", "direct", 11.9, {}, {}, 6),
        ("cannon-12-smoothbore", "direct", 25.0, {"ranged": 2}, {}, 8),
        ("cannon-12-rifled", "direct", 25.0, {}, {}, 9),
        ("cannon-12-smoothbore", "indirect", 25.0, {"ranged": 1}, {}, 10),
        ("cannon-12-smoothbore", "direct", 25.0, {}, {"formation": "skirmish"}, 12),
        ("cannon-12-smoothbore", "indirect", 25.0, {}, {"formation": "skirmish"}, None),
        ("swivel-1", "direct", 3.9, {}, {}, 6),
        ("swivel-1", "direct", 47.9, {"ranged": 1}, {}, None),
    ],
)
def test_a_gun_needs_its_number(
    weapon: str, mode: str, far: float, stats: dict[str, Any], foe: dict[str, Any], number: int | None
) -> None:
    keys = {"type": "light", "formation": "column", **foe}
    target = unit("b", (900, min(muzzle_to(far), 1210.0)), **keys)
    option = fired(gun(weapon, stats={"ranged": 0, **stats}), target, mode=mode)
    assert needs(option) == (9 if far == 47.9 else number)
    assert option.legal is (needs(option) is not None)


@pytest.mark.rule("PR-905", "PR-426")
def test_directed_and_blind_fire_add_nothing() -> None:
    house = ground("house", 850, 400, 950, 450, height_mm=90)
    own = [gun(stats={"ranged": 3}), unit("b", (900, muzzle_to(20)))]
    seer = unit("a1", figure("a1-1", 600, 200, role="captain"), type="leader")
    directed = fired(*own, seer, mode="directed", terrain=[house])
    assert (directed.legal, needs(directed), directed.modifiers) == (True, 12, ())
    blind = fired(*own, mode="blind", terrain=[house])
    assert blind.roll is not None
    assert (blind.legal, blind.roll.count, blind.roll.die, blind.roll.success) == (True, 2, "d6", ">=12")
    assert blind.roll.extra == {"sum": True}


@pytest.mark.rule("PR-906", "PR-408")
@pytest.mark.parametrize(
    ("weapon", "ammo", "far", "number", "count"),
    [
        ("cannon-12-smoothbore", "canister", 3.9, 6, 10),
        ("cannon-12-smoothbore", "canister", 11.9, 8, 10),
        ("cannon-12-smoothbore", "double-canister", 12.0, 10, 15),
        ("cannon-12-rifled", "canister", 11.9, 7, 8),
        ("cannon-12-smoothbore", "canister", 24.0, None, 0),
        ("swivel-1", "canister", 3.9, 6, 2),
    ],
)
def test_canister_throws_its_burst_without_skill(
    weapon: str, ammo: str, far: float, number: int | None, count: int
) -> None:
    target = unit("b", (900, muzzle_to(far)), type="light", formation="column")
    option = fired(gun(weapon, ammo=ammo, stats={"ranged": 4}), target)
    assert needs(option) == number
    if option.roll is not None:
        assert option.roll.count == count
    assert option.legal is (number is not None)


@pytest.mark.rule("PR-903")
@pytest.mark.parametrize(
    ("seer", "flags", "directed", "blind"),
    [
        (None, False, False, True),
        ((932.5 + inches(11.9), 150), False, True, False),
        ((932.5 + inches(12.1), 150), False, False, True),
        ((1550, 150), False, False, True),
        ((1550, 150), True, True, False),
        ((900, 150 - 100), False, False, True),
    ],
)
def test_unseen_targets_take_an_observer_or_are_shot_at_blindly(
    seer: tuple[float, float] | None, flags: bool, directed: bool, blind: bool
) -> None:
    house = ground("house", 850, 400, 950, 450, height_mm=90)
    own = [gun(signal_flags=flags), unit("b", (900, muzzle_to(20)))]
    if seer is not None:
        own.append(unit("a1", figure("a1-1", *seer, role="lieutenant"), type="leader"))
    assert fired(*own, mode="directed", terrain=[house]).legal is directed
    assert fired(*own, mode="blind", terrain=[house]).legal is blind
    assert not fired(*own, mode="direct", terrain=[house]).legal
    assert not fired(*own, mode="indirect", terrain=[house]).legal


@pytest.mark.rule("PR-903")
def test_what_the_gun_sees_is_not_for_directed_or_blind_fire() -> None:
    own = [gun(), unit("b", (900, muzzle_to(20)))]
    assert [fired(*own, mode=mode).legal for mode in ("directed", "blind")] == [False, False]


@pytest.mark.rule("PR-901")
@pytest.mark.parametrize(
    ("weapon", "ammo", "mode", "gap", "height", "legal"),
    [
        ("cannon-12-smoothbore", "shot", "direct", 12.0, 0, True),
        ("cannon-12-smoothbore", "shot", "direct", 11.9, 0, False),
        ("cannon-12-smoothbore", "shell", "indirect", 12.0, 0, True),
        ("cannon-12-smoothbore", "canister", "direct", 12.0, 0, False),
        ("cannon-12-rifled", "shot", "direct", 12.0, 0, False),
        ("cannon-12-rifled", "shot", "direct", 12.0, 20, True),
        ("cannon-12-rifled", "shot", "direct", 11.9, 20, False),
        ("cannon-12-rifled", "shot", "direct", 11.9, 60, False),
        ("cannon-12-rifled", "shot", "direct", 12.0, 60, True),
        ("cannon-12-smoothbore", "shot", "direct", 11.9, 60, False),
        ("mortar-24", "shell", "indirect", 2.0, 0, True),
    ],
)
def test_pieces_shoot_over_friends_by_their_bore(
    weapon: str, ammo: str, mode: str, gap: float, height: float, legal: bool
) -> None:
    foe = unit("b", (900, muzzle_to(22)), type="light", formation="column")
    friends = line("a1", 9, 900, muzzle_to(22) - 25 - inches(gap))
    hill = ground("hill-small", 700, 10, 1100, 300, height_mm=height)
    option = fired(gun(weapon, ammo=ammo), friends, foe, mode=mode, terrain=[hill] if height else [])
    assert option.legal is legal


@pytest.mark.rule("PR-904")
@pytest.mark.parametrize(
    ("weapon", "bearing", "cost"),
    [
        ("cannon-12-smoothbore", 0.0, 1), ("cannon-12-smoothbore", 45.0, 1), ("cannon-12-smoothbore", 45.1, 2),
        ("cannon-12-smoothbore", 180.0, 2), ("mortar-24", 0.0, 1), ("mortar-24", 30.0, 2), ("mortar-24", 46.0, 3),
    ],
)  # fmt: skip
def test_pointing_a_piece_costs_by_how_far_it_turns(weapon: str, bearing: float, cost: int) -> None:
    mode = "indirect" if weapon.startswith("mortar") else "direct"
    ammo = "shell" if mode == "indirect" else "shot"
    # The aim does not move while the target has one man straight ahead of the gun's middle.
    own = gun(weapon, bearing=bearing, ammo=ammo, stats={"ranged": 4})
    option = fired(own, unit("b", (900, 700), type="light", formation="column"), mode=mode)
    assert (option.extra["actions"], option.legal) == (cost, cost <= 2)


@pytest.mark.rule("PR-904", "PR-914", "PR-930", "PR-935")
@pytest.mark.parametrize(
    ("keys", "rule"),
    [
        ({"reload_left": 1}, "PR-432"),
        ({"actions_left": 0}, "PR-432"),
        ({"formation": "limbered"}, "PR-930"),
        ({"fuse_fault": True}, "PR-935"),
        ({"crew": 0}, "PR-914"),
        ({"morale": "panicked"}, "PR-432"),
    ],
)
def test_what_keeps_a_gun_silent(keys: dict[str, Any], rule: str) -> None:
    option = fired(gun(**keys), unit("b", (900, 700)))
    assert (option.legal, rule in option.why_rules) == (False, True)
    with pytest.raises(ActionRefused):
        do(game(gun(**keys), unit("b", (900, 700))), action="fire", unit="a", target="b", mode="direct")


@pytest.mark.rule("PR-903")
def test_a_mode_that_the_load_has_not_is_no_action() -> None:
    with pytest.raises(UnknownAction, match="mode"):
        do(game(gun(ammo="shell"), unit("b", (900, 700))), action="fire", unit="a", target="b", mode="direct")


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


@pytest.mark.rule("PR-516", "PR-930")
def test_a_gun_is_not_moved_out_of_a_melee() -> None:
    of = game(gun(engaged_with=["b"]), unit("b", (900, 172.5), engaged_with=["a"]))
    with pytest.raises(ActionRefused, match="break off"):
        do(of, "3", action="gun-move", unit="a", to=[900.0, 100.0])


@pytest.mark.rule("PR-935")
@pytest.mark.parametrize(("die", "event", "fault"), [("5", "mended", False), ("4", "not-mended", True)])
def test_a_fuse_is_mended(die: str, event: str, fault: bool) -> None:
    played = do(game(gun(fuse_fault=True), unit("b", (900, 900))), die, action="mend-fuse", unit="a")
    assert told(played, event)
    assert (state(played, "a")["fuse_fault"], state(played, "a")["actions_left"]) == (fault, 1)


@pytest.mark.rule("PR-930")
@pytest.mark.parametrize(
    ("weapon", "keys", "pace", "far"),
    [
        ("cannon-12-smoothbore", {}, "walk", 2 + 4),
        ("cannon-12-smoothbore", {}, "run", 2 * (2 + 4)),
        ("cannon-12-smoothbore", {"crew": 3}, "walk", 2 - 2 + 4),
        ("cannon-3-smoothbore", {"crew": 2}, "walk", 6 - 4 + 4),
        ("cannon-3-smoothbore", {"stats": {"garrison_mount": True}}, "walk", 3 + 4),
        ("cannon-12-smoothbore", {"formation": "limbered", "stats": {"limber_horses": 2}}, "walk", 6 + 4),
        ("cannon-12-smoothbore", {"formation": "limbered", "stats": {"limber_horses": 4}}, "walk", 10 + 4),
        ("cannon-12-smoothbore", {"formation": "limbered", "stats": {"limber_horses": 1}}, "walk", 2 + 4),
        ("cannon-12-smoothbore", {"stats": {"move": 1}}, "walk", 2 + 1 + 4),
        (
            "cannon-12-smoothbore",
            {"formation": "limbered", "stats": {"limber_horses": 2, "move": -1}},
            "walk",
            5 + 4,
        ),
        ("mortar-12", {}, "walk", None),
        ("swivel-1", {}, "walk", None),
    ],
)
def test_guns_are_moved_by_hand_or_team(weapon: str, keys: dict[str, Any], pace: str, far: float | None) -> None:
    of = game(gun(weapon, **keys), unit("b", (300, 1100)))
    action = {"action": "gun-move", "unit": "a", "to": [900.0, 900.0], "pace": pace}
    if far is None:
        with pytest.raises(ActionRefused, match="not moved by hand"):
            do(of, **action)
        return
    played = do(of, "4", **action)
    assert played.game.unit("a").figures[0].y_mm == pytest.approx(130 + inches(far), abs=0.01)
    assert told(played, "moved")[0]["distance_mm"] == pytest.approx(inches(far), abs=0.01)


@pytest.mark.rule("PR-320", "PR-930")
@pytest.mark.parametrize(
    ("keys", "pace", "until", "far"),
    [
        ({"formation": "limbered", "stats": {"limber_horses": 2}}, "walk", DEPTH, 8 + 4 + 3),
        ({"formation": "limbered", "stats": {"limber_horses": 4}}, "run", DEPTH, 2 * (11 + 4 + 3)),
        ({"formation": "limbered", "stats": {"limber_horses": 2}}, "walk", 500, 8 + 4),  # the road ends on the way
        ({}, "walk", DEPTH, 4 + 4),  # pushed by hand it is in no column
    ],
)
def test_a_limbered_gun_goes_farther_along_a_road(
    keys: dict[str, Any], pace: str, until: float, far: float
) -> None:
    road = ground("road", 850, 0, 950, until)
    of = game(gun("cannon-6-smoothbore", **keys), unit("b", (300, 1100)), terrain=[road])
    played = do(of, "4", action="gun-move", unit="a", to=[900.0, 1100.0], pace=pace)
    assert told(played, "moved")[0]["distance_mm"] == pytest.approx(inches(far), abs=0.01)


@pytest.mark.rule("PR-930")
def test_a_gun_stops_where_its_crew_comes_to_the_tables_edge() -> None:
    of = game(gun("cannon-3-smoothbore"), unit("b", (300, 1100)))
    figures = of.unit("a").figures
    piece = next(one for one in figures if one.role == "gun")
    outermost = max(one.x_mm for one in figures)
    assert outermost > piece.x_mm
    played = do(of, "6", action="gun-move", unit="a", to=[WIDTH, piece.y_mm], pace="run", override=True)
    for _ in range(8):
        played = do(
            played.game, "6", action="gun-move", unit="a", to=[WIDTH, piece.y_mm], pace="run", override=True
        )
    assert max(one.x_mm for one in played.game.unit("a").figures) == pytest.approx(WIDTH)
    assert told(played, "stopped")[0]["by"] == "the table's edge"


@pytest.mark.rule("PR-930")
def test_a_gun_is_limbered_and_unlimbered_but_not_from_a_garrison_mount() -> None:
    on = do(game(gun(stats={"limber_horses": 2}), unit("b", (300, 1100))), action="limber", unit="a")
    assert (on.game.unit("a").formation, state(on, "a")["actions_left"]) == ("limbered", 1)
    off = do(on.game, action="unlimber", unit="a")
    assert (off.game.unit("a").formation, state(off, "a")["actions_left"]) == ("unlimbered", 0)
    fixed = gun(stats={"limber_horses": 2, "garrison_mount": True})
    with pytest.raises(ActionRefused, match="garrison mount"):
        do(game(fixed, unit("b", (300, 1100))), action="limber", unit="a")


@pytest.mark.rule("PR-936", "PR-408")
@pytest.mark.parametrize(("far", "number"), [(3.9, 7), (7.9, 9), (15.9, 11), (16.0, None)])
def test_grenades_are_thrown_like_indirect_fire(far: float, number: int | None) -> None:
    own = unit("a", *row(2, 900, 200), stats={"ranged": 0, "arms": [{"weapon": "grenade", "figures": ["a-1"]}]})
    foe = unit("b", (925, 225 + inches(far)), type="light", formation="column")
    option = next(one for one in asked(game(own, foe)).fire if one.extra["weapon"] == "grenade")
    assert (needs(option), option.mode, option.legal) == (number, "indirect", number is not None)
    if number is not None:
        assert option.shooters == ("a-1",)
        played = do(game(own, foe), "12", action="fire", unit="a", target="b", mode="indirect", weapon="grenade")
        assert told(played, "casualty") == [{"unit": "b", "figure": "b-1"}]


def thrower(at: float = 200.0, **keys: Any) -> Json:
    """A man of no skill with a grenade."""
    given = {"stats": {"ranged": 0, "arms": [{"weapon": "grenade", "figures": ["a-1"]}]}, **keys}
    return unit("a", (900, at), **given)


def grenade(*units: Json, **more: Any) -> FireOption:
    """His throw at the first enemy."""
    return next(one for one in asked(game(*units, **more)).fire if one.extra["weapon"] == "grenade")


@pytest.mark.rule("PR-010", "PR-009", "PR-936")
@pytest.mark.parametrize(("die", "needed"), [(3, 7), (4, 9)])
def test_a_throw_whose_range_the_measurement_cannot_tell_is_diced_for(die: int, needed: int) -> None:
    foe = unit("b", (900, 225 + inches(4.0)), type="light", formation="column")
    of = game(thrower(), foe, sigma_mm=0.5)
    throws = {"action": "fire", "unit": "a", "target": "b", "mode": "indirect", "weapon": "grenade"}
    assert told(do(of, f"{die} {needed}", **throws), "scatter") == []
    assert told(do(of, f"{die} {needed - 2} 2", **throws), "scatter")[0]["distance_mm"] == inches(4)


@pytest.mark.rule("PR-413", "PR-936")
def test_who_throws_from_cover_throws_worse() -> None:
    wall = ground("wall", 600, 215, 1200, 220, height_ft=4)
    foe = unit("b", (900, 225 + inches(7.9)), type="light", formation="column")
    option = grenade(thrower(), foe, terrain=[wall])
    assert (needs(option), effects(option)["PR-413"]) == (10, 1)


@pytest.mark.rule("PR-426", "PR-936")
@pytest.mark.parametrize(("always", "number"), [(False, None), (True, 12)])
def test_a_throw_that_needs_more_than_12_hits_on_a_natural_12_where_that_is_agreed(
    always: bool, number: int | None
) -> None:
    foe = unit("b", (900, 225 + inches(15.9)))
    option = grenade(thrower(), foe, options={"natural_12_hits": always})
    assert (needs(option), option.legal) == (number, always)


@pytest.mark.rule("PR-905", "PR-418", "PR-414")
def test_who_has_hunkered_down_is_not_hit_by_direct_fire() -> None:
    option = fired(gun(), unit("b", (900, 700), hunkered=True))
    assert (option.legal, option.cover) == (False, "complete")


@pytest.mark.rule("PR-905", "PR-413")
def test_the_modifiers_of_a_shot_are_named_by_their_rows() -> None:
    option = fired(gun(stats={"ranged": 2}), unit("b", (900, 700)))
    assert effects(option) == {"PR-408": -2, "PR-905": -2, "PR-415": 2}


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
