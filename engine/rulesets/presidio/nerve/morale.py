"""What a unit must roll to keep its nerve, and what falling short comes to (PR-701 to PR-712)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.geometry.facing.aspects import quarters
from engine.geometry.moving.moves import gap_between
from engine.geometry.plane.tolerance import at_most
from engine.geometry.shapes.bases import to_segments
from engine.records.answer import Modifier
from engine.records.game import Figure, Game, Round, Unit
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.fight_book import fight_book, loss_modifier
from engine.rulesets.presidio.small_arms.shot_numbers import effect
from engine.rulesets.presidio.table.bodies import bodies_of, body_of
from engine.rulesets.presidio.table.covering import cover_of
from engine.rulesets.presidio.table.field import on_table, units_apart
from engine.rulesets.presidio.table.sorts import class_of, holds_front, leads, starting_size
from engine.rulesets.presidio.units.formations import good_ranks
from engine.rulesets.presidio.units.leading import command_over, near_role
from engine.rulesets.presidio.vocabulary import (
    MM_PER_IN,
    conditions_of,
    figures_of,
    is_artillery,
    state_of,
    stats_of,
)

__all__ = [
    "Cause", "Check", "Raw", "Situation", "base_number", "check_of", "must_surrender", "raw_result",
    "situation_of", "surrounded",
]  # fmt: skip

Cause = Literal["casualties", "friend", "charged", "charging", "impact"]
Raw = Literal["pass", "fall-back", "retreat", "panic"]
Situation = Literal["charging", "cover", "led-line", "line", "open"]

#: The base of a man on foot, for one who is no longer there.
_LAST_BASE = Round(diameter_mm=25.0)
_SHELTERED = ("partial", "heavy", "full", "complete")


@dataclass(frozen=True)
class Check:
    """What a unit must reach and what is added to its die, each with the modifiers that make it."""

    required: int
    bonus: int
    modifiers: tuple[Modifier, ...]
    cover: str


def base_number(unit: Unit) -> int:
    """What a unit's level needs, with the level that it may have gained (PR-701, PR-731)."""
    numbers = fight_book().morale
    return int(getattr(numbers, stats_of(unit).morale)) - state_of(unit).level_bonus


def check_of(game: Game, unit: Unit, source: Unit | None, cause: Cause) -> Check:
    """The morale check of a unit because of another (None: of nobody that is known)."""
    cover = "none" if source is None or source.side == unit.side else cover_of(game, source, unit).name
    found = tuple(_modifiers(game, unit, source, cause, cover))
    numbers = fight_book().morale
    command = command_over(game, unit)
    hero = numbers.hero if any(figure.role == "hero" for figure in figures_of(unit)) else 0
    on_die = [
        effect(name, value, rule)
        for name, value, rule in (("command", command, "PR-701"), ("a hero in the unit", hero, "PR-706"))
        if value
    ]
    required = base_number(unit) + sum(int(one.extra["value"]) for one in found)
    return Check(required, command + hero, (*found, *on_die), cover)


def _modifiers(game: Game, unit: Unit, source: Unit | None, cause: Cause, cover: str) -> Iterator[Modifier]:
    """What alters the number that is needed."""
    numbers, state = fight_book().morale, state_of(unit)
    losses = loss_modifier(starting_size(unit), max(state.casualties - state.casualties_ignored, 0))
    friendly = source is not None and source.side != unit.side and friendly_cover(game, unit, source)
    light_cover = cover == "incidental" or friendly
    for name, value, rule in (
        ("casualties", losses, "PR-702"),
        ("charging", numbers.charging if cause == "charging" else 0, "PR-703"),
        ("charged", numbers.charged if cause == "charged" else 0, "PR-703"),
        ("incidental or friendly cover", numbers.comfort if light_cover else 0, "PR-704"),
        (f"{cover} cover", numbers.cover.get(cover, 0), "PR-705"),
        ("in line", numbers.line if good_ranks(game, unit) else 0, "PR-706"),
        ("leader lost", numbers.leader_lost if state.leader_lost else 0, "PR-706"),
    ):
        if value:
            yield effect(name, value, rule)
    yield from _comforts(game, unit)
    yield from _failing_friends(game, unit)


def _comforts(game: Game, unit: Unit) -> Iterator[Modifier]:
    """Fifer, flag, and the man of God or of the spirits, each once (PR-107, PR-108, PR-110)."""
    holy = "shaman" if unit.type == "native" else "chaplain"
    flag = conditions_of(game).options.flag_in * MM_PER_IN
    for role, limit, rule in (
        ("fifer", book().mm("fife"), "PR-110"),
        ("flag-bearer", flag, "PR-108"),
        (holy, book().mm("comfort"), "PR-107"),
    ):
        if near_role(game, unit, role, limit):
            yield effect(role.replace("-", " "), fight_book().morale.comfort, rule)


def _failing_friends(game: Game, unit: Unit) -> Iterator[Modifier]:
    """Friends near who failed this turn; a line minds no skirmishers that broke (PR-707)."""
    numbers = fight_book().morale
    worth = {
        "fall-back": numbers.fall_back, "retreat": numbers.retreat,
        "panic": numbers.panic, "destroyed": numbers.panic,
    }  # fmt: skip
    for friend in game.units:
        failed = state_of(friend).failed
        if friend.side != unit.side or friend.id == unit.id or failed is None:
            continue
        broken = failed in ("panic", "destroyed")
        if broken and holds_front(unit) and class_of(friend) == "skirmish":
            continue
        if _within(game, unit, friend, book().mm("friends")) or _saw_fall(unit, friend, book().mm("friends")):
            yield effect(f"{friend.id}: {failed}", worth[failed], "PR-707")


def raw_result(short: int) -> Raw:
    """What it comes to when the total is so far short (PR-709).

    >>> [raw_result(short) for short in (-1, 0, 1, 2, 3, 4, 5)]
    ['pass', 'pass', 'fall-back', 'fall-back', 'retreat', 'retreat', 'panic']
    """
    numbers = fight_book().morale
    if short >= numbers.short_panic:
        return "panic"
    if short >= numbers.short_retreat:
        return "retreat"
    return "fall-back" if short >= numbers.short_fall_back else "pass"


def surrounded(game: Game, unit: Unit) -> bool:
    """Whether enemies near lie in three of the four quarters about a unit's centre (PR-712)."""
    state = state_of(unit)
    if state.surrounded is not None:
        return state.surrounded
    limit = fight_book().morale.surrounded_in * MM_PER_IN
    near = [one for one in _foes(game, unit) if _within(game, unit, one, limit)]
    if not near:
        return False
    spots = np.concatenate([body_of(game, one).centre for one in near])
    found = quarters(spots, body_of(game, unit), from_centre=True)
    return len(set(found.side[:, 0].tolist())) >= fight_book().morale.quarters


def must_surrender(game: Game, unit: Unit, cause: Cause) -> bool:
    """Whether a unit that panics gives up: near an enemy or surrounded, but not by a charge's impact (PR-712)."""
    if cause == "impact":
        return False
    near = any(_within(game, unit, one, book().mm("surrender")) for one in _foes(game, unit))
    return near or surrounded(game, unit)


def _foes(game: Game, unit: Unit) -> list[Unit]:
    return [
        one
        for one in game.enemies(unit)
        if on_table(one) and not state_of(one).hidden and state_of(one).morale != "surrendered"
    ]


def _within(game: Game, unit: Unit, other: Unit, limit_mm: float) -> bool:
    near = units_apart(game, unit, other)
    return near is not None and at_most(near.distance_mm, limit_mm)


def _saw_fall(unit: Unit, friend: Unit, limit_mm: float) -> bool:
    """Whether a friend gave ground from near, however far it ran, or its last man fell there."""
    now = state_of(friend)
    spots = now.stood_at
    if now.fell_at is not None and not figures_of(friend):
        spots = (*spots, now.fell_at)
    if not spots:
        return False
    there = tuple(Figure(id="last", x_mm=x, y_mm=y, base=_LAST_BASE) for x, y in spots)
    gap = gap_between(figures_of(unit), there)
    return gap is not None and at_most(gap.distance_mm, limit_mm)


def friendly_cover(game: Game, unit: Unit, enemy: Unit) -> bool:
    """Whether a friend's footprint crosses the line between the middles of two units (PR-704)."""
    friends = [
        number for number, one in enumerate(game.units)
        if one.side == unit.side and one.id != unit.id and on_table(one) and not state_of(one).hidden
    ]  # fmt: skip
    if not friends or not on_table(unit) or not on_table(enemy):
        return False
    start, end = (body_of(game, one).centre for one in (unit, enemy))
    return bool((to_segments(bodies_of(game).pick(friends), start, end) <= 0).any())


def situation_of(game: Game, unit: Unit, cause: Cause, cover: str, raw: Raw) -> Situation:
    """Which column of the table of results counts, the first that fits (PR-710)."""
    if cause == "charging":
        return "charging"
    sheltered = cover in _SHELTERED
    if raw == "retreat" and cover == "partial" and not conditions_of(game).options.partial_hunkers:
        sheltered = False
    if sheltered or surrounded(game, unit):
        return "cover"
    if holds_front(unit) or is_artillery(unit):
        return "led-line" if any(leads(figure) for figure in figures_of(unit)) else "line"
    return "open"
