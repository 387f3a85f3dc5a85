"""`vedette measure` and `vedette watch` as typed: what they print where, and what they end with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.records import write_intrinsics, write_table
from tests.vision.small_table import LENS, TABLE, base, camera, table
from vision.records import Observation, read_observation
from vision.simulated import Renderer, TagPlaced
from webui.cli import main

SCENE = table(base("b1", 200.0, 150.0), tags=(TagPlaced(id=17, x_mm=300.0, y_mm=320.0),))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("photos")
    write_table(place / "t.toml", TABLE)
    write_intrinsics(place / "cam.json", LENS)
    frame = Renderer(camera()).render(SCENE)
    cv2.imwrite(str(place / "photo.png"), frame)
    cv2.imwrite(str(place / "dark.png"), np.zeros_like(frame))
    (place / "frames").mkdir()
    for number in range(3):
        cv2.imwrite(str(place / "frames" / f"{number}.png"), frame)
    return place


@pytest.fixture
def vedette(folder: Path) -> Callable[..., Result]:
    def run(*words: str) -> Result:
        return CliRunner().invoke(main, [w.replace("@", f"{folder}/") for w in words], prog_name="vedette")

    return run


LENS_AND_TABLE = ("--table", "@t.toml", "--intrinsics", "@cam.json")


def test_measure_prints_an_observation_alone_on_standard_output(vedette: Callable[..., Result], tmp_path: Path):
    done = vedette("measure", "@photo.png", *LENS_AND_TABLE, "--json")
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    path = tmp_path / "o.json"
    path.write_text(done.stdout)
    seen = read_observation(path)
    assert isinstance(seen, Observation)
    assert [tag.id for tag in seen.tags] == [17]
    assert ("british", "foot") in [(b.army, b.base) for b in seen.bases]


def test_measure_prints_a_table_for_people(vedette: Callable[..., Result]):
    done = vedette("measure", "@photo.png", *LENS_AND_TABLE)
    assert done.exit_code == 0, done.output
    for words in ("Camera at", "Tags", "17", "Bases", "british", "No terrain seen."):
        assert words in done.stdout


def test_measure_without_a_lens_file_warns_on_standard_error(vedette: Callable[..., Result]):
    done = vedette("measure", "@photo.png", "--table", "@t.toml", "--json")
    assert done.exit_code == 0, done.output
    assert "warning: no lens file" in done.stderr
    assert json.loads(done.stdout)["format"] == "vedette-observation/1"


def test_watch_prints_one_event_a_line(vedette: Callable[..., Result]):
    done = vedette("watch", "@frames", *LENS_AND_TABLE, "--json")
    assert done.exit_code == 0, done.output
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(e["event"], e["army"], e["base"]) for e in events] == [("appeared", "british", "foot")]


def test_watch_tells_people_what_happened(vedette: Callable[..., Result]):
    done = vedette("watch", "@frames", *LENS_AND_TABLE)
    assert done.exit_code == 0, done.output
    assert "appeared  british foot" in done.stdout


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (("measure", "@dark.png", *LENS_AND_TABLE), 1, "too few table markers"),
        (("measure", "@missing.png", *LENS_AND_TABLE), 2, "missing.png"),
        (("measure", "@t.toml", *LENS_AND_TABLE), 2, "expected a picture"),
        (
            ("measure", "@photo.png", "--table", "@cam.json"),
            2,
            "cam.json: expected a vedette-table/1 file, found no well-formed TOML: Invalid",
        ),
        (
            ("measure", "@photo.png", "--table", "@t.toml", "--intrinsics", "@t.toml"),
            2,
            "t.toml: expected a vedette-camera/1 file, found no well-formed JSON: Expecting",
        ),
        (("measure", "@photo.png", *LENS_AND_TABLE, "--empty", "@no.jpg"), 2, "no.jpg"),
        (("measure", "@photo.png"), 2, "--table"),
        (("watch", "@frames", *LENS_AND_TABLE, "--fps", "0"), 2, "--fps"),
        (("watch", "@nowhere", *LENS_AND_TABLE), 2, "nowhere"),
    ],
)
def test_what_cannot_be_done_ends_with_a_line_and_a_status(
    vedette: Callable[..., Result], words: tuple[str, ...], status: int, says: str
):
    done = vedette(*words)
    assert done.exit_code == status
    assert done.stdout == ""
    assert says in done.stderr
    assert "Traceback" not in done.stderr
