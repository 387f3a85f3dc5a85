"""The first evening, step by step over its routes: from nothing to a table that is played on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.records import read_table
from tests.webui.evening_table import Api, covered, nothing_set_up, simulated
from vision.simulated import BoardHeld, SimulatedCamera
from webui.commands.serve import open_table


@pytest.fixture
def camera() -> SimulatedCamera:
    return simulated()


@pytest.fixture
def api(tmp_path: Path, camera: SimulatedCamera) -> Iterator[Api]:
    with nothing_set_up(tmp_path, camera) as live:
        yield Api(live)


def share(camera: SimulatedCamera, x: float, y: float, z: float = 3.0) -> list[float]:
    """Where a point of the table is seen, as shares of the picture."""
    lens = camera.camera.intrinsics
    px = camera.camera.project([[x, y, z]])[0]
    return [float(px[0]) / lens.width_px, float(px[1]) / lens.height_px]


def corners(camera: SimulatedCamera) -> list[list[float]]:
    size = camera.table.table.table
    return [share(camera, 0, 0, 0), share(camera, size.width_mm, 0, 0)]


def choose(api: Api) -> dict[str, Any]:
    api.post("camera", source="simulated")
    return api.until(lambda view: view["camera"]["size_px"] is not None)


def laid(api: Api, camera: SimulatedCamera) -> None:
    choose(api)
    api.post("lens", do="guess")
    api.post("lay", near=corners(camera))


def test_from_nothing_to_playing(api: Api, camera: SimulatedCamera, tmp_path: Path) -> None:
    assert api.client.get("/").headers["Location"] == "/evening"
    assert {step["mood"] for step in api.get()["steps"]} == {"todo"}
    choose(api)
    assert api.step("camera")["mood"] == "good"
    api.post("lens", do="guess")
    api.post("size", width_mm=1828.8, depth_mm=1219.2, marker_mm=80.0)
    api.until(lambda view: len(view["table"]["others"]) == 6)
    api.post("lay", near=corners(camera))
    view = api.until(lambda view: len(view["table"]["seen"]) == 6)
    assert view["table"]["missing"] == []
    truth = {marker.id: marker for marker in camera.table.table.markers.at}
    for marker in read_table(tmp_path / "table.toml").markers.at:
        there = truth[marker.id]
        assert np.hypot(marker.x_mm - there.x_mm, marker.y_mm - there.y_mm) < 4.0
    tape = np.hypot(truth[2].x_mm - truth[0].x_mm, truth[2].y_mm - truth[0].y_mm)
    api.post("tape", between=[0, 2], mm=float(tape), scale=True)
    assert api.post("tape", between=[1, 3], mm=float(tape))["taped"]["agrees"]
    assert api.step("length")["mood"] == "good"
    for name in ("british", "french"):
        base = next(one for one in camera.table.bases if one.army == name)
        read = api.post("point", at=share(camera, base.x_mm, base.y_mm))["base"]
        assert read["kind"] == {"shape": "round", "name": "foot", "diameter_mm": 25.0, "height_mm": 3.0}
        of_its_own = sum(one.army == name for one in camera.table.bases)
        assert read["like_it"] == of_its_own
        api.post("army", name=name, base_colour=read["colour"], bases=[read["kind"]])
    view = api.until(lambda view: sum(len(g["bases"]) for g in view["roster"]["groups"]) == 51)
    assert api.step("armies")["says"] == ["Bases seen: british 25, french 26."]
    for number, group in enumerate(view["roster"]["groups"]):
        bases = [view["roster"]["strays"][place] for place in group["bases"]]
        points = [{"x_mm": base["x_mm"], "y_mm": base["y_mm"]} for base in bases]
        unit = {"unit": f"unit-{number}", "bases": points, "side": group["army"], "type": "regular"}
        unit |= {"name": f"Company {number}", "weapon": "musket", "stats": {"rep": 4}}
        api.post("muster", assign=unit, facing_deg=0.0 if group["army"] == "british" else 180.0)
    state = api.client.get("/api/state").get_json()
    assert {unit["side"] for unit in state["game"]["units"]} == {"british", "french"}
    assert sum(len(unit["figures"]) for unit in state["game"]["units"]) == 51
    facing = {unit["side"]: {round(f["bearing_deg"]) for f in unit["figures"]} for unit in state["game"]["units"]}
    assert facing == {"british": {0}, "french": {180}}
    green = api.post("point", at=share(camera, 1480.0, 580.0, 0.0), what="ground")["colour"]
    api.post("ground", do="colour", kind="woods", colour=green, height_mm=2.0)
    view = api.until(lambda view: len(view["ground"]["pieces"]) == 3)
    assert {piece["kind"] for piece in view["ground"]["pieces"]} == {"woods"}
    api.post("ground", do="change", id=view["ground"]["pieces"][0]["id"], name="Hangman's Wood")
    api.post("ground", do="accept")
    assert api.step("ground")["mood"] == "good"
    assert [step["mood"] for step in api.get()["steps"]] == ["good"] * 7, api.get()["steps"]
    assert api.client.get("/").status_code == 200


def test_a_start_again_goes_on_where_it_was(tmp_path: Path) -> None:
    camera = simulated()
    with nothing_set_up(tmp_path, camera) as live:
        laid(Api(live), camera)
        Api(live).post("empty", do="take")
    live = open_table(
        None, None, lens_file=None, game_file=None, ruleset="muskets-mohawks", data=tmp_path, fresh=False
    )
    try:
        assert live.bench is not None
        assert live.bench.setup.camera == "simulated"
        assert len(live.bench.table.markers.at) == 6
        assert live.bench.empty is not None
        assert not live.bench.bare
    finally:
        live.close()


class TestTheLens:
    def test_a_blurred_board_is_not_taken_and_said_why(self, api: Api, camera: SimulatedCamera) -> None:
        choose(api)
        camera.hold(BoardHeld(turn=(0.1, -0.2, 0.3), middle_mm=(20.0, 20.0, 430.0), blur_px=3.0))
        number = api.get()["camera"]["frame"]
        api.until(lambda view: view["camera"]["frame"] > number + 1)
        assert "blurred" in api.refused("lens", do="take")
        assert api.get()["lens"]["photos"] == 0

    def test_no_board_in_sight_is_said(self, api: Api) -> None:
        choose(api)
        assert "not seen" in api.refused("lens", do="take")

    def test_too_few_photos_give_no_lens(self, api: Api) -> None:
        choose(api)
        assert "no board photos" in api.refused("lens", do="solve")

    def test_a_real_camera_has_no_hand_of_ours(self, api: Api) -> None:
        api.post("camera", source="browser")
        assert "real one" in api.refused("hold", hold=True)


class TestTheMarkers:
    def test_a_covered_marker_is_named_with_what_to_do(self, api: Api, camera: SimulatedCamera) -> None:
        laid(api, camera)
        camera.replace(covered(camera, 4))
        view = api.until(lambda view: view["table"]["missing"] == [4])
        step = next(step for step in view["steps"] if step["id"] == "table")
        assert step["mood"] == "trouble"
        assert step["says"][0].startswith("Marker 4 not seen: uncover or light it")

    def test_without_markers_nothing_is_laid(self, api: Api, camera: SimulatedCamera) -> None:
        for marker in range(4):
            camera.replace(covered(camera, marker))
        choose(api)
        assert "three or more are needed" in api.refused("lay")

    def test_a_size_that_no_table_has_is_refused(self, api: Api) -> None:
        told = api.refused("size", width_mm=1e9, depth_mm=1200, marker_mm=80)
        assert told == "width: expected 200 to 10000 mm, got 1000000000", "in the words of people"
        assert "marker: expected" in api.refused("size", width_mm=1800, depth_mm=1200, marker_mm=1)


class TestTheTape:
    def test_a_wrong_length_is_shown_and_told_what_it_may_be(self, api: Api, camera: SimulatedCamera) -> None:
        laid(api, camera)
        taped = api.post("tape", between=[0, 1], mm=1800)["taped"]
        assert not taped["agrees"]
        assert "is the figure in millimetres" in taped["said"]
        assert api.step("length")["mood"] == "trouble"

    def test_nothing_is_scaled_to_a_figure_that_cannot_be(self, api: Api, camera: SimulatedCamera) -> None:
        laid(api, camera)
        assert "no printer's doing" in api.refused("tape", between=[0, 1], mm=78.3, scale=True)

    def test_two_places_of_the_picture_do_as_well(self, api: Api, camera: SimulatedCamera) -> None:
        laid(api, camera)
        taped = api.post("tape", places=corners(camera), mm=1828.8)["taped"]
        assert abs(taped["camera_mm"] - 1828.8) < 6

    def test_a_marker_that_is_not_in_sight_is_named(self, api: Api, camera: SimulatedCamera) -> None:
        laid(api, camera)
        assert "marker 9 is not in sight" in api.refused("tape", between=[0, 9], mm=1000).casefold()


class TestTheArmies:
    def test_no_base_under_the_finger_is_said(self, api: Api, camera: SimulatedCamera) -> None:
        laid(api, camera)
        assert "no base under the finger" in api.refused("point", at=share(camera, 300.0, 500.0)).casefold()

    def test_two_armies_cannot_have_one_name(self, api: Api, camera: SimulatedCamera) -> None:
        laid(api, camera)
        army = {"name": "Blue", "base_colour": "#2b50ab"}
        kind = {"shape": "round", "name": "foot", "diameter_mm": 25.0}
        api.post("army", **army, bases=[kind])
        assert "already" in api.refused("army", **{**army, "name": "blue"}, bases=[kind])

    @pytest.mark.parametrize(
        ("wrong", "named"),
        [
            ({"name": "  "}, "name"),
            ({"base_colour": "red"}, "base_colour: expected a colour such as #9e2b25, got 'red'"),
            ({"bases": []}, "bases"),
            ({"bases": [{"shape": "round", "name": "x", "diameter_mm": 2.0}]}, "8 to 200"),
        ],
    )
    def test_what_no_army_can_be_is_refused(self, api: Api, wrong: dict[str, Any], named: str) -> None:
        army: dict[str, Any] = {"name": "Blue", "base_colour": "#2b50ab"}
        army["bases"] = [{"shape": "round", "name": "foot", "diameter_mm": 25.0}]
        assert named in api.refused("army", **{**army, **wrong})


class TestTheEmptyTable:
    """Its photo, by which bases without painted rims are found."""

    def test_it_is_taken_kept_and_forgotten(self, api: Api, camera: SimulatedCamera, tmp_path: Path) -> None:
        early = api.client.post("/api/evening/empty", json={"do": "take"})
        assert (early.status_code, "choose a camera first" in early.get_json()["error"]) == (503, True)
        assert "no photo of the empty table to be forgotten" in api.refused("empty", do="forget")
        laid(api, camera)
        api.post("empty", do="take")
        assert (tmp_path / "empty.png").is_file()
        told = api.get()["empty"]
        assert (told["kept"], told["faults"]) == (True, [])
        assert told["taken_s"] == pytest.approx((tmp_path / "empty.png").stat().st_mtime)
        api.post("empty", do="forget")
        assert api.get()["empty"] == {"kept": False, "taken_s": None, "faults": []}
        assert (tmp_path / "empty.png.before").is_file(), "nothing that was taken is lost"

    def test_figures_that_stand_on_it_are_said(self, api: Api, camera: SimulatedCamera) -> None:
        laid(api, camera)
        kind = {"shape": "round", "name": "foot", "diameter_mm": 25.0, "height_mm": 3.0}
        api.post("army", name="british", base_colour="#a8282a", front_mark="#f4f0e0", bases=[kind])
        api.post("empty", do="take")
        view = api.until(lambda view: bool(view["empty"]["faults"]))
        assert "25 of british" in view["empty"]["faults"][0]
        assert api.step("armies")["mood"] == "trouble"
        assert "take it again, all figures off" in api.step("armies")["says"][0]

    def test_an_army_without_paint_is_one_of_the_table(self, api: Api, camera: SimulatedCamera) -> None:
        laid(api, camera)
        kind = {"shape": "round", "name": "foot", "diameter_mm": 25.0, "height_mm": 3.0}
        assert "no mark is read" in api.refused("army", name="Huron", front_mark="#f4f0e0", bases=[kind])
        api.post("army", name="Huron", bases=[kind])
        (army,) = api.get()["armies"]
        assert (army["name"], "base_colour" in army) == ("Huron", False)
        assert "have no paint" in api.step("armies")["says"][0]


class TestLater:
    """All of it can be changed on a running game."""

    def mustered(self, api: Api, camera: SimulatedCamera) -> None:
        laid(api, camera)
        kind = {"shape": "round", "name": "foot", "diameter_mm": 25.0, "height_mm": 3.0}
        api.post("army", name="british", base_colour="#a8282a", front_mark="#f4f0e0", bases=[kind])
        view = api.until(lambda view: len(view["roster"]["strays"]) == 25)
        bases = [view["roster"]["strays"][place] for place in view["roster"]["groups"][0]["bases"]]
        points = [{"x_mm": base["x_mm"], "y_mm": base["y_mm"]} for base in bases]
        unit = {"unit": "foot", "bases": points, "side": "british", "type": "regular", "weapon": "musket"}
        api.post("muster", assign={**unit, "stats": {"rep": 4}})

    def test_a_unit_is_renamed_rearmed_and_disbanded(self, api: Api, camera: SimulatedCamera) -> None:
        self.mustered(api, camera)
        api.post("unit", unit="foot", name="The Old Foot", weapon="rifle", stats={"rep": 5})
        (unit,) = api.get()["roster"]["units"]
        assert (unit["name"], unit["weapon"], unit["stats"]["rep"]) == ("The Old Foot", "rifle", 5)
        assert "weapon" in api.refused("unit", unit="foot", weapon="laser")
        api.post("unit", unit="foot", disband=True)
        api.until(lambda view: not view["roster"]["units"] and len(view["roster"]["strays"]) == 25)

    def test_the_table_and_an_army_change_and_the_units_stay(self, api: Api, camera: SimulatedCamera) -> None:
        self.mustered(api, camera)
        api.post("size", width_mm=1800.0, depth_mm=1200.0, marker_mm=80.0)
        kind = {"shape": "round", "name": "foot", "diameter_mm": 25.0, "height_mm": 3.0}
        api.post("army", name="french", base_colour="#2b50ab", front_mark="#f4f0e0", bases=[kind])
        state = api.client.get("/api/state").get_json()
        assert state["game"]["table"]["width_mm"] == 1800.0
        assert [unit["id"] for unit in state["game"]["units"]] == ["foot"]
        assert {side["name"] for side in state["game"]["sides"]} >= {"british", "french"}
        assert "has units" in api.refused("army/remove", name="british")
        api.post("army/remove", name="french")

    def test_a_line_faces_the_enemy_or_the_other_way_about(self, api: Api, camera: SimulatedCamera) -> None:
        """As the bases stand, though the mark on none of them is read."""
        laid(api, camera)
        kind = {"shape": "round", "name": "foot", "diameter_mm": 25.0, "height_mm": 3.0}
        api.post("army", name="british", base_colour="#a8282a", bases=[kind])
        api.post("army", name="french", base_colour="#2b50ab", bases=[kind])
        view = api.until(lambda view: len(view["roster"]["strays"]) == 51)
        line = [
            base for base in view["roster"]["strays"] if base["army"] == "british" and 700 < base["x_mm"] < 1050
        ]
        points = [{"x_mm": base["x_mm"], "y_mm": base["y_mm"]} for base in line]
        unit = {"unit": "foot", "bases": points, "side": "british", "type": "regular", "weapon": "musket"}
        api.post("muster", assign={**unit, "stats": {"rep": 4}}, facing="line")
        assert self.faces(api) == pytest.approx([0.0] * 10, abs=3.0)
        api.post("unit", unit="foot", facing="about")
        assert [abs(face) for face in self.faces(api)] == pytest.approx([180.0] * 10, abs=3.0)
        api.post("unit", unit="foot", facing_deg=90.0)
        assert self.faces(api) == [90.0] * 10
        assert "facing" in api.refused("unit", unit="foot", facing="round")

    @pytest.mark.rule("MM-29")
    def test_it_is_said_which_figure_leads_and_later_that_it_is_another(
        self, api: Api, camera: SimulatedCamera
    ) -> None:
        self.mustered(api, camera)
        (unit,) = api.get()["roster"]["units"]
        first, second, third = (base["figure"] for base in unit["bases"][:3])
        api.post("unit", unit="foot", roles={first: "leader", second: "officer"})
        assert self.roles(api) == {first: "leader", second: "officer"}
        api.post("unit", unit="foot", roles={third: "leader"})
        assert self.roles(api) == {third: "leader", second: "officer"}, "a unit has one Leader"
        assert "at most" in api.refused("unit", unit="foot", roles={first: "leader", second: "leader"})
        assert "expected figures of foot" in api.refused("unit", unit="foot", roles={"nobody": "leader"})
        assert "role" in api.refused("unit", unit="foot", roles={first: "king"})

    @pytest.mark.rule("MM-29")
    def test_a_leader_whose_rep_is_given_stands_on_a_base(self, api: Api, camera: SimulatedCamera) -> None:
        self.mustered(api, camera)
        roster = api.get()["roster"]
        stray, other = ({"x_mm": one["x_mm"], "y_mm": one["y_mm"]} for one in roster["strays"][:2])
        unit = {"unit": "guard", "side": "british", "type": "regular", "weapon": "musket"}
        led = {**unit, "stats": {"rep": 4, "leader_rep": 5}}
        assert "which base is the Leader" in api.refused("muster", assign={**led, "bases": [stray, other]})
        chiefs = [{**stray, "role": "leader"}, {**other, "role": "leader"}]
        assert "one of them is the Leader" in api.refused("muster", assign={**led, "bases": chiefs})
        api.post("muster", assign={**led, "bases": [stray, {**other, "role": "leader"}]})
        assert self.roles(api) == {"guard-2": "leader"}
        third = {"x_mm": roster["strays"][2]["x_mm"], "y_mm": roster["strays"][2]["y_mm"], "role": "leader"}
        assert "has its Leader" in api.refused("muster", assign={"unit": "guard", "bases": [third]})

    def roles(self, api: Api) -> dict[str, str]:
        units = api.client.get("/api/state").get_json()["game"]["units"]
        return {
            one["id"]: one["role"] for unit in units for one in unit["figures"] if one.get("role", "rank") != "rank"
        }

    def faces(self, api: Api) -> list[float]:
        figures = api.client.get("/api/state").get_json()["game"]["units"][0]["figures"]
        return [(figure["bearing_deg"] + 180.0) % 360.0 - 180.0 for figure in figures]

    def test_other_rules_only_without_units_or_in_a_new_game(self, api: Api, camera: SimulatedCamera) -> None:
        self.mustered(api, camera)
        assert "mustered by the rules" in api.refused("rules", ruleset="tyneside")
        api.post("rules", ruleset="tyneside", anew=True)
        assert api.get()["roster"]["ruleset"] == "tyneside"
        assert api.get()["roster"]["units"] == []
        for ruleset in ("palouse", "musket-pike", "presidio", "muskets-mohawks"):
            api.post("rules", ruleset=ruleset)
        assert "expected one of" in api.refused("rules", ruleset="chess")


def test_only_the_umpire_sets_the_table_up(api: Api) -> None:
    code = next(one for one in api.client.get("/api/join").get_json()["invitations"] if one["name"] == "spectator")
    api.client.post("/api/join", json={"code": code["code"]})
    assert api.client.get("/api/evening").status_code == 403
    assert api.client.post("/api/evening/camera", json={"source": "0"}).status_code == 403
