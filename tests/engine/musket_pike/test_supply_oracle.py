"""Ammunition from wagons, zones of control and isolation on random boards, against the rulebook's words."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.engine.musket_pike.scene import Json, after, asked, do, game, ground, hexside, told, unit
from tests.long_runs import games

Hex = tuple[int, int]

COLUMNS, ROWS = 24, 18
#: Steps of the axial form of the rulebook's 1.1.
STEPS = {"N": (0, 1), "NE": (1, 0), "SE": (1, -1), "S": (0, -1), "SW": (-1, 0), "NW": (-1, 1)}
OPPOSITE = {"N": "S", "NE": "SW", "SE": "NW", "S": "N", "SW": "NE", "NW": "SE"}
FRONT = {"UR": "N NE", "R": "NE SE", "DR": "SE S", "DL": "S SW", "L": "SW NW", "UL": "NW N"}
KINDS = {
    "infantry": ("line", "column", "block"), "cavalry": ("mounted", "dismounted"), "skirmisher": ("skirmish",),
    "artillery": ("limbered", "unlimbered"), "leader": ("mounted",), "supply-wagon": ("column",),
}  # fmt: skip


def beside(of: Hex, direction: str) -> Hex:
    across, up = STEPS[direction]
    column = of[0] + across
    return column, of[1] - of[0] // 2 + up + column // 2


def on_map(of: Hex) -> bool:
    return 0 <= of[0] < COLUMNS and 0 <= of[1] < ROWS


class Board:
    """A drawn board of few hexes in the middle or at the edge of the map, and the rules about it."""

    def __init__(self, rng: random.Random) -> None:
        left, near = rng.choice([0, 8]), rng.choice([0, 6])
        cells = [(left + c, near + r) for c in range(9) for r in range(7)]
        rng.shuffle(cells)
        foes = rng.choice(["ab", "abbbb"])
        self.units = [self._drawn(rng, f"{rng.choice(foes)}{n}", cells[n]) for n in range(rng.randint(8, 40))]
        sides = [(cell, rng.choice(list(STEPS))) for cell in rng.sample(cells, 6)]
        self.walls = {side for side in sides if on_map(beside(*side))}
        self.source = cells[-1]
        walls = [hexside("high-wall", *cell, direction) for cell, direction in sorted(self.walls)]
        terrain = [ground("supply-source", self.source, side="a"), *walls]
        self.game = game(*self.units, terrain=terrain, options={"isolation": True})
        self.foes = {tuple(one["hex"]) for one in self.units if one["side"] == "b"}
        self.held = {tuple(one["hex"]) for one in self.units}
        self.barred = set().union(*(self.zone(one) for one in self.units if one["side"] == "b"))

    def _drawn(self, rng: random.Random, name: str, at: Hex) -> Json:
        kind = rng.choice(["infantry", "infantry", *KINDS])
        state: dict[str, Any] = {"facing": rng.choice(list(FRONT)), "routed": rng.random() < 0.15}
        if kind in ("infantry", "cavalry", "skirmisher"):
            state["ammo"] = rng.choice(["full", "low", "out"])
        few = kind in ("artillery", "supply-wagon")
        strength = rng.choice([3, 20, 31, 60] if few else [90, 251, 400])
        stats = {"strength": strength, "attributes": ["dragoon"]}
        if kind in ("leader", "supply-wagon"):
            state["routed"] = False
        return unit(name, at, kind, rng.choice(KINDS[kind]), stats={} if kind == "leader" else stats, **state)

    def zone(self, of: Json) -> set[Hex]:
        """MP-84."""
        none = of["type"] in ("leader", "skirmisher", "supply-wagon") or of["formation"] == "limbered"
        if none or of["state"]["routed"]:
            return set()
        here = (of["hex"][0], of["hex"][1])
        ways = list(STEPS) if of["formation"] == "block" else FRONT[of["state"]["facing"]].split()
        return {
            beside(here, way) for way in ways
            if on_map(beside(here, way)) and not {(here, way), (beside(here, way), OPPOSITE[way])} & self.walls
        }  # fmt: skip

    def ways(self, start: Hex, most: int, closed: Callable[[Hex], bool]) -> dict[Hex, int]:
        """How many steps each hex is away by a path that keeps out of closed hexes."""
        far, edge = {start: 0}, [start]
        for steps in range(1, most + 1):
            edge = sorted({beside(one, way) for one in edge for way in STEPS} - far.keys())
            edge = [one for one in edge if on_map(one) and not closed(one)]
            far |= dict.fromkeys(edge, steps)
        return far

    def isolated(self, of: Json) -> bool:
        """MP-253, MP-254."""
        far = self.ways((of["hex"][0], of["hex"][1]), 400, lambda one: one in self.foes | self.barred)
        edge = any(c in (0, COLUMNS - 1) or r in (0, ROWS - 1) for c, r in far)
        return not edge and (self.source not in far or self.source in self.foes)

    def supplied(self) -> list[Json]:
        """MP-251 and R31, for side a: who gets ammunition from which wagon, for how much."""
        loads = {one["id"]: one["stats"]["strength"] for one in self.units if one["type"] == "supply-wagon"}
        found = []
        for one in self.units:
            if one["side"] != "a" or one["state"]["routed"] or one["state"].get("ammo", "full") == "full":
                continue
            barred = self.foes | (self.barred - self.held)
            far = self.ways((one["hex"][0], one["hex"][1]), 5, lambda at, barred=barred: at in barred)
            cost = -(-one["stats"]["strength"] // 10)
            able = [
                wagon for wagon in self.units
                if wagon["side"] == "a" and loads.get(wagon["id"], 0) >= cost and tuple(wagon["hex"]) in far
            ]  # fmt: skip
            if able:
                wagon = min(able, key=lambda wagon: far[tuple(wagon["hex"])])["id"]
                loads[wagon] -= cost
                found.append({"unit": one["id"], "wagon": wagon, "cost": cost})
        return found


@pytest.mark.rule("MP-84", "MP-251", "MP-253", "MP-254", "musket-pike R31")
@pytest.mark.parametrize("seed", range(games(30)))
def test_a_random_board_is_supplied_as_the_rulebook_says(seed: int) -> None:
    board = Board(random.Random(seed))
    for one in board.units:
        answer = asked(board.game, one["id"])
        assert {tuple(hex) for hex in answer.extra["zoc"]} == board.zone(one)
        if one["side"] == "a":
            assert answer.extra["isolated"] == board.isolated(one), one
    played = do(board.game, "begin-turn", side="a", steps=["supply"])
    supplied = board.supplied()
    assert told(played, "resupplied") == supplied
    assert all(after(played, str(one["unit"])).state["ammo"] == "full" for one in supplied)
