"""The words of the ruleset: typed views of a unit's stats and state, of conditions and of a terrain's keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from engine.records.game import Figure, Game, Terrain, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.base.verdicts import Verdict

__all__ = [
    "COVERS", "FORMATIONS", "MM_PER_IN", "ROLES", "TYPES", "Ammunition", "Arms", "Conditions",
    "Count", "Cover", "GroundKeys", "Kind", "Level", "Options", "State", "Stats", "conditions_of", "figures_of",
    "ground_keys", "is_artillery", "state_of", "stats_of",
]  # fmt: skip

T = TypeVar("T")

MM_PER_IN = 25.4

#: No move is longer than this, in inches.
MOST_IN = 1000
Count = Annotated[int, Meta(ge=0)]
Skill = Annotated[int, Meta(ge=0, le=4)]
Cover = Literal["none", "incidental", "partial", "heavy", "full", "complete"]
Kind = Literal[
    "line", "grenadier", "light", "presidial", "cavalry", "skirmish", "native", "militia", "civilian", "leader",
    "artillery", "wagon", "boat", "livestock",
]  # fmt: skip
Formation = Literal[
    "line", "extended-line", "skirmish", "column", "disorder", "hidden", "limbered", "unlimbered", "unformed",
]  # fmt: skip
Role = Literal[
    "private", "corporal", "sergeant", "first-sergeant", "sergeant-major", "ensign", "lieutenant", "captain",
    "field-officer", "young-chief", "tribal-chief", "clan-chief", "war-chief", "chaplain", "shaman",
    "flag-bearer", "drummer", "bugler", "fifer", "hero", "sharpshooter", "horse-holder", "gun", "crew", "limber",
    "wagon", "driver", "sentry", "villager", "prisoner", "rank",
]  # fmt: skip
Ammunition = Literal["shot", "shell", "canister", "double-canister"]
Level = Literal["elite", "veteran", "average", "inexperienced"]
People = Literal["spanish", "mexican", "pueblo", "comanche", "yuta", "apache", "other"]
Animal = Literal["horse", "mule", "cattle", "donkey", "sheep", "pig", "dog", "buffalo", "chicken"]
Posture = Literal["standing", "kneeling", "prone"]
Position = Literal["window", "doorway", "loophole", "parapet", "ladder"]

#: Covers by their rank.
COVERS: tuple[Cover, ...] = get_args(Cover)
TYPES: tuple[str, ...] = get_args(Kind)
#: ``unformed`` is what files without a formation have: each type has one of its own then.
FORMATIONS: tuple[str, ...] = get_args(Formation)
#: ``rank`` is what files without a role have; here it is a private.
ROLES: tuple[str, ...] = get_args(Role)


class _View(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all views share: immutable, keyword only, no unknown key."""


class Arms(_View, frozen=True, kw_only=True):
    """A further weapon of a unit, and the figures that carry it."""

    weapon: str
    figures: tuple[str, ...]


class Stats(_View, frozen=True, kw_only=True):
    """A unit's ``stats`` with the defaults filled in; ``expert_riders`` and ``body`` None: by people, by weapon."""

    ranged: Skill = 2
    melee: Skill = 2
    recon: Skill = 2
    camou: Skill = 2
    move: Annotated[float, Meta(ge=-MOST_IN, le=MOST_IN)] = 0.0
    armor: int = 0
    morale: Level = "average"
    people: People = "other"
    expert_riders: bool | None = None
    arms: tuple[Arms, ...] = ()
    melee_weapon: str | None = None
    body: Count | None = None
    crew_needed: Count = 4
    horses: Literal[1, 2, 4] = 2
    animal: Animal | None = None
    limber_horses: Literal[0, 1, 2, 4] = 0
    garrison_mount: bool = False

    @property
    def beast(self) -> Animal:
        """Which animal a herd's beasts are: cattle where the file does not say (PR-828)."""
        return self.animal or "cattle"


class State(_View, frozen=True, kw_only=True):
    """A unit's ``state`` with the defaults filled in."""

    actions_left: Count = 2
    held: Count = 0
    moved: Literal["walk", "run"] | None = None
    reload_left: Count = 0
    fire_mode: Literal["volley", "independent"] | None = None
    ammo: Ammunition = "shot"
    misses: Count = 0
    last_target: str | None = None
    morale: Literal["steady", "disordered", "panicked", "surrendered", "off-board"] = "steady"
    failed: Literal["fall-back", "retreat", "panic", "destroyed"] | None = None
    casualties: Count = 0
    casualties_ignored: Count = 0
    level_bonus: Count = 0
    leader_lost: bool = False
    leaderless: bool = False
    posture: Posture = "standing"
    evading: bool = False
    taking_cover: bool = False
    hunkered: bool = False
    covered_reload: bool = False
    hidden: bool = False
    bayonets: bool = False
    position: Position | None = None
    works: Literal["incidental", "partial"] | None = None
    works_actions: Count = 0
    initiative: int | None = None
    engaged_with: tuple[str, ...] = ()
    charging: bool = False
    surrounded: bool | None = None
    stunned: Count = 0
    plunder: tuple[str, ...] = ()
    carrying: str | None = None
    strength_lost: Count = 0
    fuse_fault: bool = False
    signal_flags: bool = False
    #: Ours: has fired on the move this turn, which its move pays in inches (PR-424).
    fired_moving: bool = False
    #: Ours: a move of this turn has paid for that fire.
    fire_paid: bool = False
    #: Ours: how often riders have changed formation this turn at no cost (PR-212).
    reforms: Count = 0
    #: Ours: actions spent so far on a drill of more than a turn: forming line, combining (PR-317, PR-326).
    drill_actions: Count = 0
    #: Ours: which drill that is: ``line``, or the id of the unit that is being joined; None: any.
    drill: str | None = None
    #: Ours: the unit of the officer who made this one out of two and must stay near; None: he is in it (PR-326).
    officer: str | None = None
    #: Ours: the figures whose horses have run off (PR-213).
    horseless: tuple[str, ...] = ()
    #: Ours: what those who hold the horses are otherwise, by figure (PR-213).
    holder_roles: Mapping[str, Role] = {}
    #: Ours: the figures that have closed up this turn, by each time that they did (PR-205, PR-515).
    closed_up: tuple[str, ...] = ()
    #: Ours: where the last figure of a unit that was destroyed fell, in mm: friends near it saw that (PR-707).
    fell_at: tuple[float, float] | None = None
    #: Ours: where its figures stood when it gave ground this turn, in mm: friends near them saw it go (PR-707).
    stood_at: tuple[tuple[float, float], ...] = ()


class Options(_View, frozen=True, kw_only=True):
    """The rulings that players may change (``conditions.options``)."""

    volley: bool = True
    crossbow_class: Literal["musket", "carbine"] = "musket"
    medium_dm: Literal[-2, 0] = -2
    quarters: Literal["corners", "centre"] = "corners"
    flag_in: Literal[12, 2] = 12
    jump: Literal["both", "d12", "d6"] = "both"
    small_arms_arc_deg: Literal[90, 180, 360] = 90
    see_through_woods: bool = False
    shoulder_wall: Literal["partial", "heavy"] = "partial"
    firing_from_cover: Literal[1, 0, -1] = 1
    mounted_target_dm: Literal[1, -1] = 1
    natural_12_hits: bool = False
    indirect_number: Literal[11, 10] = 11
    direct_scatter: bool = True
    shot_beyond_in: float = 6.0
    radius_roll: Literal["hit", "save"] = "hit"
    incidental_stack: bool = False
    lone_reload: bool = False
    retreat_cover: Literal["nearest", "furthest"] = "nearest"
    search_dm: Literal["both", "spot", "sentry"] = "both"
    partial_hunkers: bool = True


class Conditions(_View, frozen=True, kw_only=True):
    """The game's ``conditions`` with the defaults filled in."""

    light: Literal["day", "dusk", "night"] = "day"
    moon: Literal["full", "three-quarter", "half", "quarter", "none"] = "full"
    year: int = 1700
    sentries: Literal["sleeping", "daydreaming", "alert"] | None = None
    time: Literal["day", "night"] = "day"
    leadership: Mapping[str, int] = {}
    options: Options = Options()
    campaign: Mapping[str, Any] = {}
    #: Ours: the victory points of each side that have been counted (PR-825), and how the game ended by them.
    victory_points: Mapping[str, int] = {}
    verdict: Verdict | None = None


class GroundKeys(_View, frozen=True, kw_only=True, rename={"class_": "class"}):
    """The keys of a piece of terrain; None: as its kind says."""

    cover: Cover | None = None
    body: Count | None = None
    height_ft: Annotated[float, Meta(ge=0)] | None = None
    sandbagged: bool = False
    material: str | None = None
    wall_in: Annotated[float, Meta(ge=0)] = 36.0
    shut: bool = False
    class_: Literal["incidental", "partial"] = "incidental"
    #: Ours: ladders that stand at a wall (PR-518).
    ladders: Count = 0


def stats_of(unit: Unit) -> Stats:
    """The unit's stats with the defaults filled in."""
    return once(unit, "pr_stats", lambda: msgspec.convert(unit.stats, Stats))


def state_of(unit: Unit) -> State:
    """The unit's state with the defaults filled in."""
    return once(unit, "pr_state", lambda: msgspec.convert(unit.state, State))


def conditions_of(game: Game) -> Conditions:
    """The game's conditions with the defaults filled in."""
    return once(game, "pr_conditions", lambda: msgspec.convert(game.conditions, Conditions))


def ground_keys(piece: Terrain) -> GroundKeys:
    """The keys of a piece of terrain with the defaults filled in."""
    return once(piece, "pr_keys", lambda: msgspec.convert(piece.extra, GroundKeys))


def figures_of(unit: Unit) -> tuple[Figure, ...]:
    """The figures that count for anything: those with status ``ok``."""
    return once(unit, "pr_figures", lambda: tuple(figure for figure in unit.figures if figure.status == "ok"))


def is_artillery(unit: Unit) -> bool:
    """Whether the unit is a gun with its crew."""
    return unit.type == "artillery"
