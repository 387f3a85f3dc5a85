"""``python -m benchmarks accuracy``: its options, and what it prints."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.accuracy.cases import Case, read_case
from benchmarks.accuracy.disturbances import DISTURBANCES
from benchmarks.accuracy.measuring import ALL, measured
from benchmarks.accuracy.report import HEADING, faults_of, line_of
from calibration.errors import CalibrationError


def main(arguments: Sequence[str]) -> int:
    """Runs the harness with the options of a command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    only = ALL if not options.only else frozenset(options.only.split(","))
    if not only <= ALL:
        print(f"--only: expected some of {', '.join(sorted(ALL))}, got {options.only}", file=sys.stderr)
        return 2
    try:
        for folder in options.disturb:
            _disturb(read_case(folder), only, options.match)
    except (CalibrationError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks accuracy", description=__doc__)
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
