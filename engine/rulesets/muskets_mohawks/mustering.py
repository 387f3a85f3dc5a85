"""What a unit of Muskets & Mohawks is mustered with."""

from __future__ import annotations

from engine.rulesets.base.forms.forms import KeyWords
from engine.rulesets.base.units.mustering import Kind, Part, Roll, stats_fields
from engine.rulesets.muskets_mohawks.checking import TERRAIN
from engine.rulesets.muskets_mohawks.table.troops import troops
from engine.rulesets.muskets_mohawks.vocabulary import FORMATIONS, Stats, weapons

__all__ = ["roll"]

_MAIN = ("rep", "leader_rep")
_WORDS = {
    "rep": KeyWords(label="Rep", hint="How good the unit is: 3 poor, 4 usual, 5 good."),
    "leader_rep": KeyWords(label="The Leader's Rep", hint="Where a Leader is with the unit."),
}
_PARTS = (
    Part(role="leader", label="Leader", alone=True, stat="leader_rep"),
    Part(role="officer", label="Officer"),
    Part(role="gun", label="Gun", alone=True),
    Part(role="crew", label="Trained gunner"),
    Part(role="holder", label="Horse holder"),
)


def roll() -> Roll:
    """The types, formations, weapons and stats of the rulebook."""
    return Roll(
        types=tuple(Kind(name=name, formations=FORMATIONS, weapons=tuple(weapons())) for name in troops()),
        fields=stats_fields(Stats, _WORDS, _MAIN),
        main=_MAIN,
        terrain=tuple(TERRAIN),
        parts=_PARTS,
    )
