"""The Palouse variant for the French and Indian War: units on squares of six inches, an evening in an hour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine.rulesets.base.folder import RulesetFolder

if TYPE_CHECKING:
    from engine.records.answer import Answer
    from engine.records.game import Game
    from engine.rulesets.base.data.packs import Pack
    from engine.rulesets.base.forms.keys import Entry
    from engine.rulesets.base.ruleset import Row
    from engine.rulesets.palouse.book import Book

__all__ = ["RULESET", "Palouse"]


class Palouse(RulesetFolder):
    """The ruleset by the tables of a book."""

    def __init__(
        self, id: str, title: str, book: Book | None = None, rows: Mapping[str, Row] | None = None
    ) -> None:
        super().__init__(__name__, id=id, title=title, unit_of_length="bounds", mm_per_unit=152.4)
        self._book, self._own_rows = book, rows or {}

    @property
    def book(self) -> Book:
        """The tables: those given, else our own."""
        from engine.rulesets.palouse.book import our_book

        return our_book() if self._book is None else self._book

    def check(self, game: Game) -> None:
        """Refuses a game with a word outside the vocabulary. Raises UnusableFile with the key path."""
        from engine.rulesets.palouse.checking import check

        check(game, self.book)

    def ask(self, game: Game, units: Sequence[str] | None = None) -> Answer:
        """What the units (all, or those named) can do, and why not the rest."""
        from engine.rulesets.palouse.answering import answer

        return answer(game, self.book, units)

    def entries(self) -> Mapping[str, Entry]:
        """Every action by name: its keys, and the function that begins it by the book's tables."""
        from engine.rulesets.palouse.procedures import entries

        return entries(self.book)

    def table_texts(self) -> Mapping[str, str]:
        """Its one file; a pack's tables are laid over what stands in it."""
        from engine.rulesets.base.data.tables import table_text

        return {"book": table_text(self.package, "book.toml")}

    def extended(self, pack: Pack, source: str) -> Palouse:
        """The ruleset by the tables of a pack. Raises UnusableFile that names ``source`` and the key's path."""
        from engine.rulesets.base.data.packs import merged
        from engine.rulesets.base.ruleset import Row
        from engine.rulesets.palouse.book import book_from, our_tables

        book = book_from(merged(our_tables(), pack, source), source)
        rows = {name: Row(id=name, text=text) for name, text in pack.rows.items()}
        return Palouse(pack.id, pack.title, book, {**self._own_rows, **rows})


RULESET = Palouse("palouse", "Palouse One-Hour Variant")
