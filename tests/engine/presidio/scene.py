"""Builds small tables for the tests of Presidio; places in millimetres, ranges by `inches`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.dice import TypedDice
from engine.events import Event
from engine.play import Played, play
from engine.records.action import action_from
from engine.records.answer import ChargeOption, FireOption, MoveOption, UnitAnswer
from engine.records.game import Game, game_builtins, game_from
from engine.rulesets.presidio import RULESET
from engine.rulesets.presidio.charges.charging import charge_options
from engine.rulesets.presidio.fire.firing import fire_options

Json = dict[str, Any]
Spot = tuple[float, float]

#: A figure's base: so far from the centre its outline is.
HALF = 12.5
WIDTH, DEPTH = 1828.8, 1219.2
GUN: Json = {"shape": "rect", "width_mm": 40.0, "depth_mm": 60.0}


def inches(length: float) -> float:
    """Inches in millimetres."""
    return length * 25.4


def figure(name: str, x: float, y: float, bearing: float | None = 0.0, **more: Any) -> Json:
    """A man on a round base of 25 mm, or, mounted, on a rectangle of 25 by 50 mm."""
    base: Json = {"shape": "round", "diameter_mm": 2 * HALF}
    if more.get("mounted"):
        base = {"shape": "rect", "width_mm": 25.0, "depth_mm": 50.0}
    return {"id": name, "x_mm": x, "y_mm": y, "bearing_deg": bearing, "base": base, **more}


def unit(name: str, *spots: Spot | Json, **keys: Any) -> Json:
    """A unit's entry: ``a…`` are Spanish and face north, others raiders and face south.

    Keys are those of the game file (``type``, ``weapon``, ``stats`` …); any other goes to ``state``. Every figure
    rides with ``mounted``; ``roles`` names the roles of the first figures.
    """
    spanish = name.startswith("a")
    mounted, roles = keys.pop("mounted", False), list(keys.pop("roles", ()))
    more: list[Json] = [{"role": role} for role in roles] + [{}] * len(spots)
    rides = {"mounted": True} if mounted else {}
    facing = 0.0 if spanish else 180.0
    figures = [
        one if isinstance(one, dict) else figure(f"{name}-{number}", one[0], one[1], facing, **(own | rides))
        for number, (one, own) in enumerate(zip(spots, more, strict=False), start=1)
    ]
    entry: Json = {"id": name, "side": "spanish" if spanish else "raiders", "type": "skirmish",
                   "formation": "skirmish", "weapon": "flintlock-musket", "stats": {}, "state": {},
                   "figures": figures}  # fmt: skip
    for key, value in keys.items():
        (entry if key in entry else entry["state"])[key] = value
    return entry


def line(name: str, count: int, x: float, y: float, ranks: int = 1, **keys: Any) -> Json:
    """A unit of line infantry in touching files about ``x``, its front rank at ``y``."""
    files, behind = -(-count // ranks), -25.0 if name.startswith("a") else 25.0
    spots = [(x + 25.0 * (n % files) - 12.5 * (files - 1), y + behind * (n // files)) for n in range(count)]
    usual = {"type": "line", "formation": "extended-line" if ranks == 1 else "line"}
    return unit(name, *spots, **{**usual, **keys})


def row(count: int, x: float, y: float, step: float = 50.0) -> list[Spot]:
    """So many places side by side, the first at (x, y)."""
    return [(x + number * step, y) for number in range(count)]


def ground(kind: str, left: float, near: float, right: float, far: float, **keys: Any) -> Json:
    """A rectangle of terrain."""
    return {"id": keys.pop("id", kind), "kind": kind,
            "polygon_mm": [[left, near], [right, near], [right, far], [left, far]], **keys}  # fmt: skip


def game(
    *units: Json, terrain: Sequence[Json] = (), options: Mapping[str, Any] | None = None, sigma_mm: float = 0.0,
    **conditions: Any,
) -> Game:  # fmt: skip
    """A game on a table of 72 by 48 in, the Spanish to move."""
    built = game_from(
        {
            "format": "vedette-game/1", "ruleset": "presidio",
            "table": {"width_mm": WIDTH, "depth_mm": DEPTH},
            "conditions": {**conditions, "options": dict(options or {})},
            "turn": {"number": 2, "active_side": "spanish"},
            "sides": [{"name": "spanish", "edge": "south"}, {"name": "raiders", "edge": "north"}],
            "units": list(units), "terrain": list(terrain), "measured": {"sigma_mm": sigma_mm},
        },
        "the test's game",
    )  # fmt: skip
    RULESET.check(built)
    return built


def asked(of: Game, name: str = "a") -> UnitAnswer:
    """What a unit can do."""
    return RULESET.ask(of, [name]).units[0]


def shot(
    *units: Json, mode: str = "independent", at: str = "b", by: str = "a", weapon: str | None = None, **more: Any
) -> FireOption:
    """A unit's fire at a target in a mode; that alone is worked out."""
    of = game(*units, **more)
    return next(
        one for one in fire_options(of, of.unit(by))
        if one.target == at and one.mode == mode and weapon in (None, one.extra["weapon"])
    )  # fmt: skip


def charge(*units: Json, at: str = "b", by: str = "a", **more: Any) -> ChargeOption:
    """A unit's charge at a target; that alone is worked out."""
    of = game(*units, **more)
    return next(one for one in charge_options(of, of.unit(by)) if one.target == at)


def moves(*units: Json, of: str = "a", **more: Any) -> MoveOption:
    """The move of a unit."""
    found = asked(game(*units, **more), of).move
    assert found is not None
    return found


def needs(option: FireOption) -> int | None:
    """What each die of a shot must show."""
    return None if option.roll is None or option.roll.success is None else int(option.roll.success[2:])


def dice_of(option: FireOption) -> int | None:
    """How many dice one action of a shot throws."""
    return None if option.roll is None else option.roll.count


def effects(option: FireOption) -> dict[str, int]:
    """What alters a number, by row."""
    return {one.rule: int(one.extra["value"]) for one in option.modifiers if one.extra["value"]}


def do(of: Game, dice: str = "", **action: Any) -> Played:
    """Plays an action with these dice; what it did, after holding that the game survives being saved."""
    played = play(of, RULESET.begin(of, action_from(action)), TypedDice([int(one) for one in dice.split()]))
    assert game_from(game_builtins(played.game), "the saved game") == played.game
    return played


def told(played: Played, name: str) -> list[Json]:
    """The facts of the events of a name."""
    return [dict(event.facts) for event in played.events if event.event == name]


def names(events: Sequence[Event]) -> list[str]:
    """The names of events, in order."""
    return [event.event for event in events]


def state(of: Played | Game, name: str) -> Mapping[str, Any]:
    """The state of a unit as its file has it."""
    after = of.game if isinstance(of, Played) else of
    return after.unit(name).state
