"""Units that fire at one target at the same time: each rolls for itself, whoever is struck tests once (MM-63)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from engine.errors import UnknownAction
from engine.geometry.moving.moves import nearest_first
from engine.play import Procedure
from engine.records.answer import FireOption
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.muskets_mohawks.command import acts_with
from engine.rulesets.muskets_mohawks.options.fire_options import fire_modes, fire_option
from engine.rulesets.muskets_mohawks.procedures.firing.guns import discharge_gun, falling_of
from engine.rulesets.muskets_mohawks.procedures.firing.shooting import Shot, discharge, order_of_fall, shooting
from engine.rulesets.muskets_mohawks.procedures.nerve.losses import lose
from engine.rulesets.muskets_mohawks.table.facts import unit_distance_mm
from engine.rulesets.muskets_mohawks.vocabulary import figures_of

__all__ = ["Together", "legal_or_last", "nearest_shooter", "options_with", "reasons_with", "shoot_together"]

#: How units fire unless it is said otherwise, the first that they may.
_FIRST = ("volley", "at-will", "canister", "ball")

#: A unit's figures in the order in which they fall to a shot, and how many do.
_Fall = tuple[Sequence[Figure], int]


class Together(Struct, frozen=True, kw_only=True):
    """What shots at the same time came to: the game after all losses, each unit fired at, its nearest shooter."""

    game: Game
    shots: Mapping[str, Shot]
    causes: Mapping[str, str]


def options_with(
    game: Game, unit: Unit, target: Unit, others: Sequence[str], *, at_will: bool = False
) -> dict[str, FireOption]:
    """What each does that fires with a unit: a volley before fire at will, canister before ball.

    ``at_will``: nobody is to fire a volley. Raises UnknownAction.
    """
    if unit.id in others or len(set(others)) < len(others):
        raise UnknownAction("with: expected other units, each once")
    if strangers := [name for name in others if game.unit(name).side != unit.side]:
        raise UnknownAction(f"with: expected units of its side, got {', '.join(strangers)}")
    found = {}
    for one in map(game.unit, others):
        modes = [mode for mode in fire_modes(game, one) if not (at_will and mode == "volley")]
        modes.sort(key=_FIRST.index)
        found[one.id] = legal_or_last(fire_option(game, one, target, mode) for mode in modes)
    return found


def legal_or_last(options: Iterable[FireOption]) -> FireOption:
    """The first of some options that the rules allow, else the last."""
    found: FireOption | None = None
    for found in options:
        if found.legal:
            break
    assert found is not None
    return found


def reasons_with(game: Game, unit: Unit, options: Mapping[str, FireOption]) -> Reasons:
    """Why the others do not fire with a unit: they may not fire, or do not act at the same time (MM-25, MM-31)."""
    reasons = Reasons()
    mates = acts_with(game, unit) if options else ()
    for name, option in options.items():
        reasons.extend((f"{name}: {text}", row) for text, row in zip(option.why_not, option.why_rules, strict=True))
        text = f"{name} does not act together with {unit.id}: they do not touch, nor does a Leader activate both"
        reasons.add(name not in mates, text, "MM-25")
    return reasons


def shoot_together(game: Game, options: Mapping[str, FireOption]) -> Procedure[Together]:
    """The dice of all who fire, then the losses of each unit that they fire at."""
    struck: dict[str, dict[str, _Fall]] = {}
    for shooter, option in options.items():
        game, falls = yield from _discharged(game, shooter, option)
        for name, fall in falls.items():
            struck.setdefault(name, {})[shooter] = fall
    causes = {name: nearest_shooter(game, name, falls) for name, falls in struck.items()}
    alone = len(options) == 1 and not any(option.mode in ("canister", "ball") for option in options.values())
    shots: dict[str, Shot] = {}
    for name, falls in struck.items():
        order, side = order_of_fall(list(falls.values())), game.unit(name).side
        total = min(sum(count for _, count in falls.values()), len(order))
        by = [one for one, (_, count) in falls.items() if count and game.unit(one).side != side]
        loss = yield from lose(game, name, total, order, ranged=True, by=by, alone=alone)
        game = loss.game
        shots[name] = Shot(game=game, fallen=loss.fallen, leader_lost=loss.leader_lost, destroyed=loss.destroyed)
    return Together(game=game, shots=shots, causes=causes)


def _discharged(game: Game, shooter: str, option: FireOption) -> Procedure[tuple[Game, dict[str, _Fall]]]:
    """One unit's dice, and what they do to each unit that it fires at."""
    if game.unit(shooter).type == "gunners":
        game, at_risk, falling = yield from discharge_gun(game, shooter, option, active=True)
        names = dict.fromkeys(owner for owner, _ in at_risk)
        return game, {name: falling_of(game, shooter, name, at_risk, falling) for name in names}
    game, count = yield from discharge(game, shooter, option, active=True)
    figures = figures_of(game.unit(option.target))
    return game, {option.target: (nearest_first(figures, shooting(game.unit(shooter), option)), count)}


def nearest_shooter(game: Game, target: str, shooters: Iterable[str]) -> str:
    """Of those who fire at a target the nearest, who is the cause of its test."""
    foe = game.unit(target)
    return min(shooters, key=lambda name: round(unit_distance_mm(game, game.unit(name), foe) or 0.0, 6))
