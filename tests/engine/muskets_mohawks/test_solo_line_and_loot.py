"""Units of the enemy that nobody plays join their line; raiders carry off the stores."""

from __future__ import annotations

import itertools

import pytest

from engine.errors import ActionRefused
from tests.engine.muskets_mohawks.playing import Plain, after, event, game, names, resolve, unit, wood

HOUSE = {"id": "store", "kind": "building", "polygon_mm": [[800, 500], [1000, 500], [1000, 650], [800, 650]]}


def enemies(x: float = 900.0) -> Plain:
    """A French line of ten at the far side, facing the near edge, and a unit of five that has yet to join it."""
    line = unit("line", "french", at=(x, 900), facing=180, formation="formed-line")
    return game(line, unit("new", "french", number=5, leader=1, at=(300, 1100), formation="formed-line"))


@pytest.mark.rule("MM-231")
@pytest.mark.parametrize(
    ("die", "where", "x"), [(1, "left", 1200), (3, "left", 1200), (4, "right", 600), (6, "right", 600)]
)
def test_a_further_unit_ties_in_to_a_flank(die: int, where: str, x: float) -> None:
    played = resolve(enemies(), [die], action="np-deploy", unit="new")
    assert event(played, "np-deployed")["where"] == where
    figures = after(played, "new")["figures"]
    assert {one["bearing_deg"] for one in figures} == {180.0}
    assert {round(one["y_mm"], 3) for one in figures} == {900.0}
    middle = sum(one["x_mm"] for one in figures) / 5
    assert (middle > 900) is (x > 900)
    assert abs(middle - 900) == pytest.approx(125 + 6 + 62.5)


@pytest.mark.rule("MM-231")
def test_where_a_flank_has_no_room_it_stands_behind() -> None:
    # The line's left, looking south, is at the right edge of the table.
    played = resolve(enemies(x=1700), [2], action="np-deploy", unit="new")
    facts = event(played, "np-deployed")
    assert (facts["flank"], facts["where"]) == ("left", "behind")
    assert all(one["y_mm"] > 900 for one in after(played, "new")["figures"])


@pytest.mark.rule("MM-231", "R-22")
@pytest.mark.parametrize(
    ("pieces", "where"),
    [(["lake"], "behind"), (["river"], "behind"), (["building"], "behind"), (["impassable"], "behind"),
     (["woods"], "left"), (["river", "ford"], "left")],
)  # fmt: skip
def test_nobody_ties_in_where_nobody_can_stand(pieces: list[str], where: str) -> None:
    ring = [[1060, 880], [1300, 880], [1300, 960], [1060, 960]]
    of = enemies()
    of["terrain"] = [{"id": kind, "kind": kind, "polygon_mm": ring} for kind in pieces]
    facts = event(resolve(of, [1], action="np-deploy", unit="new"), "np-deployed")
    assert (facts["flank"], facts["where"]) == ("left", where)


@pytest.mark.rule("MM-227")
def test_loose_troops_join_together_a_base_apart() -> None:
    of = enemies()
    of["units"][1] |= {"type": "indian", "formation": "unformed"}
    figures = after(resolve(of, [1], action="np-deploy", unit="new"), "new")["figures"]
    across = sorted({round(one["x_mm"], 3) for one in figures})
    assert [round(b - a, 3) for a, b in itertools.pairwise(across)] == [50.0, 50.0]
    assert len({round(one["y_mm"], 3) for one in figures}) == 2


@pytest.mark.rule("MM-231")
@pytest.mark.parametrize(
    ("state", "why"),
    [({"in_melee": ["line"]}, "in melee"), ({"in_building": "store"}, "in a building"),
     ({"activated": True}, "already acted"), ({"moved_mm": 50.0}, "already acted")],
)  # fmt: skip
def test_who_fights_holds_a_house_or_has_acted_is_not_put_elsewhere_in_the_line(state: Plain, why: str) -> None:
    of = enemies()
    of["units"][1]["state"] |= state
    of["terrain"] = [HOUSE]
    with pytest.raises(ActionRefused, match=why):
        resolve(of, action="np-deploy", unit="new")


@pytest.mark.rule("MM-231")
def test_a_unit_needs_a_line_to_tie_in_to() -> None:
    with pytest.raises(ActionRefused, match="no unit of french is on the table to tie in to"):
        resolve(game(unit("new", "french", at=(900, 900))), action="np-deploy", unit="new")


@pytest.mark.rule("MM-233")
@pytest.mark.parametrize(("die", "turns"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_a_store_takes_half_a_die_of_turns_to_loot(die: int, turns: int) -> None:
    of = game(unit("u", "british", state={"in_building": "store"}), terrain=[HOUSE])
    for turn in range(turns):
        played = resolve(of, [die] if turn == 0 else [], action="loot", unit="u")
        of = played["game"]
        assert event(played, "loot")["looted"] is (turn == turns - 1)
        of["units"][0]["state"]["activated"] = False
    with pytest.raises(ActionRefused, match="store is looted"):
        resolve(of, action="loot", unit="u")


@pytest.mark.rule("MM-233")
def test_who_is_outside_loots_nothing() -> None:
    with pytest.raises(ActionRefused, match="not in a building"):
        resolve(game(unit("u", "british"), terrain=[HOUSE]), action="loot", unit="u")


WORKS = {"id": "works", "kind": "fieldworks", "polygon_mm": [[1100, 870], [1600, 870], [1600, 875], [1100, 875]]}
GULLY = {"id": "gully", "kind": "gully", "polygon_mm": [[1100, 870], [1600, 870], [1600, 930], [1100, 930]]}


def spots(of: Plain) -> list[tuple[float, float]]:
    """Where the figures of a unit stand."""
    return [(one["x_mm"], one["y_mm"]) for one in of["figures"]]


def defenders(house: bool, *terrain: Plain, type: str = "regular") -> Plain:
    """A few British far off; two French units that defend, the second at (1350, 900) or in the store."""
    state = {"in_building": "store"} if house else {}
    last = unit("last", "french", type=type, number=8, at=(900, 600) if house else (1350, 900), facing=180,
                formation="unformed" if house else "formed-line", mounted=type == "cavalry",
                state={**state, "mounted": type == "cavalry"})  # fmt: skip
    first = unit("first", "french", at=(300, 900), facing=180)
    few = unit("few", "british", number=4, at=(1700, 60))
    return game(few, first, last, terrain=[HOUSE, *terrain], active="french", encounter="raid-attack")


@pytest.mark.rule("MM-231", "MM-230")
@pytest.mark.parametrize(("house", "terrain"), [(True, ()), (False, (WORKS,)), (False, (GULLY,))])
def test_who_holds_a_defensive_position_stays_when_others_go_round_a_flank(
    house: bool, terrain: tuple[Plain, ...]
) -> None:
    of = defenders(house, *terrain)
    dice = [1, 1, 1, 1, 5]
    played = resolve(of, dice, action="np-play", unit="last")
    assert event(played, "np-order")["order"] == "split"
    assert spots(after(played, "last")) == spots(of["units"][2])
    assert after(played, "last")["state"].get("in_building") == ("store" if house else None)


@pytest.mark.rule("MM-231", "MM-230")
def test_horse_behind_fieldworks_stays_whatever_its_dice() -> None:
    for dice in ([1, 1, 1, 1], [6, 6, 6, 6]):
        of = defenders(False, WORKS, type="cavalry")
        played = resolve(of, dice, action="np-play", unit="last")
        assert spots(after(played, "last")) == spots(of["units"][2])
    loose = resolve(defenders(False, type="cavalry"), [6, 6, 6], action="np-play", unit="last")
    assert spots(after(loose, "last")) != spots(defenders(False)["units"][2])


def lost_works(foe_y: float = 560.0, last_y: float = 600.0) -> Plain:
    """Works that ``first`` held and the British have taken; ``last`` is behind works of its own, farther right."""
    works = [
        wood(name, x - 150, 535, x + 150, 545, kind="fieldworks") for name, x in (("left", 300), ("right", 720))
    ]
    first = unit("first", "french", at=(300, 900), facing=180, state={"holds": "left"})
    last = unit("last", "french", number=6, at=(720, last_y), facing=180, formation="formed-line")
    last["state"]["behind"] = "right"
    taken = unit("taken", "british", number=6, at=(300, foe_y), formation="mob")
    return game(taken, first, last, terrain=works, active="french", encounter="raid-attack")


@pytest.mark.rule("MM-231")
def test_a_position_that_another_has_lost_in_sight_and_reach_is_retaken() -> None:
    of = lost_works()
    of["units"][2]["formation"] = "unformed"
    played = resolve(of, [1, 1, 6, 6], action="np-play", unit="last")
    assert event(played, "np-retakes")["position"] == "left"
    assert event(played, "charge")["target"] == "taken"
    assert after(played, "last")["state"]["holds"] is None


@pytest.mark.rule("MM-231")
@pytest.mark.parametrize("why", ["nobody is there", "it never was theirs", "out of reach", "still held"])
def test_no_position_is_left_for_another_that_is_not_lost_or_not_in_reach(why: str) -> None:
    of = lost_works(foe_y=560.0 if why != "nobody is there" else 200.0)
    of["units"][2]["state"]["reload_markers"] = 1
    if why == "it never was theirs":
        del of["units"][1]["state"]["holds"]
    if why == "out of reach":
        for piece in of["terrain"][1:]:
            piece["polygon_mm"] = [[x + 100, y] for x, y in piece["polygon_mm"]]
        for figure in of["units"][2]["figures"]:
            figure["x_mm"] += 100
    if why == "still held":
        for figure in of["units"][1]["figures"]:
            figure["y_mm"] = 525.0
    played = resolve(of, [6, 6, 6], action="np-play", unit="last")
    assert "np-retakes" not in names(played)
    assert event(played, "np-holds")["position"] == "right"
