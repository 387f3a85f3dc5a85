"""Who sees whose whole base, what is shot over, what covers, and who must be spotted first."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rulesets.tyneside.table.sight import targets_seen
from tests.engine.tyneside.scene import HALF, Spot, apart, figure, game, ground, row, shot, unit

HERE, THERE = (600.0, 150.0), (600.0, 650.0)


def seen(between: Any = (), terrain: Any = (), here: Spot = HERE, there: Spot = THERE, **target: Any) -> bool:
    """Whether a commanded musketeer sees a man to the north of him, past bystanders of his own side."""
    units = [unit("a", here, commanded=True), unit("b", there, **target)]
    return shot(*units, *[unit(f"ax{n}", one) for n, one in enumerate(between)], terrain=list(terrain)).legal


@pytest.mark.rule("TY-41", "TY-46")
@pytest.mark.parametrize(("x", "open_"), [(600, False), (616, False), (618.7, False), (618.9, True), (581.1, True)])
def test_the_whole_base_must_be_seen_past_others(x: float, open_: bool) -> None:
    assert seen([(x, 250)], there=(600, 350)) is open_


@pytest.mark.rule("TY-41")
@pytest.mark.parametrize(("gap", "open_"), [(0, True), (20.0, True), (20.1, False)])
def test_persons_within_two_centimetres_of_the_shooter_are_shot_over(gap: float, open_: bool) -> None:
    assert seen([apart(gap)[1]]) is open_


@pytest.mark.rule("TY-41")
@pytest.mark.parametrize("gap", [0.0, 20.0])
def test_persons_near_the_target_are_not_shot_over(gap: float) -> None:
    assert not seen([(600, 650 - gap - 2 * HALF)])


@pytest.mark.rule("TY-41")
@pytest.mark.parametrize(
    ("kind", "gap", "open_"),
    [
        ("fence", 20.0, True),
        ("fence", 20.1, False),
        ("rocks", 20.0, True),
        ("house", 5.0, False),
        ("cart", 5.0, False),
    ],
)
def test_low_things_near_the_shooter_are_shot_over_and_tall_ones_never(kind: str, gap: float, open_: bool) -> None:
    near = 150 + HALF + gap
    assert seen(terrain=[ground(kind, 500, near, 700, near + 4)]) is open_


@pytest.mark.rule("TY-42", "TR-4")
@pytest.mark.parametrize(
    ("kind", "gap", "open_", "cover"),
    [
        ("fence", 20.0, True, "soft"),
        ("fence", 20.1, False, None),
        ("log", 20.0, True, "hard"),
        ("log", 20.1, False, None),
        ("wall", 0.0, True, "hard"),
        ("barricade", 20.0, True, "hard"),
        ("trench", 20.0, True, "hard"),
        ("house", 20.0, False, None),
        ("tent", 20.0, False, None),
    ],
)
def test_low_things_near_the_target_cover_it(kind: str, gap: float, open_: bool, cover: str | None) -> None:
    far = 650 - HALF - gap
    found = shot(
        unit("a", HERE, commanded=True), unit("b", THERE), terrain=[ground(kind, 500, far - 4, 700, far)]
    )  # fmt: skip
    assert (found.legal, found.cover) == (open_, cover)


@pytest.mark.rule("TY-42")
def test_a_fence_beside_or_behind_the_target_covers_nothing() -> None:
    for terrain in (ground("fence", 613, 500, 617, 800), ground("fence", 500, 663, 700, 667)):
        found = shot(unit("a", HERE, commanded=True), unit("b", THERE), terrain=[terrain])
        assert (found.legal, found.cover) == (True, "none")


@pytest.mark.rule("TY-41", "TY-42", "TR-15")
@pytest.mark.parametrize(
    ("keys", "open_"),
    [({}, True), ({"height_cm": 3.0}, True), ({"height_cm": 3.1}, False), ({"height_cm": 9}, False)],
)
@pytest.mark.parametrize("kind", ["wall", "barricade", "trench"])
def test_walls_up_to_three_centimetres_are_low(kind: str, keys: Any, open_: bool) -> None:
    assert seen(terrain=[ground(kind, 500, 620, 700, 630, **keys)]) is open_


@pytest.mark.rule("TY-41", "TY-42", "TR-15")
@pytest.mark.parametrize(
    ("kind", "height_cm", "open_"),
    [("fence", 3.0, True), ("fence", 3.1, False), ("log", 5, False), ("rocks", 8, False), ("cart", 2.5, True),
     ("cart", 4, False), ("house", 1, True), ("house", 6, False), ("marsh", 9, True), ("road", 9, True)],
)  # fmt: skip
def test_a_thing_is_low_or_tall_by_the_height_that_is_said(kind: str, height_cm: float, open_: bool) -> None:
    near_target = ground(kind, 500, 620, 700, 630, height_cm=height_cm)
    assert seen(terrain=[near_target]) is open_


@pytest.mark.rule("TY-42", "TR-15")
@pytest.mark.parametrize(
    ("kind", "keys", "cover"),
    [
        ("woods", {}, "soft"),
        ("brush", {}, "soft"),
        ("crops", {"cover": "none"}, "none"),
        ("rocks", {}, "hard"),
        ("house", {}, "hard"),
        ("cabin", {}, "hard"),
        ("marsh", {}, "none"),
        ("stream", {}, "none"),
        ("road", {"cover": "soft"}, "soft"),
        ("hill", {}, "none"),
    ],
)
def test_ground_covers_those_whose_centre_is_in_it(kind: str, keys: Any, cover: str) -> None:
    terrain = [ground(kind, 400, 600, 800, 900, **keys)]
    found = shot(unit("a", HERE, commanded=True), unit("b", THERE, fired=True), terrain=terrain)
    assert (found.legal, found.cover) == (True, cover)


@pytest.mark.rule("TY-42")
@pytest.mark.parametrize(("covered", "cover"), [(1, "none"), (2, "soft"), (3, "soft"), (4, "soft")])
def test_a_unit_has_the_cover_that_half_of_those_seen_have(covered: int, cover: str) -> None:
    fence = ground("fence", 380, 627, 400 + 100 * covered - 50, 631)
    group = unit("b", *row(4, 400, 650, 100))
    found = shot(unit("a", (550, 150), commanded=True), group, terrain=[fence])
    assert (len(found.targets_seen), found.cover) == (4, cover)


@pytest.mark.rule("TY-43", "TY-03")
@pytest.mark.parametrize("kind", ["woods", "brush", "crops"])
@pytest.mark.parametrize(("depth", "open_"), [(1, True), (100.0, True), (100.1, False)])
def test_fire_reaches_ten_centimetres_into_and_out_of_woods(kind: str, depth: float, open_: bool) -> None:
    assert seen(terrain=[ground(kind, 400, 650 - depth, 800, 900)], fired=True) is open_
    assert seen(terrain=[ground(kind, 400, 0, 800, 150 + depth)]) is open_


@pytest.mark.rule("TY-43", "TY-03")
def test_depth_is_measured_along_the_line_from_centre_to_centre() -> None:
    wood = ground("woods", 400, 560, 900, 900)
    assert seen(terrain=[wood], there=(600, 650), here=(600, 200), fired=True)
    assert not seen(terrain=[wood], there=(600, 650), here=(250, 300), fired=True)


@pytest.mark.rule("TY-43")
def test_nothing_is_seen_right_through_woods_but_past_their_edge() -> None:
    assert not seen(terrain=[ground("woods", 400, 400, 800, 401)])
    assert seen(terrain=[ground("woods", 601, 400, 800, 500)])
    assert not seen(terrain=[ground("woods", 599, 400, 800, 500)])


@pytest.mark.rule("TY-43")
def test_between_two_woods_each_has_its_depth() -> None:
    near, far = ground("woods", 400, 0, 800, 240), ground("woods", 400, 560, 800, 900, id="far")
    assert seen(terrain=[near, far], fired=True)
    assert not seen(
        terrain=[near, {**far, "polygon_mm": [[400, 540], [800, 540], [800, 900], [400, 900]]}], fired=True
    )


@pytest.mark.rule("TY-44")
@pytest.mark.parametrize(("gap", "open_"), [(30, True), (200.0, True), (200.1, False)])
def test_within_one_wood_sight_reaches_twenty_centimetres(gap: float, open_: bool) -> None:
    here, there = apart(gap)
    assert seen(terrain=[ground("woods", 0, 0, 1200, 900)], here=here, there=there) is open_


@pytest.mark.rule("TY-45", "TR-5")
@pytest.mark.parametrize(
    ("gap", "state", "options", "rules"),
    [
        (300, {}, {}, ("TY-45",)),
        (300, {"spotted_cm": 30}, {}, ()),
        (300.1, {"spotted_cm": 30}, {}, ("TY-45",)),
        (300, {"spotted_cm": 10}, {}, ("TY-45",)),
        (300, {"fired": True}, {}, ()),
        (600, {"fired": True}, {}, ()),
        (300, {"fired": True}, {"firing_still_throws": True}, ("TY-45",)),
        (300, {"fired": True, "spotted_cm": 30}, {"firing_still_throws": True}, ()),
    ],
)
def test_those_near_the_edge_are_seen_once_spotted_or_firing(
    gap: float, state: Any, options: Any, rules: Any
) -> None:
    here, there = apart(gap)
    wood = ground("woods", 0, there[1] - 60, 1200, 1100)
    found = shot(unit("a", here, commanded=True), unit("b", there, **state), terrain=[wood], options=options)
    assert found.why_rules == rules
    assert ("spot" in " ".join(found.why_not)) == (rules == ("TY-45",) and "spotted_cm" not in state)


@pytest.mark.rule("TY-45")
def test_deeper_ones_are_not_seen_though_they_were_spotted() -> None:
    found = shot(unit("a", HERE, commanded=True), unit("b", THERE, spotted_cm=60),
                 terrain=[ground("woods", 400, 540, 800, 900)])  # fmt: skip
    assert found.why_rules == ("TY-43",)


@pytest.mark.rule("TY-45")
def test_within_the_same_wood_nobody_need_be_spotted() -> None:
    here, there = apart(150)
    assert seen(terrain=[ground("woods", 0, 0, 1200, 900)], here=here, there=there)


@pytest.mark.rule("TY-41")
@pytest.mark.parametrize(("low", "high", "open_"), [(400, 450, False), (140, 450, True), (400, 700, True)])
def test_hills_hide_what_is_behind_them_unless_one_stands_on_them(low: float, high: float, open_: bool) -> None:
    assert seen(terrain=[ground("hill", 400, low, 800, high)]) is open_


@pytest.mark.rule("TY-41")
@pytest.mark.parametrize("kind", ["stream", "marsh", "river", "cliff", "road"])
def test_flat_ground_hides_nothing(kind: str) -> None:
    assert seen(terrain=[ground(kind, 400, 300, 800, 400)])


@pytest.mark.rule("TY-41")
def test_those_in_a_house_see_out_and_are_seen() -> None:
    house = ground("house", 500, 100, 700, 200)
    assert seen(terrain=[house])
    assert not seen(terrain=[house], here=(600, 50))


@pytest.mark.rule("TY-38", "TY-41")
def test_only_those_seen_whole_are_hit() -> None:
    group = unit("b", (600, 650), (600, 676), (700, 650))
    of = game(unit("a", HERE, commanded=True), group)
    assert targets_seen(of, of.unit("a"), of.unit("b")) == ("b-1", "b-3")


@pytest.mark.rule("TY-41")
def test_men_shoulder_to_shoulder_hide_each_other_but_from_straight_ahead() -> None:
    found = shot(unit("a", (600, 150), commanded=True), unit("b", *row(3, 575, 650, 25)))
    assert found.targets_seen == ("b-2",)


@pytest.mark.rule("TY-41")
def test_mounted_bases_are_seen_whole_too() -> None:
    horse = figure("b-1", 600, 650, 180.0, mounted=True) | {
        "base": {"shape": "rect", "width_mm": 25, "depth_mm": 50}
    }
    beside = unit("ax", (619.3, 420))
    assert shot(unit("a", HERE, commanded=True), unit("b", horse)).legal
    assert not shot(unit("a", HERE, commanded=True), unit("b", horse), beside).legal
    assert shot(unit("a", HERE, commanded=True), unit("b", THERE), beside).legal


@pytest.mark.rule("TY-82")
def test_hidden_markers_hide_nobody_and_are_no_target() -> None:
    units = [unit("a", HERE, commanded=True), unit("b", THERE), unit("bx", (600, 400), hidden=True)]
    assert shot(*units).legal
    assert shot(*units, at="bx").why_rules == ("TY-82",)


def test_what_takes_sight_away_is_named() -> None:
    found = shot(unit("a", HERE, commanded=True), unit("b", THERE), unit("ax", (600, 300)),
                 terrain=[ground("house", 500, 400, 700, 450)])  # fmt: skip
    assert found.why_not == ("ax-1 and house (house) are in the way",)
    assert found.why_rules == ("TY-41",)


@pytest.mark.parametrize(
    ("units", "terrain", "words"),
    [
        ([unit("ax", (618, 250))], [], "ax-1 is in the way: a-1 to b-1, clear by -0.08 ± 0.07 cm against 0"),
        ([unit("ax", (619.5, 250))], [], "ax-1 is in the way: a-1 to b-1, clear by 0.07 ± 0.07 cm against 0"),
        ([unit("ax", (600, 195.2))], [], "ax-1 is in the way: a-1 to b-1, 2.02 ± 0.07 cm against 2 cm from"),
        ([], [ground("house", 605, 200, 700, 240)], "house (house) is in the way: a-1 to b-1, clear by -0.0"),
        (
            [], [ground("woods", 400, 250, 800, 900)],
            "10.0 cm of woods (woods) is in the way: a-1 to b-1, 10.00 ± 0.07 cm against 10 cm",
        ),
        ([], [ground("fence", 500, 315, 700, 317.5)], "cover of b-1 by fence (fence): 2.00 ± 0.05 cm against 2 cm"),
    ],
)  # fmt: skip
def test_what_the_measurement_cannot_settle_is_said_with_its_figures(units: Any, terrain: Any, words: str) -> None:
    target = unit("b", (600, 350), fired=True)
    found = shot(unit("a", HERE, commanded=True), target, *units, terrain=terrain, sigma_mm=0.5)
    assert any(words in line for line in found.borderline), found.borderline
