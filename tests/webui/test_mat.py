"""The grid of a printed mat, found by the command and on the page, and put into the table file or the game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import pytest
from click.testing import CliRunner, Result

from calibration.records import UNSET, read_table, write_intrinsics, write_table
from engine.keeping.journal import Journal
from engine.records.game import game_from, game_json, read_game
from tests.command_line import vedette
from tests.vision.small_table import LENS, TABLE, camera, table
from vision.measure import Measurer
from vision.simulated import MatPrint, Renderer
from webui.app import create_app
from webui.camera.mat import grid
from webui.live import LiveTable
from webui.table.beginning import empty_game
from webui.table.desk import Desk

MAT = MatPrint(kind="hex", size_mm=60.2, origin_mm=(13.0, 7.0), turn_deg=1.0)
PICTURES = {mat: Renderer(camera()).render(table(printed=mat)) for mat in (MAT, None)}
GAME = game_from(
    {
        "format": "vedette-game/1", "ruleset": "musket-pike",
        "table": {"width_mm": 600.0, "depth_mm": 450.0,
                  "grid": {"kind": "hex", "size_mm": 60.0, "columns": 9, "rows": 6, "origin_mm": [18.0, 3.0]}},
        "turn": {"number": 1, "active_side": "a"},
        "sides": [{"name": "a", "edge": "south"}, {"name": "b", "edge": "north"}], "units": [],
    },
    "the test's game",
)  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "mat.png"), PICTURES[MAT])
    cv2.imwrite(str(tmp_path / "plain.png"), PICTURES[None])
    write_table(tmp_path / "table.toml", TABLE)
    write_intrinsics(tmp_path / "lens.json", LENS)
    (tmp_path / "game.json").write_bytes(game_json(GAME))
    return tmp_path


def run(files: Path, photo: str, *more: str) -> Result:
    known = ["--table", str(files / "table.toml"), "--intrinsics", str(files / "lens.json")]
    return CliRunner().invoke(grid, [str(files / photo), *known, *more])


def test_the_command_writes_the_grid_into_the_table_file_and_games_begin_on_it(files: Path) -> None:
    done = run(files, "mat.png", "-o", str(files / "new.toml"))
    assert done.exit_code == 0, done.output
    assert "hexes of 60." in done.output
    written = read_table(files / "new.toml")
    assert written.grid is not UNSET
    assert (written.grid.kind, written.grid.turn_deg) == ("hex", pytest.approx(1.0, abs=0.05))
    begun = empty_game(written, "musket-pike").table.grid
    assert begun is not None
    assert (begun.size_mm, begun.columns, begun.extra["turn_deg"]) == (
        written.grid.size_mm, written.grid.columns, written.grid.turn_deg,
    )  # fmt: skip


def test_an_evening_without_the_page_is_played_on_it_and_it_can_be_undone(files: Path) -> None:
    assert vedette("evening", "begin", files / "game.json", "--data", files).exit_code == 0
    assert vedette("evening", "grid", "--photo", files / "plain.png", "--data", files).exit_code == 1
    done = vedette("evening", "grid", "--photo", files / "mat.png", "--data", files)
    assert (done.exit_code, "hexes of 60." in done.stdout) == (0, True)
    with Journal(files / "journal.db") as journal:
        assert journal.game.table.grid is not None
        assert journal.game.table.grid.extra["turn_deg"] == pytest.approx(1.0, abs=0.05)
    assert vedette("log", "undo", files / "journal.db").exit_code == 0
    with Journal(files / "journal.db") as journal:
        assert journal.game == read_game(files / "game.json")


def test_a_lens_beside_the_table_is_an_evening_s(files: Path) -> None:
    vedette("evening", "begin", files / "game.json", "--data", files)
    assert "The lens (good): The lens is measured." in vedette("evening", "show", "--data", files).stdout
    (files / "lens.json").rename(files / "mine.json")
    assert "The lens (todo)" in vedette("evening", "show", "--data", files).stdout
    told = vedette("evening", "show", "--data", files, "--intrinsics", files / "mine.json").stdout
    assert "The lens (good)" in told


def test_the_command_puts_it_into_a_game_whose_cells_keep_their_names(files: Path) -> None:
    done = run(files, "mat.png", "--game", str(files / "game.json"), "-o", str(files / "new.json"), "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    laid = read_game(files / "new.json").table.grid
    assert laid is not None
    assert (laid.columns, laid.rows) == (9, 6)
    assert laid.origin_mm == pytest.approx(MAT.origin_mm, abs=0.6)
    assert [laid.size_mm, *laid.origin_mm] == [found["size_mm"], *found["origin_mm"]]


def test_a_mat_without_lines_ends_the_command_with_one_line_and_writes_nothing(files: Path) -> None:
    done = run(files, "plain.png", "-o", str(files / "new.toml"))
    assert done.exit_code == 1
    assert "no lines of hexes or squares" in str(done.exception)
    assert not (files / "new.toml").exists()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveTable]:
    desk = Desk(Journal(tmp_path / "journal.db"), TABLE, lambda: "2026-11-21T10:00:00Z", lambda: 1)
    desk.begin(GAME)
    running = LiveTable(desk, mode="serve", clock_s=lambda: 100.0)
    running.start()
    yield running
    running.close()


def eye_on(picture: Any) -> Any:
    """A watcher that has measured a picture."""
    measurer = Measurer(TABLE, LENS)
    seen = measurer.measure(picture)
    return SimpleNamespace(measured=(picture, measurer.camera, seen))


def test_the_page_has_it_found_and_the_log_says_so_and_it_can_be_undone(live: LiveTable) -> None:
    live.eye = eye_on(PICTURES[MAT])
    client = create_app(live).test_client()
    done = client.post("/api/grid/fit", json={"kind": "hex", "size_mm": 60})
    assert done.status_code == 200, done.text
    assert "hexes of 60." in done.json["told"]
    assert "were found in the picture" in done.json["entry"]["title"]
    now = live.do(lambda desk: desk.game.table.grid)
    assert now.origin_mm == pytest.approx(MAT.origin_mm, abs=0.6)
    assert client.post("/api/undo", json={}).status_code == 200
    assert live.do(lambda desk: desk.game.table.grid) == GAME.table.grid


def test_the_page_says_why_nothing_was_found_and_changes_nothing(live: LiveTable) -> None:
    client = create_app(live).test_client()
    assert client.post("/api/grid/fit", json={}).status_code == 503
    live.eye = eye_on(PICTURES[None])
    refused = client.post("/api/grid/fit", json={})
    assert refused.status_code == 422
    assert "no lines of hexes or squares" in refused.text
    assert live.do(lambda desk: desk.game.table.grid) == GAME.table.grid
