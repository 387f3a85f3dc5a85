"""What a unit of the Musket & Pike rules is mustered with."""

from __future__ import annotations

from engine.rulesets.base.forms.forms import KeyWords
from engine.rulesets.base.units.mustering import GridSize, Kind, Roll, stats_fields
from engine.rulesets.musket_pike.parameters import our_tables
from engine.rulesets.musket_pike.vocabulary import FORMATIONS, HEX_KINDS, TYPES, Stats

__all__ = ["roll"]

_LEADERS = ("command", "leadership")
_TROOPS = ("strength", "quality")
_MAIN = (*_TROOPS, *_LEADERS)
_WORDS = {"strength": KeyWords(label="Strength", hint="Men, horses or guns.")}
_HEX_MM = 100.0


def roll() -> Roll:
    """The types, formations, weapons and stats of the rulebook."""
    weapons = tuple(our_tables()["weapons"])
    return Roll(
        types=tuple(
            Kind(
                name=name,
                formations=FORMATIONS[name],
                weapons=weapons,
                main=_LEADERS if name == "leader" else _TROOPS,
            )
            for name in TYPES
        ),
        fields=stats_fields(Stats, _WORDS, _MAIN),
        main=_MAIN,
        terrain=HEX_KINDS,
        grid=GridSize(kind="hex", size_mm=_HEX_MM),
        turn=0,
    )
