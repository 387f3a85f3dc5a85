"""Whom a unit can charge, and how far that is (TY-70, TY-72)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.geometry.certainty import SIGMAS
from engine.geometry.moving.moves import Gap, gap_between
from engine.geometry.plane.tolerance import MM
from engine.records.answer import ChargeOption, ChargeRoll, Modifier
from engine.records.game import Game, Unit
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.base.kept import once
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.movement.moving import ELSEWHERE, move_reasons
from engine.rulesets.tyneside.movement.walking import Step, steps_of
from engine.rulesets.tyneside.table.facts import aspect_of
from engine.rulesets.tyneside.table.field import measured, told_apart
from engine.rulesets.tyneside.vocabulary import (
    class_of,
    figures_of,
    only_commands,
    state_of,
    stats_of,
    weapons,
)

__all__ = ["charge_option", "charge_options"]


@dataclass(frozen=True)
class _Way:
    """The straight way into contact: between which figures, and how far the unit gets on it."""

    gap: Gap
    step: Step

    @property
    def arrives(self) -> bool:
        """Whether it comes into contact."""
        return self.step.distance_mm >= self.gap.distance_mm - MM


def charge_options(game: Game, unit: Unit) -> tuple[ChargeOption, ...]:
    """An entry for each enemy unit, nearest first."""
    _ways(game, unit, game.enemies(unit))
    options = [charge_option(game, unit, enemy) for enemy in game.enemies(unit)]
    return tuple(sorted(options, key=lambda one: 1e9 if one.distance_mm is None else round(one.distance_mm, 6)))


def charge_option(game: Game, unit: Unit, target: Unit) -> ChargeOption:
    """Charging one enemy unit."""
    way = _way(game, unit, target)
    reasons, state = Reasons(), state_of(unit)
    moves = move_reasons(game, unit)
    reasons.extend(zip(moves.texts, moves.rules, strict=True))
    reasons.add(state.hidden, f"{unit.id} is still a hidden marker", "TY-82")
    reasons.add(state_of(target).hidden, f"{target.id} is a hidden marker", "TY-82")
    gone = not figures_of(target) and not state_of(target).hidden
    reasons.add(gone, f"{target.id} has no figures left", "TY-40")
    text = f"the Actions table sends it elsewhere: {state.result}"
    reasons.add(state.binding and state.result in ELSEWHERE, text, "TY-60")
    text = "has thrown all his dice for command: who also fights this turn throws one fewer"
    reasons.add(only_commands(unit), text, "TY-11")
    reasons.add(state.routing and state.result != "run", "it routs", "TY-60")
    if not state.commanded:
        reasons.add(not state.may_charge, "uncommanded, and no result of the Actions table lets it charge", "TY-70")
    if way is not None and not way.arrives:
        stop = (
            f", stopped by {way.step.stopped_by}"
            if way.step.stopped_by not in (None, "the end of the move")
            else ""
        )
        far, gets = told_apart(way.gap.distance_mm, way.step.distance_mm)
        text = f"out of reach: {far} away, it gets {gets}{stop}"
        reasons.add(not moves, text, "TY-70")
    if not state.commanded and way is not None:
        nearer = _nearer(game, unit, target, way)
        text = f"uncommanded units charge the nearest enemy in reach: {nearer}"
        reasons.add(nearer is not None, text, "TY-70")
    aspect = aspect_of(game, target, unit)
    return ChargeOption(
        target=target.id, legal=not reasons, why_not=reasons.texts, why_rules=reasons.rules,
        distance_mm=None if way is None else way.gap.distance_mm,
        aspect=None if aspect is None else aspect.name, modifiers=_modifiers(unit, target),
        roll=ChargeRoll(charger=len(figures_of(unit)), target=len(figures_of(target)), die="d6"),
        borderline=_borderline(game, way) + (() if aspect is None else aspect.doubt),
    )  # fmt: skip


def _way(game: Game, unit: Unit, target: Unit) -> _Way | None:
    """The way from a unit to another, kept beside the game; None where either has no figures."""
    kept: dict[tuple[str, str], _Way | None] = once(game, "ty_ways", dict)
    if (unit.id, target.id) not in kept:
        _ways(game, unit, [target])
    return kept[unit.id, target.id]


def _ways(game: Game, unit: Unit, targets: Iterable[Unit]) -> None:
    """Works out the ways from a unit to others at once, as far as that has not been done."""
    kept: dict[tuple[str, str], _Way | None] = once(game, "ty_ways", dict)
    gaps: dict[str, Gap] = {}
    for target in targets:
        if (unit.id, target.id) not in kept:
            gap = gap_between(figures_of(unit), figures_of(target))
            kept[unit.id, target.id] = None
            if gap is not None:
                gaps[target.id] = gap
    goals = [
        ((gap.start.x_mm + gap.direction[0] * gap.distance_mm, gap.start.y_mm + gap.direction[1] * gap.distance_mm),
         gap.start)
        for gap in gaps.values()
    ]  # fmt: skip
    for (name, gap), step in zip(gaps.items(), steps_of(game, unit, goals), strict=True):
        kept[unit.id, name] = _Way(gap, step)


def _nearer(game: Game, unit: Unit, target: Unit, way: _Way) -> str | None:
    """An enemy in reach that is nearer than the target."""
    for enemy in game.enemies(unit):
        if enemy.id != target.id and not state_of(enemy).hidden:
            other = _way(game, unit, enemy)
            near = other is not None and other.arrives
            if other is not None and near and round(other.gap.distance_mm, 6) < round(way.gap.distance_mm, 6):
                return enemy.id
    return None


def _modifiers(unit: Unit, target: Unit) -> tuple[Modifier, ...]:
    """What the charger's figures add to their dice, as far as it is known before they are matched (TY-72)."""
    found = []
    for name in dict.fromkeys(class_of(unit, figure) for figure in figures_of(unit)):
        value = book().class_die[name]
        if value:
            found.append(Modifier(name=name, effect=f"{value:+d}", rule="TY-72", extra={"value": value}))
    if figures_of(target) and _melee(unit) > _melee(target):
        found.append(Modifier(name="better weapon in melee", effect="+1", rule="TY-72", extra={"value": 1}))
    return tuple(found)


def _melee(unit: Unit) -> int:
    names = (unit.weapon, stats_of(unit).second_weapon)
    return max((weapons()[name].melee for name in names if name is not None and name in weapons()), default=0)


def _borderline(game: Game, way: _Way | None) -> tuple[str, ...]:
    """The reach in words, where the measurement cannot settle it."""
    if way is None:
        return ()
    sigma = sum(game.sigma_mm(figure) ** 2 for figure in (way.gap.start, way.gap.end)) ** 0.5
    spare = way.step.whole_mm - way.step.used_mm
    reach = way.step.distance_mm + (spare if way.arrives else 0.0)
    if sigma <= 0 or abs(way.gap.distance_mm - reach) > SIGMAS * sigma:
        return ()
    return (f"way into contact {measured(way.gap.distance_mm, sigma, reach)}",)
