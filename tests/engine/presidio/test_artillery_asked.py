"""What guns see and need, and how they may fire (section 9 of the rulebook)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction
from tests.engine.presidio.battery import fired, gun, muzzle_to
from tests.engine.presidio.scene import (
    asked,
    do,
    effects,
    figure,
    game,
    ground,
    inches,
    line,
    needs,
    unit,
)


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


@pytest.mark.rule("PR-905", "PR-418", "PR-414")
def test_who_has_hunkered_down_is_not_hit_by_direct_fire() -> None:
    option = fired(gun(), unit("b", (900, 700), hunkered=True))
    assert (option.legal, option.cover) == (False, "complete")


@pytest.mark.rule("PR-905", "PR-413")
def test_the_modifiers_of_a_shot_are_named_by_their_rows() -> None:
    option = fired(gun(stats={"ranged": 2}), unit("b", (900, 700)))
    assert effects(option) == {"PR-408": -2, "PR-905": -2, "PR-415": 2}
