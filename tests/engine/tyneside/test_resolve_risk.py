"""The Actions tables thrown for, what binds whom, and where uncommanded troops go."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from tests.engine.tyneside.table import Json, do, game, group, leader, piece, row, said, state

INDIVIDUALS = {
    0: "continue continue continue continue continue advance",
    1: "cover halt* continue?* continue?* continue?* advance?*",
    2: "withdraw cover* halt* continue?* continue?* advance?*",
    5: "withdraw cover* halt* continue?* continue?* advance?*",
    6: "run withdraw cover cover* halt* continue?*", 8: "run withdraw cover cover* halt* continue?*",
    9: "run run withdraw cover cover* halt*",
}  # fmt: skip
FORMED = {
    0: "march march march march march march", 1: "halt* deploy deploy deploy deploy advance?*",
    3: "halt* deploy deploy deploy deploy advance?*", 4: "half-back* halt* deploy deploy deploy advance?*",
    6: "half-back* halt* deploy deploy deploy advance?*", 7: "run half-back halt* deploy deploy advance?*",
    8: "run half-back halt* deploy deploy advance?*", 9: "run run half-back half-back* half-back* halt*",
}  # fmt: skip
CELLS = [
    (kind, rf, die, cell)
    for kind, table in (("irregular", INDIVIDUALS), ("formed", FORMED))
    for rf, cells in table.items()
    for die, cell in enumerate(cells.split(), 1)
]
ROWS = {"irregular": {0: "<=0", 1: "1", 2: "2-5", 5: "2-5", 6: "6-8", 8: "6-8", 9: "9+"},
        "formed": {0: "<=0", 1: "1-3", 3: "1-3", 4: "4-6", 6: "4-6", 7: "7-8", 8: "7-8", 9: "9+"}}  # fmt: skip


def at_risk(rf: int, kind: str = "irregular", **more: Any) -> Any:
    """A unit with a risk factor: an enemy in sight and in range for 1, the rest from losses (a tenth each)."""
    lost = max(rf - 1, 0)
    gap = 800 if rf else 1300
    of_ten = row(10 - lost, 300, 100)
    weapon = "musket" if rf else "knife"
    enemy = group("f", (400, min(100 + gap, 1200)), weapon=weapon)
    return game(group("b", *of_ten, kind=kind, casualties=lost, **more), enemy)


@pytest.mark.rule("TY-58", "TY-60", "TY-61", "TY-62", "TR-14")
@pytest.mark.parametrize(("kind", "rf", "die", "cell"), CELLS)
def test_every_cell_of_both_tables(kind: str, rf: int, die: int, cell: str) -> None:
    played = do(at_risk(rf, kind), "risk", die, unit="b")
    facts = said(played, "risk")[0]
    assert (facts["rf"], facts["row"]) == (rf, ROWS[kind][rf])
    assert (facts["result"], facts["charge"], facts["binding"]) == (cell.rstrip("?*"), "?" in cell, "*" not in cell)
    after = state(played, "b")
    assert (after.may_charge, after.routing) == ("?" in cell, cell == "run")


@pytest.mark.rule("TY-58")
def test_a_unit_throws_once_a_turn() -> None:
    of = do(at_risk(1), "risk", 2, unit="b").game
    with pytest.raises(ActionRefused, match="has thrown already this turn: halt"):
        do(of, "risk", unit="b")
    assert do(do(do(of, "end-turn").game, "end-turn").game, "risk", 2, unit="b").events
    assert said(do(of, "risk", 1, unit="b", override=True), "overruled")


@pytest.mark.rule("TY-64", "TR-20")
@pytest.mark.parametrize(("more", "options", "result", "binding"), [
    ({}, {}, "advance", True), ({"defending": True}, {}, "continue", True),
    ({}, {"rf0_binds": False}, "advance", False),
])  # fmt: skip
def test_at_no_risk_a_six_advances_but_from_a_place_held(
    more: Json, options: Json, result: str, binding: bool
) -> None:
    of = game(group("b", *row(3, 300, 100), **more), group("f", (340, 1200), weapon="knife"), options=options)
    facts = said(do(of, "risk", 6, unit="b"), "risk")[0]
    assert (facts["result"], facts["binding"]) == (result, binding)


@pytest.mark.rule("TY-64")
def test_with_nobody_in_sight_a_six_carries_on() -> None:
    wall = piece("house", 100, 500, 900, 600)
    of = game(group("b", *row(3, 300, 100)), group("f", (340, 1100)), terrain=[wall])
    assert said(do(of, "risk", 6, unit="b"), "risk")[0]["result"] == "continue"


@pytest.mark.rule("TR-2", "TR-3")
@pytest.mark.parametrize(("rf", "kind", "die", "options", "stats", "result"), [
    (4, "formed", 3, {"formed_blank": "halt"}, {}, "halt"), (4, "formed", 3, {}, {}, "deploy"),
    (1, "irregular", 1, {"class_modifies_action_die": True}, {"class": "hero"}, "continue"),
    (2, "irregular", 3, {"class_modifies_action_die": True}, {"class": "veteran"}, "halt"),
])  # fmt: skip
def test_rulings_on_the_tables(rf: int, kind: str, die: int, options: Json, stats: Json, result: str) -> None:
    of = game(group("b", *row(10 - max(rf - 1, 0), 300, 100), kind=kind, casualties=max(rf - 1, 0), stats=stats),
              group("f", (400, 900)), options=options)  # fmt: skip
    assert said(do(of, "risk", die, unit="b"), "risk")[0]["result"] == result


@pytest.mark.rule("TY-58", "TY-54", "TY-52")
def test_every_term_is_named_with_its_row() -> None:
    facts = said(do(at_risk(3), "risk", 3, unit="b"), "risk")[0]
    assert [(one["effect"], one["rule"]) for one in facts["factors"]] == [("+1", "TY-52"), ("+2", "TY-54")]


@pytest.mark.rule("TY-61", "TY-62", "TY-10", "TY-65", "TY-66")
@pytest.mark.parametrize(("kind", "casualties", "die", "result", "to"), [
    ("irregular", 0, 6, "advance", (600, 750)), ("irregular", 0, 1, "cover", (600, 250)),
    ("irregular", 1, 1, "run", (600, 250)), ("formed", 3, 1, "run", (600, 250)),
    ("formed", 2, 2, "half-back", (600, 375)), ("irregular", 0, 2, "halt", None), ("formed", 0, 2, "deploy", None),
])  # fmt: skip
def test_where_a_result_sends_the_lead_figure(kind: str, casualties: int, die: int, result: str, to: Any) -> None:
    of = game(group("b", (600, 500), kind=kind, casualties=casualties), group("f", (600, 925)))
    facts = said(do(of, "risk", die, unit="b"), "risk")[0]
    assert facts["result"] == result
    if to is None:
        assert "to_mm" not in facts
        assert facts["facing_deg"] == pytest.approx(0.0, abs=0.1)
    else:
        assert facts["to_mm"] == pytest.approx(to, abs=0.1)


@pytest.mark.rule("TY-61")
@pytest.mark.parametrize(("terrain", "to"), [
    (piece("woods", 700, 300, 900, 600), (713.5, 500)),
    (piece("woods", 900, 300, 1000, 600), (600, 250)),
    (piece("fence", 500, 400, 700, 404), (600, 386.5)),
    (piece("river", 610, 300, 900, 600), (600, 250)),
])  # fmt: skip
def test_cover_is_the_nearest_within_a_move_else_away(terrain: Json, to: Any) -> None:
    of = game(group("b", (600, 500)), group("f", (600, 925)), terrain=[terrain])
    facts = said(do(of, "risk", 1, unit="b"), "risk")[0]
    assert facts["result"] == "cover"
    assert facts["to_mm"] == pytest.approx(to, abs=0.6)


@pytest.mark.rule("TY-61")
@pytest.mark.parametrize(("terrain", "to"), [
    (piece("woods", 500, 560, 700, 700), (600, 250)), (piece("rocks", 500, 50, 700, 150), (600, 250)),
    (piece("log", 500, 400, 700, 404), (600, 386.5)),
])  # fmt: skip
def test_a_withdrawal_seeks_cover_farther_from_the_enemy_else_goes_away(terrain: Json, to: Any) -> None:
    units = group("b", (600, 500), (640, 500), (560, 500), casualties=1), group("f", (600, 925))
    of = game(*units, terrain=[terrain])
    facts = said(do(of, "risk", 1, unit="b"), "risk")[0]
    assert facts["result"] == "withdraw"
    assert facts["to_mm"] == pytest.approx(to, abs=0.6)


@pytest.mark.rule("TY-61")
def test_cover_may_lie_towards_the_enemy() -> None:
    fence = piece("fence", 500, 560, 700, 564)
    of = game(group("b", (600, 500), casualties=1), group("f", (600, 925)), terrain=[fence])
    facts = said(do(of, "risk", 2, unit="b"), "risk")[0]
    assert facts["result"] == "cover"
    assert facts["to_mm"] == pytest.approx((600, 546.5), abs=0.1)


@pytest.mark.rule("TY-63")
@pytest.mark.parametrize(("apart", "role", "now", "die", "result"), [
    (70, "nco", {}, 1, "advance"), (90, "nco", {}, 1, "halt"), (70, "private", {}, 1, "halt"),
    (70, "nco", {"commanded": True}, 1, "halt"), (70, "nco", {}, 2, "deploy"),
])  # fmt: skip
def test_squads_in_company_do_what_the_first_does(
    apart: float, role: str, now: Json, die: int, result: str
) -> None:
    first = group("b", *row(3, 300, 100, 30), kind="formed", roles=[role])
    second = group("b2", *row(3, 360 + apart, 100, 30), kind="formed", **now)
    of = do(game(first, second, group("f", (400, 900))), "risk", 6, unit="b").game
    facts = said(do(of, "risk", die, unit="b2"), "risk")[0]
    assert facts["result"] == result
    assert facts.get("company") == ("b" if result == "advance" else None)
    assert facts["charge"] is (result == "advance")


@pytest.mark.rule("TY-63")
def test_a_squad_keeps_company_with_the_first_of_its_platoon_that_threw_wherever_it_stands_in_the_list() -> None:
    squads = [group(f"b{n}", *row(3, 300 + 100 * n, 100, 30), kind="formed", roles=["nco"]) for n in range(3)]
    of = do(game(*squads, group("f", (400, 900))), "risk", 6, unit="b2").game
    of = do(of, "risk", 2, unit="b0").game  # upright: its own
    assert [one.state["result"] for one in (of.unit("b2"), of.unit("b0"))] == ["advance", "deploy"]
    facts = said(do(of, "risk", 1, unit="b1"), "risk")[0]
    assert (facts["result"], facts["company"]) == ("advance", "b2")


@pytest.mark.rule("TY-65", "TY-66")
@pytest.mark.parametrize(("kind", "rf", "ground", "formation", "facing"), [
    ("formed", 1, [], "line", 90.0), ("irregular", 1, [], "line", 0.0), ("formed", 0, [], "line", 0.0),
    ("formed", 0, [piece("marsh", 500, 200, 700, 350)], "column", 0.0),
])  # fmt: skip
def test_formed_troops_march_in_column_and_deploy_towards_formed_enemies(
    kind: str, rf: int, ground: list[Json], formation: str, facing: float
) -> None:
    weapon = "musket" if rf else "knife"
    of = game(group("b", *row(3, 560, 300), kind="formed"), group("f", (600, 700), weapon=weapon),
              group("f2", (1200, 300), kind=kind, weapon=weapon), terrain=ground,
              options={"front_deg": 180})  # fmt: skip
    facts = said(do(of, "risk", 4, unit="b"), "risk")[0]
    assert (facts["result"], facts["formation"]) == ("deploy" if rf else "march", formation)
    assert facts["facing_deg"] == pytest.approx(facing, abs=0.1)


@pytest.mark.rule("TY-08", "TY-60")
def test_leaders_throw_too_and_what_is_upright_binds_them() -> None:
    of = game(leader("b", (600, 500), figure={"status": "wounded"}), group("f", (600, 925)))
    assert said(do(of, "risk", 1, unit="b"), "risk")[0]["binding"]


@pytest.mark.parametrize(("unit", "why"), [
    (group("b"), "b has no figure left"), (group("b", (600, 500), hidden=True), "b is hidden"),
])  # fmt: skip
def test_who_throws_not(unit: Json, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        do(game(unit, group("f", (600, 925))), "risk", unit="b")
