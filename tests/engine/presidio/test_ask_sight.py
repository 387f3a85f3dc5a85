"""Who sees whom past bases, hills, walls, woods and the dark, and what cover that gives."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.presidio.scene import (
    DEPTH,
    HALF,
    WIDTH,
    Json,
    effects,
    figure,
    game,
    ground,
    inches,
    line,
    shot,
    state,
    unit,
)

RIFLE = "flintlock-rifle"


def seen(*terrain: Json, a: Any = (900, 200), b: Any = (900, 600), keys: Json | None = None, **more: Any) -> Any:
    """The fire of a man at another, with terrain about; ``keys`` are the target's."""
    mine, theirs = more.pop("mine", {}), keys or {}
    return shot(unit("a", a, weapon=RIFLE, **mine), unit("b", b, **theirs), terrain=terrain, **more)


@pytest.mark.rule("PR-006")
@pytest.mark.parametrize(("x", "sees"), [(900.0, False), (912.0, False), (912.5, True), (930.0, True)])
def test_a_base_on_the_line_hides_what_is_behind(x: float, sees: bool) -> None:
    other = unit("a2", (x, 400))
    assert shot(unit("a", (900, 200)), unit("b", (900, 600)), other).legal is sees


@pytest.mark.rule("PR-006")
def test_own_comrades_and_the_targets_hide_nothing_nor_do_markers() -> None:
    a = unit("a", (900, 200), (900, 240), type="light")
    b = unit("b", (900, 600), (900, 640))
    found = shot(a, b, unit("a2", (900, 400), hidden=True))
    assert (found.shooters, found.targets_seen) == (("a-1", "a-2"), ("b-1", "b-2"))


@pytest.mark.rule("PR-006")
@pytest.mark.parametrize(("height", "sees"), [(25.4, True), (25.0, False)])
def test_who_stands_an_inch_higher_sees_over_bases(height: float, sees: bool) -> None:
    hill = ground("hill-small", 800, 150, 1000, 260, height_mm=height)
    found = shot(unit("a", (900, 200)), unit("b", (900, 600)), unit("a2", (900, 400)), terrain=[hill])
    assert found.legal is sees


@pytest.mark.rule("PR-006")
@pytest.mark.parametrize(
    ("height", "keys", "mine", "sees"),
    [
        (27, {}, {}, True),
        (29, {}, {}, False),
        (27, {"posture": "kneeling"}, {}, False),
        (17, {"posture": "kneeling"}, {"posture": "kneeling"}, True),
        (8, {"posture": "prone"}, {"posture": "prone"}, False),
        (5, {"posture": "prone"}, {"posture": "prone"}, True),
        (40, {"mounted": True}, {"mounted": True}, True),
        (46, {"mounted": True}, {"mounted": True}, False),
    ],
)
def test_a_hill_between_hides_below_the_line_of_eyes(height: float, keys: Json, mine: Json, sees: bool) -> None:
    hill = ground("hill-small", 600, 390, 1200, 410, height_mm=height)
    assert seen(hill, keys=keys, mine=mine).legal is sees


@pytest.mark.rule("PR-006")
def test_the_hill_that_one_stands_on_hides_nothing() -> None:
    hill = ground("hill-steep", 600, 150, 1200, 410, height_mm=100)
    assert seen(hill).legal
    assert not seen(hill, a=(900, 100)).legal


@pytest.mark.rule("PR-006")
@pytest.mark.parametrize(
    ("kind", "keys", "sees"),
    [
        ("fence", {}, True), ("fence", {"height_ft": 6}, True), ("fence", {"height_ft": 7}, False),
        ("wall", {}, True), ("wall", {"height_ft": 6}, True), ("wall", {"height_ft": 6.5}, False),
        ("wall", {"height_ft": 7}, False), ("palisade", {}, False), ("trench", {}, True), ("works", {}, True),
        ("stream-medium", {}, True), ("river", {}, True), ("rocks", {}, True), ("house", {}, False),
        ("door", {}, True), ("door", {"shut": True}, False), ("gate", {"shut": True}, False),
        ("smoke", {}, True), ("brush", {}, True), ("trees", {}, True), ("crops", {}, True), ("abatis", {}, True),
        ("cliff", {"height_mm": 50}, False), ("house", {"height_mm": 20}, True),
    ],
)  # fmt: skip
def test_what_terrain_hides(kind: str, keys: Json, sees: bool) -> None:
    assert seen(ground(kind, 600, 395, 1200, 405, **keys)).legal is sees


@pytest.mark.rule("PR-404")
@pytest.mark.parametrize(("depth", "sees"), [(2.0, True), (2.02, False)])
def test_one_fires_out_of_woods_from_two_inches(depth: float, sees: bool) -> None:
    woods = ground("medium-woods", 500, 50, 1300, 200 + inches(depth))
    found = seen(woods)
    assert (found.legal, found.why_rules) == (sees, () if sees else ("PR-404",))


@pytest.mark.rule("PR-405")
@pytest.mark.parametrize(
    ("kind", "limit"), [("light-woods", 12), ("medium-woods", 8), ("woods", 8), ("heavy-woods", 4)]
)
def test_how_far_one_sees_within_woods(kind: str, limit: float) -> None:
    woods = ground(kind, 300, 50, 1500, 1150)
    assert seen(woods, b=(900, 200 + inches(limit))).legal
    assert seen(woods, b=(900, 200 + inches(limit) + 1)).why_rules == ("PR-405",)


@pytest.mark.rule("PR-406", "PR-007")
@pytest.mark.parametrize(
    ("kind", "limit"), [("light-woods", 6), ("medium-woods", 4), ("woods", 4), ("heavy-woods", 2)]
)
def test_how_far_one_sees_into_woods(kind: str, limit: float) -> None:
    assert seen(ground(kind, 300, 600 - inches(limit), 1500, 1150)).legal
    assert seen(ground(kind, 300, 600 - inches(limit) - 1, 1500, 1150)).why_rules == ("PR-406",)


@pytest.mark.rule("PR-406", "presidio R-10")
def test_nobody_sees_through_a_belt_of_woods_but_by_choice() -> None:
    belt = ground("light-woods", 300, 350, 1500, 375)
    assert not seen(belt).legal
    assert seen(belt, options={"see_through_woods": True}).legal


@pytest.mark.rule("PR-407")
@pytest.mark.parametrize(
    ("light", "moon", "limit"),
    [
        ("night", "full", 12), ("night", "three-quarter", 10), ("night", "half", 8), ("night", "quarter", 6),
        ("night", "none", 4), ("dusk", "none", 12),
    ],
)  # fmt: skip
def test_how_far_one_sees_in_the_dark(light: str, moon: str, limit: float) -> None:
    near = seen(b=(900, 200 + 2 * HALF + inches(limit)), light=light, moon=moon)
    away = seen(b=(900, 200 + 2 * HALF + inches(limit) + 1), light=light, moon=moon)
    assert (near.legal, away.why_rules) == (True, ("PR-407",))
    assert away.why_not == (f"beyond the {limit} in that one sees by {light}",)
    assert near.cover == ("incidental" if light == "night" else "none")


#: How far one sees over open ground by the moon, in inches.
DARK = {"full": 12, "half": 8, "none": 4}


@pytest.mark.rule("PR-407")
@pytest.mark.parametrize(
    ("kind", "moon", "limit"),
    [
        ("medium-woods", "full", 6),
        ("medium-woods", "none", 2),
        ("heavy-woods", "full", 3),
        ("light-woods", "half", 4),
    ],
)
def test_in_woods_one_sees_half_as_far_in_the_dark(kind: str, moon: str, limit: float) -> None:
    woods = ground(kind, 300, 50, 1500, 1150)
    at = 200 + 2 * HALF + inches(limit)
    assert seen(woods, b=(900, at - 1), light="night", moon=moon).legal
    assert not seen(woods, b=(900, at + 30), light="night", moon=moon).legal
    too_far = seen(woods, b=(900, at + inches(8)), light="night", moon=moon)
    assert f"{DARK[moon] / 2:g} in into woods" in " ".join(too_far.why_not)


def cover(*terrain: Json, x: float = 900, y: float = 600, **more: Any) -> str:
    """The cover of a man at a place, shot at from the south."""
    return str(seen(*terrain, b=(x, y), **more).cover)


@pytest.mark.rule("PR-409", "PR-410", "PR-411", "PR-412", "PR-414", "PR-008")
@pytest.mark.parametrize(
    ("kind", "keys", "gives"),
    [
        ("fence", {}, "incidental"), ("fence", {"height_ft": 4}, "incidental"),
        ("fence", {"height_ft": 5}, "partial"),
        ("wall", {}, "partial"), ("wall", {"height_ft": 3}, "partial"), ("wall", {"height_ft": 6}, "partial"),
        ("wall", {"height_ft": 7}, "complete"), ("palisade", {}, "complete"), ("trench", {}, "partial"),
        ("trench", {"sandbagged": True}, "heavy"), ("works", {}, "incidental"),
        ("works", {"class": "partial"}, "partial"), ("stream-small", {}, "incidental"),
        ("stream-medium", {}, "partial"), ("river", {}, "none"), ("door", {}, "partial"), ("gate", {}, "partial"),
        ("abatis", {}, "partial"), ("fence", {"cover": "heavy"}, "heavy"), ("river", {"cover": "none"}, "none"),
    ],
)  # fmt: skip
def test_what_thin_things_give_to_who_stands_behind(kind: str, keys: Json, gives: str) -> None:
    assert cover(ground(kind, 600, 570, 1200, 575, **keys)) == gives


@pytest.mark.rule("PR-008", "PR-409")
@pytest.mark.parametrize(
    ("kind", "gives"),
    [
        ("light-woods", "incidental"), ("medium-woods", "partial"), ("woods", "partial"), ("heavy-woods", "heavy"),
        ("trees", "incidental"), ("brush", "incidental"), ("smoke", "incidental"), ("crops", "incidental"),
        ("rough", "partial"), ("rocks", "partial"), ("swamp", "incidental"), ("thicket", "incidental"),
        ("abatis", "partial"), ("hill-small", "incidental"), ("house", "partial"), ("road", "none"),
        ("bridge", "none"),
    ],
)  # fmt: skip
def test_what_areas_give_to_who_is_inside(kind: str, gives: str) -> None:
    assert cover(ground(kind, 600, 570, 1200, 700)) == gives
    outside = "incidental" if kind in ("trees", "brush", "smoke", "crops") else "none"
    assert cover(ground(kind, 600, 300, 1200, 400), y=410) == (outside if kind != "abatis" else "partial")


@pytest.mark.rule("presidio R-30", "PR-409", "PR-410")
@pytest.mark.parametrize(
    ("kind", "keys", "gives"),
    [
        ("stream-small", {}, "incidental"),
        ("stream-medium", {}, "partial"),
        ("stream-medium", {"cover": "none"}, "none"),
    ],
)
def test_streams_cover_as_barriers_unless_the_terrain_says_otherwise(kind: str, keys: Json, gives: str) -> None:
    assert cover(ground(kind, 600, 560, 1200, 580, **keys)) == gives


@pytest.mark.rule("PR-008")
@pytest.mark.parametrize(("gap", "gives"), [(25.4, "partial"), (25.5, "none")])
def test_one_defends_what_is_within_an_inch(gap: float, gives: str) -> None:
    wall = ground("wall", 600, 600 - HALF - gap - 5, 1200, 600 - HALF - gap)
    assert cover(wall) == gives


@pytest.mark.rule("PR-008")
def test_a_wall_behind_or_beside_covers_nobody() -> None:
    assert cover(ground("wall", 600, 620, 1200, 625)) == "none"
    assert cover(ground("wall", 925, 570, 1200, 575)) == "none"


@pytest.mark.rule("PR-410", "PR-411", "PR-409")
@pytest.mark.parametrize(
    ("kind", "edge", "dm"),
    [("hill-medium", "partial", {"PR-410": 2}), ("hill-steep", "heavy", {"PR-411": 3})],
)
@pytest.mark.parametrize("inside", [True, False])
def test_the_top_edge_of_a_hill_gives_more_than_its_middle(kind: str, edge: str, dm: Any, inside: bool) -> None:
    near = 600 - HALF - (inches(1) - 1 if inside else inches(1) + 1)
    found = seen(ground(kind, 600, near, 1200, 1000, height_mm=20))
    assert found.cover == (edge if inside else "incidental")
    worth = {rule: value for rule, value in effects(found).items() if rule in ("PR-409", "PR-410", "PR-411")}
    assert worth == (dm if inside else {"PR-409": 1})


@pytest.mark.rule("PR-410", "PR-409")
def test_the_books_stone_wall_with_trees_between_is_plus_three() -> None:
    found = seen(ground("wall", 600, 570, 1200, 575), ground("trees", 700, 350, 1100, 450))
    worth = effects(found)
    assert (found.cover, worth["PR-410"], worth["PR-409"]) == ("partial", 2, 1)


@pytest.mark.rule("PR-409", "presidio R-24")
@pytest.mark.parametrize(("stack", "worth"), [(False, 1), (True, 3)])
def test_incidental_cover_counts_once_unless_it_stacks(stack: bool, worth: int) -> None:
    fence, trees = ground("fence", 600, 570, 1200, 575), ground("trees", 700, 350, 1100, 450)
    found = seen(fence, trees, keys={"posture": "kneeling"}, options={"incidental_stack": stack})
    assert (found.cover, effects(found)["PR-409"]) == ("incidental", worth)


@pytest.mark.rule("PR-411", "presidio R-11")
@pytest.mark.parametrize(("height", "gives"), [(4, "partial"), (4.5, "heavy"), (6, "heavy"), (7, "complete")])
def test_a_shoulder_high_wall_may_be_heavy(height: float, gives: str) -> None:
    assert cover(ground("wall", 600, 570, 1200, 575, height_ft=height), options={"shoulder_wall": "heavy"}) == gives


@pytest.mark.rule("PR-008")
@pytest.mark.parametrize(("behind", "gives"), [(2, "partial"), (1, "none")])
def test_a_unit_has_the_class_that_half_of_it_has(behind: int, gives: str) -> None:
    spots = [(860.0 + 40 * number, 600.0 if number < behind else 700.0) for number in range(4)]
    wall = ground("wall", 600, 570, 1200, 575)
    assert shot(unit("a", (920, 200)), unit("b", *spots), terrain=[wall]).cover == gives


@pytest.mark.rule("PR-008", "PR-409")
@pytest.mark.parametrize(
    ("walled", "bushed", "gives", "worth"),
    [
        (1, 1, "incidental", {"PR-409": 1}), (1, 0, "none", {}), (0, 1, "none", {}),
        (2, 1, "partial", {"PR-410": 2}), (2, 2, "partial", {"PR-410": 2, "PR-409": 1}),
    ],
)  # fmt: skip
def test_who_is_behind_something_better_counts_for_the_incidental_class_as_well(
    walled: int, bushed: int, gives: str, worth: dict[str, int]
) -> None:
    spots = [(860.0 + 40 * number, 600.0 if number < walled else 700.0) for number in range(4)]
    pieces = [ground("wall", 600, 570, 1200, 575)]
    pieces += [
        ground("thicket", x - 15, 680, x + 15, 720, id=f"thicket-{x}") for x, _ in spots[walled : walled + bushed]
    ]
    found = shot(unit("a", (920, 200)), unit("b", *spots), terrain=pieces)
    assert found.cover == gives
    assert {row: value for row, value in effects(found).items() if row in ("PR-409", "PR-410")} == worth


@pytest.mark.rule("PR-412", "PR-006")
@pytest.mark.parametrize(
    ("kind", "position", "gives"),
    [
        ("palisade", "loophole", "full"), ("house", "window", "heavy"), ("house", "doorway", "partial"),
        ("house", "loophole", "full"), ("house", "parapet", "partial"), ("house", None, "partial"),
    ],
)  # fmt: skip
def test_who_is_posted_at_an_opening_sees_and_is_seen(kind: str, position: str | None, gives: str) -> None:
    near, far = (570, 580) if kind == "palisade" else (570, 800)
    built = ground(kind, 600, near, 1200, far)
    found = seen(built, keys={"position": position})
    assert (found.legal, found.cover) == (True, gives)
    back = shot(unit("a", (900, 200)), unit("b", (900, 600), position=position, weapon=RIFLE), by="b", at="a",
                terrain=[built])  # fmt: skip
    assert back.legal


@pytest.mark.rule("PR-412", "PR-008")
def test_a_loophole_covers_nobody_from_behind() -> None:
    stakes = ground("palisade", 600, 570, 1200, 580)
    found = shot(unit("a", (900, 1000)), unit("b", (900, 600), position="loophole"), terrain=[stakes])
    assert found.cover == "none"


@pytest.mark.rule("PR-417")
def test_the_place_counts_only_the_turn_after_taking_cover() -> None:
    found = seen(ground("rocks", 600, 570, 1200, 700), keys={"taking_cover": True})
    assert (found.cover, effects(found)["PR-417"]) == ("none", 2)


@pytest.mark.rule("PR-409", "PR-401")
def test_what_the_measurement_cannot_settle_of_cover_and_sight_is_said() -> None:
    wall = ground("wall", 600, 600 - HALF - 25.4 - 5, 1200, 600 - HALF - 25.6)
    found = seen(wall, sigma_mm=0.5)
    assert any("cover of b-1 by wall" in text for text in found.borderline)
    hidden = shot(unit("a", (900, 200)), unit("b", (900, 600)), unit("a2", (912.7, 400)), sigma_mm=0.5)
    assert hidden.legal
    assert any("a2-1 is in the way" in text for text in hidden.borderline)


@pytest.mark.rule("PR-006")
def test_the_sides_of_the_table_are_all_alike() -> None:
    a = unit("a", figure("a-1", WIDTH - 900, DEPTH - 200, 180), weapon=RIFLE)
    found = shot(a, unit("b", figure("b-1", WIDTH - 900, DEPTH - 600, 0)))
    assert found.range_mm == pytest.approx(seen().range_mm)
    assert state(game(line("a", 2, 900, 100)), "a") == {}
