"""What happens when figures fire: who is struck and how badly."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, DiceError, UnknownAction
from tests.engine.tyneside.table import Json, do, game, group, leader, row, said, state, unit

#: What a hit of each family does by the d6, as the source prints it.
HARM = {
    "musket": "graze graze wound wound kill kill", "rifle": "graze graze wound wound kill kill",
    "pistol": "graze graze wound wound kill kill", "bow": "graze graze wound wound wound kill",
    "spear": "graze graze wound wound wound kill", "hatchet": "graze graze graze wound wound kill",
    "knife": "graze graze graze wound wound kill", "rocks": "graze graze graze wound wound kill",
}  # fmt: skip
CASES = [(weapon, die, what) for weapon, row_ in HARM.items() for die, what in enumerate(row_.split(), 1)]


def duel(weapon: str = "musket", klass: str = "veteran", gap: float = 35.0, **more: Any) -> Any:
    """One man of each side, 35 mm from base to base."""
    return game(group("b", (600, 400), weapon=weapon, stats={"class": klass}, **({"commanded": True} | more)),
                group("f", (600, 425 + gap)))  # fmt: skip


@pytest.mark.rule("TY-39", "TY-40")
@pytest.mark.parametrize(("weapon", "die", "what"), CASES)
def test_a_hit_grazes_wounds_or_kills_by_the_weapons_family(weapon: str, die: int, what: str) -> None:
    played = do(duel(weapon), "fire", 8, die, unit="b", target="f")
    assert [event.event for event in played.events] == ["fire", "hit", what]
    assert said(played, what) == [{"unit": "f", "figure": "f-1"}]
    left = [figure.status for figure in unit(played, "f").figures]
    assert left == {"graze": ["ok"], "wound": ["wounded"], "kill": []}[what]
    assert state(played, "f").casualties == (what == "kill")


@pytest.mark.rule("TY-39", "TR-13", "TR-16")
@pytest.mark.parametrize(("klass", "die", "what"), [
    ("hero", 2, "wound"), ("hero", 4, "kill"), ("hero", 6, "kill"), ("hero", 1, "graze"),
    ("raw", 3, "graze"), ("raw", 5, "wound"), ("raw", 1, "graze"), ("raw", 6, "kill"),
])  # fmt: skip
def test_class_changes_damage_once_and_stays_within_the_die(klass: str, die: int, what: str) -> None:
    assert said(do(duel(klass=klass), "fire", 8, die, unit="b", target="f"), what)


@pytest.mark.rule("TY-30", "TY-31", "TR-16")
@pytest.mark.parametrize(("klass", "gap", "hits"), [
    ("veteran", 200.0, [2, 3, 8]), ("veteran", 300.0, [4, 8]), ("veteran", 500.0, [6]), ("hero", 200.0, [1]),
    ("raw", 200.0, [3]), ("hero", 300.0, [3]), ("raw", 300.0, [5]), ("hero", 500.0, [5]), ("raw", 500.0, [7]),
])  # fmt: skip
def test_the_die_and_the_shooters_class_against_the_band(klass: str, gap: float, hits: list[int]) -> None:
    for die in hits:
        assert said(do(duel(klass=klass, gap=gap), "fire", die, 1, unit="b", target="f"), "hit")[0]["hits"] == 1
    if hits[0] > 1:
        missed = do(duel(klass=klass, gap=gap), "fire", hits[0] - 1, unit="b", target="f")
        assert not said(missed, "hit")
        assert missed.rolls[0].passed == 0


@pytest.mark.rule("TY-31", "TY-32")
def test_each_shooter_throws_by_his_own_class() -> None:
    stats = {"classes": {"b-1": "hero", "b-3": "raw"}}
    of = game(group("b", *row(3), stats=stats, commanded=True), group("f", (640, 800)))
    played = do(of, "fire", 3, 3, 4, 1, unit="b", target="f")
    assert [(rolled.roll.success, rolled.scores) for rolled in played.rolls[:3]] == [
        (">=3", (3,)), (">=4", (3,)), (">=5", (4,)),
    ]  # fmt: skip
    assert said(played, "hit")[0]["hits"] == 1


@pytest.mark.rule("TY-32", "TY-33", "TY-19", "TR-7")
@pytest.mark.parametrize(("stats", "now", "options", "shots"), [
    ({}, {"commanded": True}, {}, 7), ({"volley": False}, {"commanded": True}, {}, 3),
    ({"volley": False}, {"commanded": True, "moved": "half"}, {}, 2), ({}, {}, {}, 3),
    ({}, {"moved": "half"}, {}, 2), ({}, {}, {"round_shots": "up"}, 4),
])  # fmt: skip
def test_how_many_dice_are_thrown(stats: Json, now: Json, options: Json, shots: int) -> None:
    of = game(group("b", *row(7), stats=stats, **now), group("f", *row(7, y=500)), options=options)
    assert said(do(of, "fire", *[1] * shots, unit="b", target="f"), "fire")[0]["shots"] == shots


@pytest.mark.rule("TY-38")
def test_hits_fall_at_random_on_those_who_stand() -> None:
    of = game(group("b", *row(3), commanded=True), group("f", *row(3, y=600)))
    played = do(of, "fire", 8, 8, 8, 2, 6, 2, 6, 5, unit="b", target="f")
    assert [facts["figure"] for facts in said(played, "kill")] == ["f-2", "f-3", "f-1"]
    assert [rolled.roll.die for rolled in played.rolls] == ["d8", "d3", "d6", "d2", "d6", "d6"]
    assert (unit(played, "f").figures, state(played, "f").casualties) == ((), 3)


@pytest.mark.rule("TY-38")
def test_hits_beyond_the_last_figure_are_not_thrown_for() -> None:
    of = game(group("b", *row(3), commanded=True), group("f", (640, 600)))
    played = do(of, "fire", 8, 8, 8, 6, unit="b", target="f")
    assert (said(played, "hit")[0]["hits"], len(said(played, "kill"))) == (3, 1)


@pytest.mark.rule("TY-38")
def test_an_officer_within_five_centimetres_may_be_struck_with_the_group() -> None:
    of = game(group("b", (600, 200), commanded=True), group("f", (600, 400)), leader("fo", (660, 400)))
    played = do(of, "fire", 8, 2, 6, unit="b", target="f")
    assert said(played, "kill") == [{"unit": "fo", "figure": "fo-1"}]
    assert state(played, "fo").casualties == 1


@pytest.mark.rule("TY-40")
def test_a_second_wound_kills() -> None:
    of = game(group("b", *row(2), commanded=True), group("f", (620, 600)))
    played = do(of, "fire", 8, 8, 3, 4, unit="b", target="f")
    assert [event.event for event in played.events] == ["fire", "hit", "wound", "kill"]
    assert unit(played, "f").figures == ()


@pytest.mark.rule("TY-40", "TY-57")
@pytest.mark.parametrize(("kind", "role", "missed"), [
    ("formed", "nco", 1), ("formed", "private", 0), ("irregular", "nco", 0), ("formed", "drummer", 0),
])  # fmt: skip
def test_an_nco_of_formed_infantry_is_missed(kind: str, role: str, missed: int) -> None:
    of = game(group("b", (600, 200), commanded=True), group("f", (600, 400), kind=kind, roles=[role]))
    played = do(of, "fire", 8, 6, unit="b", target="f")
    assert (state(played, "f").casualties, state(played, "f").ncos_killed) == (1, missed)


@pytest.mark.rule("TY-37")
def test_a_player_character_picks_his_man() -> None:
    of = game(leader("b", (600, 200), weapon="rifle"), group("f", *row(3, 560, 400)))
    played = do(of, "fire", 8, 6, unit="b", target="f", figure="f-2")
    assert said(played, "kill") == [{"unit": "f", "figure": "f-2"}]
    with pytest.raises(ActionRefused, match="only player characters"):
        do(game(group("b", (600, 200), commanded=True), group("f", *row(3, 560, 400))),
           "fire", unit="b", target="f", figure="f-2")  # fmt: skip


@pytest.mark.rule("TY-34", "TR-18")
@pytest.mark.parametrize(("kind", "weapon", "now", "left"), [
    ("irregular", "musket", {"commanded": True}, False), ("irregular", "musket", {}, True),
    ("leader", "pistol", {}, False), ("irregular", "bow", {"commanded": True}, True),
])  # fmt: skip
def test_firing_empties_commanded_muzzle_loaders(kind: str, weapon: str, now: Json, left: bool) -> None:
    of = game(group("b", (600, 400), kind=kind, weapon=weapon, **now), group("f", (600, 460)))
    after = state(do(of, "fire", 1, unit="b", target="f"), "b")
    assert (after.fired, after.loaded) == (True, left)
    assert after.activity == ("firing" if kind == "leader" else None)


@pytest.mark.rule("TY-34", "TY-18")
def test_an_empty_musket_is_refused_with_every_reason_and_the_umpire_may_overrule() -> None:
    of = game(group("b", (600, 400), commanded=True, loaded=False, moved="full"), group("f", (600, 460)))
    with pytest.raises(ActionRefused) as refused:
        do(of, "fire", unit="b", target="f")
    assert len(refused.value.reasons) == 2
    played = do(of, "fire", 8, 3, unit="b", target="f", override=True)
    assert said(played, "overruled")[0]["reasons"] == list(refused.value.reasons)
    assert said(played, "wound")


@pytest.mark.rule("TY-47")
def test_the_second_weapon_fires_by_its_own_family() -> None:
    of = game(group("b", (600, 400), stats={"second_weapon": "hatchet"}, commanded=True), group("f", (600, 460)))
    assert said(do(of, "fire", 8, 3, unit="b", target="f", weapon="hatchet"), "graze")
    with pytest.raises(UnknownAction, match="expected one of musket, hatchet"):
        do(of, "fire", unit="b", target="f", weapon="bow")


def test_own_side_and_strange_figures_are_no_targets() -> None:
    of = game(group("b", (600, 400), commanded=True), group("c", (600, 460)))
    with pytest.raises(ActionRefused, match="same side"):
        do(of, "fire", unit="b", target="c")
    with pytest.raises(UnknownAction, match="a figure on the table"):
        do(of, "fire", unit="b", target="c", figure="nobody")


@pytest.mark.parametrize(("dice", "what"), [([], "b fires at f"), ([9], "cannot show 9"), ([1, 1], "left over")])
def test_dice_must_fit_what_is_asked_for(dice: list[int], what: str) -> None:
    with pytest.raises(DiceError, match=what):
        do(duel(), "fire", *dice, unit="b", target="f")


def _mixed(**state: Any) -> Json:
    """Two men with muskets, two with rifles."""
    men = group("b", *row(4), commanded=True, **state)
    for rifleman in men["figures"][2:]:
        rifleman["weapon"] = "rifle"
    return men


@pytest.mark.rule("TY-32", "TY-34", "TY-47")
def test_in_a_group_of_mixed_arms_every_man_shoots_with_his_own() -> None:
    of = game(_mixed(), group("f", (600, 500)))
    once = do(of, "fire", 1, 1, unit="b", target="f", weapon="musket")
    both = do(once.game, "fire", 1, 1, unit="b", target="f", weapon="rifle")
    assert [one["weapon"] for one in said(once, "fire") + said(both, "fire")] == ["musket", "rifle"]
    for weapon in ("musket", "rifle"):
        with pytest.raises(ActionRefused, match="has fired this turn"):
            do(both.game, "fire", unit="b", target="f", weapon=weapon)
    later = do(do(both.game, "end-turn").game, "end-turn").game
    assert (state(later, "b").fired, state(later, "b").fired_with, state(later, "b").loaded) == (False, None, False)


@pytest.mark.rule("TY-47")
def test_a_man_with_two_weapons_shoots_one_of_them_in_a_turn() -> None:
    men = group("b", *row(2), weapon="bow", stats={"second_weapon": "rocks"}, commanded=True)
    shot = do(game(men, group("f", (600, 450))), "fire", 1, 1, unit="b", target="f", weapon="bow").game
    with pytest.raises(ActionRefused, match="has fired this turn"):
        do(shot, "fire", unit="b", target="f", weapon="rocks")


@pytest.mark.rule("TY-09", "TY-32")
def test_a_group_of_which_a_file_says_only_that_it_has_fired_fires_no_more() -> None:
    with pytest.raises(ActionRefused, match="has fired this turn"):
        do(game(_mixed(fired=True), group("f", (600, 500))), "fire", unit="b", target="f", weapon="rifle")


@pytest.mark.rule("TY-07", "TY-32")
def test_men_who_have_fired_do_not_fire_again_with_those_they_join() -> None:
    of = game(group("b", *row(2), commanded=True), group("b2", *row(4, 600, 440), weapon="rifle", commanded=True),
              group("f", (600, 700)))  # fmt: skip
    shot = do(of, "fire", 1, 1, unit="b", target="f").game
    joint = do(shot, "join", unit="b", **{"with": "b2"}).game
    with pytest.raises(ActionRefused, match="has fired this turn"):
        do(joint, "fire", unit="b2", target="f", weapon="musket")
    assert said(do(joint, "fire", 1, 1, 1, 1, unit="b2", target="f", weapon="rifle"), "fire")[0]["shots"] == 4


@pytest.mark.rule("TY-38", "TY-37")
@pytest.mark.parametrize(("x", "alone"), [(760.0, True), (690.0, False)])
def test_anybody_may_shoot_at_an_nco_who_stands_apart_from_his_squad(x: float, alone: bool) -> None:
    squad = group("f", *row(2, 600, 500), (x, 500), roles=["private", "private", "nco"], kind="formed")
    of = game(group("b", (680, 250), commanded=True), squad)
    if alone:
        assert said(do(of, "fire", 8, 6, unit="b", target="f", figure="f-3"), "kill")[0]["figure"] == "f-3"
        assert said(do(of, "fire", 8, 1, 6, unit="b", target="f"), "kill")[0]["figure"] == "f-1"  # one of two
        return
    with pytest.raises(ActionRefused, match="only player characters pick out a figure"):
        do(of, "fire", unit="b", target="f", figure="f-3")


@pytest.mark.rule("TY-37", "TY-38")
def test_uncommanded_men_shoot_at_the_nco_who_stands_nearest_and_not_at_his_squad() -> None:
    squad = group("f", *row(3, 600, 600), (760, 420), roles=["private"] * 3 + ["nco"], kind="formed")
    of = game(group("b", *row(2, 600, 200)), squad)
    with pytest.raises(ActionRefused, match="the nearest enemy they see: f-4, "):
        do(of, "fire", unit="b", target="f")
    assert said(do(of, "fire", 8, 6, unit="b", target="f", figure="f-4"), "kill")[0]["figure"] == "f-4"
