"""Opening a real table: what is refused before anything is changed, and what a folder keeps."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import cv2
import msgspec
import pytest
import tomli_w
from click.testing import CliRunner, Result
from msgspec.structs import replace
from sqlalchemy.exc import OperationalError

from calibration.records import write_intrinsics, write_table
from engine.clock import now_text
from engine.records.game import TableArea, game_json
from tests.vision.small_table import LENS
from tests.vision.small_table import camera as over_table
from tests.vision.test_measure import PLAIN
from tests.webui.toys import GAME, TABLE
from vision.errors import UnusableSource
from vision.simulated import Renderer, empty_of
from webui.cli import main
from webui.commands.serve import open_table
from webui.errors import UnusableOption
from webui.table.beginning import empty_game, open_desk
from webui.table.keeping import Keeping, default_folder, first_revision


def keep(folder: Path) -> Keeping:
    return Keeping(folder)


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(tomli_w.dumps(msgspec.to_builtins(TABLE) | {"format": "vedette-table/1"}), encoding="utf-8")
    return path


def serve(*options: str) -> Result:
    return CliRunner().invoke(main, ["serve", "--no-browser", *options], prog_name="vedette")


def test_bases_without_paint_are_found_by_the_photo_that_the_command_line_names(tmp_path: Path) -> None:
    paths = {"empty": tmp_path / "empty.png", "now": tmp_path / "pictures" / "now.png"}
    paths["now"].parent.mkdir()
    renderer = Renderer(over_table())
    for path, shown in zip(paths.values(), (empty_of(PLAIN), PLAIN), strict=True):
        assert cv2.imwrite(str(path), renderer.render(shown))
    write_table(tmp_path / "table.toml", PLAIN.table)
    write_intrinsics(tmp_path / "lens.json", LENS)
    live = open_table(
        tmp_path / "table.toml", str(paths["now"].parent), lens_file=tmp_path / "lens.json",
        empty_file=paths["empty"], game_file=None, ruleset="muskets-mohawks", data=tmp_path / "data", fresh=False,
    )  # fmt: skip
    live.start()
    try:
        end = time.monotonic() + 120.0
        while (seen := live.do(lambda desk: desk.observation)) is None and time.monotonic() < end:
            time.sleep(0.1)
        assert seen is not None
        assert sum(base.army is None for base in seen.bases) == 3
    finally:
        live.close()


class TestRefused:
    def test_a_table_file_that_is_not_there(self, tmp_path: Path) -> None:
        result = serve("--table", str(tmp_path / "none.toml"), "--camera", "0")
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert "none.toml" in result.stderr

    def test_a_photo_of_the_empty_table_that_is_none(self, table_file: Path, tmp_path: Path) -> None:
        options = ("--table", str(table_file), "--camera", "0", "--data", str(tmp_path / "data"))
        result = serve(*options, "--empty", str(table_file))
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert "expected a picture" in result.stderr
        assert not (tmp_path / "data" / "journal.db").exists()

    def test_a_camera_that_can_be_none(self, table_file: Path, tmp_path: Path) -> None:
        folder = tmp_path / "data"
        result = serve("--table", str(table_file), "--camera", str(tmp_path / "nowhere"), "--data", str(folder))
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert not (folder / "journal.db").exists()

    def test_a_game_for_another_table(self, table_file: Path, tmp_path: Path) -> None:
        game = tmp_path / "game.json"
        game.write_bytes(game_json(replace(GAME, table=TableArea(width_mm=900.0, depth_mm=900.0))))
        result = serve("--table", str(table_file), "--camera", "0", "--game", str(game), "--data", str(tmp_path))
        assert result.exit_code == 2
        assert "1200 x 900 mm" in result.stderr

    def test_a_game_of_rules_that_nobody_knows(self, table_file: Path, tmp_path: Path) -> None:
        game, pictures = tmp_path / "game.json", tmp_path / "pictures"
        game.write_bytes(game_json(GAME))
        folder = tmp_path / "data"
        options = ("--table", str(table_file), "--game", str(game), "--data", str(folder))
        result = serve(*options, "--camera", "http://127.0.0.1:9/none")
        assert result.exit_code == 2
        assert "muskets-mohawks" in result.stderr
        assert not pictures.exists()

    def test_a_folder_that_cannot_be_one(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x", encoding="utf-8")
        with pytest.raises(UnusableOption, match="cannot be used"):
            Keeping(tmp_path / "file" / "data")

    def test_a_folder_that_another_has_says_what_to_do(self, tmp_path: Path) -> None:
        first = Keeping(tmp_path)
        with pytest.raises(UnusableOption, match="another Vedette is using this folder: end it, or name another"):
            Keeping(tmp_path)
        first.close()

    def test_a_full_disk_is_not_taken_for_a_damaged_log(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(_connection: object) -> None:
            error = sqlite3.OperationalError("no room, in whatever words SQLite says so")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise OperationalError("", {}, error)

        monkeypatch.setattr("engine.keeping.journal._prepare", full)
        keeping = Keeping(tmp_path)
        with pytest.raises(UnusableOption) as told:
            keeping.journal(fresh=False)
        assert "is the disk full?" in str(told.value)
        assert "make room" in str(told.value)
        assert "--fresh" not in str(told.value)
        keeping.close()


@pytest.mark.parametrize(("options", "fps"), [((), 2.0), (("--fps", "5"), 5.0)])
def test_a_folder_s_pictures_come_two_a_second_unless_told(
    table_file: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], fps: float
) -> None:
    asked: list[float] = []

    def none(spec: str, *, fps: float, mode: object) -> None:
        asked.append(fps)
        raise UnusableSource(f"{spec}: no pictures")

    monkeypatch.setattr("vision.sources.open_source", none)
    assert serve("--table", str(table_file), "--camera", "pictures", *options).exit_code == 2
    assert asked == [fps]


class TestFolder:
    def test_a_game_goes_on_where_it_ended(self, toy: None, tmp_path: Path) -> None:
        desk = open_desk(first := keep(tmp_path), TABLE, GAME, "toy", fresh=False)
        desk.set_turn(4, "blue")
        desk.journal.close()
        first.close()
        again = open_desk(second := keep(tmp_path), TABLE, GAME, "toy", fresh=False)
        assert again.game.turn.number == 4
        again.journal.close()
        second.close()

    def test_another_game_does_not_take_its_place_unasked(self, toy: None, tmp_path: Path) -> None:
        desk = open_desk(first := keep(tmp_path), TABLE, GAME, "toy", fresh=False)
        desk.journal.close()
        first.close()
        other = replace(GAME, units=GAME.units[:1])
        with pytest.raises(UnusableOption, match="--fresh"):
            open_desk(keep(tmp_path), TABLE, other, "toy", fresh=False)
        fresh = open_desk(third := keep(tmp_path), TABLE, other, "toy", fresh=True)
        assert len(fresh.game.units) == 1
        assert len(list(tmp_path.glob("journal-*.db"))) == 1
        fresh.journal.close()
        third.close()

    def test_a_log_that_cannot_be_carried_on_is_said_with_what_to_do(self, toy: None, tmp_path: Path) -> None:
        (tmp_path / "journal.db").write_bytes(b"this is no database, whatever its name says" * 40)
        with pytest.raises(UnusableOption, match="begin anew with --fresh"):
            open_desk(keep(tmp_path), TABLE, GAME, "toy", fresh=False)
        fresh = open_desk(other := keep(tmp_path), TABLE, GAME, "toy", fresh=True)
        assert fresh.game == GAME
        fresh.journal.close()
        other.close()

    def test_two_programs_cannot_share_it(self, tmp_path: Path) -> None:
        first = keep(tmp_path)
        with pytest.raises(UnusableOption, match="another Vedette"):
            keep(tmp_path)
        first.close()
        keep(tmp_path).close()

    def test_without_a_game_there_is_a_side_for_each_army(self) -> None:
        game = empty_game(TABLE, "toy")
        assert [(side.name, side.edge) for side in game.sides] == [("red", "south"), ("blue", "north")]
        assert game.units == ()

    def test_the_demo_and_a_real_table_do_not_meet(self) -> None:
        assert default_folder("demo") != default_folder("serve")

    def test_revisions_begin_above_those_of_an_earlier_run(self) -> None:
        assert first_revision() > 1_700_000_000_000
        assert first_revision() < 2**53  # a page reads them as numbers
        assert now_text().endswith("Z")
