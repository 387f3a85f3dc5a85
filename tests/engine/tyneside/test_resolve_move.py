"""How units move, load, join, look out and charge, and how a turn ends."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction
from engine.records.action import action_from
from engine.rulesets.base.answers.chances import chances
from engine.rulesets.tyneside import RULESET
from tests.engine.tyneside.table import Json, do, game, group, leader, piece, row, said, spots, state, unit


def walked(*terrain: Json, far: float = 250.0, **more: Any) -> Any:
    """A man who is sent straight ahead from (600, 200)."""
    of = game(group("b", (600, 200), **more), terrain=terrain)
    return do(of, "move", unit="b", to=[600, 200 + far])


@pytest.mark.rule("TY-20", "TY-23")
@pytest.mark.parametrize(("more", "most"), [
    ({}, 250), ({"figure": {"status": "wounded"}}, 200), ({"kind": "civilian"}, 200),
    ({"kind": "civilian", "stats": {"petticoats": True}}, 150),
    ({"figure": {"mounted": True}}, 400), ({"figure": {"mounted": True, "status": "wounded"}}, 200),
])  # fmt: skip
def test_a_turns_move(more: Json, most: float) -> None:
    there = walked(far=most, **more)
    assert (spots(there, "b"), said(there, "stopped")) == ([(600, 200 + most)], [])
    short = walked(far=most + 30, **more)
    assert (spots(short, "b"), len(said(short, "stopped"))) == ([(600, 200 + most)], 1)
    assert said(short, "moved")[0]["distance_mm"] == pytest.approx(most)


@pytest.mark.rule("TY-20")
@pytest.mark.parametrize(("far", "moved"), [(0.0, "none"), (125.0, "half"), (125.1, "full"), (250.0, "full")])
def test_half_a_move_is_half_the_allowance_at_most(far: float, moved: str) -> None:
    assert state(walked(far=far), "b").moved == moved


@pytest.mark.rule("TY-20")
def test_a_unit_that_moved_half_has_half_a_move_left() -> None:
    of = walked(far=100.0).game
    again = do(of, "move", unit="b", to=[600, 600])
    assert (spots(again, "b"), state(again, "b").moved) == ([(600, 425)], "full")
    with pytest.raises(ActionRefused, match="has moved a full move"):
        do(again.game, "move", unit="b", to=[600, 700])
    assert spots(do(again.game, "move", unit="b", to=[600, 600], override=True), "b") == [(600, 600)]


@pytest.mark.rule("TY-20")
@pytest.mark.parametrize(("far", "reached"), [(250, 250), (400, 250)])
def test_horses_run_in_open_clear_ground_alone(far: float, reached: float) -> None:
    wood = piece("fort", 500, 400, 700, 500)
    assert spots(walked(wood, far=far, figure={"mounted": True}), "b") == [(600, 200 + reached)]


@pytest.mark.rule("TY-20")
@pytest.mark.parametrize(("moved", "reached"), [("none", 400), ("half", 200)])
def test_a_horse_is_not_slowed_by_ground_that_it_does_not_come_to(moved: str, reached: float) -> None:
    beyond = piece("woods", 500, 210 + reached, 700, 1100)
    assert spots(walked(beyond, far=900, figure={"mounted": True}, moved=moved), "b") == [(600, 200 + reached)]


@pytest.mark.rule("TY-21")
@pytest.mark.parametrize(("kind", "y", "moved"), [
    ("woods", 200 + 175, "full"), ("brush", 375, "full"), ("marsh", 375, "full"), ("stream", 375, "full"),
    ("rocks", 375, "full"), ("hill", 450, "full"), ("road", 450, "full"), ("river", 300, "half"),
    ("cliff", 300, "half"),
])  # fmt: skip
def test_difficult_ground_counts_double_and_some_is_barred(kind: str, y: float, moved: str) -> None:
    played = walked(piece(kind, 500, 300, 700, 900))
    assert spots(played, "b")[0][1] == pytest.approx(y, abs=0.2)
    assert state(played, "b").moved == moved
    assert [stop["by"] for stop in said(played, "stopped")] == (
        [] if y == 450 else [kind] if moved == "half" else ["the end of the move"]
    )


@pytest.mark.rule("TY-21", "TY-20")
@pytest.mark.parametrize(("far", "moved"), [(62.5, "half"), (62.7, "full")])
def test_what_ground_costs_counts_for_half_a_move(far: float, moved: str) -> None:
    assert state(walked(piece("woods", 500, 100, 700, 900), far=far), "b").moved == moved


@pytest.mark.rule("TY-22")
@pytest.mark.parametrize(("at", "y", "stopped"), [
    (300, 387.5, "the end of the move"), (380, 387.5, "the end of the move"), (387.4, 387.5, "the end of the move"),
    (390, 390, "fence"), (440, 440, "fence"),
])  # fmt: skip
def test_a_barrier_costs_a_quarter_and_stops_who_has_less(at: float, y: float, stopped: str) -> None:
    played = walked(piece("fence", 500, at, 700, at + 4))
    assert spots(played, "b")[0][1] == pytest.approx(y, abs=0.2)
    assert said(played, "stopped")[0]["by"] == stopped


@pytest.mark.rule("TY-22", "TY-23")
def test_the_barrier_takes_a_quarter_of_the_units_own_allowance() -> None:
    played = walked(piece("log", 500, 250, 700, 254), kind="civilian")
    assert spots(played, "b")[0][1] == pytest.approx(350, abs=0.2)


@pytest.mark.rule("TY-21")
def test_the_lead_figure_goes_there_and_the_others_keep_their_places() -> None:
    of = game(group("b", (600, 200), (640, 200), (680, 200)))
    played = do(of, "move", unit="b", to=[680, 350], facing_deg=450)
    assert spots(played, "b") == [(600, 350), (640, 350), (680, 350)]
    assert {figure.bearing_deg for figure in unit(played, "b").figures} == {90.0}


@pytest.mark.rule("TY-21")
def test_nobody_is_dragged_off_the_table() -> None:
    of = game(group("b", (60, 200), (30, 290)))
    played = do(of, "move", unit="b", to=[10, 200])
    assert spots(played, "b") == [(30, 200), (0, 290)]
    assert said(played, "stopped")[0]["by"] == "the table's edge"
    with pytest.raises(ActionRefused, match="off the table"):
        do(of, "move", unit="b", to=[-10, 200])


@pytest.mark.rule("TY-34", "TR-18")
def test_loading_takes_a_halted_turn() -> None:
    of = game(group("b", (600, 200), loaded=False))
    played = do(of, "load", unit="b")
    assert (state(played, "b").loaded, said(played, "loaded")) == (True, [{"unit": "b"}])
    with pytest.raises(ActionRefused, match="loads this turn"):
        do(played.game, "move", unit="b", to=[600, 300])
    assert do(do(played.game, "end-turn").game, "move", unit="b", to=[600, 300]).events


@pytest.mark.rule("TY-34", "TY-11")
def test_a_leader_who_loads_is_busy() -> None:
    of = game(leader("b", (600, 200), weapon="pistol", loaded=False))
    assert state(do(of, "load", unit="b"), "b").activity == "loading"


@pytest.mark.rule("TY-34")
@pytest.mark.parametrize(("more", "why"), [
    ({"loaded": False, "moved": "half"}, "has moved this turn"), ({}, "is loaded already"),
    ({"weapon": "bow", "loaded": False}, "no weapon that is loaded"),
    ({"loaded": False, "fired": True}, "has fired"),
])  # fmt: skip
def test_who_may_not_load(more: Json, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        do(game(group("b", (600, 200), **more)), "load", unit="b")


@pytest.mark.rule("TY-07")
def test_a_few_join_a_like_group_with_what_they_are() -> None:
    of = game(group("b", *row(2), weapon="rifle", stats={"class": "raw"}, casualties=5, moved="half"),
              group("c", *row(6, y=300), casualties=1,
                    stats={"class": "hero", "classes": {"c-1": "veteran"}}))  # fmt: skip
    played = do(of, "join", unit="b", **{"with": "c"})
    assert [figure.id for figure in unit(played, "c").figures] == [*(f"c-{n}" for n in range(1, 7)), "b-1", "b-2"]
    assert [figure.weapon for figure in unit(played, "c").figures][-3:] == [None, "rifle", "rifle"]
    assert unit(played, "c").stats["classes"] == {"c-1": "veteran", "b-1": "raw", "b-2": "raw"}
    assert (unit(played, "b").figures, state(played, "b").casualties, state(played, "c").casualties) == ((), 5, 1)
    assert state(played, "c").moved == "half"
    assert said(played, "joined") == [{"unit": "b", "with": "c", "figures": ["b-1", "b-2"]}]


@pytest.mark.rule("TY-07", "TY-08")
@pytest.mark.parametrize(("one", "other", "why"), [
    (group("b", *row(4)), group("c", *row(4, y=300)), "b has 4 figures: only 3 or fewer join"),
    (group("b", *row(3)), group("c", *row(8, y=300)), "together they are 11: at most 10"),
    (group("b", *row(3)), group("f", *row(4, y=300)), "f is not on b's side"),
    (group("b", *row(3)), group("c", *row(4, y=300), kind="skirmisher"), "types: irregular and skirmisher"),
    (group("b"), group("c", *row(4, y=300)), "b has no figure left"),
    (leader("b", (600, 400)), leader("c", (600, 300)), "b is a player character and no group"),
    (group("b", *row(3)), group("b2", *row(4, y=300), hidden=True), "b2 is hidden"),
])  # fmt: skip
def test_who_may_not_join(one: Json, other: Json, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        do(game(one, other), "join", unit="b", **{"with": other["id"]})


@pytest.mark.rule("TY-07")
def test_seven_and_three_are_ten() -> None:
    played = do(game(group("b", *row(3)), group("c", *row(7, y=300))), "join", unit="b", **{"with": "c"})
    assert len(unit(played, "c").figures) == 10
    with pytest.raises(UnknownAction, match="join: with: expected one of"):
        do(game(group("b", *row(3))), "join", unit="b", **{"with": "x"})
    with pytest.raises(ActionRefused, match="cannot join itself"):
        do(game(group("b", *row(3))), "join", unit="b", **{"with": "b"})


@pytest.mark.rule("TY-45", "TR-5")
@pytest.mark.parametrize("die", [1, 4, 5, 6])
def test_a_d6_says_at_what_range_a_unit_in_cover_is_seen(die: int) -> None:
    wood = piece("woods", 500, 600, 700, 900)
    of = game(group("b", (600, 200)), group("f", (600, 650)), terrain=[wood])
    played = do(of, "spot", die, unit="b", target="f")
    # 42.5 cm lie between the bases.
    assert said(played, "spotted") == [{"unit": "b", "target": "f", "cm": 10 * die, "seen": die >= 5}]
    assert state(played, "f").spotted_cm == 10 * die
    with pytest.raises(ActionRefused, match="thrown for already"):
        do(played.game, "spot", unit="b", target="f")


@pytest.mark.rule("TY-45")
def test_the_chance_of_a_throw_is_that_of_seeing_from_where_one_stands() -> None:
    of = game(group("b", (600, 200)), group("f", (600, 650)), terrain=[piece("woods", 500, 600, 700, 900)])
    told = chances(RULESET, of, action_from({"action": "spot", "unit": "b", "target": "f"}))
    assert told.sentence == "67 % not seen"
    exact = {"not seen": 4 / 6, "seen": 2 / 6}
    assert {one.what: one.chance for one in told.outcomes} == pytest.approx(exact, abs=1e-5)


@pytest.mark.rule("TY-46", "TY-45", "TY-44")
@pytest.mark.parametrize(
    ("kind", "here", "there", "thrown"),
    [
        ("woods", (600, 200), (600, 650), True), ("brush", (600, 200), (600, 650), True),
        ("crops", (600, 200), (600, 650), True), ("woods", (600, 200), (600, 550), False),
        ("rocks", (600, 200), (600, 650), False), ("woods", (600, 620), (600, 650), False),
    ],
)  # fmt: skip
def test_nobody_throws_for_those_in_the_open_or_in_the_same_wood(
    kind: str, here: tuple[float, float], there: tuple[float, float], thrown: bool
) -> None:
    of = game(group("b", here), group("f", there), terrain=[piece(kind, 500, 600, 700, 900)])
    if thrown:
        assert do(of, "spot", 2, unit="b", target="f").events
        return
    with pytest.raises(ActionRefused, match="nobody of f is hidden from b in woods, brush or crops"):
        do(of, "spot", unit="b", target="f")


@pytest.mark.rule("TR-5", "TY-45")
def test_who_has_fired_is_seen_without_a_throw() -> None:
    units, wood = [group("b", (600, 200)), group("f", (600, 650), fired=True)], piece("woods", 500, 600, 700, 900)
    with pytest.raises(ActionRefused, match="f has fired"):
        do(game(*units, terrain=[wood]), "spot", unit="b", target="f")
    throws = game(*units, terrain=[wood], options={"firing_still_throws": True})
    assert do(throws, "spot", 2, unit="b", target="f").events
    with pytest.raises(ActionRefused, match="same side"):
        do(game(group("b", (600, 200)), group("c", (600, 300))), "spot", unit="b", target="c")


@pytest.mark.rule("TY-09")
def test_a_turn_ends_for_the_side_whose_turn_it_was() -> None:
    busy = {
        "commanded": True,
        "may_charge": True,
        "moved": "full",
        "fired": True,
        "spotted_cm": 30,
        "loaded": False,
    }
    of = game(group("b", (600, 200), activity="loading", **busy), group("f", (600, 900), **busy))
    after = do(of, "end-turn").game
    b, f = state(after, "b"), state(after, "f")
    assert (b.commanded, b.may_charge, b.moved, b.activity, b.fired, b.spotted_cm) == (
        False,
        False,
        "none",
        None,
        True,
        30,
    )
    assert (f.commanded, f.may_charge, f.moved, f.fired, f.spotted_cm) == (True, True, "full", False, None)
    assert (b.loaded, f.loaded) == (False, False)
    assert (after.turn.active_side, after.turn.number) == ("french", 2)
    assert do(after, "end-turn").game.turn.number == 3


@pytest.mark.rule("TY-56", "TY-14")
@pytest.mark.parametrize(("die", "ran"), [(1, True), (2, False)])
def test_who_ran_this_turn_has_run_the_next(die: int, ran: bool) -> None:
    of = game(group("b", *row(4), casualties=12, routing=not ran), group("f", (600, 900)))
    thrown = do(of, "risk", die, unit="b").game
    after = do(thrown, "end-turn").game
    assert (state(after, "b").running, state(after, "b").routing) == (ran, ran)
    assert state(after, "b").result is None


@pytest.mark.rule("TY-56", "TY-74")
def test_a_retreat_from_melee_lasts_through_the_next_turn_of_ones_own() -> None:
    of = game(group("b", (600, 400)), group("f", (600, 425)))
    lost = do(do(of, "melee", 1, 2, unit="b", target="f").game, "end-turn").game
    assert state(lost, "b").melee_retreat
    again = do(do(lost, "end-turn").game, "end-turn").game
    assert not state(again, "b").melee_retreat
    theirs = do(do(of, "melee", 2, 1, unit="b", target="f").game, "end-turn").game
    assert state(theirs, "f").melee_retreat
    assert not state(do(theirs, "end-turn").game, "f").melee_retreat


@pytest.mark.rule("TY-80")
@pytest.mark.parametrize(("one", "two", "lost"), [
    ({"routing": True}, {"melee_retreat": True}, ["french"]), ({"routing": True}, {}, []),
    ({"running": True}, {"result": "withdraw"}, ["french"]), ({"hidden": True}, {"running": True}, []),
])  # fmt: skip
def test_a_side_all_in_retreat_has_lost(one: Json, two: Json, lost: list[str]) -> None:
    of = game(group("b", (600, 200)), group("f", (600, 900), **one), group("f2", (700, 900), **two))
    assert [facts["side"] for facts in said(do(of, "end-turn"), "lost")] == lost


@pytest.mark.rule("TY-80")
def test_who_has_nobody_left_has_lost() -> None:
    of = game(group("b", (600, 200)), group("f"), group("f2", (600, 900), hidden=True, dummy=True))
    assert said(do(of, "end-turn"), "lost") == [{"side": "french"}]


@pytest.mark.parametrize(("keys", "what"), [
    ({"action": "dance"}, "action: expected one of charge"), ({"action": "move", "unit": "b"}, "to"),
    ({"action": "move", "unit": "b", "to": [1]}, "to"), ({"action": "load"}, "expected the id of a unit"),
    ({"action": "join", "unit": "b"}, "with"), ({"action": "load", "unit": "b", "with": "b"}, "no keys of its own"),
    ({"action": "end-turn", "unit": "b"}, "unknown key"),
])  # fmt: skip
def test_actions_outside_the_rulebook_are_refused(keys: Json, what: str) -> None:
    with pytest.raises(UnknownAction, match=what):
        do(game(group("b", (600, 200))), **keys)
