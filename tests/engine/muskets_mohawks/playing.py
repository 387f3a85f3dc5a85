"""Small games as plain values for the tests of ``resolve``, and playing an action on them with given dice."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine.dice import Roll, TypedDice
from engine.play import play
from engine.records.action import action_from
from engine.records.game import game_builtins, game_from
from engine.result import result_builtins
from engine.rulesets import find_ruleset

Plain = dict[str, Any]

INCH = 25.4
BASE_MM = 25.0


def unit(
    name: str,
    side: str,
    *,
    type: str = "regular",
    number: int = 10,
    at: tuple[float, float] = (900.0, 300.0),
    facing: float = 0.0,
    formation: str = "unformed",
    weapon: str = "musket",
    rep: int = 4,
    leader: int | None = 5,
    leader_rep: int = 4,
    state: Mapping[str, Any] | None = None,
    stats: Mapping[str, Any] | None = None,
    mounted: bool = False,
) -> Plain:
    """A unit in one rank about a point, its Leader the figure of that number (None: it has none)."""
    gap = BASE_MM if formation in ("formed-line", "mob") else 2 * BASE_MM
    right = 1.0 if abs(facing) < 90 or facing > 270 else -1.0
    chief = None if leader is None else min(leader, number)
    figures = [
        {
            "id": f"{name}-{place + 1}",
            "x_mm": at[0] + right * gap * (place - (number - 1) / 2),
            "y_mm": at[1],
            "bearing_deg": facing,
            "role": "leader" if chief == place + 1 else "rank",
            "mounted": mounted,
            "base": {"shape": "round", "diameter_mm": BASE_MM},
        }
        for place in range(number)
    ]
    return {
        "id": name, "side": side, "type": type, "formation": formation, "weapon": weapon, "figures": figures,
        "stats": {"rep": rep, "leader_rep": leader_rep, **(stats or {})},
        "state": {"start_strength": number, **(state or {})},
    }  # fmt: skip


def gun(
    name: str, side: str, *, at: tuple[float, float], crew: int = 5, state: Mapping[str, Any] | None = None
) -> Plain:
    """A gun that points to the far edge, its crew in a row behind it."""
    behind = (at[0], at[1] - 40)
    made = unit(name, side, type="gunners", number=crew, at=behind, leader=1, weapon="cannon", state=state)
    for figure in made["figures"][1:]:
        figure["role"] = "crew"
    piece = {
        "id": f"{name}-gun", "x_mm": at[0], "y_mm": at[1], "bearing_deg": 0, "role": "gun",
        "base": {"shape": "rect", "width_mm": 30.0, "depth_mm": 50.0},
    }  # fmt: skip
    made["figures"].insert(0, piece)
    return made


def game(*units: Plain, terrain: Sequence[Plain] = (), active: str = "british", **conditions: Any) -> Plain:
    """A game of British in the south against French in the north, on a table of 6 ft by 4 ft."""
    return {
        "format": "vedette-game/1", "ruleset": "muskets-mohawks",
        "table": {"width_mm": 1828.8, "depth_mm": 1219.2},
        "conditions": {"light": "day", "weather": "clear", **conditions},
        "turn": {"number": 3, "active_side": active},
        "sides": [{"name": "british", "edge": "south"}, {"name": "french", "edge": "north"}],
        "units": list(units), "terrain": list(terrain), "measured": {"sigma_mm": 0.0},
    }  # fmt: skip


def wood(
    name: str, left: float, bottom: float, right: float, top: float, kind: str = "woods", **keys: Any
) -> Plain:
    """A rectangle of terrain."""
    corners = [[left, bottom], [right, bottom], [right, top], [left, top]]
    return {"id": name, "kind": kind, "polygon_mm": corners, **keys}


def resolve(scene: Plain, dice: Sequence[int] = (), **action: Any) -> Plain:
    """Plays an action; the result as its file has it. All dice must be used."""
    ready = game_from(scene, "the scene")
    ruleset = find_ruleset(ready.ruleset)
    ruleset.check(ready)
    played = play(ready, ruleset.begin(ready, action_from(action)), TypedDice(tuple(dice)))
    result: Plain = json.loads(json.dumps(result_builtins(played)))
    again = game_from(result["game"], "the game after it")
    ruleset.check(again)
    assert json.loads(json.dumps(game_builtins(again))) == result["game"]
    return result


def event(result: Plain, name: str, **facts: Any) -> Plain:
    """The one event of that name with those facts."""
    found = [
        one for one in result["events"] if one["event"] == name and all(one.get(k) == v for k, v in facts.items())
    ]
    seen = [one["event"] for one in result["events"]]
    assert len(found) == 1, f"expected one {name} {facts}, found {len(found)} in {seen}"
    return found[0]


def names(result: Plain) -> list[str]:
    """The names of the events, in order."""
    return [one["event"] for one in result["events"]]


def after(result: Plain, name: str) -> Plain:
    """A unit in the game after the action."""
    return next(one for one in result["game"]["units"] if one["id"] == name)


class Shown:
    """Dice that show scores by what they are rolled for, told by a word of it; 2 for everything else."""

    def __init__(self, **scores: int | tuple[int, ...]) -> None:
        self._scores = scores

    def scores(self, roll: Roll) -> tuple[int, ...]:
        """What a roll shows."""
        score = next((score for word, score in self._scores.items() if f" {word} " in f" {roll.purpose} "), 2)
        return score if isinstance(score, tuple) else (score,) * roll.count


def shown(scene: Plain, dice: Shown, **action: Any) -> Plain:
    """As `resolve`, with dice by what they are rolled for."""
    ready = game_from(scene, "the scene")
    played = play(ready, find_ruleset(ready.ruleset).begin(ready, action_from(action)), dice)
    find_ruleset(ready.ruleset).check(played.game)
    result: Plain = json.loads(json.dumps(result_builtins(played)))
    return result
