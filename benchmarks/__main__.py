"""Runs every benchmark: ``python -m benchmarks [NAME …]``; ``accuracy`` and ``traced`` have a ``--help``."""

from __future__ import annotations

import sys
from collections.abc import Callable

from benchmarks.answers import ask_an_army, ask_as_a_process, ask_twenty_units, facts_of_forty_units
from benchmarks.chances import chances_of_an_option
from benchmarks.crowds import ask_sixty_crowded
from benchmarks.frames import render_the_demo, watch_a_still_table
from benchmarks.geometry_distances import distances_arcs_and_formation
from benchmarks.geometry_reach import regions_of_forty_units
from benchmarks.geometry_sight import sight_of_whole_tables
from benchmarks.hexes import ask_sixty_on_hexes
from benchmarks.measuring import measure_a_crowd
from benchmarks.pages import first_load, sixteen_pages
from benchmarks.stages import from_a_move_to_options
from benchmarks.start_up import demo_until_options, help_against_bare_python

BENCHMARKS: dict[str, Callable[[], str]] = {
    "ask": ask_twenty_units,
    "army": ask_an_army,
    "chances": chances_of_an_option,
    "ask-process": ask_as_a_process,
    "crowds": ask_sixty_crowded,
    "distances": distances_arcs_and_formation,
    "facts": facts_of_forty_units,
    "hexes": ask_sixty_on_hexes,
    "help": help_against_bare_python,
    "demo": demo_until_options,
    "first-load": first_load,
    "pages": sixteen_pages,
    "stages": from_a_move_to_options,
    "measure": measure_a_crowd,
    "reach": regions_of_forty_units,
    "sight": sight_of_whole_tables,
    "render": render_the_demo,
    "still": watch_a_still_table,
}


def main(names: list[str]) -> int:
    """Runs the benchmarks named, or all, and prints a line for each."""
    if names[:1] == ["accuracy"]:
        from benchmarks.accuracy.command import main as accuracy

        return accuracy(names[1:])
    if names[:1] == ["traced"]:
        from benchmarks.traced.command import main as traced

        return traced(names[1:])
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        known = ["accuracy", "traced", *BENCHMARKS]
        print(f"unknown: {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    for name in names or BENCHMARKS:
        print(f"{name}: {BENCHMARKS[name]()}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
