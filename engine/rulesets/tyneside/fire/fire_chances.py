"""What a volley can come to: how many hit, and how many of those aimed at are killed and wounded (TY-30 to 40)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.dice import faces
from engine.records.game import Figure
from engine.rulesets.tyneside.book import Harm
from engine.rulesets.tyneside.fire.fire_action import Shots, harm_by
from engine.spreads import chance_of, merged, passes

__all__ = ["Standing", "hits_of", "left_by"]


class Standing(NamedTuple):
    """Those aimed at who still stand: ``sound``; ``hurt``, wounded before; ``struck``, wounded by this volley."""

    sound: int
    hurt: int
    struck: int = 0

    @classmethod
    def of(cls, figures: Sequence[Figure]) -> Standing:
        """How figures stand before the volley."""
        hurt = sum(figure.status == "wounded" for figure in figures)
        return cls(len(figures) - hurt, hurt)


def hits_of(shots: Sequence[Shots]) -> Mapping[int, float]:
    """The chance of each number of hits."""
    spread: Mapping[int, float] = {0: 1.0}
    for part in shots:
        more = passes(part.count, chance_of(part.success, "d8"))
        spread = merged(
            (hits + number, chance * share) for hits, chance in spread.items() for number, share in enumerate(more)
        )
    return spread


def left_by(shots: Sequence[Shots], family: str, before: Standing) -> Mapping[Standing, float]:
    """The chance of each way in which those aimed at stand after shots: each hit strikes one of them at random."""
    spread: Mapping[Standing, float] = {before: 1.0}
    for part in shots:
        hit = chance_of(part.success, "d8")
        harms = _harms(part.add, family)
        for _ in range(part.count):
            spread = merged(
                (after, chance * share)
                for now, chance in spread.items()
                for after, share in ((now, 1.0 - hit), *((one, hit * by) for one, by in _after_hit(now, harms)))
            )
    return spread


def _harms(add: int, family: str) -> Mapping[Harm, float]:
    """The chance of what a hit does."""
    dice = faces("d6")
    return {what: number / len(dice) for what, number in Counter(harm_by(die, add, family) for die in dice).items()}


def _after_hit(now: Standing, harms: Mapping[Harm, float]) -> Iterator[tuple[Standing, float]]:
    """How they stand after a hit, whomever it strikes; as before where nobody is left (TY-38, TY-40)."""
    standing = sum(now)
    if not standing:
        yield now, 1.0
        return
    for what, chance in harms.items():
        for kind, number in zip(now._fields, now, strict=True):
            yield _struck(now, kind, what), chance * number / standing


def _struck(now: Standing, kind: str, what: Harm) -> Standing:
    """How they stand when one of a kind has been hit."""
    if what == "graze":
        return now
    gone = now._replace(**{kind: getattr(now, kind) - 1})
    return gone._replace(struck=gone.struck + 1) if what == "wound" and kind == "sound" else gone
