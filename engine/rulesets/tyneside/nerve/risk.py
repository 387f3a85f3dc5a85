"""The risk factor of a unit with every term, and what the Actions tables then make of a die (TY-50 to TY-66)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.geometry.certainty import SIGMAS
from engine.geometry.plane.tolerance import at_most
from engine.records.answer import Modifier
from engine.records.game import Game, Unit
from engine.rulesets.base.kept import once
from engine.rulesets.tyneside.book import Outcome, actions, book
from engine.rulesets.tyneside.table.facts import Near, aspect_of, nearest_figures
from engine.rulesets.tyneside.table.field import cm, field_of, measured
from engine.rulesets.tyneside.table.sight import enemies_in_sight, guests_in_sight, nearest_in_sight, view_of
from engine.rulesets.tyneside.table.views import View
from engine.rulesets.tyneside.vocabulary import (
    MM_PER_CM,
    class_of,
    conditions_of,
    figures_of,
    is_character,
    state_of,
    stats_of,
    weapons,
)

__all__ = ["Risk", "outcome_of", "outcomes", "risk_of"]


@dataclass(frozen=True)
class Risk:
    """The risk factor ``rf``, the row of the Actions table that it leads to, its terms, and what the measurement
    cannot settle of them, in words."""

    rf: int
    row: str
    factors: tuple[Modifier, ...]
    borderline: tuple[str, ...]


def risk_of(game: Game, unit: Unit) -> Risk:
    """The risk factor that a unit is under (TY-50 to TY-57); kept beside the game."""
    kept: dict[str, Risk] = once(game, "ty_risks", dict)
    if unit.id not in kept:
        reckoning = _Reckoning(game, unit)
        factors = tuple(reckoning.factors())
        rf = sum(factor.extra["value"] for factor in factors)
        kept[unit.id] = Risk(rf, _row(_table(unit), rf), factors, tuple(dict.fromkeys(reckoning.doubts)))
    return kept[unit.id]


def outcomes(game: Game, unit: Unit, risk: Risk) -> tuple[Outcome, ...]:
    """What each die from 1 to 6 makes the unit do (TY-61, TY-62)."""
    return tuple(outcome_of(game, unit, risk, die) for die in range(1, 7))


def outcome_of(game: Game, unit: Unit, risk: Risk, die: int) -> Outcome:
    """What one die, as thrown, makes the unit do: its table's cell, with the rulings on it (TY-64, TR-2, TR-3)."""
    options = conditions_of(game).options
    add = book().class_die[stats_of(unit).class_] if options.class_modifies_action_die else 0
    number = min(6, max(1, die + add))
    cell = actions()[_table(unit)][risk.row][number - 1]
    if risk.row == "<=0":
        stays = state_of(unit).defending or nearest_in_sight(game, unit) is None
        result = "continue" if cell.result == "advance" and stays else cell.result
        return Outcome(result=result, charge=cell.charge, binding=cell.binding and options.rf0_binds)
    if cell.result == "deploy" and options.formed_blank == "halt" and (risk.row, number) != _PRINTED:
        return Outcome(result="halt", charge=False, binding=False)
    return cell


#: The one cell of the formed table that says to deploy; those beside and below it are blank (TR-2).
_PRINTED = ("1-3", 2)


def _table(unit: Unit) -> str:
    return "formed" if unit.type == "formed" else "individuals"


def _row(table: str, rf: int) -> str:
    """The row of an Actions table for a risk factor.

    >>> [_row("individuals", rf) for rf in (-2, 0, 1, 2, 5, 6, 8, 9, 20)]
    ['<=0', '<=0', '1', '2-5', '2-5', '6-8', '6-8', '9+', '9+']
    """
    for row in actions()[table]:
        most = row.removeprefix("<=").rpartition("-")[2]
        if row.endswith("+") or rf <= int(most):
            return row
    raise ValueError(f"the table {table} has no row for {rf}")


class _Reckoning:
    """The making of one risk factor."""

    def __init__(self, game: Game, unit: Unit) -> None:
        self.game, self.unit, self.field = game, unit, field_of(game)
        self.mine = self.field.of_unit[unit.id]
        self.state, self.parts = state_of(unit), book().risk
        self.seen = [*enemies_in_sight(game, unit), *guests_in_sight(game, unit)]
        self.doubts: list[str] = []

    def factors(self) -> Iterator[Modifier]:
        """The terms in the order of the list; the doubts are noted on the way."""
        yield from self.hero()
        yield from self.cover()
        yield from self.in_range()
        yield from self.harm()
        yield from self.flank()
        if self.state.running or self.state.melee_retreat:
            what = "ran from the enemy last turn" if self.state.running else "retreats from melee"
            yield _term(what, self.parts.retreat, "TY-56")
        if self.unit.type == "formed" and self.state.ncos_killed:
            lost = self.state.ncos_killed
            yield _term(f"NCOs killed: {lost}", lost * self.parts.per_nco, "TY-57")
        for enemy in self.game.enemies(self.unit):
            if not state_of(enemy).hidden and figures_of(enemy):
                self.doubts.extend(view_of(self.game, self.unit, enemy).in_doubt())

    def hero(self) -> Iterator[Modifier]:
        """A hero with the unit, or a hero leader of its side within 5 cm (TY-50)."""
        for figure in figures_of(self.unit):
            if class_of(self.unit, figure) == "hero":
                yield _term(f"{figure.id} is a hero", self.parts.hero, "TY-50")
                return
        limit, found = book().mm("belong"), None
        for leader in self.game.units:
            if leader.side != self.unit.side or not is_character(leader) or leader.id == self.unit.id:
                continue
            near = nearest_figures(self.field, self.field.of_unit[leader.id], self.mine)
            if near is None or class_of(leader, self.field.figures[near.one]) != "hero":
                continue
            self.near_limit(near, limit, f"{leader.id} with {self.unit.id}")
            if found is None and at_most(near.distance_mm, limit):
                found = f"{leader.id}, a hero, is {cm(near.distance_mm)} away"
        if found is not None:
            yield _term(found, self.parts.hero, "TY-50")

    def near_limit(self, near: Near, limit_mm: float, what: str) -> None:
        """Notes a limit that the measurement cannot settle."""
        if near.sigma_mm > 0 and abs(near.distance_mm - limit_mm) <= SIGMAS * near.sigma_mm:
            self.doubts.append(f"{what}: {measured(near.distance_mm, near.sigma_mm, limit_mm)}")

    def cover(self) -> Iterator[Modifier]:
        """All figures in cover as the nearest visible enemy sees them; with none in sight: all in covering ground
        (TY-51)."""
        if not len(self.mine):
            return
        nearest = nearest_in_sight(self.game, self.unit)
        if nearest is None:
            gives = np.array([patch.cover != "none" for patch in self.field.patches], dtype=bool)
            if (self.field.inside[self.mine] & gives).any(axis=1).all():
                yield _term("entirely in cover", self.parts.cover, "TY-51")
            return
        enemy = nearest[0]
        if self.covered_from(view_of(self.game, enemy, self.unit)):
            yield _term(f"entirely in cover from {enemy.id}", self.parts.cover, "TY-51")

    def covered_from(self, view: View) -> bool:
        """Whether all own figures have cover on the lines that an enemy has to them, or terrain hides them."""
        own = np.isin(view.targets, self.mine)
        if not view.shape[0] or not own.any():
            return False
        apart, columns = np.where(view.sees, view.apart(), np.inf), np.flatnonzero(own)
        rows = np.where(view.sees.any(axis=0), apart.argmin(axis=0), view.apart().argmin(axis=0))
        lines = rows[columns] * view.shape[1] + columns
        self.doubts.extend(text for line, text in view.cover_doubts if line in set(lines.tolist()))
        hidden = np.isin(lines, view.behind_ground)
        return bool(((view.cover.ravel()[lines] > 0) | hidden).all())

    def in_range(self) -> Iterator[Modifier]:
        """An enemy in clear sight, and the unit within his long range; more for raw troops (TY-52, TY-53)."""
        either, found = conditions_of(self.game).options.rf_range == "either", None
        for enemy, near in self.seen:
            reach = max(_reach_cm(enemy), _reach_cm(self.unit) if either else 0.0) * MM_PER_CM
            if reach:
                self.near_limit(near, reach, f"in range of {enemy.id}")
                if found is None and at_most(near.distance_mm, reach):
                    found = f"{enemy.id} in clear sight and in range: {cm(near.distance_mm)}"
        if found is None:
            return
        yield _term(found, self.parts.in_range, "TY-52")
        if stats_of(self.unit).class_ == "raw":
            yield _term("raw, and in range of an enemy", self.parts.raw_in_range, "TY-53")

    def harm(self) -> Iterator[Modifier]:
        """Each full tenth of the starting strength wounded or killed (TY-54)."""
        gone = self.state.casualties + sum(figure.status == "killed" for figure in self.unit.figures)
        wounded = sum(figure.status == "wounded" for figure in self.unit.figures)
        started = len(figures_of(self.unit)) + gone
        tenths = 10 * (gone + wounded) // started if started else 0
        if tenths:
            text = f"{gone + wounded} of {started} wounded or killed"
            yield _term(text, tenths * self.parts.per_tenth, "TY-54")

    def flank(self) -> Iterator[Modifier]:
        """A visible enemy in flank or rear (TY-55)."""
        found = None
        for enemy, _ in self.seen:
            aspect = aspect_of(self.game, self.unit, enemy)
            if aspect is None:
                self.doubts.append(f"the facing of {self.unit.id} is not known: {enemy.id} counts as in front")
                continue
            self.doubts.extend(aspect.doubt)
            if found is None and aspect.name != "front":
                found = f"{enemy.id} in the {aspect.name}, {aspect.off_deg:.0f} degrees off its facing"
        if found is not None:
            yield _term(found, self.parts.flank, "TY-55")


def _reach_cm(unit: Unit) -> float:
    """The longest range of a unit's weapons, in cm; 0 where it has none that shoots."""
    names = (unit.weapon, stats_of(unit).second_weapon, *(figure.weapon for figure in figures_of(unit)))
    return max((weapons()[name].long for name in names if name is not None and name != "none"), default=0.0)


def _term(name: str, value: int, rule: str) -> Modifier:
    return Modifier(name=name, effect=f"{value:+d}", rule=rule, extra={"value": value})
