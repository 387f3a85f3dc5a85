"""Observations and watch events: what is written is read back; what is wrong is told in one line."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.errors import UnusableFile
from vision.records import (
    BaseSeen,
    CameraSeen,
    Observation,
    TagSeen,
    TerrainSeen,
    WatchEvent,
    observation_json,
    read_observation,
)

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)
SIGMAS = st.floats(min_value=0, max_value=1e6)
NAMES = st.text(max_size=12)
POINTS = st.tuples(NUMBERS, NUMBERS)
OBSERVATIONS = st.builds(
    Observation,
    camera=st.builds(
        CameraSeen,
        reprojection_rms_px=SIGMAS,
        position_mm=st.tuples(NUMBERS, NUMBERS, NUMBERS),
        markers_used=st.lists(st.integers(0, 9), max_size=8).map(tuple),
    ),
    bases=st.lists(
        st.builds(
            BaseSeen,
            army=st.none() | NAMES,
            base=st.none() | NAMES,
            x_mm=NUMBERS,
            y_mm=NUMBERS,
            z_mm=NUMBERS,
            bearing_deg=st.none() | NUMBERS,
            sigma_mm=SIGMAS,
            bearing_sigma_deg=st.none() | SIGMAS,
            confidence=st.floats(0, 1),
        ),
        max_size=3,
    ).map(tuple),
    tags=st.lists(
        st.builds(TagSeen, id=st.integers(0, 99), x_mm=NUMBERS, y_mm=NUMBERS, bearing_deg=NUMBERS, sigma_mm=SIGMAS),
        max_size=3,
    ).map(tuple),
    terrain=st.lists(
        st.builds(TerrainSeen, kind=NAMES, polygon_mm=st.lists(POINTS, max_size=5).map(tuple), sigma_mm=SIGMAS),
        max_size=3,
    ).map(tuple),
    warnings=st.lists(NAMES, max_size=3).map(tuple),
)
OPTIONAL = st.just(msgspec.UNSET)
EVENTS = st.builds(
    WatchEvent,
    event=st.sampled_from(["moved", "appeared", "removed", "disturbed", "settled"]),
    frame=st.integers(0, 10**6),
    t_s=NUMBERS,
    track=OPTIONAL | st.integers(0, 999),
    army=OPTIONAL | st.none() | NAMES,
    base=OPTIONAL | st.none() | NAMES,
    from_mm=OPTIONAL | POINTS,
    to_mm=OPTIONAL | POINTS,
    distance_mm=OPTIONAL | SIGMAS,
    sigma_mm=OPTIONAL | SIGMAS,
)

GOOD = {
    "format": "vedette-observation/1",
    "camera": {"reprojection_rms_px": 0.21, "position_mm": [914, 600, 1900], "markers_used": [0, 1, 2, 3]},
    "bases": [
        {"army": "british", "base": "foot", "x_mm": 512.3, "y_mm": 208.8, "z_mm": 0.0, "bearing_deg": 12.5,
         "sigma_mm": 0.4, "bearing_sigma_deg": 2.0, "confidence": 0.98}
    ],
    "tags": [{"id": 17, "x_mm": 500.1, "y_mm": 180.2, "bearing_deg": 10.9, "sigma_mm": 0.3}],
    "terrain": [{"kind": "woods", "polygon_mm": [[100.0, 200.0], [180.0, 210.0], [150.0, 320.0]], "sigma_mm": 1.0}],
    "warnings": ["marker 3 not seen"],
}  # fmt: skip


@given(OBSERVATIONS)
def test_an_observation_is_read_back_as_it_was_written(tmp_path_factory: pytest.TempPathFactory, seen: Observation):
    path = tmp_path_factory.mktemp("observation") / "o.json"
    path.write_bytes(observation_json(seen))
    assert read_observation(path) == seen


@given(EVENTS)
def test_a_watch_event_is_one_line_that_is_read_back_as_it_was_written(event: WatchEvent):
    line = msgspec.json.encode(event)
    assert b"\n" not in line
    assert msgspec.json.decode(line, type=WatchEvent) == event


def test_the_example_of_the_format_is_read(tmp_path: Path):
    path = tmp_path / "o.json"
    path.write_text(json.dumps(GOOD))
    seen = read_observation(path)
    assert seen.bases[0].x_mm == 512.3
    assert seen.terrain[0].polygon_mm[1] == (180.0, 210.0)


def _with(change: dict[str, object], *, drop: str = "") -> str:
    return json.dumps({k: v for k, v in {**GOOD, **change}.items() if k != drop})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "expected a vedette-observation/1 file, found no well-formed JSON: Expecting property name"),
        (_with({}, drop="format"), 'format: expected "vedette-observation/1"'),
        (_with({"format": "vedette-observation/2"}), 'format: expected "vedette-observation/1"'),
        (_with({"colour": 1}), "colour: unknown key"),
        (_with({}, drop="camera"), "camera"),
        (_with({"tags": [{"id": 17, "x_mm": "left"}]}), "tags[0].x_mm: expected a number"),
        (_with({"tags": [{**GOOD["tags"][0], "x_mm": float("nan")}]}), "tags[0].x_mm: expected a finite number"),
        (_with({"tags": [{**GOOD["tags"][0], "x_mm": 1e999}]}), "tags[0].x_mm: expected a finite number"),
        (_with({"tags": [{**GOOD["tags"][0], "sigma_mm": -1}]}), "sigma_mm: expected a number of at least 0"),
        (_with({"bases": [{**GOOD["bases"][0], "confidence": 1.5}]}), "bases[0].confidence"),
        (_with({"terrain": [{"kind": "woods", "polygon_mm": [[1.0]], "sigma_mm": 1}]}), "terrain[0].polygon_mm[0]"),
    ],
)  # fmt: skip
def test_a_bad_observation_is_refused_with_file_key_and_what_was_expected(tmp_path: Path, text: str, says: str):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(UnusableFile) as refused:
        read_observation(path)
    message = str(refused.value)
    assert message.startswith(f"{path}: ")
    assert says in message
    assert "\n" not in message
    assert refused.value.exit_status == 2
    assert path.read_text() == text


def test_a_base_of_which_only_the_axis_is_known_is_written_as_the_format_has_it() -> None:
    one = BaseSeen(
        army="british", base="horse", x_mm=1.0, y_mm=2.0, z_mm=0.0, bearing_deg=None, sigma_mm=0.3,
        bearing_sigma_deg=None, confidence=0.9, axis_deg=92.0,
    )  # fmt: skip
    camera = CameraSeen(reprojection_rms_px=0.1, position_mm=(0.0, 0.0, 1800.0), markers_used=(0, 1))
    text = observation_json(Observation(camera=camera, bases=(one,)))
    assert b"axis_deg" not in text
    assert b'"bearing_deg": null' in text
