"""The words of the ruleset: typed views of a unit's stats and state, of conditions, weapons and ground."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from engine.records.game import Figure, Game, Terrain, Unit
from engine.records.reading import convert
from engine.rulesets.base.data.tables import of_tables, table
from engine.rulesets.base.kept import once
from engine.rulesets.base.verdicts import Verdict

__all__ = [
    "FORMATIONS", "MM_PER_CM", "ROLES", "TYPES", "Class", "Conditions", "Count", "Cover", "Ground", "GroundKeys",
    "Options", "State", "Stats", "Weapon", "carries", "class_of", "conditions_of", "figures_of", "ground_keys",
    "grounds", "is_character", "named_by", "only_commands", "solo_run", "state_of", "stats_of", "weapon_of",
    "weapons",
]  # fmt: skip

T = TypeVar("T")

MM_PER_CM = 10.0

Count = Annotated[int, Meta(ge=0)]
Length = Annotated[float, Meta(ge=0)]
Class = Literal["hero", "veteran", "raw"]
Cover = Literal["none", "soft", "hard"]
Kind = Literal["formed", "skirmisher", "irregular", "civilian", "leader"]
Formation = Literal["group", "line", "column"]
Role = Literal["private", "rank", "leader", "officer", "nco", "drummer", "bugler", "civilian"]
WeaponName = Literal[
    "rifle", "musket", "musket-bayonet", "pistol", "bow", "spear", "sword", "war-club", "hatchet", "knife", "rocks",
]  # fmt: skip

Result = Literal["continue", "advance", "halt", "cover", "withdraw", "run", "half-back", "deploy", "march"]

TYPES: tuple[str, ...] = get_args(Kind)
FORMATIONS: tuple[str, ...] = get_args(Formation)
#: ``rank`` is what files without a role have; here it is a private.
ROLES: tuple[str, ...] = get_args(Role)


class _View(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all views share: immutable, keyword only, no unknown key."""


class Stats(_View, frozen=True, kw_only=True, rename={"class_": "class"}):
    """A unit's ``stats`` with the defaults filled in."""

    class_: Class = "veteran"
    classes: Mapping[str, Class] = {}
    loyal_to: Literal["side"] | tuple[str, ...] = "side"
    volley: bool = True
    second_weapon: WeaponName | None = None
    petticoats: bool = False


class State(_View, frozen=True, kw_only=True):
    """A unit's ``state`` with the defaults filled in."""

    commanded: bool = False
    moved: Literal["none", "half", "full"] = "none"
    loaded: bool = True
    activity: Literal["loading", "firing", "melee"] | None = None
    fired: bool = False
    spotted_cm: Length | None = None
    casualties: Count = 0
    ncos_killed: Count = 0
    running: bool = False
    melee_retreat: bool = False
    may_charge: bool = False
    defending: bool = False
    routing: bool = False
    hidden: bool = False
    dummy: bool = False
    #: What the Actions table said this turn, and whether that binds even who is commanded (TY-60, TY-63).
    result: Result | None = None
    binding: bool = False
    #: As which of its side it threw on the Actions table this turn, from 1; None: nobody has said (TY-63).
    threw: Count | None = None
    #: A leader: whether he has thrown for command this turn (TY-11).
    gave_orders: bool = False
    #: The units with which it has fought a melee in this side's turn; None where nobody has said so.
    fought: tuple[str, ...] | None = None
    #: Whether the Actions table had it withdraw in the last turn of its side: it still does in the enemy's (TY-80).
    withdrawing: bool = False
    #: The weapons that it has fired this turn: who carries others only has not (TY-32); None where nobody has said.
    fired_with: tuple[str, ...] | None = None


class Options(_View, frozen=True, kw_only=True):
    """The rulings that players may change (``conditions.options``)."""

    formed_blank: Literal["deploy", "halt"] = "deploy"
    class_modifies_action_die: bool = False
    firing_still_throws: bool = False
    front_deg: Literal[90, 180] = 90
    round_shots: Literal["down", "up"] = "down"
    rf_range: Literal["theirs", "either"] = "theirs"
    measure: Literal["edge", "centre"] = "edge"
    worst: Literal["fights", "casualties"] = "fights"
    bows_half_speed: bool = True
    rf0_binds: bool = True


class Conditions(_View, frozen=True, kw_only=True):
    """The game's ``conditions``; ``player_sides`` None: every side has players."""

    player_sides: tuple[str, ...] | None = None
    options: Options = Options()
    verdict: Verdict | None = None


class Weapon(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of the weapon list: ranges in cm (0: it is not shot), melee factor, family of damage."""

    melee: int
    family: Literal["gunpowder", "bow-spear", "other"]
    short: float = 0.0
    medium: float = 0.0
    long: float = 0.0
    loads: bool = False
    thrown: bool = False

    @property
    def shoots(self) -> bool:
        """Whether it reaches farther than an arm."""
        return self.long > 0


class Ground(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a kind of terrain does; ``inside``: its cover is for those within alone."""

    going: Literal["normal", "difficult", "barrier", "impassable"]
    cover: Cover
    sight: Literal["open", "low", "tall", "by-height", "woods", "hill"]
    enclosed: bool = False
    inside: bool = False


class GroundKeys(_View, frozen=True, kw_only=True):
    """The keys of a piece of terrain, in the place of what its kind says."""

    cover: Cover | None = None
    enclosed: bool | None = None
    height_cm: Length | None = None


@of_tables
def weapons() -> Mapping[str, Weapon]:
    """The weapon list, by name."""
    return convert(table(__package__, "weapons.toml"), dict[str, Weapon], "weapons")


@of_tables
def grounds() -> Mapping[str, Ground]:
    """The kinds of terrain, by name."""
    return convert(table(__package__, "ground.toml"), dict[str, Ground], "ground")


def stats_of(unit: Unit) -> Stats:
    """The unit's stats with the defaults filled in."""
    return once(unit, "ty_stats", lambda: msgspec.convert(unit.stats, Stats))


def state_of(unit: Unit) -> State:
    """The unit's state with the defaults filled in; a leader counts as commanded always (TY-32)."""
    state = once(unit, "ty_state", lambda: msgspec.convert(unit.state, State))
    return msgspec.structs.replace(state, commanded=True) if is_character(unit) else state


def conditions_of(game: Game) -> Conditions:
    """The game's conditions with the defaults filled in."""
    return once(game, "ty_conditions", lambda: msgspec.convert(game.conditions, Conditions))


def ground_keys(piece: Terrain) -> GroundKeys:
    """The keys of a piece of terrain with the defaults filled in."""
    return once(piece, "ty_keys", lambda: msgspec.convert(piece.extra, GroundKeys))


def is_character(unit: Unit) -> bool:
    """Whether the unit is a player character: a leader by himself (TY-08)."""
    return unit.type == "leader"


def only_commands(unit: Unit) -> bool:
    """Whether a leader has thrown all his dice for command this turn, and so neither loads, fires nor charges
    in it: who does throws one fewer (TY-11)."""
    now = state_of(unit)
    return is_character(unit) and now.gave_orders and now.activity is None


def solo_run(game: Game, side: str) -> bool:
    """Whether a side is run by the rules and has no player."""
    players = conditions_of(game).player_sides
    return players is not None and side not in players


def figures_of(unit: Unit) -> tuple[Figure, ...]:
    """The figures on the table: none of a hidden marker's dummy, all that are not killed."""
    return tuple(figure for figure in unit.figures if figure.status != "killed")


def class_of(unit: Unit, figure: Figure) -> Class:
    """The class of one figure: its own, else the unit's (TY-05)."""
    stats = stats_of(unit)
    return stats.classes.get(figure.id, stats.class_)


def weapon_of(unit: Unit, name: str | None = None) -> Weapon:
    """A weapon by its name, else the unit's first."""
    return weapons()[name or unit.weapon]


def carries(unit: Unit, figure: Figure, weapon: str) -> bool:
    """Whether a figure has a weapon: its own, else the unit's, or the unit's second one (TY-47)."""
    return weapon in (figure.weapon or unit.weapon, stats_of(unit).second_weapon)


def named_by(unit: Unit, figure: Figure) -> str:
    """How a figure is called in texts: by its id; the unit's name stands before it where they differ."""
    return figure.id if figure.id.startswith(unit.id) else f"{unit.id}'s {figure.id}"
