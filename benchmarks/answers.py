"""How long a player waits for what units can do: facts and answers of whole games of units of ten."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

_RUNS = 7


def ask_twenty_units() -> str:
    """The whole game, and one unit of it, each on a game not seen before; medians of this process's own time."""
    from engine.rulesets import find_ruleset

    ruleset = find_ruleset("muskets-mohawks")
    ruleset.ask(game_of_units())
    whole = statistics.median(_seconds(ruleset, None) for _ in range(_RUNS))
    one = statistics.median(_seconds(ruleset, ["british-0"]) for _ in range(_RUNS))
    return f"{whole:.3f} s for all twenty, {one:.3f} s for one"


def facts_of_forty_units() -> str:
    """All facts that ``ask`` needs for forty units of ten, together and by themselves, and ``ask`` itself.

    Of several runs the least time on the clock, and in brackets the least of a processor: two threads share some of
    the work.
    """
    from msgspec.structs import replace

    from engine.rulesets import find_ruleset
    from engine.rulesets.muskets_mohawks.table.sheet import forget

    ruleset = find_ruleset("muskets-mohawks")

    def moved(game: Any) -> Any:
        unit = game.units[3]
        figures = tuple(replace(figure, y_mm=figure.y_mm + 30) for figure in unit.figures)
        return replace(game, units=tuple(replace(u, figures=figures) if u is unit else u for u in game.units))

    def timed(work: Callable[[Any], Any]) -> tuple[_Took, _Took]:
        begun, after = [], []
        for _ in range(_RUNS):
            forget()
            game = game_of_units(20)
            begun.append(_both_clocks(work, game))
            after.append(_both_clocks(work, moved(game)))
        return _least(begun), _least(after)

    works = {
        "sight, ranges, aspects and ways": _sights_and_ways, "ground in reach": _grounds,
        "both together": _all_facts, "ask as a whole": ruleset.ask,
    }  # fmt: skip
    spans = {name: timed(work) for name, work in works.items()}
    return "; ".join(
        f"{name} {_told(begun)} from nothing, {_told(after)} after a unit moved"
        for name, (begun, after) in spans.items()
    )


#: Seconds on the clock, and of a processor.
_Took = tuple[float, float]


def _both_clocks(work: Callable[[Any], Any], given: Any) -> _Took:
    used = time.process_time()
    took = _span(work, given)
    return took, time.process_time() - used


def _least(runs: list[_Took]) -> _Took:
    return min(took for took, _ in runs), min(used for _, used in runs)


def _told(took: _Took) -> str:
    return f"{1e3 * took[0]:.0f} ms ({1e3 * took[1]:.0f})"


def _all_facts(game: Any) -> None:
    _sights_and_ways(game)
    _grounds(game)


def ask_an_army() -> str:
    """``ask`` of twenty units a side, two guns, four Leaders and a house held among them: the least of runs."""
    from msgspec.structs import replace

    from engine.rulesets import find_ruleset
    from engine.rulesets.muskets_mohawks.table.sheet import forget

    ruleset = find_ruleset("muskets-mohawks")
    begun, after = [], []
    for _ in range(_RUNS):
        forget()
        game = game_of_all_arms()
        unit = game.units[3]
        ahead = replace(unit, figures=tuple(replace(figure, y_mm=figure.y_mm + 30) for figure in unit.figures))
        moved = replace(game, units=tuple(ahead if one is unit else one for one in game.units))
        begun.append(_span(ruleset.ask, game, time.process_time))
        after.append(_span(ruleset.ask, moved, time.process_time))
    return f"{1e3 * min(begun):.0f} ms from nothing, {1e3 * min(after):.0f} ms after a unit moved"


def _sights_and_ways(game: Any) -> None:
    from engine.rulesets.muskets_mohawks.seeing.viewing import view_of
    from engine.rulesets.muskets_mohawks.table.approaches import approach
    from engine.rulesets.muskets_mohawks.table.sheet import sheet_of

    sheet = sheet_of(game)
    for one, other in ((game.units[0], game.units[-1]), (game.units[-1], game.units[0])):
        view = view_of(sheet, one, other)
        assert view is not None
        assert view.aspects.size
        approach(sheet, one, other)


def _grounds(game: Any) -> None:
    """The ground in reach of all units, as the polygons that are told."""
    from engine.rulesets.muskets_mohawks.options.move_options import allowance_mm
    from engine.rulesets.muskets_mohawks.options.reaching import reaches_of

    for region in reaches_of(game, [(unit, allowance_mm(game, unit)) for unit in game.units]):
        assert region is None or region.rings_mm


def ask_as_a_process() -> str:
    """``vedette ask --json`` on a game of twenty units, start and JSON included, as it runs once it is installed.

    Installing compiles the program; here the first run does, and is not counted.
    """
    from engine.records.game import game_json

    with tempfile.TemporaryDirectory() as folder:
        path, compiled = Path(folder) / "game.json", str(Path(folder) / "compiled")
        path.write_bytes(game_json(game_of_units()))
        settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        asks = partial(
            subprocess.run, [sys.executable, "-m", "webui", "ask", str(path), "--json"],
            check=True, capture_output=True, env=settings | {"PYTHONPYCACHEPREFIX": compiled},
        )  # fmt: skip
        asks()
        runs, bare, work = [], [], []
        for _ in range(_RUNS):
            bare.append(_span(lambda _: subprocess.run([sys.executable, "-c", ""], check=True), None))
            work.append(_span(lambda _: runs.append(_span(lambda _: asks(), None)), None, _of_children))
    return f"{min(runs):.2f} s ({min(work):.2f} s of a processor), {min(runs) / min(bare):.0f} times a bare Python"


def _of_children() -> float:
    """The processor time that finished child processes have used."""
    used = os.times()
    return used.children_user + used.children_system


def _span(work: Callable[[Any], Any], given: Any, clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    work(given)
    return clock() - start


def _seconds(ruleset: Any, units: list[str] | None) -> float:
    game = game_of_units()
    start = time.process_time()
    ruleset.ask(game, units)
    return time.process_time() - start


def game_of_units(of_each_side: int = 10) -> Any:
    """A game of units of ten on a table with woods and houses between them."""
    from engine.records.game import game_from

    sides = (("british", 200.0, 0.0, 25.0, "regular"), ("french", 700.0, 180.0, 27.0, "indian"))
    units = [
        {
            "id": f"{side}-{n}", "side": side, "type": kind, "weapon": "musket",
            "formation": "formed-line" if kind == "regular" else "unformed",
            "figures": [
                {"id": f"{side}-{n}-{i}", "x_mm": 150 + 260 * (n % 7) + step * (i - 4.5), "y_mm": y + 80 * (n // 7),
                 "bearing_deg": bearing, "base": {"shape": "round", "diameter_mm": 25.0}}
                for i in range(10)
            ],
        }
        for side, y, bearing, step, kind in sides
        for n in range(of_each_side)
    ]  # fmt: skip
    terrain = [
        {"id": f"piece-{n}", "kind": "building" if n % 3 == 1 else "woods",
         "polygon_mm": [[x, 450], [x + 100, 455], [x + 110, 600], [x, 590]]}
        for n, x in enumerate(range(100, 1700, 150))
    ]  # fmt: skip
    return game_from(
        {
            "format": "vedette-game/1", "ruleset": "muskets-mohawks",
            "table": {"width_mm": 1828.8, "depth_mm": 1219.2}, "measured": {"sigma_mm": 0.5},
            "sides": [{"name": "british", "edge": "south"}, {"name": "french", "edge": "north"}],
            "units": units, "terrain": terrain,
        },
        "the benchmark's game",
    )  # fmt: skip


def game_of_all_arms() -> Any:
    """The same with two guns and four Leaders for the last six units of each side, and one unit in a house."""
    from engine.records.game import game_builtins, game_from

    raw = game_builtins(game_of_units(20))
    for side, units in (("british", raw["units"][:20]), ("french", raw["units"][20:])):
        units[9]["state"] = {"in_building": "piece-4" if side == "british" else "piece-7"}
        for unit in units[14:18]:
            unit |= {"type": "leader", "formation": "unformed", "figures": unit["figures"][:1]}
        for unit in units[18:]:
            unit |= {"type": "gunners", "formation": "unformed", "weapon": "cannon"}
            unit["figures"] = list(unit["figures"][:5])
            unit["figures"][0] |= {"role": "gun", "base": {"shape": "rect", "width_mm": 40.0, "depth_mm": 60.0}}
    return game_from(raw, "the benchmark's game of all arms")
