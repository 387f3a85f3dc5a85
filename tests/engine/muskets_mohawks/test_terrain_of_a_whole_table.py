"""Whole tables of rolled terrain: roads that meet, buildings beside them, nothing in the water."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from shapely import Polygon, box

from engine.dice import SeededDice
from engine.play import play
from engine.records.action import action_from
from engine.records.game import TableArea, game_from
from engine.rulesets import find_ruleset
from engine.rulesets.muskets_mohawks.procedures.setup.terrain_layout import proposals
from tests.engine.muskets_mohawks.playing import INCH, Plain, game

TABLES = ((1828.8, 1219.2), (914.4, 914.4))
WATERS = ("creek", "river", "lake")
SEEDS = 60


class Laid:
    """The pieces that are proposed for a table, by kind."""

    def __init__(self, size: tuple[float, float], edge: str, seed: int, stores: int = 0) -> None:
        scene: Plain = game(encounter="raid-attack", evening={"play": "solo", "structures": stores})
        scene["table"] = {"width_mm": size[0], "depth_mm": size[1]}
        other = {"south": "north", "north": "south", "west": "east", "east": "west"}[edge]
        scene["sides"] = [{"name": "british", "edge": edge}, {"name": "french", "edge": other}]
        ready = game_from(scene, "the scene")
        kind = ("clear", "hilly", "wooded")[seed % 3]
        action = action_from({"action": "terrain", "type": kind})
        self.table = box(0, 0, *size)
        played = play(ready, find_ruleset(ready.ruleset).begin(ready, action), SeededDice(seed))
        self.rolled: list[Any] = [one.facts for one in played.events if one.event == "feature"]
        self.pieces: list[Any] = [one.facts for one in played.events if one.event == "proposal"]

    def of(self, *kinds: str) -> list[Polygon]:
        return [Polygon(one["polygon_mm"]) for one in self.pieces if one["kind"] in kinds]


def tables(stores: int = 0) -> Iterator[Laid]:
    for seed in range(SEEDS):
        edge = ("south", "north", "west", "east")[seed // 3 % 4]
        yield Laid(TABLES[seed % 2], edge, seed, stores)


@pytest.mark.rule("MM-188")
def test_every_further_road_meets_the_first_in_a_crossroads_and_none_is_laid_twice() -> None:
    several = 0
    for laid in tables():
        roads = laid.of("road")
        assert bool(roads) == any(one["kind"] == "road" for one in laid.rolled)
        several += len(roads) > 1
        assert all(roads[0].intersection(road).area >= (2 * INCH) ** 2 - 0.1 for road in roads)
        for one, other in combinations(roads, 2):
            assert one.intersection(other).area <= (2 * INCH) ** 2 + 0.1
    assert several > SEEDS / 10


@pytest.mark.rule("MM-193", "MM-188")
def test_buildings_stand_within_an_inch_of_a_road_and_not_on_it() -> None:
    counted = 0
    for laid in tables():
        roads = laid.of("road")
        for house in laid.of("building") if roads else ():
            nearest = min(house.distance(road) for road in roads)
            assert nearest <= INCH + 0.01
            assert max(house.intersection(road).area for road in roads) < 0.1
            counted += 1
    assert counted > SEEDS


@pytest.mark.rule("MM-193", "MM-192")
def test_no_building_stands_in_water_in_another_or_off_the_table() -> None:
    for laid in tables(stores=3):
        houses = laid.of("building")
        for house in houses:
            assert laid.table.buffer(0.01).contains(house)
            assert all(house.intersection(water).area < 0.1 for water in laid.of(*WATERS))
        assert all(one.distance(other) >= INCH - 0.01 for one, other in combinations(houses, 2))


@pytest.mark.rule("MM-193")
def test_sections_with_buildings_adjoin() -> None:
    several = 0
    for laid in tables():
        found = {one["section"] for one in laid.pieces if one["kind"] == "building"}
        several += len(found) > 1
        for section in found if len(found) > 1 else ():
            row, column = divmod(section - 1, 3)
            apart = [abs(row - (one - 1) // 3) + abs(column - (one - 1) % 3) for one in found]
            assert 1 in apart
    assert several > SEEDS / 10


@pytest.mark.rule("MM-192")
def test_a_road_runs_neither_in_a_river_nor_through_a_lake() -> None:
    for laid in tables():
        for road in laid.of("road"):
            assert all(road.intersection(lake).area < 0.1 for lake in laid.of("lake"))
            # straight over a river, never along it
            assert all(road.intersection(river).area <= 2 * 7 * INCH**2 + 0.1 for river in laid.of("river"))


@pytest.mark.rule("MM-192", "MM-188")
@pytest.mark.parametrize(
    ("crossing", "kind"),
    [({"crossing": "bridge"}, "bridge"), ({"crossing": "one-ford", "ford_width_in": [2]}, "ford")],
)
def test_a_road_crosses_a_river_by_its_bridge_or_ford(crossing: Plain, kind: str) -> None:
    river = {"section": 1, "kind": "river", "direction": "lengthwise", "width_in": 6, **crossing}
    road = {"section": 9, "kind": "road", "direction": "widthwise"}
    pieces = proposals(TableArea(width_mm=1828.8, depth_mm=1219.2), "south", ["clear"] * 9, [river, road])
    found = {piece.kind: Polygon(piece.polygon_mm) for piece in pieces}
    over = found[kind]
    assert over.intersection(found["road"].intersection(found["river"])).area == pytest.approx(
        12 * INCH**2, abs=0.1
    )


@pytest.mark.rule("MM-233", "MM-193")
def test_the_stores_of_a_raid_stand_in_section_two_and_no_farm_beside_them_is_taken_for_one() -> None:
    for laid in tables(stores=2):
        there = [one for one in laid.pieces if one["kind"] == "building" and one["section"] == 2]
        assert len(there) == 2
