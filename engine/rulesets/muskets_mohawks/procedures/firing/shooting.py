"""The dice of small arms and what they hit: shared by an active unit's fire and by fire at a charger."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.dice import Roll
from engine.events import Change, Event
from engine.geometry.moving.moves import nearest_first
from engine.geometry.plane.tolerance import round_up
from engine.play import Procedure, happen, roll
from engine.records.answer import FireOption
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.procedures.changes import fired_on, state
from engine.rulesets.muskets_mohawks.procedures.nerve.losses import lose
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, state_of, weapon_of

__all__ = [
    "MISFIRE", "Shot", "casualties_of", "discharge", "markers_after", "misfires", "order_of_fall", "shoot",
    "shooting", "tests_of",
]  # fmt: skip

#: A die that shows this much or more misfires in bad weather (MM-113).
MISFIRE = ">=5"


class Shot(Struct, frozen=True, kw_only=True):
    """What a shot came to: the game after losses and Leader checks, before any test."""

    game: Game
    fallen: int
    leader_lost: bool
    destroyed: bool


def tests_of(fallen: int, leader_lost: bool, *, fired_at: bool) -> list[str]:
    """The reaction tests that are due (MM-63 to MM-65)."""
    return [
        *(["received-fire"] if fired_at else []),
        *(["received-casualty"] if fallen else []),
        *(["leader-lost"] if leader_lost else []),
    ]


def misfires(game: Game, unit: Unit, count: int) -> Procedure[int]:
    """How many dice are lost to the weather; bows never misfire (MM-113, R-48)."""
    if not conditions_of(game).misfires or weapon_of(unit).name == "bow":
        return 0
    rolled = yield from roll(Roll(purpose=f"misfires of {unit.id}", count=count, success=MISFIRE, rule="MM-113"))
    return rolled.passed


def markers_after(unit: Unit, mode: str) -> int:
    """The reload markers that stand before the unit when it has fired (MM-95, MM-96, MM-122)."""
    placed, now = weapon_of(unit).markers, state_of(unit).reload_markers
    return placed if mode == "volley" or now < placed else now


def shoot(game: Game, shooter: str, option: FireOption, *, active: bool) -> Procedure[Shot]:
    """Small-arm fire: misfires, fire dice, markers, losses with Leader checks (MM-95 to MM-117)."""
    game, casualties = yield from discharge(game, shooter, option, active=active)
    order = nearest_first(figures_of(game.unit(option.target)), shooting(game.unit(shooter), option))
    loss = yield from lose(game, option.target, casualties, order, ranged=True, by=(shooter,), alone=active)
    return Shot(game=loss.game, fallen=loss.fallen, leader_lost=loss.leader_lost, destroyed=loss.destroyed)


def shooting(unit: Unit, option: FireOption) -> tuple[Figure, ...]:
    """The figures that count as firing, else all of the unit."""
    return tuple(figure for figure in unit.figures if figure.id in option.shooters) or figures_of(unit)


def order_of_fall(shots: Sequence[tuple[Sequence[Figure], int]]) -> tuple[Figure, ...]:
    """A target's figures in the order in which they fall: of each shot so many as it hits, the nearest (MM-115).

    ``shots``: for each the target's figures, those nearest to its shooters first, and how many it hits.
    """
    falling: dict[str, Figure] = {}
    for nearest, count in shots:
        left = [figure for figure in nearest if figure.id not in falling]
        falling |= {figure.id: figure for figure in left[:count]}
    return (*falling.values(), *(figure for figure in shots[0][0] if figure.id not in falling))


def discharge(game: Game, shooter: str, option: FireOption, *, active: bool) -> Procedure[tuple[Game, int]]:
    """A unit's dice, and how many of the target they hit; nobody falls yet."""
    target = option.target
    unit, foe = game.unit(shooter), game.unit(target)
    count = 0 if option.roll is None else option.roll.count
    lost = yield from misfires(game, unit, count)
    success = "==1" if option.roll is None else option.roll.success
    rolled = yield from roll(
        Roll(purpose=f"{shooter} fires at {target}", count=count - lost, success=success, rule="MM-98")
    )
    casualties = min(casualties_of(game, option, rolled.passed), len(figures_of(foe)))
    facts = {
        "unit": shooter, "target": target, "mode": option.mode, "dice": count, "misfires": lost,
        "hits": rolled.passed, "casualties": casualties,
    }  # fmt: skip
    changes: list[Change] = [
        *state(shooter, reload_markers=markers_after(unit, option.mode), firing_at=target),
        *(state(shooter, activated=True) if active else ()),
        *fired_on(game, unit, [foe]),
    ]
    rule = "MM-95" if option.mode == "volley" else "MM-96"
    game = yield from happen(Event(event="fired", facts=facts, changes=tuple(changes), rule=rule))
    return game, casualties


def casualties_of(game: Game, option: FireOption, hits: int) -> int:
    """Hits times the product of all factors, rounded up once, then the caps (MM-109, R-09)."""
    casualties = round_up(hits * (1.0 if option.roll is None else option.roll.multiplier))
    if option.mode == "at-will":
        casualties = min(casualties, len(option.shooters))
    if conditions_of(game).options.cap_to_seen:
        casualties = min(casualties, len(option.targets_seen))
    return casualties
