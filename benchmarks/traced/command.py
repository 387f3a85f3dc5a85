"""``python -m benchmarks traced``: draws tables as ``accuracy`` does, and has Cycles trace their pictures."""

from __future__ import annotations

import argparse
import dataclasses
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.accuracy.cases import Case, packed, unpacked, write_case
from benchmarks.accuracy.drawing import Drawn, Kind, draw
from benchmarks.accuracy.plays import Play, draw_play, frame_name, name_of_play
from benchmarks.traced.building import meshes_of, picture_of
from benchmarks.traced.developing import IdealLens, Light, bent, developed, ideal_for, white_of
from benchmarks.traced.mesh import Meshes
from calibration.records import Intrinsics
from vision.simulated import VirtualTable, empty_of, truth_of

_FINER, _FINE_PX = 1.25, 3000  # pictures broader than this are fine enough
_SOFT_M = 0.166  # the size of a lamp whose shadows are soft over a millimetre
_MOST_OF_LAMP = 0.85
_TRACER = Path(__file__).with_name("tracing.py")


def main(arguments: Sequence[str]) -> int:
    """Traces the tables of some seeds into a folder of cases; returns the exit status."""
    options = _parser().parse_args(arguments)
    kind = Kind(fair=options.fair, plain=options.plain)
    for seed in range(options.first, options.first + options.seeds):
        if options.watch:
            play = draw_play(seed)
            folder, drawn, tables = options.save / name_of_play(seed), play.drawn, _scenes_of(play)
        else:
            folder, drawn = options.save / kind.name_of(seed), draw(np.random.default_rng(seed), kind)
            tables = {"photo": drawn.table}
        tables |= {"empty": empty_of(drawn.table)} if drawn.plain else {}
        ideal = ideal_for(drawn.camera.intrinsics, _finer(drawn))
        folder.mkdir(parents=True, exist_ok=True)
        _write_job(folder, drawn, ideal, {name: meshes_of(table, seed) for name, table in tables.items()})
        done = subprocess.run(
            [options.bpy, str(_TRACER), str(folder), str(options.samples)], stdout=subprocess.DEVNULL
        )
        if done.returncode:
            print(f"{options.bpy} could not trace {folder}: has it the package bpy?", file=sys.stderr)
            return 1
        if options.watch:
            _write_play(folder, play, ideal, seed)
        else:
            _write(folder, drawn, ideal, seed, tables)
        print(folder, flush=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks traced", description=__doc__)
    parser.add_argument("--bpy", required=True, metavar="PYTHON", help="a Python that has the package bpy")
    parser.add_argument("--save", type=Path, required=True, metavar="FOLDER", help="where the cases go")
    parser.add_argument("--seeds", type=int, default=1, help="trace so many drawn tables")
    parser.add_argument("--first", type=int, default=1, help="the first seed of those")
    parser.add_argument("--fair", action="store_true", help="draw what a good webcam and a lamp give, and no worse")
    parser.add_argument("--plain", action="store_true", help="draw bases without paint, and trace the empty table")
    parser.add_argument("--watch", action="store_true", help="film the tables while hands move figures on them")
    parser.add_argument("--samples", type=int, default=14, help="rays a pixel")
    return parser


def _finer(drawn: Drawn) -> float:
    return 1.0 if drawn.camera.intrinsics.width_px > _FINE_PX else _FINER


def _write_job(folder: Path, drawn: Drawn, ideal: IdealLens, scenes: dict[str, Meshes]) -> None:
    """What the tracer reads: the meshes of each scene, the prints' pictures, the camera and the lamp."""
    size, effects, camera = drawn.table.table.table, drawn.effects, drawn.camera
    job: dict[str, Any] = {
        "scenes": list(scenes), "stuff": {}, "prints": {},
        "camera": {
            **dataclasses.asdict(ideal), "rotation": camera.rotation.tolist(),
            "tvec_mm": np.ravel(camera.tvec_mm).tolist(),
        },
        "lamp": {
            "share": min(_MOST_OF_LAMP, 1.1 * effects.shadow_depth), "cast": effects.lamp_mm,
            "size_m": max(0.05, _SOFT_M * effects.shadow_soft_mm),
            "over_mm": (size.width_mm / 2, size.depth_mm / 2),
        },
    }  # fmt: skip
    for name, meshes in scenes.items():
        arrays = {"prints": np.array([corners for _, corners in meshes.prints])}
        for number, (stuff, faces) in enumerate(meshes.faces.items()):
            arrays[f"vertices{number}"] = np.concatenate(meshes.vertices[stuff])
            arrays[f"faces{number}"] = np.concatenate([np.array(face) for face in faces])
            arrays[f"sizes{number}"] = np.array([len(face) for face in faces])
        np.savez(folder / f"{name}.npz", **arrays)  # type: ignore[arg-type]
        job["stuff"][name] = [{"light": _light(s.colour), "grain": s.grain, "rough": s.rough} for s in meshes.faces]
        job["prints"][name] = [f"{name}-print-{n}.png" for n in range(len(meshes.prints))]
        for file, (bits, _) in zip(job["prints"][name], meshes.prints, strict=True):
            cv2.imwrite(str(folder / file), picture_of(bits))
    (folder / "job.json").write_text(json.dumps(job))


def _light(colour: str) -> list[float]:
    """#rrggbb as the light (red, green, blue) that it sends back."""
    levels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return [float(v) for v in np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)]


def _scenes_of(play: Play) -> dict[str, VirtualTable]:
    """The tables of a play by the names of the frames in which they are seen first."""
    return {
        frame_name(number): table
        for number, table in enumerate(play.tables)
        if number == 0 or table != play.tables[number - 1]
    }


def _write_play(folder: Path, play: Play, ideal: IdealLens, seed: int) -> None:
    """The frames of a play, each with a noise of its own."""
    rng, lens, effects = np.random.default_rng(seed), play.drawn.camera.intrinsics, play.drawn.effects
    light = _light_in(folder, frame_name(0), ideal, lens)
    white = white_of(light)
    for number in range(len(play.tables)):
        if (folder / f"{frame_name(number)}.npy").exists():
            light = _light_in(folder, frame_name(number), ideal, lens)
        (folder / frame_name(number)).write_bytes(
            packed(developed(light, effects, white, rng), effects.jpeg_quality)
        )
    if play.drawn.plain:
        light = _light_in(folder, "empty", ideal, lens)
        (folder / "empty.jpg").write_bytes(packed(developed(light, effects, white, rng), effects.jpeg_quality))
    _tidy(folder)


def _write(folder: Path, drawn: Drawn, ideal: IdealLens, seed: int, tables: dict[str, VirtualTable]) -> None:
    """The case, with the pictures developed; what the tracer read and wrote goes."""
    lens, rng = drawn.camera.intrinsics, np.random.default_rng(seed)
    lights = {name: _light_in(folder, name, ideal, lens) for name in tables}
    white, quality = white_of(lights["photo"]), drawn.effects.jpeg_quality
    files = {name: packed(developed(light, drawn.effects, white, rng), quality) for name, light in lights.items()}
    _tidy(folder)
    write_case(
        folder,
        Case(
            name=folder.name, photo=unpacked(files["photo"]), photo_file=files["photo"], table=drawn.table.table,
            intrinsics=lens, truth=truth_of(drawn.table, drawn.camera, folder.name),
            empty=unpacked(files["empty"]) if "empty" in files else None, empty_file=files.get("empty", b""),
        ),
    )  # fmt: skip


def _light_in(folder: Path, scene: str, ideal: IdealLens, lens: Intrinsics) -> Light:
    """The light (H, W, 3) that falls on the sensor, of a scene that was traced."""
    return bent(np.load(folder / f"{scene}.npy").astype(np.float32), ideal, lens)


def _tidy(folder: Path) -> None:
    """Takes away what the tracer read and wrote."""
    for left in [*folder.glob("*-print-*.png"), *folder.glob("*.np[yz]"), folder / "job.json"]:
        left.unlink()
