"""A ruleset made of a folder of Python: its parts stand in modules of fixed names, loaded when first asked for.

A folder has ``checking.py`` with ``check(game)``, ``answering.py`` with ``answer(game, units)``, ``procedures.py``
with the table ``ENTRIES`` of its actions (another module where ``entries_in`` says so), ``rows.toml`` and
``wording.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from click import Group

    from engine.play import Procedure
    from engine.records.action import Action
    from engine.records.answer import Answer
    from engine.records.game import Game
    from engine.rulesets.base import Row, Wording
    from engine.rulesets.forms import Form
    from engine.rulesets.keys import Entry

__all__ = ["RulesetFolder"]


class RulesetFolder:
    """A `Ruleset` whose parts stand in the package of that name.

    ``unit_of_length`` is the players' unit of length (``in``, ``cm``, ``hexes``), ``mm_per_unit`` its millimetres.
    ``campaign_group`` is where a click group stands (``module:name`` in the package) for campaigns that are kept in
    files of their own; it becomes a part of ``vedette campaign``.
    """

    def __init__(
        self, package: str, *, id: str, title: str, unit_of_length: str, mm_per_unit: float,
        entries_in: str = "procedures", campaign_group: str | None = None,
    ) -> None:  # fmt: skip
        self.package, self.id, self.title, self._entries_in = package, id, title, entries_in
        self._campaign_group = campaign_group
        self.unit_of_length, self.mm_per_unit = unit_of_length, mm_per_unit
        self._forms: Mapping[str, Form] | None = None

    def check(self, game: Game) -> None:
        """Refuses a game with a word outside the vocabulary. Raises UnusableFile with the key path."""
        self._part("checking").check(game)

    def ask(self, game: Game, units: Sequence[str] | None = None) -> Answer:
        """What the units (all, or those named) can do, and why not the rest."""
        return cast("Answer", self._part("answering").answer(game, units))

    def entries(self) -> Mapping[str, Entry]:
        """Every action by name: its keys, and the function that begins it."""
        return cast("Mapping[str, Entry]", self._part(self._entries_in).ENTRIES)

    def begin(self, game: Game, action: Action) -> Procedure[None]:
        """The procedure of an action. Raises UnknownAction, ActionRefused."""
        from engine.rulesets import keys

        return keys.begin(self.entries(), game, action)

    def concealed(self, game: Game, side: str | None) -> frozenset[str]:
        """The units that a side (None: whoever plays none) does not know to be there: others' ``state.hidden``."""
        return frozenset(unit.id for unit in game.units if unit.side != side and unit.state.get("hidden") is True)

    def forms(self) -> Mapping[str, Form]:
        """What each action asks of a player, by name, in the order in which players are shown them."""
        from engine.rulesets.forms import forms_of

        if self._forms is None:
            self._forms = forms_of(self.package, self.entries())
        return self._forms

    def campaign_group(self) -> Group | None:
        """Its own part of ``vedette campaign``, or None."""
        if self._campaign_group is None:
            return None
        module, name = self._campaign_group.split(":")
        return cast("Group", getattr(self._part(module), name))

    def rows(self) -> Mapping[str, Row]:
        """Every row of the rulebook, by id."""
        from engine.rulesets.rows import rows_of

        return rows_of(self.package)

    def wording(self) -> Wording:
        """How its actions and events are told."""
        from engine.rulesets.rows import wording_of

        return wording_of(self.package)

    def _part(self, module: str) -> Any:
        return import_module(f"{self.package}.{module}")
