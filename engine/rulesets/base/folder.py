"""A ruleset made of a folder of Python: its parts stand in modules of fixed names, loaded when first asked for.

A folder has ``checking.py`` with ``check(game)``, ``answering.py`` with ``answer(game, units)``, ``procedures.py``
with the table ``ENTRIES`` of its actions (another module where ``entries_in`` says so), ``rows.toml`` and
``wording.toml``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from importlib import import_module
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Self, cast

from engine.errors import UnusableFile

if TYPE_CHECKING:
    from click import Group

    from engine.play import Procedure
    from engine.records.action import Action
    from engine.records.answer import Answer
    from engine.records.chances import Chances
    from engine.records.game import Game
    from engine.rulesets.base.campaigns import CampaignView
    from engine.rulesets.base.data.packs import Pack
    from engine.rulesets.base.data.tables import Laid
    from engine.rulesets.base.forms.forms import Form
    from engine.rulesets.base.forms.keys import Entry
    from engine.rulesets.base.ruleset import Row, Wording
    from engine.rulesets.base.verdicts import Verdict

__all__ = ["RulesetFolder"]


class RulesetFolder:
    """A `Ruleset` whose parts stand in the package of that name.

    ``unit_of_length`` is the players' unit of length (``in``, ``cm``, ``hexes``), ``mm_per_unit`` its millimetres.
    ``campaign_group`` is where a click group stands (``module:name`` in the package) for campaigns that are kept in
    files of their own; it becomes a part of ``vedette campaign``. ``campaign_in`` names the module that shows a
    campaign kept in the game (``view(game)``), what a side does not know of it (``veiled(game, side)``), and the
    units that it has not met (``unknown(game, side)``); without one, a campaign is shown as it is kept.
    ``order_in`` names the module that says in which order the sides act (``turn_order(game)``); without one it is
    the game's. ``chances_in`` names the module that foretells the chances of actions in a way of its own
    (``foretold(game, action)``: None for those that it leaves to be walked). ``choices_in`` names the module that
    says which of a form's words there are in a game (``choices(game, action)``, by key); without one, all of them.
    ``tables`` are the files of TOML that a pack may change, by where they stand in the package, each with what
    reads it (``module:function``).
    """

    def __init__(
        self, package: str, *, id: str, title: str, unit_of_length: str, mm_per_unit: float,
        entries_in: str = "procedures", campaign_group: str | None = None, campaign_in: str | None = None,
        chances_in: str | None = None, choices_in: str | None = None, order_in: str | None = None,
        tables: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        self.package, self.id, self.title, self._entries_in = package, id, title, entries_in
        self._campaign_group, self._campaign_in = campaign_group, campaign_in
        self._chances_in, self._choices_in, self._order_in = chances_in, choices_in, order_in
        self.unit_of_length, self.mm_per_unit = unit_of_length, mm_per_unit
        self._forms: Mapping[str, Form] | None = None
        self._tables = tables or {}
        self._laid: Laid | None = None
        self._own_rows: Mapping[str, Row] = {}

    def extended(self, pack: Pack, source: str) -> Self:
        """The ruleset by the tables of a pack. Raises UnusableFile that names ``source`` and the key's path."""
        from engine.rulesets.base.data.packs import laid_over
        from engine.rulesets.base.ruleset import Row

        found = copy(self)
        found.id, found.title, found._forms = pack.id, pack.title, None
        found._own_rows = {name: Row(id=name, text=text) for name, text in pack.rows.items()}
        found._laid = laid_over(self.package, tuple(self._tables), pack, source)
        try:
            with found.in_force():
                for reader in self._tables.values():
                    module, name = reader.split(":")
                    getattr(self._part(module), name)()
        except UnusableFile as error:
            raise UnusableFile(f"{source}: tables: {error}") from error
        return found

    def table_texts(self) -> Mapping[str, str]:
        """The TOML that a pack's tables are laid over, as it is written, by the name that they have in a pack."""
        from engine.rulesets.base.data.tables import table_text

        return {PurePosixPath(file).stem: table_text(self.package, file) for file in self._tables}

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """While this lasts, its parts read its own tables: a pack's, where it is one."""
        from engine.rulesets.base.data.tables import in_force

        with in_force(self._laid):
            yield

    def check(self, game: Game) -> None:
        """Refuses a game with a word outside the vocabulary. Raises UnusableFile with the key path."""
        with self.in_force():
            self._part("checking").check(game)

    def ask(self, game: Game, units: Sequence[str] | None = None) -> Answer:
        """What the units (all, or those named) can do, and why not the rest."""
        with self.in_force():
            return cast("Answer", self._part("answering").answer(game, units))

    def entries(self) -> Mapping[str, Entry]:
        """Every action by name: its keys, and the function that begins it."""
        return cast("Mapping[str, Entry]", self._part(self._entries_in).ENTRIES)

    def begin(self, game: Game, action: Action) -> Procedure[None]:
        """The procedure of an action. Raises UnknownAction, ActionRefused."""
        from engine.rulesets.base.data.tables import under
        from engine.rulesets.base.forms import keys

        with self.in_force():
            procedure = keys.begin(self.entries(), game, action)
        return procedure if self._laid is None else under(self._laid, procedure)

    def concealed(self, game: Game, side: str | None) -> frozenset[str]:
        """The units that a side (None: whoever plays none) does not know to be there.

        They are others' with ``state.hidden``, and those that it has not met in a campaign.
        """
        hidden = {unit.id for unit in game.units if unit.side != side and unit.state.get("hidden") is True}
        if self._campaign_in is not None and game.conditions.get("campaign"):
            with self.in_force():
                hidden |= self._part(self._campaign_in).unknown(game, side)
        return frozenset(hidden)

    def veiled(self, game: Game, side: str | None) -> Game:
        """The game without what a side (None: whoever plays none) does not know of its campaign."""
        if self._campaign_in is None or not game.conditions.get("campaign"):
            return game
        with self.in_force():
            return cast("Game", self._part(self._campaign_in).veiled(game, side))

    def verdict(self, game: Game) -> Verdict | None:
        """How a game has ended: what its procedures have written down; None while it goes on."""
        from engine.rulesets.base.verdicts import verdict_of

        return verdict_of(game)

    def turn_order(self, game: Game) -> tuple[str, ...]:
        """The sides in the order in which they act in this turn."""
        if self._order_in is None:
            return tuple(side.name for side in game.sides)
        with self.in_force():
            return tuple(self._part(self._order_in).turn_order(game))

    def campaign(self, game: Game) -> CampaignView | None:
        """The campaign as it stands in a game; None where the rules have none that is kept in a game."""
        from engine.rulesets.base.campaigns import kept_view

        if self._campaign_in is not None:
            with self.in_force():
                return cast("CampaignView | None", self._part(self._campaign_in).view(game))
        begins = any(form.begins for form in self.forms().values())
        return kept_view(game, "Campaign") if begins else None

    def forms(self) -> Mapping[str, Form]:
        """What each action asks of a player, by name, in the order in which players are shown them."""
        from engine.rulesets.base.forms.forms import forms_of

        if self._forms is None:
            with self.in_force():
                self._forms = forms_of(self.package, self.entries())
        return self._forms

    def choices(self, game: Game, action: Action) -> Mapping[str, tuple[str, ...]]:
        """The words that there are for keys of an action in this game, by key; of one that is not there, all."""
        if self._choices_in is None:
            return {}
        with self.in_force():
            return cast("Mapping[str, tuple[str, ...]]", self._part(self._choices_in).choices(game, action))

    def campaign_group(self) -> Group | None:
        """Its own part of ``vedette campaign``, or None."""
        if self._campaign_group is None:
            return None
        module, name = self._campaign_group.split(":")
        return cast("Group", getattr(self._part(module), name))

    def foretold(self, game: Game, action: Action) -> Chances | None:
        """The exact chances of an action worked out in a way of its own; None: every way of the dice is walked."""
        if self._chances_in is None:
            return None
        with self.in_force():
            return cast("Chances | None", self._part(self._chances_in).foretold(game, action))

    def rows(self) -> Mapping[str, Row]:
        """Every row of the rulebook, by id, and a pack's own."""
        from engine.rulesets.base.data.rows import rows_of

        own = rows_of(self.package)
        return {**own, **self._own_rows} if self._own_rows else own

    def wording(self) -> Wording:
        """How its actions and events are told."""
        from engine.rulesets.base.data.rows import wording_of

        return wording_of(self.package)

    def _part(self, module: str) -> Any:
        return import_module(f"{self.package}.{module}")
