"""The words of the ruleset: typed views of a unit's stats and state, of conditions, sides and terrain."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from engine.records.game import Cell, Game, Side, Unit
from engine.rulesets.base.verdicts import Verdict

__all__ = [
    "Conditions", "Count", "EdgeName", "Options", "SideKeys", "State", "Stats", "Step", "TerrainKeys",
    "conditions_of", "on_table", "side_of", "state_of", "stats_of",
]  # fmt: skip

Count = Annotated[int, Meta(ge=0)]
EdgeName = Literal["N", "E", "S", "W"]
Step = Literal["movement", "combat", "elimination", "army-resolve"]


class _View(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all views share: immutable, keyword only, no unknown key."""


class Stats(_View, frozen=True, kw_only=True):
    """A unit's ``stats``."""

    veteran: bool = False


class State(_View, frozen=True, kw_only=True):
    """A unit's ``state``."""

    bearing_deg: float = 0.0
    hits: Count = 0
    moved: bool = False
    activation_failed: bool = False
    fired: bool = False
    has_fired: bool = False
    commander: bool = False
    officer: bool = False
    eliminated: bool = False
    struck_by_adjacent: str | None = None


class Options(_View, frozen=True, kw_only=True):
    """The rulings that players may change (``conditions.options``)."""

    diagonals: Literal["one", "orthogonal"] = "one"
    arc_deg: Annotated[float, Meta(ge=0, le=180)] = 45.0
    line_of_fire: Literal["blocked", "open"] = "blocked"
    cover_units: Literal["all", "infantry-and-skirmishers"] = "all"
    artillery_fixed: Literal["game", "turn"] = "game"
    artillery_difficult: Literal["never", "allowed"] = "never"
    reroll_activation: Literal["always", "ask"] = "always"


class Conditions(_View, frozen=True, kw_only=True):
    """The game's ``conditions``; ``step`` None: the steps are not kept."""

    step: Step | None = None
    options: Options = Options()
    verdict: Verdict | None = None


class SideKeys(_View, frozen=True, kw_only=True):
    """A side's own keys; None: the number of its units."""

    army_resolve: int | None = None
    army_resolve_start: int | None = None
    commander_quality: Literal["above", "average", "below"] = "average"


class TerrainKeys(_View, frozen=True, kw_only=True):
    """A piece of terrain's own keys."""

    squares: tuple[Cell, ...] = ()
    edges: tuple[tuple[int, int, EdgeName], ...] = ()


def stats_of(unit: Unit) -> Stats:
    """The unit's stats with the defaults filled in."""
    return msgspec.convert(unit.stats, Stats)


def state_of(unit: Unit) -> State:
    """The unit's state with the defaults filled in."""
    return msgspec.convert(unit.state, State)


def on_table(unit: Unit) -> bool:
    """Whether the unit still stands on the table."""
    return not state_of(unit).eliminated


def conditions_of(game: Game) -> Conditions:
    """The game's conditions with the defaults filled in."""
    return msgspec.convert(game.conditions, Conditions)


def side_of(game: Game, side: Side) -> SideKeys:
    """The side's keys; neither army resolve is None (PA-70)."""
    keys = msgspec.convert(side.extra, SideKeys)
    fielded = sum(unit.side == side.name for unit in game.units)
    start = fielded if keys.army_resolve_start is None else keys.army_resolve_start
    now = start if keys.army_resolve is None else keys.army_resolve
    return msgspec.structs.replace(keys, army_resolve=now, army_resolve_start=start)
