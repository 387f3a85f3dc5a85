"""Why nobody sees, in words: out of the arc, or what stands in the way, by the row that takes sight away."""

from __future__ import annotations

from functools import lru_cache

from engine.rulesets.base.answers.reasons import listed
from engine.rulesets.muskets_mohawks.seeing.pairs import ARC_DEG
from engine.rulesets.muskets_mohawks.wording import angle, length

__all__ = ["blocked_text", "out_of_arc"]

_WORDS = {
    "MM-85": "friendly figures stand in the way",
    "R-04": "enemy figures stand in the way",
    "MM-86": "too dark to see that far",
    "MM-87": "the weather hides the target",
    "MM-88": "too far through the woods",
    "MM-89": "the woods hide the target",
    "MM-90": "a crest stands in the way",
    "MM-91": "a building stands in the way",
}


@lru_cache(maxsize=4096)
def out_of_arc(least_deg: float) -> tuple[str, str]:
    """That nobody stands in the arc (MM-83): the nearest to it is so far off the front; text and row."""
    return f"out of arc: {angle(least_deg)} off the front, {angle(ARC_DEG)} at most", "MM-83"


@lru_cache(maxsize=4096)
def blocked_text(rule: str, names: tuple[str, ...], nearest_mm: float) -> str:
    """What a row takes sight away by: the names of what stands there, or else how near the nearest target is."""
    if names:
        return f"no sight: {_WORDS[rule]} ({listed(names)})"
    return f"no sight: {_WORDS[rule]}: {length(nearest_mm)}"
