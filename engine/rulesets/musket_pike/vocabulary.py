"""The words of the ruleset: typed views of a unit's stats and state, of conditions, sides and terrain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from engine.records.game import Cell, Game, Side, Terrain, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.base.verdicts import Verdict

__all__ = [
    "FACINGS", "FORMATIONS", "HEXSIDES", "HEX_KINDS", "ON_TOP", "PHASES", "TYPES", "WAYS", "Arrival",
    "Attribute", "Conditions", "Count", "Direction", "Facing", "Formation", "GridKeys", "HexSide", "Options",
    "Phase", "SideKeys", "State", "Stats", "TerrainKeys", "conditions_of", "formation_of", "ground_of",
    "side_keys", "state_of", "stats_of",
]  # fmt: skip

T = TypeVar("T")

Count = Annotated[int, Meta(ge=0)]
Strength = Annotated[int, Meta(ge=0)]
Facing = Literal["UR", "R", "DR", "DL", "L", "UL"]
Direction = Literal["N", "NE", "SE", "S", "SW", "NW"]
Quality = Literal["A+++", "A++", "A+", "A", "B", "C", "D", "E", "F"]
Letter = Literal["A", "B", "C", "D", "E", "F"]
Level = Literal["army", "wing", "division", "brigade"]
Phase = Literal["movement", "defensive-fire", "offensive-fire", "melee"]
Kind = Literal[
    "leader", "infantry", "pioneer", "skirmisher", "cavalry", "squadron", "artillery", "supply-wagon", "ship",
]  # fmt: skip
Formation = Literal[
    "line", "shortened-line", "extended-line", "column", "block", "mounted", "dismounted", "limbered",
    "unlimbered", "skirmish", "anchored",
]  # fmt: skip
Attribute = Literal[
    "light", "guard", "restricted", "can-deploy", "irregular", "heavy", "dragoon", "horse-artillery", "needs-setup",
    "can-block", "no-line", "assault-penalty", "two-rank", "fanatical", "independent", "has-boats",
]  # fmt: skip

#: Clockwise; facing k points at the vertex between the directions k and k + 1.
FACINGS: tuple[Facing, ...] = get_args(Facing)
PHASES: tuple[Phase, ...] = get_args(Phase)
TYPES: tuple[str, ...] = get_args(Kind)

_LINES = ("line", "shortened-line", "extended-line", "column", "block")
#: The formations of each type of unit; the first is what it has where none is given.
FORMATIONS: Mapping[str, tuple[str, ...]] = {
    "leader": ("mounted",), "infantry": _LINES, "pioneer": _LINES, "skirmisher": ("skirmish",),
    "cavalry": ("mounted", "dismounted"), "squadron": ("mounted", "dismounted"),
    "artillery": ("limbered", "unlimbered"), "supply-wagon": ("column",), "ship": ("anchored",),
}  # fmt: skip

#: The ground of a hex, what may lie on top of it, what lies on its sides, and what runs through it.
HEX_KINDS = ("clear", "field", "building", "chateau", "forest", "orchard", "rough", "marsh", "water")
ON_TOP = ("elevation", "abatis", "trench", "bridge", "ford", "objective", "supply-source")
HEXSIDES = ("hedge", "stone-wall", "embankment", "stream", "gate", "fort", "high-wall", "creek")
WAYS = ("path", "road", "pike")


class _View(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all views share: immutable, keyword only, no unknown key."""


class Stats(_View, frozen=True, kw_only=True):
    """A unit's ``stats``; ``range`` None: the weapon's longest; ``nation`` None: the side's name."""

    strength: Strength = 0
    quality: Quality = "C"
    range: Count | None = None
    armor: Annotated[int, Meta(ge=0, le=10)] = 0
    melee: int = 0
    nation: str | None = None
    attributes: tuple[Attribute, ...] = ()
    commander: str | None = None
    parent: str | None = None
    command: Letter = "C"
    leadership: Letter = "C"
    level: Level = "brigade"
    secondary: bool = False
    victory_value: Annotated[float, Meta(ge=0)] = 1.0
    movement: Annotated[float, Meta(ge=0)] | None = None


class Arrival(_View, frozen=True, kw_only=True):
    """When and where a unit that is off the map comes on (MP-16)."""

    turn: Count
    hex: Cell


class State(_View, frozen=True, kw_only=True):
    """A unit's ``state``."""

    facing: Facing = "R"
    disordered: bool = False
    routed: bool = False
    detached: bool = False
    isolated: bool = False
    fixed: bool = False
    release_turn: Count | None = None
    fatigue: Count = 0
    ammo: Literal["full", "low", "out"] = "full"
    moved: bool = False
    mp_used: Annotated[float, Meta(ge=0)] = 0.0
    fired: bool = False
    meleed: bool = False
    melees: Count = 0
    charging: bool = False
    can_continue: bool = False
    continued: Count = 0
    setup: Literal["ready", "setting-up"] = "ready"
    setup_turns: Count = 0
    unlimbered_now: bool = False
    turned_now: bool = False
    uncrewed: bool = False
    captured_by: str | None = None
    #: Whether it was captured since its captor's last turn began: he fires it from his next one on.
    taken_now: bool = False
    #: Ours: a charge that goes on has come into a zone of control: it may attack, but not ride on (MP-178).
    halted: bool = False
    repairing: bool = False
    command_passed: bool | None = None
    command_now: int | None = None
    exerted: bool = False
    spotted: bool = False
    off_map: bool = False
    arrival: Arrival | None = None


class Options(_View, frozen=True, kw_only=True):
    """The optional rules and rulings that players may choose (``conditions.options``)."""

    line_movement_restriction: bool = False
    target_density: bool = False
    column_pass_through: bool = False
    isolation: bool = False
    rout_limiting: bool = False
    flank_morale: bool = False
    melee_terrain: bool = False
    no_melee_eliminations: bool = False
    partial_retreats: bool = False
    no_retreat_overruns: bool = False
    alternative_fire: bool = False
    alternative_melee: bool = False
    multiple_infantry_melees: bool = False
    multiple_cavalry_melees: bool = False
    modifiers_combine: Literal["additive", "multiplicative"] = "additive"
    arc: Literal["cone60", "wedge120"] = "cone60"
    morale_pass_disorders: bool = True
    disordered_may_change_formation: bool = False
    loser_fatigue: Annotated[float, Meta(ge=0)] = 2.0
    routed_may_fire: bool = False
    block_has_flanks: bool = True
    attackers_check_morale: bool = False


class Victory(_View, frozen=True, kw_only=True):
    """The differences of points from which a victory is minor or major (R32)."""

    minor: Annotated[float, Meta(ge=0)] = 50.0
    major: Annotated[float, Meta(ge=0)] = 150.0


class Mustered(_View, frozen=True, kw_only=True, omit_defaults=True):
    """What a unit was when a battle of a campaign began: side, strength (a leader counts one), fatigue."""

    side: str
    strength: Count
    fatigue: Count = 0


class Conditions(_View, frozen=True, kw_only=True):
    """The game's ``conditions``; ``phase`` None: it is not kept; ``visibility`` None: no limit.

    ``mustered`` (ours) is what the units of a campaign's battle began with, by their ids.
    """

    mode: Literal["turns", "phases"] = "turns"
    phase: Phase | None = None
    night: bool = False
    visibility: Count | None = None
    weather: str = "clear"
    ground: Literal["normal", "snow", "frozen"] = "normal"
    artillery_ammo: Mapping[str, Count] = {}
    minutes_per_turn: Annotated[float, Meta(gt=0)] = 15.0
    turn_limit: Count | None = None
    fog_of_war: bool = False
    attacked: tuple[Cell, ...] = ()
    victory: Victory = Victory()
    options: Options = Options()
    parameters: Mapping[str, Any] = {}
    campaign: Mapping[str, Any] | None = None
    mustered: Mapping[str, Mustered] = {}
    verdict: Verdict | None = None


class GridKeys(_View, frozen=True, kw_only=True):
    """The grid's own keys: how far the mat is turned clockwise about its origin."""

    turn_deg: Annotated[float, Meta(ge=-360, le=360)] = 0.0


class SideKeys(_View, frozen=True, kw_only=True):
    """A side's own keys: the points that it has given away so far (MP-290)."""

    lost: Annotated[float, Meta(ge=0)] = 0.0


HexSide = tuple[int, int, Direction]


class TerrainKeys(_View, frozen=True, kw_only=True):
    """A piece of terrain's own keys."""

    hexes: tuple[Cell, ...] = ()
    hexsides: tuple[HexSide, ...] = ()
    path: tuple[Cell, ...] = ()
    level: int = 0
    strength: Annotated[int, Meta(ge=0)] = 200
    points: float = 0.0
    owner: str | None = None
    side: str | None = None


def stats_of(unit: Unit) -> Stats:
    """The unit's stats with the defaults filled in."""
    return once(unit, "mp_stats", lambda: msgspec.convert(unit.stats, Stats))


def state_of(unit: Unit) -> State:
    """The unit's state with the defaults filled in."""
    return once(unit, "mp_state", lambda: msgspec.convert(unit.state, State))


def formation_of(unit: Unit) -> str:
    """The unit's formation; the first of its type where the file gives none."""
    return FORMATIONS[unit.type][0] if unit.formation == "unformed" else unit.formation


def conditions_of(game: Game) -> Conditions:
    """The game's conditions with the defaults filled in."""
    return once(game, "mp_conditions", lambda: msgspec.convert(game.conditions, Conditions))


def ground_of(piece: Terrain) -> TerrainKeys:
    """The keys of a piece of terrain with the defaults filled in."""
    return once(piece, "mp_keys", lambda: msgspec.convert(piece.extra, TerrainKeys))


def side_keys(side: Side) -> SideKeys:
    """The side's keys with the defaults filled in."""
    return msgspec.convert(side.extra, SideKeys)
