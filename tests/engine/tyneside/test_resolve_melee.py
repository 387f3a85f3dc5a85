"""Hand to hand: who is matched with whom, who wins, who is hurt, who gives way."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction
from engine.events import Event
from engine.odds import odds
from engine.records.action import action_from
from engine.rulesets.base.answers.chances import chances
from engine.rulesets.tyneside import RULESET
from tests.engine.tyneside.table import Json, do, game, group, leader, row, said, spots, state, unit


def facing(ours: int, theirs: int, **stats: Any) -> Any:
    """Rows of touching bases against each other: so many of ours, so many of theirs."""
    return game(group("b", *row(ours, y=400, step=25), weapon="sword", stats=stats),
                group("f", *row(theirs, y=425, step=25), weapon="sword"))  # fmt: skip


def two_on_one(**now: Any) -> Any:
    """Two of ours touch one of theirs, and he both of them."""
    return game(group("b", (590, 400), (620, 400), weapon="sword", **now), group("f", (605, 420), weapon="sword"))


@pytest.mark.rule("TY-73", "TY-74")
@pytest.mark.parametrize(("dice", "winner", "what", "lost_by"), [
    ([4, 2], "b", None, ["f"]), ([5, 4], "b", "wound", ["f"]), ([6, 1], "b", "kill", ["f"]),
    ([2, 5], "f", "wound", ["b"]), ([1, 6], "f", "kill", ["b"]), ([3, 3], None, None, ["b", "f"]),
    ([6, 6], None, None, ["b", "f"]),
])  # fmt: skip
def test_one_against_one(dice: list[int], winner: Any, what: Any, lost_by: list[str]) -> None:
    played = do(facing(1, 1), "melee", *dice, unit="b", target="f")
    assert (said(played, "fight")[0]["winner"], said(played, "fight")[0]["scores"]) == (winner, dice)
    assert [event.event for event in played.events if event.event in ("wound", "kill")] == ([what] if what else [])
    assert said(played, "melee")[0]["lost_by"] == lost_by
    assert {name: state(played, name).melee_retreat for name in "bf"} == {name: name in lost_by for name in "bf"}


@pytest.mark.rule("TY-72", "TY-73")
@pytest.mark.parametrize(("b", "f", "weapons", "scores"), [
    ("hero", "veteran", ("sword", "sword"), [4, 3]), ("raw", "veteran", ("sword", "sword"), [2, 3]),
    ("veteran", "raw", ("musket", "bow"), [4, 2]), ("veteran", "veteran", ("bow", "pistol"), [3, 3]),
    ("veteran", "veteran", ("musket-bayonet", "musket"), [4, 3]), ("hero", "hero", ("rifle", "war-club"), [4, 5]),
    ("veteran", "veteran", ("none", "rocks"), [3, 4]),
])  # fmt: skip
def test_class_and_the_better_weapon_change_the_die(b: str, f: str, weapons: Any, scores: list[int]) -> None:
    of = game(group("b", (600, 400), weapon=weapons[0], stats={"class": b}),
              group("f", (600, 425), weapon=weapons[1], stats={"class": f}))  # fmt: skip
    assert said(do(of, "melee", 3, 3, unit="b", target="f"), "fight")[0]["scores"] == scores


@pytest.mark.rule("TY-74")
def test_the_chances_of_a_melee_say_who_gives_way() -> None:
    told = chances(RULESET, facing(1, 1), action_from({"action": "melee", "unit": "b", "target": "f"}))
    assert {one.what: one.chance for one in told.outcomes} == {
        "b gives way": pytest.approx(15 / 36, abs=1e-6), "f gives way": pytest.approx(15 / 36, abs=1e-6),
        "b and f give way": pytest.approx(6 / 36, abs=1e-6),
    }  # fmt: skip


def _winner(event: Event) -> Any:
    return event.facts.get("winner")


def _loser(event: Event) -> Any:
    return tuple(event.facts["lost_by"]) if event.event == "melee" else None


@pytest.mark.rule("TY-72", "TY-73")
def test_the_odds_of_a_hero_against_a_raw_man() -> None:
    of = game(group("b", (600, 400), stats={"class": "hero"}), group("f", (600, 425), stats={"class": "raw"}))
    order = action_from({"action": "melee", "unit": "b", "target": "f"})
    found = odds(of, lambda: RULESET.begin(of, order), _winner)
    wins = sum(one + 1 > other - 1 for one in range(1, 7) for other in range(1, 7))
    assert found["b"] == Fraction(wins, 36)


@pytest.mark.rule("TY-73", "TY-74")
def test_the_odds_of_eight_against_eight() -> None:
    order = action_from({"action": "melee", "unit": "b", "target": "f"})
    of = facing(8, 8)
    found = odds(of, lambda: RULESET.begin(of, order), _loser)
    won, even = Fraction(15, 36), Fraction(6, 36)
    exact: Counter[int] = Counter()
    for of_eight in product((1, 0, -1), repeat=8):
        exact[(sum(of_eight) > 0) - (sum(of_eight) < 0)] += even ** of_eight.count(0) * won ** (
            8 - of_eight.count(0)
        )
    assert found == {("f",): exact[1], ("b",): exact[-1], ("b", "f"): exact[0]}


@pytest.mark.rule("TY-72")
def test_a_second_weapon_counts_in_melee() -> None:
    of = game(group("b", (600, 400), weapon="bow", stats={"second_weapon": "war-club"}), group("f", (600, 425)))
    assert said(do(of, "melee", 3, 3, unit="b", target="f"), "fight")[0]["scores"] == [4, 3]


@pytest.mark.rule("TY-72", "TY-73")
def test_hits_need_the_die_itself_and_not_the_total() -> None:
    of = game(group("b", (600, 400), weapon="sword", stats={"class": "hero"}), group("f", (600, 425), weapon="bow"))
    assert not said(do(of, "melee", 4, 1, unit="b", target="f"), "wound")
    assert said(do(of, "melee", 5, 1, unit="b", target="f"), "wound")


@pytest.mark.rule("TY-72", "TY-73", "TR-17")
@pytest.mark.parametrize(("dice", "winner", "scores", "hurt"), [
    ([5, 6, 5], "b", [5, 6, 4], ["wound", "kill"]), ([5, 3, 4], "b", [5, 3, 3], ["wound"]),
    ([6, 1, 2], "b", [6, 1, 1], ["kill"]),
    ([4, 5, 6], None, [4, 5, 5], []), ([3, 2, 6], "f", [3, 2, 5], ["kill"]), ([3, 4, 4], "b", [3, 4, 3], []),
    ([5, 5, 1], "b", [5, 5, 0], ["wound", "kill"]), ([5, 6, 6], "b", [5, 6, 5], ["kill"]),
])  # fmt: skip
def test_several_against_one(dice: list[int], winner: Any, scores: list[int], hurt: list[str]) -> None:
    played = do(two_on_one(), "melee", *dice, unit="b", target="f")
    fight = said(played, "fight")[0]
    assert (fight["winner"], fight["scores"]) == (winner, scores)
    assert [e.event for e in played.events if e.event in ("wound", "kill")] == hurt


@pytest.mark.rule("TY-73")
def test_the_one_who_beats_several_strikes_the_first_named() -> None:
    played = do(two_on_one(), "melee", 2, 3, 6, unit="b", target="f", pairs=[[["b-2", "b-1"], ["f-1"]]])
    assert said(played, "kill") == [{"unit": "b", "figure": "b-2"}]


@pytest.mark.rule("TY-71")
def test_figures_pair_off_as_evenly_as_contact_lets_them() -> None:
    of = game(group("b", *row(3, y=400, step=25)), group("f", *row(2, x=612.5, y=421.7, step=25)))
    played = do(of, "melee", 1, 1, 1, 1, 1, unit="b", target="f")
    assert [fight["pair"] for fight in said(played, "fight")] == [[["b-1"], ["f-1"]], [["b-2", "b-3"], ["f-2"]]]
    assert said(played, "fight")[1]["scores"] == [0, 1, 0]


@pytest.mark.rule("TY-71")
@pytest.mark.parametrize(("gap", "touches"), [(0.0, True), (1.0, True), (1.1, False)])
def test_contact_is_a_gap_of_a_millimetre_at_most(gap: float, touches: bool) -> None:
    of = game(group("b", (600, 400)), group("f", (600, 425 + gap)))
    if touches:
        assert said(do(of, "melee", 1, 2, unit="b", target="f"), "fight")
    else:
        with pytest.raises(ActionRefused, match="no figure of b is in contact with f"):
            do(of, "melee", unit="b", target="f")


@pytest.mark.rule("TY-71")
@pytest.mark.parametrize(("pairs", "why"), [
    ([[["b-1"], ["f-1"]], [["b-1"], ["f-2"]]], "b-1 in more than one fight"),
    ([[["f-1"], ["b-1"]]], "not of b and f in this order"),
    ([[["b-1", "b-2"], ["f-1", "f-2"]]], "one against one, or several against one"),
    ([[["b-1"], ["f-1"]]], "in contact and left out"), ([[["b-1"], ["f-2"]], [["b-2"], ["f-1"]]], "not in contact"),
])  # fmt: skip
def test_pairs_that_are_none_are_refused(pairs: Any, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        do(facing(2, 2), "melee", unit="b", target="f", pairs=pairs)


@pytest.mark.rule("TY-71")
@pytest.mark.parametrize("pair", [("b", "b"), ("b2", "f"), ("f", "b2")])
def test_nobody_fights_himself_or_those_who_are_all_dead_whatever_the_umpire_says(pair: tuple[str, str]) -> None:
    of = game(group("b", (600, 400)), group("b2", casualties=4), group("f", (600, 425)))
    with pytest.raises(ActionRefused, match=r"on the same side|has no figure left"):
        do(of, "melee", unit=pair[0], target=pair[1], override=True)


@pytest.mark.rule("TY-71")
@pytest.mark.parametrize("override", [False, True])
def test_a_figure_that_neither_unit_has_cannot_fight_whatever_the_umpire_says(override: bool) -> None:
    with pytest.raises(UnknownAction, match="pairs: expected one of b-1, f-1, got 'x-9'"):
        do(facing(1, 1), "melee", unit="b", target="f", pairs=[[["x-9"], ["f-1"]]], override=override)


@pytest.mark.rule("TY-71")
def test_the_umpire_cannot_let_figures_fight_for_the_other_unit() -> None:
    with pytest.raises(ActionRefused, match="not of b and f in this order"):
        do(facing(1, 1), "melee", unit="b", target="f", pairs=[[["f-1"], ["b-1"]]], override=True)


@pytest.mark.rule("TY-74")
def test_who_lost_more_fights_moves_back_five_centimetres() -> None:
    played = do(facing(1, 1), "melee", 4, 2, unit="b", target="f")
    assert (spots(played, "b"), spots(played, "f")) == ([(600, 400)], [(600, 475)])
    assert [(m["unit"], m["distance_mm"]) for m in said(played, "moved")] == [("f", 50)]


@pytest.mark.rule("TY-74")
def test_both_move_back_where_it_is_even() -> None:
    played = do(facing(2, 2), "melee", 4, 2, 2, 4, unit="b", target="f")
    assert spots(played, "b") == [(600, 350), (625, 350)]
    assert spots(played, "f") == [(600, 475), (625, 475)]


@pytest.mark.rule("TY-74")
def test_the_winner_may_follow_into_contact_again() -> None:
    played = do(facing(1, 1), "melee", 4, 2, unit="b", target="f", follow_up=True)
    assert (spots(played, "b"), spots(played, "f")) == ([(600, 450)], [(600, 475)])
    even = do(facing(1, 1), "melee", 2, 2, unit="b", target="f", follow_up=True)
    assert spots(even, "b") == [(600, 350)]


@pytest.mark.rule("TY-74")
def test_nobody_is_pushed_off_the_table() -> None:
    of = game(group("b", (600, 1170)), group("f", (600, 1195)))
    assert spots(do(of, "melee", 4, 2, unit="b", target="f"), "f") == [(600, 1219.2)]


@pytest.mark.rule("TR-12", "TY-74")
@pytest.mark.parametrize(("worst", "lost_by"), [("fights", ["b"]), ("casualties", ["f"])])
def test_the_worse_is_who_lost_more_fights_or_more_men(worst: str, lost_by: list[str]) -> None:
    of = game(group("b", *row(3, y=400, step=60)), group("f", *row(3, y=425, step=60)), options={"worst": worst})
    played = do(of, "melee", 1, 2, 1, 2, 6, 1, unit="b", target="f")
    assert said(played, "melee")[0]["lost_by"] == lost_by


@pytest.mark.rule("TY-74", "TY-11")
def test_what_a_melee_leaves_in_the_state() -> None:
    of = game(leader("b", (600, 400)), leader("f", (600, 425)))
    after = do(of, "melee", 4, 2, unit="b", target="f")
    assert (state(after, "b").activity, state(after, "f").activity) == ("melee", "melee")
    assert state(facing(1, 1), "b").activity is None


@pytest.mark.rule("TY-40")
def test_the_wounded_still_fight_and_a_second_wound_kills() -> None:
    of = game(group("b", (600, 400)), group("f", (600, 425), figure={"status": "wounded"}))
    assert said(do(of, "melee", 5, 2, unit="b", target="f"), "kill")
    assert said(do(of, "melee", 2, 5, unit="b", target="f"), "wound") == [{"unit": "b", "figure": "b-1"}]


@pytest.mark.parametrize(("units", "why"), [
    ([group("b", (600, 400)), group("f", (600, 425), hidden=True)], "f is hidden"),
    ([group("b", (600, 400)), group("f")], "f has no figure left"),
])  # fmt: skip
def test_markers_and_the_fallen_fight_nobody(units: list[Json], why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        do(game(*units), "melee", unit="b", target="f")
    assert unit(game(*units), "b").figures


@pytest.mark.rule("TY-72", "TY-82")
@pytest.mark.parametrize(("hidden", "score"), [(False, 2), (True, 3)])
def test_a_hidden_marker_beside_a_fight_is_no_enemy_in_contact(hidden: bool, score: int) -> None:
    of = game(group("b", (600, 400)), group("f", (600, 425)), group("f2", (625, 400), hidden=hidden))
    assert said(do(of, "melee", 3, 1, unit="b", target="f"), "fight")[0]["scores"] == [score, 1]
