"""What ``ask`` says of a melee that a unit is in: the dice of both sides, and why so many (MM-149 to MM-159)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from engine.records.answer import Modifier
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.procedures.charges.melee import SUCCESS, pools, reasons_against
from engine.rulesets.muskets_mohawks.procedures.charges.melee_dice import more_figures
from engine.rulesets.muskets_mohawks.procedures.charges.melee_shares import flat_dice, share_against
from engine.rulesets.muskets_mohawks.procedures.charges.rounds import locked, opponents
from engine.rulesets.muskets_mohawks.vocabulary import figures_of

__all__ = ["melee_of"]


def melee_of(game: Game, unit: Unit) -> list[dict[str, Any]]:
    """The fight with each enemy whom the unit would fight in its next round.

    ``{enemy, dice, enemy_dice, die, success, rule, modifiers}``. Who fights several is shared out as
    evenly as it goes, the unit (``figures`` those for this enemy) and the enemy (``enemy_figures`` those for the
    unit); the players may share otherwise.
    """
    if not figures_of(unit):
        return []
    foes = (foe for foe in game.enemies(unit) if locked(unit, foe) and not reasons_against(game, unit, foe))
    return [_fight(game, unit, foe) for foe in foes]


def _fight(game: Game, unit: Unit, foe: Unit) -> dict[str, Any]:
    given = pools(game, unit, foe)
    mine, theirs = given.fighting
    modifiers = [
        *_told("unit", (*flat_dice(game, unit, opponents(game, unit)), *more_figures(mine, theirs))),
        *_told("enemy", (*flat_dice(game, foe, opponents(game, foe)), *more_figures(theirs, mine))),
    ]
    shares = {"figures": share_against(game, unit, foe), "enemy_figures": share_against(game, foe, unit)}
    return {
        "enemy": foe.id, "dice": given.unit_dice, "enemy_dice": given.enemy_dice, "die": "d6",
        "success": SUCCESS, "rule": "MM-150",
        **{key: share.figures for key, share in shares.items() if share is not None},
        "modifiers": modifiers,
    }  # fmt: skip


def _told(who: str, modifiers: Sequence[Modifier]) -> list[dict[str, Any]]:
    built: list[dict[str, Any]] = to_builtins(modifiers)
    return [{**{key: value for key, value in one.items() if key != "extra"}, "who": who} for one in built]
