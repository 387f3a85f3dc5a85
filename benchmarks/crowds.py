"""How long a player waits for what sixty units can do that stand crowded together, under each ruleset."""

from __future__ import annotations

import random
import time
from typing import Any

_RUNS = 3

#: Where the crowds stand: so many units side by side, so far apart across and behind each other, in millimetres.
_FILES, _STEP_X, _STEP_Y = 10, 165.0, 62.0

_GROUND = {
    "muskets-mohawks": ("woods", "wall", "building"), "presidio": ("medium-woods", "wall", "house"),
    "tyneside": ("woods", "wall", "house"),
}  # fmt: skip
_KINDS: dict[str, tuple[dict[str, Any], ...]] = {
    "muskets-mohawks": (
        {"type": "regular", "weapon": "musket", "formation": "formed-line"},
        {"type": "indian", "weapon": "musket", "formation": "unformed"},
    ),
    "presidio": (
        {"type": "line", "weapon": "flintlock-musket", "formation": "line"},
        {"type": "light", "weapon": "flintlock-musket", "formation": "skirmish"},
        {"type": "native", "weapon": "bow", "formation": "skirmish"},
    ),
    "tyneside": (
        {"type": "formed", "weapon": "musket-bayonet", "formation": "formed"},
        {"type": "irregular", "weapon": "musket", "formation": "group"},
        {"type": "skirmisher", "weapon": "rifle", "formation": "group"},
    ),
}


def ask_sixty_crowded() -> str:
    """``ask`` of sixty units of eight to ten among eighteen pieces, under each ruleset: the least of runs."""
    return "; ".join(f"{name} {_least(name):.2f} s" for name in _KINDS)


def _least(ruleset: str) -> float:
    """The least processor time of some runs, each on a game not seen before."""
    from engine.rulesets import find_ruleset

    rules = find_ruleset(ruleset)
    spans = []
    for seed in range(_RUNS):
        game = crowd(ruleset, seed)
        begun = time.process_time()
        rules.ask(game)
        spans.append(time.process_time() - begun)
    return min(spans)


def crowd(ruleset: str, seed: int, count: int = 60) -> Any:
    """Two crowds of units a few inches apart, with woods, walls and houses before, between and among them."""
    from engine.records.game import game_from

    rng = random.Random(seed)
    raw = {
        "format": "vedette-game/1", "ruleset": ruleset, "measured": {"sigma_mm": 0.5},
        "table": {"width_mm": 1828.8, "depth_mm": 1219.2},
        "turn": {"number": 2, "active_side": "a"},
        "sides": [{"name": "a", "edge": "south"}, {"name": "b", "edge": "north"}],
        "units": [_unit(rng, ruleset, "ab"[n % 2], n // 2) for n in range(count)],
        "terrain": [_piece(rng, _GROUND[ruleset][n % 3], n) for n in range(18)],
    }  # fmt: skip
    return game_from(raw, "the crowd of the benchmark")


def _unit(rng: random.Random, ruleset: str, side: str, number: int) -> dict[str, Any]:
    """Eight to ten figures in two ranks."""
    ahead = 1.0 if side == "a" else -1.0
    left = 60.0 + _STEP_X * (number % _FILES) + rng.uniform(-10.0, 10.0)
    front = 609.6 - ahead * (75.0 + _STEP_Y * (number // _FILES)) + rng.uniform(-3.0, 3.0)
    figures = [
        {"id": f"{side}-{number}-{n}", "x_mm": left + 26.0 * (n % 5), "y_mm": front - ahead * 26.0 * (n // 5),
         "bearing_deg": 0.0 if side == "a" else 180.0, "base": {"shape": "round", "diameter_mm": 25.0}}
        for n in range(rng.randint(8, 10))
    ]  # fmt: skip
    kind = rng.choice(_KINDS[ruleset])
    return {"id": f"{side}-{number}", "side": side, "figures": figures, **kind}


def _piece(rng: random.Random, kind: str, number: int) -> dict[str, Any]:
    """A piece of terrain somewhere about the crowds."""
    x, y = rng.uniform(50.0, 1600.0), rng.uniform(300.0, 880.0)
    wide, deep = (rng.uniform(100.0, 250.0), 6.0) if kind == "wall" else (rng.uniform(80.0, 180.0), 80.0)
    corners = [[x, y], [x + wide, y + 10.0], [x + wide, y + 10.0 + deep], [x, y + deep]]
    return {"id": f"{kind}-{number}", "kind": kind, "polygon_mm": corners}
