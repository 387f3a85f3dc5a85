"""What shot and shell do to those they reach: hits, things broken, people wounded (PR-915, PR-920 to PR-927)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as made

import numpy as np

from engine.dice import Roll
from engine.geometry.cover import base_gaps
from engine.geometry.plane.tolerance import MM
from engine.play import Procedure, roll
from engine.records.game import Game
from engine.rulesets.presidio.artillery.blasts import Reached, needs_to_hit
from engine.rulesets.presidio.book import artillery, book, to_wound
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.table.field import Field, field_of
from engine.rulesets.presidio.table.strengths import is_model, strength_of_model, strength_of_patch
from engine.rulesets.presidio.units.breaking import break_model, break_patch
from engine.rulesets.presidio.units.casualties import felled, morale_due
from engine.rulesets.presidio.vocabulary import MM_PER_IN, conditions_of, figures_of, stats_of

__all__ = ["Harm", "harmed"]

#: A structure that broke, by number, and where.
Breach = tuple[int, tuple[float, float]]


@dataclass(frozen=True)
class Harm:
    """A shot or burst: whose, how strong, what it reaches."""

    firer: str
    damage: int
    reached: Reached
    exploding: bool


@dataclass
class _Toll:
    """What has happened so far: hits and the fallen by unit, in the order in which units were first hit."""

    hits: dict[str, int] = made(default_factory=dict)
    fallen: dict[str, list[str]] = made(default_factory=dict)

    def hit(self, unit: str) -> None:
        """A unit was hit once more."""
        self.hits[unit] = self.hits.get(unit, 0) + 1

    def fell(self, unit: str, figure: str) -> None:
        """A figure falls, once."""
        if figure not in self.fallen.setdefault(unit, []):
            self.fallen[unit].append(figure)


def harmed(game: Game, harm: Harm) -> Procedure[Game]:
    """The dice of all that is reached and what comes of them: the game after it.

    First who is hit, along the line or from the burst outward, then the crews of guns that were hit; then damage to
    things, then wounds.
    """
    start, field = game, field_of(game)
    toll = _Toll()
    wounded: list[int] = []
    for number in harm.reached.people:
        if harm.exploding and number in harm.reached.inner:
            toll.hit(field.units[number].id)
            toll.fell(field.units[number].id, field.figures[number].id)
        elif (yield from _is_hit(start, harm.firer, number)):
            wounded.append(number)
    for number in _crews(field, harm):
        if (yield from _is_hit(start, harm.firer, number)):
            wounded.append(number)
    game, opened = yield from _things(game, harm, field, toll)
    for number in _behind(field, harm, opened):
        if (yield from _is_hit(start, harm.firer, number, covered=False)):
            wounded.append(number)
    game = yield from _falls(game, field, harm, wounded, toll)
    for name in toll.hits:
        if toll.fallen.get(name) and figures_of(game.unit(name)):
            game = yield from morale_due(game, name)
    return game


def _falls(game: Game, field: Field, harm: Harm, wounded: Sequence[int], toll: _Toll) -> Procedure[Game]:
    """The wounds of those hit, and all who fall, but for those who went down with their boat: the game after it."""
    left = {figure.id for unit in game.units for figure in unit.figures}
    for number in wounded:
        if field.figures[number].id in left:
            yield from _wound(field, harm.damage, number, toll)
    for name, hits in toll.hits.items():
        fallen = [figure for figure in toll.fallen.get(name, []) if figure in left]
        game = yield from felled(game, name, hits, fallen, "PR-920")
    return game


def _is_hit(game: Game, firer: str, number: int, *, covered: bool = True) -> Procedure[bool]:
    """Whether a figure in the way is hit; as an option it saves itself instead (PR-927, R-21)."""
    need = needs_to_hit(game, firer, number, covered=covered)
    saves = conditions_of(game).options.radius_roll == "save"
    name = field_of(game).figures[number].id
    request = Roll(
        purpose=f"{name} {'saves himself' if saves else 'is hit'}", count=1, success=f">={need}", rule="PR-927"
    )
    passed = (yield from roll(request)).passed > 0
    return passed != saves


def _crews(field: Field, harm: Harm) -> list[int]:
    """The crews of guns that were hit, whom the line or the burst has not reached already (PR-604)."""
    reached = set(harm.reached.people)
    found = []
    for model in harm.reached.models:
        if field.figures[model].role != "gun":
            continue
        for number in field.of_unit[field.units[model].id].tolist():
            if not is_model(field, number) and number not in reached:
                reached.add(number)
                found.append(number)
    return found


def _things(game: Game, harm: Harm, field: Field, toll: _Toll) -> Procedure[tuple[Game, list[Breach]]]:
    """Guns, wagons, boats and structures: each is hit without a die and may break (PR-915, PR-926).

    The game after it, and the structures that broke, by number, with where.
    """
    opened: list[Breach] = []
    for number in harm.reached.models:
        figure, unit = field.figures[number], game.unit(field.units[number].id)
        if figure not in unit.figures:  # it went down with another that was hit before it
            continue
        toll.hit(unit.id)
        inner, whole = number in harm.reached.inner, number == harm.reached.direct
        if harm.exploding and inner and not whole and _small(unit.weapon, figure.role):
            game = yield from break_model(game, unit.id, figure, None, None)
            continue
        strength = strength_of_model(unit, figure.role)
        least = to_wound(_damage(harm, inner=inner, whole=whole), strength)
        game = yield from break_model(game, unit.id, figure, least, strength)
    for number, spot in zip(harm.reached.patches, harm.reached.spots, strict=True):
        strength = strength_of_patch(field.patches[number]) or 0
        damage = _damage(harm, inner=number in harm.reached.inner_patches, whole=False)
        name = field.patches[number].id
        game, broke = yield from break_patch(game, name, to_wound(damage, strength), strength, spot)
        if broke:
            opened.append((number, spot))
    return game, opened


def _behind(field: Field, harm: Harm, opened: Sequence[Breach]) -> list[int]:
    """Who stood in complete cover where a structure broke, unless the shot has reached him already (PR-414)."""
    near = np.zeros(len(field.figures), dtype=bool)
    for number, spot in opened:
        if field.patches[number].cover == "complete":
            gaps = base_gaps(field.bases, field.pieces.pick([number]))[:, 0]
            apart = field.bases.to_points(np.array([spot]))[:, 0]
            wide = fight_book().gun.breach * MM_PER_IN
            near |= (gaps <= book().mm("defended") + MM) & (apart <= wide + MM)
    reached = {*harm.reached.people, *harm.reached.models}
    return [
        number for number in np.flatnonzero(near).tolist()
        if number not in reached and not is_model(field, number) and not field.marker[number]
    ]  # fmt: skip


def _small(weapon: str, role: str) -> bool:
    """Whether a model is small gear that a burst's heart destroys: mortars (PR-925)."""
    return role == "gun" and weapon in artillery() and artillery()[weapon].bore == "mortar"


def _damage(harm: Harm, *, inner: bool, whole: bool) -> int:
    """What a thing takes: all of a shot and of a direct hit, three quarters or half of a burst (PR-926)."""
    if not harm.exploding or whole:
        return harm.damage
    numbers = fight_book().gun
    return int(harm.damage * (numbers.damage_lethal if inner else numbers.damage_radius))


def _wound(field: Field, damage: int, number: int, toll: _Toll) -> Procedure[None]:
    """A figure that was hit may be wounded (PR-607)."""
    figure, owner = field.figures[number], field.units[number]
    toll.hit(owner.id)
    least = to_wound(damage, stats_of(owner).armor)
    if least is None:
        return
    request = Roll(purpose=f"{figure.id} is wounded", count=1, die="d12", success=f">={least}", rule="PR-607")
    if (yield from roll(request)).passed:
        toll.fell(owner.id, figure.id)
