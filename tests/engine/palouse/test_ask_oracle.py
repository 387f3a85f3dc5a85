"""What ``ask`` says on random boards, held against the rulebook taken at its word: square by square."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from engine.records.answer import FireOption
from engine.records.game import Game, Unit
from tests.engine.palouse.scene import Json, asked, edge, game, ground, unit
from tests.long_runs import games

Cell = tuple[int, int]

COLUMNS, ROWS, SIZE = 12, 8, 152.4
KINDS = ("infantry", "grenadier", "skirmisher", "indian", "artillery")
GROUNDS = ("woods", "town", "difficult", "stream", "marsh", "lake", "fortification", "river")
ROUGH, WORKS = {"woods", "difficult", "stream"}, {"town", "fortification"}
#: What is added to a shot's die from near and from far (PA-34, PA-35).
SHOTS = {
    "infantry": (0, -1),
    "grenadier": (1, 0),
    "skirmisher": (-1, -1),
    "indian": (-1, -1),
    "artillery": (-1, -1),
}
BEYOND = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}


class Board:
    """A drawn game, and the rules about it."""

    def __init__(self, rng: random.Random) -> None:
        cells = [(c, r) for c in range(3, 9) for r in range(1, 7)]
        rng.shuffle(cells)
        self.units = [self._drawn(rng, n, cells[n]) for n in range(rng.randint(4, 9))]
        held = rng.sample(cells, 14)
        self.ground = {cell: rng.choice(GROUNDS) for cell in held}
        sides = rng.sample([(c, r, s) for c, r in cells for s in BEYOND], 10)
        self.rivers = {frozenset(((c, r), (c + BEYOND[s][0], r + BEYOND[s][1]))) for c, r, s in sides}
        self.one_bound = rng.random() < 0.7
        pieces: list[Json] = [ground(kind, cell) for cell, kind in self.ground.items()]
        pieces += [edge("river", *one) for one in sides]
        options = {"diagonals": "one" if self.one_bound else "orthogonal"}
        self.game: Game = game(*self.units, terrain=pieces, options=options, active="british")

    def _drawn(self, rng: random.Random, number: int, cell: Cell) -> Json:
        side = "bf"[number % 2]
        state: dict[str, Any] = {"bearing_deg": rng.choice([0, 45, 90, 180, 270, rng.uniform(0, 360)])}
        state |= {"hits": rng.choice([0, 0, 2, 3, 6, 7, 12, 13]), "commander": number < 2}
        return unit(f"{side}{number}", cell, rng.choice(KINDS), veteran=rng.random() < 0.2, **state)

    def at(self, cell: Cell) -> set[str]:
        return {self.ground[cell]} if cell in self.ground else set()

    def far(self, one: Cell, other: Cell) -> int:
        across, up = abs(one[0] - other[0]), abs(one[1] - other[1])
        return max(across, up) if self.one_bound else across + up

    def resolve(self, of: Unit) -> int:
        """PA-50 to PA-55."""
        here, commander = where(of), next(u for u in self.game.units if u.side == of.side and u.state["commander"])
        led = of.type == "infantry" and not self.at(here) & ROUGH and self.far(here, where(commander)) <= 1
        hardy = of.type == "grenadier" or bool(of.stats.get("veteran"))
        covered = bool(self.at(here) & WORKS) or (of.type == "skirmisher" and bool(self.at(here) & ROUGH))
        return 6 + 6 * (led + hardy + covered)

    def open_step(self, of: Unit, one: Cell, other: Cell) -> bool:
        """PA-18 to PA-24: whether a unit may step from one square into another beside it."""
        closed = {"marsh", "lake", "river"} | (ROUGH | {"town"} if of.type == "artillery" else set())
        inside = 0 <= other[0] < COLUMNS and 0 <= other[1] < ROWS
        if not inside or self.at(other) & closed or other in map(where, self.game.units):
            return False
        if one[0] == other[0] or one[1] == other[1]:
            return frozenset((one, other)) not in self.rivers
        ways = [(one[0], other[1]), (other[0], one[1])]
        return self.one_bound and any(
            not {frozenset((one, way)), frozenset((way, other))} & self.rivers and "river" not in self.at(way)
            for way in ways
        )

    def reach(self, of: Unit) -> set[Cell]:
        """PA-14, PA-18: Indians without a hit go two bounds."""
        found = {where(of)}
        for _ in range(2 if of.type == "indian" and of.state["hits"] == 0 else 1):
            found |= {
                (c + dx, r + dy)
                for c, r in found for dx in (-1, 0, 1) for dy in (-1, 0, 1)
                if self.open_step(of, (c, r), (c + dx, r + dy))
            }  # fmt: skip
        return found - {where(of)}

    def needs(self, of: Unit, goal: Cell) -> int:
        """PA-10 to PA-12."""
        slow = of.type in ("infantry", "grenadier") and (self.at(where(of)) | self.at(goal)) & ROUGH
        return 2 + bool(slow) + of.state["hits"] // 3

    def shot(self, of: Unit, target: Unit) -> tuple[bool, str, int | None]:
        """PA-30 to PA-40: whether it may fire, from near or from far, and what is added to its die."""
        bounds, short = self.far(where(of), where(target)), 2 if of.type == "artillery" else 1
        if bounds > 2 * short:
            return False, "out-of-range", None
        add = SHOTS[of.type][bounds > short] - (
            of.type in ("infantry", "grenadier") and "woods" in self.at(where(of))
        )
        (x, y), (a, b) = middle(where(of)), middle(where(target))
        off = abs((math.degrees(math.atan2(a - x, b - y)) - of.state["bearing_deg"] + 180) % 360 - 180)
        in_arc = off <= 45 + 1e-6 or bool(self.at(where(of)) & WORKS)
        walled = "fortification" in self.at(where(target)) and bounds > short
        legal = in_arc and not walled and not self.in_the_way(where(of), where(target))
        return legal, "long" if bounds > short else "short", add

    def in_the_way(self, one: Cell, other: Cell) -> bool:
        """PA-40: the line is walked in small steps; what it only grazes does not stop it."""
        (x, y), (a, b) = middle(one), middle(other)
        for step in range(1, 4000):
            across, up = (x + (a - x) * step / 4000) / SIZE, (y + (b - y) * step / 4000) / SIZE
            cell = (math.floor(across), math.floor(up))
            grazed = min(abs(across - round(across)), abs(up - round(up))) < 1e-3
            if grazed or cell in (one, other):
                continue
            if self.at(cell) & {"woods", *WORKS} or cell in map(where, self.game.units):
                return True
        return False


def where(of: Unit) -> Cell:
    assert of.square is not None
    return of.square[0], of.square[1]


def middle(cell: Cell) -> tuple[float, float]:
    return (cell[0] + 0.5) * SIZE, (cell[1] + 0.5) * SIZE


def added(option: FireOption) -> int | None:
    return None if option.roll is None else option.roll.extra["add"]


ROWS_SHOWN = [
    f"PA-{row}" for row in (*range(10, 13), 14, 18, *range(20, 26), *range(30, 37), 38, 40, *range(50, 56))
]


@pytest.mark.rule(*ROWS_SHOWN)
@pytest.mark.parametrize("seed", range(games(25)))
def test_a_random_board_is_answered_as_the_rulebook_says(seed: int) -> None:
    board = Board(random.Random(seed))
    for of in board.game.units:
        answer = asked(board.game, of.id)
        assert answer.extra["resolve"]["value"] == board.resolve(of)
        if of.side != "british":
            continue
        assert answer.move is not None
        assert {tuple(cell) for cell in answer.move.extra["reach_squares"]} == board.reach(of)
        for goal in answer.move.extra["destinations"]:
            assert goal["needs"] == board.needs(of, tuple(goal["square"]))
        for option in answer.fire:
            told = option.legal, option.band, added(option)
            assert told == board.shot(of, board.game.unit(option.target)), (of.id, option.target)
