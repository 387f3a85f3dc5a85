"""The chances of an action as they are told: what it may come to, part by part, in words."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

__all__ = ["Chances", "Likely", "Part"]


class Likely(Struct, frozen=True, kw_only=True):
    """Something that an action may come to, and the chance of it."""

    what: str
    chance: float


class Part(Struct, frozen=True, kw_only=True):
    """One thing that an action decides: all that it may come to, and the simple number in a few words.

    One without a sentence is for those who look at all the outcomes.
    """

    outcomes: tuple[Likely, ...]
    sentence: str


class Chances(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The chances of an action: what it decides first, and what follows from that, part by part."""

    outcomes: tuple[Likely, ...]
    sentence: str
    then: tuple[Part, ...] = ()

    @property
    def line(self) -> str:
        """All of it in one line: ``84 %: 1 casualty or more; 70 % they carry on``."""
        return "; ".join([self.sentence, *(part.sentence for part in self.then if part.sentence)])

    def to_builtins(self) -> dict[str, Any]:
        """The chances as formats write them."""
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built
