"""Whether a hidden marker sees, or is seen by, the enemy, so that what is behind it is placed (TY-82)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.records.game import Game, Unit
from engine.rulesets.tyneside.table.field import cm
from engine.rulesets.tyneside.table.sight import enemies_in_sight, nearest_in_view, view_of
from engine.rulesets.tyneside.vocabulary import figures_of, state_of

__all__ = ["marker_doubts", "marker_notes"]


def marker_notes(game: Game, marker: Unit) -> list[dict[str, str]]:
    """``{text, rule}`` for each enemy unit that a hidden marker sees or is seen by, the nearest first."""
    return [{"text": text, "rule": "TY-82"} for _, text in sorted(_met(game, marker))]


def _met(game: Game, marker: Unit) -> Iterator[tuple[float, str]]:
    seen = {enemy.id: near for enemy, near in enemies_in_sight(game, marker)}
    for enemy in _open_enemies(game, marker):
        theirs = nearest_in_view(view_of(game, enemy, marker))
        near = seen.get(enemy.id) or theirs
        if near is None:
            continue
        ways = (
            "sees and is seen by" if enemy.id in seen and theirs else "sees" if enemy.id in seen else "is seen by"
        )
        yield round(near.distance_mm, 6), f"{ways} {enemy.id}, {cm(near.distance_mm)} away: it is revealed"


def marker_doubts(game: Game, marker: Unit) -> list[str]:
    """In words what the measurement cannot settle of who sees a marker and whom it sees."""
    said = [
        text
        for enemy in _open_enemies(game, marker)
        for view in (view_of(game, marker, enemy), view_of(game, enemy, marker))
        for text in view.in_doubt()
    ]
    return list(dict.fromkeys(said))


def _open_enemies(game: Game, marker: Unit) -> Iterator[Unit]:
    return (one for one in game.enemies(marker) if figures_of(one) and not state_of(one).hidden)
