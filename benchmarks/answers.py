"""How long a player waits for what units can do: ``ask`` on a game of twenty units of ten among woods."""

from __future__ import annotations

import statistics
import time
from typing import Any

_RUNS = 7


def ask_twenty_units() -> str:
    """The whole game, and one unit of it, each on a game not seen before; medians of this process's own time."""
    from engine.rulesets import find_ruleset

    ruleset = find_ruleset("muskets-mohawks")
    ruleset.ask(_game())
    whole = statistics.median(_seconds(ruleset, None) for _ in range(_RUNS))
    one = statistics.median(_seconds(ruleset, ["british-0"]) for _ in range(_RUNS))
    return f"{whole:.3f} s for all twenty, {one:.3f} s for one"


def _seconds(ruleset: Any, units: list[str] | None) -> float:
    game = _game()
    start = time.process_time()
    ruleset.ask(game, units)
    return time.process_time() - start


def _game() -> Any:
    from engine.records.game import game_from

    sides = (("british", "south", 250.0, 0.0, 25.0, "regular"), ("french", "north", 700.0, 180.0, 50.0, "indian"))
    units = [
        {
            "id": f"{side}-{n}", "side": side, "type": kind, "weapon": "musket",
            "formation": "formed-line" if kind == "regular" else "unformed",
            "figures": [
                {"id": f"{side}-{n}-{i}", "x_mm": 200 + 150 * n + step * (i - 4.5), "y_mm": y + 20 * (n % 3),
                 "bearing_deg": bearing, "base": {"shape": "round", "diameter_mm": 25.0}}
                for i in range(10)
            ],
        }
        for side, _, y, bearing, step, kind in sides
        for n in range(10)
    ]  # fmt: skip
    woods = [
        {"id": f"wood-{n}", "kind": "woods",
         "polygon_mm": [[x, 450], [x + 150, 450], [x + 150, 600], [x, 600]]}
        for n, x in enumerate(range(100, 1600, 300))
    ]  # fmt: skip
    return game_from(
        {
            "format": "vedette-game/1", "ruleset": "muskets-mohawks",
            "table": {"width_mm": 1828.8, "depth_mm": 1219.2}, "measured": {"sigma_mm": 0.5},
            "sides": [{"name": side, "edge": edge} for side, edge, *_ in sides], "units": units, "terrain": woods,
        },
        "the benchmark's game",
    )  # fmt: skip
