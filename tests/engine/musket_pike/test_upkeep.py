"""What follows from where units come to stand: objectives, crews, who is spotted, where bases are put."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused
from engine.rulesets.musket_pike.table.board import board_of
from tests.engine.musket_pike.scene import after, do, game, ground, unit


@pytest.mark.rule("MP-15")
def test_the_last_side_to_stand_on_an_objective_owns_it() -> None:
    of = game(unit("a", (4, 4), "infantry", "column"), terrain=[ground("objective", (5, 4), points=100, owner="b")])
    played = do(of, "move", unit="a", path=["NE", "NE"])
    assert board_of(played.game).at((5, 4)) == ()
    assert played.game.terrain[0].extra["owner"] == "a"


@pytest.mark.rule("MP-88")
def test_infantry_that_comes_to_forsaken_guns_brings_the_crew_back() -> None:
    of = game(unit("a", (4, 4)), unit("a-g", (5, 4), "artillery", uncrewed=True), unit("a-c", (5, 5), "cavalry"))
    assert after(do(of, "move", unit="a-c", path=["SE"]), "a-g").state["uncrewed"] is True
    assert after(do(of, "move", unit="a", path=["NE"]), "a-g").state["uncrewed"] is False


@pytest.mark.rule("MP-87")
def test_captured_guns_cannot_be_moved_and_are_forsaken_when_the_captors_leave() -> None:
    of = game(unit("a", (5, 4)), unit("a-2", (5, 4)), unit("b-g", (5, 4), "artillery", captured_by="a"))
    with pytest.raises(ActionRefused, match="captured"):
        do(of, "move", unit="b-g", path=["NE"])
    still = do(of, "move", unit="a", path=["NE"])
    assert after(still, "b-g").state["captured_by"] == "a"
    gone = do(still.game, "move", unit="a-2", path=["NE"])
    assert (after(gone, "b-g").state["captured_by"], after(gone, "b-g").state["uncrewed"]) == (None, True)


@pytest.mark.rule("MP-65")
@pytest.mark.parametrize(
    ("to", "wood", "spotted"), [((14, 4), False, None), ((13, 4), False, True), ((13, 4), True, None)]
)
def test_fixed_units_seen_within_nine_hexes_are_marked_when_an_action_ends(
    to: Any, wood: bool, spotted: Any
) -> None:
    terrain = [ground("forest", *[(8, row) for row in range(18)])] if wood else []
    start = (to[0] + 1, to[1])
    of = game(unit("a", start, "cavalry"), unit("b", (4, 4), fixed=True), terrain=terrain)
    path = ["NW"] if start[0] % 2 == 0 else ["SW"]
    played = do(of, "move", unit="a", path=path)
    assert after(played, "b").state.get("spotted") is spotted


def test_a_measured_base_is_put_in_the_middle_of_its_new_hex() -> None:
    made = unit("a", (0, 0), "infantry", "column")
    del made["hex"]
    made["figures"] = [{"id": "f", "x_mm": 400.0, "y_mm": 450.0, "bearing_deg": 85.0,
                        "base": {"shape": "rect", "width_mm": 60.0, "depth_mm": 30.0}}]  # fmt: skip
    moved = after(do(game(made), "move", unit="a", path=["N"]), "a").figures[0]
    assert (round(moved.x_mm, 3), round(moved.y_mm, 3), round(moved.bearing_deg or 0, 6)) == (404.145, 550.0, 30.0)


def test_measured_bases_that_come_to_share_a_hex_do_not_stand_on_each_other() -> None:
    def based(name: str, kind: str, x: float, y: float) -> Any:
        made = unit(name, (0, 0), kind, "column" if kind == "infantry" else None)
        del made["hex"]
        made["figures"] = [{"id": f"{name}-f", "x_mm": x, "y_mm": y, "bearing_deg": 30.0,
                            "base": {"shape": "rect", "width_mm": 60.0, "depth_mm": 30.0}}]  # fmt: skip
        return made

    of = game(
        based("a", "infantry", 404.145, 450.0),
        based("a-l", "leader", 404.145, 410.0),
        based("a-2", "infantry", 404.145, 550.0),
    )
    played = do(of, "move", unit="a", with_=["a-l"], path=["N"])
    spots = [one.figures[0] for one in played.game.units]
    apart = [
        ((one.x_mm - other.x_mm) ** 2 + (one.y_mm - other.y_mm) ** 2) ** 0.5
        for number, one in enumerate(spots)
        for other in spots[:number]
    ]
    assert min(apart) >= 30
    assert {troop.hex for troop in board_of(played.game).troops.values()} == {(4, 5)}
