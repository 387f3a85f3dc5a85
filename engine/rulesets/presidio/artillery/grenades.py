"""Hand grenades: thrown as indirect fire by one man at a time, bursting where they land (PR-936)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from engine.dice import Roll
from engine.events import Event
from engine.geometry.moving.moves import bearing_to, towards
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.answer import FireOption, FireRoll, Modifier
from engine.records.game import Figure, Game, Unit
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.artillery.blasts import burst
from engine.rulesets.presidio.artillery.gun_templates import Template, burst_template, way_template
from engine.rulesets.presidio.artillery.harming import Harm, harmed
from engine.rulesets.presidio.book import Band, book
from engine.rulesets.presidio.changes import spent
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.small_arms.bands import band_as_measured, counted_band, other_band, range_doubts
from engine.rulesets.presidio.small_arms.fire_reasons import state_reasons, target_reasons
from engine.rulesets.presidio.small_arms.shot_numbers import (
    cover_modifiers,
    effect,
    range_modifier,
    target_modifiers,
)
from engine.rulesets.presidio.table.bodies import Range, range_of
from engine.rulesets.presidio.table.covering import Covering, cover_of, own_cover_of
from engine.rulesets.presidio.table.field import field_of, told_apart
from engine.rulesets.presidio.table.sight import View, view_of
from engine.rulesets.presidio.units.arms import carries, fires
from engine.rulesets.presidio.vocabulary import MM_PER_IN, conditions_of, figures_of, stats_of

__all__ = ["GRENADE", "Throw", "grenade_options", "throw_grenade", "throwers"]

GRENADE = "grenade"


def throwers(unit: Unit) -> tuple[Figure, ...]:
    """The figures of a unit that have grenades, in list order."""
    return tuple(figure for figure in figures_of(unit) if fires(figure) and carries(unit, figure, GRENADE))


@dataclass(frozen=True, eq=False)
class Throw:
    """A grenade thrown at a unit; ``at``: another point of aim than the target's centre facing."""

    game: Game
    unit: Unit
    target: Unit
    at: tuple[float, float] | None = None

    @cached_property
    def view(self) -> View:
        """What the unit sees of the target."""
        return view_of(self.game, self.unit, self.target)

    @cached_property
    def seeing(self) -> tuple[str, ...]:
        """The throwers that see any of the target."""
        able = {figure.id for figure in throwers(self.unit)}
        names = field_of(self.game).names(self.view.lookers[self.view.sees.any(axis=1)])
        return tuple(name for name in names if name in able)

    @cached_property
    def seen(self) -> NDArray[np.intp]:
        """Who of the target is seen, by number."""
        return self.view.targets[self.view.sees.any(axis=0)]

    @cached_property
    def range(self) -> Range | None:
        """From where to where the range is measured (PR-003)."""
        return range_of(self.game, self.unit, self.target)

    @property
    def aim(self) -> tuple[float, float] | None:
        """The point that it is thrown at."""
        return self.at if self.at is not None else None if self.range is None else self.range.end

    @cached_property
    def limits(self) -> tuple[float, ...]:
        """The upper limits of its range bands in mm (PR-408)."""
        return tuple(limit * MM_PER_IN for limit in book().ranges["grenade"])

    @cached_property
    def band(self) -> Band:
        """The range band as measured."""
        return band_as_measured(self.range, self.limits)

    @cached_property
    def other_band(self) -> Band | None:
        """The band on the other side of a limit that the measurement cannot tell; None where it can."""
        return other_band(self.range, self.limits)

    @cached_property
    def cover(self) -> Covering:
        """The target's cover."""
        return cover_of(self.game, self.unit, self.target, self.seen.tolist() or None)

    @cached_property
    def own_cover(self) -> Covering:
        """The thrower's own cover from the target (PR-413)."""
        return own_cover_of(self.game, self.unit, self.target)

    def modifiers(self, band: Band | None = None) -> tuple[Modifier, ...]:
        """Everything that alters the number; ``band``: another than the measured one (PR-905)."""
        ranged, back = stats_of(self.unit).ranged, conditions_of(self.game).options.firing_from_cover
        skill = (effect(f"ranged skill {ranged}", -ranged, "PR-905"),) if ranged else ()
        covered = back and self.own_cover.above in ("partial", "heavy", "full")
        return (
            range_modifier(self.game, band or self.band), *skill, *cover_modifiers(self.game, self.cover),
            *target_modifiers(self.game, self.target),
            *((effect("throws from cover", back, "PR-413"),) if covered else ()),
        )  # fmt: skip

    def number(self, band: Band | None = None) -> int | None:
        """What the d12 must show; None where it cannot (PR-426)."""
        options = conditions_of(self.game).options
        number = int(options.indirect_number) + sum(int(one.extra["value"]) for one in self.modifiers(band))
        if number > book().fire.die:
            return book().fire.die if options.natural_12_hits else None
        return max(number, 2)

    def doubts(self) -> tuple[str, ...]:
        """What the measurement cannot settle, in words."""
        return tuple(dict.fromkeys((*self.view.doubts, *self.cover.doubts, *range_doubts(self.range, self.limits))))


def throw_reasons(throw: Throw) -> Iterator[tuple[str, str]]:
    """Everything that speaks against a throw."""
    yield from state_reasons(replace(throw.unit, state={**throw.unit.state, "reload_left": 0}), 1)
    yield from target_reasons(throw.target)
    if not throwers(throw.unit):
        yield f"nobody of {throw.unit.id} has a grenade", "PR-936"
    if throw.range is None:
        return
    if not throw.seeing:
        yield from throw.view.why or (("nobody who has a grenade sees the target", "PR-903"),)
    if throw.band == "out":
        far, most = told_apart(throw.range.length_mm, throw.limits[-1])
        yield f"out of range: {far}, less than {most} needed", "PR-408"
    elif throw.number() is None:
        yield "needs more than 12, the most that a d12 shows", "PR-426"


def grenade_options(game: Game, unit: Unit) -> tuple[FireOption, ...]:
    """An entry for each enemy at whom a unit with grenades may throw one, nearest first."""
    if not throwers(unit):
        return ()
    options = [_option(Throw(game, unit, enemy)) for enemy in game.enemies(unit)]
    far = float("inf")
    return tuple(sorted(options, key=lambda option: far if option.range_mm is None else option.range_mm))


def _option(throw: Throw) -> FireOption:
    reasons = Reasons()
    reasons.extend(throw_reasons(throw))
    there = throw.range is not None
    number = throw.number() if there and throw.band != "out" else None
    return FireOption(
        target=throw.target.id, legal=not reasons, why_not=reasons.texts, why_rules=reasons.rules, mode="indirect",
        range_mm=throw.range.length_mm if throw.range else None,
        range_sigma_mm=throw.range.sigma_mm if throw.range else 0.0,
        band=throw.band, shooters=throw.seeing[:1], targets_seen=field_of(throw.game).names(throw.seen),
        aspect=None, cover=throw.cover.name if there else None, modifiers=throw.modifiers() if there else (),
        roll=None if number is None else FireRoll(count=1, die="d12", success=f">={number}"),
        borderline=throw.doubts() if there else (),
        extra={"weapon": GRENADE, "actions": 1, "at_risk": list(_at_risk(throw)), "template": _template(throw)},
    )  # fmt: skip


def _template(throw: Throw) -> Template:
    """The burst where it is thrown, and the disc in which a miss may land (PR-910, PR-936)."""
    if throw.aim is None:
        return {"areas_mm": [], "rings_mm": []}
    number = throw.number()
    far = 0.0 if number is None else (number - 1) * fight_book().gun.scatter["indirect"] * MM_PER_IN
    stray: Template = {"scatter_mm": [*throw.aim, far]} if far > 0 else {}
    return {**burst_template(throw.aim, fight_book().grenade.radius), **stray}


def _at_risk(throw: Throw) -> tuple[str, ...]:
    """The other units about the point of aim."""
    if throw.aim is None:
        return ()
    field = field_of(throw.game)
    found = burst(throw.game, throw.aim, fight_book().grenade.radius, direct=True)
    names = {field.units[one].id for one in (*found.people, *found.models)} - {throw.target.id}
    return tuple(unit.id for unit in throw.game.units if unit.id in names)


def throw_grenade(game: Game, action: Action, at: tuple[float, float] | None) -> Procedure[None]:
    """A man throws a grenade. Raises ActionRefused with every reason."""
    unit, target = game.unit(action.unit or ""), game.unit(action.target or "")
    throw, reasons = Throw(game, unit, target, at), Reasons()
    reasons.add(unit.side == target.side, f"{target.id} is on the same side as {unit.id}", "PR-401")
    reasons.extend(throw_reasons(throw))
    return _throw(game, throw, action, allow(action, reasons))


def _throw(game: Game, throw: Throw, action: Action, against: tuple[str, ...]) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if throw.aim is None or throw.range is None:
        return
    band = yield from counted_band(throw.band, throw.other_band)
    facts = {"unit": throw.unit.id, "target": throw.target.id, "weapon": GRENADE, "mode": "indirect"}
    game = yield from happen(Event(event="fired", facts=facts, changes=spent(throw.unit, 1), rule="PR-936"))
    purpose = f"{throw.unit.id} throws a grenade at {throw.target.id}"
    total = (yield from roll(Roll(purpose=purpose, count=1, die="d12", each=True, rule="PR-936"))).total
    needed = throw.number(band) or book().fire.die + 1
    at = throw.aim
    if total < needed:
        side = (yield from roll(Roll(purpose="direction of the miss", count=1, rule="PR-912"))).total
        far = (needed - total) * fight_book().gun.scatter["indirect"] * MM_PER_IN
        bearing = (bearing_to(throw.range.start, throw.aim) + 60.0 * (side - 1)) % 360.0
        way = towards(bearing)
        at = (at[0] + way[0] * far, at[1] + way[1] * far)
        where = {
            "unit": throw.unit.id, "distance_mm": far, "bearing_deg": bearing, "at_mm": list(at),
            "template": way_template(throw.aim, at),
        }  # fmt: skip
        game = yield from happen(Event(event="scatter", facts=where, rule="PR-910"))
    numbers = fight_book().grenade
    reached = burst(game, at, numbers.radius, direct=total >= needed)
    landed = {"unit": throw.unit.id, "at_mm": list(at), "radius_mm": numbers.radius * MM_PER_IN}
    landed["template"] = burst_template(at, numbers.radius)
    game = yield from happen(Event(event="landed", facts=landed, rule="PR-936"))
    harm = Harm(throw.unit.id, numbers.damage, reached, exploding=True)
    yield from harmed(game, harm)
