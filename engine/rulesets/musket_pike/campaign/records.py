"""The typed records of ``vedette-campaign/1``: the graph of situations and battles, and how far it has come."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from graphlib import TopologicalSorter
from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.rulesets.musket_pike.turns.victory import OUTCOMES, Outcome

__all__ = [
    "CAMPAIGN_FORMAT",
    "OUTCOMES",
    "Battle",
    "Campaign",
    "CarryOver",
    "Choice",
    "Conclusion",
    "Fought",
    "Match",
    "Opponent",
    "Outcome",
    "Sealed",
    "Seat",
    "Situation",
    "Standing",
]  # fmt: skip

CAMPAIGN_FORMAT = "vedette-campaign/1"

#: The two parts that a campaign has choices for; ``sides`` names the side of the games that plays each.
Seat = Literal["a", "b"]
#: Who decides for the other side: the program at its best, the program at random, or people.
Opponent = Literal["conservative", "reckless", "people"]


class _Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """What all records share: immutable, keyword only, no unknown key."""


class Choice(_Record, frozen=True, kw_only=True):
    """What a side may decide in a situation."""

    id: str
    title: str
    text: str = ""


class Match(_Record, frozen=True, kw_only=True):
    """The battle that a pair of choices leads to."""

    a: str
    b: str
    battle: str


class Situation(_Record, frozen=True, kw_only=True):
    """Where the campaign stands: told to both sides, with a list of choices for each."""

    id: str
    title: str
    text: str = ""
    choices: Mapping[Seat, tuple[Choice, ...]]
    battles: tuple[Match, ...]

    @cached_property
    def battle_of(self) -> Mapping[tuple[str, str], str]:
        """The battle of each pair of choices."""
        return {(match.a, match.b): match.battle for match in self.battles}

    def options(self, seat: Seat) -> tuple[str, ...]:
        """The ids of a side's choices, in their order."""
        return tuple(choice.id for choice in self.choices[seat])


class Battle(_Record, frozen=True, kw_only=True):
    """A battle: its game file (beside the campaign's), the outcome to expect, and where each outcome leads."""

    id: str
    game: str
    expected: Outcome
    next: Mapping[Outcome, str]


class Conclusion(_Record, frozen=True, kw_only=True):
    """An end of the campaign and what it is worth to side a."""

    id: str
    text: str
    value: float


class CarryOver(_Record, frozen=True, kw_only=True):
    """What a battle leaves to the next."""

    losses: bool = True
    fatigue: bool = False


class Sealed(_Record, frozen=True, kw_only=True):
    """A choice that only its side's key opens."""

    sealed: str


class Fought(_Record, frozen=True, kw_only=True):
    """A battle that is over: the choices that led to it, its outcome, and whether it was played.

    ``losses``: men, guns or loads that each unit lost, the detachments' counted with their parents;
    ``fatigue``: what each survivor was left with.
    """

    situation: str
    a: str
    b: str
    battle: str
    outcome: Outcome
    played: bool = True
    losses: Mapping[str, int] = {}
    fatigue: Mapping[str, int] = {}


class Standing(_Record, frozen=True, kw_only=True, omit_defaults=True):
    """How far a campaign has come; ``situation`` is a conclusion's id once it is over."""

    situation: str
    chosen: Mapping[Seat, str | Sealed] = {}
    history: tuple[Fought, ...] = ()
    opponent: Opponent = "people"
    player: Seat = "a"
    use_expected: bool = False


class Campaign(_Record, frozen=True, kw_only=True):
    """A whole campaign; ``state`` None: not begun."""

    ruleset: Literal["musket-pike"]
    title: str
    overview: str = ""
    sides: tuple[str, str]
    start: str
    situations: Annotated[tuple[Situation, ...], Meta(min_length=1)]
    battles: tuple[Battle, ...]
    conclusions: Annotated[tuple[Conclusion, ...], Meta(min_length=1)]
    format: Literal["vedette-campaign/1"] = "vedette-campaign/1"
    carry_over: CarryOver = CarryOver()
    state: Standing | None = None

    @cached_property
    def situation_by_id(self) -> Mapping[str, Situation]:
        """The situations by their ids."""
        return {one.id: one for one in self.situations}

    @property
    def ways(self) -> TopologicalSorter[str]:
        """Where each situation's battles lead to, for sorting: what comes last in the campaign first."""
        ways: TopologicalSorter[str] = TopologicalSorter()
        for one in self.situations:
            battles = [self.battle_by_id[match.battle] for match in one.battles]
            ways.add(one.id, *(after for battle in battles for after in battle.next.values()))
        return ways

    @cached_property
    def battle_by_id(self) -> Mapping[str, Battle]:
        """The battles by their ids."""
        return {one.id: one for one in self.battles}

    @cached_property
    def conclusion_by_id(self) -> Mapping[str, Conclusion]:
        """The conclusions by their ids."""
        return {one.id: one for one in self.conclusions}
