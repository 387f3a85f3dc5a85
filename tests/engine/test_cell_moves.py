"""On squares and hexes a move on the table is told in cells and points, and held against the cells in reach."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import replace

from engine.events import Event, Place, PlaceFigures, fold
from engine.moved.cells import grid_of
from engine.moved.moves import Move, move_of
from engine.moved.ways import Ways, after_entry
from engine.records.answer import Answer, UnitAnswer
from engine.records.game import Cell, Game
from engine.rulesets import find_ruleset
from vision.simulated import load_demo
from webui.commands.demo import demo_game


class Table:
    """A demo's table on which one unit is carried from cell to cell."""

    def __init__(self, ruleset: str, unit: str, sigma_mm: float = 0.2) -> None:
        self.game: Game = demo_game(load_demo(ruleset))
        self.unit, self.sigma_mm = unit, sigma_mm
        self.answer: Answer = find_ruleset(ruleset).ask(self.game)
        self.ways: Ways = {}
        grid = grid_of(self.game)
        assert grid is not None
        self.grid = grid

    @property
    def told(self) -> UnitAnswer:
        return next(one for one in self.answer.units if one.unit == self.unit)

    @property
    def cell(self) -> Cell:
        figure = self.game.unit(self.unit).figures[0]
        column, row = self.grid.cells_at(np.array([[figure.x_mm, figure.y_mm]]))[0].tolist()
        return column, row

    def goes_to(self, cell: Cell, aside_mm: float = 0.0) -> Move:
        x, y = self.grid.centres(cell).tolist()
        first = self.game.unit(self.unit).figures[0]
        places = tuple(
            Place(
                figure=f.id, x_mm=x + aside_mm + f.x_mm - first.x_mm, y_mm=y + f.y_mm - first.y_mm,
                bearing_deg=f.bearing_deg, sigma_mm=self.sigma_mm,
            )
            for f in self.game.unit(self.unit).figures
        )  # fmt: skip
        event = Event(event="moved", facts={"unit": self.unit}, changes=(PlaceFigures(places=places),))
        after = fold([event], self.game)
        self.ways = after_entry(self.ways, "camera", [event], self.game, after, self.answer)
        self.game = after
        move = move_of(self.unit, self.ways[self.unit], after)
        assert move is not None
        return move

    def far(self, held: Callable[[int], bool]) -> Cell:
        """A cell so many steps away that the unit cannot come to."""
        move = self.told.move
        assert move is not None
        reached = {tuple(one) for one in move.extra.get("reach_squares", ())}
        reached |= {tuple(one["hex"]) for one in move.extra.get("reach_hexes", ())}
        return next(
            (column, row)
            for column in range(self.grid.columns or 0)
            for row in range(self.grid.rows or 0)
            if (column, row) not in reached
            and held(int(self.grid.distances(self.cell, (column, row))))
        )  # fmt: skip


def test_the_royals_of_palouse_move_a_square_of_the_one_that_they_may() -> None:
    table = Table("palouse", "royals")
    assert table.told.move is not None
    square = tuple(table.told.move.extra["reach_squares"][0])
    move = table.goes_to(square)
    assert move.verdict == "within"
    assert move.cells is not None
    assert (move.cells.kind, move.cells.end, move.cells.moved) == ("square", square, 1)
    assert (move.cells.allowance, move.cells.points) == (1, "bound")


def test_three_squares_are_farther_than_they_may_in_one_step_or_in_several() -> None:
    table = Table("palouse", "royals")
    far = table.far(lambda steps: steps == 3)
    move = table.goes_to(far)
    assert move.cells is not None
    assert (move.verdict, move.cells.moved) == ("beyond", 3)
    other = Table("palouse", "royals")
    assert other.told.move is not None
    other.goes_to(tuple(other.told.move.extra["reach_squares"][0]))
    assert other.goes_to(far).verdict == "beyond"


def test_the_royal_foot_pays_what_the_hexes_cost_out_of_its_12_points() -> None:
    table = Table("musket-pike", "royal-foot")
    assert table.told.move is not None
    dearest = table.told.move.extra["reach_hexes"][-1]
    move = table.goes_to(tuple(dearest["hex"]))
    assert move.cells is not None
    assert (move.verdict, move.cells.kind) == ("within", "hex")
    assert (move.cells.cost, move.cells.allowance, move.cells.points) == (dearest["cost_mp"], 12.0, "MP")


def test_a_hex_that_is_not_far_but_cannot_be_come_to_is_out_of_its_way() -> None:
    table = Table("musket-pike", "royal-foot")
    near = table.far(lambda steps: 1 <= steps <= 12)
    move = table.goes_to(near)
    assert (move.verdict, move.why_not) == ("off-way", (f"hex {list(near)} is not within its reach",))


def test_a_battery_in_action_may_not_move_but_may_be_shifted_in_its_hex() -> None:
    table = Table("musket-pike", "grand-battery")
    here = table.cell
    assert table.goes_to(here, aside_mm=12.0).verdict == "within"
    move = Table("musket-pike", "grand-battery").goes_to((here[0] + 1, here[1]))
    assert (move.verdict, move.why_not) == ("may-not", ("is in action: limber first",))


def test_too_near_the_edge_between_what_it_may_and_may_not_is_too_near_to_call() -> None:
    table = Table("palouse", "royals", sigma_mm=1.0)
    size = table.game.table.grid.size_mm if table.game.table.grid else 0.0
    here = table.cell
    square = (here[0] + 1, here[1])
    assert table.told.move is not None
    assert list(square) in table.told.move.extra["reach_squares"]
    move = table.goes_to(square, aside_mm=size / 2.0 - 1.0)
    assert move.verdict == "borderline"
    assert move.why_not == (f"it stands in square {list(square)} or {[here[0] + 2, here[1]]}: too near the edge",)


@pytest.mark.parametrize(("ruleset", "unit"), [("palouse", "hurons"), ("musket-pike", "hussards")])
def test_in_the_other_sides_turn_the_cells_are_told_and_that_it_was_not_their_turn(ruleset: str, unit: str) -> None:
    table = Table(ruleset, unit)
    column, row = table.cell
    move = table.goes_to((column, row - 1))
    assert move.cells is not None
    assert (move.verdict, move.cells.moved, move.cells.allowance) == ("out-of-turn", 1, None)


def test_a_turn_that_is_nobodys_holds_everybody_against_his_reach() -> None:
    table = Table("palouse", "royals")
    table.game = replace(table.game, turn=replace(table.game.turn, active_side=None))
    assert table.goes_to(table.far(lambda steps: steps == 3)).verdict == "beyond"
