"""The risk factor term by term, and what the Actions tables make of each die."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from engine.dice import TypedDice
from engine.play import play
from engine.records.action import action_from
from engine.rulesets.tyneside import RULESET
from engine.rulesets.tyneside.book import actions
from engine.rulesets.tyneside.nerve.risk import outcome_of, risk_of
from tests.engine.tyneside.scene import Json, Spot, apart, figure, game, ground, risk, row, terms, unit

INDIVIDUALS = {
    "<=0": "continue! continue! continue! continue! continue! advance!",
    "1": "cover! halt continue? continue? continue? advance?",
    "2-5": "withdraw! cover halt continue? continue? advance?",
    "6-8": "run! withdraw! cover! cover halt continue?",
    "9+": "run! run! withdraw! cover! cover halt",
}
FORMED = {
    "<=0": "march! march! march! march! march! march!",
    "1-3": "halt deploy! deploy! deploy! deploy! advance?",
    "4-6": "half-back halt deploy! deploy! deploy! advance?",
    "7-8": "run! half-back! halt deploy! deploy! advance?",
    "9+": "run! run! half-back! half-back half-back halt",
}


@pytest.mark.rule("TY-60", "TY-61", "TY-62", "TR-14")
@pytest.mark.parametrize(("table", "expected"), [("individuals", INDIVIDUALS), ("formed", FORMED)])
def test_both_actions_tables_cell_by_cell(table: str, expected: Any) -> None:
    found = {
        name: " ".join(f"{one.result}{'?' * one.charge}{'!' * one.binding}" for one in cells)
        for name, cells in actions()[table].items()
    }
    assert found == expected


def under(rf: int, kind: str = "irregular", **more: Any) -> Any:
    """A unit whose killed bring it under a risk factor; one enemy far off is in sight, out of his range."""
    here, there = apart(300, x=600)
    men = row(10 - rf, 400, here[1], 40) if rf < 10 else [here]
    return game(unit("a", *men, type=kind, casualties=rf), unit("b", (600, there[1]), weapon="sword"), **more)


@pytest.mark.rule("TY-58", "TY-61", "TY-54")
@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("irregular", ["<=0", "1", "2-5", "2-5", "2-5", "2-5", "6-8", "6-8", "6-8", "9+"]),
        ("formed", ["<=0", "1-3", "1-3", "1-3", "4-6", "4-6", "4-6", "7-8", "7-8", "9+"]),
    ],
)
def test_each_factor_leads_to_its_row(kind: str, rows: list[str]) -> None:
    for rf, name in enumerate(rows):
        of = under(rf, kind)
        found = risk_of(of, of.unit("a"))
        assert (found.rf, found.row) == (rf, name)


@pytest.mark.rule("TY-64", "TY-61", "TR-20")
@pytest.mark.parametrize(
    ("state", "enemy", "options", "result", "binding"),
    [
        ({}, True, {}, "advance", True),
        ({"defending": True}, True, {}, "continue", True),
        ({}, False, {}, "continue", True),
        ({}, True, {"rf0_binds": False}, "advance", False),
    ],
)
def test_at_no_risk_a_six_takes_them_to_the_enemy_in_sight(
    state: Any, enemy: bool, options: Any, result: str, binding: bool
) -> None:
    units = [unit("a", *row(4, 400, 150), **state)]
    units += [unit("b", (500, 700), weapon="sword")] if enemy else []
    found = risk(*units, options=options)
    assert (found["rf"], found["row"]) == (0, "<=0")
    assert [one["result"] for one in found["results"]] == ["continue"] * 5 + [result]
    assert {one["binding"] for one in found["results"]} == {binding}


@pytest.mark.rule("TR-2", "TY-62", "TY-66")
@pytest.mark.parametrize(
    ("rf", "deploy", "halt"),
    [
        (1, "halt deploy deploy deploy deploy advance", "halt deploy halt halt halt advance"),
        (4, "half-back halt deploy deploy deploy advance", "half-back halt halt halt halt advance"),
        (7, "run half-back halt deploy deploy advance", "run half-back halt halt halt advance"),
    ],
)
def test_blank_cells_of_the_formed_table_may_mean_halt(rf: int, deploy: str, halt: str) -> None:
    for option, expected in (("deploy", deploy), ("halt", halt)):
        of = under(rf, "formed", options={"formed_blank": option})
        unit_, found = of.unit("a"), risk_of(of, of.unit("a"))
        cells = [outcome_of(of, unit_, found, die) for die in range(1, 7)]
        assert " ".join(cell.result for cell in cells) == expected
        assert all(cell.binding == (cell.result in ("deploy", "run", "half-back") and
                   not (rf == 4 and cell.result == "half-back")) for cell in cells)  # fmt: skip


@pytest.mark.rule("TR-3")
@pytest.mark.parametrize(("klass", "second"), [("hero", "continue"), ("veteran", "halt"), ("raw", "cover")])
def test_the_class_may_change_the_actions_die(klass: str, second: str) -> None:
    of = game(unit("a", *row(10, 300, 150), stats={"class": klass}, casualties=1 + (klass == "hero")),
              options={"class_modifies_action_die": True})  # fmt: skip
    found = risk_of(of, of.unit("a"))
    rf = {"hero": 0, "veteran": 0, "raw": 0}[klass]
    assert found.rf == rf
    of = game(unit("a", *row(9, 300, 150), stats={"class": klass}, casualties=1 if klass != "hero" else 3),
              options={"class_modifies_action_die": True})  # fmt: skip
    found = risk_of(of, of.unit("a"))
    assert (found.rf, outcome_of(of, of.unit("a"), found, 2).result) == (1, second)


@pytest.mark.rule("TY-50")
@pytest.mark.parametrize(
    ("stats", "leader", "gap", "value"),
    [
        ({}, None, 0, None),
        ({"class": "hero"}, None, 0, -1),
        ({"classes": {"a-2": "hero"}}, None, 0, -1),
        ({}, "hero", 50.0, -1),
        ({}, "hero", 50.1, None),
        ({}, "veteran", 10.0, None),
    ],
)
def test_a_hero_with_the_unit(stats: Any, leader: str | None, gap: float, value: int | None) -> None:
    units = [unit("a", (600, 150), (560, 150), stats=stats)]
    if leader is not None:
        units.append(unit("al", (625 + gap, 150), type="leader", stats={"class": leader}))
    assert terms(risk(*units)).get("TY-50") == value


@pytest.mark.rule("TY-50")
def test_an_enemys_hero_helps_nobody() -> None:
    assert "TY-50" not in terms(
        risk(unit("a", (600, 150)), unit("b", (600, 180), type="leader", stats={"class": "hero"}))
    )


@pytest.mark.rule("TY-51", "TR-1")
@pytest.mark.parametrize(("right", "value"), [(700, -1), (630, None), (300, None)])
def test_all_figures_must_be_in_cover_as_the_nearest_enemy_sees_them(right: float, value: int | None) -> None:
    fence = ground("fence", 400, 170, right, 174)
    found = risk(unit("a", (550, 150), (600, 150), (650, 150)), unit("b", (600, 700)), terrain=[fence])
    assert terms(found).get("TY-51") == value


@pytest.mark.rule("TY-51")
def test_cover_counts_against_the_nearest_enemy_in_sight() -> None:
    fence = ground("fence", 400, 170, 800, 174)
    behind = unit("bx", (600, 40), weapon="sword")
    units = [unit("a", (550, 150), (600, 150)), unit("b", (600, 700))]
    assert terms(risk(*units, terrain=[fence]))["TY-51"] == -1
    assert "TY-51" not in terms(risk(*units, behind, terrain=[fence]))


@pytest.mark.rule("TY-51")
@pytest.mark.parametrize(
    ("kind", "right", "value"), [("woods", 700, -1), ("rocks", 700, -1), ("woods", 640, None), ("marsh", 700, None)]
)
def test_with_no_enemy_in_sight_covering_ground_is_cover(kind: str, right: float, value: int | None) -> None:
    found = risk(unit("a", (550, 150), (650, 150)), terrain=[ground(kind, 400, 100, right, 300)])
    assert terms(found).get("TY-51") == value
    assert found["nearest_enemy"] is None


@pytest.mark.rule("TY-52", "TY-53", "TR-1", "TR-8")
@pytest.mark.parametrize(
    ("weapon", "gap", "klass", "options", "expected"),
    [
        ("bow", 1000.0, "veteran", {}, {"TY-52": 1}),
        ("bow", 1000.5, "veteran", {}, {}),
        ("bow", 1000.0, "raw", {}, {"TY-52": 1, "TY-53": 1}),
        ("bow", 1000.5, "raw", {}, {}),
        ("sword", 100.0, "raw", {}, {}),
        ("bow", 1000.5, "veteran", {"rf_range": "either"}, {"TY-52": 1}),
        ("sword", 100.0, "raw", {"rf_range": "either"}, {"TY-52": 1, "TY-53": 1}),
    ],
)
def test_an_enemy_who_can_reach_the_unit(weapon: str, gap: float, klass: str, options: Any, expected: Any) -> None:
    here, there = apart(gap, y=30)
    found = risk(unit("a", here, stats={"class": klass}), unit("b", there, weapon=weapon), options=options)
    assert terms(found) == expected


@pytest.mark.rule("TY-52")
def test_two_enemies_in_range_count_once_and_hidden_ones_not() -> None:
    units = [unit("a", (600, 150)), unit("b", (600, 400)), unit("bx", (700, 400))]
    assert terms(risk(*units)) == {"TY-52": 1}
    assert terms(risk(unit("a", (600, 150)), unit("b", (600, 400), hidden=True))) == {}


@pytest.mark.rule("TY-38", "TY-52", "TY-55")
@pytest.mark.parametrize("gap", [50.0, 50.5])
def test_a_leader_is_an_enemy_of_his_own_though_he_belongs_to_a_group(gap: float) -> None:
    """Whom the dice would hit beside him does not matter: his rifle reaches as far."""
    hurons = unit("b", (300, 1075), weapon="hatchet")
    leader = unit("bl", (300 + 25 + gap, 1075), type="leader", weapon="rifle")
    found = risk(unit("a", (300, 30)), hurons, leader)
    assert terms(found) == {"TY-52": 1}
    assert "bl" in found["factors"][0]["name"]
    assert terms(risk(unit("a", (300, 30)), hurons, leader, terrain=[ground("house", 250, 800, 450, 850)])) == {}


@pytest.mark.rule("TY-46", "TY-52")
def test_what_stops_a_shot_stops_risk() -> None:
    units = [unit("a", (600, 150)), unit("b", (600, 400))]
    assert terms(risk(*units, terrain=[ground("house", 500, 250, 700, 300)])) == {}
    assert terms(risk(*units, terrain=[ground("woods", 500, 300, 700, 500)])) == {}
    assert terms(risk(*units, unit("ax", (600, 300)))) == {}


@pytest.mark.rule("TY-54", "TR-1")
@pytest.mark.parametrize(
    ("men", "wounded", "killed", "tenths"),
    [(10, 0, 0, 0), (9, 0, 1, 1), (10, 1, 0, 1), (11, 0, 1, 0), (9, 0, 2, 1), (8, 0, 2, 2), (8, 1, 2, 3),
     (1, 0, 9, 9), (10, 2, 1, 2), (4, 0, 3, 4), (20, 1, 0, 0)],
)  # fmt: skip
def test_each_full_tenth_wounded_or_killed(men: int, wounded: int, killed: int, tenths: int) -> None:
    figures = [figure(f"a-{n}", 300 + 40 * n, 150, status="wounded" if n < wounded else "ok") for n in range(men)]
    found = terms(risk(unit("a", *figures, casualties=killed)))
    assert found == ({"TY-54": tenths} if tenths else {})


@pytest.mark.rule("TY-55", "TY-04", "TR-6")
@pytest.mark.parametrize(
    ("bearing", "aspect"),
    [(0, None), (44.9, None), (45.0, None), (45.1, "flank"), (90, "flank"), (134.9, "flank"), (135.1, "rear"),
     (180, "rear"), (225.1, "flank"), (315.0, None), (314.9, "flank")],
)  # fmt: skip
def test_an_enemy_in_flank_or_rear(bearing: float, aspect: str | None) -> None:
    away = 400.0
    spot = (900 + away * math.sin(math.radians(bearing)), 600 + away * math.cos(math.radians(bearing)))
    found = risk(unit("a", (880, 600), (920, 600)), unit("b", spot, weapon="sword"))
    assert terms(found) == ({} if aspect is None else {"TY-55": 2})
    assert aspect is None or aspect in found["factors"][0]["name"]


@pytest.mark.rule("TR-6")
@pytest.mark.parametrize(("bearing", "flanked"), [(45.1, False), (89.9, False), (90.1, True)])
def test_the_front_may_be_half_of_the_round(bearing: float, flanked: bool) -> None:
    spot = (900 + 400 * math.sin(math.radians(bearing)), 600 + 400 * math.cos(math.radians(bearing)))
    found = risk(unit("a", (900, 600)), unit("b", spot, weapon="sword"), options={"front_deg": 180})
    assert ("TY-55" in terms(found)) is flanked


@pytest.mark.rule("TY-04", "TY-55")
def test_a_unit_faces_as_its_figures_do_on_average() -> None:
    men = [figure("a-1", 880, 600, 350.0), figure("a-2", 920, 600, 60.0)]
    beside = (900 + 400 * math.sin(math.radians(-15)), 600 + 400 * math.cos(math.radians(-15)))
    assert terms(risk(unit("a", *men), unit("b", beside, weapon="sword"))) == {}
    behind = (900 + 400 * math.sin(math.radians(-21)), 600 + 400 * math.cos(math.radians(-21)))
    assert terms(risk(unit("a", *men), unit("b", behind, weapon="sword"))) == {"TY-55": 2}


@pytest.mark.rule("TY-55")
def test_where_no_facing_is_known_nobody_is_behind_and_that_is_said() -> None:
    found = risk(unit("a", figure("a-1", 900, 600, None)), unit("b", (900, 200), weapon="sword"))
    assert terms(found) == {}
    assert found["borderline"] == ["the facing of a is not known: b counts as in front"]


@pytest.mark.rule("TY-56")
@pytest.mark.parametrize(
    "state", [{"running": True}, {"melee_retreat": True}, {"running": True, "melee_retreat": True}]
)
def test_having_run_or_retreated(state: Any) -> None:
    assert terms(risk(unit("a", (600, 150), **state))) == {"TY-56": 3}


@pytest.mark.rule("TY-57", "TR-1")
@pytest.mark.parametrize(("kind", "value"), [("formed", 2), ("irregular", None), ("skirmisher", None)])
def test_formed_infantry_misses_its_ncos(kind: str, value: int | None) -> None:
    found = risk(unit("a", *row(10, 300, 150), type=kind, ncos_killed=2))
    assert terms(found).get("TY-57") == value


@pytest.mark.rule("TY-18", "TY-60")
@pytest.mark.parametrize(("kind", "commanded", "free"), [("irregular", False, False), ("irregular", True, True),
                                                         ("leader", False, True)])  # fmt: skip
def test_results_in_italics_are_ignored_by_the_commanded(kind: str, commanded: bool, free: bool) -> None:
    found = risk(unit("a", (600, 150), type=kind, commanded=commanded), unit("b", (600, 400)))
    assert found["row"] == "1"
    assert [one["obeyed"] for one in found["results"]] == [True, *[not free] * 5]


@pytest.mark.rule("TY-61")
def test_each_result_says_where_it_leads() -> None:
    found = risk(unit("a", (600, 600)), unit("b", (600, 900)))
    where = {one["result"]: one["to_mm"] for one in found["results"]}
    assert where["halt"] is None
    assert where["advance"] == [600, 850]
    assert where["cover"] == [600, 350]


def sent(result: str, *terrain: Json, men: Sequence[Spot] = ((600, 600),), foe: Spot = (600, 900)) -> Any:
    """Where a result sends men whom an enemy north of them shoots at."""
    hurt = {"casualties": 1} if result == "withdraw" else {}
    found = risk(unit("a", *men, **hurt), unit("b", foe), terrain=terrain)
    return next(one["to_mm"] for one in found["results"] if one["result"] == result)


@pytest.mark.rule("TY-61")
@pytest.mark.parametrize("result", ["cover", "withdraw"])
def test_nobody_is_sent_to_cover_across_a_river(result: str) -> None:
    beyond, other = ground("woods", 500, 400, 700, 500), ground("brush", 350, 500, 450, 600)
    assert sent(result, beyond, other) == [600, 486.5]
    assert sent(result, beyond, other, ground("river", 500, 530, 700, 540)) == [436.5, 600]
    assert sent(result, beyond, ground("river", 500, 530, 700, 540)) == [600, 350]


@pytest.mark.rule("TY-61", "TY-21", "TY-22")
@pytest.mark.parametrize(("kind", "y"), [("road", 416.5), ("marsh", 350), ("fence", 421.25)])
def test_cover_is_within_a_move_if_the_ground_lets_the_men_come_to_it(kind: str, y: float) -> None:
    between = (
        ground(kind, 500, 470, 700, 590) if kind != "fence" else ground(kind, 500, 500, 700, 504, cover="none")
    )
    assert sent("cover", between, ground("woods", 500, 350, 700, 430)) == [600, y]


@pytest.mark.rule("TY-61", "TY-21")
def test_cover_whose_rim_alone_is_within_a_move_is_taken() -> None:
    """The woods begin 24 cm away: the man comes half a centimetre far into them."""
    assert sent("cover", ground("woods", 500, 200, 700, 360)) == [600, 355]


SIX = [(600, 600), (640, 600), (600, 560), (640, 560), (600, 640), (560, 600)]


@pytest.mark.rule("TY-61")
@pytest.mark.parametrize(("rim", "covered"), [(540, 6), (500, 6), (580, 6), (400, 5), (380, 2), (600, 6)])
@pytest.mark.parametrize("kind", ["woods", "rocks"])
def test_a_group_takes_cover_as_deep_as_its_move_brings_its_men(kind: str, rim: float, covered: int) -> None:
    """The foremost alone in the wood is no cover for the group; where some are in it already, the others follow."""
    wood = ground(kind, 400, 150, 900, rim)
    to = sent("cover", wood, men=SIX)
    of = game(unit("a", *SIX), unit("b", (600, 900)), terrain=[wood])
    action = action_from({"action": "move", "unit": "a", "to": to})
    men = play(of, RULESET.begin(of, action), TypedDice([])).game.unit("a").figures
    assert sum(one.y_mm < rim for one in men) == covered


@pytest.mark.rule("TY-61")
def test_a_group_in_cover_stays_there() -> None:
    ran = unit("a", *SIX, running=True)
    found = risk(ran, unit("b", (600, 900)), terrain=[ground("woods", 400, 150, 900, 650)])
    to = next(one["to_mm"] for one in found["results"] if one["result"] == "cover")
    assert to in [list(one) for one in SIX]


@pytest.mark.rule("TY-61")
def test_who_withdraws_in_a_wood_does_not_stay_where_his_rearmost_man_stands() -> None:
    to = sent("withdraw", ground("woods", 450, 200, 750, 640), men=[(600, 600), (640, 600), (620, 560)])
    assert to[1] == pytest.approx(560 - 250, abs=1)


@pytest.mark.rule("TY-61")
def test_nobody_withdraws_past_the_enemy() -> None:
    assert sent("withdraw", ground("woods", 400, 1000, 800, 1190), foe=(600, 700)) == [600, 350]
    assert sent("withdraw", ground("woods", 400, 250, 800, 310), foe=(600, 700)) == [600, 350]  # on the way there


@pytest.mark.rule("TY-50", "TY-52", "TY-55")
def test_limits_that_the_measurement_cannot_settle_are_said() -> None:
    here, there = apart(1000.5, y=30)
    leader = unit("al", (here[0] + 25 + 50.5, here[1]), type="leader", stats={"class": "hero"})
    found = risk(unit("a", here), leader, unit("b", there, weapon="bow"), sigma_mm=0.5, bearing_sigma_deg=1.0)
    assert "al with a: 5.05 ± 0.07 cm against 5 cm" in found["borderline"]
    assert "in range of b: 100.05 ± 0.07 cm against 100 cm" in found["borderline"]
    found = risk(unit("a", (900, 600)), unit("b", (1300, 1001)), sigma_mm=0.5, bearing_sigma_deg=1.0)
    assert any("seen from a: 44.9 ± 1.0 degrees off the facing against 45" in line for line in found["borderline"])


@pytest.mark.rule("TY-65", "TY-66")
@pytest.mark.parametrize(
    ("gap", "terrain", "march", "deploy"),
    [
        (300, None, "line", "line"),
        (1200.0, None, "line", "line"),
        (1201.0, None, "column", None),
        (300, "marsh", "column", "line"),
        (300, "road", "line", "line"),
    ],
)
def test_platoons_march_in_column_until_they_can_deploy(
    gap: float, terrain: Any, march: str, deploy: str | None
) -> None:
    here, there = (100.0, 600.0), (125.0 + gap, 600.0)
    ground_ = [] if terrain is None else [ground(terrain, 0, 500, 200, 700)]
    foe = unit("b", figure("b-1", *there, 270.0), weapon="sword")
    calm = risk(unit("a", figure("a-1", *here, 90.0), type="formed"), foe, terrain=ground_)
    assert {(one["result"], one.get("formation")) for one in calm["results"]} == {("march", march)}
    pressed = risk(unit("a", figure("a-1", *here, 90.0), type="formed", ncos_killed=1), foe, terrain=ground_)
    assert [one.get("formation") for one in pressed["results"]] == [None, *[deploy] * 4, None]


@pytest.mark.rule("TY-66")
def test_a_platoon_deploys_against_formed_enemies_first() -> None:
    near, formed = unit("b", (600, 400)), unit("bx", (700, 500), type="formed")
    found = risk(unit("a", (600, 150), type="formed"), near, formed)
    by_result = {one["result"]: one.get("faces") for one in found["results"]}
    assert (by_result["halt"], by_result["deploy"]) == ("b", "bx")
    only = risk(unit("a", (600, 150), type="formed"), near)
    assert {one["faces"] for one in only["results"] if one["result"] == "deploy"} == {"b"}
