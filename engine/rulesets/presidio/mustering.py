"""What a unit of the Presidio rules is mustered with."""

from __future__ import annotations

from engine.rulesets.base.forms.forms import KeyWords
from engine.rulesets.base.units.mustering import Kind, Roll, parts_of, stats_fields
from engine.rulesets.presidio.book import artillery, grounds, small_arms
from engine.rulesets.presidio.vocabulary import FORMATIONS, ROLES, TYPES, Stats

__all__ = ["roll"]

_MAIN = ("ranged", "melee", "morale", "people")
_WORDS = {"ranged": KeyWords(label="Skill at shooting"), "melee": KeyWords(label="Skill in melee")}


def roll() -> Roll:
    """The types, formations, weapons and stats of the rulebook."""
    hand, guns = (*small_arms(), "none"), tuple(artillery())
    return Roll(
        types=tuple(_kind(name, hand, guns) for name in TYPES),
        fields=stats_fields(Stats, _WORDS, _MAIN),
        main=_MAIN,
        terrain=tuple(grounds()),
        parts=parts_of(ROLES, ("private", "rank"), {}),
    )


def _kind(name: str, hand: tuple[str, ...], guns: tuple[str, ...]) -> Kind:
    if name == "artillery":
        return Kind(name=name, formations=("unlimbered", "limbered"), weapons=guns)
    return Kind(name=name, formations=FORMATIONS, weapons=hand)
