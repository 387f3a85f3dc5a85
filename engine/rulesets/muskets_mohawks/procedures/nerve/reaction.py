"""The reaction test: how many dice, what they pass, and the result that holds (MM-59 to MM-68)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from msgspec import Struct

from engine.dice import Roll
from engine.events import Event
from engine.geometry.moving.moves import centroid, end_figures, gap_between
from engine.geometry.plane.tolerance import at_most
from engine.play import Procedure, happen, roll
from engine.records.answer import Modifier
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.options.charge_options import charge_option
from engine.rulesets.muskets_mohawks.procedures.changes import state_where
from engine.rulesets.muskets_mohawks.procedures.leaders import has_leader, leader_die, officer_attached
from engine.rulesets.muskets_mohawks.procedures.nerve.reaction_tables import (
    dice_counts,
    judge,
    needs_leader_die,
    rule_of,
    worst,
)
from engine.rulesets.muskets_mohawks.table.facts import half_strength, in_cover
from engine.rulesets.muskets_mohawks.table.sheet import CONTACT_MM
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, stats_of
from engine.rulesets.muskets_mohawks.wording import dice

__all__ = [
    "NO_FLANK_FRIENDS",
    "Cause",
    "Tested",
    "cause_of",
    "dice_for",
    "take_test",
    "test_dice",
    "test_modifiers",
]

Vector = tuple[float, float]

#: Friends who cover nobody's flank.
NO_FLANK_FRIENDS = ("leader", "pef")


class Cause(Struct, frozen=True, kw_only=True):
    """What a test or a retreat comes from: a unit, and where its centre is (None where it has no figures)."""

    unit: str | None = None
    xy: Vector | None = None


class Tested(Struct, frozen=True, kw_only=True):
    """A test taken, not yet carried out."""

    game: Game
    unit: str
    result: str


def cause_of(game: Game, unit: str | None) -> Cause:
    """The unit as a cause."""
    if unit is None:
        return Cause()
    figures = figures_of(game.unit(unit))
    return Cause(unit=unit, xy=centroid(figures) if figures else None)


def test_dice(game: Game, unit: Unit, cause: Cause, *, fired_at: bool) -> tuple[int, dict[str, str]]:
    """The number of test dice with what the circumstances add and take, which is told by its rows."""
    found = test_modifiers(game, unit, cause, fired_at=fired_at)
    words = {one.rule: f"{_change(one.extra['value'])}, {one.name}" for one in found}
    rows = set(words)
    return dice_for(covered="MM-60" in rows, half="MM-61" in rows, officer="MM-62" in rows), words


def _change(number: int) -> str:
    """How many dice more or less, in words.

    >>> _change(1), _change(-2)
    ('a die more', '2 dice less')
    """
    return f"{'a die' if abs(number) == 1 else f'{abs(number)} dice'} {'more' if number > 0 else 'less'}"


def test_modifiers(game: Game, unit: Unit, cause: Cause, *, fired_at: bool) -> tuple[Modifier, ...]:
    """What adds to a unit's test dice, and takes from them."""
    counts = dice_counts()
    cover = in_cover(game, unit, cause_xy=cause.xy, fired_at=fired_at)
    shelter = "friends on both flanks" if cover is None else f"in cover ({cover})"
    told = (
        (cover is not None or _flanks_covered(game, unit), dice(shelter, counts.covered, "MM-60")),
        (half_strength(unit), dice("at half strength", counts.half, "MM-61")),
        (officer_attached(game, unit), dice("a higher Leader with it", counts.officer, "MM-62")),
    )
    return tuple(modifier for holds, modifier in told if holds and modifier.extra["value"])


def dice_for(*, covered: bool, half: bool, officer: bool) -> int:
    """The dice with what cover or covered flanks, half strength and a higher Leader add and take."""
    counts = dice_counts()
    return max(0, counts.base + counts.covered * covered + counts.half * half + counts.officer * officer)


def _flanks_covered(game: Game, unit: Unit) -> bool:
    friends = [
        figure
        for other in game.units
        if other.side == unit.side and other.id != unit.id and other.type not in NO_FLANK_FRIENDS
        for figure in figures_of(other)
    ]
    gaps = [gap_between(end, friends) for end in end_figures(figures_of(unit))]
    return all(gap is not None and at_most(gap.distance_mm, CONTACT_MM) for gap in gaps)


def take_test(
    game: Game,
    unit: str,
    tests: Sequence[str],
    cause: Cause,
    *,
    fired_at: bool,
    rows: Sequence[str] | None = None,
    at_least: str | None = None,
    as_it_was: Unit | None = None,
    so_far: Hashable = None,
) -> Procedure[Tested]:
    """Rolls a reaction test and says its result; carrying it out is the caller's.

    ``rows`` are the rows of the tables to read where they are not named as the tests. ``at_least`` is a result that
    holds in any case, so that only a worse one replaces it (R-24). ``as_it_was``: the unit as what it was when that
    befell it for which it tests, where it is something else by now. ``so_far``: as of `Roll`.
    """
    record = game.unit(unit)
    table = troop(as_it_was or record, game).reaction
    if table is None or not figures_of(record):
        return Tested(game=game, unit=unit, result=at_least or "carry-on")
    rows = tests if rows is None else rows
    number, why = test_dice(game, record, cause, fired_at=fired_at)
    rep = stats_of(record).rep
    rule = rule_of(table, rows[0])
    purpose = f"{unit} tests {', '.join(tests)}"
    rolled = yield from roll(Roll(purpose=purpose, count=number, success=f"<={rep}", rule=rule, so_far=so_far))
    passed = min(2, rolled.passed)
    conditions = _conditions(game, record, cause, fired_at=fired_at)
    leader_passed: int | None = None
    if needs_leader_die(table, rows, passed, conditions):
        leader_passed = yield from roll_leader(game, record, rule)
    results = [judge(table, row, passed, bool(leader_passed), conditions) for row in rows]
    result = worst([*results, *([] if at_least is None else [at_least])])
    game = yield from happen(
        Event(
            event="reaction",
            facts={
                "unit": unit, "tests": list(tests), "dice": number, "passed": passed,
                "leader_passed": leader_passed, "result": result,
                "modifiers": list(why.values()), "modifier_rules": list(why),
            },
            changes=state_where(record, taking_trophies=False),
            rule=_deciding(table, rows, results, result),
        )
    )  # fmt: skip
    return Tested(game=game, unit=unit, result=result)


def roll_leader(game: Game, unit: Unit, rule: str) -> Procedure[int | None]:
    """The die against the Leader's Reputation: 1 passed, 0 failed; None, and no die, where there is no Leader."""
    rep = leader_die(game, unit)
    if rep is None:
        return None
    rolled = yield from roll(Roll(purpose=f"Leader of {unit.id}", count=1, success=f"<={rep}", rule=rule))
    return rolled.passed


def _deciding(table: str, rows: Sequence[str], results: Sequence[str], result: str) -> str:
    row = next((row for row, one in zip(rows, results, strict=True) if one == result), rows[0])
    return rule_of(table, row)


def _conditions(game: Game, unit: Unit, cause: Cause, *, fired_at: bool) -> frozenset[str]:
    words = set()
    if unit.type == "mounted-infantry":
        words.add("mounted-infantry")
    if not has_leader(game, unit):
        words.add("leader-lost")
    if in_cover(game, unit, cause_xy=cause.xy, fired_at=fired_at) is not None:
        words.add("in-cover")
    if cause.unit is not None and troop(unit, game).reaction == "cavalry":
        foe = game.unit(cause.unit)
        if foe.side != unit.side and charge_option(game, unit, foe, by_reaction=True).legal:
            words.add("charge-in-reach")
    return frozenset(words)
