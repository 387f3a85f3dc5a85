"""``vedette evening``: from nothing to a game that is played on, by commands and photos alone."""

from __future__ import annotations

import itertools
import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from msgspec import UNSET
from msgspec.structs import replace

from calibration.records import Table, read_table
from engine.keeping.entry import Entry
from engine.keeping.journal import Journal
from engine.keeping.shelf import Held
from engine.records.game import Game, game_json, read_game
from tests.command_line import vedette
from tests.webui.evening_photo import DEMO, base_of, pixel, take
from webui.commands.serve import open_table

EXAMPLE = Path(__file__).parents[2] / "examples" / "first-volley" / "game.json"


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return take(tmp_path_factory.mktemp("photo") / "photo.png")


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory, photo: Path) -> Path:
    """An evening with its table, its markers and two armies; nothing is mustered."""
    folder = tmp_path_factory.mktemp("laid") / "evening"
    size = DEMO.virtual.table.table
    corners = "--near-left", pixel(0, 0, 0), "--near-right", pixel(size.width_mm, 0, 0)
    for words in (
        ("begin",),
        ("size", f"{size.width_mm}x{size.depth_mm}", "--marker", 80),
        ("lay", "--photo", photo, *corners),
        ("army", "british", "--photo", photo, "--at", base_of("british"), "--front-mark", "#f4f0e0"),
        ("army", "french", "--colour", "#2b50ab", "--front-mark", "#f4f0e0", "--base", "foot=25"),
    ):
        done = evening(folder, *words)
        assert done.exit_code == 0, done.stderr
    return folder


@pytest.fixture
def folder(tmp_path: Path, laid_out: Path) -> Path:
    """The same, for a test of its own."""
    return Path(shutil.copytree(laid_out, tmp_path / "evening"))


@pytest.fixture
def mustered(folder: Path, photo: Path) -> Path:
    """The same, the largest group of the british a unit."""
    words = "muster", "foot", "--photo", photo, "--group", 1, "--side", "british", "--type", "regular"
    done = evening(folder, *words, "--weapon", "musket", "--name", "1st Foot", "--stat", "rep=4")
    assert done.exit_code == 0, done.stderr
    return folder


def evening(folder: Path, *words: object) -> Result:
    return vedette("evening", *words, "--data", folder)


def begun_by_file(tmp_path: Path) -> tuple[Path, Game]:
    """An evening begun with a game's file, on a table of another size than most."""
    game = read_game(EXAMPLE)
    game = replace(game, table=replace(game.table, width_mm=1500.0))
    (tmp_path / "game.json").write_bytes(game_json(game))
    assert evening(tmp_path / "new", "begin", tmp_path / "game.json").exit_code == 0
    return tmp_path / "new", game


def kept(folder: Path) -> Game:
    with Journal(folder / "journal.db") as journal:
        journal.verify()
        return journal.game


def entries(folder: Path) -> tuple[Entry, ...]:
    with Journal(folder / "journal.db") as journal:
        return tuple(journal.entries)


def table(folder: Path) -> Table:
    return read_table(folder / "table.toml")


def everything(folder: Path) -> object:
    """All that an evening keeps."""
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in (".toml", ".json")}
    return files, entries(folder)


def undone(folder: Path) -> Game:
    assert vedette("log", "undo", folder / "journal.db").exit_code == 0
    return kept(folder)


def steps(folder: Path, *words: object) -> dict[str, dict[str, Any]]:
    return {one["id"]: one for one in json.loads(evening(folder, "show", "--json", *words).stdout)["steps"]}


class TestTheTable:
    def test_its_markers_lie_where_the_photo_shows_them(self, laid_out: Path) -> None:
        truth = {one.id: one for one in DEMO.virtual.table.markers.at}
        found = table(laid_out).markers.at
        assert {one.id for one in found} == set(truth)
        for one in found:
            assert math.hypot(one.x_mm - truth[one.id].x_mm, one.y_mm - truth[one.id].y_mm) < 4.0

    def test_its_corners_are_where_they_are_pointed_at(self, folder: Path, photo: Path) -> None:
        width = DEMO.virtual.table.table.width_mm
        corners = "--near-left", pixel(0, 100, 0), "--near-right", pixel(width, 100, 0)
        assert evening(folder, "lay", "--photo", photo, *corners).exit_code == 0
        truth = {one.id: one for one in DEMO.virtual.table.markers.at}
        assert all(abs(one.y_mm - truth[one.id].y_mm + 100.0) < 4.0 for one in table(folder).markers.at)

    def test_every_step_says_how_it_stands_as_on_the_page(self, laid_out: Path, photo: Path) -> None:
        told = steps(laid_out, "--photo", photo)
        assert told["table"]["mood"] == told["armies"]["mood"] == "good"
        assert "Bases seen: british 25, french 26." in told["armies"]["says"]
        shown = evening(laid_out, "show", "--photo", photo).stdout
        assert "The armies (good): Bases seen: british 25, french 26." in shown.splitlines()

    def test_without_a_photo_it_is_said_how_to_give_one(self, laid_out: Path) -> None:
        assert "there is no picture: give one with --photo" in evening(laid_out, "show").stdout

    def test_another_size_is_the_table_s_and_the_game_s(self, folder: Path) -> None:
        assert evening(folder, "size", "1800x1200").exit_code == 0
        assert (table(folder).table.width_mm, table(folder).markers.size_mm) == (1800.0, 80.0)
        assert kept(folder).table.width_mm == 1800.0

    def test_the_tape_checks_it_and_scales_it(self, folder: Path, photo: Path) -> None:
        ends = {one.id: one for one in DEMO.virtual.table.markers.at}
        mm = math.hypot(ends[2].x_mm - ends[0].x_mm, ends[2].y_mm - ends[0].y_mm)
        assert "they agree" in evening(folder, "tape", f"0:2={mm:.0f}", "--photo", photo).stdout
        assert steps(folder)["length"]["mood"] == "good"
        wrong = evening(folder, "tape", f"0:2={mm * 0.97:.0f}", "--photo", photo)
        assert (wrong.exit_code, "no printer is off by so much" in wrong.stderr) == (1, True)
        assert evening(folder, "tape", f"0:2={mm * 0.97:.0f}", "--photo", photo, "--scale").exit_code == 0
        places = {one.id: one for one in table(folder).markers.at}
        scaled = math.hypot(places[2].x_mm - places[0].x_mm, places[2].y_mm - places[0].y_mm)
        assert abs(scaled - round(mm * 0.97)) < 0.5

    def test_the_camera_that_is_chosen_is_the_one_that_serve_watches(self, folder: Path) -> None:
        assert evening(folder, "camera", "simulated", "--size", "1280x720", "--lock-focus").exit_code == 0
        live = open_table(
            None, None, lens_file=None, game_file=None, ruleset="muskets-mohawks", data=folder, fresh=False
        )
        assert live.bench is not None
        setup = live.bench.setup
        live.close()
        assert (setup.camera, setup.width_px, setup.lock_focus) == ("simulated", 1280, True)


class TestTheGame:
    def test_a_game_s_file_is_begun_with_on_a_table_of_its_size(self, tmp_path: Path) -> None:
        folder, game = begun_by_file(tmp_path)
        assert (kept(folder), table(folder).table.width_mm) == (game, 1500.0)
        wrong = evening(folder, "begin", EXAMPLE, "--fresh")
        assert (wrong.exit_code, "expected the size of the table file, 1500 x" in wrong.stderr) == (2, True)

    def test_a_new_one_puts_the_log_of_the_last_aside(self, folder: Path) -> None:
        assert evening(folder, "begin", "--ruleset", "tyneside").exit_code == 2
        assert evening(folder, "begin", "--ruleset", "tyneside", "--fresh").exit_code == 0
        assert (kept(folder).ruleset, kept(folder).sides[0].name) == ("tyneside", "british")
        assert len(list(folder.glob("journal-*.db"))) == 1

    def test_a_folder_with_a_log_alone_has_a_table_of_the_game_s_size(self, tmp_path: Path) -> None:
        folder, game = begun_by_file(tmp_path)
        (folder / "table.toml").unlink()
        assert evening(folder, "unit", game.units[0].id, "--name", "Ours").exit_code == 0
        done = evening(folder, "army", "greens", "--colour", "00aa00", "--base", "foot=25")
        assert (done.exit_code, kept(folder).table.width_mm) == (0, 1500.0)

    def test_other_rules_only_without_units_or_anew(self, mustered: Path) -> None:
        refused = evening(mustered, "rules", "tyneside")
        assert (refused.exit_code, "mustered by the rules" in refused.stderr) == (1, True)
        assert evening(mustered, "rules", "tyneside", "--anew").exit_code == 0
        assert (kept(mustered).ruleset, kept(mustered).units) == ("tyneside", ())


class TestTheArmies:
    def test_one_that_is_pointed_at_is_read_off_the_photo(self, laid_out: Path) -> None:
        british, french = table(laid_out).armies
        assert (british.name, british.bases) == ("british", french.bases)
        assert {side.name for side in kept(laid_out).sides} == {"british", "french"}

    def test_what_is_not_told_of_one_stays(self, folder: Path) -> None:
        was = table(folder).armies[1]
        assert evening(folder, "army", "french", "--colour", "2b50ac").exit_code == 0
        assert table(folder).armies[1] == replace(was, base_colour="#2b50ac")
        assert evening(folder, "army", "french", "--colour", was.base_colour).exit_code == 0
        assert evening(folder, "army", "french", "--front-mark", "none").exit_code == 0
        assert evening(folder, "army", "Français", "--was", "french", "--base", "horse=25x50").exit_code == 0
        now = table(folder).armies[1]
        assert (now.name, now.base_colour) == ("Français", was.base_colour)
        assert (now.bases[0].name, len(now.bases)) == ("horse", 1)
        assert "front_mark" not in (folder / "table.toml").read_text(encoding="utf-8").split("Français")[1]

    def test_one_is_taken_out_unless_it_has_units(self, mustered: Path) -> None:
        refused = evening(mustered, "army", "british", "--remove")
        assert (refused.exit_code, "has units in the game" in refused.stderr) == (1, True)
        assert evening(mustered, "army", "french", "--remove").exit_code == 0
        assert [one.name for one in table(mustered).armies] == ["british"]

    def test_one_may_have_no_painted_rims(self, folder: Path) -> None:
        assert evening(folder, "army", "french", "--colour", "none").exit_code == 0
        french = table(folder).armies[1]
        assert (french.base_colour, french.front_mark) == (UNSET, UNSET)
        assert evening(folder, "army", "huron", "--colour", "none", "--base", "foot=25").exit_code == 0
        told = evening(folder, "show").stdout
        assert "The rims of french and huron have no paint." in told

    def test_the_photo_of_the_empty_table_is_kept_and_forgotten(self, folder: Path, photo: Path) -> None:
        done = evening(folder, "empty", "--photo", photo)
        assert (done.exit_code, "empty.png: written" in done.stderr) == (0, True)
        told = json.loads(evening(folder, "show", "--photo", photo, "--json").stdout)
        assert told["empty"]["kept"]
        assert "25 of british and" in told["empty"]["faults"][0], "the figures stand on it"
        done = evening(folder, "empty", "--forget")
        assert (done.exit_code, "put aside" in done.stderr) == (0, True)
        again = evening(folder, "empty", "--forget")
        assert (again.exit_code, again.stderr.count("\n")) == (2, 1)
        assert evening(folder, "empty").exit_code == 2


class TestTheUnits:
    def test_one_faces_as_its_line_lies_or_the_other_way_about(self, folder: Path, photo: Path) -> None:
        for army in ("british", "french"):
            assert evening(folder, "army", army, "--front-mark", "none").exit_code == 0
        words = "muster", "foot", "--photo", photo, "--group", 1, "--side", "british", "--type", "regular"
        done = evening(folder, *words, "--weapon", "musket", "--stat", "rep=4", "--facing", "line")
        assert done.exit_code == 0, done.stderr
        faces = {figure.bearing_deg or 0.0 for figure in kept(folder).unit("foot").figures}
        assert len(faces) == 1
        (face,) = faces
        assert math.cos(math.radians(face)) > 0.99
        assert evening(folder, "unit", "foot", "--facing", "about").exit_code == 0
        about = {figure.bearing_deg for figure in kept(folder).unit("foot").figures}
        assert list(about) == pytest.approx([(face + 180.0) % 360.0])
        refused = evening(folder, "unit", "foot", "--facing", "sideways")
        assert (refused.exit_code, "expected degrees from -360 to 360" in refused.stderr) == (2, True)

    def test_bases_of_nobody_are_listed_as_they_stand_together(self, laid_out: Path, photo: Path) -> None:
        lines = evening(laid_out, "muster", "--photo", photo).stdout.splitlines()
        assert lines[0] == "group 1: british, 10 bases"
        assert sum(len(line.split()) for line in lines if line.startswith("  ")) == 51
        assert "regular" in lines[-1]

    def test_a_group_becomes_a_unit_as_on_the_page_and_it_can_be_undone(self, folder: Path, mustered: Path) -> None:
        unit = kept(mustered).unit("foot")
        assert (unit.name, unit.side, unit.weapon, unit.stats["rep"]) == ("1st Foot", "british", "musket", 4)
        assert len(unit.figures) == 10
        assert (entries(mustered)[-1].kind, entries(mustered)[-1].events[0].event) == ("assign", "assigned")
        assert undone(mustered).units == ()

    def test_bases_are_named_by_where_they_stand_and_missing_figures_come_first(
        self, mustered: Path, photo: Path
    ) -> None:
        listed = evening(mustered, "muster", "--photo", photo).stdout.splitlines()
        place = next(lines for head, lines in itertools.pairwise(listed) if "british" in head).split()[0]
        assert evening(mustered, "muster", "foot", place, "--photo", photo).exit_code == 0
        figures = kept(mustered).unit("foot").figures
        x, y = map(float, place.split(","))
        assert len(figures) == 11
        assert math.hypot(figures[-1].x_mm - x, figures[-1].y_mm - y) < 1.0
        assert place not in evening(mustered, "muster", "--photo", photo).stdout.split()

    def test_what_a_unit_that_is_there_is_called_is_not_said_beside_its_bases(
        self, mustered: Path, photo: Path
    ) -> None:
        before = everything(mustered)
        done = evening(mustered, "muster", "foot", "--group", 1, "--photo", photo, "--side", "french")
        assert (done.exit_code, "foot is there already: 'vedette evening unit'" in done.stderr) == (2, True)
        assert everything(mustered) == before

    @pytest.mark.rule("MM-29")
    def test_which_base_is_the_leader_is_said_by_its_place_and_later_by_its_figure(
        self, folder: Path, photo: Path
    ) -> None:
        listed = evening(folder, "muster", "--photo", photo).stdout.splitlines()
        place = listed[1].split()[4]
        words = "muster", "foot", "--photo", photo, "--group", 1, "--side", "british", "--type", "regular"
        words = *words, "--weapon", "musket", "--stat", "rep=4", "--stat", "leader_rep=5"
        assert "Say which base is the Leader" in evening(folder, *words).stderr
        assert "none of the bases stands at 1,1" in evening(folder, *words, "--role", "leader=1,1").stderr
        assert "expected such as leader=" in evening(folder, *words, "--role", "leader").stderr
        done = evening(folder, *words, "--role", f"leader={place}")
        assert done.exit_code == 0, done.stderr
        (leader,) = (figure for figure in kept(folder).unit("foot").figures if figure.role == "leader")
        assert f"{leader.x_mm:.0f},{leader.y_mm:.0f}" == place
        assert evening(folder, "unit", "foot", "--role", "leader=foot-2").exit_code == 0
        assert [figure.id for figure in kept(folder).unit("foot").figures if figure.role == "leader"] == ["foot-2"]

    def test_it_is_renamed_rearmed_turned_and_disbanded_and_all_can_be_undone(self, mustered: Path) -> None:
        was = kept(mustered)
        done = evening(mustered, "unit", "foot", "rep=5", "--name", "The Old Foot", "--weapon", "rifle")
        assert (done.exit_code, "The Old Foot" in done.stdout) == (0, True)
        unit = kept(mustered).unit("foot")
        assert (unit.name, unit.weapon, unit.stats["rep"]) == ("The Old Foot", "rifle", 5)
        assert undone(mustered) == was
        assert evening(mustered, "unit", "foot", "--facing", 90).exit_code == 0
        assert {figure.bearing_deg for figure in kept(mustered).unit("foot").figures} == {90.0}
        assert undone(mustered) == was
        assert evening(mustered, "unit", "foot", "--disband").exit_code == 0
        assert kept(mustered).units == ()
        assert undone(mustered) == was

    def test_what_a_photo_shows_moved_has_moved(self, mustered: Path, tmp_path: Path) -> None:
        before = kept(mustered).unit("foot").figures[0]
        done = evening(mustered, "look", "--photo", take(tmp_path / "later.png", forward_mm=90.0))
        assert done.exit_code == 0
        after = kept(mustered).unit("foot").figures[0]
        assert abs(after.y_mm - before.y_mm - 90.0) < 3.0
        assert (entries(mustered)[-1].kind, "moved" in done.stdout) == ("camera", True)

    def test_a_photo_on_which_nothing_moved_writes_nothing(self, mustered: Path, photo: Path) -> None:
        before = entries(mustered)
        assert evening(mustered, "look", "--photo", photo).stdout == "nothing has moved\n"
        assert entries(mustered) == before


class TestTheGround:
    def test_a_wood_is_named_by_its_colour_and_found_on_the_photo(self, folder: Path, photo: Path) -> None:
        at = pixel(1480.0, 580.0, 0.0)
        assert evening(folder, "ground", "colour", "woods", "--photo", photo, "--at", at).exit_code == 0
        assert [one.kind for one in table(folder).terrain_kinds] == ["woods"]
        assert evening(folder, "look", "--photo", photo).exit_code == 0
        assert {piece.kind for piece in kept(folder).terrain} == {"woods"}
        assert evening(folder, "ground", "forget", "woods").exit_code == 0
        assert (table(folder).terrain_kinds, kept(folder).terrain) == ((), ())

    def test_what_a_photo_shows_is_accepted_and_then_nothing_is_added(self, folder: Path, photo: Path) -> None:
        assert evening(folder, "ground", "colour", "woods", "#2e5a2c").exit_code == 0
        assert evening(folder, "ground", "accept", "--photo", photo).exit_code == 0
        laid = kept(folder).terrain
        assert len(laid) == 3
        assert steps(folder)["ground"]["mood"] == "good"
        assert evening(folder, "ground", "remove", laid[0].id).exit_code == 0
        assert evening(folder, "look", "--photo", photo).stdout == "nothing has moved\n"
        assert evening(folder, "ground", "again").exit_code == 0
        assert evening(folder, "look", "--photo", photo).exit_code == 0
        assert len(kept(folder).terrain) == 3

    def test_a_piece_is_drawn_corrected_and_taken_off_and_each_can_be_undone(self, folder: Path) -> None:
        assert evening(folder, "ground", "draw", "road", "10,10", "50,10", "50,300", "10,300").exit_code == 0
        assert kept(folder).terrain[0].polygon_mm == ((10, 10), (50, 10), (50, 300), (10, 300))
        assert evening(folder, "ground", "change", "road-1", "--name", "Lane", "--height", 5).exit_code == 0
        assert [(one.id, one.kind, one.height_mm) for one in kept(folder).terrain] == [("Lane", "road", 5.0)]
        assert evening(folder, "ground", "remove", "Lane").exit_code == 0
        assert kept(folder).terrain == ()
        assert [one.id for one in undone(folder).terrain] == ["Lane"]


class TestRefusing:
    """One clear line, and nothing is written."""

    @pytest.mark.parametrize(
        ("words", "status", "said"),
        [
            (("muster", "foot", "1,1", "--photo", "PHOTO"), 2, "no free base is seen at 1, 1 mm"),
            (("muster", "foot", "1", "--photo", "PHOTO"), 2, "expected such as 250,300"),
            (("muster", "foot", "--photo", "PHOTO"), 2, "expected the bases of the unit"),
            (("muster", "new", "--group", 99, "--photo", "PHOTO"), 2, "expected one of the 6 groups"),
            (("muster", "new", "--group", 1, "--photo", "PHOTO"), 2, "side: a new unit needs one of british"),
            (("muster", "new", "--group", 1, "--photo", "none.png"), 2, "none.png"),
            (("muster", "--group", 1, "--photo", "PHOTO"), 2, "expected the UNIT"),
            (("unit", "nobody", "--name", "X"), 2, "there is no unit 'nobody'"),
            (("unit", "nobody"), 2, "expected what is to change"),
            (("unit", "nobody", "rep"), 2, "expected KEY=VALUE"),
            (("army", "greens"), 2, "a new army needs --colour and --base"),
            (("army", "greens", "--colour", "green", "--base", "foot=25"), 2, "expected a colour such as 9e2b25"),
            (("army", "greens", "--colour", "#00ff00", "--base", "foot"), 2, "expected KIND=SIZE"),
            (
                ("army", "greens", "--colour", "#00ff00", "--base", "foot=2"),
                2,
                "vedette: bases: expected a size",
            ),
            (("army", "greens", "--remove"), 2, "there is no army 'greens'"),
            (("army", "french", "--remove", "--colour", "#00ff00"), 2, "--remove takes the army out"),
            (("army", "greens", "--at", "1,2"), 2, "both --photo and --at"),
            (("army", "greens", "--photo", "PHOTO", "--at", "5,5"), 1, "no base under the finger"),
            (("size", "5x1200"), 2, "WIDTHxDEPTH: expected 200 to 10000 mm a side, got '5x1200' (see"),
            (("size", "6x4"), 2, "200 to 10000 mm a side, got '6x4'; 6 x 4 ft are 1829x1219 (see"),
            (("size", "72x48"), 2, "200 to 10000 mm a side, got '72x48'; 72 x 48 in are 1829x1219 (see"),
            (("size", "large"), 2, "expected such as 1830x1220, got 'large'"),
            (("size", "1830x1220x80"), 2, "expected such as 1830x1220, got '1830x1220x80'"),
            (("lay", "--photo", "PHOTO", "--near-left", "1,2"), 2, "both --near-left and --near-right"),
            (("tape", "0:2", "--photo", "PHOTO"), 2, "expected such as 0:2=2272"),
            (("tape", "0:9=1000", "--photo", "PHOTO"), 1, "marker 9 is not in sight"),
            (("tape", "0:2=78", "--scale", "--photo", "PHOTO"), 1, "no printer's doing"),
            (("tape", "0:2.5=1000", "--photo", "PHOTO"), 2, "expected such as 0:2=2272"),
            (("camera", "none.mp4"), 2, "none.mp4"),
            (("camera", "simulated", "--size", "1x1"), 2, "expected 160 to 8192 pixels a side"),
            (("rules", "chess"), 2, "expected one of"),
            (("begin",), 2, "--fresh puts its log aside"),
            (("grid", "--photo", "PHOTO"), 1, "grid"),
            (("ground", "draw", "road", "1,1", "2,2"), 2, "expected three corners"),
            (
                ("ground", "draw", "road", "1,1", "1,1", "1,1"),
                2,
                "expected three corners or more of the piece, got 1",
            ),
            (("ground", "draw", "road", "0,0", "9,9", "9,0", "0,9"), 2, "crosses itself"),
            (("ground", "draw", "lava", "0,0", "9,9", "9,0"), 2, "lava"),
            (("ground", "change", "wood-9", "--name", "X"), 2, "there is no piece 'wood-9'"),
            (("ground", "change", "wood-9"), 2, "expected what is to change"),
            (("ground", "remove", "wood-9"), 2, "there is no piece 'wood-9'"),
            (("ground", "forget", "lava"), 2, "'lava' is not looked for"),
            (("ground", "colour", "woods"), 2, "expected the colour"),
            (("ground", "colour", "woods", "green"), 2, "expected a colour such as 9e2b25"),
        ],
    )
    def test_what_cannot_be(
        self, folder: Path, photo: Path, words: tuple[object, ...], status: int, said: str
    ) -> None:
        before = everything(folder)
        done = evening(folder, *(photo if word == "PHOTO" else word for word in words))
        assert (done.exit_code, said in done.stderr, done.stderr.count("\n")) == (status, True, 1), done.stderr
        assert everything(folder) == before

    def test_a_folder_that_is_mistyped_is_not_made(self, tmp_path: Path) -> None:
        done = evening(tmp_path / "mistyped", "show")
        assert (done.exit_code, "'vedette evening begin' makes one" in done.stderr) == (2, True)
        assert list(tmp_path.iterdir()) == []

    def test_an_evening_that_a_running_program_has_is_left_alone(self, folder: Path) -> None:
        before = everything(folder)
        with Held(folder):
            done = evening(folder, "size", "1800x1200")
        assert (done.exit_code, "another Vedette" in done.stderr) == (2, True)
        assert everything(folder) == before


def test_what_stands_after_all_this_is_played_on(mustered: Path) -> None:
    played = vedette("ask", mustered / "journal.db")
    assert (played.exit_code, "1st Foot" in played.stdout) == (0, True)


def test_a_game_on_a_table_larger_than_a_table_file_may_tell_of_is_refused_and_writes_none(tmp_path: Path) -> None:
    game = tmp_path / "game.json"
    vast = {**json.loads(EXAMPLE.read_text()), "table": {"width_mm": 1e6, "depth_mm": 1219.2}}
    game.write_text(json.dumps(vast), encoding="utf-8")
    done = evening(tmp_path / "evening", "begin", game)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "table: expected the size of the table file, 20000 x 1219.2 mm, got 1e+06 x 1219.2 mm" in done.stderr
    assert not (tmp_path / "evening").exists()


def test_the_help_tells_how_large_a_printed_marker_may_be() -> None:
    assert "[15<=x<=400]" in vedette("evening", "size", "--help").output
