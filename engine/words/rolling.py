"""A roll in the players' words: what the dice had to show, and what they came to."""

from __future__ import annotations

import re

from engine.dice import Rolled

__all__ = ["came_to", "verb_of", "wanted"]

_COMPARED = re.compile(r"(==|<=|>=|<|>)(-?\d+)")
_WORDS = {"<=": "{} or less", ">=": "{} or more", "<": "under {}", ">": "over {}"}


def wanted(success: str) -> str:
    """What a die must show, as the page says it.

    >>> [wanted(text) for text in ("==1", "<=2", "<=4", ">=5", "<40")]
    ['1s', '1s and 2s', '4 or less', '5 or more', 'under 40']
    """
    found = _COMPARED.fullmatch(success)
    if found is None:
        return success
    sign, score = found.groups()
    if sign == "==" or (sign == "<=" and score == "1"):
        return f"{score}s"
    return "1s and 2s" if success == "<=2" else _WORDS[sign].format(score)


def verb_of(purpose: str) -> str:
    """What the dice of a roll do when they succeed, from what it is for: hit, pass or count.

    >>> [verb_of(text) for text in ("Hurons tests received fire", "1st Foot fires at Hurons", "Hurons: nerve")]
    ['pass', 'hit', 'count']
    """
    if re.search(r"\b(tests?|checks?)\b|^Leader\b", purpose):
        return "pass"
    return "hit" if re.search(r"\bfires?\b", purpose) else "count"


def came_to(rolled: Rolled) -> str:
    """The dice of a roll, what they had to show, their scores, and how many did, or their sum."""
    roll, count = rolled.roll, len(rolled.scores)
    scores = " ".join(str(score) for score in rolled.scores)
    if roll.success is None:
        return f"{count}{roll.die}: {scores}" + (f" → {rolled.total}" if count > 1 else "")
    what = f"{wanted(roll.success)} {verb_of(roll.purpose)}"
    return f"{count}{roll.die}, {what}: {scores} → {rolled.passed} of {count}"
