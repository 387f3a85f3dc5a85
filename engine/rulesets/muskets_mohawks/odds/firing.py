"""The chances of small-arm fire: hits, who falls of the target, what the rest of it does then (MM-95 to MM-117)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import product
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from engine.geometry.moving.moves import centroid, nearest_first
from engine.records.answer import FireOption
from engine.records.game import Figure, Game, Unit
from engine.rulesets.muskets_mohawks.odds.nerves import Nerve, Stand, nerves, results
from engine.rulesets.muskets_mohawks.odds.ripostes import Riposte, riposte
from engine.rulesets.muskets_mohawks.odds.tolls import Toll, ranks_of, tolls
from engine.rulesets.muskets_mohawks.options.charge_options import charges_if_left
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import (
    MISFIRE,
    casualties_of,
    order_of_fall,
    shooting,
    tests_of,
)
from engine.rulesets.muskets_mohawks.vocabulary import conditions_of, figures_of, weapon_of
from engine.spreads import chance_of, merged, passes

__all__ = [
    "DESTROYED",
    "Fired",
    "Struck",
    "Volley",
    "after_fire",
    "casualties",
    "fired",
    "fired_together",
    "left",
    "reacts",
    "struck",
    "volley",
]

#: What becomes of a unit of which nobody is left: it takes no test.
DESTROYED = "destroyed"


class Fired(Struct, frozen=True, kw_only=True):
    """What fire came to: how many figures fell, what the target does then, and what its charge comes to."""

    casualties: int
    result: str
    charge: str | None = None


class Struck(Struct, frozen=True, kw_only=True):
    """A unit after losses: the figures left, how many fell, whether the Leader is among them."""

    figures: tuple[Figure, ...]
    fallen: int
    leader_lost: bool


class Volley(Struct, frozen=True, kw_only=True):
    """One unit's shot: the target's figures in the order in which they fall to it, the chance of each number."""

    order: tuple[Figure, ...]
    counts: tuple[tuple[int, float], ...]


def volley(game: Game, unit: Unit, target: Unit, option: FireOption) -> Volley:
    """The shot of small arms at a target."""
    order = nearest_first(figures_of(target), shooting(unit, option))
    return Volley(order=order, counts=tuple(casualties(game, unit, option, len(order))))


def fired(game: Game, unit: Unit, target: Unit, option: FireOption, *, square: bool = False) -> dict[Fired, float]:
    """The chances of a volley, fire at will or continuous fire, to the end of the test that it causes.

    ``square``: the unit tries to form square if the target charges it.
    """
    shots = [volley(game, unit, target, option)]
    return fired_together(game, target, shots, unit, option.mode, square=square)


def fired_together(
    game: Game, target: Unit, shots: Sequence[Volley], cause: Unit, mode: str, *, square: bool = False
) -> dict[Fired, float]:
    """The same of several who fire at the same time; the ``cause`` of the test is one of them, its mode (MM-63)."""
    most = len(figures_of(target))
    losses = []
    for counts in product(*(shot.counts for shot in shots)):
        falling = order_of_fall([(shot.order, count) for shot, (count, _) in zip(shots, counts, strict=True)])
        total = min(sum(count for count, _ in counts), most)
        losses.append((total, struck(target, falling, total), prod(chance for _, chance in counts)))
    return after_fire(game, cause, target, mode, losses, square=square)


def casualties(game: Game, unit: Unit, option: FireOption, most: int) -> list[tuple[int, float]]:
    """The chance of each number of casualties of small-arm fire, ``most`` at most."""
    roll = option.roll
    if roll is None or roll.success is None:
        return [(0, 1.0)]
    hit = chance_of(roll.success) * firing_share(game, unit)
    return list(
        merged(
            (min(casualties_of(game, option, hits), most), chance)
            for hits, chance in enumerate(passes(roll.count, hit))
        ).items()
    )


def firing_share(game: Game, unit: Unit) -> float:
    """The share of the dice that are not lost to misfires (MM-113): a die hits that neither misfires nor misses."""
    damp = conditions_of(game).misfires and weapon_of(unit).name != "bow"
    return 1.0 - chance_of(MISFIRE) if damp else 1.0


def struck(unit: Unit, order: Sequence[Figure], count: int) -> list[tuple[Struck, float]]:
    """What so many casualties by fire, in an order, leave of a unit."""
    return [(left(order, toll), chance) for toll, chance in tolls(ranks_of(unit, order), count, ranged=True)]


def left(order: Sequence[Figure], toll: Toll) -> Struck:
    """The figures that a toll leaves; one whose horse was hit is on foot."""
    fallen = frozenset(toll.fallen)
    figures = tuple(figure for place, figure in enumerate(order) if place not in fallen)
    if toll.unhorsed is not None and toll.unhorsed not in fallen:
        horseman = order[toll.unhorsed]
        on_foot = replace(horseman, mounted=False, status="stunned")
        figures = tuple(on_foot if figure is horseman else figure for figure in figures)
    return Struck(figures=figures, fallen=len(toll.fallen), leader_lost=toll.leader_lost)


def after_fire(
    game: Game, shooter: Unit, target: Unit, mode: str,
    losses: Sequence[tuple[int, Sequence[tuple[Struck, float]], float]], *, square: bool = False,
) -> dict[Fired, float]:  # fmt: skip
    """The target's tests after losses: for each number of casualties what may be left, and its chance."""
    states = list({one: None for _, some, _ in losses for one, _ in some})
    charges = riposte(game, shooter, target, mode, square=square)
    known = {
        one: list(_done(nerve, one, charges))
        for one, nerve in zip(states, reacts(game, shooter, target, states), strict=True)
    }
    return merged(
        (Fired(casualties=count, result=result, charge=charge), chance * share * part)
        for count, some, chance in losses
        for one, share in some
        for result, charge, part in known[one]
    )


def reacts(
    game: Game, cause: Unit, unit: Unit, states: Sequence[Struck], *, without: frozenset[str] = frozenset()
) -> list[Nerve | None]:
    """The nerve of a unit that was fired at, for each of what may be left of it."""
    where = figures_of(cause)
    xy = centroid(where) if where else None
    stands = [Stand(figures=one.figures, cause_xy=xy) for one in states]
    in_reach = _in_reach(game, unit, cause)
    return nerves(game, unit, stands, fired_at=True, without=without, charges=in_reach)


def _in_reach(game: Game, unit: Unit, cause: Unit) -> Callable[[Unit], bool]:
    """Whether what is left of a unit could charge the cause."""
    if cause.side == unit.side:
        return lambda left: False
    legal = cache(partial(charges_if_left, game, unit, cause))  # horse alone is asked
    return lambda left: legal()(left)


def _done(nerve: Nerve | None, one: Struck, charges: Riposte) -> Iterator[tuple[str, str | None, float]]:
    """What is left of a unit does, what comes of its charge where it charges, and the chance of that."""
    if not one.figures:
        yield DESTROYED, None, 1.0
        return
    for result, chance in results(nerve, tuple(tests_of(one.fallen, one.leader_lost, fired_at=True))):
        if result == "charge" and chance > 0:
            yield from ((result, charge, chance * share) for charge, share in charges(one.figures).items())
        else:
            yield result, None, chance
