"""How many dice a unit has in a fight (MM-150 to MM-158, MM-245)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.geometry.plane.lines import points_to_segments
from engine.records.answer import Modifier
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.procedures.movement.defences import defended
from engine.rulesets.muskets_mohawks.table.land import Ground
from engine.rulesets.muskets_mohawks.table.sheet import sheet_of
from engine.rulesets.muskets_mohawks.table.troops import troop
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, figures_of, state_of, stats_of, weapon_of
from engine.rulesets.muskets_mohawks.wording import dice

__all__ = ["flat_modifiers", "more_figures"]


def flat_modifiers(game: Game, unit: Unit, enemies: Sequence[Unit], *, first_round: bool) -> tuple[Modifier, ...]:
    """What changes the unit's dice but for the numbers of figures."""
    return tuple(_modifiers(game, unit, enemies, first_round=first_round))


def more_figures(mine: int, theirs: int) -> tuple[Modifier, ...]:
    """A die for each figure more than the enemy has (MM-156)."""
    more = mine - theirs
    return (dice(f"{more} figure{'s' * (more > 1)} more", more, "MM-156"),) if more > 0 else ()


def _modifiers(game: Game, unit: Unit, enemies: Sequence[Unit], *, first_round: bool) -> Iterator[Modifier]:
    kind, state = troop(unit, game), state_of(unit)
    if kind.ferocious:
        yield dice("ferocious", 2, "MM-151")
    if kind.formed:
        yield dice("formed", 1, "MM-152")
    if kind.cavalry:
        yield dice("cavalry", 1, "MM-153")
    if _uphill(game, unit, enemies):
        yield dice("uphill of all enemies", 1, "MM-154")
    attackers = [figure for enemy in enemies for figure in figures_of(enemy)]
    behind = defended(game, unit, attackers, held=[name for enemy in enemies if (name := state_of(enemy).behind)])
    if behind is not None:
        yield dice(f"defending {behind}", 2, "MM-155")
    if first_round and kind.cavalry and weapon_of(unit).lance:
        yield dice("lances on contact", 1, "MM-157")
    if state.following_up:
        yield dice("following up", 1, "MM-158")
    if "cuirassier" in stats_of(unit).special:
        yield dice("cuirassiers", 1, "MM-245")


def _uphill(game: Game, unit: Unit, enemies: Sequence[Unit]) -> bool:
    """Above every enemy: on a hill that he is not on, or an inch nearer to its crest (R-31)."""
    return bool(enemies) and all(_above(game, unit, enemy) for enemy in enemies)


def _above(game: Game, unit: Unit, enemy: Unit) -> bool:
    sheet = sheet_of(game)
    for hill in sheet.of_kind("hill"):
        if not _mostly_on(game, hill, unit):
            continue
        if not _mostly_on(game, hill, enemy):
            return True
        if hill.crest is not None:
            mine, theirs = (_to_crest(game, hill, one) for one in (unit, enemy))
            if mine + MM_PER_INCH <= theirs + 0.001:
                return True
    return False


def _mostly_on(game: Game, hill: Ground, unit: Unit) -> bool:
    body = sheet_of(game).body(unit)
    return 2 * int(hill.shape.contains(body.centre).sum()) > len(body)


def _to_crest(game: Game, hill: Ground, unit: Unit) -> float:
    assert hill.crest is not None
    starts, ends = (hill.crest[:-1], hill.crest[1:]) if len(hill.crest) > 1 else (hill.crest, hill.crest)
    distances = points_to_segments(sheet_of(game).body(unit).centre, starts, ends).min(axis=1)
    return float(np.mean(distances))
