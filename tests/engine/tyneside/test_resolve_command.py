"""The chain of command: points thrown, links, and the groups that they buy."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction
from tests.engine.tyneside.table import Json, do, game, group, leader, piece, row, said, state

#: Ten figures in a block of three deep; the first is the NCO, apart from the rest.
BLOCK = [(x, y) for x in (0, 40, 80) for y in (0, 40, 80)]


def squad(name: str, at: float, nco: tuple[float, float] | None, klass: str = "veteran") -> Json:
    """A squad of formed regulars: nine in a block, and its NCO."""
    spots = [*([] if nco is None else [nco]), *((at + x, 540 + y) for x, y in BLOCK)]
    classes = {} if nco is None else {f"{name}-1": klass}
    return group(name, *spots, kind="formed", weapon="musket-bayonet", formation="line",
                 roles=[] if nco is None else ["nco"], stats={"classes": classes})  # fmt: skip


def platoon() -> list[Json]:
    """The officer and his thirty men in a wood, as the book's example has them."""
    return [leader("officer", (300, 600)), squad("s1", 340, (480, 600)), squad("s2", 590, (700, 600), "raw"),
            squad("s3", 760, None)]  # fmt: skip


WOOD = piece("woods", 100, 300, 1300, 900)


@pytest.mark.rule("TY-17", "TY-11", "TY-13", "TY-16", "TR-9")
def test_the_books_example_twelve_seven_and_ten_command_the_platoon() -> None:
    of = game(*platoon(), terrain=[WOOD])
    played = do(
        of, "command", 6, 4, 2, 1, 2, 4, 5, 5, unit="officer", via=["s1-1", "s2-1"], groups=["s1", "s2", "s3"]
    )
    assert said(played, "command")[0]["points"] == 29
    assert [(facts["group"], facts["cost"]) for facts in said(played, "commanded")] == [
        ("s1", 9),
        ("s2", 9),
        ("s3", 9),
    ]
    assert all(state(played, name).commanded for name in ("s1", "s2", "s3"))
    assert [(rolled.roll.count, rolled.total) for rolled in played.rolls] == [(3, 12), (3, 7), (2, 10)]


@pytest.mark.rule("TY-17", "TY-15", "TY-13")
def test_twelve_points_of_the_officer_alone_command_the_squad_that_he_reaches() -> None:
    of = game(*platoon(), terrain=[WOOD])
    played = do(of, "command", 6, 4, 2, unit="officer", groups=["s1", "s2", "s3"])
    assert [facts["group"] for facts in said(played, "commanded")] == ["s1"]
    assert [facts["group"] for facts in said(played, "not-commanded")] == ["s2", "s3"]
    assert "not within command distance" in said(played, "not-commanded")[0]["why"]


@pytest.mark.rule("TY-11")
@pytest.mark.parametrize(("klass", "activity", "dice"), [
    ("hero", None, 4), ("veteran", None, 3), ("raw", None, 2), ("hero", "loading", 3), ("veteran", "firing", 2),
    ("raw", "melee", 1),
])  # fmt: skip
def test_command_dice_by_class_one_fewer_for_a_busy_officer(klass: str, activity: Any, dice: int) -> None:
    of = game(leader("b", (300, 600), klass, activity=activity), group("a", (350, 600)))
    played = do(of, "command", *[1] * dice, unit="b", groups=["a"])
    assert said(played, "command")[0]["points"] == dice


@pytest.mark.rule("TY-12")
@pytest.mark.parametrize(("role", "x", "via", "dice"), [
    ("drummer", 330, [], [3, 1]), ("bugler", 330, [], [3, 1]), ("private", 330, [], [3]),
    ("drummer", 330 + 525.5, [], [3]), ("drummer", 330, ["a-1"], [3, 1, 2, 2, 2]),
])  # fmt: skip
def test_a_musician_who_is_commanded_adds_a_die(role: str, x: float, via: Any, dice: list[int]) -> None:
    of = game(leader("b", (330, 600), "raw"), group("a", (x, 560), (x + 40, 560), roles=[role]))
    played = do(of, "command", 2, *dice, unit="b", via=via, groups=["a"])
    assert said(played, "command")[0]["points"] == 2 + sum(dice)


@pytest.mark.rule("TY-13", "TY-01")
@pytest.mark.parametrize(("gap", "terrain", "held"), [
    (500.0, None, True), (500.2, None, False), (250.0, "woods", True), (250.2, "woods", False),
    (250.2, "brush", True), (500.0, "hill", True),
])  # fmt: skip
def test_command_reaches_50_cm_in_the_open_25_where_the_ground_closes_in(
    gap: float, terrain: Any, held: bool
) -> None:
    pieces = [] if terrain is None else [piece(terrain, 200, 500, 400, 700)]
    of = game(leader("b", (300, 600)), group("a", (325 + gap, 600)), terrain=pieces)
    played = do(of, "command", 1, 1, 1, unit="b", groups=["a"])
    assert bool(said(played, "commanded")) is held


@pytest.mark.rule("TR-10")
def test_distances_may_be_measured_from_middle_to_middle() -> None:
    units = [leader("b", (300, 600)), group("a", (820, 600))]
    assert said(do(game(*units), "command", 1, 1, 1, unit="b", groups=["a"]), "commanded")
    of = game(*units, options={"measure": "centre"})
    assert said(do(of, "command", 1, 1, 1, unit="b", groups=["a"]), "not-commanded")


@pytest.mark.rule("TY-14", "TY-06")
@pytest.mark.parametrize(("stats", "now", "cost"), [
    ({}, {}, 4), ({"loyal_to": ["b"]}, {}, 4), ({"loyal_to": []}, {}, 8), ({"loyal_to": ["other"]}, {}, 8),
    ({}, {"routing": True}, 8), ({"loyal_to": []}, {"routing": True}, 8),
])  # fmt: skip
def test_the_disloyal_and_those_who_rout_cost_two_points_each(stats: Json, now: Json, cost: int) -> None:
    of = game(leader("b", (300, 600)), group("a", *row(4, 350), stats=stats, **now))
    assert said(do(of, "command", 6, 1, 1, unit="b", groups=["a"]), "commanded")[0]["cost"] == cost
    short = do(of, "command", 1, 1, 1, unit="b", groups=["a"])
    assert said(short, "not-commanded")[0]["why"].endswith(f"costs {cost}, 3 points are left")
    assert not state(short, "a").commanded


@pytest.mark.rule("TY-15")
def test_groups_are_paid_in_order_and_one_that_is_too_dear_is_passed_over() -> None:
    of = game(
        leader("b", (300, 600)), group("a", *row(6, 340)), group("c", *row(8, 340, 500)), group("d", (340, 560))
    )
    played = do(of, "command", 3, 3, 3, unit="b", groups=["a", "c", "d"])
    assert [facts["group"] for facts in said(played, "commanded")] == ["a", "d"]
    assert [facts["group"] for facts in said(played, "not-commanded")] == ["c"]


@pytest.mark.rule("TY-15")
def test_one_figure_out_of_reach_leaves_the_whole_group_to_itself() -> None:
    of = game(leader("b", (300, 600)), group("a", (350, 600), (900, 600)))
    played = do(of, "command", 6, 6, 6, unit="b", groups=["a"])
    assert "a-2" in said(played, "not-commanded")[0]["why"]


@pytest.mark.rule("TY-16", "TY-14")
def test_a_link_who_cannot_be_paid_throws_but_adds_nothing() -> None:
    of = game(leader("b", (300, 600), "raw", activity="melee"),
              group("a", (350, 600), (390, 600), roles=["nco"], stats={"loyal_to": []}))  # fmt: skip
    played = do(of, "command", 1, 6, 6, 6, unit="b", via=["a-1"], groups=["a"])
    assert said(played, "command")[0] == {"unit": "b", "points": 1, "links": []}
    assert said(played, "not-commanded")


@pytest.mark.rule("TY-16", "TY-08", "TY-06")
@pytest.mark.parametrize(("unit", "keys", "why"), [
    ("b", {"via": ["a-2"]}, "a-2 is no NCO, drummer or bugler but private"),
    ("b", {"via": ["far-1"]}, "far-1 is not within command distance of b-1"),
    ("b", {"via": ["a-1", "a-1"]}, "named twice as a link: a-1"),
    ("b", {"groups": ["a", "a"]}, "named twice as a group: a"),
    ("b", {"groups": ["f"]}, "f is not on b's side"), ("b", {"groups": ["c"]}, "c is a player character"),
    ("a", {"groups": ["a"]}, "a is no player character"),
])  # fmt: skip
def test_orders_outside_the_chain_are_refused_before_any_die(unit: str, keys: Any, why: str) -> None:
    of = game(leader("b", (300, 600)), leader("c", (300, 650)), group("a", *row(3, 350), roles=["nco"]),
              group("far", (1200, 600), roles=["nco"]), group("f", (600, 1000)))  # fmt: skip
    with pytest.raises(ActionRefused, match=why):
        do(of, "command", unit=unit, **keys)


def test_the_umpire_may_let_a_link_command_from_afar() -> None:
    of = game(leader("b", (300, 600)), group("far", (1200, 600), (1240, 600), roles=["nco"]))
    played = do(of, "command", 1, 1, 1, 1, 1, 1, unit="b", via=["far-1"], groups=["far"], override=True)
    assert said(played, "overruled")
    assert said(played, "commanded")


@pytest.mark.parametrize(("keys", "what"), [
    ({"via": ["nobody"]}, "via: expected ids of figures"), ({"groups": ["nobody"]}, "groups: expected some of"),
    ({"with": "a"}, "with: unknown key"),
])  # fmt: skip
def test_names_that_there_are_not_are_refused(keys: Any, what: str) -> None:
    with pytest.raises(UnknownAction, match=what):
        do(game(leader("b", (300, 600)), group("a", (350, 600))), "command", unit="b", **keys)
