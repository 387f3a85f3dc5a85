"""The numbers, weapons and grounds of the rulebook, from TOML; limits are handed out in millimetres."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from engine.records.game import Game
from engine.records.reading import convert
from engine.rulesets.base.data.tables import of_tables, table
from engine.rulesets.presidio.vocabulary import MM_PER_IN, Ammunition, Cover, conditions_of

__all__ = [
    "BANDS", "Animal", "Artillery", "Band", "Book", "Class", "Fire", "Ground", "Load", "Mode", "SmallArm",
    "animals", "artillery", "book", "grounds", "is_small_arm", "range_class", "small_arms", "to_wound",
]  # fmt: skip

Band = Literal["close", "medium", "long", "out"]
RangeClass = Literal["none", "grenade", "pistol", "carbine", "musket", "rifle", "artillery"]
Class = Literal["line", "light", "skirmish", "artillery", "vehicle", "beast"]
Mode = Literal["direct", "indirect", "directed", "blind"]

BANDS: tuple[Band, ...] = ("close", "medium", "long", "out")


class _Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all parts share: immutable, no unknown key."""


class SmallArm(_Part, frozen=True, kw_only=True):
    """A small arm or melee weapon (PR-1011 to PR-1016); ``family`` says what is used in melee (PR-1018)."""

    hit: int
    damage: int
    reload: int = 0
    range: RangeClass = "none"
    family: Literal["melee", "long", "pistol", "bow", "flint-bow", "thrown"] = "melee"

    @property
    def shoots(self) -> bool:
        """Whether it reaches farther than an arm."""
        return self.range != "none"


class Load(_Part, frozen=True, kw_only=True):
    """What one ammunition of a piece does (PR-1017); ``radius`` in inches, ``modes`` it can ever be fired in."""

    damage: int
    burst: int
    radius: float
    reload: int
    range: RangeClass
    modes: tuple[Mode, ...]


class Artillery(_Part, frozen=True, kw_only=True):
    """A piece of artillery (PR-1017); the moves in inches by hand and with teams, None: not moved so."""

    bore: Literal["smoothbore", "rifled", "mortar"]
    body: int
    ammunition: Mapping[Ammunition, Load]
    hand: float | None = None
    two_horses: float | None = None
    four_horses: float | None = None


class Ground(_Part, frozen=True, kw_only=True):
    """What a kind of terrain does; ``ground.toml`` explains the words."""

    going: Literal["none", "light", "medium", "heavy", "impassable", "by-height", "door", "shut"] = "none"
    lies: Literal["area", "line"] = "area"
    cover: Cover | Literal["by-height", "by-class"] = "none"
    gives: Literal["inside", "defended", "either", "between"] = "inside"
    top_edge: Cover | None = None
    sight: Literal["open", "woods", "height", "tall", "blocks", "shut"] = "open"
    vision: float = 0.0
    material: bool = False


class Animal(_Part, frozen=True, array_like=True):
    """A beast: its Melee, damage, move in inches and ramming damage (PR-828)."""

    melee: int
    damage: int
    move: float
    ramming: int


class Fire(_Part, frozen=True, kw_only=True):
    """What each circumstance does to the number to hit, and how many volley (PR-102, PR-415 to PR-429)."""

    skirmish: int
    evading: int
    taking_cover: int
    aim: int
    opportunity: int
    moving: int
    moving_full: int
    moving_wound: int
    covered_reload: int
    volley_most: int
    die: int


class Allocation(_Part, frozen=True, kw_only=True):
    """The die that says who falls in a unit of at least that size (PR-601)."""

    least: int
    die: str


class Fate(_Part, frozen=True, kw_only=True):
    """What may become of a casualty, and the dice that say after how many times ``days`` (PR-608)."""

    name: str
    dice: int = 0
    days: int = 1


class Goings(_Part, frozen=True, kw_only=True):
    """What moves cost and come to, in inches and shares (PR-304 to PR-323, PR-424, PR-428)."""

    mounted: float
    crew: float
    team: Mapping[str, float]
    drummer: float
    road: float
    crawl: float
    half: float
    quarter: float
    light: float
    light_mounted: float
    kneel: float
    prone: float
    turn: float
    reload: float
    fire: float
    fire_run: float


class Book(_Part, frozen=True, kw_only=True):
    """All numbers."""

    band: int
    bodies: Mapping[str, int]
    limits: Mapping[str, float]
    eyes_mm: Mapping[str, float]
    night: Mapping[str, float]
    search: Mapping[str, int]
    ranges: Mapping[RangeClass, tuple[float, ...]]
    range_dm: Mapping[str, int]
    cover_dm: Mapping[Cover, int]
    fire: Fire
    wound: Mapping[str, int]
    allocation: tuple[Allocation, ...]
    command: Mapping[str, int]
    classes: Mapping[str, Class]
    rides_freely_since: Mapping[str, int]
    pace: Mapping[str, float]
    going: Goings
    heights_ft: Mapping[str, float]
    animals: Mapping[str, Animal]
    fates: tuple[Fate, ...]

    def mm(self, limit: str) -> float:
        """One of the limits in millimetres, those that are given in inches and those that end in ``_mm``.

        >>> book().mm("command"), book().mm("touching_mm")
        (50.8, 1.0)
        """
        return self.limits[limit] * (1.0 if limit.endswith("_mm") else MM_PER_IN)

    def allocation_die(self, size: int) -> str:
        """The die that says who falls in a unit of a size (PR-601).

        >>> [book().allocation_die(size) for size in (16, 15, 9, 4)]
        ['d30', 'd20', 'd12', 'd6']
        """
        return next(row.die for row in self.allocation if size >= row.least)


@of_tables
def book() -> Book:
    """The numbers of the rulebook."""
    return convert(table(__package__, "book.toml"), Book, "book")


@of_tables
def small_arms() -> Mapping[str, SmallArm]:
    """Small arms and melee weapons, by name."""
    return convert(table(__package__, "weapons.toml")["small"], dict[str, SmallArm], "weapons", "small")


@of_tables
def artillery() -> Mapping[str, Artillery]:
    """Pieces of artillery, by name."""
    return convert(table(__package__, "weapons.toml")["artillery"], dict[str, Artillery], "weapons", "artillery")


@of_tables
def grounds() -> Mapping[str, Ground]:
    """The kinds of terrain, by name."""
    return convert(table(__package__, "ground.toml"), dict[str, Ground], "ground")


def animals() -> Mapping[str, Animal]:
    """The beasts, by name."""
    return book().animals


def is_small_arm(name: str) -> bool:
    """Whether a weapon is shot by a man: neither for melee alone nor a piece of artillery, nor thrown."""
    arm = small_arms().get(name)
    return arm is not None and arm.shoots and arm.family != "thrown"


def range_class(game: Game, name: str) -> RangeClass:
    """The row of the range table that a small arm is in; the players may put crossbows with carbines (R-3)."""
    if name == "crossbow":
        return conditions_of(game).options.crossbow_class
    return small_arms()[name].range


def to_wound(damage: int, armor: int) -> int | None:
    """The number that wounds (PR-607), None where nothing does.

    >>> to_wound(4, 0), to_wound(12, 2), to_wound(0, 4)
    (5, 2, None)
    """
    left = min(damage - armor, 7)
    return book().wound.get(str(left))
