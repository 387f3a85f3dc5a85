"""What every ruleset is: the one interface through which the rest of Vedette knows a set of rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from engine.play import Procedure
    from engine.records.action import Action
    from engine.records.answer import Answer
    from engine.records.chances import Chances
    from engine.records.game import Game
    from engine.rulesets.base.campaigns import CampaignView
    from engine.rulesets.base.forms.forms import Form
    from engine.rulesets.base.verdicts import Verdict


class Row(Struct, frozen=True, kw_only=True):
    """One row of a rulebook in our words; ``not_built`` is None, or why the program does not do it yet."""

    id: str
    text: str
    page: str = ""
    not_built: str | None = None


class Then(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What may follow an outcome, of the action's target: a fact of a later event, and how its values are said."""

    event: str
    fact: str
    said: Mapping[str, str] = {}


class Outcome(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What an event comes to, for counting chances: one of its facts, and how one and several of it are called.

    ``words``: in place of a fact, what it means that the event comes about at all.
    ``said``: what words that the fact may be are called, ``enemy``: where the event is of the action's target.
    ``then``: what is counted besides, of what the event leads to; ``other``: where the event has not that fact.
    ``actions``: it is counted for these actions alone; for any where none is named. A fact in ``_mm`` is a length.
    """

    fact: str = ""
    words: str = ""
    one: str = ""
    many: str = ""
    said: Mapping[str, str] = {}
    enemy: Mapping[str, str] = {}
    then: Then | None = None
    other: Outcome | None = None
    actions: tuple[str, ...] = ()

    @property
    def each(self) -> tuple[Outcome, ...]:
        """This and what it is otherwise."""
        return (self, *(() if self.other is None else self.other.each))


class Counted(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a report counts under some rules.

    ``strength``: ``figures``, ``units``, or a key of the units' ``stats`` (men), called ``noun``. ``gone`` and
    ``shaken`` are words of a unit's ``state`` that mean that it is no more, or in no good order: a key that is true
    then, or ``key=value``.
    """

    strength: str = "figures"
    noun: str = "figures"
    gone: tuple[str, ...] = ()
    shaken: tuple[str, ...] = ()


class Wording(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the log tells what a ruleset's actions and events are, and what their chances are counted over.

    ``actions``: what stands after the unit's name and before its target's. ``events``: sentences, of which the
    first is told whose facts the event has; ``wording.toml`` of Muskets & Mohawks explains the signs in them.
    ``outcomes``: the first of these events that an action leads to is what its chances are counted over.
    ``counted``: what a battle report counts. ``persons``: the types of units that are one person, so that ``Villars
    passes the test`` is said of a general, while a troop of that name ``pass``.
    """

    actions: Mapping[str, str] = {}
    events: Mapping[str, str | tuple[str, ...]] = {}
    outcomes: Mapping[str, Outcome] = {}
    counted: Counted = Counted()
    persons: tuple[str, ...] = ("leader",)


class Ruleset(Protocol):
    """A set of rules.

    ``id`` is the name in game files, ``title`` the one for people, ``mm_per_unit`` the players' unit of length
    in millimetres and ``unit_of_length`` its sign (``in``, ``cm``).
    """

    id: str
    title: str
    unit_of_length: str
    mm_per_unit: float

    def check(self, game: Game) -> None:
        """Refuses a game with a word outside the ruleset's vocabulary. Raises UnusableFile with the key path."""
        ...

    def ask(self, game: Game, units: Sequence[str] | None = None) -> Answer:
        """What the units (all, or those named) can do, and why not the rest."""
        ...

    def begin(self, game: Game, action: Action) -> Procedure[None]:
        """The procedure of an action.

        Raises UnknownAction for an action or key that there is not, ActionRefused with every reason where the
        rules do not allow it and ``action.override`` is not set.
        """
        ...

    def rows(self) -> Mapping[str, Row]:
        """Every row of the rulebook, by id."""
        ...

    def wording(self) -> Wording:
        """How its actions and events are told."""
        ...

    def concealed(self, game: Game, side: str | None) -> frozenset[str]:
        """The units that a side does not know to be there, by id; None: whoever plays no side."""
        ...

    def veiled(self, game: Game, side: str | None) -> Game:
        """The game without what a side does not know of its campaign; the very same where it knows all."""
        ...

    def campaign(self, game: Game) -> CampaignView | None:
        """The campaign as it stands in a game; None where the rules have none that is kept in a game."""
        ...

    def verdict(self, game: Game) -> Verdict | None:
        """How a game has ended: who has won, and why; None while it goes on."""
        ...

    def turn_order(self, game: Game) -> tuple[str, ...]:
        """The sides in the order in which they act in this turn."""
        ...

    def foretold(self, game: Game, action: Action) -> Chances | None:
        """The exact chances of an action worked out in a way of its own; None: every way of the dice is walked."""
        ...

    def forms(self) -> Mapping[str, Form]:
        """What each action asks of a player, by name, in the order in which players are shown them."""
        ...

    def choices(self, game: Game, action: Action) -> Mapping[str, tuple[str, ...]]:
        """The words that there are for keys of an action in this game, by key; of one that is not there, all."""
        ...
