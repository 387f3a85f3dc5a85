"""Who fights whom in a melee, what each adds to his die, and what the dice then say (TY-71 to TY-73)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from engine.geometry.formations.pairings import even_pairs
from engine.geometry.plane.tolerance import MM, at_most
from engine.records.game import Figure, Game, Unit
from engine.rulesets.tyneside.book import book
from engine.rulesets.tyneside.table.field import field_of
from engine.rulesets.tyneside.vocabulary import class_of, stats_of, weapons

__all__ = ["WOUNDS", "Fought", "Pair", "fought", "in_contact", "modifiers", "pairs_in_contact"]

#: The winner's die that wounds; a higher one kills (TY-73).
WOUNDS = 5

#: Bases touch within this gap (TY-71).
CONTACT_MM = 1.0

Pair = tuple[tuple[str, ...], tuple[str, ...]]


class Fought(NamedTuple):
    """What the dice of a fight say: each total, which side wins (0, 1, or None where it is even), and the winners'
    dice that harm, in order."""

    scores: tuple[int, ...]
    winner: Literal[0, 1] | None
    strokes: tuple[int, ...]


def fought(dice: Sequence[int], adds: Sequence[int], split: int) -> Fought:
    """A fight by its dice, of which the first ``split`` are the one side's (TY-72, TY-73, TR-17).

    >>> fought((6, 5, 3), (0, -1, 0), 2)
    Fought(scores=(6, 4, 3), winner=0, strokes=(6, 5))
    """
    scores = tuple(die + add for die, add in zip(dice, adds, strict=True))
    ours, theirs = max(scores[:split], default=0), max(scores[split:], default=0)
    if ours == theirs:
        return Fought(scores, None, ())
    won = slice(0, split) if ours > theirs else slice(split, None)
    beaten = min(ours, theirs)
    strokes = (die for score, die in zip(scores[won], dice[won], strict=True) if score > beaten and die >= WOUNDS)
    return Fought(scores, 0 if ours > theirs else 1, tuple(strokes))


def pairs_in_contact(game: Game, unit: Unit, target: Unit) -> tuple[Pair, ...]:
    """Who of two units fights whom: one against one, or one against several, as evenly as contact lets them."""
    field = field_of(game)
    ours, theirs = field.of_unit[unit.id], field.of_unit[target.id]
    touches = field.edges.value_mm[np.ix_(ours, theirs)] <= CONTACT_MM + MM
    return tuple(
        (field.names(ours[list(some)]), field.names(theirs[list(others)])) for some, others in even_pairs(touches)
    )


def in_contact(game: Game, one: str, other: str) -> bool:
    """Whether two figures, by their ids, touch."""
    field = field_of(game)
    number = {figure.id: index for index, figure in enumerate(field.figures)}
    return at_most(float(field.edges.value_mm[number[one], number[other]]), CONTACT_MM)


def modifiers(
    game: Game, unit: Unit, figures: Sequence[Figure], enemy: Unit, enemies: Sequence[Figure]
) -> tuple[int, ...]:
    """What is added to each figure's die (TY-72)."""
    theirs = max((_melee_factor(enemy, other) for other in enemies), default=0)
    found = []
    for figure in figures:
        add = book().class_die[class_of(unit, figure)] - max(0, _beset(game, unit, figure, len(enemies)) - 1)
        found.append(add + (1 if _melee_factor(unit, figure) > theirs else 0))
    return tuple(found)


def _beset(game: Game, unit: Unit, figure: Figure, opponents: int) -> int:
    """How many enemies, markers not among them, are in base contact with a figure; at least its opponents."""
    field = field_of(game)
    number = next(index for index, one in enumerate(field.figures) if one.id == figure.id)
    near = (field.edges.value_mm[number] <= CONTACT_MM + MM) & ~field.marker
    touching = sum(bool(hit) and other.side != unit.side for hit, other in zip(near, field.units, strict=True))
    return max(touching, opponents)


def _melee_factor(unit: Unit, figure: Figure) -> int:
    """The best melee factor of the weapons that a figure has; 0 without any."""
    names = (figure.weapon or unit.weapon, stats_of(unit).second_weapon)
    return max((weapons()[name].melee for name in names if name is not None and name in weapons()), default=0)
