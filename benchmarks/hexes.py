"""How long a player waits for what sixty units on hexes can do."""

from __future__ import annotations

import random
import time
from typing import Any

_RUNS = 15


def ask_sixty_on_hexes() -> str:
    """A battle of sixty units not seen before, and the same after one of them moved: the least processor time."""
    from msgspec.structs import replace

    from engine.records.game import game_from
    from engine.rulesets import find_ruleset

    ruleset = find_ruleset("musket-pike")

    def span(game: Any) -> float:
        begun = time.process_time()
        ruleset.ask(game)
        return time.process_time() - begun

    fresh, moved = [], []
    for _ in range(_RUNS):
        game = game_from(_battle(), "the battle of the benchmark")
        fresh.append(span(game))
        first = replace(game.units[0], hex=(0, 0))
        moved.append(span(replace(game, units=(first, *game.units[1:]))))
    return f"{1e3 * min(fresh):.0f} ms from nothing, {1e3 * min(moved):.0f} ms after a unit moved"


def _battle() -> dict[str, Any]:
    """Thirty units a side close to each other on a mat of 30 by 16 hexes, with a hill, woods and a road."""
    rng = random.Random(1)
    kinds = (
        ("infantry", "line", "musket"), ("infantry", "column", "musket"), ("infantry", "block", "pike"),
        ("cavalry", "mounted", "sword"), ("artillery", "unlimbered", "6-pounder"),
        ("skirmisher", "skirmish", "rifle"), ("leader", "mounted", "none"),
    )  # fmt: skip
    cells = {
        side: [(c, r) for c in range(30) for r in rows] for side, rows in (("a", range(8)), ("b", range(8, 16)))
    }
    units = []
    for number in range(60):
        side = "ab"[number % 2]
        kind, formation, weapon = rng.choices(kinds, (6, 4, 3, 4, 2, 2, 2))[0]
        strength = 6 if kind == "artillery" else rng.randrange(100, 700)
        units.append(
            {
                "id": f"{side}-{number}", "side": side, "type": kind, "formation": formation, "weapon": weapon,
                "hex": list(cells[side].pop(rng.randrange(len(cells[side])))), "stats": {"strength": strength},
                "state": {"facing": "UR" if side == "a" else "DL"},
            }
        )  # fmt: skip
    woods = [[rng.randrange(30), rng.randrange(16)] for _ in range(30)]
    return {
        "format": "vedette-game/1", "ruleset": "musket-pike",
        "table": {"width_mm": 2700.0, "depth_mm": 1700.0,
                  "grid": {"kind": "hex", "size_mm": 100.0, "columns": 30, "rows": 16}},
        "turn": {"number": 1, "active_side": "a"},
        "sides": [{"name": "a", "edge": "south"}, {"name": "b", "edge": "north"}],
        "units": units,
        "terrain": [
            {"id": "wood", "kind": "forest", "hexes": woods},
            {"id": "hill", "kind": "elevation", "level": 1,
             "hexes": [[column, row] for column in range(8, 14) for row in range(5, 9)]},
            {"id": "road", "kind": "road", "path": [[5, r] for r in range(15)]},
        ],
    }  # fmt: skip
