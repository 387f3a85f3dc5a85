"""The terrain that the camera sees, and what of it becomes the game's."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from engine.records.game import Game, Terrain
from tests.webui.toys import GAME, ToyRules, everyone, observed
from vision.records import Observation, TerrainSeen
from webui.table.desk import Desk


def wood(x: float, kind: str = "woods", size: float = 200.0) -> TerrainSeen:
    corners = ((x, 0.0), (x + size, 0.0), (x + size, 150.0), (x, 150.0))
    return TerrainSeen(kind=kind, polygon_mm=corners, sigma_mm=1.0)


def look(*pieces: TerrainSeen) -> Observation:
    return replace(observed(everyone(GAME)), terrain=pieces)


def laid(desk: Desk) -> list[tuple[str, float]]:
    return [(piece.id, piece.polygon_mm[0][0]) for piece in desk.game.terrain if piece.polygon_mm is not None]


def test_a_game_without_terrain_gets_what_the_camera_sees(desk: Desk) -> None:
    entry = desk.look(look(wood(0.0), wood(500.0), wood(800.0, "hill")))
    assert entry is not None
    assert laid(desk) == [("hill-1", 800.0), ("woods-1", 0.0), ("woods-2", 500.0)]


def test_the_same_wood_seen_again_is_no_news(desk: Desk) -> None:
    desk.look(look(wood(0.0)))
    assert desk.look(look(wood(3.0))) is None


def test_a_piece_that_was_covered_at_first_comes_when_it_has_been_seen_twice(desk: Desk) -> None:
    desk.look(look(wood(0.0)))
    assert desk.look(look(wood(0.0), wood(500.0))) is None
    desk.look(look(wood(0.0), wood(500.0)))
    assert laid(desk) == [("woods-1", 0.0), ("woods-2", 500.0)]


def test_a_game_that_came_with_terrain_keeps_its_own(new_desk: Callable[[], Desk]) -> None:
    own = Terrain(id="copse", kind="woods", polygon_mm=((0.0, 0.0), (9.0, 0.0), (9.0, 9.0)))
    desk = new_desk()
    desk.begin(replace(GAME, terrain=(own,)))
    assert desk.look(look(wood(500.0))) is None
    desk.journal.close()


def test_terrain_that_the_rules_have_no_word_for_is_left_out_and_named(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_fields(_: ToyRules, game: Game) -> None:
        if any(piece.kind == "field" for piece in game.terrain):
            from engine.errors import UnusableFile

            raise UnusableFile("terrain[0].kind: expected woods")

    monkeypatch.setattr(ToyRules, "check", no_fields)
    entry = desk.look(look(wood(0.0), wood(500.0, "field")))
    assert entry is not None
    assert laid(desk) == [("woods-1", 0.0)]
    assert entry.events[-1].facts["not_in_the_rules"] == ["field"]
