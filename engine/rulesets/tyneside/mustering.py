"""What a group of the Tyneside rules is mustered with."""

from __future__ import annotations

from engine.rulesets.base.forms.forms import KeyWords
from engine.rulesets.base.units.mustering import Kind, Roll, parts_of, stats_fields
from engine.rulesets.tyneside.vocabulary import FORMATIONS, ROLES, TYPES, Stats, grounds, weapons

__all__ = ["roll"]

_MAIN = ("class", "second_weapon")


def roll() -> Roll:
    """The types, formations, weapons and stats of the rulebook."""
    return Roll(
        types=tuple(Kind(name=name, formations=FORMATIONS, weapons=(*weapons(), "none")) for name in TYPES),
        fields=stats_fields(Stats, {"class": KeyWords(label="Class")}, _MAIN),
        main=_MAIN,
        terrain=tuple(grounds()),
        parts=parts_of(ROLES, ("private", "rank"), {"nco": "NCO"}),
    )
