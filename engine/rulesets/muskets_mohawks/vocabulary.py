"""The words of the ruleset: typed views of a unit's stats and state, of conditions and options; the weapon list.

Every key has the rulebook's default; `state_of`, `stats_of` and `conditions_of` read a game through them.
`engine.rulesets.muskets_mohawks.checking` refuses what is outside this vocabulary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.data.tables import of_tables, table
from engine.rulesets.base.kept import once
from engine.rulesets.base.verdicts import Verdict

T = TypeVar("T")

MM_PER_INCH = 25.4

Count = Annotated[int, Meta(ge=0)]
Die = Annotated[int, Meta(ge=1, le=6)]
Formation = Literal["formed-line", "mob", "unformed", "square"]
Role = Literal["leader", "officer", "rank", "crew", "gun", "holder", "pef"]
Status = Literal["ok", "stunned"]
Rank = Literal["lieutenant", "captain", "major", "war-chief"]
Special = Literal["ferocious", "irregular", "cuirassier", "texian-scout"]
Period = Literal["fiw", "revolution", "1812", "napoleonic", "texas"]
Encounter = Literal["scout", "raid-attack", "raid-defend", "stand-up-fight"]
#: The ways to play, the parts that a player may take, and how far an evening has come (MM-196, MM-197).
Play = Literal["solo", "same-side", "head-to-head"]
Part = Literal["lieutenant", "captain", "war-party-leader", "war-chief"]
Stage = Literal["before", "battle", "ended", "counted", "judged"]

FORMATIONS: tuple[str, ...] = get_args(Formation)

#: The seniority of a Leader's rank (R-57).
SENIORITY: Mapping[str, int] = {"lieutenant": 1, "captain": 2, "war-chief": 2, "major": 3}


class _View(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all views share: immutable, keyword only, no unknown key."""


class Stats(_View, frozen=True, kw_only=True):
    """A unit's ``stats`` with the defaults filled in."""

    rep: Die = 4
    leader_rep: Die | None = None
    paper_strength: Count | None = None
    rank: Rank = "lieutenant"
    nco: bool = False
    commands: tuple[str, ...] | None = None
    special: tuple[Special, ...] = ()


class State(_View, frozen=True, kw_only=True):
    """A unit's ``state``; `state_of` fills in the defaults that depend on the unit."""

    reload_markers: Count = 0
    prone: bool = False
    #: Whether it has got up in this activation, which was its whole move.
    stood: bool = False
    #: Whether it has put one enemy to flight in its charge, and may charge another, but do nothing else.
    charging_on: bool = False
    firing_at: str | None = None
    casualties: Count = 0
    start_strength: Count | None = None
    strength: Count | None = None
    activated: bool = False
    moved_mm: Annotated[float, Meta(ge=0)] = 0.0
    mounted: bool | None = None
    limbered: bool = False
    left_gun: bool = False
    in_building: str | None = None
    in_melee: tuple[str, ...] = ()
    melee_round: Count = 0
    #: Of several enemies those with whom it has fought the round of its activation (MM-162).
    fought_with: tuple[str, ...] = ()
    following_up: bool = False
    retiring: bool = False
    last_retire_mm: Annotated[float, Meta(ge=0)] | None = None
    #: The Leader whom it met while it retired, and counts as its own while he is with it.
    led_by: str | None = None
    runaway: bool = False
    trophy: bool = False
    rep_lent: bool = False
    rep_rolled: bool = False
    taking_trophies: bool = False
    won_melee: bool = False
    #: Whether the test for trophies is still to be taken; None where nobody has said so (a game written by hand).
    trophies_due: bool | None = None
    recovered: bool = False
    scored_casualty: bool = False
    meleed: bool = False
    retired: bool = False
    below_half: bool = False
    had_enough: bool = False
    #: The enemies whose fire it may return though its side opens none, each with the turn in which it fired.
    fired_on_by: Mapping[str, Count] = {}
    stunned: bool = False
    #: Whether its Leader has lost his horse, though the unit may be of horse.
    unhorsed: bool = False
    tactics: Literal["attack", "defend", "scout", "withdraw"] | None = None
    #: What scouts that stand to fight turn to once they are beaten away.
    if_beaten: Literal["scout", "withdraw"] | None = None
    behind: str | None = None
    #: The defensive position that a unit which nobody plays holds, or held until it lost it (MM-231).
    holds: str | None = None
    at_edge_since: Literal["edge", "inside"] | None = None
    pef_moved: bool = False
    left_field: bool = False
    leaderless: bool = False
    misses_month: bool = False
    #: Whether it is on the roster but not in this month's encounter: in winter quarters, or filled up.
    resting: bool = False
    hidden: bool = False
    under: str | None = None
    #: The figures that its marker stands for, as they stood on the table (MM-196).
    put_away: tuple[Mapping[str, Any], ...] = ()


class Options(_View, frozen=True, kw_only=True):
    """The rulings that players may change (``conditions.options``)."""

    range_per_figure: bool = False
    rear_fire_doubles: bool = True
    militia_volley: bool = False
    cap_to_seen: bool = True
    enemy_figures_block: bool = False
    measure: Literal["edge", "centre"] = "edge"
    pef_entry: Literal["at-pef", "entry-table"] = "at-pef"
    retreat_tests: bool = False


class SideCampaign(_View, frozen=True, kw_only=True):
    """One side's campaign (``conditions.campaign.<side>``)."""

    army: str | None = None
    investment_level: Die | None = None
    local_campaign_morale: Count | None = None
    territory: Literal["controlling", "contesting"] | None = None
    commander_rep: Die = 4
    role: Part | None = None
    allies: Mapping[str, Count] = {}
    allies_present: tuple[str, ...] = ()


class Evening(_View, frozen=True, kw_only=True):
    """What the players agreed, how far the evening has come (``conditions.evening``); kept once ``play`` is said.

    ``due`` is the encounter that comes next, ``theirs`` the one that the enemy is on, ``seen`` the sections that
    the scouts have seen this turn, ``structures`` how many buildings of section 2 hold the stores of a raid,
    ``opponent`` the army that the enemy fields in this encounter where dice named it: his own or his Indians'.
    """

    play: Play | None = None
    attacker: str | None = None
    laid_out_by: str | None = None
    stage: Stage = "before"
    rolled: bool = False
    markers: bool = False
    due: Encounter | None = None
    theirs: Encounter | None = None
    seen: tuple[int, ...] = ()
    scouted: bool = False
    won: bool | None = None
    structures: Annotated[int, Meta(ge=0)] = 0
    opponent: str | None = None


class Conditions(_View, frozen=True, kw_only=True):
    """The game's ``conditions`` with the defaults filled in (``player_side``: None is the first side)."""

    light: Literal["day", "night"] = "day"
    weather: Literal["clear", "inclement"] = "clear"
    weather_level: Die | None = None
    snow: Literal["none", "ground", "snowing", "both"] = "none"
    period: Period = "fiw"
    year: int | None = None
    month: Annotated[int, Meta(ge=1, le=12)] | None = None
    encounter: Encounter | None = None
    overall_terrain: Literal["clear", "hilly", "wooded"] | None = None
    squares: bool = False
    player_side: str | None = None
    campaign: Mapping[str, SideCampaign] = {}
    evening: Evening = Evening()
    proposals: tuple[Mapping[str, Any], ...] = ()
    options: Options = Options()
    verdict: Verdict | None = None

    @property
    def level(self) -> int | None:
        """The inclement weather result in force (3 unless told), or None in clear weather."""
        if self.weather == "clear":
            return None
        return 3 if self.weather_level is None else self.weather_level

    @property
    def nothing_fires(self) -> bool:
        """Whether the weather stops all fire (MM-114)."""
        return self.level in (1, 6)

    @property
    def misfires(self) -> bool:
        """Whether weapons but the bow misfire (MM-113)."""
        return self.level in (2, 3, 4, 5)

    @property
    def snow_slows(self) -> bool:
        """Whether movement is halved (MM-194)."""
        return self.snow != "none"

    @property
    def snow_falls(self) -> bool:
        """Whether falling snow limits sight (MM-87)."""
        return self.snow in ("snowing", "both")


class Weapon(Struct, frozen=True, kw_only=True):
    """A row of the weapon list: range in millimetres (0: none), markers placed when fired, dice added."""

    name: str
    range_mm: float
    markers: int
    dice: int
    lance: bool = False

    @property
    def small_arm(self) -> bool:
        """Whether it is fired by figures."""
        return self.range_mm > 0


@of_tables
def weapons() -> Mapping[str, Weapon]:
    """The weapon list (MM-92), by name."""
    return {
        name: Weapon(
            name=name, range_mm=row["range_in"] * MM_PER_INCH, markers=row["markers"], dice=row["dice"],
            lance=row.get("lance", False),
        )
        for name, row in table(__package__, "weapons.toml").items()
    }  # fmt: skip


def figures_of(unit: Unit) -> tuple[Figure, ...]:
    """The figures that count: all but the gun itself."""
    return once(unit, "figures_of", lambda: tuple(figure for figure in unit.figures if figure.role != "gun"))


def gun_of(unit: Unit) -> Figure | None:
    """The gun of a gunners unit, or None."""
    return next((figure for figure in unit.figures if figure.role == "gun"), None)


def stats_of(unit: Unit) -> Stats:
    """The unit's stats, ``leader_rep`` and ``paper_strength`` never None; a Leader on his own has one Rep."""
    return once(unit, "stats_of", lambda: _stats_of(unit))


def _stats_of(unit: Unit) -> Stats:
    stats = msgspec.convert(unit.stats, Stats)
    paper = (5 if unit.type == "gunners" else 10) if stats.paper_strength is None else stats.paper_strength
    led = stats.rep if stats.leader_rep is None else stats.leader_rep
    rep = led if unit.type == "leader" else stats.rep
    return msgspec.structs.replace(stats, rep=rep, leader_rep=led, paper_strength=paper)


def leader_rep_of(unit: Unit) -> int:
    """The Reputation of the unit's Leader."""
    stats = stats_of(unit)
    return stats.rep if stats.leader_rep is None else stats.leader_rep


def state_of(unit: Unit) -> State:
    """The unit's state; only ``last_retire_mm`` may be None, which means the full move."""
    return once(unit, "state_of", lambda: _state_of(unit))


def _state_of(unit: Unit) -> State:
    state = msgspec.convert(unit.state, State)
    return msgspec.structs.replace(
        state,
        start_strength=stats_of(unit).paper_strength if state.start_strength is None else state.start_strength,
        strength=len(figures_of(unit)) if state.strength is None else state.strength,
        mounted=unit.type == "cavalry" if state.mounted is None else state.mounted,
    )


def conditions_of(game: Game) -> Conditions:
    """The game's conditions; ``player_side`` is never None."""
    return once(game, "conditions_of", lambda: _conditions_of(game))


def _conditions_of(game: Game) -> Conditions:
    conditions = msgspec.convert(game.conditions, Conditions)
    if conditions.player_side is not None:
        return conditions
    return msgspec.structs.replace(conditions, player_side=game.sides[0].name)


def leader_of(unit: Unit) -> Figure | None:
    """The unit's own Leader (MM-29), or None when he is gone."""
    return next((figure for figure in unit.figures if figure.role == "leader"), None)


def weapon_of(unit: Unit) -> Weapon:
    """What the unit counts as armed with: the weapon of most figures, the unit's own at a tie."""
    return once(unit, "weapon_of", lambda: _weapon_of(unit))


def _weapon_of(unit: Unit) -> Weapon:
    carried = Counter(figure.weapon or unit.weapon for figure in figures_of(unit))
    if not carried:
        return weapons()[unit.weapon]
    most = max(carried.values())
    tied = [name for name, number in carried.items() if number == most]
    return weapons()[unit.weapon if unit.weapon in tied else tied[0]]


def formation_of(unit: Unit) -> str:
    """The formation that counts: in a building every unit is unformed (MM-172)."""
    return "unformed" if state_of(unit).in_building is not None else unit.formation
