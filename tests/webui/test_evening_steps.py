"""How the steps of the first evening stand: each says what is wrong and what to do about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from calibration.records import Army, RoundBase, read_table
from engine.dice import TypedDice
from engine.play import play
from engine.records.action import Action
from engine.records.game import Game, Side, TableArea, Turn, Unit
from engine.rulesets import BUILT_IN, find_ruleset
from engine.rulesets.base.units.mustering import main_stats, roll_of
from vision.records import BaseSeen, TagSeen
from webui.evening.cameras import cameras_here
from webui.evening.kept import Files, Setup, new_table
from webui.evening.roster import groups_of
from webui.evening.steps import steps_of
from webui.table.beginning import empty_game

CAMERA = {"source": "0", "state": "live", "detail": "", "size_px": (1920, 1080)}
LENS = {"use": "guessed", "result": None}
UNMEASURED = {"use": "none", "result": None}
TABLE = {
    "markers": [1, 2, 3, 4],
    "seen": [0, 1, 2, 3],
    "missing": [],
    "others": [],
    "trouble": None,
    "warnings": [],
}
RED = {"name": "red", "seen": 5, "base_colour": "#9e2b25"}
ARMIES = [RED, {"name": "blue", "seen": 4, "base_colour": "#2f4f9e"}]
BARE = {"name": "huron", "seen": 7}
UNSEEN = {**ARMIES[1], "seen": 0}
NOT_TAKEN = {"kept": False, "taken_s": None, "faults": []}
TAKEN: dict[str, Any] = {"kept": True, "taken_s": 1.0, "faults": []}
UNITS: list[dict[str, Any]] = [
    {"name": "Foot", "side": "red", "figures": 5, "seen": 5},
    {"name": "Horse", "side": "blue", "figures": 4, "seen": 4},
]
GOOD: dict[str, Any] = {
    "camera": CAMERA, "lens": LENS, "table": {**TABLE, "off_mm": 0.4}, "tape": {"mm": 2000.0, "off_mm": 1.0},
    "armies": ARMIES, "empty": NOT_TAKEN, "roster": {"units": UNITS, "strays": []},
    "ground": {"pieces": [1], "kinds": [1], "accepted": True},
}  # fmt: skip


def changed(part: str, **keys: Any) -> dict[str, Any]:
    return {**GOOD, part: {**GOOD[part], **keys}}


def bare_of(*armies: dict[str, Any]) -> dict[str, Any]:
    """These armies, and a photo of the empty table."""
    return {**GOOD, "armies": armies, "empty": TAKEN}


def test_when_all_is_well_every_step_says_so() -> None:
    assert [step.mood for step in steps_of(GOOD)] == ["good"] * 7


@pytest.mark.parametrize(
    ("step", "view", "mood", "said"),
    [
        ("camera", changed("camera", source=None), "todo", "Choose the camera"),
        ("camera", changed("camera", state="lost", detail="camera 0 is not there"), "trouble", "choose another"),
        ("camera", changed("camera", size_px=None), "todo", "The camera starts"),
        ("camera", changed("camera", size_px=None, state="starting"), "todo", "The camera starts"),
        ("camera", changed("camera", size_px=None, state="starting", detail="not lent"), "trouble", "not lent"),
        ("camera", changed("camera", size_px=(640, 480)), "good", "only 640 x 480"),
        ("camera", changed("camera", detail="the driver does not lock the focus: x"), "good", "lock the focus"),
        ("lens", changed("lens", use="none"), "todo", "begin without"),
        ("lens", {**changed("camera", source=None, size_px=None), "lens": UNMEASURED}, "todo", "A camera first"),
        ("lens", {**changed("camera", size_px=None), "lens": UNMEASURED}, "todo", "The camera starts"),
        ("lens", {**changed("camera", size_px=None, state="lost"), "lens": UNMEASURED}, "todo", "A camera first"),
        ("lens", changed("lens", use="calibrated"), "good", "measured"),
        ("table", changed("table", markers=[], others=[0]), "todo", "lay four or more"),
        ("table", changed("table", markers=[], others=[0, 1, 2, 3]), "todo", "find where they lie"),
        ("table", changed("table", missing=[3], seen=[0, 1, 2]), "trouble", "Marker 3 not seen: uncover"),
        ("table", changed("table", missing=[2, 3]), "trouble", "Markers 2, 3 not seen: uncover or light them"),
        ("table", changed("table", seen=[0, 1, 2]), "trouble", "lay a fourth"),
        ("table", changed("table", trouble="the table markers do not agree"), "trouble", "do not agree"),
        ("table", changed("table", off_mm=9.0, warnings=["the table markers disagree"]), "trouble", "disagree"),
        ("table", changed("table", others=[7]), "good", "unlisted"),
        ("length", changed("tape", mm=None, off_mm=None), "todo", "with a tape"),
        ("length", changed("tape", mm=2000.0, off_mm=12.0), "trouble", "12.0 mm too long"),
        ("length", changed("tape", mm=2000.0, off_mm=-12.0), "trouble", "too short"),
        ("armies", {**GOOD, "armies": []}, "todo", "point at one base"),
        ("armies", {**GOOD, "armies": ARMIES[:1]}, "todo", "the other army"),
        ("armies", {**GOOD, "armies": [{**RED, "seen": None}]}, "todo", "looks for"),
        ("armies", {**GOOD, "armies": [*ARMIES[:1], UNSEEN]}, "trouble", "No base of blue"),
        ("armies", {**GOOD, "armies": [RED, BARE]}, "todo", "The rims of huron have no paint. Lay the terrain"),
        ("armies", bare_of(RED, BARE), "good", "red 5, without paint 7"),
        ("armies", bare_of(BARE, {**BARE, "name": "ottawa"}), "good", "seen: without paint 7."),
        ("armies", bare_of(RED, {**BARE, "seen": 0}), "trouble", "If huron stands there"),
        ("armies", {**GOOD, "empty": {**TAKEN, "faults": ["bases stand on it"]}}, "trouble", "Bases stand on it"),
        ("units", changed("roster", units=[], strays=[]), "todo", "on the table first"),
        ("units", changed("roster", units=[], strays=[1, 2]), "todo", "draw round"),
        ("units", changed("roster", units=UNITS[:1]), "todo", "The other side"),
        ("units", changed("roster", units=[UNITS[0], {**UNITS[1], "seen": 3}]), "good", "seen of Horse"),
        ("ground", changed("ground", accepted=False), "todo", "then accept"),
        ("ground", changed("ground", accepted=False, pieces=[], kinds=[]), "todo", "bare table"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(step: str, view: dict[str, Any], mood: str, said: str) -> None:
    found = next(one for one in steps_of(view) if one.id == step)
    assert found.mood == mood
    assert said in " ".join(found.says)


def base(army: str, x: float, y: float) -> BaseSeen:
    return BaseSeen(
        army=army, base="foot", x_mm=x, y_mm=y, z_mm=0.0, bearing_deg=None, sigma_mm=0.3, bearing_sigma_deg=None,
        confidence=1.0,
    )  # fmt: skip


def test_bases_that_stand_together_are_a_group_and_a_tag_names_it() -> None:
    line = [base("red", 100.0 + 26 * k, 100.0) for k in range(6)]
    apart = [base("red", 700.0 + 60 * k, 400.0) for k in range(3)]
    enemy = [base("blue", 130.0, 126.0)]
    tags = [TagSeen(id=17, x_mm=80.0, y_mm=60.0, bearing_deg=0.0, sigma_mm=0.3)]
    groups = groups_of([*line, *apart, *enemy], tags)
    assert [(group.army, len(group.bases), group.tag) for group in groups] == [
        ("red", 6, 17), ("red", 3, None), ("blue", 1, None),
    ]  # fmt: skip
    assert groups_of([]) == ()


@pytest.mark.parametrize("ruleset", sorted(BUILT_IN))
def test_a_unit_mustered_as_the_roll_says_is_one_of_the_rules(ruleset: str) -> None:
    rules = find_ruleset(ruleset)
    roll = roll_of(rules)
    assert roll.types
    assert roll.terrain
    assert {field.key for field in roll.fields} >= set(roll.main)
    empty = empty_game(new_table(), ruleset)
    cell: dict[str, Any] = {"palouse": {"square": (2, 2)}, "musket-pike": {"hex": (2, 2)}}.get(ruleset, {})
    for kind in roll.types:
        for weapon in kind.weapons[:3]:
            for formation in kind.formations[:1]:
                stats = main_stats(roll, kind.name)
                unit = Unit(
                    id="x", side=empty.sides[0].name, type=kind.name, weapon=weapon, formation=formation,
                    stats=stats, **cell,
                )  # fmt: skip
                game = Game(ruleset=ruleset, table=empty.table, sides=empty.sides, turn=empty.turn, units=(unit,))
                rules.check(game)


def test_foot_is_not_asked_for_its_leadership_nor_a_leader_for_his_strength() -> None:
    roll = roll_of(find_ruleset("musket-pike"))
    asked = {kind.name: kind.main for kind in roll.types}
    assert asked["infantry"] == ("strength", "quality")
    assert asked["leader"] == ("command", "leadership")
    assert main_stats(roll, "leader") == {"command": "C", "leadership": "C"}


def test_rules_of_other_people_need_no_roll() -> None:
    from tests.webui.toys import ToyRules

    assert roll_of(ToyRules()).types == ()


def test_what_is_set_up_is_kept_and_a_file_of_the_user_s_own_is_not_lost(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('format = "vedette-table/1"\n# my notes\n[table]\nwidth_mm = 900.0\ndepth_mm = 600.0\n'
                   '[markers]\ndictionary = "DICT_4X4_100"\nsize_mm = 60.0\n', encoding="utf-8")  # fmt: skip
    files = Files(tmp_path, own)
    table, lens, setup = files.read()
    assert table is not None
    assert (lens, setup) == (None, Setup())
    from msgspec.structs import replace

    army = Army(name="red", base_colour="#aa2222", bases=(RoundBase(name="foot", diameter_mm=25.0),))
    files.keep_table(replace(table, armies=(army,)))
    files.keep_table(replace(table, armies=()))
    files.keep_setup(replace(setup, camera="2", lock_focus=True))
    assert read_table(own).armies == ()
    assert "my notes" in (tmp_path / "mine.toml.before").read_text(encoding="utf-8")
    assert files.read()[2].camera == "2"


def test_the_cameras_of_this_computer_have_names(tmp_path: Path) -> None:
    for node, index, name in (
        ("video0", "0", "HD Webcam"),
        ("video1", "1", "HD Webcam"),
        ("video10", "0", "Overhead"),
    ):
        (tmp_path / node).mkdir()
        (tmp_path / node / "index").write_text(index)
        (tmp_path / node / "name").write_text(f"{name}\n")
    assert cameras_here(tmp_path) == [{"source": "0", "name": "HD Webcam"}, {"source": "10", "name": "Overhead"}]
    assert cameras_here(tmp_path / "none", "linux") == [], "Linux lists what there is, and here it lists nothing"
    tried = cameras_here(tmp_path / "none", "darwin")
    assert [one["source"] for one in tried] == ["0", "1", "2"]
    assert all("if there is one" in one["name"] for one in tried)


def test_a_demo_is_set_up_already(client: FlaskClient) -> None:
    answer = client.get("/api/evening")
    assert answer.status_code == 422
    assert "set up already" in answer.get_json()["error"]
    assert client.get("/").status_code == 200


class TestPictures:
    """Pictures are taken at two addresses, of one type, up to a size; everything else is as strict as ever."""

    def test_elsewhere_no_picture_is_taken(self, client: FlaskClient) -> None:
        answer = client.post("/api/place", data=b"\xff\xd8\xff", headers={"Content-Type": "image/jpeg"})
        assert answer.status_code == 403

    @pytest.mark.parametrize("kind", ["application/json", "image/png", "text/plain", "multipart/form-data"])
    def test_of_no_other_type(self, client: FlaskClient, kind: str) -> None:
        answer = client.post("/api/evening/frame", data=b"{}", headers={"Content-Type": kind})
        assert answer.status_code == 403

    def test_not_from_another_page(self, client: FlaskClient) -> None:
        headers = {"Content-Type": "image/jpeg", "Origin": "http://evil.example"}
        assert client.post("/api/evening/frame", data=b"\xff\xd8\xff", headers=headers).status_code == 403

    def test_a_body_of_json_stays_small(self, client: FlaskClient) -> None:
        answer = client.post("/api/evening/size", data=b" " * 300_000, headers={"Content-Type": "application/json"})
        assert answer.status_code == 413


@pytest.mark.parametrize("ruleset", BUILT_IN)
def test_the_turn_that_is_begun_first_is_turn_1(ruleset: str) -> None:
    game, rules = empty_game(new_table(), ruleset), find_ruleset(ruleset)
    if "begin-turn" in rules.forms():
        begins = Action(action="begin-turn", extra={"side": game.sides[0].name})
        game = play(game, rules.begin(game, begins), TypedDice(())).game
    assert game.turn.number == 1


def test_a_game_s_own_size_of_grid_is_kept() -> None:
    table = new_table()
    game = empty_game(table, "palouse")
    assert game.table.grid is not None
    assert (game.table.grid.columns, game.table.grid.rows) == (12, 8)
    assert isinstance(game.table, TableArea)
    assert isinstance(game.turn, Turn)
    assert all(isinstance(side, Side) for side in game.sides)
