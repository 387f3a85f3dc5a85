"""The parameter data: the tables of ``parameters.toml``, over which a scenario lays its own, key by key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from engine.records.game import Game
from engine.records.reading import convert
from engine.rulesets.base.data.tables import of_tables, table
from engine.rulesets.base.kept import once
from engine.rulesets.musket_pike.vocabulary import conditions_of

__all__ = [
    "Nation",
    "Parameters",
    "Weapon",
    "Weather",
    "WeatherChange",
    "merged",
    "our_tables",
    "parameters_of",
    "weather_of",
]

Share = Annotated[float, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]
#: Points by a key (a kind of ground, a class of movement); None or no entry: impassable.
Costs = Mapping[str, Share | None]
Percents = Mapping[str, float]


class _Table(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all tables share: immutable, keyword only, no unknown key."""


class Weapon(_Table, frozen=True, kw_only=True):
    """A weapon: its ratings by range in hexes against soft and hard targets, and what it cannot do."""

    soft: Mapping[str, Share] = {}
    hard: Mapping[str, Share] = {}
    bayonet: bool = True
    indirect: bool = False
    defensive_fire: bool = True
    single_use: bool = False


class Weather(_Table, frozen=True, kw_only=True):
    """A state of the weather (MP-276): hexes of visibility, 0 for no change, and percents."""

    visibility: Count = 0
    movement: float = 0.0
    attacker: float = 0.0
    artillery: float = 0.0
    no_charges: bool = False


class WeatherChange(_Table, frozen=True, kw_only=True):
    """The weather from a turn on."""

    turn: Count
    weather: str


class Nation(_Table, frozen=True, kw_only=True):
    """What a nation has in the place of the common value; None: the common one."""

    column_fire_percent: float | None = None
    column_melee_percent: float | None = None
    line_disorder_percent: float | None = None


class Morale(_Table, frozen=True, kw_only=True):
    """What adds to morale and to the tests by it (MP-82, MP-208, MP-209, MP-212, MP-219, MP-231)."""

    leader: int
    ammunition: int
    night: int
    enfiladed: int
    disordered: int
    skirmisher: int
    fanatical: int
    flanks: int
    change_weight: Annotated[float, Meta(gt=0)]
    detached_charge: int
    rally_night: Share
    recovery: int
    command_night: int
    leash: Count


class Bridges(_Table, frozen=True, kw_only=True):
    """The strength that a bridge needs to carry leaders and infantry, cavalry, guns and wagons (MP-59)."""

    infantry: Share
    cavalry: Share
    artillery: Share


class Threat(_Table, frozen=True, kw_only=True):
    """What a hundred men, or one gun, are worth as a threat up to so many hexes away (MP-80)."""

    hexes: Count
    worth: Share


class Threats(_Table, frozen=True, kw_only=True):
    """The threat of foot, of guns and of riders, from near to far: of several the first counts (MP-80)."""

    foot: tuple[Threat, ...]
    guns: tuple[Threat, ...]
    riders: tuple[Threat, ...]


class Fire(_Table, frozen=True, kw_only=True):
    """What tells on fire (MP-140 to MP-161): percents, factors, and from how much of something on they hold."""

    good_percent: float
    poor_percent: float
    disordered: Share
    two_rank_percent: float
    two_rank_shortened: Share
    skirmishers: Share
    captured: Share
    moved: Share
    opportunity: Share
    steep: Count
    steep_times: Share
    wagon: Share
    guns_massed_percent: float
    foot_massed_percent: float
    riders_near: Count
    riders_far: Count
    riders_far_share: Share
    limbered_percent: float
    thin: Share
    dense_men: Annotated[float, Meta(gt=0)]
    veiled_percent: float
    weather_from: Count


class Melee(_Table, frozen=True, kw_only=True):
    """What tells in melee (MP-181 to MP-194, MP-207): percents and factors."""

    heavy_percent: float
    disordered_attacker: Share
    disordered_defender: Share
    routed: Share
    isolated: Share
    routed_isolated: Share
    without_bayonet: Share
    poor_at_works: Share
    value_percent: float
    fresh_percent: float
    answered_percent: float
    leader_percent: float
    flank_percent: float
    good_percent: float
    poor_percent: float
    chateau_percent: float
    thin_loss: Share


class Tiredness(_Table, frozen=True, kw_only=True):
    """A level of fatigue: from how many points on, the percent of fire and melee, what it adds to morale."""

    least: Count
    percent: float
    morale: int


class Fatigue(_Table, frozen=True, kw_only=True):
    """The levels of fatigue above low, which changes nothing (MP-240)."""

    medium: Tiredness
    high: Tiredness
    maximum: Tiredness

    @property
    def most(self) -> int:
        """The most points that a unit can have."""
        return self.maximum.least

    def level(self, points: int) -> tuple[str, Tiredness]:
        """How tired so many points make a unit, and what that brings."""
        levels = (("maximum", self.maximum), ("high", self.high), ("medium", self.medium))
        return next((found for found in levels if points >= found[1].least), ("low", _RESTED))


_RESTED = Tiredness(least=0, percent=0.0, morale=0)


class Parameters(_Table, frozen=True, kw_only=True):
    """All parameter data of a game; ``parameters.toml`` says what each key is."""

    allowance: Mapping[str, Share]
    disordered_movement: Share
    terrain_cost: Mapping[str, Costs]
    hexside_cost: Mapping[str, Costs]
    road_cost: Mapping[str, Share]
    up_cost: Share
    abatis_cost: Share
    trench_cost: Share
    rear_move_penalty: Share
    boat_cost: Share
    turn_cost: Mapping[str, Share]
    formation_cost: Mapping[str, Share]
    max_stacking: Share
    max_units: Count
    men_per_gun: Share
    skirmisher_percent: Share
    light_remain_percent: Share
    squadron_percent: Share
    extended_minimum: Share
    extended_minimum_guns: Share
    thin_share: Share
    charge_factor: Share
    continuation_hexes: Count
    charge_max_melees: Count
    column_fire_percent: float
    column_melee_percent: float
    line_disorder_percent: float
    nations: Mapping[str, Nation]
    hexside_fire_percent: Percents
    hexside_melee_percent: Percents
    terrain_fire_percent: Percents
    terrain_height: Mapping[str, float]
    abatis_fire_percent: float
    trench_fire_percent: float
    elevation_fire_percent: float
    elevation_melee_percent: float
    enfilade_percent: float
    cavalry_fire_percent: float
    fire_lcv: Share
    fire_hcv: Share
    melee_attacker_lcv: Share
    melee_attacker_hcv: Share
    melee_defender_lcv: Share
    melee_defender_hcv: Share
    artillery_fire: Annotated[float, Meta(gt=0)]
    artillery_melee: Share
    ammo_loss_percent: Share
    fatigue_recovery: Share
    threat: Threats
    fire: Fire
    melee: Melee
    fatigue: Fatigue
    morale: Morale
    scatter_percent: tuple[Share, Share, Share]
    bridge_minimum: Bridges
    weather: Mapping[str, Weather]
    weather_changes: tuple[WeatherChange, ...]
    weapons: Mapping[str, Weapon]

    def nation(self, name: str) -> Nation:
        """The percents of a nation: its own, else the common ones."""
        own = self.nations.get(name, Nation())
        common = {key: getattr(self, key) for key in Nation.__struct_fields__ if getattr(own, key) is None}
        return msgspec.structs.replace(own, **common)


@of_tables
def our_tables() -> Mapping[str, Any]:
    """The tables of ``parameters.toml`` as the plain value of their file."""
    return table(__package__, "parameters.toml")


@of_tables
def our_parameters() -> Parameters:
    """The parameters of ``parameters.toml``."""
    return convert(dict(our_tables()), Parameters, "parameters")


def merged(own: Mapping[str, Any], over: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Tables with others laid over them key by key, all the way down; lists are replaced whole.

    >>> merged({"b": {"x": 3}}, {"a": 1, "b": {"x": 2, "y": 2}})
    {'a': 1, 'b': {'x': 3, 'y': 2}}
    """
    under = dict(our_tables() if over is None else over)
    for key, value in own.items():
        below = under.get(key)
        both = isinstance(value, Mapping) and isinstance(below, Mapping)
        under[key] = merged(value, below) if both else value
    return under


def parameters_of(game: Game) -> Parameters:
    """The parameter data of a game, worked out once."""
    own = game.conditions.get("parameters")
    if not own:
        return our_parameters()
    return once(game, "mp_parameters", lambda: convert(merged(own), Parameters, "", "conditions.parameters"))


def weather_of(game: Game) -> str:
    """The state of the weather: the last change that the turn has come to, else the conditions' (MP-276)."""
    past = [change for change in parameters_of(game).weather_changes if change.turn <= game.turn.number]
    return max(past, key=lambda change: change.turn).weather if past else conditions_of(game).weather
