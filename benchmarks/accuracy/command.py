"""``python -m benchmarks accuracy``: its options, and what it prints."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2

from benchmarks.accuracy.cases import Case, read_case, write_case
from benchmarks.accuracy.disturbances import DISTURBANCES
from benchmarks.accuracy.drawing import Kind, case_of
from benchmarks.accuracy.knocked import HEADING as KNOCK_HEADING
from benchmarks.accuracy.knocked import knocked
from benchmarks.accuracy.measuring import ALL, Measured, measured
from benchmarks.accuracy.overlay import picture_of_errors
from benchmarks.accuracy.plays import name_of_play
from benchmarks.accuracy.report import HEADING, faults_of, line_of, sigmas_of, worst
from benchmarks.accuracy.scoring import join
from benchmarks.accuracy.watched import HEADING as WATCH_HEADING
from benchmarks.accuracy.watched import watched
from calibration.errors import CalibrationError
from vision.records import observation_json


def main(arguments: Sequence[str]) -> int:
    """Runs the harness with the options of a command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    only = ALL if not options.only else frozenset(options.only.split(","))
    if not only <= ALL:
        print(f"--only: expected some of {', '.join(sorted(ALL))}, got {options.only}", file=sys.stderr)
        return 2
    seeds = options.seed or range(options.first, options.first + options.seeds)
    try:
        if options.watch:
            _watched(seeds, options.save)
        elif options.knock:
            _knocked(seeds, options.knock)
        elif options.seeds or options.seed:
            _drawn(seeds, Kind(fair=options.fair, plain=options.plain), only, options.save)
        for folder in options.disturb:
            _disturb(read_case(folder), only, options.match)
    except (CalibrationError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks accuracy", description=__doc__)
    parser.add_argument("--seeds", type=int, default=0, help="measure so many drawn tables")
    parser.add_argument("--first", type=int, default=1, help="the first seed of those")
    parser.add_argument("--seed", type=int, nargs="+", default=[], help="measure the drawn tables of these seeds")
    parser.add_argument("--fair", action="store_true", help="draw what a good webcam and a lamp give, and no worse")
    parser.add_argument(
        "--plain", action="store_true", help="draw bases without paint, and the empty table's picture"
    )
    parser.add_argument(
        "--watch", action="store_true", help="film the drawn tables while hands move figures on them"
    )
    parser.add_argument(
        "--knock", choices=("bump", "lamp"), default="",
        help="film the drawn tables while the camera is bumped or the light switched, and one figure moved after",
    )  # fmt: skip
    parser.add_argument(
        "--save", type=Path, metavar="FOLDER",
        help="keep each drawn case here, with found.json and errors.png, and take it from here if it is there",
    )  # fmt: skip
    parser.add_argument(
        "--only", default="", help="measure only bases, terrain, tags (comma list); the rest is the truth's"
    )
    parser.add_argument(
        "--disturb", type=Path, nargs="+", default=[], metavar="FOLDER",
        help="measure these cases (photo.jpg, table.toml, camera.json, truth.json) under disturbances",
    )  # fmt: skip
    parser.add_argument("--match", default="", help="only disturbances whose name holds this text")
    return parser


def _disturb(case: Case, only: frozenset[str], match: str) -> None:
    print(f"\n{case.name}\n{HEADING}")
    for name, disturb in DISTURBANCES.items():
        if match not in name:
            continue
        result = measured(disturb(case), only)
        faults = faults_of(result.score)
        print(
            line_of(name, result.score, result.seconds) + ("" if faults == "nothing" else f"   {faults}"),
            flush=True,
        )


def _drawn(seeds: Iterable[int], kind: Kind, only: frozenset[str], save: Path | None) -> None:
    print(HEADING)
    results = []
    for seed in seeds:
        result = measured(case := _case(seed, kind, save), only)
        results.append((case.name, result))
        print(line_of(case.name, result.score, result.seconds), flush=True)
        if save is not None:
            _keep(save / case.name, case, result)
    total = join([result.score for _, result in results])
    print(line_of("all", replace(total, failures=()), sum(result.seconds for _, result in results)))
    print(sigmas_of(total))
    for line in worst([(name, result.score) for name, result in results], count=20):
        print(line)


def _watched(seeds: Iterable[int], kept: Path | None) -> None:
    print(WATCH_HEADING)
    for seed in seeds:
        print(watched(seed, kept).line(name_of_play(seed)), flush=True)


def _knocked(seeds: Iterable[int], what: str) -> None:
    print(KNOCK_HEADING)
    for seed in seeds:
        for row in knocked(seed, what):
            print(row, flush=True)


def _case(seed: int, kind: Kind, save: Path | None) -> Case:
    folder = None if save is None else save / kind.name_of(seed)
    if folder is not None and (folder / "truth.json").exists():
        return read_case(folder)
    case = case_of(seed, kind)
    if folder is not None:
        write_case(folder, case)
    return case


def _keep(folder: Path, case: Case, result: Measured) -> None:
    """What was measured beside the case, and a picture of what is wrong with it."""
    if result.seen is not None:
        (folder / "found.json").write_bytes(observation_json(result.seen))
        cv2.imwrite(str(folder / "errors.png"), picture_of_errors(case, result.score))
