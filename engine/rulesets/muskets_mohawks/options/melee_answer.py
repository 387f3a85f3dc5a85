"""What ``ask`` says of a melee that a unit is in: the dice of both sides, and why so many (MM-149 to MM-159)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from engine.records.answer import Modifier
from engine.records.game import Game, Unit
from engine.rulesets.muskets_mohawks.procedures.charges.melee import (
    SUCCESS,
    even_shares,
    fights_of,
    reasons_against,
)
from engine.rulesets.muskets_mohawks.procedures.charges.melee_dice import flat_modifiers, more_figures
from engine.rulesets.muskets_mohawks.procedures.charges.rounds import first_round
from engine.rulesets.muskets_mohawks.vocabulary import figures_of, state_of

__all__ = ["melee_of"]


def melee_of(game: Game, unit: Unit) -> list[dict[str, Any]]:
    """The fight with each enemy whom the unit would fight in its next round.

    ``{enemy, dice, enemy_dice, die, success, rule, modifiers}``. Against several its dice and figures are shared
    out as evenly as they go, ``figures`` being those for each; the players may share otherwise.
    """
    if not figures_of(unit):
        return []
    foes = [foe for foe in game.enemies(unit) if _fights(game, unit, foe)]
    shares = even_shares(game, unit, foes) if len(foes) > 1 else ()
    found = []
    for place, (foe, pools) in enumerate(zip(foes, fights_of(game, unit, foes, shares), strict=True)):
        first = first_round(unit, foe)
        ours = flat_modifiers(game, unit, foes, first_round=any(first_round(unit, one) for one in foes))
        his = flat_modifiers(game, foe, [unit], first_round=first)
        mine, theirs = pools.fighting
        modifiers = [
            *_told("unit", (*ours, *more_figures(mine, theirs))),
            *_told("enemy", (*his, *more_figures(theirs, mine))),
        ]
        share = {"figures": shares[place].figures} if shares else {}
        found.append(
            {
                "enemy": foe.id, "dice": pools.unit_dice, "enemy_dice": pools.enemy_dice, "die": "d6",
                "success": SUCCESS, "rule": "MM-150", **share, "modifiers": modifiers,
            }
        )  # fmt: skip
    return found


def _fights(game: Game, unit: Unit, foe: Unit) -> bool:
    locked = foe.id in state_of(unit).in_melee or unit.id in state_of(foe).in_melee
    return locked and not reasons_against(game, unit, foe)


def _told(who: str, modifiers: Sequence[Modifier]) -> list[dict[str, Any]]:
    built: list[dict[str, Any]] = to_builtins(modifiers)
    return [{**{key: value for key, value in one.items() if key != "extra"}, "who": who} for one in built]
